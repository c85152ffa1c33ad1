"""What perfect play of Farkle ends with: against the literal rules, the worths, and adding up by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from dicehall.coach.advise import values
from dicehall.coach.farkle.distribution import farkle_turn, first_turn
from dicehall.coach.farkle.tables import FINE, find_table
from dicehall.coach.percentile import find_distribution
from dicehall.coach.protocol import read_objective
from dicehall.errors import InvalidOption
from dicehall.rules import farkle
from dicehall.rules.catalog import FARKLE
from dicehall.rules.farkle_state import END, SELECTION, fallen
from dicehall.rules.game import DICE, outcomes
from dicehall.solve.farkle_books import USUAL
from dicehall.solve.farkle_results import run_ends
from tests.coach.conftest import Solve
from tests.coach.shares import Shares, by_hand, known, literal_ends, mixed
from tests.soak import times


def table_of(state: farkle.State) -> Any:
    dice = fallen(state) if state.phase == SELECTION and not state.chosen else ()
    return state.banked, state.round, state.turn_total, farkle.dice_to_roll(state), dice, state.phase, state.chosen


COLD: list[dict[str, Any]] = [
    {"hot_dice": False},
    {"hot_dice": False, "straight": True, "three_pairs": True, "three_pairs_points": 750},
    {"hot_dice": False, "three_pairs": True, "four_plus_pair": True, "bank_minimum": 350, "board_minimum": 300},
    {"hot_dice": False, "bank_minimum": 350, "board_minimum": 600},
    {"hot_dice": False, "straight": True, "straight_points": 1010},
]


@pytest.mark.parametrize("chosen", COLD, ids=str)
def test_a_turn_without_hot_dice_ends_as_the_literal_rules_say(chosen: dict[str, Any]) -> None:
    found = known("farkle", {"max_turns": 1, **chosen}, "arcade")
    assert found.shares == literal_ends(FARKLE, FARKLE.begin({"max_turns": 1, **chosen}), table_of, max, {})
    assert found.error == 0


@pytest.mark.parametrize("chosen", [{}, {"straight": True, "three_pairs": True}, {"bank_minimum": 600}], ids=str)
def test_a_turn_with_hot_dice_has_the_mean_that_is_promised(chosen: dict[str, Any]) -> None:
    state = FARKLE.begin({"max_turns": 1, **chosen})
    found = known("farkle", {"max_turns": 1, **chosen}, "arcade")
    assert found.mean == values(FARKLE, state.options, 1, "arcade")(state)
    assert sum(found.shares.values()) == 1


@pytest.mark.parametrize("objective", ["arcade", "turn"])
def test_turns_of_a_seat_that_has_to_get_on_the_board(objective: str) -> None:
    """Against all ways through three turns, one after the other."""
    chosen = {"hot_dice": False, "max_turns": 3, "board_minimum": 400, "bank_minimum": 150}
    options = FARKLE.make_options(chosen)
    usual, expected = farkle_turn(options), {0: Fraction(1)}
    for later in reversed(range(3)):
        boarding, reached = first_turn(options, read_objective(FARKLE, objective), later), dict[int, Fraction]()
        for total, share in expected.items():
            for points, chance in (usual if total else boarding).items():
                reached[total + points] = reached.get(total + points, Fraction(0)) + share * chance
        expected = reached
    found = known("farkle", chosen, objective)
    got = found.shares
    assert got.keys() <= expected.keys()
    assert max(abs(share - got.get(points, 0)) for points, share in expected.items()) < found.error
    if objective == "arcade":
        assert abs(found.mean - values(FARKLE, options, 1, "arcade")(FARKLE.begin(options))) < Fraction(1, 10**9)


def test_turns_of_farkle_are_added_up() -> None:
    """Each is rounded, so they are off by no more than they say, all shares together."""
    one = known("farkle", {"max_turns": 1, "hot_dice": False}, "turn").shares
    three = known("farkle", {"max_turns": 3, "hot_dice": False}, "turn", seats=2)
    expected, got = by_hand(one, 3), three.shares
    assert expected.keys() == got.keys()
    assert 0 < sum(abs(expected[points] - got[points]) for points in got) < 2 * three.error < Fraction(1, 10**12)
    ten = known("farkle", {"preset": "arcade"}, "arcade")
    state = FARKLE.begin({"preset": "arcade"})
    assert abs(ten.mean - values(FARKLE, state.options, 1, "arcade")(state)) < ten.error * max(ten.ways)


def literal_turns(options: farkle.Options, turns: int) -> list[Fraction]:
    """The twin: how likely the target is reached in each turn, following the best moves through the literal rules."""
    value = values(FARKLE, options, 1, "turns")
    known: dict[Any, Shares] = {}

    def ends(state: farkle.State) -> Shares:
        """The chances of what is banked when the turn is over."""
        key = table_of(state)
        if key not in known:
            if farkle.actor(state) == DICE:
                rolls = outcomes(farkle.dice_to_roll(state))
                known[key] = mixed([(n, ended(state, farkle.rolled(state, roll))) for roll, n in rolls])
            else:
                best = min([farkle.after(state, move) for move in farkle.legal(state)], key=value)
                known[key] = ended(state, best)
        return known[key]

    def ended(before: farkle.State, now: farkle.State) -> Shares:
        over = now.phase == END or now.round > before.round
        return {now.banked[0]: Fraction(1)} if over else ends(now)

    where, done = {0: Fraction(1)}, []
    for _ in range(turns):
        after = [(share, ends(farkle.State(options, (banked,)))) for banked, share in where.items()]
        where = {}
        for share, part in after:
            for banked, chance in part.items():
                where[banked] = where.get(banked, Fraction(0)) + share * chance
        done.append(sum(where.pop(banked) for banked in list(where) if banked >= options.target))
    return [Fraction(one) for one in done]


def check_small_run(options: farkle.Options) -> None:
    found = known("farkle", options.changed(), "turns")
    for turn, chance in enumerate(literal_turns(options, 4), 1):
        assert abs(Fraction(found.ways.get(turn, 0), found.of) - chance) < found.error
    assert abs(found.mean - values(FARKLE, options, 1, "turns")(FARKLE.begin(options))) < Fraction(1, 10**6)


@pytest.mark.parametrize("chosen", [{"target": 200}, {"target": 300, "straight": True, "three_pairs": True}], ids=str)
def test_a_small_run_ends_as_the_literal_rules_say(chosen: dict[str, Any]) -> None:
    check_small_run(FARKLE.make_options(chosen))


@pytest.mark.parametrize(
    "chosen",
    [
        {"target": 250, "bank_minimum": 150},
        {"target": 150, "bank_minimum": 320},
        {"target": 250, "board_minimum": 200, "bank_minimum": 100, "hot_dice": False},
    ],
    ids=str,
)
def test_a_small_run_that_was_solved_here(chosen: dict[str, Any], solve_here: Solve) -> None:
    check_small_run(solve_here(FARKLE.make_options(chosen)))


def test_a_run_of_too_many_turns(solve_here: Solve) -> None:
    options = solve_here(FARKLE.make_options({"target": 200, "bank_minimum": 6000}))
    with pytest.raises(InvalidOption, match="too many turns"):
        find_distribution(FARKLE, options, 1, "turns")


def test_the_presets_of_farkle() -> None:
    for name in ("casual", "standard", "spicy"):
        found, state = known("farkle", {"preset": name}, "turns"), FARKLE.begin({"preset": name})
        assert abs(found.mean - values(FARKLE, state.options, 1, "turns")(state)) < Fraction(1, 10**7)
        assert 0 < found.error <= Fraction(1, 10**8)
    assert known("farkle", {}, "turns") == known("farkle", {"preset": "standard"}, "turns")


@pytest.mark.rebuilds("dicehall.solve.farkle_books")
def test_the_tables_are_what_the_solver_builds() -> None:
    for contest in USUAL["ends"][:: times(5, 1)]:
        table, built = find_table("ends", contest), run_ends(contest)
        assert built.shape == (table.rows, table.columns)
        for place in range(0, table.rows, 20):
            off = [
                abs(value - round(chance * 2**FINE))
                for value, chance in zip(table.row(place), built[place], strict=True)
            ]
            assert max(off) <= 2 ** (FINE - 33)
