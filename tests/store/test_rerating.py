"""A game is taken back: ratings are as if it had not been rated, and nobody else's change."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, select

from dicehall.errors import InvalidOption
from dicehall.people.glicko import DAY_MS, POOLS, Rating, newcomer, periods_of, rate_game
from dicehall.store import players, ratings, rerating, runs, schema
from dicehall.store.ratings import Game
from dicehall.store.runs import Played
from tests.soak import times
from tests.store.rows import run

POOL = "farkle"
NETWORKS = ("here", "there")


def play(
    connection: Connection, number: int, two: tuple[str, str], halves: int, ended_ms: int, pool: str = POOL
) -> str:
    """The game with that number is over, with so many halves for the first of them."""
    run_id = f"run {number:03}"
    people = tuple(Played(player, seat, 0) for seat, player in enumerate(two))
    runs.insert(connection, run("", id=run_id, people=people, game=pool, finished_at=ended_ms // 1000))
    game = Game(run_id, pool, pool, two, (halves, 2 - halves), NETWORKS, (9, 9), False, None, ended_ms)
    assert ratings.note(connection, game, rated=True, watched=True) is None
    return run_id


def season(connection: Connection, random: Random, games: int) -> tuple[list[str], list[Game]]:
    """Several who play in two pools for some days; two games end in the same second now and then."""
    people = [players.create(connection, 1)[0] for _ in range(5)]
    played, now_ms = [], 0
    for number in range(games):
        one, other = random.sample(people, 2)
        pool, halves = random.choice([POOL, POOL, "knucklebones"]), random.choice([0, 1, 2, 2])
        now_ms += random.choice([1000, 60_000, DAY_MS])
        run_id = play(connection, number, (one, other), halves, now_ms, pool)
        played.append(
            Game(run_id, pool, pool, (one, other), (halves, 2 - halves), NETWORKS, (9, 9), False, None, now_ms)
        )
    return people, played


def expected(games: Sequence[Game], pool: str) -> dict[str, tuple[Rating, int]]:
    """The ratings of whoever has played there, with how many games."""
    known: dict[str, tuple[Rating, int, int]] = {}
    for game in games:
        if game.pool != pool:
            continue
        fresh = (newcomer(POOLS[pool]), 0, game.ended_ms)
        before = [known.get(one, fresh) for one in game.players]
        away = [periods_of(game.ended_ms - one[2]) for one in before]
        after = rate_game(before[0][0], before[1][0], game.halves[0] / 2, (away[0], away[1]), POOLS[pool])
        for one, was, now in zip(game.players, before, after, strict=True):
            known[one] = now, was[1] + 1, game.ended_ms
    return {one: (rating, count) for one, (rating, count, _) in known.items()}


def kept(connection: Connection, people: Sequence[str], pool: str) -> dict[str, tuple[Rating, int]]:
    found = [one for player in people for one in ratings.of(connection, player) if one.pool == pool]
    return {one.player_id: (one.rating, one.games) for one in found}


def meetings(connection: Connection) -> dict[tuple[str, str], Any]:
    return {(row.run_id, row.player_id): row for row in connection.execute(select(schema.meetings))}


@pytest.mark.parametrize("seed", range(times(4, 100)))
def test_it_is_as_if_the_game_had_not_been_rated(connection: Connection, seed: int) -> None:
    random = Random(seed)
    people, games = season(connection, random, 25)
    for _ in range(2):
        gone = games.pop(random.randrange(len(games)))
        before = meetings(connection)
        changed = rerating.take_back(connection, gone.run_id)
        assert set(gone.players) <= set(changed)
        for pool in (POOL, "knucklebones"):
            assert kept(connection, people, pool) == expected(games, pool)
        now = meetings(connection)
        for player in gone.players:
            mine = now[gone.run_id, player]
            assert (mine.why_not, mine.before, mine.after, mine.deviation) == ("taken-back", None, None, None)
        for key, row in before.items():
            if key[1] not in changed or row.game != gone.pool or row.ended_ms < gone.ended_ms:
                assert key[0] == gone.run_id or now[key] == row, "it does not follow from that game"
        with pytest.raises(InvalidOption, match="taken-back"):
            rerating.take_back(connection, gone.run_id)


def test_the_last_game_leaves_no_rating(connection: Connection) -> None:
    two = players.create(connection, 1)[0], players.create(connection, 1)[0]
    run_id = play(connection, 1, two, 2, 5000)
    assert rerating.take_back(connection, run_id) == sorted(two)
    assert kept(connection, two, POOL) == {}
    assert [(one.games, one.mine) for one in ratings.between(connection, *two)] == [(1, 2)], (
        "it has been played all the same"
    )
    with pytest.raises(InvalidOption, match="no game of two people"):
        rerating.take_back(connection, "no such run")


def test_with_somebody_who_has_gone_as_many_points_as_before(connection: Connection) -> None:
    ada, bea, cleo = (players.create(connection, 1)[0] for _ in range(3))
    first = play(connection, 1, (ada, bea), 2, 5000)
    play(connection, 2, (cleo, ada), 2, 6000)
    then = kept(connection, [ada], POOL)[ada][0]
    at_first = meetings(connection)[first, ada]
    players.delete(connection, cleo)
    rerating.take_back(connection, first)
    (rating, games) = kept(connection, [ada], POOL)[ada]
    assert games == 1
    assert rating.value == pytest.approx(then.value - (at_first.after - at_first.before))
    assert rating.deviation == then.deviation


def test_where_the_volatility_was_not_kept_it_is_a_newcomers(connection: Connection) -> None:
    ada, bea, cleo = (players.create(connection, 1)[0] for _ in range(3))
    play(connection, 1, (ada, bea), 2, 5000)
    gone = play(connection, 2, (bea, cleo), 2, 6000)
    play(connection, 3, (ada, bea), 1, 7000)
    connection.execute(schema.meetings.update().values(volatility=None))  # as before migration 0008
    rerating.take_back(connection, gone)
    for player in (ada, bea):
        assert kept(connection, [player], POOL)[player][0].volatility == pytest.approx(0.06, abs=1e-4)
