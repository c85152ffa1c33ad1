"""Mistakes in the page."""

from __future__ import annotations

from typing import Final

from tests.mutants.mutant import Mutant

WEB: Final = "web/src"
BROWSER: Final = "tests/browser"

MUTANTS: Final = (
    Mutant(
        "a draw against a bot is a win",
        f"{WEB}/lib/ends.ts",
        "if (how === 'drawn') return t('end.draw')",
        "if (how === 'drawn') return t('end.win')",
        (f"{BROWSER}/test_lite.py::test_a_draw_against_the_house_is_no_win",),
    ),
    Mutant(
        "a missed target is no defeat",
        f"{WEB}/lib/ends.ts",
        "t(how === 'won' ? 'end.target' : 'end.missed')",
        "t('end.target')",
        (f"{BROWSER}/test_lite.py::test_solo_12_the_end_screen",),
    ),
    Mutant(
        "points lost from a mixed column are counted by the broken dice",
        f"{WEB}/games/knucklebones.ts",
        "n: broken.slots.length, lost: broken.lost }",
        "n: broken.slots.length, lost: broken.face * broken.slots.length }",
        (f"{BROWSER}/test_taps.py::test_the_log_says_what_a_mixed_column_has_lost",),
    ),
    Mutant(
        "columns are counted from 0",
        f"{WEB}/games/knucklebones.ts",
        "column: column + 1 }",
        "column }",
        (f"{BROWSER}/test_taps.py::test_the_log_says_what_a_mixed_column_has_lost",),
    ),
    Mutant(
        "what breaks is not felt",
        f"{WEB}/games/knucklebones.ts",
        "happened(events, 'broken') ? ['place', 'destroy'] : ['place']",
        "['place']",
        (f"{BROWSER}/test_knucklebones.py::test_bones_09_placing_and_breaking_can_be_felt",),
    ),
    Mutant(
        "a bank is told with the next seat's total",
        f"{WEB}/games/farkle.ts",
        "n: banked.total }",
        "n: view.seats[view.turn_of]!.banked }",
        (f"{BROWSER}/test_taps.py::test_the_log_says_what_whoever_banks_has_in_all",),
    ),
    Mutant(
        "a farkle is told as one that cost nothing",
        f"{WEB}/games/farkle.ts",
        "farkle.lost ? t(",
        "!farkle.lost ? t(",
        (f"{BROWSER}/test_taps.py::test_the_log_says_what_a_farkle_has_cost",),
    ),
    Mutant(
        "hot dice are felt as any others",
        f"{WEB}/games/farkle.ts",
        "happened(events, 'hot-dice') ? 'hot' : 'place'",
        "'place'",
        (f"{BROWSER}/test_farkle.py::test_hot_dice_are_felt",),
    ),
    Mutant(
        "N more counts rows, not moves",
        f"{WEB}/parts/Hint.svelte",
        "sum + 1 + equals, 0)",
        "sum + 1, 0)",
        (f"{BROWSER}/test_puzzles.py::test_moves_of_equal_value_are_among_those_that_are_more",),
    ),
    Mutant(
        "a hint has no end",
        f"{WEB}/parts/Hint.svelte",
        "n < SHOWN || move === stage.considered",
        "n >= 0",
        (f"{BROWSER}/test_puzzles.py::test_a_hint_says_that_there_are_more_moves",),
    ),
    Mutant(
        "an analysis has the first person's name",
        f"{WEB}/screens/Replay.svelte",
        "(names[report.seat] ?? '')",
        "(names[0] ?? '')",
        (f"{BROWSER}/test_analysis.py::test_everybody_at_the_device_has_an_analysis",),
    ),
    Mutant(
        "an analysis stays the first person's",
        f"{WEB}/screens/Replay.svelte",
        "await api.report(id, seat)",
        "await api.report(id, 0)",
        (f"{BROWSER}/test_analysis.py::test_everybody_at_the_device_has_an_analysis",),
    ),
    Mutant(
        "fewer is more where less is better",
        f"{WEB}/parts/Balance.svelte",
        "good > 0 ? 'analysis.fewer' : 'analysis.more'",
        "good < 0 ? 'analysis.fewer' : 'analysis.more'",
        (f"{BROWSER}/test_analysis.py::test_bad_luck_costs_turns",),
    ),
    Mutant(
        "what the other gives away is a mistake of one's own",
        f"{WEB}/lib/coach.ts",
        " : t('analysis.gift', told)\n",
        " : t('analysis.better', told)\n",
        (f"{BROWSER}/test_analysis.py::test_what_the_other_side_gives_away_is_a_gift",),
    ),
    Mutant(
        "values that differ look the same",
        f"{WEB}/lib/coach.ts",
        "const MOST_DIGITS = 3",
        "const MOST_DIGITS = 1",
        (f"{BROWSER}/test_hints.py::test_values_that_differ_look_different",),
    ),
    Mutant(
        "a tap that means nothing is not answered",
        f"{WEB}/lib/stage.svelte.ts",
        "    this.#refuse(this.pending ? 'pending' : this.waiting ? 'saving' : code)\n",
        "    void code\n",
        (f"{BROWSER}/test_connection.py::test_a_tap_on_a_full_cell_is_refused_in_words",),
    ),
    Mutant(
        "a second tap in one place is a second move",
        f"{WEB}/lib/stage.svelte.ts",
        "    if (this.#echo) return\n",
        "",
        (
            f"{BROWSER}/test_taps.py::test_a_double_tap_on_shut_does_not_choose_the_dice_too",
            f"{BROWSER}/test_taps.py::test_a_double_tap_on_roll_hides_no_farkle",
        ),
    ),
    Mutant(
        "what was taken back stays in the log",
        f"{WEB}/lib/stage.svelte.ts",
        "    this.log = this.log.filter(({ number }) => number <= count)\n",
        "",
        (f"{BROWSER}/test_taps.py::test_what_is_taken_back_is_not_in_the_log",),
    ),
    Mutant(
        "a move that was cut off is not made again",
        f"{WEB}/lib/server.ts",
        "if (unanswered) this.#sayAgain()\n      else this.#asked = null",
        "this.#asked = null",
        (f"{BROWSER}/test_connection.py::test_a_cut_connection_is_opened_again_and_the_move_is_made_once",),
    ),
    Mutant(
        "a lost line is not opened again",
        f"{WEB}/lib/server.ts",
        "    else this.#connect()\n  }\n\n  #hurry",
        "  }\n\n  #hurry",
        (f"{BROWSER}/test_connection.py::test_a_killed_server_comes_back_and_the_run_goes_on",),
    ),
    Mutant(
        "a banned player is told that the line is lost",
        f"{WEB}/lib/server.ts",
        "if (code === NOT_WELCOME && reason === 'banned') return 'banned'",
        "if (code === NOT_WELCOME) return null",
        (f"{BROWSER}/test_troubles.py::test_who_is_banned_is_told_so",),
    ),
    Mutant(
        "the winner is not marked",
        f"{WEB}/parts/Seats.svelte",
        "result ? result.winners.includes(seat) : stage.view?.turn_of === seat",
        "stage.view?.turn_of === seat",
        (f"{BROWSER}/test_knucklebones.py::test_the_winner_has_a_star",),
    ),
    Mutant(
        "a tap on a die that scores nothing is not refused",
        f"{WEB}/games/farkleKeep.svelte.ts",
        "    if (!die.scores) return this.stage.misTap('die-plain')\n",
        "",
        (f"{BROWSER}/test_farkle.py::test_a_die_that_scores_nothing_is_refused_with_a_word",),
    ),
    Mutant(
        "thousands are not set apart",
        f"{WEB}/lib/texts.svelte.ts",
        "MANNERS[now.language].thousands)",
        "'')",
        (f"{BROWSER}/test_farkle.py::test_a_race_against_a_bot_is_shown_step_by_step",),
    ),
    Mutant(
        "digits of a box are set apart like thousands",
        f"{WEB}/games/shutTheBox.ts",
        "(view.scoring === 'digital' ? String(score) : score)",
        "score",
        (f"{BROWSER}/test_shut_the_box.py::test_box_15_scoring_and_running_total",),
    ),
    Mutant(
        "a puzzle is solved by any move",
        f"{WEB}/screens/Puzzle.svelte",
        "last !== undefined && loss === 0",
        "last !== undefined",
        (f"{BROWSER}/test_coach.py::test_a_puzzle_can_be_tried_again_or_shown",),
    ),
)
