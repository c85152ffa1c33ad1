"""Players by name: what `--seats` takes, and what a table asks for a move.

A player is a function from a state to a move. It gets its seed from the run and its seat, so the same run with the
same seats plays the same everywhere.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from dicehall.bots import ladder
from dicehall.bots.protocol import BotKind as BotKind
from dicehall.bots.protocol import Player as Player
from dicehall.bots.protocol import find_bots
from dicehall.coach.protocol import has_coach
from dicehall.dice import Seed, Stream, seed_text
from dicehall.errors import InvalidOption, excerpt
from dicehall.play.table import Table
from dicehall.rules.catalog import AnyGame
from dicehall.rules.game import DICE
from dicehall.rules.options import Options

RANDOM: Final = "random"
LEVEL: Final = "level"  # the ladder: see ladder.py
PERFECT: Final = "perfect"
GROUP: Final = "dicehall.players"  # of entry points, each a BotKind of another package


def player(name: str, game: AnyGame, seed: Seed, seat: int = 0) -> Player:
    """The player of that name for that game."""
    if name == RANDOM:
        return _random(game, seed, seat)
    if name == PERFECT:
        return ladder.perfect(game)
    word, colon, number = name.partition(":") if isinstance(name, str) else ("", "", "")
    if name in ladder.rung_names(game):
        return ladder.level(game, int(number), seed, seat)
    for kind in _kinds(game):
        if kind.name == word:
            if kind.numbers is None and not colon:
                return kind.make(0)
            if kind.numbers is not None and number.isdecimal() and len(number) < 9 and int(number) in kind.numbers:
                return kind.make(int(number))
    raise InvalidOption("player", f"{game.id} has no player {excerpt(name)}; players: {', '.join(player_names(game))}")


def player_names(game: AnyGame) -> list[str]:
    names = [f"{kind.name}:N" if kind.numbers else kind.name for kind in _kinds(game)]
    return [RANDOM, *names, *ladder.rung_names(game), *([PERFECT] if has_coach(game) else [])]


def _kinds(game: AnyGame) -> list[BotKind]:
    """The game's own players, and those of other packages who play it."""
    own = find_bots(game.id)
    return [*(own.KINDS if own else ()), *(kind for kind in _installed() if game.id in kind.games)]


@cache
def _installed() -> tuple[BotKind, ...]:
    """The players of other packages, by the names of their entry points."""
    from importlib.metadata import entry_points

    found = tuple(one.load() for one in sorted(entry_points(group=GROUP), key=lambda one: one.name))
    for kind in found:
        if not isinstance(kind, BotKind):
            raise InvalidOption("player", f"{excerpt(kind)} of another package is no kind of player")
    return found


def plays_by_advice(name: str) -> bool:
    return name.partition(":")[0] in (LEVEL, PERFECT)


def first_advice(game: AnyGame, options: Options, seats: int) -> None:
    """The first question about a variant may take seconds. Asked here, nobody has to wait for it later."""
    state = game.begin(options, seats)
    while game.rules.actor(state) == DICE:
        state = game.roll(state, (1,) * game.rules.dice_to_roll(state))
    ladder.best_advice(game, state)


def play_on(table: Table, players: dict[int, Player]) -> None:
    """Let the players among the seats move until it is somebody else's turn, or the run is over."""
    while table.actor in players:
        table.play(players[table.actor](table.state))


def _random(game: AnyGame, seed: Seed, seat: int) -> Player:
    """Draws lots anew in every position, so that a table taken up again needs no memory of the lots drawn before."""
    text = seed_text(seed)

    def choose(state: Any) -> Any:
        moves = game.rules.legal(state)
        return moves[Stream(text, f"random/{seat}/{game.rules.state_text(state)}").below(len(moves))]

    return choose
