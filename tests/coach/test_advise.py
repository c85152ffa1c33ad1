"""Advice: every legal move, the best first, each with what it is worth and what it loses; and the two commands."""

from __future__ import annotations

import json
from copy import copy
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from dicehall.cli import main
from dicehall.coach.advise import advise, intended, recommended, values
from dicehall.coach.protocol import coach_of, read_objective
from dicehall.errors import IllegalMove, InvalidOption
from dicehall.play.table import Table
from dicehall.rules.catalog import GAMES, AnyGame

ASKED: list[tuple[str, dict[str, Any], str | None]] = [
    ("lite-solo", {}, "score"),
    ("lite-solo", {"target": 90}, None),
    ("farkle", {}, "turn"),
    ("farkle", {}, "turns"),
    ("farkle", {"max_turns": 10}, None),
    ("shut-the-box", {}, "golf"),
    ("shut-the-box", {}, "shut"),
    ("shut-the-box", {"mode": "threshold"}, None),
    ("knucklebones", {}, None),
]


@pytest.mark.parametrize("game", GAMES.own.values(), ids=GAMES.own)
def test_the_coach_reckons_with_every_option(game: AnyGame) -> None:
    """A new option is named by the coach once its values know it, refuse it or do not depend on it."""
    assert tuple(game.options().as_dict()) == coach_of(game).OPTIONS


@pytest.mark.parametrize(("game_id", "options", "objective"), ASKED)
def test_advice_ranks_all_moves(game_id: str, options: dict[str, Any], objective: str | None) -> None:
    random = Random(f"{game_id}{options}{objective}")
    table = Table(game_id, options=options, seed=random.random().hex())
    for _ in range(12):
        if table.is_over:
            break
        advice = advise(table.game, table.state, objective)
        assert sorted(one.text for one in advice) == sorted(table.legal())
        losses = [one.loss for one in advice]
        assert losses == sorted(losses)
        assert losses[0] == 0
        assert all(isinstance(one.value, Fraction) for one in advice)
        assert {abs(advice[0].value - one.value) - one.loss for one in advice} == {0}
        table.play(random.choice(advice).move)


def test_in_a_race_both_seats_are_advised_for_themselves() -> None:
    """Whoever can win by banking is told to, whichever seat it is."""
    game = GAMES["farkle"]
    for text in ("9900:0 0 9 150 ......", "0:9900 1 9 150 ......"):
        state = game.rules.read_state(game.make_options({}), f"{text} selected -")
        best = advise(game, state, "race", 2)[0]
        assert best.text == "bank"
        assert best.value == 1


def test_a_round_that_a_move_ends_counts_for_that_move() -> None:
    """Shutting the box is worth 0 in golf, though the next round has begun after it."""
    table = Table("shut-the-box", seed="box")
    last = table.state._replace(open=(2, 3), dice=(2, 3))
    (only,) = advise(table.game, last, "golf")
    assert only.text == "3+2"
    assert only.value == 0
    (only,) = advise(table.game, last, "shut")
    assert only.value == 1


def test_objectives_that_are_meant() -> None:
    solo = GAMES["lite-solo"]
    assert str(intended(solo, solo.make_options({}), 1)) == "score"
    assert str(intended(solo, solo.make_options({"target": 90}), 1)) == "target:90"
    farkle = GAMES["farkle"]
    assert [str(intended(farkle, farkle.make_options({}), seats)) for seats in (1, 2)] == ["turns", "race"]
    assert str(intended(GAMES["knucklebones"], GAMES["knucklebones"].make_options({}), 2)) == "win"


def test_how_far_to_trust_a_value() -> None:
    assert read_objective(GAMES["farkle"], "turn").certainty == "exact"
    assert read_objective(GAMES["farkle"], "race").certainty == "close"
    assert read_objective(GAMES["farkle"], "race").certainty_at_start == "close"
    win = read_objective(GAMES["knucklebones"], "win")
    assert (win.certainty, win.certainty_at_start) == ("judged", "close")
    win = read_objective(GAMES["lite-versus"], "win")
    assert (win.certainty, win.certainty_at_start) == ("judged", "exact")


@pytest.mark.parametrize("objective", ["beauty", "", "golf<=", 7, "x" * 1000])
def test_an_objective_that_is_none_is_refused(objective: Any) -> None:
    for game in GAMES.values():
        with pytest.raises(InvalidOption):
            values(game, game.make_options({}), 1, objective)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_text_of_an_objective_is_what_was_read(game: AnyGame) -> None:
    for one in coach_of(game).OBJECTIVES:
        assert one.game == game.id
        text = one.text.replace("N", "5")
        found = read_objective(game, text)
        assert (str(found), found.limit) == (text, 5 if one.takes_limit else None)
        assert read_objective(game, found) is found
        assert found == (one.with_limit(5) if one.takes_limit else one)


def test_an_objective_of_another_game_is_refused() -> None:
    turns = read_objective(GAMES["farkle"], "turns")
    with pytest.raises(InvalidOption, match="an objective of farkle, not of shut-the-box"):
        read_objective(GAMES["shut-the-box"], turns)


def test_where_there_is_nothing_to_advise() -> None:
    table = Table("farkle", auto_roll=False)
    with pytest.raises(IllegalMove, match="nobody has a choice"):
        advise(table.game, table.state, "turn")
    versus = Table("lite-versus")
    unknown = copy(versus.game)
    unknown.id = "pig"
    with pytest.raises(InvalidOption, match="nobody has solved pig"):
        advise(unknown, versus.state)
    assert recommended(unknown, versus.state) is None


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_odds(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "odds", "lite-solo") == {
        "game": "lite-solo",
        "options": {},
        "objective": "score",
        "value": 73349237 / 1119744,
        "exact": "73349237/1119744",
    }
    race = told(capsys, "odds", "farkle", "--objective", "race")
    assert (round(race["value"], 9), race["exact"]) == (0.534917359, None)
    hard = told(capsys, "odds", "shut-the-box", "--objective", "shut", "--option", "one_die=never")
    assert round(hard["value"], 6) == 0.071432
    assert main(["odds", "farkle", "--objective", "farkle:1"]) == 0
    assert capsys.readouterr().out == "farkle:1: 0.666666666667 = 2/3\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["farkle", "--objective", "beauty"],
        ["knucklebones", "--objective", "lead"],
        ["lite-solo", "--objective", "target:many"],
    ],
)
def test_odds_of_nothing(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert main(["odds", *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_coach(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table("farkle", seed="coach")
    position = table.view()["state"]
    found = told(capsys, "coach", "farkle", position, "--objective", "turn")
    assert found["moves"][0]["loss"] == 0
    assert sorted(move["move"] for move in found["moves"]) == sorted(table.legal())
    assert main(["coach", "farkle", position]) == 0
    assert capsys.readouterr().out.splitlines()[0].split() == ["move", "turns", "loses"]
    assert main(["coach", "farkle", "nonsense"]) == 2


def test_coach_and_odds_of_knucklebones(capsys: pytest.CaptureFixture[str]) -> None:
    """The value of the start is that of the solved game."""
    found = told(capsys, "coach", "knucklebones", "5/-/- 3/-/- 0 3")
    assert (found["objective"], found["certainty"], found["moves"][0]["move"]) == ("win", "judged", "1")
    start = told(capsys, "odds", "knucklebones")
    assert (start["objective"], round(start["value"], 5), start["exact"]) == ("win", 0.50903, None)


def test_how_many_play_is_in_the_position() -> None:
    farkle = GAMES["farkle"]
    for seats, objective in ((1, "turns"), (2, "race"), (3, "turn")):
        state = farkle.roll(farkle.begin({}, seats), (1, 5, 2, 2, 2, 6))
        assert farkle.rules.seats_of(state) == seats
        assert advise(farkle, state) == advise(farkle, state, objective, seats)
        with pytest.raises(InvalidOption, match=f"for {seats}, not for {seats + 1}"):
            advise(farkle, state, objective, seats + 1)


@pytest.mark.parametrize(
    ("game_id", "options", "state", "objective"),
    [
        ("shut-the-box", {"goal": 0, "rounds": 1}, "123456789 54 0 1 0 - -", "golf"),
        ("farkle", {"target": 5000}, "0 0 1 0 152226 selection -", "turns"),
    ],
)
def test_where_lower_is_better_the_least_comes_first(
    game_id: str, options: dict[str, Any], state: str, objective: str
) -> None:
    game = GAMES[game_id]
    advice = advise(game, game.rules.read_state(game.make_options(options), state), objective)
    values = [one.value for one in advice]
    assert values == sorted(values)
    assert values[0] < values[-1]
    assert [one.loss for one in advice] == [value - values[0] for value in values]
