"""The network that judges positions of classic Knucklebones: against its own definition, the rules and exact values."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import pytest

from dicehall.coach.book import packaged_book
from dicehall.coach.knucklebones import network
from dicehall.coach.knucklebones.network import ONE, WHOLE, ahead, left
from dicehall.coach.knucklebones.pairs import pairs
from dicehall.coach.knucklebones.values import ended, placed, win
from dicehall.rules.catalog import KNUCKLEBONES as GAME
from dicehall.rules.game import DICE, NOBODY
from dicehall.rules.knucklebones import State
from tests.soak import times

# Drawn at random from what perfect players come to: a position before a roll, its exact value, and what the network
# says of it with no die, one and two ahead, as a GPU found both from all positions.
EXACT = json.loads((Path(__file__).parent / "exact.json").read_text())


def positions(seed: str, games: int) -> Iterator[State]:
    """Before a roll, in games played by chance."""
    random = Random(seed)
    for _ in range(games):
        state: Any = GAME.begin({}, 2)
        while GAME.rules.actor(state) != NOBODY:
            if GAME.rules.actor(state) == DICE:
                yield state
                state = GAME.roll(state, (random.randint(1, 6),))
            else:
                state = GAME.apply(state, random.choice(GAME.rules.legal(state)))


def waiting(state: State) -> tuple[int, int, int]:
    """The pairs of a position, seen by the seat that has just moved."""
    grids = zip(state.grids[1 - state.seat], state.grids[state.seat], strict=True)
    a, b, c = (pairs().place[tuple(sorted(mine)), tuple(sorted(theirs))] for mine, theirs in grids)
    return a, b, c


@cache
def weights() -> list[list[int]]:
    """[pair][unit], as the book keeps them, one number after the other."""
    book = packaged_book(network.BOOK, network.BOOK_VERSION, 1)
    low, high, scale = (zlib.decompress(book.chapters()[title]) for title in ("low", "high", "scale"))
    found: list[list[int]] = [[] for _ in pairs().known]
    number = 0
    for at, (less, more) in enumerate(zip(low, high, strict=True)):
        counted = less + 256 * more
        number += counted // 2 if counted % 2 == 0 else -(counted + 1) // 2
        unit, pair = divmod(at, len(found))
        found[pair].append(number * scale[unit])
    return found


def judged(state: State) -> int:
    """A twin, number by number."""
    units = [sum(numbers) for numbers in zip(*(weights()[pair] for pair in waiting(state)), strict=True)]
    fired = [max(unit + 1, 0) for unit in units]  # the one more comes with the way they are added
    half = len(fired) // 2
    total = sum(fired[:half]) - sum(fired[half:])
    curve = network.network().curve
    chance: int = curve[min(abs(total), len(curve) - 1)]
    return chance if total >= 0 else ONE - chance


def twin(state: State, dice: int) -> Fraction:
    """What the seat that rolls may expect, by the rules."""
    if GAME.rules.actor(state) == NOBODY:
        return ended(state)
    free = sum(3 - len(column) for column in state.grids[state.seat])
    if not dice and free > 1:
        return Fraction(judged(state), ONE)
    total = Fraction(0)
    for die in range(1, 7):
        rolled = GAME.roll(state, (die,))
        total += max(1 - twin(GAME.apply(rolled, move), max(dice - 1, 0)) for move in GAME.rules.legal(rolled))
    return total / 6


@pytest.mark.parametrize(("dice", "every"), [(0, 1), (1, times(3, 1)), (2, times(60, 15))])
def test_judgements_equal_their_twin(dice: int, every: int) -> None:
    for state in list(positions("twin", 5))[::every]:
        assert Fraction(ahead(*waiting(state), dice), ONE * 6**dice) == twin(state, dice)


def test_a_lane_for_every_sum() -> None:
    """Three weights of one unit never run into the lane beside it, whatever the pairs are."""
    for unit in range(network.UNITS):
        column = [numbers[unit] for numbers in weights()]
        assert 3 * max(column) < 1 << 15
        assert 3 * min(column) > -(1 << 15) - 1
    least = sum(network.ZERO << network.LANE * unit for unit in range(network.UNITS))
    assert all(0 <= lanes < 1 << network.LANE * network.UNITS for lanes in (least, *network.network().weights))


@pytest.mark.parametrize("entry", EXACT[:40], ids=lambda entry: entry[0])
def test_a_gpu_finds_the_same(entry: Any) -> None:
    state = GAME.rules.read_state(GAME.make_options({}), entry[0])
    assert [ahead(*waiting(state), dice) for dice in range(3)] == entry[2]


def test_how_far_it_is_off() -> None:
    """Where perfect players come to; over all positions `dicehall.lab.knucklebones.figures` measures it."""
    some = EXACT[: times(150, len(EXACT))]
    states = [GAME.rules.read_state(GAME.make_options({}), text) for text, _, _ in some]
    exact = [value for _, value, _ in some]
    after = [abs(left(*waiting(state)) / WHOLE - value) for state, value in zip(states, exact, strict=True)]
    before = [abs(float(win(state)) - value) for state, value in zip(states, exact, strict=True)]
    assert (fmean(after), max(after)) < (0.0022, 0.03)
    assert (fmean(before), max(before)) < (0.0016, 0.02)
    assert fmean(before) < fmean(after)


def test_the_first_die_is_known_exactly() -> None:
    """So is the start, which all of them make up."""
    start = GAME.begin({}, 2)
    first = [float(placed(GAME.apply(GAME.roll(start, (die,)), 1))) for die in range(1, 7)]
    assert first == pytest.approx([0.473886, 0.495039, 0.508011, 0.518073, 0.526171, 0.533003], abs=1e-6)
    assert float(win(start)) == pytest.approx(fmean(first), abs=1e-9)
    assert float(win(start)) == pytest.approx(0.509030, abs=1e-6)


def test_the_end_is_known_exactly() -> None:
    """Before the last die, and once it lies there."""
    random = Random("end")
    for state in positions("end", 12):
        if sum(3 - len(column) for column in state.grids[state.seat]) == 1:
            rolled = [GAME.roll(state, (die,)) for die in range(1, 7)]
            ends = [GAME.apply(one, GAME.rules.legal(one)[0]) for one in rolled]
            assert win(state) == sum(1 - ended(end) for end in ends) / 6
            assert placed(random.choice(ends)) in (0, Fraction(1, 2), 1)
            assert all(win(end) == ended(end) == 1 - placed(end) for end in ends)
