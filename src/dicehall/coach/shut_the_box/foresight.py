"""The best result that anybody could have had who knew all dice of a run in advance. Exact.

A run's dice are one stream, so what is known of a position is its place in the stream. More banked (or less lost) at
the same place is never worse: of all ways to come to a place only the best counts.

    lite-solo, lite-versus   nine dice in any order: every way to fill the board. Against somebody without rerolls only,
                             which would move the dice of the other seat.
    farkle, one seat         turn after turn, from every place to every place where a turn can end
    shut-the-box, one seat   round after round likewise; rounds that are added up

Where it is None the search would take longer than a second or two, or nobody has written it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import combinations, permutations
from typing import Any, Final

from dicehall.dice import Dice
from dicehall.rules import farkle_scoring, lite_solo, lite_versus
from dicehall.rules.box_state import State as BoxState
from dicehall.rules.box_tiles import Options as BoxOptions
from dicehall.rules.box_tiles import Tiles, all_tiles, legal_combos, round_score
from dicehall.rules.catalog import AnyGame
from dicehall.rules.farkle_scoring import keep_points, keeps, scoring
from dicehall.rules.lite_grid import score_board
from dicehall.rules.options import Options
from dicehall.rules.shut_the_box import after, dice_to_roll, legal
from dicehall.rules.two_seats import FIRST_SEAT, UNDRAWN, drawn_seat

MOST_TURNS: Final = 20
LONGEST_RUN: Final = 100  # turns to the target, even with foresight: a high minimum is seldom reached
MOST_POINTS: Final = 20_000
MOST_ROUNDS: Final = {9: 30, 12: 10}  # by tiles


def foresight(game: AnyGame, options: Options, seats: int, seat: int, source: Dice) -> int | None:
    """What `seat` could have ended with."""
    finder: Callable[[Any, int, int, Dice], int | None] | None = FINDERS.get(game.id)
    return None if finder is None else finder(options, seats, seat, source)


# Knucklebones-lite


def _lite_solo(options: lite_solo.Options, seats: int, seat: int, source: Dice) -> int:
    if not options.reroll:
        return _best_board(options, [source.die(place) for place in range(9)])
    dice = [source.die(place) for place in range(10)]  # one of them is rerolled, or the last one never falls
    return max(_best_board(options, [*some]) for some in set(combinations(dice, 9)))


def _lite_versus(options: lite_versus.Options, seats: int, seat: int, source: Dice) -> int | None:
    if options.reroll:
        return None
    begins, first = FIRST_SEAT[options.first], 0
    if begins == UNDRAWN:
        begins, first = drawn_seat(source.die(0)), 1
    return _best_board(options, [source.die(first + (seat != begins) + 2 * turn) for turn in range(9)])


def _best_board(options: lite_solo.Options | lite_versus.Options, dice: list[int]) -> int:
    return max(score_board(board, options.columns, options.wild) for board in _boards(sorted(dice), options.columns))


def _boards(dice: list[int], columns: bool) -> Iterator[tuple[int, ...]]:
    """Every way to put nine dice into three rows; where columns score too, every order of each row but the first."""
    for first in {(dice[0], dice[a], dice[b]): (a, b) for a, b in combinations(range(1, 9), 2)}.values():
        rest = [die for place, die in enumerate(dice) if place not in (0, *first)]
        top = (dice[0], dice[first[0]], dice[first[1]])
        for a, b in {(rest[a], rest[b]): (a, b) for a, b in combinations(range(1, 6), 2)}.values():
            middle = (rest[0], rest[a], rest[b])
            last = tuple(die for place, die in enumerate(rest) if place not in (0, a, b))
            for two in set(permutations(middle)) if columns else (middle,):
                for three in set(permutations(last)) if columns else (last,):
                    yield (*top, *two, *three)


# Farkle


def _farkle(options: farkle_scoring.Options, seats: int, seat: int, source: Dice) -> int | None:
    if seats > 1 or options.max_turns > MOST_TURNS or (not options.max_turns and options.target > MOST_POINTS):
        return None
    turn = _farkle_turns(options, source)
    best, turns = {0: 0}, 0  # by place in the stream: the most that can be banked by then
    while turns < options.max_turns or not (options.max_turns or max(best.values()) >= options.target):
        reached: dict[int, int] = {}
        for place, banked in best.items():
            for end, points in turn(place, banked > 0).items():
                reached[end] = max(banked + points, reached.get(end, 0))
        best, turns = reached, turns + 1
        if turns > LONGEST_RUN:
            return None
    return max(best.values()) if options.max_turns else turns


def _farkle_turns(options: farkle_scoring.Options, source: Dice) -> Callable[[int, bool], dict[int, int]]:
    rules, full = scoring(options), 6 if options.hot_dice else 0

    @cache
    def turn(first: int, on_board: bool) -> dict[int, int]:
        """From a place in the stream to every place where the turn can end, with the most points."""
        least = options.bank_minimum if on_board else max(options.bank_minimum, options.board_minimum)
        piles, ends = {(first, 6): 0}, dict[int, int]()  # by place and dice to roll
        while piles:
            place, dice = min(piles)  # dice only ever move the place on
            pile = piles.pop((place, dice))
            if place > first and (pile >= least or not dice):
                ends[place] = max(pile, ends.get(place, 0))
            roll, place = tuple(sorted(source.die(place + n) for n in range(dice))), place + dice
            found = keeps(roll, rules) if dice else ()
            if dice and not found:
                ends.setdefault(place, 0)  # a farkle
            for keep in found:
                at = (place, dice - len("".join(keep)) or full)
                piles[at] = max(pile + keep_points(keep, rules), piles.get(at, 0))
        return ends

    return turn


# Shut the Box


def _box(options: BoxOptions, seats: int, seat: int, source: Dice) -> int | None:
    adding = options.per_round_scoring and not options.instant and options.variant != "tournament45out"
    rounds = options.rounds if options.mode == "rounds" else 1
    if seats > 1 or options.mode == "long" or not adding or rounds > MOST_ROUNDS[options.tiles]:
        return None
    best = {0: 0}  # by place in the stream: the least that can have been scored by then
    for _ in range(rounds):
        best = _box_round(options, best, source)
    return min(best.values())


def _box_round(options: BoxOptions, best: dict[int, int], source: Dice) -> dict[int, int]:
    ends: dict[int, int] = {}
    boards: dict[int, dict[tuple[Tiles, int], int]] = {}  # by place: open tiles, and dice to roll again by mulligan

    def put(place: int, tiles: Tiles, again: int, total: int) -> None:
        there = boards.setdefault(place, {})
        there[tiles, again] = min(total, there.get((tiles, again), total))

    for place, total in best.items():
        put(place, all_tiles(options), FRESH if options.mulligan else SPENT, total)
    while boards:
        place = min(boards)
        for (tiles, again), total in boards.pop(place).items():
            for dice in (again,) if again > 0 else _dice(options, tiles):
                roll = sum([source.die(place + n) for n in range(dice)])
                combos = legal_combos(tiles, (roll,), options)
                for combo in combos:
                    left = tuple([tile for tile in tiles if tile not in combo])
                    if left:
                        put(place + dice, left, FRESH if again == FRESH else SPENT, total)
                    else:
                        ends[place + dice] = min(total, ends.get(place + dice, total))
                if not combos and again == FRESH:
                    put(place + dice, tiles, dice, total)
                elif not combos:
                    score = total + round_score(tiles, options.scored_by)
                    ends[place + dice] = min(score, ends.get(place + dice, score))
    return ends


FRESH: Final = -1  # the mulligan is still there
SPENT: Final = 0


@lru_cache(maxsize=1 << 13)
def _dice(options: BoxOptions, tiles: Tiles) -> tuple[int, ...]:
    """How many dice may be rolled."""
    state = BoxState(options, tiles, (0,))
    return tuple([dice_to_roll(after(state, move)) for move in legal(state)]) or (dice_to_roll(state),)


FINDERS: Final[dict[str, Callable[[Any, int, int, Dice], int | None]]] = {
    "lite-solo": _lite_solo,
    "lite-versus": _lite_versus,
    "farkle": _farkle,
    "shut-the-box": _box,
}
