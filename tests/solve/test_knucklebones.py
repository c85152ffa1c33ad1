"""Classic Knucklebones with one and two columns, solved, beside slow and obvious ways to the same numbers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, product
from random import Random
from typing import Any

import numpy as np
import pytest

from dicehall.coach.knucklebones.pairs import NO_PAIR, index, pairs, span
from dicehall.coach.knucklebones.table import ONE, WIN_ALONE, WIN_DRAW_HALF
from dicehall.rules import knucklebones as rules
from dicehall.rules.game import DICE, NOBODY
from dicehall.solve.knucklebones.cpu import Sweeps, solve
from dicehall.solve.knucklebones.file import LONGEST
from dicehall.solve.knucklebones.length import Lengths
from tests.soak import times

Columns = tuple[tuple[int, ...], ...]
Position = tuple[Columns, Columns]  # of the seat that rolls next, and of the other

COLUMNS = [dice for count in range(4) for dice in combinations_with_replacement(range(1, 7), count)]
# what a draw is worth to the seat that rolls next and to the other one
DRAWS = {WIN_DRAW_HALF: [(0.5, 0.5)], WIN_ALONE: [(0.0, 1.0), (1.0, 0.0)]}


def ended(mine: Columns, theirs: Columns, draw: float) -> float:
    """What it is worth to the seat whose columns are `mine`."""

    def score(columns: Columns) -> int:
        return sum(face * column.count(face) ** 2 for column in columns for face in set(column))

    lead = score(mine) - score(theirs)
    return 1.0 if lead > 0 else 0.0 if lead < 0 else draw


def placed(mine: Columns, theirs: Columns, die: int) -> Iterator[Position]:
    """All that the seat can make of a die: its own columns first."""
    for at, column in enumerate(mine):
        if len(column) < 3:
            grown = tuple(sorted((*column, die)))
            left = tuple(other for other in theirs[at] if other != die)
            yield (*mine[:at], grown, *mine[at + 1 :]), (*theirs[:at], left, *theirs[at + 1 :])


def is_full(columns: Columns) -> bool:
    return all(len(column) == 3 for column in columns)


def twin(draws: list[tuple[float, float]]) -> list[dict[Position, float]]:
    """One column, position by position, until nothing changes: as one would write it down. For each seat that may roll
    next, if a draw is not worth the same to both."""
    apart = [((a,), (b,)) for a, b in product(COLUMNS, COLUMNS) if not set(a) & set(b)]
    positions: list[Position] = [(mine, theirs) for mine, theirs in apart if not is_full(mine)]
    values = [dict.fromkeys(positions, 0.5) for _ in draws]
    change = 1.0
    while change > 1e-9:
        change = 0.0
        for (draw, _), value, reply in zip(draws, values, reversed(values), strict=True):
            for mine, theirs in positions:
                found = ended(mine, theirs, draw) if is_full(theirs) else 0.0
                if not is_full(theirs):
                    for die in range(1, 7):
                        found += max(
                            ended(grown, left, draw) if is_full(grown) else 1 - reply[left, grown]
                            for grown, left in placed(mine, theirs, die)
                        )
                    found /= 6
                change = max(change, abs(found - value[mine, theirs]))
                value[mine, theirs] = found
    return values


@cache
def solved(columns: int, objective: str = WIN_DRAW_HALF) -> Sweeps:
    return solve(columns, objective)


def test_there_are_as_many_positions_as_were_counted() -> None:
    assert len(pairs().known) == NO_PAIR == 3067
    assert [span(columns)[1] for columns in (1, 2, 3)] == [3067, 3067 * 3068 // 2, 4_812_987_894]


@pytest.mark.parametrize("objective", DRAWS)
def test_one_column_is_worth_what_the_twin_says_in_every_position(objective: str) -> None:
    for table, values in enumerate(twin(DRAWS[objective])):
        for (mine, theirs), value in values.items():
            wrong_by = abs(solved(1, objective).value(mine, theirs, table) - value)
            assert wrong_by <= LONGEST[1] * solved(1, objective).off() / ONE, (mine, theirs)


@pytest.mark.parametrize("objective", DRAWS)
def test_values_of_two_columns_follow_from_their_neighbours(objective: str) -> None:
    """By whole squares of numbers, pair by pair, which has nothing in common with how they were found: no value is
    further from the mean of the best replies than the solver says."""
    known, work = pairs(), solved(2, objective)
    every = np.arange(NO_PAIR)
    low, high = np.minimum.outer(every, every), np.maximum.outer(every, every)
    places = low + high * (high + 1) // 2  # of a position, whichever of its two pairs is named first
    mine = np.array([len(own) for own, _ in known.known])
    theirs = np.array([len(others) for _, others in known.known])
    turned, lead = np.array(known.turned[:NO_PAIR]), np.array(known.lead[:NO_PAIR])
    some = np.sort(np.random.default_rng(3).permutation(every)[: times(200, NO_PAIR)])
    for table, (draw, _) in enumerate(DRAWS[objective]):
        ends = np.array([0, round(draw * ONE), ONE])[np.sign(np.add.outer(lead, lead)) + 1]
        over = np.add.outer(mine, mine) == 6  # as the seat sees it that has just moved
        left = np.where(over, ends, ONE - work.tables[-1 - table].astype(int)[places])  # to that seat
        total: Any = 0
        for die in range(6):
            after = np.array([moves[die] for moves in known.after[:NO_PAIR]])
            first = np.where((after[some] >= 0)[:, None], left[after[some]], -1)  # where there is no room: never
            second = np.where(after >= 0, left[np.ix_(some, after)], -1)
            total += np.maximum(first, second)
        found = work.tables[table].astype(int)[places[np.ix_(turned[some], turned)]]
        to_roll = np.add.outer(mine, mine)[some] < 6
        finished = to_roll & (np.add.outer(theirs, theirs)[some] == 6)
        assert np.abs(total - 6 * found)[to_roll & ~finished].max() <= 6 * work.off() < 9
        assert (ends[some] == found)[finished].all()


def test_two_columns_played_by_their_values_are_won_as_often_as_they_say() -> None:
    """By the rules of the hall, whose third column is full on both sides from the start, and worth the same."""
    work, rng, games = solved(2), Random(5), times(500, 20000)
    full = (1, 1, 1), (2, 3, 4)
    start = rules.State(rules.Options(), (((), (), full[0]), ((), (), full[1])))
    assert rules.score_column(full[0]) == rules.score_column(full[1])
    won = 0.0
    for _ in range(games):
        state = start
        while (who := rules.actor(state)) != NOBODY:
            if who == DICE:
                state = rules.rolled(state, (rng.randint(1, 6),))
                continue
            state = min((rules.after(state, move) for move in rules.legal(state)), key=lambda after: reply(work, after))
        ranks = rules.score_grid(state.grids[0]) - rules.score_grid(state.grids[1])
        won += 1.0 if ranks > 0 else 0.5 if ranks == 0 else 0.0
    value = work.value([(), ()], [(), ()])
    assert abs(won / games - value) < 4 * 0.5 / games**0.5


def reply(work: Sweeps, state: rules.State) -> float:
    """What the seat that rolls next may expect."""
    mine, theirs = state.grids[state.seat], state.grids[1 - state.seat]
    if rules.actor(state) == NOBODY:
        lead = rules.score_grid(mine) - rules.score_grid(theirs)
        return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    return work.value(mine[:2], theirs[:2])


def test_who_wants_to_win_alone_wins_less_often_than_who_is_content_with_a_draw() -> None:
    for columns in (1, 2):
        start = [()] * columns, [()] * columns
        alone, content = (solved(columns, WIN_ALONE).value(*start, table) for table in (0, 1))
        assert alone < solved(columns).value(*start) < content


def test_the_order_of_columns_and_dice_changes_nothing() -> None:
    two = solved(2)
    assert two.value([(1, 2), (6,)], [(5, 3), ()]) == two.value([(6,), (2, 1)], [(), (3, 5)])


@pytest.mark.parametrize("columns", [1, 2])
def test_no_game_takes_longer_than_the_bound_on_errors_says(columns: int) -> None:
    work = Lengths(columns)
    work.certain()
    while work.sweep() > work.settled:
        pass
    assert LONGEST[columns] - 0.05 < work.longest() <= LONGEST[columns]


def test_a_collection_of_pairs_has_one_place() -> None:
    assert index(3, 1, 2) == index(1, 2, 3) == 1 + 3 + 10
