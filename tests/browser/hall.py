"""A hall for tests in a browser: the real server, but for seeds like `dice:535624`, which are dice, one a digit.

    python -m tests.browser.hall DATA [PORT] [PAGE]

After its script such a seed goes on as the seed it also is, so a run is never out of dice and can be proved as usual.
"""

from __future__ import annotations

import sys
from pathlib import Path
from unittest.mock import patch

from dicehall.dice import SeededDice
from dicehall.people import pairing, presence
from dicehall.server import app, thinking
from dicehall.server.bucket import Bucket
from dicehall.server.serve import serve
from tests.processes import end_with_reader

SCRIPT = "dice:"
_seeded_die = SeededDice.die


def scripted_die(dice: SeededDice, index: int) -> int:
    script = dice.seed.removeprefix(SCRIPT) if dice.seed.startswith(SCRIPT) else ""
    return int(script[index]) if index < len(script) else _seeded_die(dice, index)


def main(data: str, port: str = "0", page: str = "") -> int:
    end_with_reader()
    with (
        patch.object(SeededDice, "die", scripted_die),
        patch.object(Bucket, "allow", lambda bucket, name, cost=1: True),  # a test taps faster than anybody
        patch.object(presence, "LOST_UNTIMED", 8),  # seconds: whoever is away is waited for as long as it is shown
        patch.object(thinking, "QUESTIONS_EACH", 60),  # and asks more, and goes before the answer
        patch.object(pairing, "OFFERED", 2),  # seconds: nobody waits ten for a player of the house
        patch.object(thinking, "RECOMMEND_SECONDS", 20.0),  # a busy machine takes its time to start a process
        patch.object(app, "PAGE", Path(page) if page else app.PAGE),
    ):
        return serve("127.0.0.1", int(port), Path(data), None, (), False, False)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
elif __name__ == "__mp_main__":  # a process of one of the hall's crews, which replays runs with the same dice
    patch.object(SeededDice, "die", scripted_die).start()
