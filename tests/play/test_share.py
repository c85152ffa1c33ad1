"""A finished run for those who were not there: each part in a word that tells no die, and beside another run."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dicehall.play.protocol import RunPart
from dicehall.play.share import compare, parts
from dicehall.play.table import Table, simulate_run
from dicehall.rules.game import Aim, Result
from tests.soak import times

ROWS = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
TEXTS = Path(__file__).parents[2] / "src" / "dicehall" / "texts"
GAMES: list[tuple[str, dict[str, Any], int]] = [
    ("lite-solo", {"columns": True, "wild": "contains"}, 1),
    ("lite-versus", {}, 2),
    ("farkle", {"max_turns": 6}, 1),
    ("farkle", {"target": 1500}, 3),
    ("shut-the-box", {}, 1),
    ("shut-the-box", {"mode": "long"}, 2),
    ("shut-the-box", {"variant": "missionaryCount", "tiles": 12}, 2),
    ("knucklebones", {}, 2),
]


def told(table: Table, hidden: bool = True) -> list[list[str]]:
    return [[one.code for one in seat] for seat in parts(table.record(), hidden)]


def finished(game: str, options: dict[str, Any], seats: int, seed: object) -> Table:
    random = Random(f"{game} {options} {seed}")
    table = Table(game, options=options, seats=seats, seed=str(seed))
    while not table.is_over:
        table.play(random.choice(table.legal()))
    return table


def lite(dice: str) -> Table:
    return simulate_run("lite-solo", [int(die) for die in dice], ROWS)


def farkle(dice: str, *moves: str) -> Table:
    return simulate_run("farkle", [int(die) for die in dice], moves, options={"max_turns": moves.count("bank")})


def box(dice: str, *moves: str) -> Table:
    table = simulate_run("shut-the-box", [int(die) for die in dice], moves, options={"rounds": 1, "goal": 0})
    while not table.is_over:
        table.roll()
    return table


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        (lite("112345666"), lite("553124222"), [["pair", "single", "triple"]]),
        (farkle("123446111236", "1", "bank", "111", "bank"), farkle("523446555236", "5", "bank", "555", "bank"),
         [["small", "large"]]),
        (farkle("111555123446", "111+555", "roll", "1", "bank"), farkle("222333523446", "222+333", "roll", "5", "bank"),
         [["hot"]]),
        (box("661121", "9+3", "2"), box("652222", "8+3", "4"), [["many"]]),
    ],
)  # fmt: skip
def test_other_dice_may_have_the_same_words(one: Table, other: Table, said: list[list[str]]) -> None:
    """Of dice that others have before them the words are all that is told, and they do not tell them."""
    assert one.record().steps != other.record().steps
    assert parts(one.record(), hidden=True) == parts(other.record(), hidden=True)
    assert told(one) == said
    assert parts(one.record(), hidden=False) != parts(other.record(), hidden=False)


@pytest.mark.parametrize(("game", "options", "seats"), GAMES)
def test_hidden_runs_tell_words_alone_and_every_word_has_a_text(game: str, options: dict[str, Any], seats: int) -> None:
    texts = [json.loads((TEXTS / language / "later.json").read_text(encoding="utf-8")) for language in ("en", "de")]
    for seed in range(times(10, 200)):
        record = finished(game, options, seats, seed).record()
        known = parts(record, hidden=False)
        assert len(known) == (0 if options.get("mode") == "long" else seats)
        assert [[RunPart(one.code, None) for one in seat] for seat in known] == parts(record, hidden=True)
        assert all(f"part.{one.code}" in text for seat in known for one in seat for text in texts)


def test_a_farkle_a_shut_box_and_columns() -> None:
    lost = simulate_run("farkle", [2, 3, 4, 6, 2, 3, 1, 2, 3, 4, 6, 6], ("1", "bank"), options={"max_turns": 2})
    assert parts(lost.record(), hidden=False) == [[RunPart("farkle", 0), RunPart("small", 100)]]
    shut = box("66666564", "9+3", "8+4", "6+5", "7+2+1")
    assert parts(shut.record(), hidden=False) == [[RunPart("shut", 0)]]
    assert told(box("6666651166", "9+3", "8+4", "6+5", "2")) == [["few"]]
    rows = parts(lite("112345666").record(), hidden=False)
    assert rows == [[RunPart("pair", 8), RunPart("single", 12), RunPart("triple", 54)]]
    after_hot = farkle("111555123446123446", "111+555", "roll", "1", "bank", "1", "bank")
    assert told(after_hot) == [["hot", "small"]], "the next turn is another one"
    record = finished("knucklebones", {}, 2, 1).record()
    (mine, theirs) = parts(record, hidden=False)
    opposite = {"won": "lost", "lost": "won", "level": "level"}
    for one, other in zip(mine, theirs, strict=True):
        assert one.n is not None
        assert other.n is not None
        assert one.code == ("won" if one.n > other.n else "lost" if one.n < other.n else "level")
        assert other.code == opposite[one.code]


POINTS, LOWEST = Aim("points"), Aim("points", lower_is_better=True)


@pytest.mark.parametrize(
    ("mine", "theirs", "aim", "said"),
    [
        (Result((73,), (), "score"), Result((48,), (), "score"), POINTS, "beaten"),
        (Result((48,), (), "score"), Result((48,), (), "score"), POINTS, "equalled"),
        (Result((47,), (), "score"), Result((48,), (), "score"), POINTS, "missed"),
        (Result((12,), (), "score"), Result((20,), (), "score"), LOWEST, "beaten"),
        # a goal first: 60 points that met it are more than 70 that had a higher one to meet
        (Result((60,), (0,), "target"), Result((70,), (), "target-missed"), POINTS, "beaten"),
        # against somebody a win first, then the lead
        (Result((30, 20), (0,), "score"), Result((90, 95), (1,), "score"), POINTS, "beaten"),
        (Result((30, 20), (0,), "score"), Result((90, 70), (0,), "score"), POINTS, "missed"),
        # of three the lead is that over the better one
        (Result((50, 10, 45), (0,), "score"), Result((50, 20, 44), (0,), "score"), POINTS, "missed"),
        (Result((50, 50, 10), (0, 1), "score"), Result((50, 40, 10), (0,), "score"), POINTS, "missed"),
        (Result((30, 30), (0, 1), "score"), Result((29, 30), (1,), "score"), POINTS, "beaten"),
    ],
)
def test_one_run_beside_another(mine: Result, theirs: Result, aim: Aim, said: str) -> None:
    assert compare(mine, theirs, (0, 0), aim) == said
