"""The best result that one seat could have had who knew all dice of a run in advance, where rounds are added up. Exact.

A run's dice are one stream, so what is known of a position is its place in the stream: round after round, from every
place to every place where a round can end. Less lost at the same place is never worse, so of all ways to come to a
place only the best counts. None where the search would take longer than a second or two.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from dicehall.dice import Dice
from dicehall.rules.shut_the_box import after, dice_to_roll, legal
from dicehall.rules.shut_the_box_state import State
from dicehall.rules.shut_the_box_tiles import Options, Tiles, all_tiles, legal_combos, round_score

MOST_ROUNDS: Final = {9: 30, 12: 10}  # by tiles
FRESH: Final = -1  # the mulligan is still there
SPENT: Final = 0


def foresight(options: Options, seats: int, seat: int, source: Dice) -> int | None:
    adding = options.per_round_scoring and not options.instant and options.variant != "tournament45out"
    rounds = options.rounds if options.mode == "rounds" else 1
    if seats > 1 or options.mode == "long" or not adding or rounds > MOST_ROUNDS[options.tiles]:
        return None
    best = {0: 0}  # by place in the stream: the least that can have been scored by then
    for _ in range(rounds):
        best = _round(options, best, source)
    return min(best.values())


def _round(options: Options, best: dict[int, int], source: Dice) -> dict[int, int]:
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


@lru_cache(maxsize=1 << 13)
def _dice(options: Options, tiles: Tiles) -> tuple[int, ...]:
    """How many dice may be rolled."""
    state = State(options, tiles, (0,))
    return tuple([dice_to_roll(after(state, move)) for move in legal(state)]) or (dice_to_roll(state),)
