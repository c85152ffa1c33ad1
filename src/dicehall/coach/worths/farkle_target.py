"""Farkle to the target: alone in as few turns as can be, or in a race of two.

A book holds what a turn is worth before its first roll (built by `dicehall.solve.farkle`), and the positions inside a
turn are swept from it, in whole numbers. `turns` is off by less than 1e-10, `race` by less than 3e-10.
"""

from __future__ import annotations

import json
import zlib
from fractions import Fraction
from functools import cache, lru_cache
from importlib import resources
from itertools import accumulate
from operator import add
from struct import unpack
from typing import Any, Final

from dicehall.coach.worths.farkle_turn import STEP, Turn, Worth, rolls_of, within
from dicehall.errors import InvalidOption
from dicehall.rules.farkle import VERSION
from dicehall.rules.farkle_scoring import Options, Scoring, scoring
from dicehall.rules.farkle_state import END, ROLLED, SELECTION, State

BOOK: Final = "farkle-tables.bin"
BOOK_VERSION: Final = 1
FINE: Final = 44  # bits behind the point


def turns_worth(options: Options, seats: int) -> Worth:
    if seats != 1:
        raise InvalidOption("objective", f"turns counts the turns of one seat, not of {seats}")
    rules, hot_dice, target = scoring(options), options.hot_dice, options.target
    (turns,) = _table("turns", options)

    def value(state: State) -> Fraction:
        if state.phase == END:
            return Fraction(state.round)
        need = _steps(target - state.banked[0])
        if state.phase not in (ROLLED, SELECTION):
            return Fraction((state.round - 1 << FINE) + turns[need], 1 << FINE)
        left = within(_turns_turn(rules, hot_dice, need), _steps(target - state.banked[0] - state.pile), state)
        return state.round - Fraction(left, 1 << FINE)

    return value


def race_worth(options: Options, seats: int) -> Worth:
    if seats != 2:
        raise InvalidOption("objective", f"race is solved for two seats, not for {seats}")
    if options.last_turn:
        raise InvalidOption("objective", "race is solved for the first at the target, without last_turn")
    rules, hot_dice, target = scoring(options), options.hot_dice, options.target
    win = _table("race", options)

    def value(state: State) -> Fraction:
        if state.phase == END:
            return Fraction(int(state.seat == state.closer))
        banked, theirs = state.banked[state.seat], _steps(target - state.banked[1 - state.seat])
        mine = _steps(target - banked)
        if state.phase not in (ROLLED, SELECTION):
            return Fraction(win[mine][theirs], 1 << FINE)
        turn = _race_turn(rules, hot_dice, mine, theirs)
        return Fraction(within(turn, _steps(target - banked - state.pile), state), 1 << FINE)

    return value


@lru_cache(maxsize=128)
def _turns_turn(rules: Scoring, hot_dice: bool, need: int) -> Turn:
    """A turn's value is less than nothing here: the turns that are still to come after it."""
    (turns,) = _read("turns", rules, hot_dice)
    bank = [-still for still in turns]
    return _rounded_turn(rules, hot_dice, bank, need)


@lru_cache(maxsize=128)
def _race_turn(rules: Scoring, hot_dice: bool, mine: int, theirs: int) -> Turn:
    their_win = _read("race", rules, hot_dice)[theirs]
    bank = [(1 << FINE) - chance for chance in their_win]
    return _rounded_turn(rules, hot_dice, bank, mine)


def _rounded_turn(rules: Scoring, hot_dice: bool, bank: list[int], need: int) -> Turn:
    rolls = rolls_of(rules, hot_dice)
    return Turn(rolls, lambda steps: bank[max(steps, 0)], Fraction(bank[need]), need, need, rounded=True)


def _steps(points: int) -> int:
    """What is still needed, whatever odd number of points a position has."""
    return -(-points // STEP)


def _table(objective: str, options: Options) -> list[list[int]]:
    """A table that answers under these options: one value, or one row, for each number of steps still needed."""
    if options.max_turns:
        raise InvalidOption("objective", f"with max_turns the target plays no part, so {objective} has no meaning")
    if options.bank_minimum or options.board_minimum:
        raise InvalidOption("objective", f"{objective} is not solved with board_minimum or bank_minimum")
    table = _read(objective, scoring(options), options.hot_dice)
    if not table:
        raise InvalidOption("objective", f"{objective} is solved for the usual points of straights and pairs only")
    highest = STEP * (len(table[0]) - 1)
    if options.target > highest:
        raise InvalidOption("objective", f"{objective} is solved for a target of at most {highest} points")
    return table


@cache
def _book() -> tuple[list[dict[str, Any]], bytes]:
    """What the book says about its tables, and their bytes."""
    data = resources.files("dicehall.coach").joinpath("books", BOOK).read_bytes()
    head, _, tables = data.partition(b"\n")
    about = json.loads(head)
    if (about["version"], about["rules"], about["crc"]) != (BOOK_VERSION, VERSION, zlib.crc32(tables)):
        raise InvalidOption("objective", f"the book {BOOK} is damaged or made for other rules; build it again")
    return about["tables"], tables


@lru_cache(maxsize=32)
def _read(objective: str, rules: Scoring, hot_dice: bool) -> list[list[int]]:
    """One table in units of 2^-FINE, rows and columns from 0; nothing where the book has none.

    It is written as the differences between neighbours, both ways, first the lowest byte of each, then the next.
    """
    asked = {"objective": objective, **rules._asdict(), "hot_dice": hot_dice}
    abouts, tables = _book()
    for about in abouts:
        if asked.items() <= about.items():
            rows, columns, width = about["rows"], about["columns"], about["width"]
            planes, size = zlib.decompress(tables[about["at"] : about["at"] + about["size"]]), rows * columns
            data = bytearray(size * width)
            for byte in range(width):
                data[byte::width] = planes[byte * size : (byte + 1) * size]
            numbers = unpack(f"<{size}{'IQ'[width > 4]}", data)
            table, above, whole, fine = [], [0] * columns, 256**width, FINE - about["bits"]
            for row in range(0, size, columns):
                above = [number % whole for number in map(add, above, accumulate(numbers[row : row + columns]))]
                table.append([number << fine for number in above])
            return table
    return []
