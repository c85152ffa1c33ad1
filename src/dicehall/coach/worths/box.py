"""What a position of Shut the Box is worth to somebody who plays perfectly for one objective.

    golf, digital, missionary   expected score of the round that is being played, by that scoring; less is better
    shut, golf<=N               chance that this round shuts the box, or leaves an open sum of at most N
    total<=N                    chance that the total of the run is at most N; one seat
    win                         chance that the run meets its goal; one seat
    rounds                      expected number of rounds survived in the tournament; one seat
    turns                       expected number of turns of the long game; one seat; less is better

All but `turns` are exact fractions, solved when they are first asked for. `turns` is not, because the long game runs
in circles; it is off by less than one part in 2^40.

A *tile set* is a number here: tile n is bit n - 1. A round only ever makes the set smaller, so one sweep from the small
sets to the large ones solves it, whatever its end pays. Values are whole numbers: everything is counted in courses of
as many rolls as a round can take, so that dividing by 36 for each roll leaves no remainder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from operator import itemgetter
from typing import Final, NamedTuple

from dicehall.errors import InvalidOption, excerpt
from dicehall.rules.box_state import OUT_AT, State, in_play
from dicehall.rules.box_tiles import Options, Tiles, all_tiles, can_roll_one_die, legal_combos, round_score
from dicehall.rules.game import outcomes
from dicehall.rules.shut_the_box import result

Value = Fraction
Worth = Callable[[State], Value]
Best = Callable[[Sequence[int]], int]  # of several values the one to play for

LOWER: Final = frozenset({"golf", "digital", "missionary", "turns"})
NEARLY: Final = frozenset({"turns"})  # a fraction too, but not true to the last digit
OBJECTIVES: Final = ("golf", "digital", "missionary", "shut", "golf<=N", "total<=N", "win", "rounds", "turns")
OF_THE_RUN: Final = ("total<=", "win", "rounds", "turns")  # the others are about one round
MOST_WORK: Final = 2 * 10**8  # for adding up rounds, in the unit of `_too_many`: some two seconds
ROUNDS_KEPT: Final = 1 << 17  # solved rounds of one run that are kept, times their tile sets
ONE_TURN: Final = 1 << 64  # in the values of `turns`
CLOSE_ENOUGH: Final = 1 << 42  # the long game is solved when a sweep changes it by less than one part in so many


def worth(options: Options, seats: int, objective: str) -> Worth:
    """What any position is worth. Objectives of a round are about the round of that position, going on or just over."""
    name, limit = _read(objective)
    if name not in OF_THE_RUN:
        if options.mode == "long":
            raise InvalidOption("objective", f"the long game has turns, not rounds; {objective} means nothing there")
        return _round_worth(_rules(options), name, limit)
    if seats > 1:
        raise InvalidOption("objective", f"{objective} is solved for one seat, not for {seats}")
    if (name == "turns") != (options.mode == "long"):
        raise InvalidOption("objective", "turns is the objective of the long game, and of no other")
    if name == "turns":
        return _turns_worth(options)
    if options.variant == "tournament45out":
        return _tournament_worth(options, name)
    if name == "rounds":
        raise InvalidOption("objective", "rounds is an objective of the tournament only")
    return _total_worth(options, name, limit)


def step_worth(options: Options, seats: int, objective: str) -> Callable[[State, State], Value]:
    """What `now` is worth to somebody who was at `before` one step ago: a round that this step ended has its score.

    The plain worth of `now` is about the next round then.
    """
    value, (name, limit) = worth(options, seats, objective), _read(objective)

    def seen(before: State, now: State) -> Value:
        same_round = not now.over and (now.seat, now.round) == (before.seat, before.round)
        if same_round or name in OF_THE_RUN:
            return value(now)
        # A move ends a round by shutting the box, a roll by fitting nothing.
        return Fraction(_pay(() if before.dice else before.open, name, limit))

    return seen


def meant(options: Options, seats: int) -> str:
    """The objective that somebody who plays with these options has in mind."""
    if options.mode == "long":
        return "turns"
    if seats > 1:
        return options.scored_by
    if options.variant == "tournament45out":
        return "rounds"
    rounds, limit = _goal(options)
    if options.mode == "rounds" and not (options.goal or options.instant):
        return options.scored_by
    return options.scored_by if _too_many(options, rounds, limit) else "win"


def _read(objective: str) -> tuple[str, int]:
    """Name and limit: golf<=12 is ("golf<=", 12), and shutting the box is golf<=0."""
    name, at_most, number = objective.partition("<=")
    if at_most and name in ("golf", "total") and number.isascii() and number.isdecimal() and len(number) < 20:
        return name + at_most, int(number)
    if objective not in OBJECTIVES or at_most:
        known = ", ".join(OBJECTIVES)
        raise InvalidOption("objective", f"shut-the-box has no objective {excerpt(objective)}; objectives: {known}")
    return ("golf<=", 0) if objective == "shut" else (objective, 0)


# One round


class Roll(NamedTuple):
    """What rolling so many dice can do to a tile set, in ways out of 36."""

    single: list[tuple[int, int]]  # for each total that fits in one way: ways to roll it, the tile set that is left
    choice: list[tuple[int, Callable[[list[int]], Sequence[int]]]]  # in several: how to look up all that may be left
    misses: int  # nothing fits
    again: int  # of these, doubles that are rolled again


class Board:
    """All tile sets under one set of rules."""

    def __init__(self, options: Options) -> None:
        numbers = all_tiles(options)
        self.tiles = [tuple([n for n in numbers if bits >> n - 1 & 1]) for bits in range(1 << len(numbers))]
        self.full = len(self.tiles) - 1
        self.mulligan, self.long = options.mulligan, options.mode == "long"
        # Every roll of a round turns a tile, but for the last one and the mulligan. `turns` is rounded down anyway.
        self.whole: int = 1 if self.long else 36 ** (len(numbers) + options.mulligan)
        self.left: list[list[list[int]]] = [[[] for _ in range(13)] for _ in self.tiles]  # by tile set, by total
        for total in range(1, 13):
            for combo in legal_combos(numbers, (total,), options):
                self._add(total, _bits(combo))
        self.dice = [_dice(tiles, options) for tiles in self.tiles]
        self.rolls = {
            2: [self._roll(2, left) for left in self.left],
            1: [self._roll(1, left) for left in self.left[:64]],
        }

    def _add(self, total: int, turned: int) -> None:
        """A set with that total: it can be turned in every tile set that contains it."""
        others = bits = self.full ^ turned
        while True:
            self.left[bits | turned][total].append(bits)
            if not bits:
                return
            bits = bits - 1 & others

    def _roll(self, dice: int, left: list[list[int]]) -> Roll:
        ways, again = [0] * 13, 0
        for roll, count in outcomes(dice):
            ways[sum(roll)] += count * 36 // 6**dice
            again += self.long and dice == 2 and roll[0] == roll[1] and not left[sum(roll)]
        totals = [(count, sets) for count, sets in zip(ways, left, strict=True) if count]
        return Roll(
            [(count, sets[0]) for count, sets in totals if len(sets) == 1],
            [(count, itemgetter(*sets)) for count, sets in totals if len(sets) > 1],
            sum([count for count, sets in totals if not sets]),
            again,
        )


class Perfect:
    """A round played perfectly, when being stuck pays `stuck[tile set]` and turning the last tile pays `done`."""

    def __init__(self, board: Board, stuck: Sequence[int], done: int, best: Best = max) -> None:
        self.board, self.best = board, best
        self.stuck = [pay * board.whole for pay in stuck]
        self.spent = self.fresh = [done * board.whole] * len(stuck)  # by tile set, before a roll; the mulligan spent
        self._sweep(self.spent, True)
        if board.mulligan:
            self.fresh = self.spent[:]  # the mulligan still there
            self._sweep(self.fresh, False)

    @property
    def start(self) -> int:
        return self.fresh[-1]

    def value(self, state: State) -> int:
        """Of a position in the round; like all values here, out of `board.whole`."""
        bits, spent = _bits(in_play(state)), state.mulligan_used or not self.board.mulligan
        if state.dice:
            values = self.spent if spent else self.fresh
            return self.best([values[left] for left in self.board.left[bits][sum(state.dice)]])
        if not bits:  # in the long game all tiles may stand open when they are to be opened: any roll ends the game
            return self.spent[0]
        dice = (state.to_roll,) if state.to_roll else self.board.dice[bits]
        return self.best([self._rolling(bits, count, spent, state.doubles_used) for count in dice])

    def _sweep(self, values: list[int], spent: bool) -> None:
        for bits in range(1, len(values)):
            values[bits] = self.best([self._rolling(bits, dice, spent) for dice in self.board.dice[bits]])

    def _rolling(self, bits: int, dice: int, spent: bool, again: bool = False) -> int:
        """With so many dice in the air. `again`: doubles that fit nothing are not rolled again, they just have been."""
        values, best = self.spent if spent else self.fresh, self.best
        roll = self.board.rolls[dice][bits]
        stuck = self.stuck[bits] if spent or not roll.misses else self._rolling(bits, dice, True, True)
        total = roll.misses * stuck
        for ways, left in roll.single:
            total += ways * values[left]
        for ways, look_up in roll.choice:
            total += ways * best(look_up(values))
        if roll.again and not again:
            total += roll.again * (total // 36 - stuck)
        return total // 36


def _bits(tiles: Tiles) -> int:
    return sum([1 << tile - 1 for tile in tiles])


def _dice(tiles: Tiles, options: Options) -> tuple[int, ...]:
    if not can_roll_one_die(tiles, options):
        return (2,)
    return (1,) if options.one_die == "forced" else (1, 2)


def _rules(options: Options) -> Options:
    """Only what decides how one round is played, so that others share its board."""
    return Options(
        tiles=options.tiles,
        variant="alwaysSumDuo" if options.variant == "alwaysSumDuo" else "standard",
        mode="long" if options.mode == "long" else "rounds",
        one_die=options.one_die,
        difficulty="hard" if options.difficulty == "hard" else "standard",
        mulligan=options.mulligan,
    )


@lru_cache(maxsize=8)
def _board(rules: Options) -> Board:
    return Board(rules)


def _pay(tiles: Tiles, name: str, limit: int) -> int:
    return round_score(tiles, "golf") <= limit if name == "golf<=" else round_score(tiles, name)


@lru_cache(maxsize=32)
def _round(rules: Options, name: str, limit: int) -> Perfect:
    board = _board(rules)
    pay = [_pay(tiles, name, limit) for tiles in board.tiles]
    return Perfect(board, pay, pay[0], min if name in LOWER else max)


def _round_worth(rules: Options, name: str, limit: int) -> Worth:
    played = _round(rules, name, limit)

    def value(state: State) -> Fraction:
        if state.over:
            return Fraction(_pay(state.open, name, limit))
        return Fraction(played.value(state), played.board.whole)

    return value


# Several rounds


class Lanes:
    """Many values side by side in one large number, so that one operation works on all of them.

    Adding, multiplying and dividing without a remainder work as they are. The greater of two values shows in a
    difference: the top bit of its lane, which no value uses, is there when nothing had to be borrowed from it.
    """

    def __init__(self, count: int, highest: int) -> None:
        self.size = highest.bit_length() // 8 + 1
        self.count, self.bits = count, 8 * self.size
        self.tops = self.pack([1 << self.bits - 1] * count)

    def pack(self, values: list[int]) -> int:
        return int.from_bytes(b"".join([value.to_bytes(self.size, "little") for value in values]), "little")

    def unpack(self, number: int) -> list[int]:
        data = number.to_bytes(self.count * self.size, "little")
        return [int.from_bytes(data[at : at + self.size], "little") for at in range(0, len(data), self.size)]

    def best(self, numbers: Sequence[int]) -> int:
        first, *others = numbers
        for other in others:
            not_less = (first | self.tops) - other & self.tops
            keep = not_less - (not_less >> self.bits - 1)  # all bits below the top one
            first = other ^ (first ^ other) & keep
        return first


class Ahead(NamedTuple):
    """Rounds to come: `chances[room]` out of `whole`, where `room` is 0 when the total is too high already, 1 when it
    may not grow, 2 when it may grow by one point, and so on up to where nothing can go wrong."""

    whole: int
    chances: list[int]

    def chance(self, room: int) -> int:
        return self.chances[min(max(room, 0), len(self.chances) - 1)]

    def shut(self, room: int, name: str) -> int:
        """What a box that ends the run is worth: it wins, but does not make good a total that is too high."""
        return self.whole if name == "win" or room else 0


def _total_worth(options: Options, name: str, limit: int) -> Worth:
    rounds, goal = _goal(options)
    if name == "win":
        limit = goal
        if options.mode == "rounds" and not goal:
            if not options.instant:
                raise InvalidOption("objective", f"these options set no goal; ask for {options.scored_by}")
            return _once_worth(options, rounds, name, 0)
    if not options.per_round_scoring:
        return _once_worth(options, rounds, name, limit)
    if _too_many(options, rounds, limit):
        raise InvalidOption("objective", f"{rounds} rounds with a total of {limit} are too many to solve exactly")
    return _sum_worth(options, rounds, name, limit)


def _goal(options: Options) -> tuple[int, int]:
    """How many rounds, and with which total they are won."""
    return (1, options.threshold) if options.mode == "threshold" else (options.rounds, options.goal)


def _rooms(options: Options, ahead: int, limit: int) -> int:
    """How many cases there are with so many rounds ahead; see `Ahead`."""
    return 2 + min(limit, ahead * round_score(all_tiles(options), options.scored_by))


def _too_many(options: Options, rounds: int, limit: int) -> bool:
    """Whether adding up so many rounds would take long. A case takes some bytes for every roll that may come."""
    work = sum([ahead * (30 + _rooms(options, ahead, limit)) for ahead in range(rounds)])
    return options.per_round_scoring and work * options.tiles << options.tiles > MOST_WORK


def _ended(state: State, name: str, limit: int) -> Fraction:
    return Fraction(state.totals[0] <= limit if name == "total<=" else result(state).winners == (0,))


@lru_cache(maxsize=16)
def _once_worth(options: Options, rounds: int, name: str, limit: int) -> Worth:
    """One good round is enough: only the best one counts, or a shut box is the only way to win."""
    board = _board(_rules(options))
    good = [round_score(tiles, options.scored_by) <= limit for tiles in board.tiles]
    played = Perfect(board, good, True)
    failing = board.whole - played.start

    def value(state: State) -> Fraction:
        if state.over:
            return _ended(state, name, limit)
        if state.round > 1 and not options.per_round_scoring and state.totals[0] <= limit:
            return Fraction(1)
        ahead = rounds - state.round
        whole = board.whole ** (ahead + 1)
        return Fraction(whole - (board.whole - played.value(state)) * failing**ahead, whole)

    return value


@lru_cache(maxsize=8)
def _sum_worth(options: Options, rounds: int, name: str, limit: int) -> Worth:
    """The scores of all rounds together have to stay within the limit."""
    board, instant = _board(_rules(options)), options.instant
    scores = [round_score(tiles, options.scored_by) for tiles in board.tiles]
    known = [Ahead(1, [0, 1])]  # by how many rounds are ahead
    for ahead in range(1, rounds):
        known.append(_one_more(board, scores, known[-1], _rooms(options, ahead, limit), name, instant))

    @lru_cache(maxsize=ROUNDS_KEPT >> options.tiles)
    def this_round(rounds_ahead: int, room: int) -> Perfect:
        ahead = known[rounds_ahead]
        stuck = [ahead.chance(room - score) for score in scores]
        return Perfect(board, stuck, ahead.shut(room, name) if instant else stuck[0])

    def value(state: State) -> Fraction:
        if state.over:
            return _ended(state, name, limit)
        played = this_round(rounds - state.round, max(limit - state.totals[0] + 1, 0))
        return Fraction(played.value(state), known[rounds - state.round].whole * board.whole)

    return value


def _one_more(board: Board, scores: list[int], ahead: Ahead, rooms: int, name: str, instant: bool) -> Ahead:
    """With one round more to come: every room there may be has a lane of its own."""
    whole = ahead.whole * board.whole
    lanes = Lanes(rooms, whole)
    pays = {
        score: lanes.pack([ahead.chance(room - score) for room in range(rooms)])
        for score in {min(score, rooms) for score in scores}
    }
    stuck = [pays[min(score, rooms)] for score in scores]
    done = lanes.pack([ahead.shut(room, name) for room in range(rooms)]) if instant else stuck[0]
    return Ahead(whole, lanes.unpack(Perfect(board, stuck, done, lanes.best).start))


# The tournament: rounds until the total is too high


@lru_cache(maxsize=4)
def _tournament_worth(options: Options, name: str) -> Worth:
    if name == "total<=":
        raise InvalidOption("objective", "the tournament has no last round; ask for rounds")
    if name == "win" and not options.instant:
        raise InvalidOption("objective", "alone, the tournament is never won; ask for rounds")
    board, instant = _board(_rules(options)), options.instant
    golf = [sum(tiles) for tiles in board.tiles]
    gain = Fraction(name == "rounds")  # for each round survived
    # What the end of a round pays by the total then: the round survived and all that may follow.
    ends = [Fraction(0)] * (OUT_AT + 1)
    for total in reversed(range(OUT_AT)):
        ends[total] = ends[total + 1]  # a first guess
        ends[total] = gain + _survival(board, golf, ends[total:], gain, instant)

    @lru_cache(maxsize=ROUNDS_KEPT >> options.tiles)
    def this_round(total: int) -> tuple[Perfect, int]:
        whole, stuck = _pays(golf, ends[total:])
        return Perfect(board, stuck, whole if instant else stuck[0]), whole * board.whole

    def value(state: State) -> Fraction:
        if state.over:
            return Fraction(result(state).scores[0] if name == "rounds" else len(result(state).winners))
        played, whole = this_round(min(state.totals[0], OUT_AT))
        return gain * (state.round - 1) + Fraction(played.value(state), whole)

    return value


def _pays(golf: list[int], ends: list[Fraction]) -> tuple[int, list[int]]:
    """What each tile set pays, out of a common number; `ends` by the points it adds, the last for all that is more."""
    whole = lcm(*[end.denominator for end in ends])
    numbers = [end.numerator * (whole // end.denominator) for end in ends]
    return whole, [numbers[min(score, len(ends) - 1)] for score in golf]


def _survival(board: Board, golf: list[int], ends: list[Fraction], gain: Fraction, instant: bool) -> Fraction:
    """What a round is worth whose end pays `ends`, by the points it adds; `ends[0]` is only a guess.

    A shut box adds nothing, so its end x is worth what another such round is: x = gain + best of (a + p x), over all
    ways to play, each with its chance p to shut. This chance rides along in the low bits, behind the value. The best
    way for one x gives a and p, and they give the next x; one that gives itself is right. There are only so many ways
    to play, and each x is better than the one before, so it ends (Newton's method).
    """
    while True:
        whole, stuck = _pays(golf, ends)
        if instant:
            return Fraction(Perfect(board, stuck, whole).start, whole * board.whole)
        low = board.whole.bit_length()
        played = Perfect(board, [pay << low for pay in stuck], (stuck[0] << low) + 1)
        value, shuts = divmod(played.start, 1 << low)
        worth_now, chance = Fraction(value, whole * board.whole), Fraction(shuts, board.whole)
        end = Fraction(gain + worth_now - chance * ends[0], 1 - chance)
        if end == ends[0]:
            return worth_now
        ends = [end, *ends[1:]]


# The long game: turn after turn, until one of them turns its last tile


class Turns(Perfect):
    """A turn, when being stuck leaves all other tiles to the next turn. What it finds out counts at once, within the
    sweep, which takes half as many of them."""

    def _sweep(self, values: list[int], spent: bool) -> None:
        for bits in range(1, len(values)):
            values[bits] = self.best([self._rolling(bits, dice, spent) for dice in self.board.dice[bits]])
            if spent is not self.board.mulligan:  # a turn begins with its mulligan, if there is one
                self.stuck[self.board.full ^ bits] = ONE_TURN + values[bits]


@lru_cache(maxsize=4)
def _turns_worth(options: Options) -> Worth:
    """Either side has the same task: the tiles it has to turn. So one list says how many turns follow, by these tiles.

    How far off can it be? A turn is stuck with a chance of at least s. If a sweep changes no value by more than d, the
    list with all values raised by d / (s - d) of themselves does not rise in a sweep, so it is not too low; lowered by
    as much it does not fall, so it is not too high. Rounding adds less than 2^-58 to d.
    """
    if options.variant == "alwaysSumDuo" and options.tiles == 12:
        raise InvalidOption("objective", "not solved: of twelve tiles, turned in twos, an odd number never ends")
    board = _board(_rules(options))
    stuck = ONE_TURN - max(Perfect(board, [0] * (board.full + 1), ONE_TURN).fresh[1:])
    turns = [0] * (board.full + 1)
    tried: list[tuple[list[int], list[int]]] = []  # the last three sweeps: what they led to, and by which changes
    while True:
        found = Turns(board, [ONE_TURN + after for after in reversed(turns)], 0, min).fresh
        changes = [new - old for new, old in zip(found, turns, strict=True)]
        if max(map(abs, changes)) * CLOSE_ENOUGH < stuck:
            break
        tried = [*tried[-2:], (found, changes)]
        turns = _mixed(tried)
    played = Perfect(board, [ONE_TURN + after for after in reversed(found)], 0, min)

    def value(state: State) -> Value:
        return Fraction(state.round * ONE_TURN + (0 if state.over else played.value(state)), ONE_TURN)

    return value


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
