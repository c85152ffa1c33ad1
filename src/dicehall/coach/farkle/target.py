"""Farkle to the target: alone in as few turns as can be, or in a race of two.

A table holds what a turn is worth before its first roll, and the positions inside a turn are swept from it, in whole
numbers. `turns` is off by less than one part in 10^10, `race` by less than 3e-10.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import count
from typing import Final

from dicehall.coach.farkle.contest import FURTHEST, Contest, contest_of, in_steps
from dicehall.coach.farkle.tables import FINE, ValueTable, find_table
from dicehall.coach.farkle.turn import ORDERS, Turn, Values, rolls_of, within
from dicehall.errors import InvalidOption
from dicehall.rules.farkle import result
from dicehall.rules.farkle_scoring import Options
from dicehall.rules.farkle_state import END, ROLLED, SELECTION, State
from dicehall.rules.options import option_text

WHOLE: Final = 1 << FINE


def turns_values(options: Options, seats: int) -> Values:
    if seats != 1:
        raise InvalidOption("objective", f"turns counts the turns of one seat, not of {seats}")
    contest = contest_of(options, seats)
    turns = _table("turns", options, contest).row(0)

    def value(state: State) -> Fraction:
        if state.phase == END:
            return Fraction(state.round)
        place = place_of(contest, options, state.banked[0])
        if state.phase not in (ROLLED, SELECTION):
            return state.round - 1 + Fraction(turns[place], WHOLE)
        return state.round - Fraction(within(_turns_turn(contest, place), state), WHOLE)

    return value


def race_values(options: Options, seats: int) -> Values:
    """With `last_turn` a draw counts one half."""
    if seats != 2:
        raise InvalidOption("objective", f"race is solved for two seats, not for {seats}")
    contest = contest_of(options, seats)
    win = _table("race", options, contest)

    def value(state: State) -> Fraction:
        if state.phase == END:
            winners = result(state).winners
            return Fraction(int(state.seat in winners), len(winners))
        mine, theirs = state.banked[state.seat], state.banked[1 - state.seat]
        place, begun = place_of(contest, options, mine), state.phase in (ROLLED, SELECTION)
        if state.closer >= 0:
            lack = (theirs - mine) // contest.rules.step
            found = _in_last_turn(contest, lack, place, state) if begun else _last_chance(contest, lack, place)
        else:
            other = place_of(contest, options, theirs)
            found = within(_race_turn(contest, place, other), state) if begun else win.row(place)[other]
        return Fraction(found, WHOLE)

    return value


@lru_cache(maxsize=128)
def _turns_turn(contest: Contest, place: int) -> Turn:
    """A turn's value is less than nothing here: the turns that are still to come after it."""
    turns, need, minimum = find_table("turns", contest).row(0), contest.need(place), contest.minimum(place)
    begin = max(need, minimum)
    rolls = rolls_of(contest.rules, contest.hot_dice)
    return Turn(
        rolls, lambda to_go: -turns[max(to_go - begin + need, 0)], Fraction(-turns[place]), begin, minimum, rounded=True
    )


@lru_cache(maxsize=128)
def _race_turn(contest: Contest, place: int, other: int) -> Turn:
    rolls = rolls_of(contest.rules, contest.hot_dice, every=contest.last_turn)
    need, minimum = contest.need(place), contest.minimum(place)
    their_win = find_table("race", contest).row(other)

    def lost(over: int) -> int:
        """The other's chance when the target is banked with `over` steps to spare."""
        return _last_chance(contest, contest.need(other) + over, other) if contest.last_turn else 0

    over = 0
    if contest.last_turn:
        # To roll once more wins at best always, but as often as the luckiest dice farkle it costs the lead.
        rarest = min([Fraction(dice.farkles, ORDERS[number]) for number, dice in enumerate(rolls.by_dice, 1)])
        over = next(over for over in count() if lost(over) <= rarest * their_win[place])
    begin = max(need + over, minimum)

    def bank(to_go: int) -> int:
        left = to_go - begin + need
        return WHOLE - (their_win[left] if left > 0 else lost(-left))

    return Turn(rolls, bank, Fraction(WHOLE - their_win[place]), begin, minimum, rounded=True)


def _last_chance(contest: Contest, lack: int, place: int) -> int:
    """What the last turn of a seat in `place` is worth that lacks `lack` steps, before its first roll."""
    last = find_table("last", contest).row(int(place > contest.target))
    return last[lack] if lack < len(last) else 0


def _in_last_turn(contest: Contest, lack: int, place: int, state: State) -> Fraction:
    """Of a lead that no turn makes good only what the turn total has left of it is swept."""
    far = len(find_table("last", contest).row(0)) + rolls_of(contest.rules, contest.hot_dice).most
    turn_total, spare = state.turn_total // contest.rules.step, 0
    if lack - turn_total >= far:
        return Fraction(0)
    if lack >= far:
        spare = max(min(turn_total, lack) - contest.minimum(place), 0)
    shorter = state._replace(turn_total=(turn_total - spare) * contest.rules.step)
    return within(_last_turn(contest, lack - spare, place), shorter)


@lru_cache(maxsize=16)
def _last_turn(contest: Contest, lack: int, place: int) -> Turn:
    minimum = contest.minimum(place)
    begin = max(lack + 1, minimum)

    def bank(to_go: int) -> int:
        turn_total = begin - to_go
        return WHOLE if turn_total > lack else WHOLE >> 1 if turn_total == lack else 0

    return Turn(rolls_of(contest.rules, contest.hot_dice), bank, Fraction(0), begin, minimum, rounded=True)


def place_of(contest: Contest, options: Options, banked: int = 0) -> int:
    """Where a seat is that has `banked` points."""
    return contest.target + 1 if contest.entry and not banked else in_steps(options.target - banked, contest.rules)


def _table(kind: str, options: Options, contest: Contest) -> ValueTable:
    if options.max_turns:
        raise InvalidOption("objective", f"with max_turns the target plays no part, so {kind} has no meaning")
    if contest.target > FURTHEST:
        furthest = FURTHEST * contest.rules.step
        raise InvalidOption("objective", f"with these points {kind} is solved for a target of at most {furthest}")
    try:
        return find_table(kind, contest)
    except KeyError:
        changed = " ".join([f"--option {name}={option_text(value)}" for name, value in options.changed().items()])
        how = f"`dicehall solve farkle {changed}`"
        raise InvalidOption("objective", f"no book here has {kind} under these options; build it: {how}") from None
