"""What ratings find out about players of known strength: the levels and perfect play, in each pool.

    python -m dicehall.lab.ratings [POOL ...]             plays seasons with the parameters of today; seconds
    python -m dicehall.lab.ratings --fit [POOL ...]       looks for the parameters that predict best; minutes
    python -m dicehall.lab.ratings --measure [POOL ...]   plays the games that seasons and skill stand on; minutes

Measured is how often each player wins against each other one, what the seat that begins has of it, and what moves lose.
Each command writes what it has found into `people/ratings.json`; `python -m tests.people.write_ratings` takes it
from there into docs/ratings.md.

A season does not play the games again: who wins is drawn from the measured shares, so a hundred thousand matches take
seconds. Who meets whom and what comes of it does not depend on ratings: all parameters are tried on the same matches.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import combinations, product
from math import log
from operator import mul
from pathlib import Path
from random import Random
from statistics import fmean, pstdev
from typing import Any, Final, NamedTuple

from dicehall import people
from dicehall.bots import ladder
from dicehall.bots.ladder import RUNGS, strengths
from dicehall.coach.advise import intended, values
from dicehall.dice import Stream
from dicehall.lab.ladder import SEED, TRIALS, Measured, Trial, measured, share
from dicehall.people.glicko import DAY_MS, POOLS, Parameters, Rating, expected, newcomer, periods_of, rate_game
from dicehall.people.skill import Run, in_points
from dicehall.play.table import Table
from dicehall.rules.catalog import find_game
from dicehall.rules.game import DICE, Result

FILE: Final = Path(people.__file__).parent / "ratings.json"
VERSION: Final = 1
STRENGTHS: Final = (*RUNGS, None)  # None plays perfectly
NAMES: Final = (*(f"level:{rung}" for rung in RUNGS), "perfect")
BEST: Final = len(NAMES) - 1


class Plan(NamedTuple):
    """How much is played for a pool."""

    meeting: int  # games of each two that the ladder does not tell
    even: int  # games of each player against itself


PLANS: Final = {
    "lite-versus": Plan(60, 60),
    "farkle": Plan(100, 40),
    "shut-the-box": Plan(600, 200),
    "knucklebones": Plan(120, 120),
}
MATCHES: Final = 100_000  # of a season
ACCOUNTS: Final = 300  # as many of each strength
PACE_MS: Final = DAY_MS // 5  # from one game of an account to its next

# Matches to fit by: accounts come, play LIFE games, and go. Half of them learn, once: they climb a rung at some game.
FIT_MATCHES: Final = 24_000
FIT_ACCOUNTS: Final = 120
LIFE: Final = 100
SETTLED: Final = 20  # games of both after which predictions are to be good; before, they are told beside it
DEVIATIONS: Final = (120, 150, 200, 250, 350, 500)  # of somebody new, who is to be provisional
VOLATILITIES: Final = (0.03, 0.06, 0.09)
TAUS: Final = (0.3, 0.5, 0.75)
PLAYERS_DIFFER: Final = 0.005  # in what they have of beginning, more or less
BINS: Final = 20  # of predictions, from 0 to 1
LEAST_IN_BIN: Final = 500
NEAR: Final = (75, 125)  # differences that are told as 100 points


# What the games between players of known strength are like


class Even(NamedTuple):
    """A player against itself."""

    begins: Measured  # the share of the seat that begins
    choices: float  # of a run
    lost: Measured  # of a choice
    drawn: float  # share of the games


def even(trial: Trial, strength: int | None, games: int) -> Even:
    game = find_game(trial.game)
    options = game.make_options({})
    objective = intended(game, options, 2)
    start = float(values(game, options, 2, objective)(game.begin(options, 2)))
    watched = [watch(trial.game, strength, f"{SEED}/even/{number}") for number in range(games)]
    # Where each plays for the own points alone, neither has anything of beginning.
    shares = [start - first.lost + second.lost if objective.chance else 0.5 for _, (first, second) in watched]
    runs = [run for _, both in watched for run in both]
    choices = fmean(run.choices for run in runs)
    mean = sum(run.lost for run in runs) / sum(run.choices for run in runs)
    error = measured(run.lost - mean * run.choices for run in runs).error / choices
    drawn = fmean(len(result.winners) > 1 for result, _ in watched)
    return Even(measured(shares), choices, Measured(mean, error), drawn)


def watch(game: str, strength: int | None, seed: str) -> tuple[Result, tuple[Run, Run]]:
    """A game of a player against itself, with what the moves of both seats lost."""
    table = Table(game, seats=2, seed=seed, undo_allowed=False, auto_roll=False)
    lost: tuple[list[float], list[float]] = ([], [])
    while not table.is_over:
        if (seat := table.actor) == DICE:
            table.roll()
            continue
        objective, advice = ladder.best_advice(table.game, table.state)  # once, and not once more in `ladder.chosen`
        stream = Stream(seed, f"level/{seat}/{table.game.rules.state_text(table.state)}")
        choice = advice[0] if strength is None else ladder.blurred(objective, advice, strength, stream)
        if advice[-1].loss:
            lost[seat].append(float(choice.loss))
        table.play(choice.move)
    assert table.result is not None
    first, second = (Run(len(own), sum(own), sum(loss**2 for loss in own)) for own in lost)
    return table.result, (first, second)


def told_by_ladder(pool: str) -> dict[tuple[int, int], float]:
    """The shares of the wins that the ladder's file has: by two numbers in NAMES, for the first."""
    table = next(one for one in strengths(find_game(pool)) if one["seats"] == 2)
    found = {}
    for n, one in enumerate(table["levels"]):
        found[n, BEST] = one["value"]
        if "against_below" in one:
            found[n - 1, n] = 1 - one["against_below"]
    return found


def measure(pool: str, workers: Executor) -> dict[str, Any]:
    trial = next(one for one in TRIALS if one.game == pool and one.seats == 2)
    plan, known = PLANS[pool], told_by_ladder(pool)
    few = trial._replace(games=plan.meeting)
    pairs = [pair for pair in combinations(range(len(NAMES)), 2) if pair not in known]
    meetings = {(a, b): workers.submit(share, few, STRENGTHS[a], STRENGTHS[b]) for a, b in pairs}
    evens = [workers.submit(even, trial, strength, plan.even) for strength in STRENGTHS]
    found = [one.result() for one in evens]
    return {
        "rules": find_game(pool).version,
        "drawn": round(fmean(one.drawn for one in found), 5),
        "meetings": [
            {"players": [NAMES[a], NAMES[b]], "games": plan.meeting, **_rounded("share", one.result())}
            for (a, b), one in meetings.items()
        ],
        "begins": [
            {"player": name, "games": plan.even, **_rounded("share", one.begins)}
            for name, one in zip(NAMES, found, strict=True)
        ],
        "play": [
            {"player": name, "runs": 2 * plan.even, "choices": round(one.choices, 2), **_rounded("lost", one.lost, 7)}
            for name, one in zip(NAMES, found, strict=True)
        ],
    }  # fmt: skip


def _rounded(name: str, found: Measured, places: int = 5) -> dict[str, float]:
    return {name: round(found.mean, places), "error": round(found.error, places)}


class Truth(NamedTuple):
    """What is known of a pool's players; in the order of NAMES."""

    shares: tuple[tuple[float, ...], ...]  # of the wins, when either begins equally often
    edge: float  # what the seat that begins has of it, in points
    drawn: float

    def chance(self, first: int, second: int) -> float:
        """What the one who begins can expect."""
        return 1 / (1 + 10 ** (-(in_points(self.shares[first][second]) + self.edge) / 400))

    def score(self, chance: float, luck: float) -> float:
        """A result by chance: `luck` is from 0 to 1."""
        drawn = min(self.drawn, 2 * chance, 2 - 2 * chance)
        won = chance - drawn / 2
        return 1.0 if luck < won else 0.5 if luck < won + drawn else 0.0


def truth_of(pool: str, found: dict[str, Any]) -> Truth:
    shares = [[0.5] * len(NAMES) for _ in NAMES]
    known = told_by_ladder(pool)
    for one in found["meetings"]:
        first, second = map(NAMES.index, one["players"])
        known[first, second] = one["share"]
    for (first, second), value in known.items():
        shares[first][second], shares[second][first] = value, 1 - value
    return Truth(tuple(map(tuple, shares)), edge_of(found["begins"]), found["drawn"])


def edge_of(begins: Sequence[dict[str, Any]]) -> float:
    """What beginning is worth in points: the mean over the players. Those of whom it is better known count more, but
    not perfect play alone, of which it is known exactly: players differ."""
    weights = [1 / (one["error"] ** 2 + PLAYERS_DIFFER**2) for one in begins]
    shares = [one["share"] for one in begins]
    return in_points(sum(map(mul, weights, shares)) / sum(weights))


# Matches, and what ratings make of them


class Match(NamedTuple):
    first: int  # the account that began
    second: int
    chance: float  # what the first could expect, in truth
    score: float  # of the first


def season_matches(truth: Truth, count: int, accounts: int, seed: str) -> list[Match]:
    """Everybody stays as strong as they are: account n has strength n modulo the number of NAMES."""
    random, found = Random(seed), []
    for _ in range(count):
        first, second = random.sample(range(accounts), 2)
        chance = truth.chance(first % len(NAMES), second % len(NAMES))
        found.append(Match(first, second, chance, truth.score(chance, random.random())))
    return found


def changing_matches(truth: Truth, count: int, accounts: int, seed: str) -> list[Match]:
    """Accounts come and go, and half of them learn. One that has gone gives its place to a new one."""
    random, found, everybody = Random(seed), [], accounts
    strength = {account: random.randrange(len(NAMES)) for account in range(accounts)}
    left = {account: random.randrange(1, LIFE + 1) for account in range(accounts)}
    learns = {account: random.randrange(2 * LIFE) for account in range(accounts)}  # with so many games left; or never
    here = list(range(accounts))
    for _ in range(count):
        seats = random.sample(range(accounts), 2)
        first, second = here[seats[0]], here[seats[1]]
        chance = truth.chance(strength[first], strength[second])
        found.append(Match(first, second, chance, truth.score(chance, random.random())))
        for seat, account in zip(seats, (first, second), strict=True):
            left[account] -= 1
            if left[account] == learns[account]:
                strength[account] = min(BEST, strength[account] + 1)
            if not left[account]:
                here[seat] = everybody
                strength[everybody] = random.randrange(len(NAMES))
                left[everybody], learns[everybody] = LIFE, random.randrange(2 * LIFE)
                everybody += 1
    return found


class Seen(NamedTuple):
    """A match with what was predicted before it was rated."""

    match: Match
    predicted: float
    ahead: float  # by how many points the first was rated higher, with what it has of beginning
    certain: bool  # neither was provisional


def play_on(matches: Sequence[Match], parameters: Parameters, ratings: dict[int, Rating]) -> Iterator[Seen]:
    """Rates one match after the other, in place."""
    new, away = newcomer(parameters), (periods_of(PACE_MS),) * 2
    for match in matches:
        first, second = ratings.get(match.first, new), ratings.get(match.second, new)
        ahead = first.value - second.value + parameters.advantage
        certain = not (first.provisional or second.provisional)
        yield Seen(match, expected(first, second, parameters.advantage), ahead, certain)
        ratings[match.first], ratings[match.second] = rate_game(first, second, match.score, away, parameters)


def excess(seen: Sequence[Seen]) -> float:
    """How much more the predictions lose than the true chances would, by log loss; in thousandths, on average."""
    told = ((one.match.chance, one.predicted) for one in seen)
    return 1000 * fmean(_log_loss(chance, predicted) - _log_loss(chance, chance) for chance, predicted in told)


def _log_loss(chance: float, predicted: float) -> float:
    return -chance * log(predicted) - (1 - chance) * log(1 - predicted)


class Fitted(NamedTuple):
    settled: float  # by how much predictions fall short, where both have played SETTLED games
    early: float  # where one of them has not
    parameters: Parameters


def fit(truth: Truth, advantage: float, count: int, seed: str = SEED) -> list[Fitted]:
    """All parameters that are tried, the best first. The first half of the matches fills the pool, the others count:
    each is predicted before it is rated."""
    matches = changing_matches(truth, count, FIT_ACCOUNTS, f"{seed}/fit")
    games: Counter[int] = Counter()
    settled = []
    for match in matches:
        settled.append(min(games[match.first], games[match.second]) >= SETTLED)
        games.update((match.first, match.second))
    found = []
    for deviation, volatility, tau in product(DEVIATIONS, VOLATILITIES, TAUS):
        parameters = Parameters(deviation, volatility, tau, advantage)
        late = list(zip(settled, play_on(matches, parameters, {}), strict=True))[count // 2 :]
        known, early = (excess([seen for known, seen in late if known is wanted]) for wanted in (True, False))
        found.append(Fitted(known, early, parameters))
    return sorted(found)


def fitted_json(found: Sequence[Fitted], chosen: Parameters) -> list[dict[str, float]]:
    """The best, by each deviation, and what was chosen."""
    best = {deviation: next(one for one in found if one.parameters.deviation == deviation) for deviation in DEVIATIONS}
    told = [*best.values(), next(one for one in found if one.parameters == chosen)]
    return [{**_told(one.parameters), "settled": round(one.settled, 3), "early": round(one.early, 3)} for one in told]


def _told(parameters: Parameters) -> dict[str, float]:
    return {name: value for name, value in parameters._asdict().items() if name != "advantage"}


def season_json(truth: Truth, parameters: Parameters, count: int, seed: str = SEED) -> dict[str, Any]:
    """What a season comes to: where each strength ends, and how far predictions can be trusted in its second half."""
    ratings: dict[int, Rating] = {}
    matches = season_matches(truth, count, ACCOUNTS, f"{seed}/season")
    seen = list(play_on(matches, parameters, ratings))[count // 2 :]
    ends: list[list[float]] = [[] for _ in NAMES]
    for account, rating in ratings.items():
        ends[account % len(NAMES)].append(rating.value)
    near = [one if one.ahead > 0 else _turned(one) for one in seen if NEAR[0] <= abs(one.ahead) < NEAR[1]]
    return {
        "matches": count,
        "accounts": ACCOUNTS,
        "excess": round(excess(seen), 3),
        "deviation": round(fmean(rating.deviation for rating in ratings.values()), 1),
        "ends": [
            {"player": name, "mean": round(fmean(own), 1), "spread": round(pstdev(own), 1)}
            for name, own in zip(NAMES, ends, strict=True)
        ],
        "hundred": {"games": len(near), "points": round(fmean(one.ahead for one in near), 1), **_agreement(near)},
        "bins": bins(seen),
    }


def _turned(seen: Seen) -> Seen:
    """As the other side saw it."""
    match = seen.match._replace(chance=1 - seen.match.chance, score=1 - seen.match.score)
    return Seen(match, 1 - seen.predicted, -seen.ahead, seen.certain)


def _agreement(seen: Sequence[Seen]) -> dict[str, float]:
    won = fmean(one.match.score for one in seen)
    return {"predicted": round(fmean(one.predicted for one in seen), 4), "won": round(won, 4)}


def bins(seen: Sequence[Seen]) -> list[dict[str, float]]:
    """Predictions beside what came of them."""
    found: dict[int, list[Seen]] = {}
    for one in seen:
        found.setdefault(int(one.predicted * BINS), []).append(one)
    return [
        {"from": n / BINS, "games": len(own), **_agreement(own)}
        for n, own in sorted(found.items())
        if len(own) >= LEAST_IN_BIN
    ]


# The file, and the command


def read() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))["pools"] if FILE.exists() else {}
    return found


def written(pools: dict[str, Any]) -> str:
    """As it stands in the file: a line for each player, meeting, or set of parameters."""
    in_order = {pool: pools[pool] for pool in POOLS if pool in pools}
    text = json.dumps({"version": VERSION, "seed": SEED, "pools": in_order})
    text = text.replace('{"rules"', '\n {"rules"')
    for start in ('{"player', '{"deviation"', '{"from"'):
        text = text.replace(start, f"\n  {start}")
    for start in ('"meetings"', '"begins"', '"play"', '"fit"', '"season"', '"ends"', '"hundred"', '"bins"'):
        text = text.replace(f" {start}", f"\n {start}")
    return text + "\n"


def main(asked: list[str]) -> None:
    parser = ArgumentParser("python -m dicehall.lab.ratings", description="What ratings find out about known players.")
    parser.add_argument("pools", nargs="*", metavar="POOL", help=", ".join(POOLS))
    parser.add_argument("--fit", action="store_true", help="look for the parameters that predict best")
    parser.add_argument("--measure", action="store_true", help="play the games that all of it stands on")
    given = parser.parse_args(asked)
    if unknown := {*given.pools} - {*POOLS}:
        parser.error(f"nothing is rated in {', '.join(sorted(unknown))}")
    found = read()
    with ProcessPoolExecutor(2) as workers:
        for pool in given.pools or POOLS:
            if given.measure:
                found[pool] = found.get(pool, {}) | measure(pool, workers)
            truth, parameters = truth_of(pool, found[pool]), POOLS[pool]
            if given.fit:
                tried = fit(truth, parameters.advantage, FIT_MATCHES)
                found[pool]["fit"] = fitted_json(tried, parameters)
            found[pool]["season"] = season_json(truth, parameters, MATCHES)
            FILE.write_text(written(found), encoding="utf-8", newline="\n")
            sys.stderr.write(f"{pool}: {found[pool]['season']['ends']}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
