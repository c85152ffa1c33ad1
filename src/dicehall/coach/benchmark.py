"""What a run's dice were good for: what perfect play expected of the start, what it makes of these very dice without
knowing them, and the best that anybody could have made of them.

What counts is what the boards compare: the score of a run, and not whether it met a goal or won. Alone that is an
objective of the coach. With two lite boards it is the points on one's own, which the other seat cannot touch, so they
are played as if alone. Nobody has solved Knucklebones, nor Farkle and Shut the Box for the points of several seats.

>>> from dicehall.dice import SeededDice
>>> from dicehall.rules.catalog import GAMES
>>> found = benchmark(GAMES["lite-solo"], {}, [None], SeededDice("dicehall"))
>>> round(found.expected), found.perfect, found.foresight
(66, 52, 58)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

from dicehall.coach.advise import advise, worth
from dicehall.coach.foresight import foresight
from dicehall.dice import Dice
from dicehall.errors import InvalidOption
from dicehall.play.table import Table
from dicehall.rules import lite_solo
from dicehall.rules.box_tiles import Options as BoxOptions
from dicehall.rules.catalog import LITE_SOLO, AnyGame
from dicehall.rules.options import Options, OptionValue

Player = Callable[[Any], Any]  # from a state to a move


class Benchmark(NamedTuple):
    """Each None where nobody knows."""

    expected: Fraction | None
    perfect: int | None
    foresight: int | None


def benchmark(
    game: AnyGame, options: Mapping[str, OptionValue] | Options, players: Sequence[Player | None], source: Dice
) -> Benchmark:
    """For the first seat that no player is given for; the others play as they do."""
    chosen: Options = game.make_options(options)
    seat = players.index(None)
    objective, times = played_for(game, chosen, len(players))
    best = foresight(game, chosen, len(players), seat, source)
    if objective is None:
        return Benchmark(None, None, best)
    own, start = (
        (LITE_SOLO, _alone(game.begin(chosen), seat)) if game.id == "lite-versus" else (game, game.begin(chosen))
    )
    expected = times * worth(own, start.options, 1, objective)(start)
    table = Table(game, options=chosen, seats=len(players), dice=source)
    while not table.is_over:
        state, choose = table.state, players[table.actor]
        if choose is not None:
            table.play(choose(state))
        else:
            seen = _alone(state, seat) if game.id == "lite-versus" else state
            table.play(advise(own, seen, objective, 1)[0].move)
    assert table.result is not None
    return Benchmark(expected, table.result.scores[seat], best)


def played_for(game: AnyGame, options: Options, seats: int) -> tuple[str | None, int]:
    """The objective that boards compare runs by, and how often it comes in a run; None where it is not solved."""
    objective, times = OBJECTIVES[game.id](options) if game.id in OBJECTIVES else (None, 1)
    if objective is None or (seats > 1 and game.id != "lite-versus"):
        return None, 1
    try:
        worth(LITE_SOLO if game.id == "lite-versus" else game, options, 1, objective)
    except InvalidOption:
        return None, 1
    return objective, times


def _box(options: BoxOptions) -> tuple[str | None, int]:
    if options.mode == "long":
        return "turns", 1
    if options.variant == "tournament45out":
        return "rounds", 1
    if options.instant or not options.per_round_scoring:
        return None, 1  # rounds are no longer played each for itself
    return options.scored_by, options.rounds if options.mode == "rounds" else 1


OBJECTIVES: Final[dict[str, Callable[[Any], tuple[str | None, int]]]] = {
    "lite-solo": lambda options: ("score", 1),
    "lite-versus": lambda options: ("score", 1),
    "farkle": lambda options: ("arcade" if options.max_turns else "turns", 1),
    "shut-the-box": _box,
}


def _alone(state: Any, seat: int) -> lite_solo.State:
    """One of two lite boards, as if nobody else were there."""
    two = state.options
    rules = lite_solo.Options(columns=two.columns, reroll=two.reroll, wild=two.wild)
    return lite_solo.State(rules, state.boards[seat], state.die, state.tokens[seat])
