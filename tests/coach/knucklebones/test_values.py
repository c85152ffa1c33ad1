"""Where the values of classic Knucklebones come from: a file with every position, where there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from dicehall.coach.advise import advise, values
from dicehall.coach.knucklebones import values as known
from dicehall.coach.knucklebones.pairs import place_of, span
from dicehall.coach.knucklebones.table import FORM, ONE, PAGE, TABLES, WIN_ALONE, WIN_DRAW_HALF, head_bytes
from dicehall.coach.protocol import read_objective
from dicehall.coach.report import report
from dicehall.play.table import Table
from dicehall.rules import knucklebones
from dicehall.rules.catalog import KNUCKLEBONES as GAME
from dicehall.rules.game import DICE
from dicehall.rules.knucklebones import State

Put = Callable[..., None]


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Put]:
    """Puts a file into the cache in which every position is worth nothing to the seat that rolls next, but for some
    `others`, which are worth so many units of ONE. It is as long as a real one, and nearly all of it a hole."""
    monkeypatch.setenv("DICEHALL_CACHE", str(tmp_path))

    def write(others: dict[State, int], columns: int = 3, objective: str = WIN_DRAW_HALF, settled: bool = True) -> None:
        about = {
            "version": FORM, "game": knucklebones.ID, "rules": knucklebones.VERSION,
            "columns": columns, "objective": objective, "settled": settled,
        }  # fmt: skip
        with open(tmp_path / known.FILE, "wb") as file:
            file.write(head_bytes(about))
            file.truncate(PAGE + 2 * TABLES[objective] * span(columns)[1])
            for state, units in others.items():
                file.seek(PAGE + 2 * place_of(state.grids[1 - state.seat], state.grids[state.seat]))
                file.write(units.to_bytes(2, "little"))
        forget()

    def forget() -> None:
        for each in (known.solved_file, known.source, known.least):
            each.cache_clear()

    forget()
    yield write
    monkeypatch.undo()
    forget()


def state_of(text: str) -> State:
    return GAME.rules.read_state(GAME.make_options({}), text)


def test_values_are_looked_up_in_the_file(put: Put) -> None:
    """What a column leaves to the other seat; the best of them; and the mean over the dice."""
    state = state_of("6/-/- 3/5/- 0 3")
    left = {GAME.rules.after(state, column): 20_000 + 5_000 * column for column in (0, 1, 2)}
    put(left)
    told = advise(GAME, state)
    assert [(one.text, one.value) for one in told] == [
        (str(column + 1), 1 - Fraction(20_000 + 5_000 * column, ONE)) for column in (0, 1, 2)
    ]
    assert {one.certainty for one in told} == {"close"}
    value = values(GAME, state.options, 2, "win")
    assert value(state) == told[0].value
    assert value(state._replace(die=0)) == (told[0].value + 5) / 6, "with any other die, nothing is left to the other"


def test_a_report_from_the_file_adds_up(put: Put) -> None:
    put({})
    table = Table("knucklebones", seed="file", seats=("you", "you"))
    while not table.is_over:
        table.play(table.legal()[0])
    told = report(table.record())
    assert told.result == told.start + told.luck + told.gifts - told.lost + told.corrected
    assert told.result in (0, Fraction(1, 2), 1)
    placements = [moment for moment in told.moments[:-1] if moment.actor == told.seat]
    assert {moment.value for moment in placements} == {1}, "whatever is placed leaves nothing to the other seat"
    rolls = [moment for moment in told.moments[1:] if moment.actor == DICE]
    assert {moment.luck for moment in rolls} == {0}, "every face is worth the same to whoever rolls"
    assert any(moment.corrected for moment in rolls), "what the file says otherwise before a roll is nobody's luck"


def test_without_the_file_values_are_judged(put: Put) -> None:
    assert read_objective(GAME, "win").certainty == "judged"
    put({})
    assert read_objective(GAME, "win").certainty == "close"


@pytest.mark.parametrize(
    "other",
    [{"columns": 2}, {"settled": False}, {"objective": WIN_ALONE}],
    ids=["two columns", "not settled", "wins alone"],
)
def test_another_file_is_left_alone(put: Put, other: dict[str, object]) -> None:
    put({}, **other)
    assert read_objective(GAME, "win").certainty == "judged"


def test_a_damaged_file_is_left_alone(put: Put, tmp_path: Path) -> None:
    put({})
    with open(tmp_path / known.FILE, "r+b") as file:
        file.truncate(10_000)
    known.solved_file.cache_clear()
    assert read_objective(GAME, "win").certainty == "judged"
