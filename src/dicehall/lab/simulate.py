"""Many games between players named in advance, and what came of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from time import perf_counter
from typing import Any

from dicehall.bots.player import play_on, player
from dicehall.dice import Seed, seed_text
from dicehall.errors import InvalidOption, excerpt
from dicehall.play.record import Record
from dicehall.play.table import Table
from dicehall.rules.catalog import AnyGame, find_game
from dicehall.rules.game import Result
from dicehall.rules.options import OptionValue


def simulate(
    game: str | AnyGame,
    seats: Sequence[str],
    games: int,
    seed: Seed,
    options: Mapping[str, OptionValue] | None = None,
    keep: Callable[[Record], object] | None = None,
    tell: Callable[[int], object] | None = None,
) -> dict[str, Any]:
    """Play `games` games; `keep` is called with the record of each, then `tell` with how many there are now. Equal
    seeds give equal games."""
    game = find_game(game) if isinstance(game, str) else game
    if type(games) is not int or not 1 <= games <= 100_000_000:
        raise InvalidOption("games", f"games is a number from 1 to 100 million, not {excerpt(games)}")
    chosen = game.make_options(options or {})
    game.check_seats(chosen, len(seats))
    for name in seats:
        player(name, game, "check")
    tallies = [_Tally(name) for name in seats]
    length, base, started = 0, seed_text(seed), perf_counter()
    for number in range(games):
        table = play_game(game, seats, f"{base}/{number}", chosen)
        result = table.result
        assert result is not None
        length += len(table.steps)
        for seat, tally in enumerate(tallies):
            tally.add(result, seat)
        if keep is not None:
            keep(table.record())
        if tell is not None:
            tell(number + 1)
    seconds = perf_counter() - started
    return {
        "game": game.id,
        "rules": game.version,
        "options": chosen.as_dict(),
        "seats": list(seats),
        "aim": game.rules.aim(chosen, len(seats))._asdict(),
        "seed": base,
        "games": games,
        "seconds": round(seconds, 6),
        "games_per_second": round(games / seconds, 1),
        "mean_length": length / games,
        "per_seat": [tally.summary() for tally in tallies],
    }


def play_game(game: AnyGame, seats: Sequence[str], seed: Seed, options: Any = None) -> Table:
    """One game between players, to its end."""
    table = Table(game, options=options, seats=list(seats), seed=seed)
    play_on(table, {seat: player(name, game, seed, seat) for seat, name in enumerate(seats)})
    return table


class _Tally:
    """One seat's sums; integers, so the order of the games does not matter to the last digit."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.games = self.sum = self.squares = self.wins = self.draws = self.losses = 0

    def add(self, result: Result, seat: int) -> None:
        score = result.scores[seat]
        self.games += 1
        self.sum += score
        self.squares += score * score
        outcome = result.outcome(seat)
        self.wins += outcome == "won"
        self.draws += outcome in ("drawn", "shared")
        self.losses += outcome == "lost"

    def summary(self) -> dict[str, Any]:
        mean = self.sum / self.games
        spread = self.squares * self.games - self.sum * self.sum  # games^2 times the variance
        error = sqrt(spread / (self.games - 1)) / self.games if self.games > 1 else 0.0
        return {
            "player": self.name,
            "mean_score": mean,
            "se": error,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
        }
