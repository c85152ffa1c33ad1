"""How long the solvers take and how much memory; and how long advice takes, which has no solver to ask.

    python bench/solve.py [--only WORD] [--json]

Every solver runs in a process of its own. What it takes to load and compile is told apart from solving. Advice is asked
for in pure Python, for every game, objective and a spread of variants, along runs of random moves and of good ones. The
first question about a variant opens its book, or solves what has no book; that too is told apart, and every other call
counts, also the first one of a turn or a round. Advice is timed by the processor, solvers by the clock.

The exit code is 0 when every check that counts passes, 1 when one fails.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import product
from random import Random
from resource import RUSAGE_SELF, getrusage
from statistics import median
from typing import Any, Final

from checks import Check, finish, say

from dicehall.coach.advise import advise, values
from dicehall.rules.catalog import GAMES, AnyGame
from dicehall.rules.game import DICE, NOBODY

FACES: Final = (1, 2, 3, 4, 5, 6)
MEDIAN_MS: Final = 10.0
WORST_MS: Final = 50.0
LONGER_MS: Final = {"lite-versus": 80.0}  # where the last nine dice are played out for every move
POSITIONS: Final = 60  # of each variant and objective
GOOD: Final = 0.8  # how often somebody who plays well finds the best move


@dataclass(frozen=True)
class Solved:
    load_s: float
    compile_s: float
    solve_s: float
    peak_mb: float


@dataclass(frozen=True)
class Advised:
    positions: int
    median_ms: float
    worst_ms: float
    worst_at: str
    opening_ms: float  # the longest
    opening_of: str
    variants: int
    slow_openings: int  # that take longer than any other call may


@dataclass(frozen=True)
class Report:
    python: str
    solvers: dict[str, Solved]
    advice: dict[str, Advised]

    def checks(self) -> list[Check]:
        checks = []
        for name, solved in self.solvers.items():
            seconds, megabytes = LIMITS[name]
            checks.append(at_most(f"{name}, s", solved.solve_s, seconds))
            if megabytes:
                checks.append(at_most(f"{name}, MB", solved.peak_mb, megabytes))
        for game, advised in self.advice.items():
            checks.append(at_most(f"advice on {game}, median ms", advised.median_ms, MEDIAN_MS))
            checks.append(at_most(f"advice on {game}, worst ms", advised.worst_ms, LONGER_MS.get(game, WORST_MS)))
        return checks


def at_most(name: str, measured: float, limit: float) -> Check:
    return Check(name, measured, f"<= {limit:g}", measured <= limit)


# --- the solvers: each loads, and gives what compiles and what solves

Work = Callable[[], object]


def shut_the_box() -> tuple[Work, Work]:
    from dicehall.coach.shut_the_box import book as box_book
    from dicehall.rules.shut_the_box import Options, start

    box_book._chapters = dict  # type: ignore[assignment]  # all is solved, nothing read
    asked: list[tuple[str, dict[str, Any]]] = [
        *[(objective, {}) for objective in ("golf", "digital", "missionary", "shut", "golf<=12", "total<=45", "win")],
        ("win", {"mode": "threshold"}),
        ("rounds", {"variant": "tournament45out"}),
        ("turns", {"mode": "long"}),
    ]

    def solve() -> object:
        return [
            values(GAMES["shut-the-box"], Options(**rules), 1, objective)(start(Options(**rules), 1))
            for objective, rules in asked
        ]

    return nothing, solve


def lite_solo(columns: bool) -> tuple[Work, Work]:
    from dicehall.solve.lite_solo import WILDS, PerfectPlay

    def compiling() -> object:
        play = PerfectPlay(False)
        play.layers = play.layers[-1:]  # the last die
        return play.ways("off")

    def solve() -> object:
        play = PerfectPlay(columns)
        return [(play.scores(wild)[0], play.ways(wild)[0]) for wild in WILDS]

    return compiling, solve


def farkle(objective: str) -> tuple[Work, Work]:
    from dicehall.coach.farkle.contest import Contest
    from dicehall.rules.farkle_scoring import LITE
    from dicehall.solve.farkle import solve

    return lambda: solve(objective, Contest(LITE, True, 2)), lambda: solve(objective, Contest(LITE, True))


def lite_versus() -> tuple[Work, Work]:
    import numpy as np

    from dicehall.solve.lite_versus import ALL_DICE, Climb, Variant, best_play, layer

    variant = Variant("off", False, "none")

    def compiling() -> None:
        """The smallest layer, with short and with long numbers."""
        climb = Climb(variant)
        (after, numbers), here, mover = climb.to(0), layer(variant, climb.known, 1), climb.known[1]
        for kind in (np.int32, np.int64):
            found = np.empty(here.size, kind)
            moves = mover.becomes, mover.gained, mover.again
            best_play(found, numbers.astype(kind), here, after, *moves, 2, 0, len(mover.sides))

    return compiling, lambda: Climb(variant).to(ALL_DICE)


def knucklebones_2() -> tuple[Work, Work]:
    from dicehall.solve.knucklebones.cpu import solve

    return lambda: solve(1), lambda: solve(2)


def knucklebones_3() -> tuple[Work, Work]:
    """One sweep: it takes as long whatever the values are."""
    from dicehall.solve.knucklebones.cpu import Sweeps, solve

    work = Sweeps(3)
    return lambda: solve(1), work.sweep


def nothing() -> None:
    """There is nothing to compile."""


SOLVERS: Final[dict[str, Callable[[], tuple[Work, Work]]]] = {
    "shut-the-box, 9 tiles, all objectives": shut_the_box,
    "lite-solo, score and every target": lambda: lite_solo(False),
    "lite-solo with columns, likewise": lambda: lite_solo(True),
    "farkle, turns": lambda: farkle("turns"),
    "farkle, race": lambda: farkle("race"),
    "lite-versus, every position": lite_versus,
    "knucklebones, two columns": knucklebones_2,
    "knucklebones, one sweep of three columns": knucklebones_3,
}
LIMITS: Final = dict(  # s, MB
    zip(SOLVERS, ((1, 0), (2, 0), (30, 0), (60, 0), (60, 0), (300, 3000), (10, 0), (180, 12000)), strict=True)
)


def measure_solver(name: str) -> Solved:
    began = time.perf_counter()
    compiling, solve = SOLVERS[name]()
    loaded = time.perf_counter()
    compiling()
    compiled = time.perf_counter()
    solve()
    solved = time.perf_counter()
    peak = getrusage(RUSAGE_SELF).ru_maxrss / 1024
    return Solved(loaded - began, compiled - loaded, solved - compiled, peak)


# --- advice


Variant = tuple[dict[str, Any], int, str]  # options, seats and an objective


def lite_variants() -> Iterator[Variant]:
    for columns, token in product((False, True), ((False, "off"), (True, "contains"), (True, "natural"))):
        for objective in ("score", f"target:{120 if columns else 70}", f"target:{170 if columns else 100}"):
            yield {"columns": columns, "reroll": token[0], "wild": token[1]}, 1, objective


def versus_variants() -> Iterator[Variant]:
    wilds, tiebreaks = ("off", "contains", "natural"), ("none", "highest-single-die")
    for wild, reroll, tiebreak in product(wilds, (False, True), tiebreaks):
        yield {"wild": wild, "reroll": reroll, "tiebreak": tiebreak}, 2, "win"


def farkle_variants() -> Iterator[Variant]:
    for preset in ("casual", "standard", "spicy"):
        for seats, objective in ((1, "turn"), (1, "turns"), (2, "race"), (2, "turn"), (1, "farkle:3")):
            yield {"preset": preset}, seats, objective
        yield {"preset": preset, "last_turn": True}, 2, "race"
    yield {"preset": "arcade"}, 1, "arcade"
    yield {"max_turns": 20, "board_minimum": 500}, 1, "arcade"
    yield {"max_turns": 10, "straight": True, "straight_points": 1237}, 1, "arcade"
    yield {"hot_dice": False, "three_pairs": True, "four_plus_pair": True}, 1, "turns"
    yield {"straight": True, "three_pairs": True, "three_pairs_points": 750, "bank_minimum": 300}, 3, "turn"


def box_variants() -> Iterator[Variant]:
    for tiles in (9, 12):
        for rules in ({}, {"mulligan": True, "one_die": "forced"}, {"difficulty": "hard", "one_die": "sum-6"}):
            for objective in ("golf", "digital", "missionary", "shut", "golf<=10", "total<=60", "win"):
                yield {"tiles": tiles, **rules}, 1, objective
        yield {"tiles": tiles, "mode": "threshold", "variant": "alwaysSumDuo"}, 1, "win"
        yield {"tiles": tiles, "instant": True, "scoring": "missionary", "goal": 12}, 1, "win"
        yield {"tiles": tiles, "scoring": "digital"}, 1, "win"
        yield {"tiles": tiles, "variant": "tournament45out"}, 1, "rounds"
        yield {"tiles": tiles, "variant": "tournament45out", "instant": True}, 1, "rounds"
        yield {"tiles": tiles, "mode": "long"}, 1, "turns"


def knucklebones_variants() -> Iterator[Variant]:
    yield {}, 2, "win"


# All objectives, presets, and what makes a game harder to solve.
VARIANTS: Final[dict[str, Callable[[], Iterator[Variant]]]] = {
    "lite-solo": lite_variants,
    "lite-versus": versus_variants,
    "farkle": farkle_variants,
    "shut-the-box": box_variants,
    "knucklebones": knucklebones_variants,
}


def positions(game: AnyGame, options: Any, seats: int, objective: str, rng: Random) -> Iterator[Any]:
    """Along runs of somebody who plays at random and of somebody who plays well, in turns."""
    skill = 0.0
    while True:
        state = game.begin(options, seats)
        while (who := game.rules.actor(state)) != NOBODY:
            if who == DICE:
                state = game.roll(state, tuple(rng.choices(FACES, k=game.rules.dice_to_roll(state))))
                continue
            yield state
            if rng.random() < skill:
                state = game.apply(state, advise(game, state, objective, seats)[0].move)
            else:
                state = game.apply(state, rng.choice(game.rules.legal(state)))
        skill = GOOD - skill


def measure_advice(name: str) -> Advised:
    game, rng = GAMES[name], Random(1)
    calls: list[tuple[float, str]] = []
    openings: list[tuple[float, str]] = []
    for chosen, seats, objective in VARIANTS[name]():
        options = game.make_options(chosen)
        label = " ".join([objective, *[f"{option}={value}" for option, value in chosen.items() if value]])
        for number, state in enumerate(positions(game, options, seats, objective, rng)):
            began = time.process_time()
            advise(game, state, objective, seats)
            taken = (time.process_time() - began) * 1000
            if number:
                calls.append((taken, f"{label}: {game.rules.state_text(state)}"))
            else:
                openings.append((taken, label))
            if number == POSITIONS:
                break
    times, worst, opening = [taken for taken, _ in calls], max(calls), max(openings)
    slow = sum(taken > WORST_MS for taken, _ in openings)
    return Advised(len(calls), median(times), *worst, *opening, len(openings), slow)


# --- the report


def measure(only: str) -> Report:
    solvers = [name for name in SOLVERS if only in f"solve {name}"]
    games = [game for game in GAMES if only in f"advice {game}"]
    return Report(
        python=f"{platform.python_implementation()} {platform.python_version()}",
        solvers={name: Solved(**apart(name)) for name in solvers},
        advice={game: Advised(**apart(game)) for game in games},
    )


def apart(name: str) -> Any:
    """Measured in a process of its own."""
    say(name)
    command = [sys.executable, __file__, "--one", name]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def show(report: Report) -> None:
    print(f"{f'Solvers, {report.python}':<46}{'load s':>10}{'compile s':>10}{'solve s':>10}{'peak MB':>10}")
    for name, solved in report.solvers.items():
        print(
            f"  {name:<44}{solved.load_s:>10.2f}{solved.compile_s:>10.2f}{solved.solve_s:>10.2f}{solved.peak_mb:>10.0f}"
        )
    print(f"\n{'Advice':<46}{'calls':>10}{'median ms':>10}{'worst ms':>10}{'opening':>10}")
    for game, advised in report.advice.items():
        times = f"{advised.median_ms:>10.2f}{advised.worst_ms:>10.1f}{advised.opening_ms:>10.1f}"
        print(f"  {game:<44}{advised.positions:>10}{times}")
        print(f"      the worst: {advised.worst_at}\n      the longest to open: {advised.opening_of}")
        print(f"      {advised.slow_openings} of {advised.variants} variants take more than {WORST_MS:g} ms to open")


def main() -> int:
    parser = argparse.ArgumentParser(description="Time and memory of the solvers; time of advice.")
    parser.add_argument("--only", default="", metavar="WORD", help="what has this in its name: advice, farkle, ...")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="write the report as JSON")
    arguments = parser.parse_args()
    if arguments.one:
        measured = measure_solver if arguments.one in SOLVERS else measure_advice
        print(json.dumps(asdict(measured(arguments.one))))
        return 0
    names = [f"solve {name}" for name in SOLVERS] + [f"advice {game}" for game in GAMES]
    if not any(arguments.only in name for name in names):
        parser.error(f"nothing that is measured has {arguments.only!r} in its name")
    return finish(measure(arguments.only), show, arguments.json)


if __name__ == "__main__":
    sys.exit(main())
