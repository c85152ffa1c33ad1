"""Opponents with a known strength: `level:1` to `level:5`, and `perfect`.

`perfect` plays the best move of the coach's advice, for the objective that its seat has in mind. A level sees the same
advice through a blur. To what each move loses, a random number is added, and the move that then looks best is played.
So moves that are nearly as good are mistaken for each other often and great blunders are rare, as with people; and a
position in which nothing is at stake confuses nobody. Each rung sees more sharply than the one below.

The blur comes from the run's seed, the seat and the position: taking a move back or a restart of the hall changes
nothing. Whole numbers, so a rung plays the same everywhere. `ladder.json` holds how strong each rung is; it was
measured by `python -m dicehall.lab.ladder`.

Where what a seat has in mind is not solved, the nearest that is, as `best_advice` of each game's players says:

    lite-versus with options that are not solved     the best score on the own board
    farkle with three seats or more, for the most
        points in `max_turns` with several, or with
        minimums, points or targets in no book here  the most points in this turn
    shut-the-box with several seats                  the lowest score in this round
    shut-the-box, long game with two seats           the fewest turns, as if one played both sides
    shut-the-box, long game, 12 tiles, in twos       nothing: as highest does
"""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any, Final

from dicehall.bots.protocol import GameBots, Player, Pursuit, find_bots
from dicehall.coach.advise import Advice, advise, intended, solved
from dicehall.coach.benchmark import ranked_by
from dicehall.coach.objective import Objective
from dicehall.coach.protocol import has_coach
from dicehall.dice import Seed, Stream, seed_text
from dicehall.errors import InvalidOption
from dicehall.rules.catalog import AnyGame
from dicehall.rules.options import Options

RUNGS: Final = range(1, 6)
SHARP: Final = 10**6  # losses are compared in millionths
DRAWS: Final = 3  # a blur is the sum of three equally likely numbers: a bell, more or less


def rung_names(game: AnyGame) -> list[str]:
    """The levels; none for a game without a coach."""
    return [f"level:{rung}" for rung in RUNGS] if has_coach(game) else []


def perfect(game: AnyGame) -> Player:
    """Always the best move."""
    if not has_coach(game):
        raise InvalidOption("player", f"nobody plays {game.id} perfectly yet")
    return lambda state: best_advice(game, state)[1][0].move


def level(game: AnyGame, rung: int, seed: Seed, seat: int) -> Player:
    text = seed_text(seed)
    return lambda state: chosen(game, state, rung, text, seat).move


def chosen(game: AnyGame, state: Any, rung: int | None, seed: str, seat: int) -> Advice:
    """What a rung plays here, and what that loses; None plays perfectly."""
    objective, advice = best_advice(game, state)
    if rung is None:
        return advice[0]
    return blurred(objective, advice, rung, Stream(seed, f"level/{seat}/{game.rules.state_text(state)}"))


def blurred(objective: Objective, advice: list[Advice], rung: int, stream: Stream) -> Advice:
    """The move that looks best to a rung. Moves that lose the same are blurred as one: a player sees them as one."""
    width, seen = blur_width(objective, advice[0].value, rung), {}
    for one in advice:
        if one.loss not in seen:
            seen[one.loss] = int(one.loss * SHARP) - sum([stream.below(width + 1) for _ in range(DRAWS)])
    return min(advice, key=lambda one: seen[one.loss])


def blur_width(objective: Objective, best: Fraction, rung: int) -> int:
    """How wide each draw is, in millionths, where the best move is worth `best`. A chance is blurred most where it is
    even, and not at all where it is certain."""
    width = _bots(objective.game).WIDTHS[objective.name][rung - 1]
    return int(width * 4 * best * (1 - best)) if objective.chance else width


def best_advice(game: AnyGame, state: Any) -> Pursuit:
    """What this seat plays for, or the nearest to it that is solved; and every move, the best first."""
    return _bots(game.id).best_advice(game, state)


def usual_advice(game: AnyGame, state: Any) -> Pursuit:
    """`best_advice` of a game whose coach knows the nearest that is solved."""
    objective = pursued(game, state.options, game.rules.seats_of(state))
    return objective, advise(game, state, objective)


def pursued(game: AnyGame, options: Options, seats: int) -> Objective:
    """What a player of the house plays for: what its seat has in mind, or where that is not solved, what boards compare
    runs by."""
    wanted = intended(game, options, seats)
    ranking = None if solved(game, options, seats, wanted) else ranked_by(game, options, seats)
    return ranking.objective if ranking else wanted


def _bots(game_id: str) -> GameBots:
    found = find_bots(game_id)
    assert found, "what has an objective is a game of the hall"
    return found


@cache
def _measured() -> dict[str, Any]:
    data = resources.files("dicehall.bots").joinpath("ladder.json").read_text(encoding="utf-8")
    measured: dict[str, Any] = json.loads(data)
    return measured


def strengths(game: AnyGame) -> list[dict[str, Any]]:
    """How strong each rung is, as measured: for one seat its mean result beside perfect play's; for two its share of
    wins, a draw counting one half, against perfect play, and beside the rungs the share of those who
    play by a rule. With standard errors."""
    tables: list[dict[str, Any]] = _measured()["games"].get(game.id, [])
    return tables
