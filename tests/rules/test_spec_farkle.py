"""The spec of Farkle, item by item: one test for each id of docs/spec-coverage.md that is not about a
screen. The numbers are the spec's own."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dicehall import GAMES, IllegalMove, Result, ScriptedDice, Table, simulate_run
from dicehall.rules import farkle, farkle_scoring
from dicehall.rules.farkle_scoring import Scoring
from dicehall.rules.farkle_state import PHASES, fallen


def turn(rolls: tuple[int, ...], moves: tuple[str, ...], **options: bool | int | str) -> farkle.State:
    state: farkle.State = simulate_run("farkle", rolls, moves, options=options).state
    return state


def points(*keep: str, rules: Scoring | None = None) -> int:
    return farkle_scoring.keep_points(keep, rules or Scoring())


def test_farkle_01() -> None:
    table = Table("farkle", dice=ScriptedDice((1, 5, 2, 2, 2, 6) + (1, 1)), auto_roll=False)
    assert table.view()["phase"] == "idle"
    table.roll()
    assert table.view()["phase"] == "selection"
    table.play("222+1")
    view = table.view()
    assert [die["locked"] for die in view["dice"]] == [True, False, True, True, True, False]
    assert [die["value"] for die in view["dice"]] == [1, 5, 2, 2, 2, 6]
    assert (view["turn_total"], view["remaining_dice"], view["seats"][0]["banked"]) == (300, 2, 0)
    table.play("roll")
    assert table.view()["phase"] == "rolled"
    table.roll()
    table.play("1")
    table.play("bank")
    assert (table.view()["phase"], table.view()["seats"][0]["banked"]) == ("banked", 400)
    assert set(PHASES) == {"idle", "rolled", "selection", "farkle", "banked", "end"}


def test_farkle_02() -> None:
    game = GAMES["farkle"]
    casual, standard, spicy = (game.make_options({"preset": name}) for name in ("casual", "standard", "spicy"))
    assert (casual.target, casual.hot_dice, casual.straight, casual.max_turns) == (5000, True, False, 0)
    assert (standard.target, standard.hot_dice, standard.straight, standard.three_pairs) == (10_000, True, False, False)
    assert (spicy.target, spicy.hot_dice, spicy.straight, spicy.three_pairs) == (10_000, True, True, True)
    assert game.make_options({}) == standard


def test_farkle_03() -> None:
    table = Table("farkle", options={"target": 300}, dice=ScriptedDice((1, 5, 2, 2, 2, 6)))
    assert "roll" not in table.legal()  # every roll must be followed by a keep
    table.play("222+1")
    assert table.legal() == ("roll", "bank")
    table.play("bank")
    assert table.result == Result((1,), (0,), "target-reached")


def test_farkle_04() -> None:
    assert (points("1"), points("5"), points("1", "1"), points("5", "5")) == (100, 50, 200, 100)
    triples = {face: points(str(face) * 3) for face in range(1, 7)}
    assert triples == {1: 1000, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}
    for face, triple in triples.items():
        assert [points(str(face) * size) for size in (4, 5, 6)] == [2 * triple, 3 * triple, 4 * triple]
    assert points("222", "1", "5") == 350
    with pytest.raises(IllegalMove):
        farkle_scoring.validate_score((1, 5, 2, 2, 2, 6), ("1", "1"), Scoring())  # one die, twice


def test_farkle_05() -> None:
    lite, spicy = Scoring(), Scoring(1500, 1500)
    straight, pairs = (1, 2, 3, 4, 5, 6), (2, 2, 3, 3, 4, 4)
    assert ("123456",) not in farkle_scoring.keeps(straight, lite)
    assert ("123456",) in farkle_scoring.keeps(straight, spicy)
    assert farkle_scoring.keeps(pairs, lite) == ()
    assert farkle_scoring.keeps(pairs, spicy) == (("223344",),)
    assert (points("123456", rules=spicy), points("223344", rules=spicy)) == (1500, 1500)
    assert farkle_scoring.keeps((2, 2, 2, 2, 3, 3), spicy) == (("2222",), ("222",))
    assert ("222233",) in farkle_scoring.keeps((2, 2, 2, 2, 3, 3), Scoring(1500, 1500, True))


def test_farkle_06() -> None:
    choices = farkle_scoring.keeps((1, 1, 1, 2, 3, 4), Scoring())
    assert choices[0] == ("111",)  # recommended
    assert ("1", "1", "1") in choices  # accepted all the same
    view = Table("farkle", dice=ScriptedDice((1, 1, 1, 2, 3, 4))).view()
    best = {move["move"]: move["best_grouping"] for move in view["moves"]}
    assert (best["111"], best["1+1+1"]) == (True, False)


def test_farkle_07() -> None:
    table = Table("farkle", dice=ScriptedDice((1, 2, 3, 4, 6, 6) + (2, 3, 4, 6, 6) + (1,) * 6))
    table.play("1")
    table.play("roll")  # nothing scores
    assert table.state.banked == (0,)
    assert (table.state.round, table.state.turn_total) == (2, 0)
    hot = turn((1, 1, 1, 5, 5, 5), ("111+555",))
    assert (hot.turn_total, farkle.dice_to_roll(hot), farkle.legal(hot)) == (1500, 6, ("roll", "bank"))


def test_farkle_08() -> None:
    state = farkle.start(farkle.Options(), 1)  # initGame, startTurn
    assert (state.turn_total, farkle.dice_to_roll(state), state.phase) == (0, 6, "idle")
    state = farkle.rolled(state, (1, 5, 2, 2, 2, 6))  # rollDice, evaluateScoring
    assert set(farkle_scoring.groups(fallen(state), Scoring())) == {"222", "1", "5"}
    state = farkle.after(state, ("222", "1"))  # selectKeepers, hotDiceCheck
    ways, of, turn_total = farkle.risk_meter(state)  # computeRiskMeter
    assert (Fraction(ways, of), turn_total) == (Fraction(16, 36), 300)
    assert farkle.after(state, "bank").banked == (300,)  # bank, endTurn
    assert farkle.after(turn((1,) * 6, ("111111",), target=50), "bank").phase == "end"  # checkEndGame


def test_farkle_14() -> None:
    first = turn((1, 5, 2, 2, 2, 6), ("222+1",))
    assert set(farkle_scoring.groups((1, 2, 2, 2, 5, 6), Scoring())) == {"222", "1", "5"}
    assert (first.turn_total, farkle.dice_to_roll(first)) == (300, 2)
    assert farkle.after(first, "bank").banked == (300,)
    second = turn((1, 1, 1, 5, 5, 5), ("111+555",))
    assert (second.turn_total, farkle.dice_to_roll(second)) == (1500, 6)
    assert turn((1, 1, 1, 5, 5, 5), ("1",)).turn_total == 100  # suboptimal, accepted
    cold = turn((1, 1, 1, 5, 5, 5), ("111+555",), hot_dice=False)
    assert farkle.legal(cold) == ("bank",)
    with pytest.raises(IllegalMove, match="no die is left to roll; bank"):
        GAMES["farkle"].apply(cold, "roll")


def test_farkle_15() -> None:
    table = simulate_run("farkle", (1, 5, 2, 2, 2, 6, 5, 5), ("222+1", "roll", "5+5", "bank"))
    assert (table.state.turn_total, table.state.banked, table.state.phase) == (0, (400,), "banked")
    assert farkle_scoring.validate_score((1, 5, 2, 2, 2, 6), ("222", "1"), Scoring()) == 300
    with pytest.raises(IllegalMove):
        farkle_scoring.validate_score((1, 5, 2, 2, 2, 6), ("6",), Scoring())


def test_farkle_16() -> None:
    rolls = (1, 2, 3, 4, 6, 6) + (5, 2, 3, 4, 6, 6)
    table = simulate_run("farkle", rolls, ("1", "bank", "5", "bank"), options={"max_turns": 2})
    assert table.result == Result((150,), (), "max-turns")
    assert GAMES["farkle"].make_options({"preset": "arcade"}).max_turns == 10
    medals = Table("farkle", options={"preset": "arcade"}, seed=1).view()["medals"]
    assert list(medals) == ["bronze", "silver", "gold"]
