"""Players, their devices and codes, and what happens when they go."""

from __future__ import annotations

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, select

from dicehall.errors import DicehallError, InvalidOption, InvalidText
from dicehall.store import boards, daily, players, runs, schema, tables
from dicehall.store.ids import new_id
from dicehall.store.players import Player
from dicehall.store.schema import metadata, standings, tallies
from tests.store.rows import SECRET, run, saved_table


def everything(connection: Connection) -> str:
    """All that the database holds, as one text."""
    return repr([sorted(map(repr, connection.execute(select(table)))) for table in metadata.sorted_tables])


def test_a_player_is_known_by_the_token_alone(connection: Connection) -> None:
    player_id, token = players.create(connection, 7)
    other_id, other_token = players.create(connection, 8)
    assert players.authenticate(connection, player_id, token) == Player(player_id, "", 7)
    assert players.authenticate(connection, player_id, other_token) is None
    assert players.authenticate(connection, other_id, token) is None
    assert players.authenticate(connection, "nobody", token) is None
    for nonsense in ("", token[:-1], token.upper(), "\0", "\ud800", "ä" * 5000):
        assert players.authenticate(connection, player_id, nonsense) is None
        assert players.authenticate(connection, nonsense, token) is None
    assert token not in everything(connection)


def test_nicknames(connection: Connection) -> None:
    player_id, token = players.create(connection, 7)
    for name in ("Ada", "Åsa 🎲", "x" * 24, "'; DROP TABLE players; --"[:24]):
        assert players.rename(connection, player_id, f"  {name} ") == name
        assert players.authenticate(connection, player_id, token) == Player(player_id, name, 7)
    for name in ("", "   ", "x" * 25, "a\nb", "a\0b", "a\ud800", "a\u202eb"):
        assert refused(connection, player_id, name) == "nickname"
    assert refused(connection, player_id, "Dicehall") == "nickname-house"


def refused(connection: Connection, player_id: str, name: str) -> str:
    with pytest.raises(InvalidText) as caught:
        players.rename(connection, player_id, name)
    return caught.value.code


def test_nobody_looks_like_another_player(connection: Connection) -> None:
    (ada, token), (bea, _), (nameless, _) = (players.create(connection, 7) for _ in range(3))
    players.rename(connection, ada, "Ada")
    players.rename(connection, bea, "Bea")
    for name in ("Ada", "ADA", "A.d.a", "4da", "Àda"):
        assert refused(connection, bea, name) == "nickname-taken"
        assert refused(connection, nameless, name) == "nickname-taken"
        assert players.rename(connection, ada, name) == name, "one's own is"
    players.rename(connection, ada, "Grace")
    assert players.rename(connection, bea, "Ada") == "Ada", "and nobody's name is free again"
    players.unname(connection, bea)
    players.unname(connection, nameless)
    assert players.find(connection, bea) == Player(bea, "", 7)
    assert players.rename(connection, nameless, "Ada") == "Ada"
    players.delete(connection, nameless)
    assert players.rename(connection, bea, "ada") == "ada"
    assert players.authenticate(connection, ada, token) == Player(ada, "Grace", 7)


def test_of_two_who_want_a_name_at_the_same_moment_one_gets_it(engine: Engine) -> None:
    with engine.begin() as connection:
        both = [players.create(connection, 7)[0] for _ in range(2)]
    told: list[str] = []
    ready = threading.Barrier(2)

    def want(player_id: str, name: str) -> None:
        ready.wait(20)
        try:
            with engine.begin() as connection:
                players.rename(connection, player_id, name)
                time.sleep(0.05)  # the other one asks before this is committed
            told.append("kept")
        except InvalidText as error:
            told.append(error.code)

    threads = [threading.Thread(target=want, args=pair) for pair in zip(both, ("Ada", "ADA"), strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    with engine.begin() as connection:
        for player_id in both:
            players.delete(connection, player_id)
    assert sorted(told) == ["kept", "nickname-taken"]


def test_devices_are_named_by_what_is_no_use_to_a_thief(connection: Connection) -> None:
    ada, token = players.create(connection, 7, "Firefox on Android")
    other, _ = players.create(connection, 7)
    code = players.start_transfer(connection, ada, 8)
    _, second = players.redeem(connection, code, 9, "Safari on Mac") or ("", "")
    found = players.devices_of(connection, ada, token)
    assert [(one.label, one.created_at, one.seen_at, one.this) for one in found] == [
        ("Safari on Mac", 9, 9, False),
        ("Firefox on Android", 7, 7, True),
    ]
    for one in found:
        assert len(one.id) == 16
        assert one.id not in everything(connection)
    assert players.last_seen(connection, token) == 7
    players.see(connection, token, 90_000)
    assert (players.last_seen(connection, token), players.last_seen(connection, second)) == (90_000, 9)
    assert players.last_seen(connection, "nobody's") == 0
    for nonsense in ("", found[1].id[:15], found[1].id.upper() + "x", "\0"):
        assert not players.sign_out(connection, ada, nonsense)
    assert not players.sign_out(connection, other, found[0].id), "it is not theirs"
    assert players.sign_out(connection, ada, found[0].id)
    assert not players.sign_out(connection, ada, found[0].id)
    assert players.authenticate(connection, ada, second) is None
    assert players.authenticate(connection, ada, token) is not None


def test_all_other_devices_at_once(connection: Connection) -> None:
    ada, token = players.create(connection, 7)
    bea, of_bea = players.create(connection, 7)
    for _ in range(3):
        players.redeem(connection, players.start_transfer(connection, ada, 8), 9)
    players.sign_out_others(connection, ada, token)
    assert [one.this for one in players.devices_of(connection, ada, token)] == [True]
    assert players.authenticate(connection, bea, of_bea) is not None


def test_one_device_too_many_and_the_idlest_goes(connection: Connection) -> None:
    ada, first = players.create(connection, 0)
    tokens = []
    for now in range(1, players.MOST_DEVICES):
        found = players.redeem(connection, players.start_transfer(connection, ada, now), now)
        assert found is not None
        tokens.append(found[1])
    players.see(connection, first, 1000)
    assert len(players.devices_of(connection, ada)) == players.MOST_DEVICES
    players.redeem(connection, players.start_transfer(connection, ada, 1000), 1000)
    assert len(players.devices_of(connection, ada)) == players.MOST_DEVICES
    known = [players.authenticate(connection, ada, token) is not None for token in (first, *tokens)]
    assert known == [True, False, *[True] * (len(tokens) - 1)]


def test_a_lasting_code_lasts(connection: Connection) -> None:
    ada, _ = players.create(connection, 7)
    replaced = players.start_transfer(connection, ada, 8, lasting=True)
    kept = players.start_transfer(connection, ada, 8, lasting=True)
    soon = players.start_transfer(connection, ada, 8)
    assert [len(part) for part in kept.split("-")] == [4] * 5
    assert set(kept) <= {*players.LETTERS, "-"}
    assert kept.replace("-", "") not in everything(connection)
    assert players.redeem(connection, replaced, 9) is None
    assert players.redeem(connection, soon, 9) is not None, "either kind leaves the other alone"
    players.start_transfer(connection, ada, 10)
    later = 100 * 366 * 86_400
    players.start_transfer(connection, players.create(connection, later)[0], later)
    found = players.redeem(connection, kept.lower(), later)
    assert found is not None
    assert found[0] == ada
    assert players.redeem(connection, kept, later + 60) is None, "it is used up"


def test_strays_are_those_who_have_left_nothing(connection: Connection) -> None:
    def guest(now: int = 0) -> str:
        return players.create(connection, now)[0]

    named, coded, playing, barred, young, late = (guest() for _ in range(6))
    players.rename(connection, named, "Ada")
    players.start_transfer(connection, coded, 0, lasting=True)
    runs.insert(connection, run(playing))
    connection.execute(schema.players.update().where(schema.players.c.id == barred).values(barred="banned"))
    connection.execute(schema.devices.update().where(schema.devices.c.player_id == young).values(seen_at=100))
    new, left, old, without = guest(100), guest(100), guest(99), guest()
    connection.execute(schema.devices.update().where(schema.devices.c.player_id == old).values(seen_at=0))
    connection.execute(schema.devices.delete().where(schema.devices.c.player_id.in_([left, without])))
    players.start_transfer(connection, old, 0)
    tables.insert(connection, saved_table(old))
    found = players.strays(connection, 100, 10)
    assert set(found) == {old, without, late}
    assert len(players.strays(connection, 100, 2)) == 2
    runs.insert(connection, run(late, id="r2"))  # meanwhile
    assert players.forget_strays(connection, 100, found) == 2
    remaining = set(connection.scalars(select(schema.players.c.id)))
    assert remaining == {named, coded, playing, barred, young, new, left, late}
    assert players.strays(connection, 100, 10) == []


def test_who_is_barred(connection: Connection) -> None:
    ada, token = players.create(connection, 7)
    assert not players.is_barred(connection, ada)
    assert not players.is_barred(connection, "nobody")
    for how in (players.HIDDEN, players.BANNED):
        connection.execute(schema.players.update().values(barred=how))
        assert players.is_barred(connection, ada)
        assert players.authenticate(connection, ada, token) == Player(ada, "", 7, how)
        assert how not in json.dumps(whole_export(connection, ada))


def test_a_code_brings_another_device_in_once(connection: Connection) -> None:
    player_id, token = players.create(connection, 7)
    code = players.start_transfer(connection, player_id, 100)
    assert code.replace("-", "") not in everything(connection)
    found = players.redeem(connection, code, 999)
    assert found is not None
    assert found[0] == player_id
    assert found[1] != token
    for one in (token, found[1]):
        assert players.authenticate(connection, player_id, one) is not None
    again = players.redeem(connection, code, 999 + 59)
    assert again is not None, "the answer may have got lost"
    assert players.authenticate(connection, player_id, again[1]) is not None
    assert players.authenticate(connection, player_id, found[1]) is None, "there is one device for a code"
    assert players.authenticate(connection, player_id, token) is not None
    assert players.redeem(connection, code, 999 + 60) is None


def test_codes_are_easy_to_type(connection: Connection) -> None:
    player_id, _ = players.create(connection, 7)
    seen = set()
    for _ in range(50):
        code = players.start_transfer(connection, player_id, 0)
        groups = code.split("-")
        assert [len(group) for group in groups] == [4, 4, 4]
        assert set("".join(groups)) <= set("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        seen.add(code)
    assert len(seen) == 50
    for spelling in (
        str.lower,
        str.title,
        lambda text: text.replace("-", ""),
        lambda text: f" {text} ".replace("-", " "),
    ):
        code = players.start_transfer(connection, player_id, 0)
        assert players.redeem(connection, spelling(code), 1) is not None


def test_a_code_lives_for_fifteen_minutes(connection: Connection) -> None:
    player_id, _ = players.create(connection, 7)
    code = players.start_transfer(connection, player_id, 100)
    assert players.redeem(connection, code, 100 + 15 * 60) is None
    code = players.start_transfer(connection, player_id, 100)
    assert players.redeem(connection, code, 99 + 15 * 60) is not None


def test_a_player_has_one_code_at_a_time(connection: Connection) -> None:
    player_id, _ = players.create(connection, 7)
    other_id, _ = players.create(connection, 7)
    first, others = players.start_transfer(connection, player_id, 0), players.start_transfer(connection, other_id, 0)
    second = players.start_transfer(connection, player_id, 1)
    assert players.redeem(connection, first, 2) is None
    assert players.redeem(connection, second, 2) is not None
    assert players.redeem(connection, others, 2) is not None


def test_outdated_codes_are_cleared_away(connection: Connection) -> None:
    for now in (0, 10_000):
        player_id, _ = players.create(connection, now)
        players.start_transfer(connection, player_id, now)
    assert connection.execute(select(metadata.tables["transfers"].c.expires_at)).scalars().all() == [10_900]


@pytest.mark.parametrize("code", ["", "ABCD", "----", "\0", "\ud800", "ABCD-EFGH-JKLM", "ß" * 12])
def test_nonsense_is_no_code(connection: Connection, code: str) -> None:
    assert players.redeem(connection, code, 0) is None


def furnish(connection: Connection, name: str) -> tuple[str, str]:
    """A player with something in every table."""
    player_id, token = players.create(connection, 7)
    players.rename(connection, player_id, name)
    players.start_transfer(connection, player_id, 8)
    day = daily.ensure(connection, "2026-01-01", "farkle", "standard", 5)
    tables.insert(connection, saved_table(player_id, id=f"open {name}", secret="a" * 64))
    tables.insert(connection, saved_table(player_id, id=f"over {name}", over=True, created_at=101))
    tables.insert(connection, saved_table(player_id, id=f"daily {name}", over=True, day=day.day, secret=day.secret))
    daily.attempt(connection, day.day, "farkle", "standard", player_id, f"daily {name}")
    runs.insert(connection, run(player_id, id=f"run {name}", table_id=f"over {name}"))
    boards.enter(connection, "farkle/standard", "all", player_id, 80, False, f"run {name}", 9)
    boards.enter(connection, f"only {name}", "all", player_id, 80, True, f"run {name}", 9)
    return player_id, token


def whole_export(connection: Connection, player_id: str) -> dict[str, Any]:
    """An export put together from small pages."""
    export = players.export(connection, player_id)
    for name, moment, read in (
        ("tables", "created_at", players.export_tables),
        ("runs", "finished_at", players.export_runs),
    ):
        export[name], after = [], None
        while page := read(connection, player_id, after, 2):
            export[name] += page
            after = page[-1][moment], page[-1]["id"]
    return export


def test_an_export_holds_everything_but_secrets_in_use(connection: Connection) -> None:
    ada, token = furnish(connection, "Ada")
    furnish(connection, "Bea")
    export = whole_export(connection, ada)
    text = json.dumps(export)
    assert export["profile"] == {"id": ada, "nickname": "Ada", "look": "ada", "created_at": 7, "silenced_until": None}
    assert export["devices"] == [{"label": "", "created_at": 7, "seen_at": 7}]
    secrets = {table["id"]: table["secret"] for table in export["tables"]}
    assert secrets == {"open Ada": None, "over Ada": SECRET, "daily Ada": None}
    over = next(table for table in export["tables"] if table["id"] == "over Ada")
    assert over["options"] == {"target": 2000, "hot_dice": False}
    assert [(one["id"], one["record"], one["score"]) for one in export["runs"]] == [("run Ada", {"format": 1}, 80)]
    assert export["attempts"] == [
        {
            "day": "2026-01-01",
            "game": "farkle",
            "mode": "standard",
            "number": 1,
            "table_id": "daily Ada",
            "network": None,
        }
    ]
    reached = {"period": "all", "run_id": "run Ada", "reached_at": 9, "runs": 1, "took": 1}
    assert export["standings"] == [{"board": name, **reached} for name in ("farkle/standard", "only Ada")]
    daily_secret = daily.ensure(connection, "2026-01-01", "farkle", "standard", 5).secret
    for hidden in (token, "a" * 64, daily_secret, "Bea"):
        assert hidden not in text


def test_nobody_has_nothing_to_export(connection: Connection) -> None:
    with pytest.raises(InvalidOption) as caught:
        players.export(connection, "nobody")
    assert caught.value.code == "player"


def test_a_player_who_goes_leaves_nothing_behind(connection: Connection) -> None:
    furnish(connection, "Bea")
    before = everything(connection)
    ada, token = furnish(connection, "Ada")
    assert everything(connection) != before
    players.delete(connection, ada)
    assert everything(connection) == before
    assert players.authenticate(connection, ada, token) is None
    assert boards.size(connection, "farkle/standard", "all") == 1
    assert boards.size(connection, "only Ada", "all") == 0
    players.delete(connection, ada)  # a second time there is nothing to do
    assert everything(connection) == before


def test_the_last_player_empties_the_boards(connection: Connection) -> None:
    ada, _ = furnish(connection, "Ada")
    players.delete(connection, ada)
    assert connection.execute(select(standings)).all() == []
    assert connection.execute(select(tallies)).all() == []


def test_of_two_devices_with_one_code_one_comes_in(engine: Engine) -> None:
    """The second has read the code before the first has used it up. It is refused, or has the first one's place."""
    with engine.begin() as connection:
        ada, _ = players.create(connection, 1)
        code = players.start_transfer(connection, ada, 1)

    def come() -> object:
        with suppress(DicehallError), engine.begin() as connection:
            return players.redeem(connection, code, 2)
        return None

    with ThreadPoolExecutor(1) as threads:
        with engine.begin() as connection:
            assert players.redeem(connection, code, 2) is not None
            second = threads.submit(come)
            time.sleep(0.5)  # long enough to get as far as it can
        second.result()
    with engine.begin() as connection:
        assert len(players.devices_of(connection, ada)) == 2
        players.delete(connection, ada)


def test_no_id_looks_like_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["-an-option", "--", "an-id"])
    monkeypatch.setattr("secrets.token_urlsafe", lambda length: next(drawn))
    assert new_id() == "an-id"
