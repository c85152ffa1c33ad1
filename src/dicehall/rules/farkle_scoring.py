"""Which dice score in Farkle, and what: the options, groups, keeps, and the chance that nothing scores.

A group is written as its digits, ascending: "1", "5", "222", "123456", "112233". A keep is a set of disjoint groups of
one roll, longest first: ("222", "1"). Everything depends on the sorted roll alone, so everything is remembered.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from math import gcd
from typing import Final, NamedTuple

from dicehall.errors import IllegalMove
from dicehall.rules.game import outcomes
from dicehall.rules.options import Options as BaseOptions
from dicehall.rules.options import flag, number

Keep = tuple[str, ...]

SINGLES: Final = {1: 100, 5: 50}
TRIPLES: Final = {1: 1000, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}
USUAL_STEP: Final = gcd(*SINGLES.values())  # of which all groups that are always there are multiples


@dataclass(frozen=True, slots=True)
class Options(BaseOptions):
    target: int = number(10_000, 50, 1_000_000, "banked points that end the game")
    hot_dice: bool = flag(True, "when all six dice have scored, all six may be rolled again")
    straight: bool = flag(False, "1 2 3 4 5 6 scores")
    three_pairs: bool = flag(False, "three pairs of different faces score")
    four_plus_pair: bool = flag(False, "four alike and a pair count as three pairs too")
    straight_points: int = number(1500, 50, 10_000, "points of a straight")
    three_pairs_points: int = number(1500, 50, 10_000, "points of three pairs")
    max_turns: int = number(
        0, 0, 1000, "arcade: the number of turns to make points in; the target plays no part (0: off)"
    )
    last_turn: bool = flag(False, "when a seat reaches the target, every other seat has one more turn")
    board_minimum: int = number(0, 0, 10_000, "the least a seat without points may bank")
    bank_minimum: int = number(0, 0, 10_000, "the least anybody may bank")

    def idle(self, seats: int) -> set[str]:
        idle = {"target", "last_turn"} if self.max_turns else {"last_turn"} if seats == 1 else set()
        idle |= set() if self.straight else {"straight_points"}
        return idle | (set() if self.three_pairs else {"three_pairs_points", "four_plus_pair"})


class Scoring(NamedTuple):
    """Points of the optional groups, 0 where they are off: all that tells one set of scoring rules from another."""

    straight: int = 0
    three_pairs: int = 0
    four_plus_pair: bool = False

    @property
    def step(self) -> int:
        """All points are multiples of it."""
        return gcd(USUAL_STEP, self.straight, self.three_pairs)


def scoring(options: Options) -> Scoring:
    if not options.straight and not options.three_pairs:
        return LITE  # by far the most common, and asked for at every step
    return Scoring(
        options.straight_points if options.straight else 0,
        options.three_pairs_points if options.three_pairs else 0,
        options.three_pairs and options.four_plus_pair,
    )


LITE: Final = Scoring()


@lru_cache(maxsize=1 << 12)
def group_points(group: str, rules: Scoring) -> int:
    """What a group scores; 0 when it is not a group under these rules."""
    face, size = int(group[0]), len(group)
    if group == group[0] * size:
        return SINGLES.get(face, 0) if size == 1 else TRIPLES[face] * (size - 2) if size >= 3 else 0
    if group == "123456":
        return rules.straight
    pairs = size == 6 and group[0] == group[1] and group[2] == group[3] and group[4] == group[5]
    return rules.three_pairs if pairs and (len(set(group)) == 3 or rules.four_plus_pair) else 0


def can_add_up(points: int, rules: Scoring) -> bool:
    """Whether some groups together are worth `points` points."""
    return points >= _least(rules).get(points % USUAL_STEP, points + 1)


@lru_cache(maxsize=1 << 5)
def _least(rules: Scoring) -> dict[int, int]:
    """The least points that optional groups have to bring, so that the usual ones can bring the rest: by what is left
    when all are divided by USUAL_STEP."""
    least: dict[int, int] = {}
    several = range(USUAL_STEP // rules.step)  # more of one group leave the same again
    for points in sorted([a * rules.straight + b * rules.three_pairs for a in several for b in several]):
        least.setdefault(points % USUAL_STEP, points)
    return least


def keep_points(keep: Keep, rules: Scoring) -> int:
    return sum([group_points(group, rules) for group in keep])


@lru_cache(maxsize=1 << 14)  # some fifteen sets of rules
def keeps(roll: tuple[int, ...], rules: Scoring) -> tuple[Keep, ...]:
    """Every keep of a sorted roll: most points first, and among equals the one that leaves more dice to roll."""
    found = {_keep(*ways) for ways in product(*[_ways(face, roll.count(face)) for face in set(roll)])}
    whole = "".join(map(str, roll))
    if len(roll) == 6 and len(set(roll)) > 1 and group_points(whole, rules):
        found.add((whole,))
    return tuple(sorted(found - {()}, key=lambda keep: (-keep_points(keep, rules), len("".join(keep)), keep)))


def groups(roll: tuple[int, ...], rules: Scoring) -> tuple[str, ...]:
    """Every group that could be kept from a sorted roll, most points first."""
    found = {group for keep in keeps(roll, rules) for group in keep}
    return tuple(sorted(found, key=lambda group: (-group_points(group, rules), group)))


def validate_score(roll: tuple[int, ...], selection: Keep, rules: Scoring) -> int:
    """The points of these groups out of this roll; IllegalMove when they are not all there, or do not score."""
    if _keep(selection) not in keeps(tuple(sorted(roll)), rules):
        raise IllegalMove("not-a-keep", f"{'+'.join(selection)} cannot be kept from {' '.join(map(str, roll))}")
    return keep_points(selection, rules)


@lru_cache(maxsize=1 << 8)
def farkle_ways(dice: int, rules: Scoring) -> int:
    """In how many of the 6^n orders `dice` dice score nothing."""
    return sum(weight for roll, weight in outcomes(dice) if not keeps(roll, rules))


@lru_cache(maxsize=1 << 8)
def most_points(dice: int, rules: Scoring) -> int:
    """The most that so many dice can bring, roll by roll, until none is left."""
    found = (keep for roll, _ in outcomes(dice) for keep in keeps(roll, rules))
    return max((keep_points(keep, rules) + most_points(dice - len("".join(keep)), rules) for keep in found), default=0)


@cache
def _ways(face: int, count: int) -> tuple[Keep, ...]:
    """Every way to keep some of `count` dice of one face: none, or one group beside a way to keep from the rest."""
    ways: set[Keep] = {()}
    for size in range(1, count + 1):
        if group_points(str(face) * size, Scoring()):
            ways |= {_keep((str(face) * size,), rest) for rest in _ways(face, count - size)}
    return tuple(ways)


def _keep(*parts: Keep) -> Keep:
    """One keep out of several, in canonical order."""
    return tuple(sorted([group for part in parts for group in part], key=lambda group: (-len(group), group)))
