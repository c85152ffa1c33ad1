"""The spec of Shut the Box, item by item: one test for each id of docs/spec-coverage.md that is not about a
screen. The numbers are the spec's own."""

from __future__ import annotations

from typing import Any

import pytest

from dicehall import DICE, GAMES, IllegalMove, InvalidOption, Result, ScriptedDice, Table, simulate_run
from dicehall.rules import shut_the_box, shut_the_box_tiles
from dicehall.rules.shut_the_box_state import in_play

BOX = shut_the_box_tiles.Options()
ALL_NINE = (1, 2, 3, 4, 5, 6, 7, 8, 9)


def box(rolls: tuple[int, ...], moves: tuple[str, ...], *, seats: int = 1, **options: Any) -> Table:
    return simulate_run("shut-the-box", rolls, moves, options=options, seats=seats)


def test_box_01() -> None:
    table = box((5, 3), ("8",))
    view = table.view()
    assert [tile["number"] for tile in view["tiles"] if tile["open"]] == [1, 2, 3, 4, 5, 6, 7, 9]  # turnOpenSum
    assert (view["can_roll_one_die"], view["open_sum"], view["round"]) == (False, 37, 1)
    assert view["seats"] == [{"total": 0, "out": False, "scored": False}]


def test_box_02() -> None:
    game = GAMES["shut-the-box"]
    entry = {option: game.options.__dataclass_fields__[option].metadata["values"] for option in ("variant", "tiles")}
    assert entry["variant"] == (
        "standard",
        "alwaysSum",
        "alwaysSumDuo",
        "digitalScore",
        "missionaryCount",
        "tournament45out",
    )
    assert entry["tiles"] == (9, 12)
    assert game.make_options({}).rounds == 5
    assert game.make_options({"variant": "digitalScore"}).scored_by == "digital"
    with pytest.raises(InvalidOption, match="digitalScore scores digital"):
        game.make_options({"variant": "digitalScore", "scoring": "missionary"})


def test_box_03() -> None:
    options = shut_the_box_tiles.Options()
    assert (options.mode, options.threshold, options.rounds, options.per_round_scoring, options.difficulty) == (
        "rounds", 12, 5, True, "standard",
    )  # fmt: skip
    best = box((1, 1, 1, 1) + (1, 2, 1, 1, 1, 1), ("2", "3", "2"), rounds=2, per_round_scoring=False)
    best.roll()
    assert best.state.totals == (40,)  # 43, then 40: the better round


def test_box_04() -> None:
    table = Table("shut-the-box", options={"rounds": 1}, dice=ScriptedDice((6, 6, 6, 6, 6, 6)))
    table.play("9+3")
    table.play("8+4")
    table.play("7+5")
    assert table.actor == 0  # 7, 8, 9 are shut: one die or two?
    again = Table("shut-the-box", dice=ScriptedDice((1, 1, 1, 1, 1, 2)))
    again.play("2")  # 1 + 1 again fits nothing: the round ends and the board is reset
    assert (again.state.totals, again.state.round, again.state.open) == ((43,), 2, ALL_NINE)


SHUT_ALL = ((4, 5, 3, 5, 3, 4, 6, 5, 4), ("9", "8", "7", "two", "6+5", "one", "4"))


def shut_box(**options: Any) -> Table:
    """9, 8, 7, then 6 and 5 with two dice, then 4 with one, then 3, 2 and 1 with one die each."""
    rolls, moves = SHUT_ALL
    return box((*rolls, 3, 2, 1), (*moves, "one", "3", "one", "2", "one", "1"), **options)


def test_box_05() -> None:
    assert shut_box(rounds=1).result == Result((0,), (0,), "goal-met")
    ended = shut_box(instant=True)
    assert (ended.is_over, ended.result) == (True, Result((0,), (0,), "shut"))
    going_on = shut_box()
    assert (going_on.is_over, going_on.state.round, going_on.state.totals) == (False, 2, (0,))


def test_box_06() -> None:
    assert shut_the_box_tiles.round_score((3, 4, 6), "golf") == 13
    assert shut_the_box_tiles.round_score((3, 4, 6), "digital") == 346
    assert shut_the_box_tiles.round_score((3, 7, 11), "digital") == 3711
    assert shut_the_box_tiles.round_score((), "digital") == 0
    assert shut_the_box_tiles.round_score((3, 4, 6), "missionary") == 3
    assert shut_the_box_tiles.round_score(tuple(range(1, 13)), "digital") == 123456789101112


def test_box_07() -> None:
    stuck = (1, 1, 1, 1)  # shuts the 2, then nothing: 43 points a round
    table = box(stuck * 4 + (1, 1), ("2",) * 5, rounds=5)
    assert table.state.totals == (43 * 4,)
    lost = box(stuck, ("2",), rounds=1, goal=40)
    lost.roll()
    assert lost.result == Result((43,), (), "goal-missed")
    won = box(stuck, ("2",), rounds=1)
    won.roll()
    assert won.result == Result((43,), (0,), "goal-met")
    threshold = box(stuck, ("2",), mode="threshold")
    threshold.roll()
    assert threshold.result == Result((43,), (), "goal-missed")
    assert shut_box(mode="threshold").result == Result((0,), (0,), "goal-met")
    assert GAMES["shut-the-box"].presets["strict"] == {"goal": 40}


def test_box_08() -> None:
    hard, easy = (
        shut_the_box_tiles.Options(difficulty="hard"),
        shut_the_box_tiles.Options(difficulty="easy", mulligan=True),
    )
    assert shut_the_box_tiles.legal_combos(ALL_NINE, (5, 3), hard) == ((8,), (7, 1), (6, 2), (5, 3))
    assert not shut_the_box_tiles.can_roll_one_die((1, 6), hard)
    assert shut_the_box_tiles.can_roll_one_die((1, 5), hard)
    assert shut_the_box_tiles.can_roll_one_die((1, 2, 3, 4, 5, 6), easy)
    table = box((1, 1, 1, 1, 1, 2), ("2",), difficulty="easy", mulligan=True)
    table.roll()  # 1 + 1 fits nothing: the mulligan
    table.roll()
    assert (table.last_roll, table.legal()) == ((1, 2), ("3",))
    assert table.view()["mulligan_left"] is False


def test_box_09() -> None:
    # shut 2; doubles 1 1 fit nothing and are rolled again once; 6 6 (9+3) fits; 1 2 fits nothing: an open turn
    table = box((1, 1, 1, 1, 6, 6, 1, 2), ("2", "9+3"), mode="long")
    table.roll()
    assert (table.state.opening, in_play(table.state)) == (True, (2, 3, 9))
    table = box((1, 1, 1, 1, 6, 6, 1, 2) + (5, 6, 2, 1), ("2", "9+3", "9+2", "two", "3"), mode="long")
    assert table.result == Result((2,), (0,), "opened")
    two = box((1, 1, 1, 1, 6, 6, 1, 2) + (5, 6, 2, 1), ("2", "9+3", "9+2", "two", "3"), seats=2, mode="long")
    assert two.result == Result((45, 0), (1,), "opened")
    assert shut_box(mode="long").result == Result((1,), (0,), "shut")


def test_box_10() -> None:
    twelve = shut_the_box_tiles.Options(tiles=12)
    assert shut_the_box_tiles.all_tiles(twelve) == tuple(range(1, 13))
    assert not shut_the_box_tiles.can_roll_one_die((1, 12), twelve)
    assert shut_the_box_tiles.can_roll_one_die((1, 6), twelve)
    assert (12,) in shut_the_box_tiles.legal_combos(shut_the_box_tiles.all_tiles(twelve), (6, 6), twelve)


def test_box_11() -> None:
    state = shut_the_box.start(BOX, 1)  # initGame, startRound
    assert state.open == ALL_NINE
    assert not shut_the_box_tiles.can_roll_one_die(state.open, BOX)  # computeCanRollOneDie
    state = shut_the_box.rolled(state, (5, 3))  # rollDice
    assert shut_the_box_tiles.legal_combos(state.open, state.dice, BOX) == shut_the_box.legal(state)  # legalCombos
    state = shut_the_box.after(state, (8,))  # applyShut
    assert not shut_the_box_tiles.has_shut_the_box(state.open)  # hasShutTheBox
    assert shut_the_box_tiles.has_shut_the_box(())
    assert shut_the_box_tiles.round_score(state.open, "golf") == 37  # endTurnAndScore
    assert shut_box().state.totals == (0,)  # updateSoloProgress


def test_box_12() -> None:
    low = (1, 2, 3, 4, 5, 6)
    for one_die, may in (("high-shut", True), ("sum-6", False), ("never", False), ("forced", True)):
        assert shut_the_box_tiles.can_roll_one_die(low, shut_the_box_tiles.Options(one_die=one_die)) is may
    with pytest.raises(IllegalMove, match="add up to 5, the dice to 8"):
        Table("shut-the-box", dice=ScriptedDice((5, 3))).play("5")  # the full total must be used
    forced = box((4, 5, 3, 5, 3, 4), ("9", "8", "7"), one_die="forced")
    assert (forced.actor, forced.game.rules.dice_to_roll(forced.state)) == (DICE, 1)
    view = Table("shut-the-box", dice=ScriptedDice((5, 3))).view()
    assert [move["move"] for move in view["moves"] if move["exact_dice"]] == ["5+3"]
    duo = shut_the_box_tiles.Options(variant="alwaysSumDuo")
    assert shut_the_box_tiles.legal_combos(ALL_NINE, (5, 3), duo) == ((7, 1), (6, 2), (5, 3))


def test_box_17() -> None:
    table = Table("shut-the-box", dice=ScriptedDice((5, 3, 6, 5, 1, 1)))
    assert table.legal() == ("8", "7+1", "6+2", "5+3", "5+2+1", "4+3+1")
    table.play("8")
    assert {"9+2", "7+4", "6+5"} <= set(table.legal())
    assert "8+3" not in table.legal()
    table.play("6+5")
    assert len(table.last_roll) == 2  # 7, 8, 9 are not all shut


def test_box_18() -> None:
    rolls = (1, 1, 1, 1) + (1, 2, 1, 1, 1, 1)  # 43 for the first seat; 40 for the second
    table = box(rolls, ("2", "3", "2"), seats=2, rounds=1)
    table.roll()
    assert table.result == Result((43, 40), (1,), "rounds")
    shared = box((1, 1, 1, 1) * 2, ("2", "2"), seats=2, rounds=1)
    shared.roll()
    assert shared.result == Result((43, 43), (0, 1), "rounds")
