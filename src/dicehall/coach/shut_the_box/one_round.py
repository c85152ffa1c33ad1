"""One round of Shut the Box, played perfectly.

A *tile set* is a number here: tile n is bit n - 1. A round only ever makes the set smaller, so one sweep from the small
sets to the large ones solves it, whatever its end pays. Values are whole numbers: everything is counted in courses of
as many rolls as a round can take, so that dividing by 36 for each roll leaves no remainder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from operator import itemgetter
from typing import Final, NamedTuple

from dicehall.coach.objective import Objective
from dicehall.rules.shut_the_box_state import State, in_play
from dicehall.rules.shut_the_box_tiles import (
    LAST_LOW_TILE,
    Options,
    Tiles,
    all_tiles,
    can_roll_one_die,
    legal_combos,
    round_score,
)

Values = Callable[[State], Fraction]
Best = Callable[[Sequence[int]], int]  # of several values the one to play for
LookUp = Callable[[list[int]], tuple[int, ...]]  # the values of several tile sets

ONE_DIE: Final = [(total, 6) for total in range(1, 7)]  # totals, each with its ways out of 36
TWO_DICE: Final = [(total, 6 - abs(total - 7)) for total in range(2, 13)]
ROUNDS_KEPT: Final = 1 << 17  # solved rounds of one run that are kept, times their tile sets


class Roll(NamedTuple):
    """What some totals can do to a tile set, in ways out of 36."""

    single: list[tuple[int, int]]  # for each total that fits in one way: ways to roll it, the tile set that is left
    choice: list[tuple[int, LookUp, list[int]]]  # in several: how to look up all that may be left; what that is
    misses: int  # nothing fits
    doubles: int  # of these


class Box:
    """The box under one set of rules: all its tile sets.

    They come in rows of those with equal high tiles. Totals up to 6 turn low tiles only, so what they make of a tile
    set does not depend on its row.
    """

    def __init__(self, options: Options) -> None:
        numbers = all_tiles(options)
        self.tiles: list[Tiles] = [()]
        for tile in numbers:
            self.tiles += [(*tiles, tile) for tiles in self.tiles]
        self.full = len(self.tiles) - 1
        self.row = 1 << len(numbers[:LAST_LOW_TILE])
        self.mulligan, self.long = options.mulligan, options.mode == "long"
        # Every roll of a round turns a tile, but for the last one and the mulligan. `turns` is rounded down anyway.
        self.whole: int = 1 if self.long else 36 ** (len(numbers) + options.mulligan)
        self.moves = [[_bits(combo) for combo in legal_combos(numbers, (total,), options)] for total in range(13)]
        self.dice = [_dice(tiles, options) for tiles in self.tiles]
        lows = range(self.row)
        self.to_six = {
            1: [_roll(ONE_DIE, self.moves, low) for low in lows],
            2: [_roll(TWO_DICE[:5], self.moves, low) for low in lows],
        }
        self.from_seven: list[Roll] = []  # with two dice
        for high in range(0, self.full, self.row):
            moves = [[move for move in fitting if move & ~high < self.row] for fitting in self.moves]
            self.from_seven += [_roll(TWO_DICE[5:], moves, high | low) for low in lows]

    def left(self, bits: int, total: int) -> list[int]:
        """The tile sets that a move may leave of the tile set `bits`, with a roll of `total`."""
        return [bits ^ move for move in self.moves[total] if bits & move == move]


def _roll(totals: list[tuple[int, int]], moves: list[list[int]], bits: int) -> Roll:
    single: list[tuple[int, int]] = []
    choice: list[tuple[int, LookUp, list[int]]] = []
    misses = doubles = 0
    for total, ways in totals:
        sets = [bits ^ move for move in moves[total] if bits & move == move]
        if not sets:
            misses += ways
            doubles += ways & 1  # the other ways come in pairs
        elif len(sets) == 1:
            single.append((ways, sets[0]))
        else:
            choice.append((ways, itemgetter(*sets), sets))
    return Roll(single, choice, misses, doubles)


class Perfect:
    """A round played perfectly, when being stuck pays `stuck[tile set]` and turning the last tile pays `done`."""

    def __init__(self, box: Box, stuck: Sequence[int], done: int, best: Best = max) -> None:
        self.box, self.best = box, best
        self.stuck = [pay * box.whole for pay in stuck]
        self.spent = self.fresh = [done * box.whole] * len(stuck)  # by tile set, before a roll; the mulligan spent
        self._sweep(self.spent, True)
        if box.mulligan:
            self.fresh = self.spent[:]  # the mulligan still there
            self._sweep(self.fresh, False)

    @property
    def start(self) -> int:
        return self.fresh[-1]

    def value(self, state: State) -> int:
        """Of a position in the round; like all values here, out of `box.whole`."""
        bits, spent = _bits(in_play(state)), state.mulligan_used or not self.box.mulligan
        values = self.spent if spent else self.fresh
        if state.dice:
            return self.best([values[left] for left in self.box.left(bits, sum(state.dice))])
        if not bits:  # in the long game all tiles may stand open when they are to be opened: any roll ends the game
            return self.spent[0]
        dice, row = (state.to_roll,) if state.to_roll else self.box.dice[bits], self._row(values, bits)
        return self.best([self._rolling(bits, count, row, spent, state.doubles_used) for count in dice])

    def best_dice(self, bits: int, spent: bool) -> int:
        """How many to roll with the tile set `bits`, the mulligan `spent` or not; where it does not matter, the first
        of the choices."""
        row = self._row(self.spent if spent else self.fresh, bits)
        values = [self._rolling(bits, count, row, spent) for count in self.box.dice[bits]]
        return self.box.dice[bits][values.index(self.best(values))]

    def _row(self, values: list[int], bits: int) -> list[int]:
        first = bits & -self.box.row
        return values[first : first + self.box.row]

    def _sweep(self, values: list[int], spent: bool) -> None:
        """From the small sets to the large ones."""
        box = self.box
        for first in range(0, len(values), box.row):
            row = self._row(values, first)
            for bits in range(first or 1, first + box.row):
                value = self.best([self._rolling(bits, count, row, spent) for count in box.dice[bits]])
                values[bits] = row[bits - first] = value
                self._settled(bits, value, spent)

    def _settled(self, bits: int, value: int, spent: bool) -> None:
        """For the long game, where the end of a turn is worth what the next one is."""

    def _rolling(self, bits: int, dice: int, row: list[int], spent: bool, again: bool = False) -> int:
        """With `dice` dice in the air. `again`: doubles that fit nothing are not rolled again, they just have been."""
        box, best = self.box, self.best
        single, choice, misses, doubles = box.to_six[dice][bits & box.row - 1]
        total = 0
        for ways, left in single:
            total += ways * row[left]
        for ways, look_up, _ in choice:
            total += ways * best(look_up(row))
        if dice == 2:
            values = self.spent if spent else self.fresh
            single, choice, more_misses, more_doubles = box.from_seven[bits]
            for ways, left in single:
                total += ways * values[left]
            for ways, look_up, _ in choice:
                total += ways * best(look_up(values))
            misses, doubles = misses + more_misses, doubles + more_doubles
        if misses:
            stuck = self.stuck[bits] if spent else self._again(bits, dice)
            total += misses * stuck
            if box.long and doubles and not again:
                total += doubles * (total // 36 - stuck)
        return total // 36

    def _again(self, bits: int, dice: int) -> int:
        """The mulligan: as many dice once more."""
        if self.box.dice[bits] == (dice,) and not self.box.long:
            return self.spent[bits]  # which is just that
        return self._rolling(bits, dice, self._row(self.spent, bits), True, True)


def _bits(tiles: Tiles) -> int:
    return sum([1 << tile - 1 for tile in tiles])


def _dice(tiles: Tiles, options: Options) -> tuple[int, ...]:
    if not can_roll_one_die(tiles, options):
        return (2,)
    return (1,) if options.one_die == "forced" else (1, 2)


def rules_of(options: Options) -> Options:
    """Only what decides how one round is played, so that others share its box."""
    return Options(
        tiles=options.tiles,
        variant="alwaysSumDuo" if options.variant == "alwaysSumDuo" else "standard",
        mode="long" if options.mode == "long" else "rounds",
        one_die="sum-6" if options.difficulty == "hard" and options.one_die == "high-shut" else options.one_die,
        difficulty="hard" if options.difficulty == "hard" else "standard",
        mulligan=options.mulligan,
    )


def box_of(options: Options) -> Box:
    return _box(rules_of(options))


@lru_cache(maxsize=8)
def _box(rules: Options) -> Box:
    return Box(rules)


def pay(tiles: Tiles, objective: Objective) -> int:
    """What a round that ends with these tiles open comes to."""
    if objective.chance:
        return round_score(tiles, "golf") <= (objective.limit or 0)  # a shut box leaves nothing
    return round_score(tiles, objective.name)


@lru_cache(maxsize=32)
def _round(rules: Options, objective: Objective) -> Perfect:
    box = _box(rules)
    pays = [pay(tiles, objective) for tiles in box.tiles]
    return Perfect(box, pays, pays[0], min if objective.lower_is_better else max)


def solve_round(options: Options, objective: Objective) -> Perfect:
    return _round(rules_of(options), objective)


def round_values(options: Options, objective: Objective) -> Values:
    played = solve_round(options, objective)

    def value(state: State) -> Fraction:
        if state.over:
            return Fraction(pay(state.open, objective))
        return Fraction(played.value(state), played.box.whole)

    return value
