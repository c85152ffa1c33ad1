"""Random playouts of OpenSpiel's games that are written in Python, on request.

Runs in an interpreter that has OpenSpiel. The first line it writes lists the games, each with a note on how it was
loaded; then every line read, `<game> <seconds>`, is answered by one line. All lines written are JSON.

The loop is the one of OpenSpiel's own example, with `random` for every choice. Games with simultaneous moves are
loaded as turn-based ones, so that a move is one seat's decision everywhere.
"""

from __future__ import annotations

import json
import logging
import random
import sys
import time
from typing import Any

import open_spiel.python.games  # type: ignore[import-not-found]  # noqa: F401  (importing it registers the games)
import pyspiel  # type: ignore[import-not-found]

PREFIX = "python_"  # the name under which OpenSpiel registers a game written in Python


def load(name: str) -> tuple[Any, str]:
    game = pyspiel.load_game(name)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL:
        return game, "sequential"
    return pyspiel.load_game_as_turn_based(name), "simultaneous, loaded as turn-based"


def load_all() -> tuple[dict[str, Any], dict[str, str]]:
    games: dict[str, Any] = {}
    notes: dict[str, str] = {}
    for name in sorted(pyspiel.registered_names()):
        if not name.startswith(PREFIX):
            continue
        try:
            games[name], notes[name] = load(name)
        except pyspiel.SpielError as error:  # a game that does not load without parameters is no peer
            print(f"{name} is left out: {error}", file=sys.stderr)
    return games, notes


def playouts(game: Any, seconds: float, rng: random.Random) -> dict[str, float]:
    """Play whole games until the time is up."""
    moves = rolls = played = 0
    began = time.perf_counter()
    while (elapsed := time.perf_counter() - began) < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, chances)[0])
                rolls += 1
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                moves += 1
        state.returns()
        played += 1
    return {"moves": moves, "plies": moves + rolls, "playouts": played, "seconds": elapsed}


def main() -> None:
    logging.disable(logging.WARNING)  # hangman remarks on its word list each time it is loaded
    games, notes = load_all()
    rng = random.Random(1)
    print(json.dumps(notes), flush=True)
    for line in sys.stdin:
        name, seconds = line.split()
        print(json.dumps(playouts(games[name], float(seconds), rng)), flush=True)


if __name__ == "__main__":
    main()
