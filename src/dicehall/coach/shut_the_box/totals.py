"""Several rounds of Shut the Box: the chance that their scores, added up or the best of them, meet a limit.

How a round is best played depends on how much room its predecessors left. So all rooms there may be are solved at once,
round by round from the last one back, side by side in one large number.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from dicehall.coach.lanes import Lanes
from dicehall.coach.objective import Objective
from dicehall.coach.shut_the_box.book import read_numbers, title_of
from dicehall.coach.shut_the_box.one_round import ROUNDS_KEPT, Box, Perfect, Values, box_of, rules_of
from dicehall.errors import InvalidOption
from dicehall.rules.shut_the_box import result
from dicehall.rules.shut_the_box_state import State
from dicehall.rules.shut_the_box_tiles import Options, all_tiles, round_score

MOST_WORK: Final = 10**8  # for adding up rounds, in the unit of `too_many`: some two seconds
KIND: Final = "totals"  # of its chapters in the book,
BOOK_AHEAD: Final = 4  # which know as many rounds to come
BOOK_LIMIT: Final = 60  # with totals up to this one


class Ahead(NamedTuple):
    """Rounds to come: `chances[room]` out of `whole`, where `room` is 0 when the total is too high already, 1 when it
    may not grow, 2 when it may grow by one point, and so on up to where nothing can go wrong."""

    whole: int
    chances: list[int]

    def chance(self, room: int) -> int:
        return self.chances[min(max(room, 0), len(self.chances) - 1)]

    def shut(self, room: int, wins: bool) -> int:
        """What a shut box that ends the run is worth: it may be what `wins`, but does not make good a total that is too
        high."""
        return self.whole if wins or room else 0


NONE_AHEAD: Final = Ahead(1, [0, 1])


def total_values(options: Options, objective: Objective) -> Values:
    """For winning, or for a total of at most the objective's limit."""
    rounds, goal = goal_of(options)
    wins, limit = objective.limit is None, goal if objective.limit is None else objective.limit
    if wins and options.mode == "rounds" and not goal:
        if not options.instant:
            raise InvalidOption("objective", f"these options set no goal; ask for {options.scored_by}")
        return _once_values(options, rounds, wins, 0)
    if not options.per_round_scoring:
        return _once_values(options, rounds, wins, limit)
    if too_many(options, rounds, limit):
        raise InvalidOption("objective", f"{rounds} rounds with a total of {limit} are too many to solve exactly")
    return _sum_values(options, rounds, wins, limit)


def goal_of(options: Options) -> tuple[int, int]:
    """How many rounds, and with which total they are won."""
    return (1, options.threshold) if options.mode == "threshold" else (options.rounds, options.goal)


def _rooms(options: Options, ahead: int, limit: int) -> int:
    """How many cases there are with `ahead` rounds to come; see `Ahead`."""
    return 2 + min(limit, ahead * round_score(all_tiles(options), options.scored_by))


def too_many(options: Options, rounds: int, limit: int) -> bool:
    """Whether adding up `rounds` rounds would take long. A case takes some bytes for every roll that may come."""
    work = sum([ahead * (30 + _rooms(options, ahead, limit)) for ahead in range(rounds)]) << options.mulligan
    return options.per_round_scoring and work * options.tiles << options.tiles > MOST_WORK


def _ended(state: State, wins: bool, limit: int) -> Fraction:
    return Fraction(result(state).winners == (0,) if wins else state.totals[0] <= limit)


@lru_cache(maxsize=16)
def _once_values(options: Options, rounds: int, wins: bool, limit: int) -> Values:
    """One good round is enough: only the best one counts, or a shut box is the only way to win."""
    box = box_of(options)
    good = [round_score(tiles, options.scored_by) <= limit for tiles in box.tiles]
    played = Perfect(box, good, True)
    failing = box.whole - played.start

    def value(state: State) -> Fraction:
        if state.over:
            return _ended(state, wins, limit)
        if state.round > 1 and not options.per_round_scoring and state.totals[0] <= limit:
            return Fraction(1)
        ahead = rounds - state.round
        whole = box.whole ** (ahead + 1)
        return Fraction(whole - (box.whole - played.value(state)) * failing**ahead, whole)

    return value


@lru_cache(maxsize=8)
def _sum_values(options: Options, rounds: int, wins: bool, limit: int) -> Values:
    """The scores of all rounds together have to stay within the limit."""
    box, instant = box_of(options), options.instant
    scores = [round_score(tiles, options.scored_by) for tiles in box.tiles]
    known = _from_book(options, limit) or [NONE_AHEAD]
    for ahead in range(len(known), rounds):
        known.append(_one_more(box, scores, known[-1], _rooms(options, ahead, limit), wins, instant))

    @lru_cache(maxsize=ROUNDS_KEPT >> options.tiles)
    def this_round(rounds_ahead: int, room: int) -> Perfect:
        ahead = known[rounds_ahead]
        stuck = [ahead.chance(room - score) for score in scores]
        return Perfect(box, stuck, ahead.shut(room, wins) if instant else stuck[0])

    def value(state: State) -> Fraction:
        if state.over:
            return _ended(state, wins, limit)
        played = this_round(rounds - state.round, max(limit - state.totals[0] + 1, 0))
        return Fraction(played.value(state), known[rounds - state.round].whole * box.whole)

    return value


def _one_more(box: Box, scores: list[int], ahead: Ahead, rooms: int, wins: bool, instant: bool) -> Ahead:
    """With one round more to come: every room there may be has a lane of its own."""
    whole = ahead.whole * box.whole
    lanes = Lanes(rooms, whole)
    pays = {
        score: lanes.pack([ahead.chance(room - score) for room in range(rooms)])
        for score in {min(score, rooms) for score in scores}
    }
    stuck = [pays[min(score, rooms)] for score in scores]
    done = lanes.pack([ahead.shut(room, wins) for room in range(rooms)]) if instant else stuck[0]
    return Ahead(whole, lanes.unpack(Perfect(box, stuck, done, lanes.best).start))


def solve_ahead(options: Options) -> list[Ahead]:
    """What the book knows, by how many rounds are ahead."""
    box, known = box_of(options), [NONE_AHEAD]
    golf = [round_score(tiles, "golf") for tiles in box.tiles]
    for ahead in range(1, BOOK_AHEAD + 1):
        known.append(_one_more(box, golf, known[-1], _rooms(options, ahead, BOOK_LIMIT), wins=False, instant=False))
    return known


def _from_book(options: Options, limit: int) -> list[Ahead]:
    """Rounds that a shut box does not end and whose sums are added up; nothing for any other."""
    if options.instant or options.scored_by != "golf" or limit > BOOK_LIMIT:
        return []
    numbers = read_numbers(title_of(KIND, rules_of(options)), number_size(options))
    known = [NONE_AHEAD]
    for ahead in range(1, BOOK_AHEAD + 1 if numbers else 0):
        rooms = _rooms(options, ahead, BOOK_LIMIT)
        known.append(Ahead(box_of(options).whole ** ahead, numbers[:rooms]))
        numbers = numbers[rooms:]
    return known


def number_size(options: Options) -> int:
    """Of the numbers in the book, in bytes."""
    return (box_of(options).whole ** BOOK_AHEAD).bit_length() // 8 + 1
