"""Boards against a plain model: whoever is best leads, equals share a rank, everybody is counted once."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine, func, select, update

from dicehall.store import boards, players
from dicehall.store.boards import Cursor, Entry
from dicehall.store.engine import migrate, open_engine
from dicehall.store.schema import standings, tallies
from tests.soak import times

PERIODS = ("all", "2026-01")
DAY = 86_400


class Best(NamedTuple):
    score: int
    reached_at: int
    run_id: str
    took: int


@dataclass
class Model:
    """A board as one would keep it on paper."""

    lower_is_better: bool
    best: dict[str, Best] = field(default_factory=dict)
    runs: Counter[str] = field(default_factory=Counter)
    since: dict[str, int] = field(default_factory=dict)  # when the accounts were made

    def better(self, one: int, other: int) -> bool:
        return one < other if self.lower_is_better else one > other

    def enter(self, player_id: str, score: int, run_id: str, now: int) -> bool:
        self.runs[player_id] += 1
        if player_id in self.best and not self.better(score, self.best[player_id].score):
            return False
        self.best[player_id] = Best(score, now, run_id, self.runs[player_id])
        return True

    def forget(self, player_id: str) -> None:
        self.best.pop(player_id, None)
        self.runs.pop(player_id, None)

    def rank(self, player_id: str) -> int:
        score = self.best[player_id].score
        return 1 + sum(self.better(other.score, score) for other in self.best.values())

    def entries(self) -> list[Entry]:
        def place(item: tuple[str, Best]) -> tuple[int, int, str]:
            return self.rank(item[0]), item[1].reached_at, item[0]

        return [
            Entry(
                self.rank(player_id), player_id, "", best.score, best.run_id, best.reached_at,
                self.runs[player_id], best.took, best.reached_at - self.since[player_id] < DAY,
            )
            for player_id, best in sorted(self.best.items(), key=place)
        ]  # fmt: skip


def whole_board(connection: Connection, board: str, period: str, lower: bool, limit: int) -> list[Entry]:
    entries: list[Entry] = []
    cursor: Cursor | None = None
    while True:
        page, cursor = boards.page(connection, board, period, lower, limit, cursor)
        assert len(page) <= limit
        entries += page
        if cursor is None:
            return entries
        assert len(page) == limit


def check_tallies(connection: Connection) -> None:
    counted = select(standings.c.board, standings.c.period, standings.c.value, func.count())
    grouped = counted.group_by(standings.c.board, standings.c.period, standings.c.value)
    assert set(connection.execute(grouped).all()) == set(connection.execute(select(tallies)).all())


class Act(NamedTuple):
    who: int
    period: str
    score: int | None  # None: the player goes
    seconds: int


ACTS = st.lists(
    st.builds(
        Act,
        st.integers(0, 7),
        st.sampled_from(PERIODS),
        st.one_of(st.none(), *[st.integers(-2, 4)] * 6),
        st.sampled_from((0, 1, DAY // 2)),
    ),
    max_size=40,
)


@settings(
    max_examples=times(60, 1000),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(ACTS, st.booleans(), st.integers(1, 9))
def test_a_board_is_what_the_model_says(engine: Engine, acts: list[Act], lower: bool, limit: int) -> None:
    with engine.connect() as connection:
        models = {period: Model(lower) for period in PERIODS}
        present: dict[int, str] = {}
        now = 0
        for number, act in enumerate(acts):
            now += act.seconds
            if act.score is None:
                if act.who in present:
                    gone = present.pop(act.who)
                    players.delete(connection, gone)
                    for model in models.values():
                        model.forget(gone)
                continue
            if act.who not in present:
                present[act.who] = players.create(connection, now)[0]
                for model in models.values():
                    model.since[present[act.who]] = now
            key = (present[act.who], act.score)
            entered = boards.enter(connection, "b", act.period, *key, lower, f"r{number}", now)
            assert entered == models[act.period].enter(*key, f"r{number}", now)
        for period, model in models.items():
            expected = model.entries()
            assert whole_board(connection, "b", period, lower, limit) == expected
            assert boards.size(connection, "b", period) == len(expected)
            mine = {
                player_id: boards.standing(connection, "b", period, lower, player_id) for player_id in present.values()
            }
            found = {entry.player_id: entry for entry in expected}
            assert mine == {player_id: found.get(player_id) for player_id in present.values()}
        check_tallies(connection)
        connection.rollback()


@pytest.mark.parametrize("lower", [False, True])
def test_many_players_share_few_scores(connection: Connection, lower: bool) -> None:
    model = Model(lower)
    for number in range(300):
        player_id, _ = players.create(connection, number)
        score = number * 7 % 11 - 5
        assert boards.enter(connection, "b", "all", player_id, score, lower, f"r{number}", number // 3)
        model.enter(player_id, score, f"r{number}", number // 3)
        model.since[player_id] = number
    expected = model.entries()
    for limit in (9, 100, 300, 1000):
        assert whole_board(connection, "b", "all", lower, limit) == expected
    for entry in expected[::17]:
        assert boards.standing(connection, "b", "all", lower, entry.player_id) == entry


def test_a_better_score_moves_up_and_an_equal_one_stays(connection: Connection) -> None:
    ada, _ = players.create(connection, 1)
    bea, _ = players.create(connection, 1)
    players.rename(connection, ada, "Ada")
    players.rename(connection, bea, "Bea")
    assert boards.enter(connection, "b", "all", ada, 80, False, "r1", 10)
    assert boards.enter(connection, "b", "all", bea, 80, False, "r2", 11)
    assert not boards.enter(connection, "b", "all", ada, 80, False, "r3", 12)
    assert not boards.enter(connection, "b", "all", ada, 70, False, "r4", 13)
    shared = [Entry(1, ada, "Ada", 80, "r1", 10, 3, 1, True), Entry(1, bea, "Bea", 80, "r2", 11, 1, 1, True)]
    assert boards.page(connection, "b", "all", False, 2, None) == (shared, None)
    assert boards.page(connection, "b", "all", False, 1, None) == (shared[:1], (-80, 10, ada))
    assert boards.page(connection, "b", "all", False, 1, (-80, 10, ada)) == (shared[1:], None)
    assert boards.enter(connection, "b", "all", bea, 81, False, "r5", DAY + 1)
    assert boards.standing(connection, "b", "all", False, bea) == Entry(1, bea, "Bea", 81, "r5", DAY + 1, 2, 2, False)
    assert boards.standing(connection, "b", "all", False, ada) == Entry(2, ada, "Ada", 80, "r1", 10, 3, 1, True)


def test_runs_from_before_they_were_counted_stay_unknown(connection: Connection) -> None:
    ada, _ = players.create(connection, 1)
    boards.enter(connection, "b", "all", ada, 80, False, "r1", 10)
    connection.execute(update(standings).values(runs=None, took=None))
    for score, run_id in ((70, "r2"), (90, "r3")):
        boards.enter(connection, "b", "all", ada, score, False, run_id, 11)
        mine = boards.standing(connection, "b", "all", False, ada)
        assert mine is not None
        assert (mine.runs, mine.took) == (None, None)
        assert mine.run_id == ("r1" if score < 80 else "r3")


@pytest.mark.parametrize("together", [False, True], ids=["one by one", "several at once"])
def test_two_processes_enter_the_same_board(fresh_url: str, together: bool) -> None:
    """Every run counts once, the tallies agree with the standings, and nobody waits for somebody who waits for them,
    however they come in between each other."""
    engines = [open_engine(fresh_url) for _ in range(2)]
    migrate(engines[0])
    with engines[0].begin() as connection:
        guests = [players.create(connection, 1)[0] for _ in range(3)]
    rounds = times(40, 400)

    def play(engine: Engine, seed: int) -> None:
        random = Random(seed)
        for number in range(rounds):
            with engine.begin() as connection:
                if together:
                    boards.take_turn(connection)
                for guest in random.sample(guests, 2 if together else 1):
                    score = random.randrange(6 + number)
                    boards.enter(connection, "b", "all", guest, score, False, f"{seed}/{number}", number)

    with ThreadPoolExecutor(4) as threads:
        for one in [threads.submit(play, engines[seed % 2], seed) for seed in range(4)]:
            one.result()
    with engines[0].connect() as connection:
        check_tallies(connection)
        assert connection.scalar(select(func.sum(standings.c.runs))) == 4 * rounds * (2 if together else 1)
    for engine in engines:
        engine.dispose()


def test_an_empty_board(connection: Connection) -> None:
    assert boards.page(connection, "b", "all", True, 10, None) == ([], None)
    assert boards.page(connection, "b", "all", True, 10, (5, 5, "p")) == ([], None)
    assert boards.standing(connection, "b", "all", True, "p") is None
    assert boards.size(connection, "b", "all") == 0
    assert boards.boards(connection, "farkle", 9) == []


def test_a_games_boards_with_their_players(connection: Connection) -> None:
    for number in range(5):
        player_id, _ = players.create(connection, 1)
        for board, period in [
            ("farkle/standard", "all"),
            ("farkle/standard", "2026-01"),
            ("farkle/target=2000", "all") if number < 2 else ("farkle/ä", "2026-01"),
            ("farkle2/standard", "all"),
            ("farkle", "all"),
            ("daily/2026-01-01/farkle/standard/first", "all"),
            ("Farkle/standard", "all"),
        ]:
            boards.enter(connection, board, period, player_id, number, False, "r", 1)
    assert boards.boards(connection, "farkle", 9) == [("farkle/standard", 5), ("farkle/target=2000", 2)]
    assert boards.boards(connection, "farkle2", 9) == [("farkle2/standard", 5)]
    assert boards.boards(connection, "knucklebones", 9) == []
    assert boards.boards(connection, "farkle", 1) == [("farkle/standard", 5)], "the one with the most players"
