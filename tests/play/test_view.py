"""Views: everything a screen draws, down to the numbers beside each move."""

from __future__ import annotations

import pytest

from dicehall.dice import ScriptedDice
from dicehall.errors import InvalidOption
from dicehall.play.table import Table, simulate_run
from dicehall.play.view import view
from dicehall.rules.catalog import GAMES
from dicehall.rules.game import Result


def moves(table: Table) -> dict[str, dict[str, object]]:
    return {move["move"]: move for move in table.view()["moves"]}


def line(base: int, multiplier: int, score: int, wild: bool, made: list[int]) -> dict[str, object]:
    """A row or a column as a view has it."""
    return {"base": base, "multiplier": multiplier, "score": score, "wild": wild, "set": made}


def test_a_lite_preview_shows_base_multiplier_and_score() -> None:
    table = simulate_run("lite-solo", (5, 5, 5), ("a1", "b1"), options={"columns": True})
    table.roll()
    assert moves(table)["c1"]["row_score"] == {
        "base": 15,
        "multiplier": 3,
        "score": 45,
        "wild": False,
        "set": [0, 1, 2],
    }
    assert moves(table)["a2"]["row_score"] == line(5, 1, 5, False, [])
    assert moves(table)["a2"]["column_score"] == {
        "base": 10,
        "multiplier": 2,
        "score": 20,
        "wild": False,
        "set": [0, 1],
    }
    assert moves(table)["c1"]["total"] == 45 + 5 + 5 + 5
    assert table.view()["seats"][0]["rows"][0] == {
        "base": 10,
        "multiplier": 2,
        "score": 20,
        "wild": False,
        "set": [0, 1],
    }  # so far


def test_a_lone_wild_six_forms_nothing_yet() -> None:
    table = simulate_run("lite-solo", (6, 1), ("a1", "b1"), options={"wild": "contains"})
    assert table.view()["seats"][0]["rows"][0] == line(7, 2, 14, True, [0, 1])
    alone = simulate_run("lite-solo", (6,), ("a1",), options={"wild": "contains"})
    assert alone.view()["seats"][0]["rows"][0] == line(6, 1, 6, False, [])
    natural = simulate_run("lite-solo", (6, 6, 6), ("a1", "b1", "c1"), options={"wild": "natural"})
    assert natural.view()["seats"][0]["rows"][0] == {
        "base": 18,
        "multiplier": 3,
        "score": 54,
        "wild": False,
        "set": [0, 1, 2],
    }
    assert [one.view()["wild"] for one in (alone, simulate_run("lite-solo", (6,), ("a1",)))] == [6, None]


def test_a_knucklebones_preview_shows_what_breaks() -> None:
    game = GAMES["knucklebones"]
    table = Table("knucklebones")
    table.state = game.rules.read_state(game.make_options({}), "33/2/1 55/4/626 0 4")
    assert moves(table)["2"] == {
        "move": "2",
        "kind": "place",
        "column": 1,
        "slot": 1,
        "column_score": 6,
        "gains": 4,
        "destroys": [0],
        "breaks": 4,
    }
    table.state = game.rules.read_state(game.make_options({}), "33/2/1 55/4/626 0 6")
    assert (moves(table)["3"]["destroys"], moves(table)["3"]["breaks"]) == ([0, 2], 24), "of 26, the 2 stays"
    seat = table.view()["seats"][1]
    assert (seat["column_scores"], seat["multipliers"], seat["total"]) == ([20, 4, 26], [[2, 2], [1], [2, 1, 2]], 50)


@pytest.mark.parametrize(
    ("first", "state", "turn"),
    [
        ("human", "-/-/- -/-/- 0 -", 0),  # in the air
        ("human", "-/-/- 6/-/- 0 4", 0),
        ("human", "4/-/- 6/-/- 1 -", 1),
        ("drawn", "-/-/- -/-/- - -", None),  # not drawn yet
        ("human", "123/123/123 4/-/- 1 -", None),  # over
    ],
)
def test_a_knucklebones_view_says_whose_die_it_is(first: str, state: str, turn: int | None) -> None:
    game = GAMES["knucklebones"]
    table = Table("knucklebones")
    table.state = game.rules.read_state(game.make_options({"first": first}), state)
    assert table.view()["turn_of"] == turn


def test_a_farkle_view_lights_the_dice_that_score() -> None:
    table = Table("farkle", dice=ScriptedDice((1, 5, 2, 2, 2, 6)))
    view = table.view(0)
    assert [die["scores"] for die in view["dice"]] == [True, True, True, True, True, False]
    assert view["groups"] == [
        {"group": "222", "points": 200},
        {"group": "1", "points": 100},
        {"group": "5", "points": 50},
    ]
    assert (view["can_roll"], view["can_bank"], view["your_turn"]) == (False, False, True)
    best = moves(table)["222+1+5"]
    assert (best["points"], best["dice_left"], best["best_grouping"]) == (350, 1, True)
    assert best["risk"] == {"ways": 4, "of": 6, "stake": 350}
    table.play("222+1")
    assert (table.view()["can_roll"], table.view()["can_bank"]) == (True, True)
    assert moves(table)["roll"]["risk"] == {"ways": 16, "of": 36, "stake": 300}
    assert moves(table)["bank"] == {
        "move": "bank",
        "kind": "bank",
        "points": 300,
        "score": 300,
        "reaches_target": False,
    }


def test_a_box_view_lists_the_tiles_to_turn() -> None:
    table = simulate_run("shut-the-box", (6, 5), ("7+4",))
    assert table.view()["to_turn"] == [1, 2, 3, 5, 6, 8, 9]
    game = GAMES["shut-the-box"]
    opening = view(game, game.rules.read_state(game.make_options({"mode": "long"}), "1234.67.. 53 0 2 0 o -"))
    assert opening["to_turn"] == [5, 8, 9]


@pytest.mark.parametrize(
    ("options", "seats", "limit"),
    [
        ({}, 1, 45),
        ({"goal": 0}, 1, None),
        ({"mode": "threshold", "threshold": 0}, 1, 0),
        ({"mode": "long"}, 1, None),
        ({"variant": "tournament45out"}, 1, None),
        ({}, 2, None),
    ],
)
def test_a_box_view_says_what_still_wins(options: dict[str, int | str], seats: int, limit: int | None) -> None:
    assert Table("shut-the-box", options=options, seats=seats).view()["limit"] == limit


def test_a_farkle_view_says_when_banking_is_too_early() -> None:
    table = simulate_run("farkle", (1, 5, 2, 2, 2, 6), ("1",), options={"board_minimum": 500})
    view = table.view()
    assert (view["can_roll"], view["can_bank"]) == (True, False)
    assert view["minimum"] == {"points": 500, "to_enter": True}
    later = simulate_run(
        "farkle", (1, 5, 2, 2, 2, 6), ("222+1+5", "bank"), options={"board_minimum": 350, "bank_minimum": 300}
    )
    assert later.view()["minimum"] == {"points": 300, "to_enter": False}


@pytest.mark.parametrize(
    ("options", "keep", "can_roll", "can_bank"),
    [
        ({}, "5", True, True),
        ({"board_minimum": 500}, "222+1+5", True, False),
        ({"bank_minimum": 300}, "222+1", True, True),
        ({"straight": True, "hot_dice": False}, "222", True, True),
    ],
)
def test_a_farkle_keep_says_what_it_leads_to(
    options: dict[str, bool | int], keep: str, can_roll: bool, can_bank: bool
) -> None:
    table = Table("farkle", options=options, dice=ScriptedDice((1, 5, 2, 2, 2, 6)))
    preview = moves(table)[keep]
    table.play(keep)
    view = table.view()
    assert (preview["can_roll"], preview["can_bank"]) == (can_roll, can_bank) == (view["can_roll"], view["can_bank"])
    assert (preview["turn_total"], preview["dice_left"]) == (view["turn_total"], view["remaining_dice"])
    assert preview["risk"] == view["risk"]


def test_without_hot_dice_the_sixth_die_ends_the_rolling() -> None:
    table = Table("farkle", options={"hot_dice": False, "bank_minimum": 5000}, dice=ScriptedDice((1, 1, 1, 5, 5, 5)))
    keep = moves(table)["111+555"]
    assert (keep["can_roll"], keep["can_bank"], keep["hot_dice"], keep["dice_left"]) == (False, True, False, 0)


@pytest.mark.parametrize(("options", "reaches"), [({"target": 350}, True), ({"target": 350, "max_turns": 3}, False)])
def test_a_farkle_view_says_what_reaches_the_target(options: dict[str, int], reaches: bool) -> None:
    table = Table("farkle", options=options, dice=ScriptedDice((1, 5, 2, 2, 2, 6)))
    assert (moves(table)["222+1+5"]["reaches_target"], moves(table)["222+1"]["reaches_target"]) == (reaches, False)
    table.play("222+1+5")
    assert moves(table)["bank"]["reaches_target"] is reaches


def test_only_the_first_seat_reaches_the_target() -> None:
    rolls = (1, 5, 2, 2, 2, 6) * 2
    options = {"target": 350, "last_turn": True}
    table = simulate_run("farkle", rolls, ("222+1+5", "bank", "222+1+5"), options=options, seats=2)
    assert (table.view()["last_turn_after"], moves(table)["bank"]["reaches_target"]) == (0, False)


@pytest.mark.parametrize(("move", "seat"), [("roll", 0), ("bank", 1)])
def test_a_farkle_view_says_whose_turn_it_is_while_dice_are_in_the_air(move: str, seat: int) -> None:
    view = simulate_run("farkle", (1, 5, 2, 2, 2, 6), ("222+1", move), seats=2).view()
    assert (view["to_move"], view["turn_of"]) == (None, seat)


def test_hot_dice_are_announced() -> None:
    table = Table("farkle", dice=ScriptedDice((1, 1, 1, 5, 5, 5)))
    assert moves(table)["111+555"]["hot_dice"] is True
    table.play("111+555")
    assert (table.view()["hot_dice"], table.view()["remaining_dice"]) == (True, 6)


def test_a_box_view_shows_tiles_dice_and_what_a_shut_leads_to() -> None:
    table = Table("shut-the-box", dice=ScriptedDice((4, 5, 3, 5, 3, 4)))
    for move in ("9", "8"):
        table.play(move)
    assert moves(table)["7"]["one_die_next"] is True
    assert moves(table)["6+1"]["left_sum"] == 45 - 9 - 8 - 7
    table.play("7")
    view = table.view()
    assert (view["can_roll_one_die"], [move["move"] for move in view["moves"]]) == (True, ["one", "two"])
    assert (view["rounds"], view["scoring"], view["round_score"]) == (5, "golf", 21)


def test_a_set_that_shuts_the_box_promises_no_die() -> None:
    game = GAMES["shut-the-box"]
    state = game.rules.read_state(game.make_options({}), "..3.5.... 35 0 1 0 - -")
    told = {move["move"]: (move["finishes"], move["one_die_next"]) for move in view(game, state)["moves"]}
    assert told == {"5+3": (True, False)}


def test_a_box_view_says_whose_round_it_is_while_dice_are_in_the_air() -> None:
    view = simulate_run("shut-the-box", (4, 5), ("9",), seats=2).view()
    assert (view["to_move"], view["turn_of"]) == (None, 0)


@pytest.mark.parametrize(
    ("options", "rule", "after"),
    [
        ({}, "high", [7, 8]),
        ({"one_die": "forced"}, "high", [7, 8]),
        ({"one_die": "sum-6"}, "sum", []),
        ({"difficulty": "hard"}, "sum", []),
        ({"difficulty": "hard", "one_die": "never"}, "never", []),
    ],
)
def test_a_box_view_says_what_one_die_waits_for(options: dict[str, str], rule: str, after: list[int]) -> None:
    view = simulate_run("shut-the-box", (4, 5), ("9",), options=options).view()
    assert (view["one_die_rule"], view["one_die_after"]) == (rule, after)


def test_a_shut_says_what_the_round_would_then_score() -> None:
    table = Table("shut-the-box", options={"scoring": "digital"}, dice=ScriptedDice((6, 5)))
    assert moves(table)["9+2"]["round_score"] == 1345678


def test_the_long_game_of_two_says_what_each_side_has_left_and_what_opening_leads_to() -> None:
    game = GAMES["shut-the-box"]
    shown = view(game, game.rules.read_state(game.make_options({"mode": "long"}), "12345.... 63 1 2 0:0 o -"))
    assert shown["sides"] == [5, 4]
    assert [(move["move"], move["left_sum"], move["round_score"]) for move in shown["moves"]] == [("9", 21, 24)]


def test_it_is_nobodys_turn_who_only_looks_on() -> None:
    table = Table("lite-versus", seed=1)
    assert [table.view(seat)["your_turn"] for seat in (None, 0, 1)] == [False, True, False]
    table.play("a1")
    assert [table.view(seat)["your_turn"] for seat in (None, 0, 1)] == [False, False, True]
    falling = Table("lite-versus", auto_roll=False)
    assert [falling.view(seat)["your_turn"] for seat in (None, 0, 1)] == [False, False, False]


@pytest.mark.parametrize("seat", [-1, 1, 10**30, "0", 0.0, True])
def test_there_is_no_such_seat(seat: object) -> None:
    with pytest.raises(InvalidOption):
        Table("lite-solo", seed=1).view(seat)  # type: ignore[arg-type]


@pytest.mark.parametrize(("first", "turn"), [("human", 0), ("bot", 1), ("drawn", None)])
def test_a_lite_view_says_whose_turn_it_is_while_the_die_is_in_the_air(first: str, turn: int | None) -> None:
    assert Table("lite-versus", options={"first": first}, auto_roll=False).view()["turn_of"] == turn
    assert Table("lite-solo", auto_roll=False).view()["turn_of"] == 0


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (Result((50, 40), (0,), "score"), ["won", "lost"]),
        (Result((50, 50), (0, 1), "draw"), ["drawn", "drawn"]),
        (Result((12, 9, 9), (1, 2), "rounds"), ["lost", "shared", "shared"]),
        (Result((45,), (0,), "goal-met"), ["won"]),
        (Result((46,), (), "goal-missed"), ["lost"]),
        (Result((70,), (), "complete"), [None]),
    ],
)
def test_how_a_run_ended_is_said_for_every_seat(result: Result, expected: list[str | None]) -> None:
    assert [result.outcome(seat) for seat in range(len(expected))] == expected


def test_a_view_says_how_the_run_ended_once_it_is_over() -> None:
    table = Table("knucklebones", seed="demo")
    while not table.is_over:
        assert table.view()["outcomes"] == []
        table.play(table.legal()[0])
    assert table.result is not None
    assert table.result.winners == (0,)
    assert table.view()["outcomes"] == ["won", "lost"]
