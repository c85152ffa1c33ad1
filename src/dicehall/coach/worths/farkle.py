"""What a position of Farkle is worth to somebody who plays perfectly for one objective.

    turn        expected points of the turn that is being played, for points alone
    arcade      expected points at the end of `max_turns` turns; one seat
    turns       expected number of turns in which the target is reached; one seat; less is better
    race        chance of the seat to move to be the first at the target; two seats
    farkle:N    chance that a roll of N dice scores nothing; the same in every position

`turn`, `arcade` and `farkle:N` are exact fractions. `turns` and `race` are nearly so: a book holds what a turn is worth
before its first roll (built by `dicehall.solve.farkle`), and the positions inside a turn are swept from it, in whole
numbers. `turns` is off by less than 1e-10, `race` by less than 2e-10.

Points are counted in steps of 50. What matters within a turn is how many steps are still to go (to the target, or to a
pile that is banked in any case) and the dice left to roll. Rolls that offer the same choices are one class.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from importlib import resources
from itertools import accumulate
from operator import add, itemgetter
from struct import unpack
from typing import Any, Final, NamedTuple

from dicehall.errors import InvalidOption, excerpt
from dicehall.rules.farkle import VERSION, dice_to_roll
from dicehall.rules.farkle_scoring import Options, Scoring, farkle_ways, keep_points, keeps, scoring
from dicehall.rules.farkle_state import END, ROLLED, SELECTION, State, fallen
from dicehall.rules.game import outcomes

Value = Fraction
Worth = Callable[[State], Value]

LOWER: Final = frozenset({"turns"})
NEARLY: Final = frozenset({"turns", "race"})  # fractions too, but not true to the last digit
OBJECTIVES: Final = ("turn", "arcade", "turns", "race", "farkle:N")
BOOK: Final = "farkle-tables.bin"
BOOK_VERSION: Final = 1
STEP: Final = 50
TO_ROLL: Final = 7  # 0 to 6 dice: the width of a row
ORDERS: Final[list[int]] = [6**dice for dice in range(TO_ROLL)]  # in which so many dice can fall
FINE: Final = 44  # bits behind the point, in `turns` and `race`
LONGEST_OPENING: Final = 10  # turns: with a minimum to get on the board an arcade's fractions grow with each


def worth(options: Options, seats: int, objective: str) -> Worth:
    """What any position is worth. `turn` means the turn of that position, `race` the seat whose turn it is.

    Once the game is over there is no turn to bring points, and the seat that has won is certain to win.
    """
    name, colon, number = objective.partition(":")
    if name == "farkle" and colon:
        return _farkle_worth(options, number)
    if objective not in OBJECTIVES[:-1]:
        known = ", ".join(OBJECTIVES)
        raise InvalidOption("objective", f"farkle has no objective {excerpt(objective)}; objectives: {known}")
    if any(points % STEP for points in scoring(options)[:2]):
        raise InvalidOption("objective", f"{objective} is solved where all groups are worth multiples of {STEP} points")
    return {"turn": _turn_worth, "arcade": _arcade_worth, "turns": _turns_worth, "race": _race_worth}[objective](
        options, seats
    )


def step_worth(options: Options, seats: int, objective: str) -> Callable[[State, State], Value]:
    """What `now` is worth one step after `before`, to the seat whose turn it was, as part of that turn.

    `worth(now)` alone would speak of the next turn, and in a race of the other seat, when this step ended the turn.
    """
    value = worth(options, seats, objective)

    def seen(before: State, now: State) -> Value:
        ended = now.phase == END or (now.seat, now.round) != (before.seat, before.round)
        if ended and objective == "turn":
            return Fraction(now.banked[before.seat] - before.banked[before.seat])
        return 1 - value(now) if objective == "race" and now.seat != before.seat else value(now)

    return seen


def meant(options: Options, seats: int) -> str:
    """The objective that somebody who plays with these options has in mind, or `turn` where that is not solved."""
    objective = "race" if seats > 1 else "arcade" if options.max_turns else "turns"
    try:
        worth(options, seats, objective)
    except InvalidOption:
        return "turn"
    return objective


# One turn


class Rolls(NamedTuple):
    """All rolls of so many dice, in classes: how many of the 6^n orders, and where their choices lead.

    A position after a keep has its place in a table of rows, by steps to go, one place for each number of dice left. A
    choice says how far before the row that is to come next its position lies. Of two choices that leave equally many
    dice only the one with more points counts: whoever has more can play as if having less, and is never worse off.
    """

    farkles: int
    single: list[tuple[int, int]]  # orders, and the one choice
    several: list[tuple[int, Callable[[list[int]], tuple[int, ...]]]]  # orders, and what looks up all choices
    best: int  # steps, summed over all orders, of the keep with the most points
    most: int  # steps that one roll can bring


@cache
def _rolls(rules: Scoring, hot_dice: bool) -> tuple[Rolls, ...]:
    """By number of dice; no roll of no dice."""
    found = [Rolls(0, [], [], 0, 0)]
    for dice in range(1, 7):
        classes: Counter[tuple[tuple[int, int], ...]] = Counter()
        for roll, orders in outcomes(dice):
            steps: dict[int, int] = {}  # by dice left
            for keep in keeps(roll, rules):
                left = _left(dice, keep, hot_dice)
                steps[left] = max(keep_points(keep, rules) // STEP, steps.get(left, 0))
            classes[tuple(sorted(steps.items()))] += orders
        farkles = classes.pop(())
        places = [([left - TO_ROLL * steps for left, steps in choices], n) for choices, n in classes.items()]
        best = [(max(steps for _, steps in choices), orders) for choices, orders in classes.items()]
        found.append(
            Rolls(
                farkles,
                [(orders, at[0]) for at, orders in places if len(at) == 1],
                [(orders, itemgetter(*at)) for at, orders in places if len(at) > 1],
                sum(steps * orders for steps, orders in best),
                max(steps for steps, _ in best),
            )
        )
    return tuple(found)


def _left(dice: int, keep: tuple[str, ...], hot_dice: bool) -> int:
    return dice - len("".join(keep)) or (6 if hot_dice else 0)


class Turn:
    """One turn, swept up from where banking is right in any case (no steps to go, or fewer) to where it begins.

    `bank` says what banking is worth with so many steps to go. It is allowed from `open_at` steps down, and always when
    no die is left. Values are whole numbers; a roll's is rounded down where 6^n does not divide it.
    """

    def __init__(
        self, rolls: tuple[Rolls, ...], bank: Callable[[int], int], farkle: int, begin: int, open_at: int
    ) -> None:
        self.rolls, self.bank, self.farkle = rolls, bank, farkle
        self.most = max(roll.most for roll in rolls)
        self.values = self._banked(1)
        self.rolling = [[0] * TO_ROLL]
        for steps in range(1, begin + 1):
            rolling = [self._roll(self.values, dice) for dice in range(TO_ROLL)]
            banked = bank(steps)
            self.values += [banked, *[max(banked, roll) if steps <= open_at else roll for roll in rolling[1:]]]
            self.rolling.append(rolling)

    def kept(self, steps: int, dice: int) -> int:
        """After a keep that leaves so many dice: roll them, or bank."""
        return self.values[(self.most + steps) * TO_ROLL + dice] if steps > 0 else self.bank(steps)

    def rolled(self, steps: int, dice: int) -> int:
        """With so many dice in the air."""
        return self.rolling[steps][dice] if steps > 0 else self._roll(self._banked(steps), dice)

    def _banked(self, steps: int) -> list[int]:
        """The rows below so many steps, as far as a roll can reach, where everything is banked."""
        return [self.bank(fewer) for fewer in range(steps - self.most - 1, steps) for _ in range(TO_ROLL)]

    def _roll(self, values: list[int], dice: int) -> int:
        farkles, single, several, *_ = self.rolls[dice]
        total = farkles * self.farkle
        total += sum([orders * values[at] for orders, at in single])
        total += sum([orders * max(choices(values)) for orders, choices in several])
        return total // ORDERS[dice]


def _within(turn: Turn, steps: int, state: State) -> int:
    """A position of the turn, with so many steps to go if its pile were banked now."""
    dice = dice_to_roll(state)
    if state.phase != SELECTION:
        return turn.rolled(steps, dice)
    if state.chosen:
        return turn.kept(steps, dice)
    rules, hot_dice = scoring(state.options), state.options.hot_dice
    choices = [(steps - keep_points(keep, rules) // STEP, keep) for keep in keeps(fallen(state), rules)]
    return max([turn.kept(to_go, _left(dice, keep, hot_dice)) for to_go, keep in choices])


# Points: exact


class Points(NamedTuple):
    """A turn for points. A roll brings a step at least and divides by 6^6 at most, so in this unit nothing is lost."""

    turn: Turn
    top: int  # the pile with no steps to go
    unit: int

    def value(self, state: State) -> Fraction:
        return Fraction(_within(self.turn, (self.top - state.pile) // STEP, state), self.unit)

    def mean(self) -> Fraction:
        """Before the first roll of a turn."""
        return Fraction(self.turn.rolled(self.top // STEP, 6), self.unit)


@lru_cache(maxsize=16)
def _points(rules: Scoring, hot_dice: bool, least: int, odd: int = 0, farkle: Fraction = Fraction(0)) -> Points:
    """A turn in which at least `least` points may be banked, and whose pile is `odd` more than a multiple of a step."""
    rolls = _rolls(rules, hot_dice)
    # Why there is a pile that is banked in any case. Whatever the plan after rolling n dice on a pile p: each roll it
    # takes adds no more than the mean of that roll's best keep, m(n), and with chance q(n) it costs p or more. By
    # linearity the plan gains no more than the sum, over its rolls, of the chance to come to it times m(n) - p q(n).
    # So from p = m(n) / q(n) on, for the n where that is largest, no plan gains anything.
    enough = max([-(-STEP * roll.best // roll.farkles) for roll in rolls[1:]])
    top = -(-(max(enough, least) - odd) // STEP) * STEP + odd
    unit = 6 ** (6 * (top // STEP + 1)) * farkle.denominator
    lost = farkle.numerator * (unit // farkle.denominator)
    turn = Turn(rolls, lambda steps: (top - STEP * steps) * unit, lost, top // STEP, (top - least) // STEP)
    return Points(turn, top, unit)


def _turn_worth(options: Options, seats: int) -> Worth:
    rules, hot_dice = scoring(options), options.hot_dice

    def value(state: State) -> Fraction:
        if state.phase == END:
            return Fraction(0)
        on_board = state.banked[state.seat] > 0
        least = options.bank_minimum if on_board else max(options.bank_minimum, options.board_minimum)
        return _points(rules, hot_dice, least, state.pile % STEP).value(state)

    return value


def _arcade_worth(options: Options, seats: int) -> Worth:
    """Turns add up, so each is played for its points: a position is worth them and `mean` for each turn after it.

    For a seat that is not on the board yet a farkle is worth less than nothing: what the turns after it lack of that.
    """
    if seats != 1 or not options.max_turns:
        raise InvalidOption("objective", "arcade counts the points of one seat in max_turns turns")
    rules, hot_dice, least = scoring(options), options.hot_dice, options.bank_minimum
    entry = max(options.board_minimum, least)
    if entry > least and options.max_turns > LONGEST_OPENING:
        raise InvalidOption("objective", f"with board_minimum, arcade is solved for up to {LONGEST_OPENING} turns")
    mean = _points(rules, hot_dice, least).mean()

    def value(state: State) -> Fraction:
        (banked,) = state.banked
        if state.phase == END:
            return Fraction(banked)
        later, odd = options.max_turns - state.round, state.pile % STEP
        if banked or entry == least:
            points = _points(rules, hot_dice, least, odd)
        else:
            points = _points(rules, hot_dice, entry, odd, _opening(rules, hot_dice, least, entry, later) - later * mean)
        return banked + points.value(state) + later * mean

    return value


@lru_cache(maxsize=1024)
def _opening(rules: Scoring, hot_dice: bool, least: int, entry: int, turns: int) -> Fraction:
    """What so many turns bring to a seat that is not on the board yet."""
    if not turns:
        return Fraction(0)
    later = (turns - 1) * _points(rules, hot_dice, least).mean()
    farkle = _opening(rules, hot_dice, least, entry, turns - 1) - later
    return _points(rules, hot_dice, entry, 0, farkle).mean() + later


def _farkle_worth(options: Options, number: str) -> Worth:
    if number not in tuple("123456"):
        raise InvalidOption("objective", f"farkle:N takes 1 to 6 dice, not {excerpt(number)}")
    chance = Fraction(farkle_ways(int(number), scoring(options)), 6 ** int(number))
    return lambda state: chance


# To the target: from the book


def _turns_worth(options: Options, seats: int) -> Worth:
    if seats != 1:
        raise InvalidOption("objective", f"turns counts the turns of one seat, not of {seats}")
    rules, hot_dice, target = scoring(options), options.hot_dice, options.target
    (turns,) = _table("turns", options)

    def value(state: State) -> Value:
        if state.phase == END:
            return Fraction(state.round)
        need = _steps(target - state.banked[0])
        if state.phase not in (ROLLED, SELECTION):
            return Fraction((state.round - 1 << FINE) + turns[need], 1 << FINE)
        turn = _turns_turn(rules, hot_dice, need)
        left = _within(turn, _steps(target - state.banked[0] - state.pile), state)
        return Fraction((state.round << FINE) - left, 1 << FINE)

    return value


def _race_worth(options: Options, seats: int) -> Worth:
    if seats != 2:
        raise InvalidOption("objective", f"race is solved for two seats, not for {seats}")
    if options.last_turn:
        raise InvalidOption("objective", "race is solved for the first at the target, without last_turn")
    rules, hot_dice, target = scoring(options), options.hot_dice, options.target
    win = _table("race", options)

    def value(state: State) -> Value:
        if state.phase == END:
            return Fraction(int(state.seat == state.closer))
        banked, theirs = state.banked[state.seat], _steps(target - state.banked[1 - state.seat])
        mine = _steps(target - banked)
        if state.phase not in (ROLLED, SELECTION):
            return Fraction(win[mine][theirs], 1 << FINE)
        turn = _race_turn(rules, hot_dice, mine, theirs)
        return Fraction(_within(turn, _steps(target - banked - state.pile), state), 1 << FINE)

    return value


@lru_cache(maxsize=128)
def _turns_turn(rules: Scoring, hot_dice: bool, need: int) -> Turn:
    """A turn's value is less than nothing here: the turns that are still to come after it."""
    (turns,) = _read("turns", rules, hot_dice)
    return Turn(_rolls(rules, hot_dice), lambda steps: -turns[max(steps, 0)], -turns[need], need, need)


@lru_cache(maxsize=128)
def _race_turn(rules: Scoring, hot_dice: bool, mine: int, theirs: int) -> Turn:
    their_win = _read("race", rules, hot_dice)[theirs]
    bank = [(1 << FINE) - chance for chance in their_win]
    return Turn(_rolls(rules, hot_dice), lambda steps: bank[max(steps, 0)], bank[mine], mine, mine)


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
        groups = "the usual points" if objective == "turns" else "the groups of a preset"
        raise InvalidOption("objective", f"{objective} is solved for {groups} only")
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
