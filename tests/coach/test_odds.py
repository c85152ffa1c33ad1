"""What a game can be played for, and the odds under changed rules beside the usual ones."""

from __future__ import annotations

import doctest
import json
from fractions import Fraction
from typing import Any

import pytest

from dicehall.cli import main
from dicehall.coach import odds as module
from dicehall.coach.advise import values
from dicehall.coach.odds import compare, lack, objectives, odds
from dicehall.coach.protocol import read_objective
from dicehall.coach.report import report
from dicehall.play.table import Table
from dicehall.rules.catalog import GAMES

LISTED: list[tuple[str, dict[str, Any], int | None, list[str]]] = [
    ("lite-solo", {}, 1, ["score", "target:90", "target:120", "target:150"]),
    ("lite-solo", {"target": 77}, None, ["score", "target:77", "target:90", "target:120", "target:150"]),
    ("lite-versus", {}, 2, ["win"]),
    ("farkle", {}, 2, ["turn", "race", *[f"farkle:{dice}" for dice in range(1, 7)]]),
    ("farkle", {"max_turns": 5}, None, ["turn", "arcade", *[f"farkle:{dice}" for dice in range(1, 7)]]),
    ("farkle", {}, 3, ["turn", *[f"farkle:{dice}" for dice in range(1, 7)]]),
    ("shut-the-box", {}, None, ["golf", "digital", "missionary", "shut", "golf<=12", "win"]),
    ("shut-the-box", {}, 1, ["golf", "digital", "missionary", "shut", "win"]),
    ("shut-the-box", {}, 2, ["golf", "digital", "missionary", "shut"]),
    ("shut-the-box", {"goal": 0}, 1, ["golf", "digital", "missionary", "shut"]),
    ("shut-the-box", {"goal": 0, "instant": True}, 1, ["golf", "digital", "missionary", "shut", "win"]),
    ("shut-the-box", {"mode": "threshold"}, None, ["golf", "digital", "missionary", "shut", "golf<=12", "win"]),
    ("shut-the-box", {"mode": "threshold", "threshold": 5}, 1, ["golf", "digital", "missionary", "shut", "win"]),
    ("shut-the-box", {"preset": "tournament"}, None, ["golf", "digital", "missionary", "shut", "golf<=12", "rounds"]),
    ("shut-the-box", {"preset": "tournament"}, 3, ["golf", "digital", "missionary", "shut"]),
    ("shut-the-box", {"preset": "long"}, 1, ["turns"]),
    ("shut-the-box", {"preset": "long"}, 2, []),
    ("knucklebones", {}, 2, ["win"]),
]


@pytest.mark.parametrize(("game_id", "options", "seats", "expected"), LISTED, ids=str)
def test_what_is_listed(game_id: str, options: dict[str, Any], seats: int | None, expected: list[str]) -> None:
    game = GAMES[game_id]
    chosen = game.make_options(options)
    assert list(map(str, objectives(game, chosen, seats))) == expected
    if seats and game_id != "lite-versus":
        for objective in expected:  # all of them mean something to the coach
            values(game, chosen, seats, objective)


def test_odds_are_what_the_coach_says() -> None:
    farkle = GAMES["farkle"]
    usual = farkle.make_options({})
    assert odds(farkle, usual, "race") == values(farkle, usual, 2, "race")(farkle.begin(usual, 2))
    assert odds(farkle, usual, "turn") == values(farkle, usual, 1, "turn")(farkle.begin(usual, 1))
    assert odds(farkle, usual, "arcade") is None
    game = GAMES["knucklebones"]
    assert odds(game, game.make_options({}), "win") == values(game, game.make_options({}), 2, "win")(game.begin({}, 2))


@pytest.mark.parametrize("game_id", ["knucklebones", "lite-versus"])
def test_a_start_is_worth_the_same_seats_chance_whoever_begins(
    game_id: str, capsys: pytest.CaptureFixture[str]
) -> None:
    game = GAMES[game_id]
    mine, theirs, drawn = (
        odds(game, game.make_options({"first": first}), "win") for first in ("human", "bot", "drawn")
    )
    assert mine is not None
    assert theirs == 1 - mine != mine
    assert drawn == Fraction(1, 2)
    (row,) = compare(game, game.make_options({"first": "bot"}))
    assert row.difference == 1 - 2 * mine, "who begins is a rule like any other"
    assert main(["odds", game_id, "--option", "first=bot", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == float(theirs)
    table = Table(game_id, options={"first": "bot"}, seed="who begins", seats=["you", "perfect"])
    assert report(table.record()).start == theirs, "a report begins with it"


def test_a_rule_that_is_changed() -> None:
    """With a straight a roll of six dice brings more; it never was a farkle, because of its one and its five."""
    game = GAMES["farkle"]
    rows = {str(row.objective): row for row in compare(game, game.make_options({"straight": True}))}
    turn = rows["turn"]
    assert turn.usual is not None
    assert turn.changed is not None
    assert turn.changed > turn.usual
    assert turn.difference == turn.changed - turn.usual
    assert rows["farkle:6"].difference == 0
    race = rows["race"].difference
    assert race is not None
    assert race < 0, "the more a turn brings, the less it matters who begins"
    last = {str(row.objective): row for row in compare(game, game.make_options({"last_turn": True}))}["race"].difference
    assert last is not None
    assert last < 0, "who begins has a little less of it when the other has the last turn"
    odd = {str(row.objective): row for row in compare(game, game.make_options({"board_minimum": 700}))}
    assert odd["race"][1:] == (odds(game, game.make_options({}), "race"), None)
    assert odd["race"].difference is None


def test_what_only_one_of_both_has_is_there_too() -> None:
    game = GAMES["shut-the-box"]
    rows = {
        str(row.objective): row for row in compare(game, game.make_options({"threshold": 10, "goal": 40, "rounds": 2}))
    }
    assert {"golf<=10", "golf<=12", "win"} <= set(rows)
    assert all(row.difference is not None for row in rows.values())
    assert rows["win"].difference != 0
    assert rows["golf<=10"].difference == 0, "a limit that is asked for is the same under both"


def test_why_there_are_no_odds() -> None:
    """Few turns are nothing to play for when all have the same number; a race with a minimum is not solved here."""
    game = GAMES["farkle"]
    assert lack(game, game.make_options({"max_turns": 10}), read_objective(game, "turns")) == "no-goal"
    assert lack(game, game.make_options({}), read_objective(game, "arcade")) == "no-goal"
    assert lack(game, game.make_options({"board_minimum": 700}), read_objective(game, "race")) == "unsolved"


@pytest.mark.parametrize("game_id", ["lite-solo", "farkle", "shut-the-box", "knucklebones"])
def test_nothing_changed_makes_no_difference(game_id: str) -> None:
    game = GAMES[game_id]
    assert {row.difference for row in compare(game, game.make_options({}))} <= {None, Fraction(0)}


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "farkle", "--option", "three_pairs=true", "--compare", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["game"], told["options"]) == ("farkle", {"three_pairs": True})
    assert told["rows"][-1] == {
        "objective": "farkle:6", "usual": 5 / 162, "changed": 5 / 216, "difference": float(Fraction(-5, 648)),
    }  # fmt: skip
    minimum = ["odds", "farkle", "--option", "bank_minimum=300", "--compare"]
    assert main([*minimum, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    race = next(row for row in told["rows"] if row["objective"] == "race")
    assert (race["changed"], race["difference"]) == (None, None)
    assert main(minimum) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in (lines[0], lines[3], lines[4], lines[-1])] == [
        ["objective", "usual", "changed", "difference"],
        ["race", "0.534917359", "not", "solved", "-"],
        ["farkle:1", "0.666666667", "0.666666667", "0"],
        ["farkle:6", "0.0308641975", "0.0308641975", "0"],
    ]
    assert main(["odds", "farkle", "--option", "three_pairs=perhaps", "--compare"]) == 2


def test_the_examples_in_the_module() -> None:
    assert doctest.testmod(module) == (0, 5)
