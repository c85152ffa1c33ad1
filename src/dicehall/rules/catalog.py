"""The five games, by id and rules version. A version that was ever released stays here, so old records replay."""

from __future__ import annotations

from typing import Any

from dicehall.errors import InvalidOption, excerpt
from dicehall.rules import farkle, knucklebones, lite_solo, lite_versus, shut_the_box
from dicehall.rules.game import Game

AnyGame = Game[Any, Any, Any]

LITE_SOLO = Game.of(lite_solo)
LITE_VERSUS = Game.of(lite_versus)
FARKLE = Game.of(farkle)
SHUT_THE_BOX = Game.of(shut_the_box)
KNUCKLEBONES = Game.of(knucklebones)

GAMES: dict[str, AnyGame] = {
    game.id: game
    for game in (LITE_SOLO, LITE_VERSUS, FARKLE, SHUT_THE_BOX, KNUCKLEBONES)  # in the order the hall shows them
}
EARLIER_RULES: dict[tuple[str, int], AnyGame] = {}


def find_game(game_id: str, rules: int | None = None) -> AnyGame:
    """The game of that id, under today's rules or under an earlier version of them."""
    game = GAMES.get(game_id) if isinstance(game_id, str) else None
    if game is None:
        raise InvalidOption("game", f"there is no game {excerpt(game_id)}; games: {', '.join(GAMES)}")
    if rules is None or (type(rules) is int and rules == game.rules):
        return game
    earlier = EARLIER_RULES.get((game_id, rules)) if type(rules) is int else None
    if earlier is None:
        raise InvalidOption("rules", f"{game_id} has no rules version {excerpt(rules)}")
    return earlier
