"""Ratings and skill: what is kept of games of two people, and who is told of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import Connection, select, update

from dicehall.people.glicko import BOARD, DAY_MS, aged, periods_of
from dicehall.people.skill import FEWEST_RUNS, Run, skill
from dicehall.store import players, ratings, runs, schema, skills
from dicehall.store.ratings import Between, Game
from tests.store.rows import run

NOON = 1_000 * DAY_MS
POOL = "knucklebones"


@pytest.fixture
def two(connection: Connection) -> tuple[str, str]:
    ada, bea = (players.create(connection, 1)[0] for _ in range(2))
    players.rename(connection, ada, "Ada")
    players.rename(connection, bea, "Bea")
    return ada, bea


def meet(
    connection: Connection,
    two: tuple[str, str],
    number: int,
    rated: bool = True,
    watched: bool = True,
    **changes: object,
) -> str:
    """A game that the first of the two wins, on a day of its own."""
    game = Game(
        run_id=f"run {number}", game=POOL, pool=POOL, players=two, halves=(2, 0), networks=("here", "there"),
        moves=(9, 9), ended=False, gone=None, ended_ms=NOON + number * DAY_MS,
    )  # fmt: skip
    played = replace(game, **changes)  # type: ignore[arg-type]
    people = tuple(runs.Played(one, seat, 9) for seat, one in enumerate(played.players))
    runs.insert(connection, run(two[0], id=played.run_id, people=people, game=played.game, ranked=False))
    ratings.note(connection, played, rated, watched)
    return played.run_id


def judge(connection: Connection, run_id: str, told: dict[str, Run | None]) -> None:
    skills.keep(connection, run_id, told)


def test_on_the_board_are_those_of_whom_enough_is_known_by_now(connection: Connection, two: tuple[str, str]) -> None:
    for number in range(40):
        meet(connection, two, number, halves=(2, 0) if number % 2 else (0, 2))
    _, bea = two
    last = NOON + 39 * DAY_MS
    listed = ratings.board(connection, POOL, last, 10)
    assert {name for _, name in listed} == {"Ada", "Bea"}
    values = [one.rating.value for one, _ in listed]
    assert values == sorted(values, reverse=True)
    assert [ratings.better(connection, POOL, last, value) for value in values] == [0, 1]
    assert ratings.board(connection, "farkle", last, 10) == []
    assert [name for _, name in ratings.board(connection, POOL, last, 1)] == [listed[0][1]]
    assert ratings.board(connection, POOL, last - 10 * DAY_MS, 10) == listed, "a clock that went back makes nobody sure"
    rating = listed[0][0].rating
    days = next(n for n in range(2000) if aged(rating, periods_of(n * DAY_MS)).deviation >= BOARD)
    on = [ratings.better(connection, POOL, last + n * DAY_MS, rating.value - 1) for n in (days - 1, days)]
    assert on == [1, 0], "who does not play for months is off the board by itself"
    connection.execute(update(schema.players).where(schema.players.c.id == bea).values(barred=players.HIDDEN))
    assert [name for _, name in ratings.board(connection, POOL, last, 10)] == ["Ada"]
    assert ratings.better(connection, POOL, last, min(values) - 1) == 1


def test_what_two_have_made_of_each_other(connection: Connection, two: tuple[str, str]) -> None:
    ada, bea = two
    meet(connection, two, 1)
    meet(connection, two, 2, halves=(1, 1), rated=False, pool=None)
    meet(connection, two, 3, halves=(0, 0), ended=True)
    meet(connection, two, 4, halves=(0, 2), game="farkle", pool="farkle")
    assert ratings.between(connection, ada, bea) == [Between("farkle", 1, 0, 2), Between(POOL, 2, 3, 1)]
    assert ratings.between(connection, bea, ada) == [Between("farkle", 1, 2, 0), Between(POOL, 2, 1, 3)]
    assert ratings.between(connection, ada, "nobody") == []


def test_of_a_private_game_only_the_two_are_told(connection: Connection, two: tuple[str, str]) -> None:
    ada, bea = two
    cleo = players.create(connection, 1)[0]
    meet(connection, two, 1)
    meet(connection, two, 2, watched=False)
    meet(connection, (ada, cleo), 3, watched=False)
    meet(connection, two, 4, rated=False)

    def told(player_id: str, shown_to: str | None) -> list[str]:
        return [one.run_id for one in ratings.recent(connection, player_id, shown_to, 10)]

    assert told(ada, ada) == ["run 4", "run 3", "run 2", "run 1"]
    assert told(ada, bea) == ["run 4", "run 2", "run 1"]
    assert told(ada, None) == told(ada, "nobody") == told(bea, cleo) == ["run 4", "run 1"]
    assert [one.run_id for one in ratings.recent(connection, ada, ada, 2)] == ["run 4", "run 3"]
    newest, *_, first = ratings.recent(connection, ada, None, 10)
    assert (newest.why_not, newest.before, first.why_not, first.before) == ("unrated", None, None, 1500)
    assert (first.other_id, first.other, first.halves) == (bea, "Bea", 2)
    players.delete(connection, cleo)
    connection.execute(update(schema.players).where(schema.players.c.id == bea).values(barred=players.BANNED))
    assert {one.other for one in ratings.recent(connection, ada, ada, 10)} == {None}, "gone, or not to be shown"


def test_the_coach_is_asked_for_each_rated_game_once(connection: Connection, two: tuple[str, str]) -> None:
    ada, bea = two
    for number in (3, 1, 2):
        meet(connection, two, number)
    meet(connection, two, 4, rated=False)
    found = skills.waiting(connection, 10)
    assert [one.run_id for one in found] == ["run 1", "run 2", "run 3"]
    assert all(one.seats == {ada: 0, bea: 1} for one in found)
    assert found[0].record == {"format": 1}
    assert [one.run_id for one in skills.waiting(connection, 2)] == ["run 1", "run 2"]
    assert [one.run_id for one in skills.waiting(connection, 2, frozenset(["run 1"]))] == ["run 2", "run 3"]
    judge(connection, "run 1", {ada: Run(9, 0.2, 0.02), bea: None})
    judge(connection, "run 2", {})
    assert [one.run_id for one in skills.waiting(connection, 10)] == ["run 3"]
    assert skills.unseen(connection, ada) == skills.unseen(connection, bea) == {POOL: 1}
    assert skills.of(connection, bea) == {}, "of what can never be told nothing follows"
    assert skills.of(connection, ada)[POOL].runs == 1
    players.delete(connection, bea)
    assert skills.waiting(connection, 10)[0].seats == {ada: 0}


def test_skill_follows_from_the_newest_games(connection: Connection, two: tuple[str, str]) -> None:
    ada, bea = two
    told = [Run(12, 0.02 * number, 0.0004 * number) for number in range(FEWEST_RUNS)]
    for number, mine in enumerate(told):
        judge(connection, meet(connection, two, number), {ada: mine, bea: Run(0, 0.0, 0.0)})
        kept, expected = skills.of(connection, ada)[POOL], skill(POOL, told[number::-1])
        assert expected is not None
        assert [getattr(kept, name) for name in skills.KEPT] == [getattr(expected, name) for name in skills.KEPT]
        assert bool(skills.board(connection, POOL, 10)) is not kept.provisional
    assert skills.newest(connection, ada, POOL, 2) == [
        (NOON + number * DAY_MS, told[number]) for number in (FEWEST_RUNS - 1, FEWEST_RUNS - 2)
    ]
    assert skills.of(connection, bea) == {}, "there was nothing to decide"
    assert [(one.player_id, name) for one, name in skills.board(connection, POOL, 10)] == [(ada, "Ada")]
    value = skills.of(connection, ada)[POOL].value
    assert [skills.better(connection, POOL, value - more) for more in (0, 1)] == [0, 1]
    connection.execute(update(schema.meetings).values(why_not="ended"))
    skills.work_out(connection, ada, POOL)
    assert skills.of(connection, ada) == {}, "a game that counts no more is none"
    connection.execute(update(schema.meetings).values(why_not=None))
    skills.work_out(connection, ada, POOL)
    connection.execute(update(schema.players).where(schema.players.c.id == ada).values(barred=players.HIDDEN))
    assert skills.board(connection, POOL, 10) == []
    assert skills.better(connection, POOL, value - 1) == 0


def test_who_has_gone_is_not_judged(connection: Connection, two: tuple[str, str]) -> None:
    ada, bea = two
    run_id = meet(connection, two, 1)
    players.delete(connection, bea)
    judge(connection, run_id, {ada: Run(9, 0.2, 0.02), bea: Run(9, 0.2, 0.02)})
    assert connection.scalars(select(schema.skills.c.player_id)).all() == [ada]
    exported = players.export(connection, ada)
    assert [one["pool"] for one in exported["skills"]] == [POOL]
    assert [(one["choices"], one["lost"]) for one in exported["meetings"]] == [(9, 0.2)]
    players.delete(connection, ada)
    assert connection.scalars(select(schema.skills.c.player_id)).all() == []
