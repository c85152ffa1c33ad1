"""Farkle for tests: the literal rules, position by position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

from dicehall.dice import FACES
from dicehall.rules.farkle import PRESETS, Options, State, actor, after, dice_to_roll, legal, rolled, start
from dicehall.rules.farkle_state import BANK, END, SELECTION, fallen
from dicehall.rules.game import DICE, NOBODY, outcomes

CLOSE = 3e-10  # what `turns` (for each of its turns) and `race` promise


def preset(name: str) -> Options:
    return Options(**PRESETS[name])  # type: ignore[arg-type]


def table_of(state: State) -> tuple[Any, ...]:
    """What of a position can matter: not the faces that are put aside, nor where a die lies."""
    dice = fallen(state) if state.phase == SELECTION and not state.chosen else ()
    return state.banked, state.seat, state.turn_total, dice_to_roll(state), dice, state.phase == END, state.chosen


class Twin:
    """Every roll and every move, with exact fractions, for games that end. Above `ceiling` everybody banks."""

    def __init__(self, end: Callable[[State, State], Fraction | None], ceiling: int = 10**9) -> None:
        self.end, self.ceiling = end, ceiling
        self.known: dict[tuple[Any, ...], Fraction] = {}

    def value(self, before: State, now: State) -> Fraction:
        ended = self.end(before, now)
        if ended is not None:
            return ended
        key = (now.round, table_of(now))
        if key not in self.known:
            if actor(now) == DICE:
                total = sum(weight * self.value(now, rolled(now, roll)) for roll, weight in outcomes(dice_to_roll(now)))
                self.known[key] = Fraction(total, 6 ** dice_to_roll(now))
            else:
                moves = legal(now)
                if BANK in moves and now.turn_total >= self.ceiling:
                    moves = (BANK,)
                self.known[key] = max(self.value(now, after(now, move)) for move in moves)
        return self.known[key]


class Circle:
    """All positions of a small game to the target, as the literal rules connect them; they run in circles.

    A value is found by going over all positions again and again. Whoever can bank the target does: nothing is better.
    """

    def __init__(self, first: State) -> None:
        self.target = first.options.target
        self.places: dict[tuple[Any, ...], int] = {}
        self.states: list[State] = []
        self.edges: list[list[tuple[int, int, int]]] = []  # weight, place, turns that this step completes
        todo = [first]
        self._place(first)
        while todo:
            state = todo.pop()
            if actor(state) == DICE:
                steps = [(weight, rolled(state, roll)) for roll, weight in outcomes(dice_to_roll(state))]
            else:
                moves, reached = legal(state), state.banked[state.seat] + state.turn_total >= self.target
                moves = (BANK,) if BANK in moves and reached else moves
                steps = [(1, after(state, move)) for move in moves]
            edges = Counter[tuple[int, int]]()
            for weight, now in steps:
                table = table_of(now)
                if table not in self.places:
                    self._place(now)
                    todo.append(now)
                edges[self.places[table], int(now.phase == END or now.round > state.round)] += weight
            self.edges[self.places[table_of(state)]] = [(weight, *to) for to, weight in edges.items()]

    def _place(self, state: State) -> None:
        self.places[table_of(state)] = len(self.states)
        self.states.append(state)
        self.edges.append([])

    def solved(self, objective: str) -> list[float]:
        """Turns still to complete, or the chance of seat 0."""
        values = [float(state.phase == END and state.closer == 0) for state in self.states]
        if objective == "turns":
            values = [0.0] * len(values)
        counted = int(objective == "turns")
        steps: list[tuple[int, list[tuple[int, int, int]], Callable[[list[float]], float] | None, int]] = []
        for place in range(len(values) - 1, -1, -1):
            state, edges = (
                self.states[place],
                [(weight, to, counted * turns) for weight, to, turns in self.edges[place]],
            )
            if edges and actor(state) == DICE:
                steps.append((place, edges, None, 6 ** dice_to_roll(state)))
            elif edges:
                steps.append((place, edges, min if counted or state.seat else max, 1))
        change = 1.0
        while change > 1e-14:
            change = 0.0
            for place, edges, best, orders in steps:
                if best is None:
                    value = sum([weight * (values[to] + turns) for weight, to, turns in edges]) / orders
                else:
                    value = best([values[to] + turns for _, to, turns in edges])
                change = max(change, abs(value - values[place]))
                values[place] = value
        return values


def random_positions(options: Options, seats: int, seed: str, count: int) -> Iterator[State]:
    """Positions of random games. Every seat rolls on three times out of four, so that some turn totals are large."""
    random = Random(seed)
    while True:
        state = start(options, seats)
        while actor(state) != NOBODY:
            if actor(state) == DICE:
                now = rolled(state, tuple(random.choices(FACES, k=dice_to_roll(state))))
            else:
                moves = legal(state)
                now = after(state, random.choice(moves) if random.random() < 0.5 else moves[0])
            if random.random() < 0.04:
                yield state
                count -= 1
                if not count:
                    return
            state = now
