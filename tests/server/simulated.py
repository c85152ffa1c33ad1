"""Finished runs of all games, played by chance and put into a store as the hall keeps them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, insert

from dicehall.bots.player import play_on, player
from dicehall.bots.seats import YOU
from dicehall.play.breakdown import breakdown
from dicehall.play.table import Table
from dicehall.rules.catalog import find_game
from dicehall.server.modes import daily_mode, mode_name
from dicehall.store import runs, schema
from dicehall.store.runs import Played, Run

Case = tuple[str, dict[str, Any], list[str]]
CASES: Final[list[Case]] = [
    ("lite-solo", {}, ["you"]),
    ("lite-solo", {"target": 60}, ["you"]),
    ("lite-versus", {}, ["you", "lookahead"]),
    ("lite-versus", {"columns": True}, ["you", "random"]),
    ("farkle", {"target": 1000}, ["you"]),
    ("farkle", {"max_turns": 10}, ["you"]),
    ("farkle", {"target": 1000}, ["you", "random"]),
    ("farkle", {"target": 1000}, ["bank:300", "you", "random"]),
    ("farkle", {"max_turns": 1}, ["random", "you"]),  # nobody banks anything, often: a draw
    ("shut-the-box", {}, ["you"]),
    ("shut-the-box", {"mode": "threshold"}, ["you"]),
    ("shut-the-box", {"mode": "long"}, ["you"]),
    ("shut-the-box", {"rounds": 2}, ["you", "highest"]),
    ("knucklebones", {}, ["you", "spec"]),
    ("knucklebones", {}, ["random", "you"]),
    ("knucklebones", {}, ["you", "you"]),
]
DAY: Final = 86_400


class Simulated(NamedTuple):
    run: Run
    attempt: int | None  # at the daily of its day, from 1


def simulate(
    player_id: str, count: int, random: Random, now: int, cases: list[Case] = CASES, person: str = "random"
) -> Iterator[Simulated]:
    """`count` runs of the player, each before `now`: ranked, at dailies, and not ranked. The player plays like
    `person`."""
    attempts: dict[tuple[str, str], int] = {}
    for number in range(count):
        game_id, options, seats = cases[number % len(cases)]
        game, seed = find_game(game_id), f"run {random.random()}"
        table = Table(game, options=options, seats=seats, seed=seed)
        names = [person if name == YOU else name for name in seats]
        play_on(table, {seat: player(name, game, seed, seat) for seat, name in enumerate(names)})
        record = table.record()
        mode, finished = mode_name(table.options, seats), now - random.randrange(120 * DAY)
        day = datetime.fromtimestamp(finished, UTC).strftime("%Y-%m-%d")
        daily = mode == daily_mode(game) and random.random() < 0.5
        if daily:
            attempts[day, game_id] = attempts.get((day, game_id), 0) + 1
        assert record.result is not None
        aim = game.rules.aim(table.options, len(seats))
        run = Run(
            id=f"{player_id} run {number}",
            table_id=f"{player_id} table {number}",
            people=(Played(player_id, seats.index(YOU), record.result.scores[seats.index(YOU)]),),
            game=game_id,
            mode=mode,
            record=record.to_json(),
            aim=aim.unit,
            lower_is_better=aim.lower_is_better,
            ranked=seats.count(YOU) == 1 and (daily or random.random() < 0.7),
            day=day if daily else None,
            breakdown=breakdown(record),
            finished_at=finished,
        )
        yield Simulated(run, attempts[day, game_id] if daily else None)


def keep(connection: Connection, found: list[Simulated]) -> None:
    for run, attempt in found:
        runs.insert(connection, run)
        if attempt is not None:
            row = {"day": run.day, "game": run.game, "mode": run.mode, "player_id": run.people[0].player_id}
            connection.execute(insert(schema.attempts).values(row | {"number": attempt, "table_id": run.table_id}))
