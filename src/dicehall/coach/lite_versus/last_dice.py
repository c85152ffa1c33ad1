"""Perfect play of Knucklebones-lite versus when few dice are left: every side that either seat can come to, against
every side of the other, at all leads that can come up.

How many dice are to come tells whose turn it is. So positions fall into levels, and at each of them any side that one
seat can have by then may meet any of the other's. Of a side one large number holds in how many ways the game is won
against each of the other's sides, lead by lead: a *lane* of 32 bits for each. What is quick with one number is quick
with all of its lanes (as in `dicehall.coach.lanes`): adding them up, taking the better of two, moving every lead by the
points of a row. Then it is the other's turn, and the lanes are dealt out anew, by its sides.
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from itertools import chain, product
from typing import Final, NamedTuple

from dicehall.coach.lite_versus.sides import Side, choices

LANE: Final = 32  # bits: two times the ways of eleven dice, and a bit on top that no number uses
BYTES: Final = LANE // 8
WORD: Final = next(code for code in "ILQ" if array(code).itemsize == BYTES)
ORDER: Final = "little" if array(WORD, [1]).tobytes()[0] else "big"  # of the bytes in a word, on this machine

Step = tuple[Side, int]  # what a side becomes, and the points of the row that this fills up
Gains = dict[Side, tuple[int, int]]  # the least and the most points that a seat can have made on the way there
Lanes = dict[tuple[int, int], dict[Side, int]]  # by the full rows of both, the seat's first whose sides they are


class Group(NamedTuple):
    """Sides of one seat with as many dice and as many full rows: their leads lie together."""

    sides: list[Side]  # those without a token first
    least: int  # points made on the way
    most: int


Level = dict[int, Group]  # by full rows, after some dice of one's own


class LastDice:
    """Numbers tell in how many ways the seat to move wins, a draw being one win of two, out of 2 x 6^(dice to come and
    tokens left); a token's die counts whether it is used or not."""

    def __init__(self, wild: str) -> None:
        self.wild = wild

    def before(self, mine: Side, theirs: Side, lead: int) -> int:
        """Where `mine` is to roll, or the game is over."""
        return self._solve({mine: (0, 0)}, [], theirs, lead)[mine, 0]

    def after(self, mine: Side, die: int, theirs: Side, lead: int) -> dict[Step, int]:
        """Where `mine` has rolled `die`, by what it can make of it. To spend the token makes the same side without."""
        begun: Gains = {mine._replace(token=False): (0, 0)} if mine.token else {}
        return self._solve(begun, choices(mine, self.wild)[die - 1], theirs, lead)

    def _solve(self, begun: Gains, placed: list[Step], theirs: Side, lead: int) -> dict[Step, int]:
        """For the seat that has the sides in `begun` before its roll, or those in `placed` when `theirs` is to roll."""
        seats = self._levels(begun, placed), self._levels({theirs: (0, 0)}, [])
        to_come = len(seats[0]) + len(seats[1]) - 2
        worth: dict[Step, int] = {}
        found: Lanes = {}
        for left in range(to_come + 1):
            mover, gone = (to_come - left) % 2, ((to_come - left + 1) // 2, (to_come - left) // 2)
            mine, others = seats[mover][gone[mover]], seats[1 - mover][gone[1 - mover]]
            if left:
                after = seats[mover][gone[mover] + 1]
                found = self._best(_dealt(found, others, after), mine, after, others, mover == 0)
            else:
                found = _ends(mine, others, lead, mover == 0)
            if left == to_come - 1:
                worth = {(side, points): _lane(found, theirs, mine, side, points, others) for side, points in placed}
        return worth | {(side, 0): _lane(found, side, mine, theirs, 0, others) for side in begun}

    def _levels(self, begun: Gains, placed: list[Step]) -> list[Level]:
        """All that the sides in `begun`, and after a die those in `placed`, can come to, die by die."""
        levels, gains = list[Level](), begun
        while True:
            for side, (least, most) in list(gains.items()):
                if side.token and side.rows:
                    _reach(gains, side._replace(token=False), least, most)
            levels.append(_grouped(gains))
            after: Gains = {}
            for side, (least, most) in gains.items():
                for becomes, low, high in _steps(side, self.wild):
                    _reach(after, becomes, least + low, most + high)
            for side, points in placed:
                _reach(after, side, points, points)
            if not after:
                return levels
            gains, placed = after, []

    def _best(self, known: Lanes, mine: Level, after: Level, others: Level, greater: bool) -> Lanes:
        """Of the sides in `mine`, which are to roll: the sum over all dice of the best that each can be made into, by
        what is `known` of the sides `after` the die. If not `greater`, less is better."""
        found: Lanes = {}
        for (full, group), (other, against) in product(mine.items(), others.items()):
            width = len(against.sides)
            count = width * (group.most - group.least + against.most - against.least + 1)
            tops = int.from_bytes((bytes(BYTES - 1) + b"\x80") * count, "little")
            whole = (1 << LANE * count) - 1
            here = found[full, other] = dict[Side, int]()
            for side in group.sides:
                rerolled = here[side._replace(token=False)] if side.token else None
                total = 0
                for dice in choices(side, self.wild):
                    best = rerolled
                    for becomes, points in dice:
                        now = 3 - len(becomes.rows)
                        leads = points + group.least - after[now].least
                        if not greater:
                            leads = after[now].most - group.most - points
                        number, bits = known[now, other][becomes], LANE * width * leads
                        if bits:
                            number = number >> bits if bits > 0 else number << -bits
                        if best is None:
                            best = number
                            continue
                        # The top bit of a lane stays where nothing had to be borrowed from it. There the difference is
                        # what one is better than the other, and nothing changes elsewhere.
                        apart = (best | tops) - number if greater else (number | tops) - best
                        stays = apart & tops
                        apart &= stays - (stays >> LANE - 1)
                        best = number + apart if greater else number - apart
                    total += best or 0
                here[side] = total & whole
        return found


def _reach(gains: Gains, side: Side, least: int, most: int) -> None:
    low, high = gains.get(side, (least, most))
    gains[side] = min(low, least), max(high, most)


def _grouped(gains: Gains) -> Level:
    by_full: dict[int, list[Side]] = {}
    for side in sorted(gains, key=lambda side: side.token):
        by_full.setdefault(3 - len(side.rows), []).append(side)
    return {
        full: Group(sides, min(gains[side][0] for side in sides), max(gains[side][1] for side in sides))
        for full, sides in by_full.items()
    }


def _ends(mine: Level, others: Level, lead: int, greater: bool) -> Lanes:
    """Full boards, `lead` being that of the seat that has begun, who is `mine` if `greater`."""
    (full, group), (other, against) = *mine.items(), *others.items()
    least, most = group.least - against.most, group.most - against.least
    leads = range(lead + least, lead + most + 1) if greater else range(lead - most, lead - least + 1)
    found = {
        side: _number(
            [_end(side, one, at) if greater else _end(one, side, at) for at in leads for one in against.sides]
        )
        for side in group.sides
    }
    return {(full, other): found}


def _end(mine: Side, theirs: Side, lead: int) -> int:
    draw = int(6 ** (mine.token + theirs.token))
    return draw * (2 * (lead > 0) + (lead == 0) * ((mine.high >= theirs.high) + (mine.high > theirs.high)))


def _dealt(known: Lanes, mine: Level, others: Level) -> Lanes:
    """What is known of sides in `mine`, each against all `others`: of those, each against all in `mine`."""
    found: Lanes = {}
    for (full, other), numbers in known.items():
        width, across = len(mine[full].sides), len(others[other].sides)
        count = mine[full].most - mine[full].least + others[other].most - others[other].least + 1
        dealt = [array(WORD, bytes(BYTES * count * width)) for _ in range(across)]
        for at, number in enumerate(numbers.values()):
            lanes = array(WORD, number.to_bytes(BYTES * count * across, ORDER))
            for place, one in enumerate(dealt):
                one[at::width] = lanes[place::across]
        sides = others[other].sides
        found[other, full] = {
            side: int.from_bytes(one.tobytes(), ORDER) for side, one in zip(sides, dealt, strict=True)
        }
    return found


def _lane(known: Lanes, side: Side, mine: Level, against: Side, points: int, others: Level) -> int:
    """What is known of `side` against another, that has made so many points."""
    other = 3 - len(against.rows)
    group = others[other]
    lane = (points - group.least) * len(group.sides) + group.sides.index(against)
    return known[3 - len(side.rows), other][side] >> LANE * lane & (1 << LANE) - 1


def _number(lanes: list[int]) -> int:
    return int.from_bytes(array(WORD, lanes).tobytes(), ORDER)


@lru_cache(maxsize=5000)
def _steps(side: Side, wild: str) -> list[tuple[Side, int, int]]:
    """All that a side can become with any die, with the least and the most points that it makes."""
    found: Gains = {}
    for becomes, points in chain.from_iterable(choices(side, wild)):
        _reach(found, becomes, points, points)
    return [(becomes, *points) for becomes, points in found.items()]
