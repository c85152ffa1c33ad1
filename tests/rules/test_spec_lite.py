"""The specs of Knucklebones-lite, alone and for two, item by item: one test for each id of docs/spec-coverage.md that
is not about a screen. The numbers are the specs' own."""

from __future__ import annotations

import pytest

from dicehall import GAMES, NOBODY, IllegalMove, Result, ScriptedDice, Table, simulate_run
from dicehall.bots.lite import ai_choose_cell
from dicehall.bots.player import play_on, player
from dicehall.dice import next_seed
from dicehall.play.replay import replay
from dicehall.rules import lite_grid, lite_solo, lite_versus
from dicehall.rules.lite_grid import read_board, score_board, score_row

READING_ORDER = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
SPEC_SEQUENCE = (5, 3, 5, 6, 2, 2, 4, 4, 4)  # the solo spec's setRollSequence


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


# -- Lite, two boards


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
