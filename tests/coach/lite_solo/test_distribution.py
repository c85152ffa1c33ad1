"""What perfect play of Knucklebones-lite ends with: against the literal rules and the worths."""

from __future__ import annotations

import json
from fractions import Fraction
from importlib import resources
from pathlib import Path
from random import Random

import pytest

from dicehall.coach.advise import values
from dicehall.coach.lite_solo import distribution as ends
from dicehall.errors import InvalidOption
from dicehall.rules import lite_solo
from dicehall.rules.catalog import GAMES
from dicehall.rules.game import DICE, NOBODY, outcomes
from dicehall.rules.lite_grid import COLUMNS, ROWS, Board, score_row
from dicehall.solve import lite_results
from dicehall.solve.lite_solo import WILDS, perfect_play
from dicehall.solve.workshop import PACKAGED
from tests.coach.shares import Shares, known, mean, mixed
from tests.soak import SOAKING, times


def literal_lite(state: lite_solo.State, seen: dict[lite_solo.State, Shares]) -> Shares:
    """The twin: all dice and all moves of the literal rules; of equally good moves the steadier, by all moments."""
    if state not in seen:
        who = lite_solo.actor(state)
        if who == NOBODY:
            seen[state] = {lite_solo.result(state).scores[0]: Fraction(1)}
        elif who == DICE:
            rolls = outcomes(1)
            seen[state] = mixed([(n, literal_lite(lite_solo.rolled(state, roll), seen)) for roll, n in rolls])
        else:
            choices = [literal_lite(lite_solo.after(state, move), seen) for move in lite_solo.legal(state)]
            means = [mean(choice) for choice in choices]
            best = [choice for choice, middle in zip(choices, means, strict=True) if middle == max(means)]
            seen[state] = best[0] if len(best) == 1 else max(best, key=steadiness)
    return seen[state]


def steadiness(part: Shares) -> tuple[Fraction, Fraction]:
    """The smaller variance first, then more on the high side."""
    middle = mean(part)
    variance, lean = [
        sum(((result - middle) ** power * share for result, share in part.items()), Fraction(0)) for power in (2, 3)
    ]
    return -variance, lean


def full_lines(board: Board, columns: bool, wild: str) -> int:
    lines = [tuple(board[cell] for cell in line) for line in (ROWS + COLUMNS if columns else ROWS)]
    return sum(score_row(line, wild).score for line in lines if 0 not in line)


@pytest.mark.parametrize("wild", WILDS)
@pytest.mark.parametrize("columns", [False, True], ids=["rows", "columns"])
def test_late_boards_end_as_the_literal_rules_say(columns: bool, wild: str) -> None:
    """With up to four empty cells in `make soak`; here with three, and two where columns and a wild six meet."""
    play, random = perfect_play(columns), Random(f"late {columns} {wild}")
    most = 4 if SOAKING else 2 if columns and wild != "off" else 3
    for empty, layer in zip(range(1, most + 1), lite_results.results(play, wild), strict=False):
        boards = play.layers[9 - empty].boards
        for number in random.sample(range(len(boards)), min(len(boards), times(5 - empty, 12))):
            board = tuple(min(die, 6) for die in boards[number].tolist())  # 7: any die, its lines are full
            options, seen = lite_solo.Options(columns, True, wild), dict[lite_solo.State, Shares]()
            for token in (False, True):
                expected = literal_lite(lite_solo.State(options, board, 0, token), seen)
                ways = layer[token].ways[number]
                before = full_lines(board, columns, wild)
                got = {before + n: Fraction(int(ways[n]), 6 ** (empty + token)) for n in ways.nonzero()[0].tolist()}
                assert got == expected, (board, token)


@pytest.mark.parametrize("reroll", [False, True], ids=["plain", "token"])
@pytest.mark.parametrize("wild", WILDS)
@pytest.mark.parametrize("columns", [False, True], ids=["rows", "columns"])
def test_every_variant_of_lite_solo(columns: bool, wild: str, reroll: bool) -> None:
    """The mean is what the coach promises, exactly; no score is likelier than for somebody who plays for that alone."""
    options = {"columns": columns, "wild": wild, "reroll": reroll}
    game, found = GAMES["lite-solo"], known("lite-solo", options, "score")
    start = game.begin(options)
    assert found.of == 6 ** (9 + reroll)
    assert found.error == 0
    assert list(found.ways) == sorted(found.ways)
    assert found.mean == values(game, start.options, 1, "score")(start)
    for target in (60, 75, 90, 110, 140):
        reached = sum(ways for score, ways in found.ways.items() if score >= target)
        assert Fraction(reached, found.of) <= values(game, start.options, 1, f"target:{target}")(start)


@pytest.mark.rebuilds("dicehall.solve.lite_results")
def test_the_book_is_what_the_solver_builds() -> None:
    book = PACKAGED.joinpath(ends.BOOK).read_bytes()
    parts = dict(zip(json.loads(book.partition(b"\n")[0])["parts"], book.splitlines()[1:], strict=True))
    for title in lite_results.TITLES[:6]:
        assert lite_results._part(title) == parts[title]
    assert lite_results._bound(parts) == book


def test_a_book_that_is_damaged_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "books").mkdir()
    damaged = PACKAGED.joinpath(ends.BOOK).read_bytes().replace(b", 1", b", 2", 1)
    (tmp_path / "books" / ends.BOOK).write_bytes(damaged)
    monkeypatch.setattr(resources, "files", lambda package: tmp_path)
    with pytest.raises(InvalidOption, match="damaged"):
        ends._book.__wrapped__()
