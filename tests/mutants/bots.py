"""Mistakes in the players of the house."""

from __future__ import annotations

from typing import Final

from tests.mutants.mutant import Mutant

BOTS: Final = "src/dicehall/bots"
PLAYERS: Final = "tests/bots/test_players.py"
LADDER: Final = "tests/bots/test_ladder.py"
BANK: Final = (f"{PLAYERS}::test_the_bank_player_banks_at_its_number_or_at_the_target",)
MEASURED: Final = (f"{LADDER}::test_every_rung_plays_as_it_did_when_it_was_measured",)

MUTANTS: Final = (
    Mutant(
        "the arcade bot banks at the target",
        f"{BOTS}/farkle.py",
        " and not state.options.max_turns\n",
        "\n",
        BANK,
    ),
    Mutant("it banks above its number", f"{BOTS}/farkle.py", "turn_total >= threshold", "turn_total > threshold", BANK),
    Mutant(
        "it looks at the first seat's points",
        f"{BOTS}/farkle.py",
        "state.banked[state.seat] >= state.options.target",
        "state.banked[0] >= state.options.target",
        BANK,
    ),
    Mutant(
        "it keeps the least points",
        f"{BOTS}/farkle.py",
        "return moves[0]  # most",
        "return moves[-1]  # most",
        BANK,
    ),
    Mutant(
        "the highest player rolls two dice",
        f"{BOTS}/shut_the_box.py",
        "if ONE in moves:\n        return ONE",
        "if ONE in moves:\n        return moves[-1]",
        (f"{PLAYERS}::test_the_highest_player_takes_one_die_and_the_highest_tile",),
    ),
    Mutant(
        "it shuts the most tiles",
        f"{BOTS}/shut_the_box.py",
        "max(moves, key=tuple)",
        "max(moves, key=len)",
        (f"{PLAYERS}::test_the_highest_player_takes_one_die_and_the_highest_tile",),
    ),
    Mutant(
        "the opponent's own dice count as broken",
        f"{BOTS}/knucklebones.py",
        "theirs[column].count(state.die)",
        "mine[column].count(state.die)",
        (
            "tests/rules/test_spec_knucklebones.py",
            "tests/bots/test_players.py::test_the_knucklebones_players_stack_and_break",
        ),
    ),
    Mutant(
        "the beginner takes the other's lead",
        f"{BOTS}/knucklebones.py",
        "return score_grid(grids[state.seat]) - score_grid(grids[1 - state.seat])",
        "return score_grid(grids[1 - state.seat]) - score_grid(grids[state.seat])",
        (f"{PLAYERS}::test_the_knucklebones_players_stack_and_break",),
    ),
    Mutant(
        "the beginner does not look at what breaks",
        f"{BOTS}/knucklebones.py",
        "return score_grid(grids[state.seat]) - score_grid(grids[1 - state.seat])",
        "return score_grid(grids[state.seat])",
        (f"{PLAYERS}::test_the_knucklebones_players_stack_and_break",),
    ),
    Mutant(
        "a reroll that has been spent",
        f"{BOTS}/lite.py",
        "        if token:  # spend it",
        "        if state.options.reroll:  # spend it",
        (f"{PLAYERS}::test_lookahead_spends_its_reroll_on_a_die_that_helps_nothing",),
    ),
    Mutant(
        "a good die is rolled again",
        f"{BOTS}/lite.py",
        "if average > 6 * worth:",
        "if average > worth:",
        (f"{PLAYERS}::test_lookahead_spends_its_reroll_on_a_die_that_helps_nothing",),
    ),
    Mutant(
        "it plays the other's board",
        f"{BOTS}/lite.py",
        "else state.boards[state.seat]",
        "else state.boards[0]",
        (f"{PLAYERS}::test_lookahead_beats_standard_and_standard_equals_random",),
    ),
    Mutant(
        "the standard player opens a second row",
        f"{BOTS}/lite.py",
        "return 1, sum(dice) + die, 3 - len(dice)",
        "return 1, 3 - len(dice), sum(dice) + die",
        (f"{PLAYERS}::test_the_standard_player_never_opens_a_second_row_while_the_first_has_room",),
    ),
    Mutant(
        "any player draws one seat's lots",
        f"{BOTS}/player.py",
        'f"random/{seat}/{game.rules.state_text(state)}"',
        'f"random/{game.rules.state_text(state)}"',
        (f"{PLAYERS}::test_lots_are_drawn_for_each_seat_and_position",),
    ),
    Mutant(
        "one lot for every position",
        f"{BOTS}/player.py",
        'f"random/{seat}/{game.rules.state_text(state)}"',
        'f"random/{seat}"',
        (f"{PLAYERS}::test_lots_are_drawn_for_each_seat_and_position",),
    ),
    Mutant(
        "bank:0 is a player",
        f"{BOTS}/farkle.py",
        "bank, range(1, 1_000_001)",
        "bank, range(1_000_001)",
        (f"{PLAYERS}::test_unknown_players_are_refused_with_the_list",),
    ),
    Mutant(
        "level:6 is a player",
        f"{BOTS}/ladder.py",
        "RUNGS: Final = range(1, 6)",
        "RUNGS: Final = range(1, 7)",
        (f"{PLAYERS}::test_unknown_players_are_refused_with_the_list",),
    ),
    Mutant(
        "players move for other seats",
        f"{BOTS}/player.py",
        "while table.actor in players:\n        table.play(players[table.actor](table.state))",
        "while table.actor >= 0:\n        table.play(next(iter(players.values()))(table.state))",
        (f"{PLAYERS}::test_players_move_for_their_own_seats_alone",),
    ),
    Mutant(
        "every rung is blurred as the one below",
        f"{BOTS}/ladder.py",
        "[rung - 1]",
        "[max(rung - 2, 0)]",
        MEASURED,
    ),
    Mutant("a rung's blur has two draws", f"{BOTS}/ladder.py", "DRAWS: Final = 3", "DRAWS: Final = 2", MEASURED),
    Mutant(
        "both seats are blurred alike",
        f"{BOTS}/ladder.py",
        'f"level/{seat}/{game.rules.state_text(state)}"',
        'f"level/{game.rules.state_text(state)}"',
        MEASURED,
    ),
    Mutant(
        "a sharper third rung",
        f"{BOTS}/knucklebones.py",
        "(1_500_000, 350_000, 160_000, 75_000, 36_000)",
        "(1_500_000, 350_000, 100_000, 75_000, 36_000)",
        MEASURED,
    ),
    Mutant(
        "a chance that is certain is blurred",
        f"{BOTS}/ladder.py",
        "return int(width * 4 * best * (1 - best)) if objective.chance else width",
        "return width",
        (f"{LADDER}::test_a_chance_that_is_certain_is_not_blurred",),
    ),
    Mutant(
        "moves that lose the same are told apart",
        f"{BOTS}/ladder.py",
        "if one.loss not in seen:\n            seen[one.loss] =",
        "if True:\n            seen[one.loss] =",
        MEASURED,
    ),
    Mutant(
        "perfect play takes the second best",
        f"{BOTS}/ladder.py",
        "return lambda state: best_advice(game, state)[1][0].move",
        "return lambda state: best_advice(game, state)[1][-1].move",
        (f"{LADDER}::test_perfect_plays_the_best_move",),
    ),
    Mutant(
        "the file has another strength",
        f"{BOTS}/ladder.json",
        '"value": 0.10248, "error": 0.00423',
        '"value": 0.12248, "error": 0.00423',
        (f"{LADDER}::test_the_file_says_what_is_measured",),
    ),
    Mutant(
        "what is not solved is played for the first of all objectives",
        f"{BOTS}/ladder.py",
        "return ranking.objective if ranking else wanted",
        "return wanted",
        (f"{LADDER}::test_what_is_not_solved_is_played_for_the_nearest_that_is",),
    ),
    Mutant(
        "a reroll of the other seat is spent",
        f"{BOTS}/lite.py",
        "else state.tokens[state.seat]",
        "else state.tokens[0]",
        (f"{PLAYERS}::test_lookahead_spends_its_reroll_on_a_die_that_helps_nothing",),
    ),
    Mutant(
        "whoever wins together has neither won nor drawn",
        "src/dicehall/lab/simulate.py",
        'outcome in ("drawn", "shared")',
        'outcome == "drawn"',
        ("tests/test_cli.py::test_wins_draws_and_losses_add_up",),
    ),
    Mutant(
        "a reroll is spent for a die that is worth no more on average",
        f"{BOTS}/lite.py",
        "if average > 6 * worth:",
        "if average >= 6 * worth:",
        (f"{PLAYERS}::test_lookahead_spends_its_reroll_on_a_die_that_helps_nothing",),
    ),
)
