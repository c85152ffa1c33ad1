"""Mines puzzles out of games between middling players, and writes them into `coach/books/puzzles`.

    python -m dicehall.lab.puzzles [GAME ...]      all games, or only these

A position becomes a puzzle when
- the best move (or several that come to the same) is better than any other by the GAP of its objective or more;
- no move that is tempting in its game is among the best;
- no puzzle like it is there yet, whatever that is played for.

They are taken in turn from every objective and every stage of the game, as long as there are any.

Difficulty: out of a hundred times that level:3 looks at the position, how often does it find a best move? At least 80
times is a puzzle of difficulty 1, at least 65 of 2, at least 50 of 3, at least 35 of 4; less is 5.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
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
from dicehall.rules.catalog import find_game
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
    objective_text: str
    gap: Fraction
    options: dict[str, OptionValue] = {}  # noqa: RUF012
    seats: int = 1

    @property
    def objective(self) -> Objective:
        return read_objective(find_game(self.game), self.objective_text)


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
    Quarry("knucklebones", "win", Fraction(5, 100), {}, 2),
)


class Find(NamedTuple):
    puzzle: Puzzle
    likeness: Any
    stage: int


class Recipe(NamedTuple):
    """What makes a puzzle of a game: what most people would do, and when two positions are much the same."""

    wanted: int  # puzzles
    games: int  # that are played in each quarry
    tempting: Callable[[Any], list[Any]]  # of a state: the moves that most people would choose between
    likeness: Callable[[Any], Any]  # of a state: equal for two when one of them is enough to learn from


def _best_of(game_id: str, worth: Callable[[Any, Any], Any]) -> Callable[[Any], list[Any]]:
    """The moves with the greatest `worth` (of a state and a move)."""
    legal = find_game(game_id).rules.legal

    def chosen(state: Any) -> list[Any]:
        moves = legal(state)
        best = max(worth(state, move) for move in moves)
        return [move for move in moves if worth(state, move) == best]

    return chosen


def _match(state: Any, move: int) -> tuple[int, int]:
    """Equal dice together, any other die where there is most room; never a reroll."""
    return (0, 0) if move == REROLL else match_worth(state, move)


def _points(state: lite_versus.State, move: int) -> int:
    """The most points on the board at once, as it then stands; never a reroll."""
    if move == REROLL:
        return 0
    return score_board(place(my_board(state), move, state.die), state.options.columns, state.options.wild)


def _lead(state: Any, column: int) -> int:
    """The best lead at once."""
    grids = after(state, column).grids
    return score_grid(grids[state.seat]) - score_grid(grids[1 - state.seat])


def _rows(state: Any) -> Any:
    """The die, and the rows that are not full."""
    board = my_board(state)
    rows = [tuple(sorted(board[cell] for cell in row)) for row in ROWS]
    return state.die, tuple(sorted(row for row in rows if 0 in row))


def _dice(state: Any) -> Any:
    """The dice to choose from; after that, how many are left and about how much there is to lose."""
    return (state.kept.count(False), state.turn_total // 100) if state.chosen else fallen(state)


def _columns(state: Any) -> Any:
    """The die, and of each column whether it is in there, on either side, and how full it is."""
    pairs = zip(state.grids[state.seat], state.grids[1 - state.seat], strict=True)
    return state.die, tuple(sorted((state.die in one, state.die in other, len(one)) for one, other in pairs))


RECIPES: Final = {
    "lite-solo": Recipe(80, 400, _best_of("lite-solo", _match), _rows),
    "lite-versus": Recipe(80, 40, _best_of("lite-versus", _points), _rows),
    # Keep the most points; bank 300 or more, roll with less.
    "farkle": Recipe(80, 20, lambda state: [farkle.bank(BANKS_AT)(state)], _dice),
    # The highest tile, then the next highest; one die as soon as it may.
    "shut-the-box": Recipe(
        80, 20, lambda state: [shut_the_box.choose_highest(state)], lambda state: (sum(state.dice), state.open[-3:])
    ),
    "knucklebones": Recipe(60, 500, _best_of("knucklebones", _lead), _columns),
}


def difficulty(quarry: Quarry, state_text: str, advice: list[Advice]) -> int:
    """1 to 5, as told above; `advice` is that on the position `state_text`."""
    found = 0
    for look in range(LOOKS):
        stream = Stream(state_text, f"look/{look}")
        found += not ladder.blurred(quarry.objective, advice, MIDDLING, stream).loss
    return 1 + sum(found < least for least in FOUND)


def dig(quarry: Quarry, number: int) -> Iterator[Find]:
    """The puzzles in the game `number` of a quarry, between two of the players."""
    game, recipe = find_game(quarry.game), RECIPES[quarry.game]
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
            game.rules.move_text(recipe.tempting(state)[0]), difficulty(quarry, text, advice),
        )  # fmt: skip
        yield Find(puzzle, recipe.likeness(state), step * STAGES // len(table.steps))


def is_puzzle(quarry: Quarry, state: Any, advice: list[Advice]) -> bool:
    """Whether the best of `advice` is clear, and not tempting."""
    gap = next((one.loss for one in advice if one.loss), Fraction(0))
    best = [one.move for one in advice if not one.loss]
    return gap >= quarry.gap and not any(move in best for move in RECIPES[quarry.game].tempting(state))


def mine(game_id: str, progress: Callable[[str], object] = len) -> list[Puzzle]:
    """All puzzles of a game, equal ones every time; `progress` is told in words how far it is."""
    quarries, recipe = [quarry for quarry in QUARRIES if quarry.game == game_id], RECIPES[game_id]
    layers: list[list[Puzzle]] = [[] for _ in range(STAGES * len(quarries))]  # one for each quarry and stage
    seen: set[Any] = set()
    for number in range(recipe.games):
        progress(f"{game_id}: game {number + 1} of {recipe.games}")
        for which, quarry in enumerate(quarries):
            for find in dig(quarry, number):
                if find.likeness not in seen:
                    seen.add(find.likeness)
                    layers[STAGES * which + find.stage].append(find.puzzle)
    in_turn = chain.from_iterable(zip_longest(*layers))
    return [puzzle for puzzle in in_turn if puzzle is not None][: recipe.wanted]


def main(asked: list[str]) -> None:
    parser = ArgumentParser("python -m dicehall.lab.puzzles", description="Mine the packaged puzzles again.")
    parser.add_argument("games", nargs="*", metavar="GAME", help=", ".join(RECIPES))
    only = parser.parse_args(asked).games
    if unknown := {*only} - {*RECIPES}:
        parser.error(f"no puzzles of {', '.join(sorted(unknown))} are mined")
    FOLDER.mkdir(exist_ok=True)
    for game_id in only or RECIPES:
        found = mine(game_id, lambda words: sys.stderr.write(f"\r{words} "))
        text = puzzles.written(found, find_game(game_id).version)
        (FOLDER / f"{game_id}.jsonl").write_text(text, encoding="utf-8", newline="\n")
        sys.stderr.write(f"\r{game_id}: {len(found)} puzzles      \n")


if __name__ == "__main__":
    main(sys.argv[1:])
