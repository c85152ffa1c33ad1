"""The spec of Knucklebones, item by item: one test for each id of docs/spec-coverage.md that is not about a
screen. The numbers are the spec's own."""

from __future__ import annotations

from dicehall import NOBODY, ScriptedDice, Table
from dicehall.bots.knucklebones import choose_column
from dicehall.bots.player import play_on, player
from dicehall.play.replay import replay
from dicehall.rules import knucklebones


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
