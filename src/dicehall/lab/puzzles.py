"""Mines puzzles out of games between middling players, and writes them into `coach/books/puzzles`.

    python -m dicehall.lab.puzzles [GAME ...]      all games, or only these

A position becomes a puzzle when
- the best move (or several that come to the same) is better than any other by the GAP of its objective or more;
- no move that the rule of thumb of its game (`tempting_moves`) could choose is among the best;
- no puzzle like it (`likeness`) is there yet, whatever that is played for.

They are taken in turn from every objective and every stage of the game, as long as there are any.

Difficulty: out of a hundred times that level:3 looks at the position, how often does it find a best move? At least 80
times is a puzzle of difficulty 1, at least 65 of 2, at least 50 of 3, at least 35 of 4; less is 5.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, Final, NamedTuple

from dicehall.bots import farkle, ladder, shut_the_box
from dicehall.bots.lite import match_worth, my_board
from dicehall.coach import puzzles
from dicehall.coach.advise import Advice, advise
from dicehall.coach.objective import Objective
from dicehall.coach.protocol import read_objective
from dicehall.coach.puzzles import Puzzle
from dicehall.dice import Stream
from dicehall.play.table import Table
from dicehall.rules import lite_versus
from dicehall.rules.catalog import AnyGame, find_game
from dicehall.rules.farkle_state import fallen
from dicehall.rules.knucklebones import after, score_grid
from dicehall.rules.lite_grid import REROLL, ROWS, place, score_board
from dicehall.rules.options import OptionValue

FOLDER: Final = Path(puzzles.__file__).parent / "books" / puzzles.FOLDER
SEED: Final = "puzzles"
PLAYERS: Final = (2, 3, 4)  # the rungs that play, game by game
LOOKS: Final = 100
FOUND: Final = (80, 65, 50, 35)  # times: difficulty 1, 2, 3, 4
MIDDLING: Final = 3
BANKS_AT: Final = 300
STAGES: Final = 3


class Quarry(NamedTuple):
    """Where to dig: a way of playing, what it is played for, and what makes the best move clear there."""

    game: str
    aim: str  # an objective's text
    gap: Fraction
    options: dict[str, OptionValue] = {}  # noqa: RUF012
    seats: int = 1

    @property
    def objective(self) -> Objective:
        return read_objective(find_game(self.game), self.aim)


QUARRIES: Final = (
    Quarry("lite-solo", "score", Fraction(1, 4)),
    Quarry("lite-solo", "score", Fraction(1, 2), {"columns": True}),
    Quarry("lite-solo", "score", Fraction(1, 2), {"reroll": True}),
    Quarry("lite-solo", "score", Fraction(1, 4), {"wild": "natural"}),
    Quarry("lite-solo", "target:90", Fraction(1, 100), {"target": 90}),
    Quarry("lite-versus", "win", Fraction(3, 100), {}, 2),
    Quarry("lite-versus", "win", Fraction(3, 100), {"reroll": True}, 2),
    Quarry("lite-versus", "win", Fraction(3, 100), {"wild": "contains"}, 2),
    Quarry("lite-versus", "win", Fraction(3, 100), {"first": "bot"}, 2),
    Quarry("farkle", "turn", Fraction(15), {}, 3),
    Quarry("farkle", "turns", Fraction(1, 50)),
    Quarry("farkle", "race", Fraction(1, 200), {}, 2),
    Quarry("farkle", "arcade", Fraction(15), {"max_turns": 10, "straight": True, "three_pairs": True}),
    Quarry("shut-the-box", "golf", Fraction(1, 4), {}, 2),
    Quarry("shut-the-box", "shut", Fraction(1, 100), {}, 2),
    Quarry("shut-the-box", "win", Fraction(1, 100)),
    Quarry("shut-the-box", "golf", Fraction(1, 4), {"tiles": 12}, 2),
    Quarry("shut-the-box", "missionary", Fraction(1, 10), {"scoring": "missionary"}, 2),
    Quarry("shut-the-box", "digital", Fraction(50), {"scoring": "digital"}, 2),
    Quarry("knucklebones", "lead", Fraction(2), {}, 2),
)
WANTED: Final = {"lite-solo": 80, "lite-versus": 80, "farkle": 80, "shut-the-box": 80, "knucklebones": 60}
GAMES: Final = {"lite-solo": 400, "lite-versus": 40, "farkle": 20, "shut-the-box": 20, "knucklebones": 500}  # a quarry


class Find(NamedTuple):
    puzzle: Puzzle
    likeness: Any
    stage: int


def tempting_moves(game_id: str, state: Any) -> list[Any]:
    """The moves that most people would choose between, by one rule of thumb for each game.

    lite-solo       equal dice together, any other die where there is most room; never a reroll
    lite-versus     the most points on the board at once; never a reroll
    farkle          keep the most points; bank 300 or more, roll with less
    shut-the-box    the highest tile, then the next highest; one die as soon as it may
    knucklebones    the best lead at once
    """
    if game_id == "lite-solo":
        return _best_of(find_game(game_id), state, lambda move: (0, 0) if move == REROLL else match_worth(state, move))
    if game_id == "lite-versus":
        return _best_of(find_game(game_id), state, lambda move: 0 if move == REROLL else _score(state, move))
    if game_id == "farkle":
        return [farkle.bank(BANKS_AT)(state)]
    if game_id == "shut-the-box":
        return [shut_the_box.choose_highest(state)]

    def lead(column: int) -> int:
        grids = after(state, column).grids
        return score_grid(grids[state.seat]) - score_grid(grids[1 - state.seat])

    return _best_of(find_game(game_id), state, lead)


def _score(state: lite_versus.State, cell: int) -> int:
    """What the board would be worth with the die in that cell, as it then stands."""
    return score_board(place(my_board(state), cell, state.die), state.options.columns, state.options.wild)


def _best_of(game: AnyGame, state: Any, worth: Callable[[Any], Any]) -> list[Any]:
    moves = game.rules.legal(state)
    best = max(map(worth, moves))
    return [move for move in moves if worth(move) == best]


def likeness(game_id: str, state: Any) -> Any:
    """What two positions have in common when one of them is enough to learn from."""
    if game_id in ("lite-solo", "lite-versus"):
        board = my_board(state)
        rows = [tuple(sorted(board[cell] for cell in row)) for row in ROWS]
        return state.die, tuple(sorted(row for row in rows if 0 in row))
    if game_id == "farkle":
        return (state.kept.count(False), state.turn_total // 100) if state.chosen else fallen(state)
    if game_id == "shut-the-box":
        return sum(state.dice), state.open[-3:]
    mine, theirs = state.grids[state.seat], state.grids[1 - state.seat]
    pairs = zip(mine, theirs, strict=True)
    return state.die, tuple(sorted((state.die in one, state.die in other, len(one)) for one, other in pairs))


def difficulty(quarry: Quarry, state_text: str, advice: list[Advice]) -> int:
    """1 to 5, as told above; `advice` is that on the position `state_text`."""
    found = 0
    for look in range(LOOKS):
        stream = Stream(state_text, f"look/{look}")
        found += not ladder.blurred(quarry.objective, advice, MIDDLING, stream).loss
    return 1 + sum(found < least for least in FOUND)


def dig(quarry: Quarry, number: int) -> Iterator[Find]:
    """The puzzles in the game `number` of a quarry, between two of the players."""
    game = find_game(quarry.game)
    seed = f"{SEED}/{QUARRIES.index(quarry)}/{number}"
    rung = PLAYERS[number % len(PLAYERS)]
    table = Table(game, options=quarry.options, seats=quarry.seats, seed=seed, undo_allowed=False)
    found: list[tuple[int, Any, list[Advice]]] = []
    while (seat := table.actor) >= 0:
        state = table.state
        advice = advise(game, state, quarry.objective, quarry.seats)
        if is_puzzle(quarry, state, advice):
            found.append((len(table.steps), state, advice))
        blur = Stream(seed, f"{seat}/{len(table.steps)}")
        table.play(ladder.blurred(quarry.objective, advice, rung, blur).move)
    for step, state, advice in found:
        text = game.rules.state_text(state)
        puzzle = Puzzle(
            game.id, quarry.options, quarry.seats, quarry.objective, text,
            {one.text: one.value for one in advice}, tuple(one.text for one in advice if not one.loss),
            game.rules.move_text(tempting_moves(game.id, state)[0]), difficulty(quarry, text, advice),
        )  # fmt: skip
        yield Find(puzzle, likeness(game.id, state), step * STAGES // len(table.steps))


def is_puzzle(quarry: Quarry, state: Any, advice: list[Advice]) -> bool:
    """Whether the best of `advice` is clear, and not what `tempting_moves` chooses."""
    gap = next((one.loss for one in advice if one.loss), Fraction(0))
    best = [one.move for one in advice if not one.loss]
    return gap >= quarry.gap and not any(move in best for move in tempting_moves(quarry.game, state))


def mine(game_id: str, progress: Callable[[str], object] = len) -> list[Puzzle]:
    """All puzzles of a game, equal ones every time; `progress` is told in words how far it is."""
    quarries = [quarry for quarry in QUARRIES if quarry.game == game_id]
    layers: list[list[Puzzle]] = [[] for _ in range(STAGES * len(quarries))]  # one for each quarry and stage
    seen: set[Any] = set()
    for number in range(GAMES[game_id]):
        progress(f"{game_id}: game {number + 1} of {GAMES[game_id]}")
        for which, quarry in enumerate(quarries):
            for find in dig(quarry, number):
                if find.likeness not in seen:
                    seen.add(find.likeness)
                    layers[STAGES * which + find.stage].append(find.puzzle)
    in_turn = chain.from_iterable(zip_longest(*layers))
    return [puzzle for puzzle in in_turn if puzzle is not None][: WANTED[game_id]]


def main(only: list[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    for game_id in only or WANTED:
        found = mine(game_id, lambda words: sys.stderr.write(f"\r{words} "))
        text = puzzles.written(found, find_game(game_id).version)
        (FOLDER / f"{game_id}.jsonl").write_text(text, encoding="utf-8", newline="\n")
        sys.stderr.write(f"\r{game_id}: {len(found)} puzzles      \n")


if __name__ == "__main__":
    main(sys.argv[1:])
