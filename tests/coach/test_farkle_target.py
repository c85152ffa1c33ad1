"""Farkle to the target, alone and in a race: against the literal rules, and the book against itself and its solver."""

from __future__ import annotations

import json
import zlib
from random import Random

import numpy as np
import pytest

from dicehall.coach.worths import farkle_target
from dicehall.coach.worths.farkle import worth
from dicehall.coach.worths.farkle_target import BOOK_VERSION, FINE
from dicehall.errors import InvalidOption
from dicehall.rules import farkle
from dicehall.rules.farkle import Options, read_state, start
from dicehall.rules.farkle_scoring import Scoring
from dicehall.rules.farkle_state import END
from dicehall.solve import farkle as solver
from dicehall.solve.farkle import BOOK, STEPS, VARIANTS, Variant, book_bytes
from dicehall.solve.workshop import PACKAGED
from tests.coach.farkle_twin import CLOSE, Circle
from tests.soak import SOAKING, times

SMALL_RUNS = [
    Options(target=200),
    Options(target=300, hot_dice=False),
    Options(target=230, straight=True, three_pairs=True),
    Options(target=250, hot_dice=False, three_pairs=True, four_plus_pair=True),
    Options(target=400, straight=True),
]


@pytest.mark.parametrize("options", SMALL_RUNS if SOAKING else SMALL_RUNS[:4], ids=lambda o: str(o.changed()))
def test_every_position_of_a_small_run(options: Options) -> None:
    circle, value = Circle(start(options, 1)), worth(options, 1, "turns")
    for state, still in zip(circle.states, circle.solved("turns"), strict=True):
        done = state.round - (state.phase != END)
        assert abs(value(state) - (done + still)) < CLOSE, state


SMALL_RACES = [Options(target=200), Options(target=130, straight=True, three_pairs=True)]


@pytest.mark.parametrize("options", SMALL_RACES, ids=lambda o: str(o.changed()))
def test_every_position_of_a_small_race(options: Options) -> None:
    circle, value = Circle(start(options, 2)), worth(options, 2, "race")
    for state, first in zip(circle.states, circle.solved("race"), strict=True):
        assert abs(value(state) - (1 - first if state.seat else first)) < CLOSE, state


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_race_agrees_with_itself_wherever_a_turn_begins(variant: Variant) -> None:
    """Each chance in the book, against the turn that is swept from the others."""
    win, random = farkle_target._read("race", *variant), Random("race")
    for _ in range(times(12, 2000)):
        mine, theirs = random.randint(1, STEPS), random.randint(1, STEPS)
        turn = farkle_target._race_turn(*variant, mine, theirs)
        assert abs(turn.rolled(mine, 6) - win[mine][theirs]) * 2.0**-FINE < 2 * CLOSE, (mine, theirs)


def test_a_better_score_is_never_worse() -> None:
    for variant in VARIANTS:
        (turns,) = farkle_target._read("turns", *variant)
        assert turns == sorted(turns)
        win = farkle_target._read("race", *variant)
        for need in range(1, STEPS + 1):
            assert win[need][1:] == sorted(win[need][1:]), "the more the other needs, the better"
            column = [row[need] for row in win[1:]]
            assert column == sorted(column, reverse=True), "the less is needed, the better"
            assert win[need][need] * 2 > 1 << FINE, "the first to move has the better chance"


def test_a_pile_that_reaches_the_target_and_is_rolled_on() -> None:
    """One die, and a farkle in four of six; the others bring what banking would have brought."""
    state = read_state(Options(), "9800:9000 0 9 250 [11155]. rolled -")
    farkled = read_state(Options(), "9800:9000 1 9 0 ...... farkle -")
    value = worth(Options(), 2, "race")
    assert abs(value(state) - (2 + 4 * (1 - value(farkled))) / 6) < CLOSE
    assert value(read_state(Options(), "9800:9000 0 9 250 [11155]2 selected -")) == 1
    assert value(read_state(Options(), "9777:9000 0 9 223 [11155]2 selected -")) == 1, "an odd score that reaches it"
    assert value(read_state(Options(), "9777:9000 0 9 222 [11155]2 selected -")) < 1


def test_the_book_is_what_the_solver_builds() -> None:
    for variant in VARIANTS:
        (turns,) = farkle_target._read("turns", *variant)
        assert np.abs(np.array(turns) * 2.0**-FINE - solver.solve("turns", variant, STEPS)[0]).max() < 2.0**-FINE
        steps = times(30, STEPS)
        win = np.array(farkle_target._read("race", *variant))[: steps + 1, : steps + 1]
        assert np.abs(win * 2.0**-FINE - solver.solve("race", variant, steps)).max() <= 2.0**-33


def test_the_book_is_written_the_same_every_time() -> None:
    """Byte for byte, with the tables taken from the book itself, because solving is tested above."""
    (book,) = solver.books()
    tables = {}
    for title in book.parts:
        about = json.loads(title)
        variant = about.pop("objective"), Scoring(**{name: about[name] for name in Scoring._fields}), about["hot_dice"]
        tables[title] = (np.array(farkle_target._read(*variant)) * 2.0**-FINE).tobytes()
    written = book.bind(tables)
    assert written == PACKAGED.joinpath(BOOK).read_bytes()
    assert len(written) < 1_300_000


def test_a_damaged_book_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    about = json.loads(PACKAGED.joinpath(BOOK).read_bytes().partition(b"\n")[0])
    assert (about["version"], about["game"], about["rules"]) == (BOOK_VERSION, farkle.ID, farkle.VERSION)
    monkeypatch.setattr(farkle_target, "VERSION", farkle.VERSION + 1)
    with pytest.raises(InvalidOption, match="damaged or made for other rules"):
        farkle_target._book.__wrapped__()
    monkeypatch.undo()
    monkeypatch.setattr(zlib, "crc32", lambda data: 0)
    with pytest.raises(InvalidOption, match="damaged or made for other rules"):
        farkle_target._book.__wrapped__()


def test_a_table_survives_the_book() -> None:
    """Also where neighbours differ as much as can be."""
    table = np.array([[0.0, 1 - 2.0**-32, 0.0], [1 - 2.0**-32, 2.0**-32, 0.5]])
    head, _, body = book_bytes([("race", VARIANTS[0], table)]).partition(b"\n")
    (about,) = json.loads(head)["tables"]
    planes = zlib.decompress(body)
    numbers = [int.from_bytes(planes[n::6], "little") for n in range(6)]
    across = np.array(numbers).reshape(2, 3).cumsum(axis=0).cumsum(axis=1) % 2**32
    assert (across == table * 2.0**32).all()
    assert (about["rows"], about["columns"], about["size"]) == (2, 3, len(body))
