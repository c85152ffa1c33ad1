"""The hall's games and their parts: what `games.py` finds by name is what mypy compares with the protocols here."""

from __future__ import annotations

from dicehall.bots import farkle as farkle_bots
from dicehall.bots import knucklebones as knucklebones_bots
from dicehall.bots import lite as lite_bots
from dicehall.bots import shut_the_box as shut_the_box_bots
from dicehall.bots.protocol import GameBots
from dicehall.coach.farkle import coach as farkle_coach
from dicehall.coach.knucklebones import coach as knucklebones_coach
from dicehall.coach.lite_solo import coach as lite_solo_coach
from dicehall.coach.lite_versus import coach as lite_versus_coach
from dicehall.coach.protocol import Coach
from dicehall.coach.shut_the_box import coach as shut_the_box_coach
from dicehall.games import HALL_GAMES, find_hall_game
from dicehall.play import farkle, knucklebones, lite, shut_the_box
from dicehall.play.protocol import GamePlay
from dicehall.rules.catalog import GAMES
from dicehall.solve import farkle_books, lite_results, lite_versus_book, shut_the_box_book
from dicehall.solve.workshop import Solver
from dicehall.terminal import farkle as farkle_terminal
from dicehall.terminal import knucklebones as knucklebones_terminal
from dicehall.terminal import lite as lite_terminal
from dicehall.terminal import shut_the_box as shut_the_box_terminal
from dicehall.terminal.protocol import GameTerminal

# In the order of the catalog. The types are the test: mypy looks at every file, and so at what `import_module` loads.
PLAY: list[GamePlay] = [lite, lite, farkle, shut_the_box, knucklebones]
BOTS: list[GameBots] = [lite_bots, lite_bots, farkle_bots, shut_the_box_bots, knucklebones_bots]
COACHES: list[Coach] = [lite_solo_coach, lite_versus_coach, farkle_coach, shut_the_box_coach, knucklebones_coach]
TERMINALS: list[GameTerminal] = [
    lite_terminal,
    lite_terminal,
    farkle_terminal,
    shut_the_box_terminal,
    knucklebones_terminal,
]
SOLVERS: list[Solver | None] = [
    lite_results.SOLVER,
    lite_versus_book.SOLVER,
    farkle_books.SOLVER,
    shut_the_box_book.SOLVER,
    None,
]


def test_the_hall_has_all_of_its_own_games() -> None:
    assert [*HALL_GAMES] == [*GAMES.own]
    assert find_hall_game("pig") is None


def test_every_part_is_the_one_that_was_checked() -> None:
    own = HALL_GAMES.values()
    assert [game.play() for game in own] == PLAY
    assert [game.bots() for game in own] == BOTS
    assert [game.coach() for game in own] == COACHES
    assert [game.terminal() for game in own] == TERMINALS
    assert [game.solver() for game in own] == SOLVERS
