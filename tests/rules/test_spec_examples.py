"""The five specs, item by item: one test for each id of docs/spec-coverage.md that is not about a screen.

The numbers are the specs' own.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from dicehall import DICE, GAMES, NOBODY, IllegalMove, InvalidOption, Result, ScriptedDice, Table, simulate_run
from dicehall.bots.knucklebones import choose_column
from dicehall.bots.lite import ai_choose_cell
from dicehall.bots.player import play_on, player
from dicehall.dice import next_seed
from dicehall.play.replay import replay
from dicehall.rules import (
    farkle,
    farkle_scoring,
    knucklebones,
    lite_grid,
    lite_solo,
    lite_versus,
    shut_the_box,
    shut_the_box_tiles,
)
from dicehall.rules.farkle_scoring import Scoring
from dicehall.rules.farkle_state import PHASES, fallen
from dicehall.rules.lite_grid import read_board, score_board, score_row
from dicehall.rules.shut_the_box_state import in_play

READING_ORDER = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
SPEC_SEQUENCE = (5, 3, 5, 6, 2, 2, 4, 4, 4)  # the solo spec's setRollSequence
BOX = shut_the_box_tiles.Options()
ALL_NINE = (1, 2, 3, 4, 5, 6, 7, 8, 9)


def solo(rolls: tuple[int, ...], moves: tuple[str, ...], **options: bool | int | str) -> Table:
    return simulate_run("lite-solo", rolls, moves, options=options)


# -- Knucklebones-lite, solo


def test_solo_01() -> None:
    table = Table("lite-solo", seed=1)
    for placed in range(9):
        assert table.actor == 0
        assert len(table.legal()) == 9 - placed
        table.play(table.legal()[-1])
    assert table.is_over
    assert sum(step.startswith("d") for step in table.steps) == 9


def test_solo_02() -> None:
    assert score_row((4, 4, 4)) == (12, 3, 36)
    assert score_row((2, 2, 6)) == (10, 2, 20)
    assert score_row((1, 3, 6)) == (10, 1, 10)
    assert score_board(read_board("444/226/136")) == 66


def test_solo_03() -> None:
    table = solo((4, 4, 4, 2, 2, 6, 1, 3, 6), READING_ORDER)
    assert table.result == Result((66,), (), "complete")
    before = table.steps
    with pytest.raises(IllegalMove, match="the game is over"):
        table.play("a1")
    assert table.steps == before


def test_solo_04() -> None:
    table = Table("lite-solo", options={"target": 90}, dice=ScriptedDice(SPEC_SEQUENCE))
    table.play("b2")
    view = table.view()
    assert view["seats"][0]["board"] == [[None] * 3, [None, 5, None], [None] * 3]
    assert view["die"] == 3  # currentRoll
    assert view["seats"][0]["placements_remaining"] == 8
    assert view["target"] == 90
    assert table.steps == ("d5", "b2", "d3")  # history
    assert Table("lite-solo", seed="demo").record().origin.seed == "demo"  # runSeed


def test_solo_05() -> None:
    options = lite_solo.Options(target=90)
    state = lite_solo.start(options, 1)
    state = lite_solo.rolled(state, (5,))
    assert lite_grid.legal_cells(state.board) == tuple(range(9))
    state = lite_solo.after(state, lite_grid.read_move("a1"))
    assert (state.board[0], state.die) == (5, 0)
    assert lite_grid.legal_cells(state.board) == tuple(range(1, 9))


def test_solo_06() -> None:
    table = Table("lite-solo", seed=3, auto_roll=False)
    die = table.roll()
    table.play("a1")
    table.undo()
    assert (table.legal(), table.last_roll, table.unranked) == (READING_ORDER, die, ())
    with pytest.raises(IllegalMove, match="no move to take back"):
        table.undo()  # one step
    table.play("b2")
    table.roll()
    with pytest.raises(IllegalMove, match="only practice"):
        table.undo()
    assert not Table("lite-solo", seed=3, undo_allowed=False).can_undo()


def test_solo_07() -> None:
    first, again = Table("lite-solo", seed="7"), Table("lite-solo", seed=7)
    other = Table("lite-solo", seed=next_seed(7))
    for table in (first, again, other):
        for cell in READING_ORDER:
            table.play(cell)
    assert first.steps == again.steps != other.steps
    assert next_seed(7) == next_seed("7") != next_seed(next_seed(7))


def test_solo_13() -> None:
    triple = (6, 6, 6, 5, 5, 5, 4, 4, 4)  # 54 + 45 + 36
    assert solo(triple, READING_ORDER, preset="bronze").result == Result((135,), (0,), "target-reached")
    assert solo(triple, READING_ORDER, preset="silver").result == Result((135,), (0,), "target-reached")
    assert solo(triple, READING_ORDER, preset="gold").result == Result((135,), (), "target-missed")
    assert solo(triple, READING_ORDER, target=135).result == Result((135,), (0,), "target-reached")
    assert [GAMES["lite-solo"].presets[name]["target"] for name in ("bronze", "silver", "gold")] == [90, 120, 150]


def test_solo_14() -> None:
    """The daily: one seed, the same rolls for all; what is published before does not give them away."""
    secret = "5e" * 32
    mine, yours = (Table("lite-solo", secret=secret, undo_allowed=False) for _ in range(2))
    for cell in READING_ORDER:
        mine.play(cell)
    for cell in reversed(READING_ORDER):
        yours.play(cell)
    rolls = [[step for step in table.steps if step[0] == "d"] for table in (mine, yours)]
    assert rolls[0] == rolls[1]
    assert mine.commitment == yours.commitment
    assert secret not in str(mine.record())


def test_solo_16() -> None:
    table = solo(SPEC_SEQUENCE, READING_ORDER)
    assert [step for step in table.steps if step[0] == "d"] == [f"d{die}" for die in SPEC_SEQUENCE]
    assert table.result == Result((13 * 2 + 10 * 2 + 12 * 3,), (), "complete")
    assert lite_grid.validate_score(table.state.board, 82)
    assert not lite_grid.validate_score(table.state.board, 83)


def test_solo_17() -> None:
    board = read_board("444/226/136")  # columns 4 2 1, 4 2 3, 4 6 6
    assert score_board(board, columns=True) == 66 + 7 + 9 + 16 * 2


def test_solo_18() -> None:
    table = Table("lite-solo", options={"reroll": True}, dice=ScriptedDice((1, 6, 2)))
    table.play("reroll")
    assert (table.last_roll, table.legal()) == ((6,), READING_ORDER)  # the new die must be placed
    with pytest.raises(IllegalMove, match="no reroll token"):
        table.play("reroll")
    table.play("a1")
    assert "reroll" not in table.legal()


def test_solo_19() -> None:
    assert [score_row(row, "contains").score for row in ((6, 1, 2), (6, 4, 4), (6, 6, 6))] == [18, 28, 36]
    assert [score_row(row, "natural").score for row in ((6, 1, 2), (6, 4, 4), (6, 6, 6))] == [18, 28, 54]
    assert score_row((4, 4, 4), "contains").score == 36
    assert score_board(read_board("612/345/123"), columns=True, wild="contains") == 18 + 12 + 6 + 20 + 7 + 10


def test_solo_20(caplog: pytest.LogCaptureFixture) -> None:
    table = Table("lite-solo", dice=ScriptedDice((1, 2)))
    table.play("a1")
    with pytest.raises(IllegalMove, match="already holds a 1"):
        table.play("a1")
    table.play("b1")  # the script is over; the run is not
    assert "seed mismatch" in caplog.text
    assert table.unranked == ("seed-mismatch",)
    for cell in READING_ORDER[2:]:
        table.play(cell)
    assert table.is_over
    replay(table.record())


def test_solo_21() -> None:
    """What is stored of a run: its seed, its board and the breakdown by row, all out of the record."""
    table = solo((4, 4, 4, 2, 2, 6, 1, 3, 6), READING_ORDER)
    final = replay(table.record())
    assert final.board == read_board("444/226/136")
    rows = table.view()["seats"][0]["rows"]
    assert [row["score"] for row in rows] == [36, 20, 10]


# -- Knucklebones-lite, two boards


def versus(human: str, bot: str, **options: str | bool) -> Result:
    """The result of two full boards."""
    state = lite_versus.State(GAMES["lite-versus"].make_options(options), (read_board(human), read_board(bot)))
    assert lite_versus.actor(state) == NOBODY
    return lite_versus.result(state)


def test_vs_01() -> None:
    table = Table("lite-versus", seed=5)
    for turn in range(18):
        assert table.actor == turn % 2
        table.play(READING_ORDER[turn // 2])
    assert table.is_over


def test_vs_02() -> None:
    view = Table("lite-versus", seed=5).view()
    assert view["die"] in range(1, 7)  # diceRolled
    assert view["to_move"] == 0  # currentPlayer
    assert [seat["placements_remaining"] for seat in view["seats"]] == [9, 9]  # 9 - turnCount
    assert view["result"] is None  # gameOutcome
    assert view["options"]["tiebreak"] == "none"


def test_vs_03() -> None:
    assert [score_row(row).score for row in ((4, 4, 4), (2, 2, 6), (1, 3, 6))] == [36, 20, 10]


def test_vs_04() -> None:
    assert versus("444/226/136", "123/123/123") == Result((66, 18), (0,), "score")
    assert versus("123/123/123", "444/226/136") == Result((18, 66), (1,), "score")
    assert versus("112/123/123", "112/123/123").why == "draw"
    assert versus("156/123/123", "336/123/123").winners == (1,)
    high, low = "126/345/123", "135/345/123"  # equal sums, no sets: 9 + 12 + 6
    assert versus(high, low) == Result((27, 27), (0, 1), "draw")
    assert versus(high, low, tiebreak="highest-single-die") == Result((27, 27), (0,), "highest-single-die")
    assert versus(low, high, tiebreak="highest-single-die") == Result((27, 27), (1,), "highest-single-die")
    middle, outer = "123/345/135", "345/123/135"
    assert versus(middle, outer, tiebreak="sum-middle-row") == Result((27, 27), (0,), "sum-middle-row")
    assert versus(outer, middle, tiebreak="sum-middle-row") == Result((27, 27), (1,), "sum-middle-row")
    assert versus(low, low, tiebreak="highest-single-die").why == "draw"


def test_vs_05() -> None:
    # the spec's example: 5 into [5 5 _] completes the triple
    assert ai_choose_cell(read_board("55./3../..."), 5) == lite_grid.read_move("c1")
    # a: among triples the largest; b: a pair before a bare sum, the highest projected row
    assert ai_choose_cell(read_board("3../56./2.."), 3) == lite_grid.read_move("b1")
    assert ai_choose_cell(read_board("3../36./..."), 3) == lite_grid.read_move("c2")
    # c: the largest sum, then the row with more room; d: the centre, then reading order
    assert ai_choose_cell(read_board("1../6../..."), 3) == lite_grid.read_move("b2")
    assert ai_choose_cell(read_board("42./6../..."), 3) == lite_grid.read_move("b2")
    assert ai_choose_cell(read_board("6../42./..."), 3) == lite_grid.read_move("b1")
    assert ai_choose_cell(lite_grid.EMPTY, 3) == lite_grid.read_move("b2")
    assert ai_choose_cell(read_board(".../111/..."), 3) == lite_grid.read_move("a1")


def test_vs_06() -> None:
    game = GAMES["lite-versus"]
    think = player("lookahead", game, "any")
    position = game.rules.read_state(game.make_options({}), "6../1../2.. 1../6../... 1 6 --")
    assert game.rules.move_text(think(position)) in ("b2", "c2")  # beside the six, by its prospects
    assert think(position) == think(position)  # deterministic


def test_vs_07() -> None:
    table = Table("lite-versus", seed=1)  # initGame(seed, config)
    assert table.last_roll[0] in range(1, 7)  # rollDie
    assert lite_grid.legal_cells(lite_grid.EMPTY) == tuple(range(9))  # getLegalCells(board)
    assert lite_grid.place(lite_grid.EMPTY, 4, 6) == read_board(".../.6./...")  # placeDie
    assert score_board(read_board("444/226/136")) == 66  # scoreBoard
    assert versus("444/226/136", "123/123/123").winners == (0,)  # endGame


def test_vs_08() -> None:
    def run() -> tuple[str, ...]:
        table = Table("lite-versus", seed="same", seats=("random", "lookahead"))
        play_on(table, {seat: player(name, table.game, "same", seat) for seat, name in enumerate(table.seats)})
        return table.steps

    assert run() == run()


def test_vs_11() -> None:
    table = Table("lite-versus", dice=ScriptedDice((1, 2, 3)))
    table.play("a1", seat=0)
    with pytest.raises(IllegalMove, match="seat 1 is to move"):
        table.play("b1", seat=0)
    table.play("a1", seat=1)
    with pytest.raises(IllegalMove, match="already holds"):
        table.play("a1", seat=0)
    table.play("b1")  # the script is over here: the system's dice take over
    assert table.unranked == ("seed-mismatch",)


def test_vs_12() -> None:
    table = Table("lite-versus", options={"reroll": True}, dice=ScriptedDice((1, 2, 3, 4, 5)))
    table.play("reroll")
    table.play("a1")
    assert "reroll" in table.legal()  # a token each
    table.play("reroll")
    table.play("a1")
    assert "reroll" not in table.legal()
    assert versus("612/123/123", "345/123/123", wild="contains").scores == (18 + 12, 24)
    assert versus("444/226/136", "123/123/123", columns=True).scores == (66 + 48, 18 + 9 + 18 + 27)


# -- Farkle


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


# -- Shut the Box


def box(rolls: tuple[int, ...], moves: tuple[str, ...], *, seats: int = 1, **options: Any) -> Table:
    return simulate_run("shut-the-box", rolls, moves, options=options, seats=seats)


def test_box_01() -> None:
    table = box((5, 3), ("8",))
    view = table.view()
    assert [tile["number"] for tile in view["tiles"] if tile["open"]] == [1, 2, 3, 4, 5, 6, 7, 9]  # turnOpenSum
    assert (view["can_roll_one_die"], view["open_sum"], view["round"]) == (False, 37, 1)
    assert view["seats"] == [{"total": 0, "out": False}]


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


# -- Knucklebones, classic


def position(text: str) -> knucklebones.State:
    return knucklebones.read_state(knucklebones.Options(), text)


def test_bones_01() -> None:
    table = Table("knucklebones", dice=ScriptedDice((1, 2) * 9))
    for column in "112233":
        table.play(column)
    assert table.state.grids == (((1,), (1,), (1,)), ((2,), (2,), (2,)))
    full = knucklebones.after(position("123/123/12 456/-/- 0 3"), 2)
    assert knucklebones.actor(full) == NOBODY  # one full grid is enough, without a reply


def test_bones_02() -> None:
    assert knucklebones.score_column((3, 3)) == 12
    assert knucklebones.score_column((3, 3, 3)) == 27
    assert knucklebones.score_column((2, 3, 4)) == 9


def test_bones_03() -> None:
    after = knucklebones.after(position("-/1/- -/545/5 0 5"), 1)
    assert after.grids == (((), (1, 5), ()), ((), (4,), (5,)))  # all fives opposite, and only there


def test_bones_04() -> None:
    state = position("33/2/1 55/4/626 0 4")
    assert state.grids[1][2][0] == 6  # index 0 lies next to the opponent
    assert [knucklebones.visual_row(index, is_player=True) for index in range(3)] == [0, 1, 2]
    assert [knucklebones.visual_row(index, is_player=False) for index in range(3)] == [2, 1, 0]


def test_bones_06() -> None:
    assert choose_column(position("-/6/- 5/4/- 0 4")) == 1  # destroys 1 x 4 x 5
    assert choose_column(position("-/6/- 1/-/- 0 6")) == 1  # stacks 1 x 10
    assert choose_column(position("66/-/- -/4/- 0 6")) == 0
    assert choose_column(position("-/-/- 1/1/1 0 6")) == 0  # ties: the lowest column
    assert choose_column(position("1/-/- -/11/- 0 1")) == 0  # 10 against 2 x 1 x 5: a tie, lowest column
    assert choose_column(position("1/-/- -/111/- 0 1")) == 1


def test_bones_10() -> None:
    table = Table("knucklebones", seed=1, seats=("Ada", "Grace"))
    while not table.is_over:
        table.play(table.legal()[0], seat=table.actor)
    assert table.record().seats == ("Ada", "Grace")
    against = Table("knucklebones", seed=1, seats=("you", "spec"))
    bots = {1: player("spec", against.game, 1, 1)}
    while not against.is_over:
        against.play(against.legal()[0], seat=0)
        play_on(against, bots)
    replay(against.record())
