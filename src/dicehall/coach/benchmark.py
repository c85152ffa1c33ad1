"""What a run's dice were good for: what perfect play expected of the start, what it makes of these very dice without
knowing them, and the best that anybody could have made of them.

What counts is what the boards compare: the score of a run, and not whether it met a goal or won. Alone that is an
objective of the coach. With two lite boards it is the points on one's own, which the other seat cannot touch, so they
are played as if alone. Where two seats touch each other and only winning is solved (Knucklebones), perfect play is told
with what it leaves to the best of the others. Nobody has solved Farkle and Shut the Box for the points of several
seats.

>>> from dicehall.dice import SeededDice
>>> from dicehall.rules.catalog import GAMES
>>> found = benchmark(GAMES["lite-solo"], {}, [None], SeededDice("dicehall"))
>>> round(found.expected), found.perfect, found.foresight
(66, 52, 58)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from dicehall.coach.advise import advise, intended, solved, values
from dicehall.coach.lite_versus.alone import alone
from dicehall.coach.objective import Ranking
from dicehall.coach.protocol import coach_of
from dicehall.dice import Dice
from dicehall.play.table import Table
from dicehall.rules.catalog import AnyGame, find_game
from dicehall.rules.options import Options, OptionValue

Player = Callable[[Any], Any]  # from a state to a move


class Benchmark(NamedTuple):
    """Each None where nobody knows."""

    expected: Fraction | None
    perfect: int | None
    foresight: int | None
    against: int | None = None  # what the best of the others scores where perfect play is played to win


def benchmark(
    game: AnyGame, options: Mapping[str, OptionValue] | Options, players: Sequence[Player | None], source: Dice
) -> Benchmark:
    """For the first seat whose player is None, with the dice of `source`; the other seats are played by `players`."""
    chosen: Options = game.make_options(options)
    seat = players.index(None)
    ranking = ranked_by(game, chosen, len(players))
    best = coach_of(game).foresight(chosen, len(players), seat, source)
    if ranking is None:
        return _won(game, chosen, players, seat, source)._replace(foresight=best)
    own = find_game(ranking.objective.game)

    def seen(state: Any) -> Any:
        return state if own.id == game.id else alone(state, seat)

    start = seen(game.begin(chosen))
    expected = ranking.times * values(own, start.options, 1, ranking.objective)(start)
    scores = _played(
        game, chosen, players, source, lambda state: advise(own, seen(state), ranking.objective, 1)[0].move
    )
    return Benchmark(expected, scores[seat], best)


def _won(game: AnyGame, options: Options, players: Sequence[Player | None], seat: int, source: Dice) -> Benchmark:
    """Where two play to win, and that is solved."""
    objective = intended(game, options, len(players))
    if objective.shared is None or not solved(game, options, len(players), objective):
        return Benchmark(None, None, None)
    scores = _played(game, options, players, source, lambda state: advise(game, state, objective)[0].move)
    return Benchmark(None, scores[seat], None, max(scores[:seat] + scores[seat + 1 :]))


def _played(
    game: AnyGame, options: Options, players: Sequence[Player | None], source: Dice, best: Player
) -> tuple[int, ...]:
    """The scores of a run in which `best` plays for the seat that is asked about."""
    table = Table(game, options=options, seats=len(players), dice=source)
    while not table.is_over:
        table.play((players[table.actor] or best)(table.state))
    assert table.result is not None
    return table.result.scores


def ranked_by(game: AnyGame, options: Options, seats: int) -> Ranking | None:
    """What boards compare runs by; None where it is not solved."""
    found = coach_of(game).ranked_by(options, seats)
    if found and found.objective.game == game.id and not solved(game, options, seats, found.objective):
        return None
    return found
