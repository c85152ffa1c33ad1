"""Views: everything a screen draws, down to the numbers beside each move."""

from __future__ import annotations

import pytest

from dicehall.dice import ScriptedDice
from dicehall.errors import InvalidOption
from dicehall.play.table import Table, simulate_run
from dicehall.rules.catalog import GAMES


def moves(table: Table) -> dict[str, dict[str, object]]:
    return {move["move"]: move for move in table.view()["moves"]}


def test_a_lite_preview_shows_base_multiplier_and_score() -> None:
    table = simulate_run("lite-solo", (5, 5, 5), ("a1", "b1"), options={"columns": True})
    table.roll()
    assert moves(table)["c1"]["row_score"] == {"base": 15, "multiplier": 3, "score": 45}
    assert moves(table)["a2"]["row_score"] == {"base": 5, "multiplier": 1, "score": 5}
    assert moves(table)["a2"]["column_score"] == {"base": 10, "multiplier": 2, "score": 20}
    assert moves(table)["c1"]["total"] == 45 + 5 + 5 + 5
    assert table.view()["seats"][0]["rows"][0] == {"base": 10, "multiplier": 2, "score": 20}  # so far


def test_a_lone_wild_six_forms_nothing_yet() -> None:
    table = simulate_run("lite-solo", (6, 1), ("a1", "b1"), options={"wild": "contains"})
    assert table.view()["seats"][0]["rows"][0] == {"base": 7, "multiplier": 2, "score": 14}
    alone = simulate_run("lite-solo", (6,), ("a1",), options={"wild": "contains"})
    assert alone.view()["seats"][0]["rows"][0] == {"base": 6, "multiplier": 1, "score": 6}


def test_a_knucklebones_preview_shows_what_breaks() -> None:
    game = GAMES["knucklebones"]
    table = Table("knucklebones")
    table.state = game.read_state(game.make_options({}), "33/2/1 55/4/626 0 4")
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
    seat = table.view()["seats"][1]
    assert (seat["column_scores"], seat["multipliers"], seat["total"]) == ([20, 4, 26], [[2, 2], [1], [2, 1, 2]], 50)


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
    assert (best["points"], best["dice_left"], best["most_points"]) == (350, 1, True)
    assert best["risk"] == {"ways": 4, "of": 6, "stake": 350}
    table.play("222+1")
    assert (table.view()["can_roll"], table.view()["can_bank"]) == (True, True)
    assert moves(table)["roll"]["risk"] == {"ways": 16, "of": 36, "stake": 300}
    assert moves(table)["bank"] == {"move": "bank", "kind": "bank", "points": 300, "score": 300}


def test_a_farkle_view_says_when_banking_is_too_early() -> None:
    table = simulate_run("farkle", (1, 5, 2, 2, 2, 6), ("1",), options={"board_minimum": 500})
    view = table.view()
    assert (view["can_roll"], view["can_bank"], view["below_minimum"]) == (True, False, True)


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


@pytest.mark.parametrize("seat", [-1, 1, 10**30, "0", 0.0, True])
def test_there_is_no_such_seat(seat: object) -> None:
    with pytest.raises(InvalidOption):
        Table("lite-solo", seed=1).view(seat)  # type: ignore[arg-type]
