"""Write the transcripts: python -m tests.playthroughs.write

A run that is not scripted is the first of the seeds 1, 2, 3, ... that shows what it is meant to show and is not too
long, so the same rules and players give the same files.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from dicehall.bots.player import player
from dicehall.dice import ScriptedDice
from dicehall.play.record import read_roll
from dicehall.play.table import Table
from dicehall.rules.game import DICE
from tests.playthroughs import transcript
from tests.playthroughs.plays import PLAYS, Play
from tests.playthroughs.transcript import Transcript

FOLDER: Final = Path(__file__).parent / "transcripts"
MOST_SEEDS: Final = 20_000


def path(game_id: str, mode: str) -> Path:
    return FOLDER / game_id / f"{mode}.txt"


def perform(play: Play) -> Transcript:
    if play.script:
        found = _finish(play, _scripted_run(play))
        if found is None:
            raise ValueError(f"{play.game} {play.mode}: the script does not show what it should")
        return found
    for seed in range(1, MOST_SEEDS + 1):
        found = _finish(play, _seeded_run(play, seed))
        if found is not None:
            return found
    raise ValueError(f"{play.game} {play.mode}: no seed up to {MOST_SEEDS} shows what it should")


def shows_text(play: Play, written: Transcript) -> str:
    return f"{play.shows} (step {play.shown(written)})"


def _finish(play: Play, table: Table) -> Transcript | None:
    """The transcript, when the run is fit to be one."""
    if not table.is_over or len(table.steps) > play.most_steps:
        return None
    written = transcript.transcribe(table.record(), play.title)
    return written._replace(shows=shows_text(play, written)) if play.shown(written) else None


def _seeded_run(play: Play, seed: int) -> Table:
    table = Table(play.game, options=play.options, seats=play.seats, seed=seed, auto_roll=False)
    players = [player(name, table.game, seed, seat) for seat, name in enumerate(play.seats)]
    while not table.is_over and len(table.steps) <= play.most_steps:
        if table.actor == DICE:
            table.roll()
        else:
            table.play(players[table.actor](table.state))
    return table


def _scripted_run(play: Play) -> Table:
    # no move of any game begins with a d, so every such step is a roll
    dice = [die for step in play.script if step.startswith("d") for die in read_roll(step)]
    table = Table(play.game, options=play.options, seats=play.seats, dice=ScriptedDice(dice), auto_roll=False)
    for step in play.script:
        if table.actor == DICE:
            table.roll()
        else:
            table.play(step)
    return table


def main() -> None:
    for play in PLAYS:
        file = path(play.game, play.mode)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(transcript.write(perform(play)), encoding="utf-8")


if __name__ == "__main__":
    main()
