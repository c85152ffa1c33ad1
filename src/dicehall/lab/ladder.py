"""Measures how strong every rung of the ladder is, and whoever plays by a rule, and writes it into `bots/ladder.json`.

    python -m dicehall.lab.ladder [GAME ...]      all games, or only these; minutes on two cores

Where the game is solved for what the seats play for, luck is taken out of the measurement. The value of a position
changes by luck, which is nothing on average whoever plays, and by what moves lose. So on average

    a result alone        =  value of the start, less what the rung's moves lose (or more, where less is better)
    a share of the wins   =  one half, less what the rung's moves lose, plus what the other's lose

when the rung sits on either side equally often. That is as true as counting results and needs a hundredth of the games.
Elsewhere results are counted, and from each some luck is taken away that is nothing on average too:

    steadied   what each roll was worth, less the mean over all six dice; by a judgement that may be right or wrong
    points     how much luckier in points one seat was, over POINTS_A_WIN: a seat's points less what its moves lost have
               the same mean for everybody (Shut the Box for two, where each plays for the lowest round)
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple

from dicehall.bots import ladder
from dicehall.bots.ladder import RUNGS
from dicehall.bots.player import player
from dicehall.coach.advise import Advice, intended, values
from dicehall.coach.objective import Objective
from dicehall.dice import FACES
from dicehall.play.table import Table
from dicehall.rules.catalog import GAMES, AnyGame, find_game
from dicehall.rules.game import DICE, Result

FILE: Final = Path(ladder.__file__).parent / "ladder.json"
VERSION: Final = 1
SEED: Final = "ladder"
POINTS_A_WIN: Final = 60  # any number would be right; about this one steadies most


class Trial(NamedTuple):
    """One way of playing a game, in which the rungs are measured."""

    game: str
    seats: int
    games: int  # for each rung
    how: str = "losses"  # or how results are counted: see above
    by_rule: tuple[str, ...] = ()  # who else is measured: players of the house that the page offers


TRIALS: Final = (
    Trial("lite-solo", 1, 1000),
    Trial("lite-versus", 2, 160, "steadied", ("standard", "lookahead", "match", "random")),
    Trial("farkle", 1, 200),
    Trial("farkle", 2, 600, "losses", ("bank:300", "bank:600", "bank:1000", "random")),
    Trial("shut-the-box", 1, 1000),
    Trial("shut-the-box", 2, 5000, "points", ("highest", "random")),
    Trial("knucklebones", 2, 1000, "losses", ("spec", "greedy", "random")),
)


Who = int | str | None  # a rung, or whoever has that name; None plays perfectly


class Measured(NamedTuple):
    mean: float
    error: float

    def stronger(self, other: Measured) -> float:
        """By how many standard errors of the difference."""
        return (self.mean - other.mean) / sqrt(self.error**2 + other.error**2)


def measured(values: Iterable[float]) -> Measured:
    seen = list(values)
    mean = sum(seen) / len(seen)
    return Measured(mean, sqrt(sum((value - mean) ** 2 for value in seen) / (len(seen) - 1) / len(seen)))


def play(game_id: str, seats: tuple[Who, ...], seed: str, steadied: bool = False) -> tuple[Result, list[float], float]:
    """One game between these: how it ended, what the moves of each seat lost, and, if `steadied`, the luck of the first
    of two seats."""
    table = Table(game_id, seats=len(seats), seed=seed, undo_allowed=False, auto_roll=False)
    losses, luck = [0.0] * len(seats), 0.0
    while not table.is_over:
        if (seat := table.actor) == DICE:
            before = table.state
            dice = table.roll()
            luck += _luck(table.game, before, dice) if steadied else 0
        else:
            choice = chosen(table.game, table.state, seats[seat], seed, seat)
            losses[seat] += float(choice.loss)
            table.play(choice.move)
    result = table.result
    assert result is not None
    return result, losses, luck


def chosen(game: AnyGame, state: Any, who: Who, seed: str, seat: int) -> Advice:
    """What `who` plays here, and what that loses."""
    if not isinstance(who, str):
        return ladder.chosen(game, state, who, seed, seat)
    move = player(who, game, seed, seat)(state)
    return next(one for one in ladder.best_advice(game, state)[1] if one.move == move)


def _luck(game: AnyGame, before: Any, dice: tuple[int, ...]) -> float:
    """What a roll of one die gave the first seat, in chances to win."""
    worths = []
    for die in FACES:
        state = game.rules.rolled(before, (die,))
        value = float(ladder.best_advice(game, state)[1][0].value)
        worths.append(value if game.rules.actor(state) == 0 else 1 - value)
    return worths[dice[0] - 1] - sum(worths) / len(worths)


def share(trial: Trial, who: Who, rival: int | None, seed: str = SEED) -> Measured:
    """The share of the wins that `who` has against `rival`: every two games have equal dice, and it sits on either
    side once."""

    def pair(number: int) -> float:
        won = 0.0
        for side, seats in enumerate(((who, rival), (rival, who))):
            result, losses, luck = play(trial.game, seats, f"{seed}/{number}", trial.how == "steadied")
            if trial.how == "losses":
                won += 0.5 - losses[side] + losses[1 - side]
            else:
                if trial.how == "points":
                    luck = (result.scores[1] - losses[1] - result.scores[0] + losses[0]) / POINTS_A_WIN
                won += (side in result.winners) / len(result.winners) - (luck if side == 0 else -luck)
        return won / 2

    return measured(map(pair, range(trial.games // 2)))


def alone(trial: Trial, rung: int, seed: str = SEED) -> Measured:
    """The mean result of `rung`, in the unit of what is played for."""
    objective, start = perfect_value(trial)
    sign = 1 if objective.lower_is_better else -1
    results = (play(trial.game, (rung,), f"{seed}/{number}")[1][0] for number in range(trial.games))
    return measured(start + sign * loss for loss in results)


def perfect_value(trial: Trial) -> tuple[Objective, float]:
    """What one seat plays for, and what that comes to in perfect hands."""
    game = find_game(trial.game)
    options = game.make_options({})
    objective = intended(game, options, trial.seats)
    return objective, float(values(game, options, trial.seats, objective)(game.begin(options, trial.seats)))


def line_of(trial: Trial, who: int | str) -> dict[str, Any]:
    """What `trial` tells of a rung or of a player by rule, as the ladder's file has it."""
    return rule_line(trial, who) if isinstance(who, str) else level(trial, who)


def rule_line(trial: Trial, name: str) -> dict[str, Any]:
    return {"player": name, "games": trial.games, **_rounded("value", share(trial, name, None))}


def level(trial: Trial, rung: int) -> dict[str, Any]:
    entry: dict[str, Any] = {"player": f"level:{rung}", "games": trial.games}
    if trial.seats == 1:
        return {**entry, **_rounded("value", alone(trial, rung))}
    entry |= _rounded("value", share(trial, rung, None))
    if rung > 1 and trial.how in ("losses", "steadied"):
        entry |= _rounded("against_below", share(trial, rung, rung - 1), "against_below_error")
    return entry


def _rounded(name: str, found: Measured, error: str = "error") -> dict[str, float]:
    return {name: round(found.mean, 5), error: round(found.error, 5)}


def ladder_of(trial: Trial, levels: list[dict[str, Any]], by_rule: list[dict[str, Any]]) -> dict[str, Any]:
    """All rungs in `trial` and those who play by a rule, as the ladder's file has them: a line for each."""
    game = find_game(trial.game)
    about: dict[str, Any] = {"rules": game.version, "seats": trial.seats}
    if trial.seats == 1:
        objective, value = perfect_value(trial)
        lower = objective.lower_is_better
        about |= {"objective": str(objective), "perfect": round(value, 9), "lower_is_better": lower}
    else:
        objective = intended(game, game.make_options({}), trial.seats)
        about |= {"objective": str(objective), "against": "perfect"}
    return {**about, "levels": levels, "by_rule": by_rule}


def main(asked: list[str]) -> None:
    parser = ArgumentParser("python -m dicehall.lab.ladder", description="Measure the packaged levels again.")
    known = dict.fromkeys(trial.game for trial in TRIALS)
    parser.add_argument("games", nargs="*", metavar="GAME", help=", ".join(known))
    only = parser.parse_args(asked).games
    if unknown := {*only} - {*known}:
        parser.error(f"no levels of {', '.join(sorted(unknown))} are measured")
    trials = [trial for trial in TRIALS if not only or trial.game in only]
    games = json.loads(FILE.read_text(encoding="utf-8"))["games"] if FILE.exists() else {}
    games |= {trial.game: [] for trial in trials}
    with ProcessPoolExecutor(2) as pool:
        work = {(trial, who): pool.submit(line_of, trial, who) for trial in trials for who in (*RUNGS, *trial.by_rule)}
        for trial in trials:
            found: dict[int | str, dict[str, Any]] = {}
            for who in (*RUNGS, *trial.by_rule):
                sys.stderr.write(f"\r{trial.game}, {trial.seats} seats: {who} ")
                sys.stderr.flush()
                found[who] = work[trial, who].result()
            levels, by_rule = [found[rung] for rung in RUNGS], [found[name] for name in trial.by_rule]
            games[trial.game].append(ladder_of(trial, levels, by_rule))
            FILE.write_text(written(games), encoding="utf-8", newline="\n")
    sys.stderr.write("\n")


def written(games: dict[str, list[dict[str, Any]]]) -> str:
    """As it stands in the file: a line for each rung."""
    in_order = {game: games[game] for game in GAMES if games.get(game)}
    text = json.dumps({"version": VERSION, "seed": SEED, "games": in_order})
    return text.replace('{"player"', '\n  {"player"').replace('{"rules"', '\n {"rules"') + "\n"


if __name__ == "__main__":
    main(sys.argv[1:])
