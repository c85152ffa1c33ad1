"""The end of a day: a daily is revealed once, without looking at runs, whatever happens to the machine's clock."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import Engine, event, insert, select

from dicehall.errors import InvalidOption
from dicehall.play.record import from_json
from dicehall.play.replay import prove
from dicehall.server.clock import MOST_MOVED, HallClock, elapsed
from dicehall.server.dailies import CLOCK, check_clock
from dicehall.store import beats, daily, schema
from dicehall.store.engine import default_url, migrate, open_engine
from tests.faults.hall import Server as Process
from tests.processes import call
from tests.server.conftest import NewUrl
from tests.server.running import Clock, Server
from tests.server.test_daily import TODAY, TOMORROW, board, info, revealed_proof, scores

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
