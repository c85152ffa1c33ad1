"""The rules and a slow, obvious, independently written twin walk the same random games, step by step."""

from __future__ import annotations

from random import Random

import pytest

from dicehall.rules.catalog import GAMES
from dicehall.rules.game import DICE, NOBODY
from tests.oracles.catalog import ORACLES
from tests.soak import times
from tests.walks import random_options, random_seats


@pytest.mark.parametrize("batch", range(4))
@pytest.mark.parametrize("game_id", GAMES)
def test_the_rules_agree_with_their_twin_at_every_step(game_id: str, batch: int) -> None:
    game, twin = GAMES[game_id], ORACLES[game_id]
    random = Random(f"twins {game_id} {batch}")
    for _ in range(times(60, 2000)):
        options = random_options(game, random)
        seats = random_seats(game, options, random)
        state, position = game.begin(options, seats), twin.start(options, seats)
        while game.rules.actor(state) != NOBODY:
            if game.rules.actor(state) == DICE:
                assert (twin.turn(position), twin.moves(position)) == ("dice", [])
                assert twin.dice_count(position) == game.rules.dice_to_roll(state)
                dice = tuple(random.randint(1, 6) for _ in range(game.rules.dice_to_roll(state)))
                state, position = game.roll(state, dice), twin.roll(position, dice)
            else:
                assert (twin.turn(position), twin.seat(position)) == ("seat", game.rules.actor(state))
                texts = [game.rules.move_text(move) for move in game.rules.legal(state)]
                assert sorted(twin.moves(position)) == sorted(texts), (options, seats, game.rules.state_text(state))
                text = random.choice(texts)
                state, position = game.apply(state, game.rules.read_move(text)), twin.move(position, text)
        assert twin.turn(position) == "over"
        result = game.rules.result(state)
        expected = {"scores": list(result.scores), "winners": list(result.winners)}
        assert twin.outcome(position) == expected, (options, seats, game.rules.state_text(state))
