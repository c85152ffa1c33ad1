"""Perft by the rules themselves: level by level, equal states counted together. Fast, and nothing like the twins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from dicehall.play.record import read_roll
from dicehall.rules.catalog import AnyGame, find_game
from dicehall.rules.game import DICE, NOBODY, outcomes
from tests.perft.tables import Position, Row


class Count(NamedTuple):
    nodes: int = 0
    weight: int = 0


Level = dict[Any, Count]  # by state


def count_by_rules(position: Position, depth: int) -> tuple[Row, ...]:
    """The rows from depth 1 on; they stop early where every game is over."""
    game = find_game(position.game)
    level: Level = {arrive(game, position): Count(1, 1)}
    rows = []
    for ply in range(1, depth + 1):
        level = _next_level(game, level)
        if not level:
            break
        rows.append(_row(game, level, ply, position.seats))
    return tuple(rows)


def arrive(game: AnyGame, position: Position) -> Any:
    """The state after the position's steps, every one of them checked."""
    state = game.begin(position.options, position.seats)
    for step in position.steps:
        if game.rules.actor(state) == DICE:
            state = game.roll(state, read_roll(step))
        else:
            state = game.apply(state, game.rules.read_move(step))
    return state


def _next_level(game: AnyGame, level: Level) -> Level:
    following: Level = defaultdict(Count)
    for state, count in level.items():
        for child, orders in _plies(game, state):
            nodes, weight = following[child]
            following[child] = Count(nodes + count.nodes, weight + count.weight * orders)
    return following


def _plies(game: AnyGame, state: Any) -> Iterator[tuple[Any, int]]:
    if game.rules.actor(state) == DICE:
        for roll, orders in outcomes(game.rules.dice_to_roll(state)):
            yield game.rules.rolled(state, roll), orders
    else:
        for move in game.rules.legal(state):  # none when the game is over
            yield game.rules.after(state, move), 1


def _row(game: AnyGame, level: Level, depth: int, seats: int) -> Row:
    rolls = over = 0
    turns, points, wins = [0] * seats, [0] * seats, [0] * seats
    for state, count in level.items():
        actor = game.rules.actor(state)
        if actor == DICE:
            rolls += count.nodes
        elif actor != NOBODY:
            turns[actor] += count.nodes
        else:
            over += count.nodes
            result = game.rules.result(state)
            for seat, score in enumerate(result.scores):
                points[seat] += count.weight * score
            for seat in result.winners:
                wins[seat] += count.weight
    nodes = sum(count.nodes for count in level.values())
    weight = sum(count.weight for count in level.values())
    return Row(depth, nodes, rolls, tuple(turns), over, weight, tuple(points), tuple(wins))
