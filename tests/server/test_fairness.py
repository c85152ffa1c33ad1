"""Nobody learns a daily's dice before playing them, no clock gives them away, and the coach is nobody's partner."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Engine, event, insert, select
from sqlalchemy.exc import OperationalError

from dicehall.errors import InvalidOption
from dicehall.play.record import from_json
from dicehall.play.replay import prove
from dicehall.server.clock import MOST_MOVED, HallClock, elapsed
from dicehall.server.dailies import CLOCK, check_clock
from dicehall.server.positions import MANY_STEPS, Place, Positions, position
from dicehall.server.wire import PROTOCOL
from dicehall.store import beats, daily, schema, tables
from dicehall.store.engine import default_url, migrate, open_engine
from tests.faults.hall import Server as Process
from tests.processes import call
from tests.server.conftest import NewUrl
from tests.server.games import every_game
from tests.server.running import Clock, Guest, Json, Server
from tests.server.test_daily import TODAY, TOMORROW, board, info, revealed_proof, scores

ELSEWHERE = "203.0.113.7"
WAYS = ("", "/film", "/proof", "/report")  # in which a run is shown


def guest_from(server: Server, address: str) -> Guest:
    """Somebody from another network, behind a proxy on this machine."""
    guest = server.stranger()
    guest.http.headers["x-forwarded-for"] = address
    guest.id = guest.post("/api/me")["id"]
    return guest


# -- one open attempt at a time


def test_a_second_attempt_ends_the_first(own_server: Server) -> None:
    """Or one would learn the dice at the second table and top the board of first attempts with the first."""
    guest = own_server.guest()
    opened = guest.post("/api/tables", 201, game="lite-solo", kind="daily")
    assert opened["first"]
    with guest.sit(opened["id"]) as tab:
        assert tab.shown["first"]
        tab.play_on(Random(1), 2)
        second = guest.post("/api/tables", 201, game="lite-solo", kind="daily")
        assert not second["first"]
        assert tab.closed() == 4404, "whoever watches is told"
    assert guest.close_code(opened["id"], {"type": "hello", "protocol": PROTOCOL}) == 4404
    guest.get(f"/api/tables/{opened['id']}", 404)
    assert [table["id"] for table in guest.get("/api/tables")] == [second["id"]]
    with guest.sit(second["id"]) as tab:
        tab.play_on(Random(3))
        run = guest.run(tab)
    assert board(guest)["entries"] == []
    assert scores(board(guest, "best")) == {guest.id: run["score"]}
    third = guest.play("lite-solo", 4, kind="daily")
    assert board(guest)["entries"] == [], "and no later one becomes the first"
    assert scores(board(guest, "best")) == {guest.id: max(run["score"], third["score"])}


@every_game
def test_an_attempt_at_which_nothing_was_done_is_opened_again(own_server: Server, game: str) -> None:
    """Whoever did not hear the answer asks again, and must not lose the first attempt by it."""
    guest, asked = own_server.guest(), {"game": game, "kind": "daily"}
    opened = guest.post("/api/tables", 201, **asked)
    again = guest.post("/api/tables", 201, **asked)
    assert (again["id"], again["first"], again["view"]) == (opened["id"], True, opened["view"])
    own_server.restart()
    assert guest.post("/api/tables", 201, **asked)["id"] == opened["id"]
    with guest.sit(opened["id"]) as tab:
        tab.play_on(Random(1), 1)
    other = guest.post("/api/tables", 201, **asked)
    assert (other["id"] == opened["id"], other["first"]) == (False, False)


def test_an_attempt_with_a_hint_is_not_opened_again(own_server: Server) -> None:
    guest = own_server.guest()
    first = guest.open("lite-solo", kind="daily")
    with guest.sit(first) as tab:
        tab.send(type="hint", seen=tab.count)
        tab.table()
    assert guest.open("lite-solo", kind="daily") != first, "or the best of the day would be off the boards too"


def test_a_look_at_the_table_of_a_stranger_leaves_it_where_it_is(own_server: Server) -> None:
    """Or a stranger would have the run marked by asking the coach about it from elsewhere."""
    guest, stranger = own_server.guest(), guest_from(own_server, ELSEWHERE)
    table_id = guest.open("lite-solo")
    with guest.sit(table_id) as tab:
        stranger.get(f"/api/tables/{table_id}", 404)
        tab.play_on(Random(1), 5)
        nobody = own_server.stranger()
        nobody.http.headers["x-forwarded-for"] = ELSEWHERE
        nobody.post("/api/coach/advise", game="lite-solo", state=tab.shown["view"]["state"])
        assert tab.look()["unranked"] == []


def test_a_second_attempt_over_the_same_socket(own_server: Server) -> None:
    guest = own_server.guest()
    first = guest.open("lite-solo", kind="daily")
    other_game, ranked = guest.open("shut-the-box", kind="daily"), guest.open("lite-solo")
    with guest.sit(first) as tab:
        tab.move(tab.moves[0])
        tab.send(type="open", game="lite-solo", kind="daily")
        second = tab.table()["id"]
        assert second != first
        assert tab.shown["first"] is False
        tab.send(type="sit", table=first)
        assert tab.refusal() == "table"
        tab.play_on(Random(1))
    assert {table["id"] for table in guest.get("/api/tables")} == {other_game, ranked}, "no other table ends"
    assert board(guest)["entries"] == []


def test_the_table_says_whether_it_counts_as_first(own_server: Server) -> None:
    guest = own_server.guest()
    table_id = guest.open("lite-solo", kind="daily")
    own_server.restart()
    assert guest.get(f"/api/tables/{table_id}")["first"] is True
    assert guest.get(f"/api/tables/{guest.open('lite-solo')}")["first"] is None


# -- hidden until one's first attempt is over


def shown(guest: Guest, run: Json) -> set[int]:
    answers = [guest.ask("GET", f"/api/runs/{run['id']}{way}") for way in WAYS]
    for answer in answers:
        if answer.status_code == 403:
            assert answer.json()["code"] == "daily-hidden"
            assert run["record"]["steps"] not in answer.text
    return {answer.status_code for answer in answers}


def test_todays_runs_are_for_those_who_have_played(own_server: Server) -> None:
    finished, playing, other_game, stranger = (own_server.guest() for _ in range(4))
    stranger.http.cookies.clear()
    run = finished.play("lite-solo", 1, kind="daily")
    with finished.sit(finished.open("lite-solo", kind="daily")) as tab:
        tab.send(type="hint", seen=tab.count)
        tab.table()
        tab.play_on(Random(2))
        unranked = finished.run(tab)
    assert not unranked["ranked"]
    table_id = playing.open("lite-solo", kind="daily")
    other_game.play("shut-the-box", 1, kind="daily")
    for one in (run, unranked):
        assert shown(finished, one) == {200}
        for guest in (playing, other_game, stranger):
            assert shown(guest, one) == {403}
    with playing.sit(table_id) as tab:
        tab.play_on(Random(5))
    given_up = own_server.guest()
    given_up.call("DELETE", f"/api/tables/{given_up.open('lite-solo', kind='daily')}", 204)
    for guest in (playing, given_up):
        assert shown(guest, run) == shown(guest, unranked) == {200}
    own_server.clock.to(f"{TOMORROW} 00:00:00")
    for guest in (stranger, other_game):
        assert shown(guest, run) == {200}, "the day is over"


def test_no_other_way_to_todays_dice(own_server: Server) -> None:
    """Whatever a newcomer may ask: none of the steps that others have seen is in the answer."""
    guest, newcomer = own_server.guest(), own_server.guest()
    run = guest.play("lite-solo", 1, kind="daily")
    secret = own_server.stored(lambda c: daily.find(c, TODAY, "lite-solo", run["mode"])).secret  # type: ignore[union-attr]
    newcomer.open("lite-solo", kind="daily")
    steps = run["record"]["steps"]
    for who in (newcomer, own_server.stranger()):
        for path in (
            "/api/lobby", "/api/daily", f"/api/daily/{TODAY}", f"/api/daily/{TOMORROW}", "/api/archive/lite-solo",
            f"/api/daily/{TODAY}/lite-solo/board", f"/api/daily/{TODAY}/lite-solo/board?which=best",
            f"/api/daily/{TODAY}/lite-solo/benchmark", f"/api/runs/{run['id']}", f"/api/runs/{run['id']}/film",
            f"/api/runs/{run['id']}/proof", f"/api/runs/{run['id']}/report", "/api/runs",
            "/api/runs/best?game=lite-solo", "/api/runs/last?game=lite-solo", "/api/tables",
            "/api/me/export", "/api/export/ranked.jsonl", "/metrics", "/api/boards/lite-solo", "/api/puzzles",
        ):  # fmt: skip
            who.ask("GET", path)
        benchmark = who.get(f"/api/daily/{TODAY}/lite-solo/benchmark")
        assert (benchmark["perfect"], benchmark["foresight"]) == (None, None)
        assert benchmark["expected"] > 0
        assert not any(steps in text or secret in text for text in who.heard)
    newcomer.post("/api/tables", 400, game="lite-solo", kind="archive", day=TODAY)
    verdict = newcomer.post("/api/records/check", record=run["record"])
    assert (verdict["ok"], verdict["proved"], verdict["code"]) == (True, False, "not-revealed")
    assert guest.get(f"/api/daily/{TODAY}/lite-solo/benchmark")["perfect"] > 0


def test_the_export_waits_for_the_end_of_the_day(own_server: Server) -> None:
    guest = own_server.guest()
    ranked = guest.play("lite-solo", 1)
    own_server.clock.now += 1
    today = guest.play("lite-solo", 2, kind="daily")

    def exported() -> list[str]:
        lines = own_server.stranger().ask("GET", "/api/export/ranked.jsonl").text.splitlines()
        return [json.loads(line)["steps"] for line in lines]

    assert exported() == [ranked["record"]["steps"]]
    own_server.clock.to(f"{TOMORROW} 00:00:00")
    assert exported() == [ranked["record"]["steps"], today["record"]["steps"]]


# -- what remains is bounded, and told


def test_the_boards_tell_how_many_came_from_one_network(own_server: Server) -> None:
    neighbours = [own_server.guest() for _ in range(2)]
    alone = guest_from(own_server, ELSEWHERE)
    for n, guest in enumerate((*neighbours, alone)):
        guest.play("lite-solo", n, kind="daily")
        guest.play("lite-solo", n + 7, kind="daily")
    for which in ("first", "best"):
        told = {entry["player"]: entry["same_network"] for entry in board(alone, which)["entries"]}
        assert told == {neighbours[0].id: 2, neighbours[1].id: 2, alone.id: 1}
        assert board(alone, which)["me"]["same_network"] == 1
    alone.play("lite-solo")
    assert alone.get("/api/boards/lite-solo")["entries"][0]["same_network"] is None

    def networks() -> dict[str, set[str]]:
        rows = own_server.stored(lambda c: c.execute(select(schema.attempts)).all())
        return {day: {str(row.network) for row in rows if row.day == day} for day in (TODAY, TOMORROW)}

    own_server.clock.to(f"{TOMORROW} 12:00")
    alone.open("lite-solo", kind="daily")
    kept = networks()
    assert len(kept[TODAY]) == 2
    assert kept[TOMORROW].isdisjoint(kept[TODAY]), "nobody is followed from day to day"
    assert not any(address in repr(kept) for address in (ELSEWHERE, "127.0.0.1"))


def test_a_crowd_from_one_network_plays_for_the_best_board_alone(own_server: Server) -> None:
    for _ in range(daily.MOST_FROM_ONE_NETWORK):
        own_server.guest().open("lite-solo", kind="daily")
    late, elsewhere = own_server.guest(), guest_from(own_server, ELSEWHERE)
    opened = late.post("/api/tables", 201, game="lite-solo", kind="daily")
    assert opened["first"] is False, "it is said from the start"
    with late.sit(opened["id"]) as tab:
        tab.play_on(Random(1))
        run = late.run(tab)
    assert run["ranked"]
    assert board(late)["entries"] == []
    assert scores(board(late, "best")) == {late.id: run["score"]}
    assert board(late, "best")["me"]["same_network"] == 31
    assert scores(board(elsewhere)) == {}
    first = elsewhere.play("lite-solo", kind="daily")
    assert scores(board(elsewhere)) == {elsewhere.id: first["score"]}


def test_a_board_tells_of_new_accounts(own_server: Server) -> None:
    guest, daily_guest = own_server.guest(), own_server.guest()
    guest.play("lite-solo", 1)
    daily_guest.play("lite-solo", 1, kind="daily")
    assert guest.get("/api/boards/lite-solo")["me"]["new_account"]
    assert board(daily_guest)["me"]["new_account"]
    own_server.clock.now += 86_400
    daily_guest.play("lite-solo", 1, kind="daily")
    assert not board(daily_guest, day=TOMORROW)["me"]["new_account"]
    assert guest.get("/api/boards/lite-solo")["me"]["new_account"], "it was new then"


# -- revealed once, without looking at runs


@pytest.fixture
def statements() -> Iterator[list[str]]:
    """Every statement that any database is given from now on."""
    noted: list[str] = []

    def note(_: object, __: object, statement: str, *___: object) -> None:
        noted.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    yield noted
    event.remove(Engine, "before_cursor_execute", note)


def test_a_day_is_revealed_without_reading_its_runs(own_server: Server, statements: list[str]) -> None:
    """However many there are: while they were read and written again, nobody could move."""
    guest = own_server.guest()
    run = guest.play("lite-solo", kind="daily")
    row = own_server.stored(lambda c: c.execute(select(schema.runs)).mappings().one())
    copies = [{**row, "id": f"r{n}", "table_id": f"t{n}"} for n in range(2000)]
    with own_server.app.state.hall.engine.begin() as connection:
        connection.execute(insert(schema.runs), copies)
    own_server.stop()
    own_server.clock.to(f"{TOMORROW} 12:00")
    statements.clear()
    own_server.start()
    guest.http.base_url = own_server.url
    assert info(guest, TODAY)["secret"] is not None
    for _ in range(200):
        if any("beats" in statement for statement in statements):  # the last thing it does
            break
        time.sleep(0.05)
    own = [one for one in statements if not one.startswith(("PRAGMA", "CREATE", "ALTER"))]
    assert any(one.startswith("UPDATE dailies") for one in own)
    of_runs = [one for one in own if " runs" in one and "alembic" not in one and "devices" not in one]
    assert of_runs == [], "but for the question who has none"
    proof = revealed_proof(guest, run["id"])
    assert (proof["ok"], proof["proved"]) == (True, True)
    assert guest.get("/api/runs/r1999/proof")["proved"], "every record is proved when it is read"
    stored = own_server.stored(lambda c: c.execute(select(schema.runs).where(schema.runs.c.id == run["id"])).one())
    assert "secret" not in stored.record["dice"], "and none was written again"
    revealed_at = own_server.stored(lambda c: daily.find(c, TODAY, "lite-solo", run["mode"])).revealed_at  # type: ignore[union-attr]
    own_server.clock.now += 3600
    own_server.restart()
    info(guest, TODAY)
    again = own_server.stored(lambda c: daily.find(c, TODAY, "lite-solo", run["mode"]))
    assert again is not None
    assert again.revealed_at == revealed_at


# -- a moved clock


class Machine:
    """A machine with a clock that can be set, and a count of seconds that cannot."""

    def __init__(self) -> None:
        self.wall, self.count = float(Clock(f"{TODAY} 12:00")()), 1000.0
        self.clock = HallClock(lambda: self.wall, lambda: self.count)

    def wait(self, seconds: float) -> None:
        self.wall += seconds
        self.count += seconds


def test_the_halls_clock_follows_small_corrections(caplog: pytest.LogCaptureFixture) -> None:
    machine = Machine()
    noon = int(machine.wall)
    machine.wait(60)
    assert (machine.clock(), machine.clock.moved()) == (noon + 60, 0)
    machine.wall += MOST_MOVED
    assert (machine.clock(), machine.clock.moved()) == (noon + 60 + MOST_MOVED, 0)
    machine.wall -= 2 * MOST_MOVED
    assert (machine.clock(), machine.clock.moved()) == (noon + 60 - MOST_MOVED, 0)
    assert not caplog.records


@pytest.mark.parametrize("jump", [86_400, -86_400, 301, -301])
def test_the_halls_clock_goes_on_by_itself(caplog: pytest.LogCaptureFixture, jump: int) -> None:
    machine = Machine()
    noon = int(machine.wall)
    machine.wall += jump
    for second in range(3):
        assert (machine.clock(), machine.clock.moved()) == (noon + second, jump)
        machine.wait(1)
    assert [record.levelno for record in caplog.records] == [logging.ERROR], "it is said once"
    machine.wall -= jump
    assert (machine.clock(), machine.clock.moved()) == (noon + 3, 0)
    machine.wall += jump
    machine.clock()
    assert len(caplog.records) == 2


def test_seconds_that_nobody_can_set() -> None:
    before = elapsed()
    assert before <= elapsed() < before + 60
    assert abs(HallClock()() - time.time()) < 60


def test_a_clock_that_jumps_a_day_reveals_nothing(new_url: NewUrl) -> None:
    machine = Machine()
    with Server(new_url(), machine.clock) as server:  # type: ignore[arg-type]
        guest = server.guest()
        table_id = guest.open("lite-solo", kind="daily")
        machine.wall += 86_400
        assert [one["secret"] for one in guest.get("/api/daily") if one["day"] == TODAY] == [None] * 5
        assert info(guest, TODAY)["secret"] is None
        guest.post("/api/tables", 400, game="lite-solo", kind="archive", day=TODAY)
        with guest.sit(table_id) as tab:
            tab.play_on(Random(1))
            assert guest.run(tab)["ranked"]
        assert len(board(guest)["entries"]) == 1
        assert "dicehall_clock_moved_seconds 86400.0" in guest.ask("GET", "/metrics").text


def test_a_revealed_daily_is_over_whatever_the_clock_says(own_server: Server) -> None:
    """Somebody set the clock a day ahead, started the hall, and set it right again."""
    guest, other = own_server.guest(), own_server.guest()
    table_id = guest.open("lite-solo", kind="daily")
    own_server.clock.to(f"{TOMORROW} 12:00")
    secret = info(guest, TODAY)["secret"]
    assert secret is not None
    own_server.clock.to(f"{TODAY} 12:00")
    own_server.restart()
    assert other.post("/api/tables", 400, game="lite-solo", kind="daily")["code"] == "daily-revealed"
    with guest.sit(table_id) as tab:
        tab.play_on(Random(1))
        run = guest.run(tab)
    assert (run["ranked"], run["day"], run["record"]["dice"]["secret"]) == (False, None, secret)
    assert prove(from_json(run["record"])) > 0
    assert board(guest)["entries"] == board(guest, "best")["entries"] == []
    own_server.clock.to(f"{TOMORROW} 12:00")
    fresh = other.play("lite-solo", kind="daily")
    assert scores(board(other, day=TOMORROW)) == {other.id: fresh["score"]}


def test_who_finishes_after_midnight_reveals_the_day(own_server: Server) -> None:
    """A clock that was a little ahead at midnight goes back: the run that came out meanwhile tells the dice."""
    guest, other = own_server.guest(), own_server.guest()
    with guest.sit(guest.open("lite-solo", kind="daily")) as tab:
        own_server.clock.to(f"{TOMORROW} 00:00:10")
        tab.play_on(Random(1))
    own_server.clock.to(f"{TODAY} 23:59:50")
    assert other.post("/api/tables", 400, game="lite-solo", kind="daily")["code"] == "daily-revealed"
    assert other.get(f"/api/runs/{tab.shown['run']}/proof")["proved"]


def test_a_hall_that_has_seen_a_later_time_stays_closed(tmp_path: Path) -> None:
    data = tmp_path / "hall"
    engine = open_engine(default_url(data))
    migrate(engine)
    with engine.begin() as connection:
        beats.beat(connection, "clock", int(time.time()) + 86_400)
    ended = call("dicehall", "--port", "0", "--data", str(data))
    assert ended.returncode == 2
    assert ended.stdout == ""
    (line,) = ended.stderr.splitlines()
    assert "has seen" in line
    assert "--clock-is-right" in line
    with Process(data, "--clock-is-right") as server:
        assert server.ask("GET", "/api/health")[0] == 200
        for _ in range(200):
            with engine.connect() as connection:
                seen = beats.last(connection, "clock")
            assert seen is not None
            if seen < time.time() + 60:  # from now on it is the time that counts
                break
            time.sleep(0.05)
    with Process(data) as server:
        assert server.ask("GET", "/api/health")[0] == 200
    engine.dispose()


def test_how_much_later_a_time_a_hall_may_have_seen(new_url: NewUrl) -> None:
    engine, noon = open_engine(new_url()), Clock(f"{TODAY} 12:00")()
    migrate(engine)
    check_clock(engine, 0)  # nothing has been seen yet
    with engine.begin() as connection:
        beats.beat(connection, CLOCK, noon)
    for now in (noon + 86_400, noon, noon - MOST_MOVED):
        check_clock(engine, now)
    with pytest.raises(InvalidOption, match=rf"it is {TODAY} 11:54 UTC, but the hall has seen {TODAY} 12:00 UTC"):
        check_clock(engine, noon - MOST_MOVED - 1)
    engine.dispose()


# -- the public coach during a ranked run


def ask_coach(guest: Guest, view: Json, **changes: Any) -> Json:
    options = {**view["options"], **changes}
    told: Json = guest.post("/api/coach/advise", game=view["game"], options=options, state=view["state"])
    return told


@pytest.mark.parametrize("kind", ["ranked", "daily"])
@pytest.mark.parametrize("changes", [{}, {"target": 1}], ids=["alike", "another target"])
def test_who_asks_the_coach_elsewhere_plays_unranked(own_server: Server, kind: str, changes: Json) -> None:
    guest = own_server.guest()
    table_id = guest.open("lite-solo", kind=kind)
    with guest.sit(table_id) as tab:
        tab.play_on(Random(1), 1)
        assert ask_coach(guest, tab.shown["view"], **changes)["moves"]
        assert own_server.saved(table_id).unranked == ("coach",), "before the answer is given"
        assert tab.table()["unranked"] == ["coach"], "and the table says so"
        ask_coach(guest, tab.shown["view"])
        tab.play_on(Random(1))
        run = guest.run(tab)
    assert not run["ranked"]
    assert run["record"]["unranked"] == ["coach"]
    assert guest.get("/api/boards/lite-solo")["players"] == board(guest, "best")["players"] == 0


def test_a_table_that_nobody_watches_is_noticed_too(own_server: Server) -> None:
    guest = own_server.guest()
    table_id = guest.open("lite-solo")
    with guest.sit(table_id) as tab:
        tab.play_on(Random(1), 2)
        view = tab.shown["view"]
    ask_coach(guest, view)
    assert own_server.saved(table_id).unranked == ("coach",)
    other = guest.open("lite-solo")
    view = guest.get(f"/api/tables/{other}")["view"]
    own_server.restart()
    guest.get(f"/api/tables/{other}")
    ask_coach(guest, view)
    assert own_server.saved(other).unranked == ("coach",), "it has been sat down at since"


def test_nobody_can_spoil_a_strangers_run(own_server: Server) -> None:
    guest = own_server.guest()
    table_id = guest.open("lite-solo")
    stranger, neighbour = guest_from(own_server, ELSEWHERE), own_server.stranger()

    def spoiled() -> bool:
        return own_server.saved(table_id).unranked != ()

    with guest.sit(table_id) as tab:
        while tab.count < MANY_STEPS:
            for other in (stranger, neighbour):
                ask_coach(other, tab.shown["view"])
            tab.play_on(Random(1), 1)
        ask_coach(stranger, tab.shown["view"])
        assert not spoiled(), "another network, a position that many have"
        ask_coach(neighbour, tab.shown["view"])
        assert spoiled(), "the same network, and no chance"


def test_practice_puzzles_and_positions_left_behind_cost_nothing(own_server: Server) -> None:
    guest = own_server.guest()
    practice, ranked = guest.open("lite-solo", kind="practice"), guest.open("lite-solo")
    with guest.sit(practice) as tab:
        tab.play_on(Random(1), 3)
        ask_coach(guest, tab.shown["view"])
        assert tab.look()["unranked"] == []
    with guest.sit(ranked) as tab:
        tab.play_on(Random(1), 1)
        before = tab.shown["view"]
        tab.play_on(Random(1), 1)
        ask_coach(guest, before)
        assert tab.look()["unranked"] == []
        tab.play_on(Random(1))
        ask_coach(guest, before)
        assert guest.run(tab)["ranked"]


def test_positions_are_found_by_who_could_be_asking() -> None:
    known = Positions(most=2)
    here, there = position("farkle", "s"), position("farkle", "t")
    known.note("t1", "ada", "net", here, MANY_STEPS)
    known.note("t2", "bea", "net", here, MANY_STEPS - 1)

    def found(where: str, player: str | None, network: str) -> list[str]:
        return [place.table_id for place in known.standing_at(where, player, network)]

    assert found(here, "ada", "") == ["t1"]
    assert found(here, "bea", "net") == ["t1", "t2"]
    assert found(here, None, "net") == ["t1"]
    assert found(here, None, "other") == found(here, "eve", "") == found(there, "ada", "net") == []
    known.note("t1", "ada", "", there, MANY_STEPS + 2)
    assert found(here, "ada", "net") == []
    assert found(there, None, "net") == ["t1"], "the network is remembered"
    known.note("t3", "ada", "net", here, 1)
    assert found(here, "bea", "") == [], "of too many, the one that stood still for longest is forgotten"
    assert known.forget("t1") == Place("t1", "ada", "net", there, MANY_STEPS + 2)
    assert known.forget("t1") is None
    known.forget("t3")
    assert known._tables == {}


def test_a_hint_at_another_table_in_the_same_position_is_noticed(server: Server) -> None:
    """A practice table with chosen dice stands where the ranked one does: to ask there is to ask about both."""
    guest = server.guest()
    ranked = guest.open("lite-solo")
    with guest.sit(ranked) as tab:
        state = tab.shown["view"]["state"]
        for seed in range(200):
            other = guest.post("/api/tables", 201, game="lite-solo", kind="practice", seed=f"s{seed}")
            if other["view"]["state"] == state:
                break
        with guest.sit(other["id"]) as practice:
            practice.send(type="hint", seen=practice.count)
            assert practice.table()["unranked"] == ["hint"]
        assert tab.look()["unranked"] == ["coach"]


def test_a_question_that_could_not_be_noted_is_not_answered(
    own_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither elsewhere nor at the table: or whoever asks while the disk is full plays on for the boards."""
    guest, save = own_server.guest(), tables.save
    table_id = guest.open("lite-solo")

    def fail(*_: Any) -> None:
        raise OperationalError("UPDATE", {}, Exception("the disk is full"))

    with guest.sit(table_id) as tab:
        tab.play_on(Random(1), 1)
        view = tab.shown["view"]
        monkeypatch.setattr(tables, "save", fail)
        asked = {"game": view["game"], "options": view["options"], "state": view["state"]}
        assert guest.post("/api/coach/advise", 400, **asked)["code"] == "not-kept"
        assert tab.look()["unranked"] == []
        tab.send(type="hint", seen=tab.count)
        assert tab.refusal() == "not-kept"
        shown = tab.table()
        assert (shown["hint"], shown["unranked"]) == (None, [])
        assert own_server.saved(table_id).unranked == ()
        monkeypatch.setattr(tables, "save", save)
        assert ask_coach(guest, view)["moves"]
        assert own_server.saved(table_id).unranked == ("coach",)
