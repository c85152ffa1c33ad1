"""The long game of Shut the Box: turn after turn, until one of them turns its last tile."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Final

from dicehall.coach.shut_the_box.one_round import Perfect, Values, box_of
from dicehall.errors import InvalidOption
from dicehall.rules.shut_the_box_state import State
from dicehall.rules.shut_the_box_tiles import Options

ONE_TURN: Final = 1 << 64  # in the values of `turns`
CLOSE_ENOUGH: Final = 1 << 42  # the game is solved when a sweep changes it by less than one part in this


class Turns(Perfect):
    """A turn, when being stuck leaves all other tiles to the next turn. What it finds out counts at once, within the
    sweep, which takes half as many of them."""

    def _settled(self, bits: int, value: int, spent: bool) -> None:
        if spent is not self.box.mulligan:  # a turn begins with its mulligan, if there is one
            self.stuck[self.box.full ^ bits] = ONE_TURN + value


def turns_values(options: Options) -> Values:
    played = solve_turns(options)

    def value(state: State) -> Fraction:
        return Fraction(state.round * ONE_TURN + (0 if state.over else played.value(state)), ONE_TURN)

    return value


@lru_cache(maxsize=4)
def solve_turns(options: Options) -> Perfect:
    """Either side has the same task: the tiles it has to turn. So one list says how many turns follow, by these tiles.

    How far off can it be? A turn is stuck with a chance of at least s. If a sweep changes no value by more than d, the
    list with all values raised by d / (s - d) of themselves does not rise in a sweep, so it is not too low; lowered by
    as much it does not fall, so it is not too high. Rounding adds less than 2^-58 to d.
    """
    if options.variant == "alwaysSumDuo" and options.tiles == 12:
        raise InvalidOption("objective", "not solved: of twelve tiles, turned in twos, an odd number never ends")
    box = box_of(options)
    stuck = ONE_TURN - max(Perfect(box, [0] * (box.full + 1), ONE_TURN).fresh[1:])
    turns = [0] * (box.full + 1)
    tried: list[tuple[list[int], list[int]]] = []  # the last three sweeps: what they led to, and by which changes
    while True:
        found = Turns(box, [ONE_TURN + after for after in reversed(turns)], 0, min).fresh
        changes = [new - old for new, old in zip(found, turns, strict=True)]
        if max(map(abs, changes)) * CLOSE_ENOUGH < stuck:
            break
        tried = [*tried[-2:], (found, changes)]
        turns = _mixed(tried)
    return Perfect(box, [ONE_TURN + after for after in reversed(found)], 0, min)


def _mixed(tried: list[tuple[list[int], list[int]]]) -> list[int]:
    """The mixture of three sweeps that would change least if sweeps were linear: it saves most of them.

    By least squares: the changes of the last sweep, and how those of the two before differ from them, with weights x
    and y that leave the sum at a right angle to both differences.
    """
    found, change = tried[-1]
    if len(tried) < 3:
        return found
    (found_a, a), (found_b, b) = [
        ([p - q for p, q in zip(one, found, strict=True)], [p - q for p, q in zip(way, change, strict=True)])
        for one, way in tried[:2]
    ]
    aa, ab, bb = _product(a, a), _product(a, b), _product(b, b)
    ca, cb = _product(change, a), _product(change, b)
    x, y, whole = cb * ab - ca * bb, ca * ab - cb * aa, aa * bb - ab * ab
    if not whole:
        return found
    return [p + (x * q + y * r) // whole for p, q, r in zip(found, found_a, found_b, strict=True)]


def _product(a: list[int], b: list[int]) -> int:
    return sum([p * q for p, q in zip(a, b, strict=True)])
