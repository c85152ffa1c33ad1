"""What perfect play ends with: how often each result, and how a run of one's own compares.

    lite-solo      score                       every variant; exact, from a book
    shut-the-box   golf, digital, missionary   all rounds of a run added up, each played for that scoring; exact
    farkle         arcade, turn                all points of `max_turns` turns; one turn is exact, several are nearly
                   turns                       whatever is solved; nearly, from a book

Between equally good moves the first one is taken in the order in which the game lists them: the one that `advise` puts
first. Lite solo, where boards that mirror each other count as one, takes the steadier move instead (its solver says
how). For a chance (a target, a win, a race) a run ends with 1 or 0, and there is nothing to compare.

>>> from dicehall.rules.catalog import GAMES
>>> game = GAMES["lite-solo"]
>>> known = results(game, game.make_options({}), 1, "score")
>>> known.ways[90], known.of, percentile(known, 90, lower=False)
(104828, 10077696, Fraction(9159761, 10077696))
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from importlib import resources
from itertools import product
from math import lcm
from typing import Any, Final, NamedTuple

from dicehall.coach.advise import worth
from dicehall.coach.worths.farkle_books import find_table
from dicehall.coach.worths.farkle_target import place_of
from dicehall.dice import FACES
from dicehall.errors import InvalidOption
from dicehall.rules import lite_solo
from dicehall.rules.box_state import State as BoxState
from dicehall.rules.box_tiles import Options as BoxOptions
from dicehall.rules.box_tiles import Tiles, all_tiles, legal_combos, round_score
from dicehall.rules.catalog import FARKLE, SHUT_THE_BOX, AnyGame
from dicehall.rules.farkle_contest import STEP, contest_of
from dicehall.rules.farkle_scoring import Options as FarkleOptions
from dicehall.rules.farkle_scoring import Scoring, keep_points, keeps, scoring
from dicehall.rules.farkle_state import ROLLED, SELECTION, State
from dicehall.rules.game import outcomes
from dicehall.rules.options import Options
from dicehall.rules.shut_the_box import after, dice_to_roll, legal

LITE_BOOK: Final = "lite-solo-results.json"
BOOK_VERSION: Final = 1
TURNS_ERROR: Final = Fraction(1, 10**8)  # of any share of Farkle's runs: each number of turns is off by 2^-33 at most
FINE: Final = 64  # bits behind the point, where turns of Farkle are added up
# Adding up more takes seconds.
MOST_TURNS: Final = 20
MOST_ROUNDS: Final = 30
MOST_TOTALS: Final = 1 << 14


class Results(NamedTuple):
    ways: dict[int, int]  # result -> ways, ascending; those that never come are left out
    of: int
    error: Fraction = Fraction(0)  # by how much a share of all runs may be off

    @property
    def mean(self) -> Fraction:
        return Fraction(sum(result * ways for result, ways in self.ways.items()), self.of)


def results(game: AnyGame, options: Options, seats: int, objective: str) -> Results | None:
    """None where that is not known; `find_results` tells why."""
    try:
        return find_results(game, options, seats, objective)
    except InvalidOption:
        return None


@lru_cache(maxsize=32)
def find_results(game: AnyGame, options: Options, seats: int, objective: str) -> Results:
    """The same, or InvalidOption with the reason."""
    worth(game, options, seats, objective)  # what is not even worth anything is refused there
    if game.id in FINDERS and objective in FINDERS[game.id]:
        found: Results = FINDERS[game.id][objective](options, objective)
        return found
    raise InvalidOption("objective", f"how often {game.id} ends with what is not known for {objective}")


def percentile(known: Results, result: Fraction | int, lower: bool) -> Fraction:
    """The share of perfect runs that do worse, and half of those that do equally well. `lower`: less is better."""
    worse = sum(ways for other, ways in known.ways.items() if (other > result if lower else other < result))
    equal = sum(ways for other, ways in known.ways.items() if other == result)
    return Fraction(2 * worse + equal, 2 * known.of)


def _results(ways: dict[int, int], error: Fraction = Fraction(0)) -> Results:
    found = {result: ways[result] for result in sorted(ways) if ways[result]}
    return Results(found, sum(found.values()), error)


def _added_up(one: dict[int, int], times: int) -> dict[int, int]:
    """The sum of so many results that know nothing of each other.

    The ways of all results stand side by side in one large number, each in a lane that is wide enough for the largest
    of the outcome: multiplying two such numbers adds up results and multiplies ways.
    """
    lane = (sum(one.values()) ** times).bit_length() + 1
    size = lane // 8 + 1
    packed = sum(ways << 8 * size * result for result, ways in one.items())
    data = (packed**times).to_bytes(size * (max(one) * times + 1), "little")
    return {at // size: int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)}


# Knucklebones-lite, and Farkle's turns: from the books


def _lite_score(options: lite_solo.Options, objective: str) -> Results:
    lines, token = "columns" if options.columns else "rows", "token" if options.reroll else "plain"
    least, *ways = _lite_book()[f"{lines} {options.wild} {token}"]
    return _results(dict(enumerate(ways, least)))


@cache
def _lite_book() -> dict[str, list[int]]:
    head, _, body = resources.files("dicehall.coach").joinpath("books", LITE_BOOK).read_bytes().partition(b"\n")
    about = json.loads(head)
    if (about["version"], about["rules"], about["crc32"]) != (BOOK_VERSION, lite_solo.VERSION, zlib.crc32(body)):
        raise InvalidOption("objective", f"{LITE_BOOK} is damaged or made for other rules; build it again")
    return {part: json.loads(line) for part, line in zip(about["parts"], body.splitlines(), strict=True)}


def _farkle_turns(options: FarkleOptions, objective: str) -> Results:
    contest = contest_of(options, 1)
    ways = find_table("ends", contest).row(place_of(contest, options))
    if not any(ways):
        raise InvalidOption("objective", "with such a minimum a run takes too many turns to tell them apart")
    return _results(dict(enumerate(ways)), TURNS_ERROR)


# Shut the Box


def _box_scores(options: BoxOptions, objective: str) -> Results:
    if options.variant == "tournament45out" or options.instant:
        raise InvalidOption("objective", "how many rounds are played depends on how they go, so nothing is added up")
    if not options.per_round_scoring:
        raise InvalidOption("objective", "only the best round counts, so nothing is added up")
    rounds = 1 if options.mode == "threshold" else options.rounds
    one = box_round(options, objective)
    if rounds > MOST_ROUNDS or (rounds > 1 and max(one) * rounds > MOST_TOTALS):
        raise InvalidOption("objective", f"{rounds} rounds of {objective} have too many different totals")
    return _results(one if rounds == 1 else _added_up(one, rounds))


def box_round(options: BoxOptions, objective: str) -> dict[int, int]:
    """One round played perfectly for its mean score: in how many ways it ends with which."""
    value, tiles = worth(SHUT_THE_BOX, options, 1, objective), all_tiles(options)
    reached: list[Counter[tuple[Tiles, bool]]] = [Counter() for _ in range(sum(tiles) + 1)]  # by what is open, in all
    ends: Counter[int] = Counter()

    @cache
    def kept(left: Tiles, spent: bool) -> Fraction:
        return value(BoxState(options, left, (0,), mulligan_used=spent)) if left else Fraction(0)

    def roll(tiles: Tiles, dice: int, spent: bool, ways: int) -> None:
        missed = 0
        for total, orders in _totals(dice).items():
            combos, those = legal_combos(tiles, (total,), options), ways * orders // 6**dice
            lefts = [tuple([tile for tile in tiles if tile not in combo]) for combo in combos]
            if lefts:
                left = min(lefts, key=lambda one: kept(one, spent))
                reached[sum(left)][left, spent] += those
            else:
                missed += those
        if spent:
            ends[round_score(tiles, objective)] += missed
        elif missed:
            roll(tiles, dice, True, missed)

    # Every roll turns a tile, but for the last one and the mulligan: ways can be divided that often.
    reached[-1][tiles, not options.mulligan] = 36 ** (len(tiles) + options.mulligan)
    for layer in reached[:0:-1]:
        for (left, spent), ways in layer.items():
            state = BoxState(options, left, (0,), mulligan_used=spent)
            ready = min([after(state, move) for move in legal(state)], key=value, default=state)  # one die or two
            roll(left, dice_to_roll(ready), spent, ways)
    ends[0] += sum(reached[0].values())
    return dict(ends)


@cache
def _totals(dice: int) -> Counter[int]:
    """In how many orders so many dice fall with each total."""
    return Counter(map(sum, product(FACES, repeat=dice)))


# Farkle for points


def _farkle_points(options: FarkleOptions, objective: str) -> Results:
    if not options.max_turns:
        raise InvalidOption("objective", "how many turns are played depends on how they go, so nothing is added up")
    if options.board_minimum > options.bank_minimum:
        raise InvalidOption("objective", "with board_minimum turns depend on each other, so they do not just add up")
    if options.max_turns > MOST_TURNS:
        raise InvalidOption("objective", f"at most {MOST_TURNS} turns of Farkle are added up")
    one = farkle_turn(options)
    if options.max_turns == 1:
        whole = lcm(*[chance.denominator for chance in one.values()])
        return _results({points: int(chance * whole) for points, chance in one.items()})
    fine = {points // STEP: int(chance * (1 << FINE)) for points, chance in one.items()}
    total = _added_up(fine, options.max_turns)
    error = Fraction(options.max_turns * len(fine), 1 << FINE)  # each chance of each turn lost less than a unit
    return _results({STEP * steps: ways for steps, ways in total.items()}, error)


def farkle_turn(options: FarkleOptions) -> dict[int, Fraction]:
    """One turn played perfectly for its points, by a seat that is on the board: the chance of each number of them."""
    value, hot_dice = worth(FARKLE, options, 1, "turn"), options.hot_dice
    rolls = {dice: _choices(dice, scoring(options), hot_dice) for dice in range(1, 7)}

    @cache
    def kept(pile: int, dice: int) -> Fraction:
        return value(turn_position(options, pile, dice, SELECTION))

    def banks(pile: int, dice: int) -> bool:
        allowed = pile and (not dice or pile >= options.bank_minimum)
        return bool(allowed and (not dice or value(turn_position(options, pile, dice, ROLLED)) < pile))

    reached, ends = {(0, 6): Fraction(1)}, {0: Fraction(0)}
    while reached:
        pile, dice = min(reached)  # piles only grow, so nothing comes back to the least
        chance = reached.pop((pile, dice))
        if banks(pile, dice):
            ends[pile] = ends.get(pile, Fraction(0)) + chance
            continue
        then: Counter[tuple[int, int]] = Counter()
        for choices, orders in rolls[dice]:
            if choices:
                then[max([(pile + points, left) for points, left in choices], key=lambda at: kept(*at))] += orders
            else:
                ends[0] += chance * Fraction(orders, 6**dice)
        for at, orders in then.items():
            reached[at] = reached.get(at, Fraction(0)) + chance * Fraction(orders, 6**dice)
    return ends


def turn_position(options: FarkleOptions, pile: int, dice: int, phase: str) -> State:
    """In the turn of a seat that is on the board, with so many dice left or (ROLLED) in the air."""
    kept = tuple([place >= dice for place in range(6)])
    return State(options, (STEP,), pile=pile, kept=kept, phase=phase, chosen=phase == SELECTION)


def _choices(dice: int, rules: Scoring, hot_dice: bool) -> list[tuple[tuple[tuple[int, int], ...], int]]:
    """What can be kept of so many dice: for rolls that offer the same, the points with the dice they leave, in the
    order in which the game lists them; and in how many orders they fall. Fewer points for as many dice left are out."""
    classes: Counter[tuple[tuple[int, int], ...]] = Counter()
    for roll, orders in outcomes(dice):
        most: dict[int, int] = {}  # by dice left
        for keep in keeps(roll, rules):  # most points first
            most.setdefault(dice - len("".join(keep)) or (6 if hot_dice else 0), keep_points(keep, rules))
        classes[tuple((points, left) for left, points in most.items())] += orders
    return list(classes.items())


FINDERS: Final[dict[str, dict[str, Callable[[Any, str], Results]]]] = {
    "lite-solo": {"score": _lite_score},
    "shut-the-box": {"golf": _box_scores, "digital": _box_scores, "missionary": _box_scores},
    "farkle": {"turns": _farkle_turns, "arcade": _farkle_points, "turn": _farkle_points},
}
