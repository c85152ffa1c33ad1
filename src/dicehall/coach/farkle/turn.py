"""One turn of Farkle, played perfectly for whatever its end is worth.

Points are counted in steps (see `contest`). What matters within a turn is how many steps are still to go (to the
target, or to a turn total that is banked in any case) and the dice left to roll. One sweep from no steps to go up to
where the turn begins finds what every position is worth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from operator import itemgetter, mul
from typing import Any, Final, NamedTuple

from dicehall.rules.farkle import dice_to_roll
from dicehall.rules.farkle_scoring import Scoring, can_add_up, keep_points, keeps, scoring
from dicehall.rules.farkle_state import SELECTION, State, fallen
from dicehall.rules.game import outcomes

Pick = Callable[[Sequence[int]], tuple[int, ...]]  # several numbers out of a list
Choices = tuple[int, ...]
Values = Callable[[State], Fraction]

TO_ROLL: Final = 7  # 0 to 6 dice: the width of a row
ORDERS: Final[list[int]] = [6**dice for dice in range(TO_ROLL)]  # in which 0 to 6 dice can fall
FINER: Final = ORDERS[-1]  # whatever divides by the orders of a roll comes out whole then


class Dice(NamedTuple):
    """All rolls of one number of dice: those that offer equal choices are one."""

    farkles: int  # orders, of 6^n
    orders: list[int]
    bests: Pick  # what the best choice is worth, for each of them
    mean: Fraction  # steps of the keep with the most points, over all orders
    most: int  # steps that one roll can bring


class Rolls(NamedTuple):
    """Everything that can be rolled, and where it leads.

    A position after a keep has its place in a table of rows, by steps to go, one place for each number of dice left. A
    choice says how far before the row that is to come next its position lies. Of two choices that leave equally many
    dice only the one with more points counts: whoever has more can play as if having less, and is never worse off.
    Unless `every` choice counts, because more points may give the other seat its last turn.

    Many rolls have the choices of another and one more. So the best of one choice, of two, of three, ... come in a long
    list, each from one that stands before it and one choice more.
    """

    first: Pick  # the bests of one choice: where they are
    more: list[tuple[Pick, Pick]]  # the others: from which best, and where the choice is that is added
    by_dice: list[Dice]  # from one die up
    most: int  # steps that one roll can bring
    rules: Scoring

    def totals(self, values: list[int], farkle: int) -> list[int]:
        """What rolling is worth, by the number n of dice from 0 to 6, summed over their 6^n orders; `values` are those
        of the places after a keep, `farkle` that of a farkle."""
        bests = [*self.first(values)]
        for before, added in self.more:
            pairs = zip(before(bests), added(values), strict=True)
            bests += [one if one > other else other for one, other in pairs]
        return [0, *[dice.farkles * farkle + sum(map(mul, dice.orders, dice.bests(bests))) for dice in self.by_dice]]


@lru_cache(maxsize=16)
def rolls_of(rules: Scoring, hot_dice: bool, every: bool = False) -> Rolls:
    """With the best choices for each number of dice left, or with `every` one."""
    found = [_classes(dice, rules, hot_dice, every) for dice in range(1, TO_ROLL)]
    begun = {choices[:length] for classes in found for choices in classes for length in range(1, len(choices) + 1)}
    bests = sorted(begun, key=lambda choices: (len(choices), choices))
    at = {choices: number for number, choices in enumerate(bests)}
    more = []
    for length in range(2, len(bests[-1]) + 1):
        longer = [choices for choices in bests if len(choices) == length]
        more.append((_pick([at[choices[:-1]] for choices in longer]), _pick([choices[-1] for choices in longer])))
    by_dice = []
    for dice, classes in enumerate(found, 1):
        farkles = classes.pop(())
        steps = [max([-(place // TO_ROLL) for place in choices]) for choices in classes]
        mean = Fraction(sum(map(mul, steps, classes.values())), ORDERS[dice])
        by_dice.append(
            Dice(farkles, [*classes.values()], _pick([at[choices] for choices in classes]), mean, max(steps))
        )
    first = _pick([choices[0] for choices in bests if len(choices) == 1])
    return Rolls(first, more, by_dice, max([dice.most for dice in by_dice]), rules)


def _classes(dice: int, rules: Scoring, hot_dice: bool, every: bool) -> Counter[Choices]:
    """In how many orders `dice` dice offer these choices, fewer kept dice first; none when they are a farkle."""
    classes: Counter[Choices] = Counter()
    for roll, orders in outcomes(dice):
        found = sorted({(len("".join(keep)), keep_points(keep, rules) // rules.step) for keep in keeps(roll, rules)})
        choices = found if every else dict(found).items()  # of as many dice kept the last is the best
        classes[tuple([_left(dice - kept, hot_dice) - TO_ROLL * steps for kept, steps in choices])] += orders
    return classes


def _left(dice: int, hot_dice: bool) -> int:
    return dice or (6 if hot_dice else 0)


def _pick(places: list[int]) -> Pick:
    pick: Any = itemgetter(*places)
    return pick if len(places) > 1 else lambda values: (pick(values),)


class Turn:
    """One turn, swept up from where banking is right in any case (no steps to go, or fewer) to where it begins.

    `bank` says what banking is worth, by the steps to go. At least the `minimum` may be banked, and anything when
    no die is left. Values are whole numbers of a unit, which becomes finer whenever one of them does not come out
    whole; or else it is `rounded` down.
    """

    def __init__(
        self, rolls: Rolls, bank: Callable[[int], int], farkle: Fraction, begin: int, minimum: int, rounded: bool
    ) -> None:
        self.rolls, self.bank, self.begin, self.minimum, self.rounded = rolls, bank, begin, minimum, rounded
        self.farkle, self.unit = farkle.as_integer_ratio()
        self.values = self._banked(1)
        self.rolling = [([0] * TO_ROLL, 1)]  # by steps to go: the totals by dice, and their unit
        for steps in range(1, begin + 1):
            if not rounded and not can_add_up((begin - steps) * rolls.rules.step, rolls.rules):
                # Nobody is ever there. With small steps that saves most of the work, and of the refining.
                self.rolling.append(([], 1))
                self.values += [0] * TO_ROLL
                continue
            totals = rolls.totals(self.values, self.farkle)
            self.rolling.append((totals, self.unit))
            banked = bank(steps) * self.unit
            short = begin - steps < minimum
            on = [False, *[short or totals[dice] > banked * ORDERS[dice] for dice in range(1, TO_ROLL)]]
            if not rounded and any(on[dice] and totals[dice] % ORDERS[dice] for dice in range(TO_ROLL)):
                self._refine()
                totals, banked = [total * FINER for total in totals], banked * FINER
            self.values += [totals[dice] // ORDERS[dice] if on[dice] else banked for dice in range(TO_ROLL)]

    def before(self) -> Fraction:
        """Before the first roll."""
        return self.rolled(self.begin, 6)

    def kept(self, steps: int, dice: int) -> Fraction:
        """After a keep that leaves `steps` to go and `dice` dice: roll them, or bank."""
        return Fraction(self.kept_units(steps, dice), self.unit)

    def kept_units(self, steps: int, dice: int) -> int:
        """What `kept` is, in units."""
        return self.bank(steps) * self.unit if steps <= 0 else self.values[(self.rolls.most + steps) * TO_ROLL + dice]

    def banks(self, steps: int, dice: int) -> bool:
        """Whether banking with `steps` to go is better than rolling `dice` dice, and allowed."""
        if steps <= 0 or not dice:
            return True
        totals, unit = self.rolling[steps]
        return self.begin - steps >= self.minimum and totals[dice] < self.bank(steps) * unit * ORDERS[dice]

    def rolled(self, steps: int, dice: int) -> Fraction:
        """With `steps` to go and `dice` dice in the air."""
        if steps > 0:
            totals, unit = self.rolling[steps]
        else:
            totals, unit = self.rolls.totals(self._banked(steps), self.farkle), self.unit
        if self.rounded:  # as in the table, so that rolling is worth exactly what it will be worth after the choice
            return Fraction(totals[dice] // ORDERS[dice], unit)
        return Fraction(totals[dice], ORDERS[dice] * unit)

    def _banked(self, steps: int) -> list[int]:
        """The rows below `steps` to go, as far as a roll can reach, where everything is banked."""
        rows = [self.bank(fewer) * self.unit for fewer in range(steps - self.rolls.most - 1, steps)]
        return [value for value in rows for _ in range(TO_ROLL)]

    def _refine(self) -> None:
        self.unit, self.farkle = self.unit * FINER, self.farkle * FINER
        self.values = [value * FINER for value in self.values]


def within(turn: Turn, state: State) -> Fraction:
    """A position of the turn."""
    dice, rules, hot_dice = dice_to_roll(state), scoring(state.options), state.options.hot_dice
    steps = turn.begin - state.turn_total // rules.step
    if state.phase != SELECTION:
        return turn.rolled(steps, dice)
    if state.chosen:
        return turn.kept(steps, dice)
    choices = [(keep_points(keep, rules) // rules.step, len("".join(keep))) for keep in keeps(fallen(state), rules)]
    return max([turn.kept(steps - more, _left(dice - kept, hot_dice)) for more, kept in choices])
