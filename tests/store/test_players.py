"""Players, their devices and codes, and what happens when they go."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import Connection, select

from dicehall.errors import InvalidOption, InvalidText
from dicehall.store import boards, daily, players, runs, tables
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
        with pytest.raises(InvalidText) as caught:
            players.rename(connection, player_id, name)
        assert caught.value.code == "nickname"


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
    assert players.redeem(connection, code, 999) is None


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


def test_an_export_holds_everything_but_secrets_in_use(connection: Connection) -> None:
    ada, token = furnish(connection, "Ada")
    furnish(connection, "Bea")
    export = players.export(connection, ada)
    text = json.dumps(export)
    assert export["profile"] == {"id": ada, "nickname": "Ada", "look": "ada", "created_at": 7}
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
    reached = {"period": "all", "run_id": "run Ada", "reached_at": 9, "runs": None, "took": None}
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
