"""How fast the rules are: random playouts of the five games beside OpenSpiel's games written in Python.

    python bench/rules.py [--seconds S] [--json]

Ours and theirs take turns in short rounds, so that whatever else the machine does hits both, and medians are compared.
A move is one seat's decision; plies are moves and rolls. Two more measurements follow: what `import dicehall` adds to
the start of an interpreter, and whether memory stays flat over thousands of playouts.

OpenSpiel lives in an environment of its own, `.venv-bench`, which is built when it is missing. The exit code is 0 when
every check that counts passes, 1 when one fails, 2 when OpenSpiel cannot be installed or started.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import random
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import IO, Any, Final

from checks import Check, finish, say

from dicehall.rules.catalog import GAMES, AnyGame
from dicehall.rules.game import DICE, NOBODY

HERE: Final = Path(__file__).resolve().parent
ENVIRONMENT: Final = HERE.parent / ".venv-bench"
CONSTRAINTS: Final = HERE / "constraints.txt"
PEER_SCRIPT: Final = HERE / "peers" / "open_spiel_playouts.py"

FACES: Final = (1, 2, 3, 4, 5, 6)
ROUNDS: Final = 5
LEAST_RATIO: Final = 2.0  # moves per second of each game, against the median of the peers
IMPORT_RUNS: Final = 40
IMPORT_LIMIT_MS: Final = 60.0
PROGRAMS: Final = ("import dicehall", "from dicehall import *")
WARM_UP_SECONDS: Final = 0.5
PLAYOUTS: Final = 10_000  # in all, so many of each game
PLAYOUTS_EACH: Final = PLAYOUTS // len(GAMES)
GROWTH_LIMIT_KIB: Final = 16.0  # eight bytes a playout: nothing that a playout makes is left behind


class NoPeers(Exception):
    """OpenSpiel cannot be installed or started."""


@dataclass(frozen=True)
class Rate:
    moves: float  # per second
    plies: float


@dataclass(frozen=True)
class ImportTime:
    bare_ms: float
    full_ms: float


@dataclass(frozen=True)
class Memory:
    """How much more is in use after the playouts than before, and how much more at the highest point in between."""

    growth_kib: float
    peak_kib: float


@dataclass(frozen=True)
class Report:
    python: str
    seconds: float
    ours: dict[str, Rate]
    our_notes: dict[str, str]
    peers: dict[str, Rate]
    peer_notes: dict[str, str]
    import_time: dict[str, ImportTime]
    memory: dict[str, Memory]

    def checks(self) -> list[Check]:
        middle, fastest = over(self.peers, median), over(self.peers, max)
        our_middle, slowest = over(self.ours, median), over(self.ours, min)
        checks = []
        for game, rate in self.ours.items():
            checks.append(ratio(f"{game}, moves to the peers' median", rate.moves / middle.moves, counts=True))
        for game, rate in self.ours.items():
            checks.append(ratio(f"{game}, moves to the fastest peer", rate.moves / fastest.moves))
        checks += [
            ratio("our slowest game, moves to the fastest peer", slowest.moves / fastest.moves),
            ratio("our slowest game, plies to the fastest peer", slowest.plies / fastest.plies),
            ratio("our median, moves to the peers' median", our_middle.moves / middle.moves),
            ratio("our median, plies to the peers' median", our_middle.plies / middle.plies),
        ]
        for program, start in self.import_time.items():
            checks.append(at_most(f"{program}, ms more than nothing", start.full_ms - start.bare_ms, IMPORT_LIMIT_MS))
        for game, memory in self.memory.items():
            name = f"{game}, KiB more after {PLAYOUTS_EACH:,} playouts"
            checks.append(at_most(name, memory.growth_kib, GROWTH_LIMIT_KIB))
        return checks


def ratio(name: str, measured: float, *, counts: bool = False) -> Check:
    return Check(name, measured, f">= {LEAST_RATIO:g}", measured >= LEAST_RATIO, counts)


def at_most(name: str, measured: float, limit: float) -> Check:
    return Check(name, measured, f"<= {limit:g}", measured <= limit)


def over(rates: Mapping[str, Rate], pick: Callable[[list[float]], float]) -> Rate:
    """The median, the fastest or the slowest of several games; moves and plies each for themselves."""
    return Rate(pick([rate.moves for rate in rates.values()]), pick([rate.plies for rate in rates.values()]))


# --- our playouts


def seats_for(game: AnyGame) -> int:
    return 2 if 2 in game.seats else game.seats[0]


def setting(game: AnyGame) -> str:
    """How a game is played here: the default options, of which these decide how long a run is."""
    options = game.make_options({})
    lengths = [f"{name} {getattr(options, name)}" for name in ("target", "tiles", "rounds") if hasattr(options, name)]
    return ", ".join(["default options", f"seats {seats_for(game)}", *lengths])


def play_out(game: AnyGame, options: Any, seats: int, rng: random.Random) -> tuple[int, int]:
    """One random run from start to result; how many moves and rolls it took."""
    rules = game.rules
    actor, legal, after, rolled, dice_to_roll = rules.actor, rules.legal, rules.after, rules.rolled, rules.dice_to_roll
    moves = rolls = 0
    state = game.rules.start(options, seats)
    while (who := actor(state)) != NOBODY:
        if who == DICE:
            state = rolled(state, tuple(rng.choices(FACES, k=dice_to_roll(state))))
            rolls += 1
        else:
            state = after(state, rng.choice(legal(state)))
            moves += 1
    game.rules.result(state)
    return moves, rolls


def our_rate(game: AnyGame, seconds: float, rng: random.Random) -> Rate:
    options, seats = game.make_options({}), seats_for(game)
    moves = rolls = 0
    began = time.perf_counter()
    while (elapsed := time.perf_counter() - began) < seconds:
        more_moves, more_rolls = play_out(game, options, seats, rng)
        moves += more_moves
        rolls += more_rolls
    return Rate(moves / elapsed, (moves + rolls) / elapsed)


# --- the peers


def peer_python() -> Path:
    """The interpreter that has OpenSpiel; its environment is built when it is missing or out of date."""
    python, ready = ENVIRONMENT / "bin" / "python", ENVIRONMENT / "ready"
    if python.exists() and ready.exists() and ready.stat().st_mtime >= CONSTRAINTS.stat().st_mtime:
        return python
    say(f"building {ENVIRONMENT.name} for OpenSpiel ...")
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    try:
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)], check=True, stdout=sys.stderr)
        subprocess.run([*install, "--constraint", str(CONSTRAINTS), "open_spiel"], check=True, stdout=sys.stderr)
    except (OSError, subprocess.CalledProcessError) as error:
        raise NoPeers("OpenSpiel could not be installed") from error
    ready.touch()
    return python


class Peers:
    """The other process: it waits while ours plays."""

    def __init__(self, requests: IO[str], answers: IO[str]) -> None:
        self._requests, self._answers = requests, answers
        self.notes: dict[str, str] = self._answer()

    def rate(self, game: str, seconds: float) -> Rate:
        print(game, seconds, file=self._requests, flush=True)
        played = self._answer()
        return Rate(played["moves"] / played["seconds"], played["plies"] / played["seconds"])

    def _answer(self) -> Any:
        line = self._answers.readline()
        if not line:
            raise NoPeers("the process with OpenSpiel has ended")
        return json.loads(line)


@contextmanager
def open_peers() -> Iterator[Peers]:
    command = [str(peer_python()), str(PEER_SCRIPT)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Peers(process.stdin, process.stdout)


# --- the three measurements


def measure_rates(seconds: float) -> tuple[dict[str, Rate], dict[str, Rate], dict[str, str]]:
    """Every game is played for so many seconds, spread over the rounds; a first one, to warm up, counts for nothing."""
    rng, each = random.Random(1), seconds / ROUNDS
    with open_peers() as peers:
        ours: dict[str, list[Rate]] = {game: [] for game in GAMES}
        theirs: dict[str, list[Rate]] = {game: [] for game in peers.notes}
        for turn in range(ROUNDS + 1):
            say(f"round {turn} of {ROUNDS}" if turn else "warming up")
            span = each if turn else WARM_UP_SECONDS
            for our_game, peer_game in zip_longest(shuffled(ours, rng), shuffled(theirs, rng)):
                if our_game is not None:
                    ours[our_game].append(our_rate(GAMES[our_game], span, rng))
                if peer_game is not None:
                    theirs[peer_game].append(peers.rate(peer_game, span))
        return medians(ours), medians(theirs), peers.notes


def shuffled(games: Iterable[str], rng: random.Random) -> list[str]:
    """Another order each round, so that no game always comes after the same one."""
    order = list(games)
    rng.shuffle(order)
    return order


def medians(rates: Mapping[str, list[Rate]]) -> dict[str, Rate]:
    return {
        game: Rate(median(rate.moves for rate in measured[1:]), median(rate.plies for rate in measured[1:]))
        for game, measured in rates.items()
    }


def measure_import(program: str) -> ImportTime:
    """What a program adds to the start of an interpreter, with bytecode kept as in any installed package."""
    bare: list[float] = []
    full: list[float] = []
    with TemporaryDirectory() as bytecode:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": bytecode}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for _ in range(IMPORT_RUNS + 1):
            bare.append(start_ms("pass", environment))
            full.append(start_ms(program, environment))
    return ImportTime(median(bare[1:]), median(full[1:]))


def start_ms(program: str, environment: dict[str, str]) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)
    return (time.perf_counter() - began) * 1000


def measure_memory(game: AnyGame) -> Memory:
    """The same playouts twice, the second time traced: the tables that the rules remember cannot grow any more then.

    A collection comes before the reading: it empties the free lists of the interpreter, which count as memory in use.
    """
    play_many(game)
    tracemalloc.start()
    play_many(game)
    gc.collect()
    growth, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return Memory(growth / 1024, peak / 1024)


def play_many(game: AnyGame) -> None:
    options, seats, rng = game.make_options({}), seats_for(game), random.Random(1)
    for _ in range(PLAYOUTS_EACH):
        play_out(game, options, seats, rng)


# --- the report


def measure(seconds: float) -> Report:
    ours, peers, peer_notes = measure_rates(seconds)
    say("import time")
    import_time = {program: measure_import(program) for program in PROGRAMS}
    memory = {}
    for game in GAMES.values():
        say(f"memory of {game.id}")
        memory[game.id] = measure_memory(game)
    return Report(
        python=f"{platform.python_implementation()} {platform.python_version()}",
        seconds=seconds,
        ours=ours,
        our_notes={game.id: setting(game) for game in GAMES.values()},
        peers=peers,
        peer_notes=peer_notes,
        import_time=import_time,
        memory=memory,
    )


def show(report: Report) -> None:
    print(f"Random playouts, {report.python}: medians of {ROUNDS} rounds, {report.seconds:g} s for each game in all")
    print("A move is one seat's decision; plies are moves and rolls.\n")
    show_rates("Dicehall", report.ours, report.our_notes)
    show_rates("OpenSpiel, games in Python", report.peers, report.peer_notes)
    for program, start in report.import_time.items():
        print(f"Start, medians of {IMPORT_RUNS}: {start.bare_ms:.1f} ms bare, {start.full_ms:.1f} ms with {program}")
    print()
    print(f"{f'Memory in KiB, {PLAYOUTS_EACH:,} playouts of each game':<46}{'growth':>10}{'peak':>10}")
    for game, memory in report.memory.items():
        print(f"  {game:<44}{memory.growth_kib:>10.1f}{memory.peak_kib:>10.1f}")


def show_rates(title: str, rates: Mapping[str, Rate], notes: Mapping[str, str]) -> None:
    print(f"{title:<46}{'moves/s':>10}{'plies/s':>10}")
    for game, rate in rates.items():
        print(f"  {game:<44}{rate.moves:>10,.0f}{rate.plies:>10,.0f}  {notes[game]}")
    print()


def main() -> int:
    parser = argparse.ArgumentParser(description="Speed, import time and memory of the rules, beside OpenSpiel.")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long each game is played in all (5)")
    parser.add_argument("--json", action="store_true", help="write the report as JSON")
    arguments = parser.parse_args()
    if not arguments.seconds > 0:
        parser.error("--seconds has to be more than 0")
    try:
        report = measure(arguments.seconds)
    except (NoPeers, BrokenPipeError) as error:
        say(f"no comparison: {error}")
        return 2
    return finish(report, show, arguments.json)


if __name__ == "__main__":
    sys.exit(main())
