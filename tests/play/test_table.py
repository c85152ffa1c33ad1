"""Tables: who may do what, undo as ruled, dice that fail, and secrets that stay secret."""

from __future__ import annotations

import json
import logging
from typing import Any, assert_type

import pytest

from dicehall.dice import ScriptedDice, SeededDice, SystemDice, commitment
from dicehall.errors import DicehallError, IllegalMove, InvalidOption, InvalidText
from dicehall.play.record import COACH, HINT
from dicehall.play.record_line import to_line
from dicehall.play.replay import check, prove, replay
from dicehall.play.table import Table, simulate_run
from dicehall.rules import farkle, knucklebones, lite_solo
from dicehall.rules.catalog import find_game
from dicehall.rules.game import DICE

SECRET = "c0ffee00" * 8


def finish(table: Table) -> Table:
    while not table.is_over:
        table.play(table.legal()[0])
    return table


def test_a_refused_move_changes_nothing() -> None:
    table = Table("farkle", dice=ScriptedDice((1, 5, 2, 2, 2, 6)))
    before = (table.state, table.steps, table.record())
    for bad in ("roll", "bank", "666", "nonsense", "", "1+1", None, 5, ("1", "1")):
        with pytest.raises(DicehallError):
            table.play(bad)
        assert (table.state, table.steps, table.record()) == before


def test_moves_out_of_turn_are_refused() -> None:
    table = Table("knucklebones", seed=1)
    with pytest.raises(IllegalMove) as refusal:
        table.play("1", seat=1)
    assert refusal.value.code == "not-your-turn"
    table.play("1", seat=0)
    table.play(0, seat=1)  # the game's own value serves as well as its text


def test_the_table_can_leave_rolling_to_the_player() -> None:
    table = Table("lite-solo", seed="demo", auto_roll=False)
    assert table.last_roll == ()
    with pytest.raises(IllegalMove, match="rolled first"):
        table.play("a1")
    assert table.roll() == table.last_roll
    with pytest.raises(IllegalMove, match="no dice"):
        table.roll()


def test_undo_takes_back_a_slip_but_not_a_roll() -> None:
    table = Table("farkle", dice=ScriptedDice((1, 1, 1, 5, 5, 5) + (1, 2, 3, 4, 6, 6)))
    assert not table.can_undo()
    table.play("1")
    assert table.can_undo()
    table.undo()
    table.play("111+555")
    assert table.unranked == ()  # nothing new had been seen
    table.play("roll")
    with pytest.raises(IllegalMove) as refusal:
        table.undo()
    assert refusal.value.code == "undo-past-roll"


def test_practice_takes_back_a_roll_and_the_run_is_unranked() -> None:
    table = Table("lite-solo", seed=9, practice=True)
    table.play("a1")
    seen = table.last_roll
    table.undo()
    assert table.unranked == ("undo",)
    table.play("b2")
    assert table.last_roll == seen  # the n-th die of a seed is what it is
    finish(table)
    assert table.can_undo()
    replay(table.record())


def test_what_was_made_together_is_taken_back_together() -> None:
    table = Table("farkle", dice=ScriptedDice((1, 1, 1, 5, 5, 2) + (1, 2, 3)), practice=True)
    start = table.state
    table.play("111", then="roll")
    assert table.steps == ("d111552", "111", "roll", "d123")
    assert table.together() == [1]
    table.undo()
    assert (table.state, len(table.steps), len(table.together())) == (start, 1, 0)


@pytest.mark.parametrize(
    ("game", "move", "then"), [("farkle", "1", "1"), ("farkle", "2", "roll"), ("lite-solo", "a1", "b1")]
)
def test_two_moves_are_made_together_or_not_at_all(game: str, move: str, then: str) -> None:
    table = Table(game, dice=ScriptedDice((1, 2, 3, 4, 6, 6) + (1,) * 6), practice=True)
    before = table.state, table.steps
    with pytest.raises(IllegalMove):
        table.play(move, then=then)
    assert (table.state, table.steps) == before
    assert not table.can_undo()


def test_undo_against_an_opponent_takes_back_ones_own_move_and_what_followed() -> None:
    table = Table("knucklebones", seed=2, practice=True)
    start = table.state
    table.play("1", seat=0)
    table.play("2", seat=1)
    table.undo(seat=0)
    assert (table.state, table.unranked) == (start, ("undo",))
    table.play("3", seat=0)
    assert not table.can_undo(seat=1)


def test_a_second_move_is_not_taken_back_before_another_is_made() -> None:
    table = Table("lite-solo", seed=3, practice=True)
    table.play("a1")
    table.play("b1")
    table.undo()
    assert not table.can_undo()
    with pytest.raises(IllegalMove) as refusal:
        table.undo()
    assert (refusal.value.code, table.steps[1]) == ("undo-nothing", "a1")
    table.play("c1")
    assert table.can_undo()


def test_what_was_taken_back_is_not_in_the_film() -> None:
    table = Table("lite-solo", seed=3, practice=True)
    table.play("a1")
    table.play("b1")
    table.undo()
    assert [frame.step for frame in table.film()] == list(table.steps)
    table.play("c1")
    again = Table("lite-solo", seed=3)
    for move in ("a1", "c1"):
        again.play(move)
    assert table.film() == again.film()
    assert table.film(3) == again.film(3)


def test_undo_can_be_switched_off_and_ends_with_the_run() -> None:
    table = finish(Table("lite-solo", seed=1))
    with pytest.raises(IllegalMove) as refusal:
        table.undo()
    assert refusal.value.code == "game-over"
    strict = Table("farkle", seed=1, undo_allowed=False)
    strict.play(strict.legal()[0])
    with pytest.raises(IllegalMove) as refusal:
        strict.undo()
    assert refusal.value.code == "undo-off"


class BrokenDice:
    """A source that fails in every way a source can."""

    def __init__(self, how: object, after: int) -> None:
        self.how, self.after, self.good = how, after, SeededDice("good")

    def die(self, index: int) -> int:
        if index < self.after:
            return self.good.die(index)
        if isinstance(self.how, Exception):
            raise self.how
        return self.how  # type: ignore[return-value]


@pytest.mark.parametrize("how", [OSError("gone"), ZeroDivisionError(), 0, 7, "3", None, True and 1.5])
def test_a_source_that_fails_does_not_end_the_run(how: object, caplog: pytest.LogCaptureFixture) -> None:
    table = Table("lite-solo", dice=BrokenDice(how, after=3))
    with caplog.at_level(logging.WARNING, "dicehall"):
        finish(table)
    assert "seed mismatch: die 4" in caplog.text
    assert caplog.text.count("seed mismatch") == 1
    record = table.record()
    assert (record.origin.lost_at, record.unranked) == (3, ("seed-mismatch",))
    assert check(str(record)).ok
    assert check(to_line(record)).ok
    assert isinstance(table._source, SystemDice)


def test_a_lost_seed_taken_back_in_practice_is_not_claimed() -> None:
    table = Table("lite-solo", dice=ScriptedDice((1,)), practice=True)
    table.play("a1")
    table.undo()
    record = table.record()
    assert record.origin.lost_at is None
    assert check(record).ok


def test_a_table_has_one_source_of_dice() -> None:
    with pytest.raises(InvalidOption):
        Table("farkle", seed=1, dice=ScriptedDice((1,)))
    with pytest.raises(InvalidOption):
        Table("farkle", secret=SECRET, dice=ScriptedDice((1,)))
    assert Table("farkle", dice=SeededDice("x")).record().origin.seed == "x"
    assert Table("farkle").record().origin.seed != Table("farkle").record().origin.seed


def test_a_ranked_run_keeps_its_secret_until_it_is_over() -> None:
    table = Table("shut-the-box", secret=SECRET, seed="mine", undo_allowed=False)
    assert table.commitment == commitment(SECRET)
    while not table.is_over:
        for text in (json.dumps(table.view(0)), str(table.record()), to_line(table.record()), repr(table.state)):
            assert SECRET not in text
        with pytest.raises(IllegalMove, match="until the run is over"):
            table.reveal()
        table.play(table.legal()[0])
    assert SECRET not in str(table.record())  # the house chooses when to reveal
    assert table.reveal() == SECRET
    record = table.record()
    assert prove(record) == sum(len(step) - 1 for step in record.steps if step[0] == "d")


def test_seats_have_names() -> None:
    assert Table("farkle", seats=("Ada", "Grace")).seats == ("Ada", "Grace")
    assert Table("farkle", seats=2).seats == ("seat 0", "seat 1")
    for bad in (("", "b"), ("a", "x" * 61), ("a", "\n"), ("a",) * 7, (1, 2)):
        with pytest.raises((InvalidText, InvalidOption)):
            Table("farkle", seats=bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("bad", ["chess", "", "x" * 10_000, None, 5, [], "LITE-SOLO"])
def test_unknown_games_are_refused(bad: object) -> None:
    with pytest.raises(InvalidOption):
        Table(bad)  # type: ignore[arg-type]


def test_simulate_run_plays_what_it_is_given() -> None:
    table = simulate_run("lite-solo", (5, 3), ("a1", "b1"))
    assert (table.steps, table.actor) == (("d5", "a1", "d3", "b1"), DICE)


def test_a_type_checker_knows_the_states_of_a_game_it_can_see() -> None:
    """mypy checks these, in `make types`; here it is only seen that they run."""
    assert_type(Table(find_game("farkle")).state, farkle.State)
    assert_type(Table(find_game("lite-solo")).states, list[lite_solo.State])
    assert_type(find_game("knucklebones").begin(), knucklebones.State)
    assert_type(Table("farkle").state, Any)  # a text may come from anywhere


def test_a_type_checker_knows_the_moves_of_a_game_it_can_see() -> None:
    """As above: where it would find nothing to complain about, `type: ignore` is what it complains about."""
    table = Table(find_game("farkle"), seed="demo")
    with pytest.raises(InvalidText):
        table.play(3)  # type: ignore[arg-type]
    with pytest.raises(InvalidText):
        Table("farkle", seed="demo").play(3)
    cells = Table(find_game("lite-solo"), seed="demo")
    cells.play(3)
    assert cells.steps[1] == "a2", "the fourth cell"


def test_why_a_run_is_unranked_is_told_once() -> None:
    table = Table("lite-solo", seed="demo")
    for why in (HINT, COACH, HINT):
        table.mark_unranked(why)
    assert table.record().unranked == (HINT, COACH)
