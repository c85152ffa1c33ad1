"""Shut the Box: fold every tile before the dice leave you stuck.

All tiles, 1 to 9 or 1 to 12, stand open. Roll two dice and shut any set of open tiles that adds up to the total; go on
until nothing fits. What is still open is your score for the round, the less the better; a shut box scores nothing at
all and ends the round at once. Once the high tiles are shut you may roll one die instead of two.

Variants say how many tiles a roll may shut and how the rest is scored; see the options. `rounds` are played by every
seat in turn and the lowest total wins; alone, a total within the goal. tournament45out: rounds go on, and a seat is
out when its total reaches 45. `threshold`: one round, at most so many points. `long`: a shut turn, then an open turn
on the same board (every rule mirrored), and so on, until the box is shut or all tiles stand open; doubles that fit
nothing are rolled again once.

    moves   7+4 (the tiles), and before a roll, where there is a choice: one, two (dice)
    state   1234.67.. 65 0 2 11:7x -      tiles (. where shut), dice: on the table, or * for each to be rolled, or -
            before that is chosen; seat, round, total of each seat (x: out), then any of o an opening turn,
            m mulligan used, d doubles rolled again, or what ended the game (-: nothing of these)
    dice    two, or one
"""

from __future__ import annotations

from typing import Final, NamedTuple

from dicehall.errors import InvalidText, excerpt
from dicehall.rules.box_tiles import Options as Options
from dicehall.rules.box_tiles import Tiles, all_tiles, can_roll_one_die, has_shut_the_box, legal_combos, round_score
from dicehall.rules.game import DICE, NOBODY, Aim, Result, read_number, split_state
from dicehall.rules.options import OptionValue

Move = str | Tiles  # ONE, TWO, or the tiles to turn, highest first

ID: Final = "shut-the-box"
TITLE: Final = "Shut the Box"
VERSION: Final = 1
SEATS: Final = range(1, 7)

ONE: Final = "one"
TWO: Final = "two"
OUT_AT: Final = 45
_MARKS: Final = dict(zip(range(1, 13), "123456789ABC", strict=True))
_TILE_NAMES: Final = {str(tile) for tile in _MARKS}
_ENDINGS: Final = ("shut", "opened", "out", "rounds")

PRESETS: Final[dict[str, dict[str, OptionValue]]] = {
    "classic": {},
    "strict": {"goal": 40},
    "easy": {"difficulty": "easy", "mulligan": True},
    "hard": {"difficulty": "hard"},
    "threshold": {"mode": "threshold"},
    "tournament": {"variant": "tournament45out"},
    "long": {"mode": "long"},
    "twelve": {"tiles": 12},
}


class State(NamedTuple):
    options: Options
    open: Tiles
    totals: tuple[int, ...]
    seat: int = 0
    round: int = 1  # in the long game: the turn
    dice: tuple[int, ...] = ()  # on the table, waiting for tiles
    to_roll: int = 0  # dice in the air; 0: not chosen yet, or nothing to choose
    out: tuple[int, ...] = ()  # tournament: seats that were out before this round began
    opening: bool = False  # the long game's other side: tiles are opened, not shut
    mulligan_used: bool = False
    doubles_used: bool = False  # doubles that fitted nothing have just been rolled again
    over: str = ""  # what ended the game


def aim(options: Options, seats: int) -> Aim:
    if options.variant == "tournament45out" and seats == 1:
        return Aim("rounds")
    return Aim("turns" if options.mode == "long" and seats == 1 else "points", lower_is_better=True)


def start(options: Options, seats: int) -> State:
    return State(options, all_tiles(options), (0,) * seats)


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
    if legal_combos(in_play(state), dice, state.options):
        return state._replace(dice=dice, to_roll=0, doubles_used=False)
    if state.options.mode == "long" and len(dice) == 2 and dice[0] == dice[1] and not state.doubles_used:
        return state._replace(to_roll=2, doubles_used=True)
    if state.options.mulligan and not state.mulligan_used:
        return state._replace(to_roll=len(dice), mulligan_used=True, doubles_used=True)
    return _end_round(state)


def legal(state: State) -> tuple[Move, ...]:
    if state.dice:
        return legal_combos(in_play(state), state.dice, state.options)
    return (ONE, TWO) if actor(state) >= 0 else ()


def after(state: State, move: Move) -> State:
    if isinstance(move, str):
        return state._replace(to_roll=1 if move == ONE else 2)
    left = tuple([tile for tile in in_play(state) if tile not in move])
    standing = tuple([t for t in all_tiles(state.options) if t not in left]) if state.opening else left
    state = state._replace(open=standing, dice=())
    return state if left else _end_round(state)


def result(state: State) -> Result:
    options, totals, seats = state.options, state.totals, len(state.totals)
    if options.mode == "long":
        if seats == 1:
            return Result((state.round,), (0,), state.over)
        standing = sum(state.open)
        sums = (standing, sum(all_tiles(options)) - standing)
        return Result(sums, (0,) if state.over == "shut" else (1,), state.over)
    if seats == 1 and options.variant == "tournament45out":
        return Result((state.round,), (0,), "shut") if state.over == "shut" else Result((state.round - 1,), (), "out")
    if state.over == "shut":
        return Result(totals, (state.seat,), "shut")
    if seats == 1:
        limit = options.threshold if options.mode == "threshold" else options.goal
        if options.mode == "rounds" and not options.goal:
            return Result(totals, (), "complete")
        return Result(totals, (0,), "goal-met") if totals[0] <= limit else Result(totals, (), "goal-missed")
    running = [seat for seat in range(seats) if seat not in state.out]
    if options.variant == "tournament45out":
        running = [seat for seat in running if totals[seat] < OUT_AT] or running
    best = min(totals[seat] for seat in running)
    return Result(totals, tuple(seat for seat in running if totals[seat] == best), state.over)


def in_play(state: State) -> Tiles:
    """The tiles still to be turned: the open ones, or in an opening turn the shut ones."""
    if not state.opening:
        return state.open
    return tuple([tile for tile in all_tiles(state.options) if tile not in state.open])


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


def read_move(text: str) -> Move:
    if text in (ONE, TWO):
        return text
    parts = text.split("+") if isinstance(text, str) and len(text) <= 30 else []
    if not parts or not set(parts) <= _TILE_NAMES or len(set(parts)) < len(parts):
        raise InvalidText("move", f"{excerpt(text)} is not one, two or tiles like 7+4")
    return tuple(sorted(map(int, parts), reverse=True))


def move_text(move: Move) -> str:
    return move if isinstance(move, str) else "+".join(map(str, move))


def state_text(state: State) -> str:
    tiles = "".join(_MARKS[tile] if tile in state.open else "." for tile in all_tiles(state.options))
    dice = "".join(map(str, state.dice)) or "*" * state.to_roll or "-"
    totals = ":".join(f"{total}{'x' if seat in state.out else ''}" for seat, total in enumerate(state.totals))
    used = ((state.opening, "o"), (state.mulligan_used, "m"), (state.doubles_used, "d"))
    flags = "".join(mark for is_set, mark in used if is_set)
    return f"{tiles} {dice} {state.seat} {state.round} {totals} {flags + state.over or '-'}"


def read_state(options: Options, text: str) -> State:
    tiles, dice, seat, turn, totals, marks = split_state("shut-the-box", text, "tiles dice seat round totals flags")
    parts, over = totals.split(":"), next((word for word in _ENDINGS if marks.endswith(word)), "")
    flags = marks.removesuffix(over)
    state = State(
        options,
        tuple(tile for tile, mark in zip(all_tiles(options), tiles, strict=False) if mark == _MARKS[tile]),
        tuple(read_number(part.removesuffix("x"), 10**18) for part in parts),
        read_number(seat),
        read_number(turn),
        tuple(int(die) for die in dice if die in "123456"),
        dice.count("*"),
        tuple(place for place, part in enumerate(parts) if part.endswith("x")),
        "o" in flags,
        "m" in flags,
        "d" in flags,
        over,
    )
    if state_text(state) != text or not _possible(state):
        raise InvalidText("state", "no game under these options comes to this state")
    return state


def _possible(state: State) -> bool:
    options, left, seats = state.options, in_play(state), len(state.totals)
    long, one_die = options.mode == "long", can_roll_one_die(left, options)
    usable = (
        seats in options.seats(SEATS)
        and state.seat < seats
        and state.round >= 1
        and (long or not state.opening)
        and (options.mulligan or not state.mulligan_used)
        and (options.mulligan or long or not state.doubles_used)
        and (options.variant == "tournament45out" or not state.out)
        and state.seat not in state.out
    )
    if state.over:
        turned = not left if long else state.over not in ("shut", "opened") or (options.instant and not left)
        return usable and turned and (state.over == "opened") == state.opening and not state.dice and not state.to_roll
    if state.dice:
        right_number = len(state.dice) == 2 or (len(state.dice) == 1 and one_die)
        return usable and right_number and bool(legal(state)) and state.to_roll == 0
    return usable and bool(left or state.opening) and (state.to_roll in (0, 2) or (state.to_roll == 1 and one_die))


def _may_choose(state: State) -> bool:
    return state.options.one_die != "forced" and can_roll_one_die(in_play(state), state.options)


def _end_round(state: State) -> State:
    """The seat is stuck, or the box is shut: score, then the next seat, the next round or the end."""
    options, seat, turn, seats = state.options, state.seat, state.round, len(state.totals)
    if options.mode == "long":
        if not in_play(state):
            return state._replace(to_roll=0, over="opened" if state.opening else "shut")
        return State(options, state.open, state.totals, (seat + 1) % seats, turn + 1, opening=not state.opening)
    score = round_score(state.open, options.scored_by)
    before = state.totals[seat]
    mine = before + score if options.per_round_scoring else score if turn == 1 else min(before, score)
    totals = (*state.totals[:seat], mine, *state.totals[seat + 1 :])
    done = state._replace(totals=totals, dice=(), to_roll=0, doubles_used=False)
    if options.instant and has_shut_the_box(state.open):
        return done._replace(over="shut")
    waiting = [other for other in range(seat + 1, seats) if other not in state.out]
    if waiting:
        return State(options, all_tiles(options), totals, waiting[0], turn, out=state.out)
    if options.variant == "tournament45out":
        staying = [other for other in range(seats) if totals[other] < OUT_AT]
        if len(staying) < min(seats, 2):
            return done._replace(over="out")
        out = tuple(other for other in range(seats) if other not in staying)
        return State(options, all_tiles(options), totals, staying[0], turn + 1, out=out)
    if turn == (options.rounds if options.mode == "rounds" else 1):
        return done._replace(over="rounds")
    return State(options, all_tiles(options), totals, 0, turn + 1)
