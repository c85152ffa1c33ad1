"""The chance of a target: against the literal rules, published figures, counting by hand, and simulated runs."""

from __future__ import annotations

import json
from fractions import Fraction
from math import sqrt
from random import Random

import pytest

from dicehall.coach import targets
from dicehall.coach.targets import CALIBRATED, chance, ladder
from dicehall.dice import FACES, SeededDice
from dicehall.rules import farkle, lite_solo
from dicehall.rules.game import DICE, NOBODY
from dicehall.rules.lite_grid import board_text, score_board
from dicehall.rules.lite_solo import Options, State, actor, after, legal, read_state, result, rolled, start
from dicehall.solve import lite_targets
from dicehall.solve.lite_targets import BOOK, VARIANTS, PerfectPlay, Variant, book_text, chapter
from tests.soak import SOAKING, times

BASE = Options()
every_variant = pytest.mark.parametrize(
    "variant", VARIANTS, ids=lambda v: f"{'reroll' if v.reroll else 'plain'}-{v.wild}"
)


def options_of(variant: Variant, target: int = 0) -> Options:
    return Options(reroll=variant.reroll, wild=variant.wild, target=target)


def slow_chance(state: State, known: dict[State, Fraction]) -> Fraction:
    """The twin: every die and every move of the literal rules, and whether the rules call the run won."""
    if state not in known:
        who = actor(state)
        if who == NOBODY:
            known[state] = Fraction(result(state).winners == (0,))
        elif who == DICE:
            known[state] = sum((slow_chance(rolled(state, (die,)), known) for die in FACES), Fraction(0)) / 6
        else:
            known[state] = max(slow_chance(after(state, move), known) for move in legal(state))
    return known[state]


def late_positions(variant: Variant) -> list[tuple[str, str]]:
    """Boards with a few empty cells anywhere, the token there or spent."""
    random = Random(f"late {variant}")
    positions = []
    for empty in (2, 3, 3, 3, 4, 4, 4, 5) if SOAKING else (2, 3, 3, 4):
        cells = random.sample(range(9), empty)
        board = tuple(0 if cell in cells else random.choice(FACES) for cell in range(9))
        positions += [(board_text(board), token) for token in ("r-" if variant.reroll else "-")]
    return positions


@every_variant
def test_late_positions_are_worth_what_the_literal_rules_say(variant: Variant) -> None:
    play, random = PerfectPlay(variant.wild), Random(f"targets {variant}")
    open_questions = 0
    for board, token in late_positions(variant):
        position = read_state(options_of(variant), f"{board} - {token}")
        so_far = score_board(position.board, wild=variant.wild)
        for target in random.sample(range(so_far, so_far + 45), times(5, 12)):
            state = read_state(options_of(variant, target), f"{board} - {token}")
            exact = slow_chance(state, {})
            assert Fraction(*play.reach(state, target)) == exact, (board, token, target)
            open_questions += 0 < exact < 1
    assert open_questions > 5, "too many of the targets were certain or out of reach"


@every_variant
def test_every_target_of_one_position(variant: Variant) -> None:
    play = PerfectPlay(variant.wild)
    for target in range(1, play.highest + 20):
        state = read_state(options_of(variant, target), f"55./62./.66 - {'r' if variant.reroll else '-'}")
        assert Fraction(*play.reach(state, target)) == slow_chance(state, {}), target


def test_published_figures() -> None:
    """Under the base rules perfect play reaches 90 about once in nine runs, and 150 about once in 120,000."""
    assert chance(BASE, 90) == (1_085_322, 6**9)
    assert chance(BASE, 150) == (85, 6**9)
    assert round(6**9 / 1_085_322) == 9
    assert round(6**9 / 85, -4) == 120_000


@every_variant
def test_the_ends_can_be_counted_by_hand(variant: Variant) -> None:
    """The highest score takes nine times the same die (sixes; fives where a six caps its row at twice the sum).

    With ten dice it comes in 6 ways without the reroll, the last die being any, and in 9 x 5 with it: one of the first
    nine is another face, and the last one makes up for it.
    """
    options, of = options_of(variant), 6**variant.dice
    highest = 135 if variant.wild == "contains" else 162
    assert chance(options, highest) == ((6 + 45 if variant.reroll else 1), of)
    assert chance(options, highest + 1) == (0, of)
    assert chance(options, 1000) == (0, of)
    assert chance(options, 0) == chance(options, -5) == chance(options, 1) == (of, of)


@every_variant
def test_a_higher_target_is_never_likelier_and_a_token_never_hurts(variant: Variant) -> None:
    ways = [chance(options_of(variant), target) for target in range(200)]
    fractions = [Fraction(*found) for found in ways if found]
    assert len(fractions) == 200
    assert fractions == sorted(fractions, reverse=True)
    plain = [chance(Options(wild=variant.wild), target) for target in range(200)]
    assert all(Fraction(*found) <= mine for found, mine in zip(plain, fractions, strict=True) if found)


@every_variant
def test_calibrated_targets(variant: Variant) -> None:
    """The highest target that perfect play reaches at least once in 2, 10 and 100 runs; one point more is rarer."""
    rungs = ladder(options_of(variant))
    assert [rung.name for rung in rungs] == list(CALIBRATED) == list(lite_solo.PRESETS)
    for rung, once_in in zip(rungs, (2, 10, 100), strict=True):
        assert chance(options_of(variant), rung.target) == (rung.ways, rung.of)
        more = chance(options_of(variant), rung.target + 1)
        assert more is not None
        assert Fraction(*more) < Fraction(1, once_in) <= Fraction(rung.ways, rung.of)


def test_calibrated_targets_of_the_base_rules() -> None:
    assert [(rung.name, rung.target) for rung in ladder(BASE)] == [("bronze", 65), ("silver", 90), ("gold", 111)]


def test_a_target_among_the_options_changes_no_chance() -> None:
    assert chance(Options(target=90), 120) == chance(BASE, 120)
    assert ladder(Options(target=90)) == ladder(BASE)


def test_no_book_no_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    for options in (Options(columns=True), farkle.Options()):
        assert chance(options, 90) is None
        assert ladder(options) == []
    assert chance(BASE, 90, rules=lite_solo.VERSION + 1) is None
    assert ladder(BASE, rules=lite_solo.VERSION + 1) == []
    monkeypatch.setattr(targets, "BOOK_VERSION", 0)
    assert targets._book.__wrapped__() == {}


@pytest.mark.parametrize("variant", VARIANTS if SOAKING else VARIANTS[:1])
def test_the_book_is_what_the_solver_builds(variant: Variant) -> None:
    book = json.loads(BOOK.read_text("utf-8"))
    assert book["version"] == lite_targets.BOOK_VERSION == targets.BOOK_VERSION
    assert (book["game"], book["rules"]) == (lite_solo.ID, lite_solo.VERSION)
    assert book["variants"][VARIANTS.index(variant)] == chapter(variant)


def test_the_book_is_written_the_same_every_time(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Byte for byte, with the chapters taken from the book itself, because solving is tested above."""
    text = BOOK.read_text("utf-8")
    chapters = json.loads(text)["variants"]
    assert book_text(chapters) == text
    copy = tmp_path_factory.mktemp("books") / BOOK.name
    monkeypatch.setattr(lite_targets, "BOOK", copy)
    monkeypatch.setattr(lite_targets, "chapter", lambda variant: chapters[VARIANTS.index(variant)])
    lite_targets.main()
    assert copy.read_bytes() == BOOK.read_bytes()
    assert len(copy.read_bytes()) < 50_000


@pytest.mark.parametrize(("variant", "target"), [(Variant(False, "off"), 90), (Variant(True, "contains"), 74)])
def test_perfect_play_reaches_the_target_as_often_as_the_book_says(variant: Variant, target: int) -> None:
    play, options, runs = PerfectPlay(variant.wild), options_of(variant, target), times(3_000, 30_000)
    won = 0
    for run in range(runs):
        dice, seen, state = SeededDice(f"perfect {run}"), 0, start(options, 1)
        while actor(state) != NOBODY:
            state, seen = rolled(state, (dice.die(seen),)), seen + 1
            # placing with the token still there and rerolling are counted out of the same number: ways compare
            state = max([after(state, move) for move in legal(state)], key=lambda s: play.reach(s, target)[0])
        won += result(state).winners == (0,)
    found = chance(options, target)
    assert found is not None
    expected = found[0] / found[1]
    assert abs(won / runs - expected) < 3 * sqrt(expected * (1 - expected) / runs)
