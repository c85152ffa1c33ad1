"""Mistakes in the rules, and in the dice."""

from __future__ import annotations

from typing import Final

from tests.mutants.mutant import Mutant

RULES: Final = "src/dicehall/rules"
DICE: Final = "src/dicehall/dice.py"
LITE: Final = ("tests/rules/test_spec_lite.py",)
FARKLE: Final = ("tests/rules/test_spec_farkle.py",)
BOX: Final = ("tests/rules/test_spec_shut_the_box.py",)
BONES: Final = ("tests/rules/test_spec_knucklebones.py",)
EDGES: Final = ("tests/rules/test_edges.py",)
REFUSALS: Final = ("tests/rules/test_refusals.py",)
OPTIONS: Final = ("tests/rules/test_conformance.py::test_options_are_checked",)
NOTATION: Final = ("tests/rules/test_conformance.py::test_a_move_has_no_other_spelling_that_means_it_too",)

MUTANTS: Final = (
    Mutant(
        "an option's value of the wrong type, mulligan=1",
        f"{RULES}/options.py",
        "if type(value) is not type(option.default) or value not in values:",
        "if value not in values:",
        OPTIONS,
    ),
    Mutant(
        "' 1' is a move",
        f"{RULES}/knucklebones.py",
        'if text not in ("1", "2", "3"):',
        'if text.strip() not in ("1", "2", "3"):',
        NOTATION,
    ),
    Mutant(
        "'07' is a tile",
        f"{RULES}/shut_the_box_state.py",
        "not set(parts) <= _TILE_NAMES",
        "not {part.lstrip('0 ') for part in parts} <= _TILE_NAMES",
        NOTATION,
    ),
    Mutant(
        "a cell's name in capitals",
        f"{RULES}/lite_grid.py",
        "return CELLS.index(text)",
        "return CELLS.index(text.lower())",
        NOTATION,
    ),
    Mutant(
        "a board minimum below the bank minimum lowers it",
        f"{RULES}/farkle.py",
        "max(options.bank_minimum, options.board_minimum)",
        "options.board_minimum or options.bank_minimum",
        REFUSALS,
    ),
    Mutant(
        "the bank minimum is forgotten once there are points",
        f"{RULES}/farkle.py",
        "return options.bank_minimum if state.banked[state.seat] else",
        "return 0 if state.banked[state.seat] else",
        REFUSALS,
    ),
    Mutant(
        "a minimum leaves a seat without a move",
        f"{RULES}/farkle.py",
        "return (BANK,)  # without",
        "return (BANK,) if may_bank(state) else ()  # without",
        EDGES,
    ),
    Mutant(
        "the target is not reached by exactly as many points",
        f"{RULES}/farkle.py",
        "and banked[seat] >= options.target:",
        "and banked[seat] > options.target:",
        FARKLE,
    ),
    Mutant(
        "a last turn for the others without the option",
        f"{RULES}/farkle.py",
        "(not state.options.last_turn or next_seat == closer)",
        "next_seat == closer",
        EDGES,
    ),
    Mutant("hot dice without the option", f"{RULES}/farkle.py", " and state.options.hot_dice:", ":", FARKLE),
    Mutant("three ones for 100", f"{RULES}/farkle_scoring.py", "{1: 1000, 2: 200", "{1: 100, 2: 200", FARKLE),
    Mutant(
        "four alike score three times the triple",
        f"{RULES}/farkle_scoring.py",
        "TRIPLES[face] * (size - 2)",
        "TRIPLES[face] * (size - 1 if size > 3 else 1)",
        FARKLE,
    ),
    Mutant(
        "four alike and a pair count without the option",
        f"{RULES}/farkle_scoring.py",
        "options.three_pairs and options.four_plus_pair,",
        "options.three_pairs,",
        EDGES,
    ),
    Mutant(
        "a straight without the option",
        f"{RULES}/farkle_scoring.py",
        "options.straight_points if options.straight else 0,",
        "options.straight_points,",
        EDGES,
    ),
    Mutant(
        "the target is missed by no points", f"{RULES}/lite_solo.py", "if score >= options", "if score > options", LITE
    ),
    Mutant(
        "the reroll comes back",
        f"{RULES}/lite_solo.py",
        "return State(state.options, state.board, 0, False)",
        "return State(state.options, state.board, 0, state.token)",
        LITE,
    ),
    Mutant(
        "a reroll takes the other's token",
        f"{RULES}/lite_versus.py",
        "(False, tokens[1]) if seat == 0",
        "(tokens[0], False) if seat == 0",
        LITE,
    ),
    Mutant(
        "three wild sixes are natural",
        f"{RULES}/lite_grid.py",
        'multiplier = 3 if wild == "natural" and dice',
        "multiplier = 3 if dice",
        LITE,
    ),
    Mutant(
        "a lone wild six counts twice",
        f"{RULES}/lite_grid.py",
        "WILD in dice and len(dice) > 1:",
        "WILD in dice:",
        ("tests/play/test_view.py::test_a_lone_wild_six_forms_nothing_yet",),
    ),
    Mutant(
        "the middle row breaks ties by the first row",
        f"{RULES}/lite_versus.py",
        "return sum(board[3:6])",
        "return sum(board[:3])",
        LITE,
    ),
    Mutant(
        "a goal is missed by no points",
        f"{RULES}/shut_the_box.py",
        "if total <= most else",
        "if total < most else",
        EDGES,
    ),
    Mutant(
        "45 points do not put a seat out",
        f"{RULES}/shut_the_box.py",
        "out = tuple(other for other, total in enumerate(totals) if total >= OUT_AT)",
        "out = tuple(other for other, total in enumerate(totals) if total > OUT_AT)",
        EDGES,
    ),
    Mutant("the worst round counts", f"{RULES}/shut_the_box.py", "min(before, score)", "max(before, score)", BOX),
    Mutant(
        "a mulligan every time",
        f"{RULES}/shut_the_box.py",
        "if options.mulligan and not mulligan_used:",
        "if options.mulligan:",
        EDGES,
    ),
    Mutant(
        "one die at a sum of 5",
        f"{RULES}/shut_the_box_tiles.py",
        "sum(tiles) <= LAST_LOW_TILE",
        "sum(tiles) < LAST_LOW_TILE",
        BOX,
    ),
    Mutant(
        "three tiles when it is hard",
        f"{RULES}/shut_the_box_tiles.py",
        '2 if duo or options.difficulty == "hard" else',
        "2 if duo else",
        REFUSALS,
    ),
    Mutant(
        "one equal die is broken, not all",
        f"{RULES}/knucklebones.py",
        "return tuple([other for other in column if other != die])",
        "at = column.index(die)\n    return column[:at] + column[at + 1 :]",
        BONES,
    ),
    Mutant("who begins is drawn unevenly", f"{RULES}/two_seats.py", "if die <= 3", "if die < 3", EDGES),
    Mutant(
        "a die of 0",
        f"{RULES}/game.py",
        "not 1 <= die <= 6",
        "not 0 <= die <= 6",
        ("tests/rules/test_conformance.py::test_foreign_values_are_refused",),
    ),
    Mutant("True is a number of seats", f"{RULES}/game.py", "type(seats) is not int or seats", "seats", OPTIONS),
    Mutant(
        "an own seed of the greatest length is refused",
        DICE,
        "if len(own) > LONGEST_SEED - 65:",
        "if len(own) >= LONGEST_SEED - 65:",
        ("tests/test_dice.py::test_an_own_seed_has_a_greatest_length",),
    ),
    Mutant(
        "an own seed is a character too long",
        DICE,
        "if len(own) > LONGEST_SEED - 65:",
        "if len(own) > LONGEST_SEED - 64:",
        ("tests/test_dice.py::test_an_own_seed_has_a_greatest_length",),
    ),
    Mutant(
        "bytes that are not fair are dice",
        DICE,
        "if byte < 252]",
        "if byte < 256]",
        ("tests/test_dice.py::test_the_algorithm_is_as_published",),
    ),
    Mutant(
        "a seed of 201 characters",
        DICE,
        "if len(seed) > LONGEST_SEED:",
        "if len(seed) > LONGEST_SEED + 1:",
        ("tests/test_dice.py::test_bad_seeds_are_refused",),
    ),
    Mutant(
        "a game of so many turns is over before the last seat has had its turn",
        f"{RULES}/farkle_state.py",
        "state.options.max_turns == state.round and state.seat == len(state.banked) - 1",
        "state.options.max_turns == state.round",
        REFUSALS,
    ),
    Mutant(
        "who was out before wins when all others go out",
        f"{RULES}/shut_the_box.py",
        "if totals[seat] < OUT_AT] or running",
        "if totals[seat] < OUT_AT] or list(range(len(totals)))",
        ("tests/rules/test_twins.py::test_the_rules_agree_with_their_twin_at_every_step[shut-the-box-0]",),
    ),
)
