"""Shut the Box: fold every tile before the dice leave you stuck.

All tiles, 1 to 9 or 1 to 12, stand open. Roll two dice and shut any set of open tiles that adds up to the total; go on
until nothing fits. What is still open is your score for the round, the less the better; a shut box scores nothing at
all and ends the round at once. Once the high tiles are shut you may roll one die instead of two.

Variants say how many tiles a roll may shut and how the rest is scored; see the options. `rounds` are played by every
seat in turn and the lowest total wins; alone, a total within the goal. tournament45out: rounds go on, and a seat is
out when its total reaches 45. `threshold`: one round, at most `threshold` points. `long`: a shut turn, then an open
turn on the same board (every rule mirrored), and so on, until the box is shut or all tiles stand open; doubles that
fit nothing are rolled again once.

    moves   7+4 (the tiles), and before a roll, where there is a choice: one, two (dice)
    state   1234.67.. 65 0 2 11:7x - -    see shut_the_box_state.py
    dice    two, or one
"""

from __future__ import annotations

from typing import Final

from dicehall.rules.game import DICE, NOBODY, Aim, Result
from dicehall.rules.options import OptionValue
from dicehall.rules.shut_the_box_state import ONE, OUT_AT, TWO, Move, in_play
from dicehall.rules.shut_the_box_state import SEATS as SEATS
from dicehall.rules.shut_the_box_state import State as State
from dicehall.rules.shut_the_box_state import move_text as move_text
from dicehall.rules.shut_the_box_state import read_move as read_move
from dicehall.rules.shut_the_box_state import read_state as read_state
from dicehall.rules.shut_the_box_state import state_text as state_text
from dicehall.rules.shut_the_box_tiles import Options as Options
from dicehall.rules.shut_the_box_tiles import all_tiles, can_roll_one_die, has_shut_the_box, legal_combos, round_score

ID: Final = "shut-the-box"
TITLE: Final = "Shut the Box"
VERSION: Final = 1

PRESETS: Final[dict[str, dict[str, OptionValue]]] = {
    "classic": {},
    "strict": {"goal": 40},
    # Even chances for perfect play, as 45 is about one in three for nine tiles and five rounds.
    "easy": {"difficulty": "easy", "mulligan": True, "goal": 38},
    "hard": {"difficulty": "hard", "goal": 59},
    "threshold": {"mode": "threshold"},
    "tournament": {"variant": "tournament45out"},
    "long": {"mode": "long"},
    "twelve": {"tiles": 12, "goal": 175},
}


def aim(options: Options, seats: int) -> Aim:
    if options.variant == "tournament45out" and seats == 1:
        return Aim("rounds")
    return Aim("turns" if options.mode == "long" and seats == 1 else "points", lower_is_better=True)


def start(options: Options, seats: int) -> State:
    return State(options, all_tiles(options), (0,) * seats)


def seats_of(state: State) -> int:
    return len(state.totals)


def actor(state: State) -> int:
    if state.over:
        return NOBODY
    if state.dice or (not state.to_roll and _may_choose(state)):
        return state.seat
    return DICE


def dice_to_roll(state: State) -> int:
    if state.to_roll:
        return state.to_roll
    return 1 if state.options.one_die == "forced" and can_roll_one_die(in_play(state), state.options) else 2


def rolled(state: State, dice: tuple[int, ...]) -> State:
    options, tiles, totals, seat, turn, _, _, out, opening, mulligan_used, _, _ = state
    if legal_combos(in_play(state), dice, options):
        return State(options, tiles, totals, seat, turn, dice, 0, out, opening, mulligan_used)
    if options.mode == "long" and len(dice) == 2 and dice[0] == dice[1] and not state.doubles_used:
        return state._replace(to_roll=2, doubles_used=True)
    if options.mulligan and not mulligan_used:
        return state._replace(to_roll=len(dice), mulligan_used=True, doubles_used=options.mode == "long")
    return end_round(state)


def legal(state: State) -> tuple[Move, ...]:
    if state.dice:
        return legal_combos(in_play(state), state.dice, state.options)
    return (ONE, TWO) if actor(state) >= 0 else ()


def after(state: State, move: Move) -> State:
    if isinstance(move, str):
        return state._replace(to_roll=1 if move == ONE else 2)
    left = tuple([tile for tile in in_play(state) if tile not in move])
    standing = tuple([t for t in all_tiles(state.options) if t not in left]) if state.opening else left
    options, _, totals, seat, turn, _, _, out, opening, mulligan_used, _, _ = state
    turned = State(options, standing, totals, seat, turn, (), 0, out, opening, mulligan_used)
    return turned if left else end_round(turned)


def result(state: State) -> Result:
    alone = len(state.totals) == 1
    if state.options.mode == "long":
        return Result((state.round,), (0,), state.over) if alone else _long_result(state)
    if alone and state.options.variant == "tournament45out":
        return Result((state.round,), (0,), "shut") if state.over == "shut" else Result((state.round - 1,), (), "out")
    if state.over == "shut":
        return Result(state.totals, (state.seat,), "shut")
    return _result_alone(state) if alone else _lowest_total(state)


def _long_result(state: State) -> Result:
    """Of the long game of two: one shuts tiles, the other opens them."""
    standing = sum(state.open)
    sums = (standing, sum(all_tiles(state.options)) - standing)
    return Result(sums, (0,) if state.over == "shut" else (1,), state.over)


def _result_alone(state: State) -> Result:
    (total,), most = state.totals, limit(state.options, seats=1)
    if most is None:
        return Result((total,), (), "complete")
    return Result((total,), (0,), "goal-met") if total <= most else Result((total,), (), "goal-missed")


def _lowest_total(state: State) -> Result:
    """Of several seats: whoever has the lowest total wins, in a tournament among those who are not out."""
    totals = state.totals
    running = [seat for seat in range(len(totals)) if seat not in state.out]
    if state.options.variant == "tournament45out":
        running = [seat for seat in running if totals[seat] < OUT_AT] or running
    best = min(totals[seat] for seat in running)
    return Result(totals, tuple(seat for seat in running if totals[seat] == best), state.over)


def limit(options: Options, seats: int) -> int | None:
    """The most points with which one who plays alone still wins; None where points decide nothing, or beside others."""
    if seats > 1 or options.mode == "long" or options.variant == "tournament45out":
        return None
    return options.threshold if options.mode == "threshold" else options.goal or None


def start_round(options: Options, totals: tuple[int, ...], seat: int, turn: int, out: tuple[int, ...] = ()) -> State:
    """A seat's round, on a full board."""
    return State(options, all_tiles(options), totals, seat, turn, (), 0, out)


def end_round(state: State) -> State:
    """The seat is stuck, or the box is shut: score, then the next seat, the next round or the end."""
    options, tiles, totals, seat, turn, _, _, out, opening, _, _, _ = state
    if options.mode == "long":
        if not in_play(state):
            return _over(state, totals, "opened" if opening else "shut")
        return State(options, tiles, totals, (seat + 1) % len(totals), turn + 1, opening=not opening)
    score, before = round_score(tiles, options.scored_by), totals[seat]
    mine = before + score if options.per_round_scoring else score if turn == 1 else min(before, score)
    totals = (*totals[:seat], mine, *totals[seat + 1 :])
    if options.instant and has_shut_the_box(tiles):
        return _over(state, totals, "shut")
    for other in range(seat + 1, len(totals)):
        if other not in out:
            return start_round(options, totals, other, turn, out)
    if options.variant == "tournament45out":
        staying = [other for other, total in enumerate(totals) if total < OUT_AT]
        if len(staying) < min(len(totals), 2):
            return _over(state, totals, "out")
        out = tuple(other for other, total in enumerate(totals) if total >= OUT_AT)
        return start_round(options, totals, staying[0], turn + 1, out)
    if turn == (options.rounds if options.mode == "rounds" else 1):
        return _over(state, totals, "rounds")
    return start_round(options, totals, 0, turn + 1)


def _over(state: State, totals: tuple[int, ...], why: str) -> State:
    return state._replace(totals=totals, dice=(), to_roll=0, doubles_used=False, over=why)


def why_not(state: State, move: Move) -> tuple[str, str]:
    if not state.dice:
        return "dice-first", "choose how many dice to roll first"
    if isinstance(move, str):
        return "already-rolled", "the dice are on the table; choose tiles"
    if not set(move) <= set(in_play(state)):
        return "tile-not-there", "not all of these tiles can be turned"
    if sum(move) != sum(state.dice):
        return "wrong-sum", f"the tiles add up to {sum(move)}, the dice to {sum(state.dice)}"
    return "tile-count", "that is not a number of tiles these rules allow"


def _may_choose(state: State) -> bool:
    return state.options.one_die != "forced" and can_roll_one_die(in_play(state), state.options)
