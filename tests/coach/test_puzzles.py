"""Every packaged puzzle holds what it promises: a clear best move, and a first glance that misses it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from dicehall.coach.advise import advise
from dicehall.coach.book import read_book
from dicehall.coach.puzzles import HARDEST, VERSION, Puzzle, plain_first, puzzle_of_the_day, puzzles, read, written
from dicehall.errors import InvalidOption
from dicehall.lab import puzzles as lab
from dicehall.rules.catalog import GAMES, find_game
from tests.soak import times


def quarry(puzzle: Puzzle) -> lab.Quarry:
    """Where it was mined."""
    found = [
        one
        for one in lab.QUARRIES
        if (one.game, one.objective, one.options, one.seats)
        == (puzzle.game, puzzle.objective, puzzle.options, puzzle.seats)
    ]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("game_id", GAMES)
def test_every_puzzle_holds_what_it_promises(game_id: str) -> None:
    """Its position can be reached, its values are the coach's, its best move is clear, the tempting one is wrong."""
    game = GAMES[game_id]
    for puzzle in puzzles(game_id)[:: times(4, 1)]:
        state = game.rules.read_state(game.make_options(puzzle.options), puzzle.state)
        advice = advise(game, state, puzzle.objective, puzzle.seats)
        assert list(puzzle.moves.items()) == [(one.text, one.value) for one in advice]
        assert puzzle.best == tuple(one.text for one in advice if not one.loss)
        assert puzzle.tempting in puzzle.moves
        assert puzzle.tempting not in puzzle.best
        assert lab.is_puzzle(quarry(puzzle), state, advice)
        assert puzzle.difficulty == lab.difficulty(quarry(puzzle), puzzle.state, advice)


@pytest.mark.parametrize("game_id", GAMES)
def test_there_are_enough_of_many_kinds(game_id: str) -> None:
    known = puzzles(game_id)
    assert len(known) >= 60 or game_id == "knucklebones"
    assert len({puzzle.state for puzzle in known}) == len(known)
    assert len({puzzle.difficulty for puzzle in known}) >= 3
    assert {puzzle.difficulty for puzzle in known} <= set(range(1, HARDEST + 1))
    kinds = Counter((puzzle.objective, str(puzzle.options)) for puzzle in known)
    assert len(kinds) == sum(one.game == game_id for one in lab.QUARRIES)
    assert len({lab.RECIPES[game_id].likeness(_state(puzzle)) for puzzle in known}) == len(known)


def _state(puzzle: Puzzle) -> object:
    game = find_game(puzzle.game)
    return game.rules.read_state(game.make_options(puzzle.options), puzzle.state)


@pytest.mark.parametrize("game_id", GAMES)
def test_mining_finds_the_packaged_puzzles(game_id: str) -> None:
    """The first find of each quarry and stage, in the first games that have any; all of them under soak."""
    if times(0, 1):
        assert lab.mine(game_id) == puzzles(game_id)
    finds = first_finds(game_id)
    assert finds
    for find in finds:
        assert find.puzzle in puzzles(game_id)


def first_finds(game_id: str) -> list[lab.Find]:
    quarries = [one for one in lab.QUARRIES if one.game == game_id]
    found: dict[tuple[str, str, int], lab.Find] = {}
    seen: set[Any] = set()
    for number in range(lab.RECIPES[game_id].games):
        for which, find in [(one, find) for one in quarries for find in lab.dig(one, number)]:
            if find.likeness not in seen:
                seen.add(find.likeness)
                found.setdefault((which.objective.text, str(which.options), find.stage), find)
        if found and number >= 2:
            break
    return list(found.values())


@pytest.mark.parametrize("game_id", GAMES)
def test_plain_puzzles_come_first(game_id: str) -> None:
    known, order = puzzles(game_id), plain_first(game_id)
    assert sorted(order) == list(range(1, len(known) + 1))
    changed = [bool(known[number - 1].options.keys() - {"target", "first"}) for number in order]
    assert changed == sorted(changed), "usual rules first"
    for kind in {(one.objective, str(one.options)) for one in known}:
        mine = [known[n - 1].surprise for n in order if (known[n - 1].objective, str(known[n - 1].options)) == kind]
        assert mine == sorted(mine, reverse=True), "what loses most first"


def test_a_puzzle_for_every_day() -> None:
    days = [f"2026-03-{day:02}" for day in range(1, 32)]
    chosen = [puzzle_of_the_day("farkle", day) for day in days]
    assert chosen == [puzzle_of_the_day("farkle", day) for day in days]
    assert len({puzzle.state for puzzle in chosen}) > 15
    with pytest.raises(InvalidOption):
        puzzle_of_the_day("chess", "2026-03-01")


def test_a_file_of_puzzles_reads_back_and_shows_damage() -> None:
    known = puzzles("shut-the-box")[:3]
    text = written(known, 1)
    book = read_book(text.encode(), VERSION, 1)
    assert book
    assert list(read(book)) == known
    assert all(isinstance(value, Fraction) for value in known[0].moves.values())
    for damaged, rules in ((text, 2), (text.replace("golf", "gulf", 1), 1)):
        assert read_book(damaged.encode(), VERSION, rules) is None


def test_first_glances() -> None:
    solo = GAMES["lite-solo"]
    state = solo.rules.read_state(solo.make_options({"reroll": True}), "55./6../... 6 r")
    assert [solo.rules.move_text(move) for move in lab.RECIPES["lite-solo"].tempting(state)] == ["b2", "c2"]
    knucklebones = GAMES["knucklebones"]
    state = knucklebones.rules.read_state(knucklebones.make_options({}), "5/-/- -/3/3 0 3")
    assert lab.RECIPES["knucklebones"].tempting(state) == [1, 2]
