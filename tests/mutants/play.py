"""Mistakes in play: tables, records, views, events."""

from __future__ import annotations

from typing import Final

from tests.mutants.mutant import Mutant

PLAY: Final = "src/dicehall/play"
RECORD: Final = ("tests/play/test_record.py",)
TABLE: Final = ("tests/play/test_table.py",)
VIEW: Final = ("tests/play/test_view.py",)
EVENTS: Final = ("tests/play/test_events.py",)

MUTANTS: Final = (
    Mutant(
        "bools in a record's scores",
        f"{PLAY}/record.py",
        'if any(type(value) is not int for value in (*result["scores"], *result["winners"])):',
        'if not all(isinstance(value, int) for value in (*result["scores"], *result["winners"])):',
        RECORD,
    ),
    Mutant(
        "a seed lost after the last die",
        f"{PLAY}/replay.py",
        "origin.lost_at >= max(dice_so_far, 1)",
        "origin.lost_at > max(dice_so_far, 1)",
        RECORD,
    ),
    Mutant(
        "a seed cannot be lost at the last die",
        f"{PLAY}/replay.py",
        "origin.lost_at >= max(dice_so_far, 1)",
        "origin.lost_at >= dice_so_far - 1",
        RECORD,
    ),
    Mutant(
        "a lost seed that is ranked",
        f"{PLAY}/replay.py",
        " or SEED_MISMATCH not in record.unranked)",
        ")",
        RECORD,
    ),
    Mutant(
        "the die at which the seed was lost is checked against it",
        f"{PLAY}/replay.py",
        "dice_so_far >= origin.lost_at",
        "dice_so_far > origin.lost_at",
        RECORD,
    ),
    Mutant(
        "the last die before the seed was lost is not checked",
        f"{PLAY}/replay.py",
        "dice_so_far >= origin.lost_at",
        "dice_so_far >= origin.lost_at - 1",
        RECORD,
    ),
    Mutant(
        "a seed lost before the first die is no seed",
        f"{PLAY}/record.py",
        "origin.lost_at is not None and origin.lost_at < 0:",
        "origin.lost_at is not None and origin.lost_at <= 0:",
        RECORD,
    ),
    Mutant(
        "states that were taken back stay in the film",
        f"{PLAY}/table.py",
        "        del self.states[before.steps :]\n",
        "",
        TABLE,
    ),
    Mutant(
        "it is every onlooker's turn",
        f"{PLAY}/view.py",
        '"your_turn": seat is not None and seat == actor,',
        '"your_turn": seat in (None, actor),',
        VIEW,
    ),
    Mutant(
        "an onlooker's turn when the dice are due",
        f"{PLAY}/view.py",
        '"your_turn": seat is not None and seat == actor,',
        '"your_turn": actor >= 0,',
        VIEW,
    ),
    Mutant(
        "a seat at the end of the table", f"{PLAY}/view.py", "not 0 <= seat < seats", "not 0 <= seat <= seats", VIEW
    ),
    Mutant(
        "the secret of a run that is not over",
        f"{PLAY}/table.py",
        "source.secret if self._revealed else None",
        "source.secret",
        TABLE,
    ),
    Mutant("a second undo", f"{PLAY}/table.py", "if not mine or self._took_back:", "if not mine:", TABLE),
    Mutant(
        "undo past a roll",
        f"{PLAY}/table.py",
        "if not self.practice and self.dice_used > mine[-1].dice:",
        "if False:",
        TABLE,
    ),
    Mutant(
        "an undo past a roll leaves the run ranked",
        f"{PLAY}/table.py",
        "if self.dice_used > before.dice:",
        "if False:",
        TABLE,
    ),
    Mutant(
        "an undo keeps the dice that were rolled",
        f"{PLAY}/table.py",
        "self.steps[: before.steps], before.dice",
        "self.steps[: before.steps], self.dice_used",
        TABLE,
    ),
    Mutant(
        "any seat may move",
        f"{PLAY}/table.py",
        "if seat is not None and self.actor >= 0 and seat != self.actor:",
        "if False:",
        TABLE,
    ),
    Mutant(
        "a claimed result is not compared",
        f"{PLAY}/replay.py",
        "if over and game.rules.result(state) != record.result:",
        "if False:",
        ("tests/play/test_tampering.py::test_no_forgery_passes",),
    ),
    Mutant(
        "check digits are not compared",
        f"{PLAY}/replay.py",
        "if record.claimed_check is not None and record.claimed_check != record.check():",
        "if False:",
        ("tests/play/test_tampering.py::test_no_forgery_passes",),
    ),
    Mutant(
        "a secret need not be the committed one",
        f"{PLAY}/replay.py",
        "if origin.secret is not None and dice.commitment(origin.secret) != origin.commitment:",
        "if False:",
        ("tests/play/test_tampering.py::test_another_secret_than_the_committed_one_is_refused",),
    ),
    Mutant(
        "a move may be spelled otherwise",
        f"{PLAY}/replay.py",
        "if rules.move_text(move) != text:",
        "if False:",
        RECORD,
    ),
    Mutant(
        "a proof without the secret",
        f"{PLAY}/replay.py",
        "if origin.commitment is not None and origin.secret is None:",
        "if False:",
        RECORD,
    ),
    Mutant(
        "a bank is told with the points of the turn as the total",
        f"{PLAY}/farkle.py",
        "total, target = after.banked[seat], before.options.target",
        "total, target = after.banked[after.seat], before.options.target",
        EVENTS,
    ),
    Mutant(
        "a farkle costs what was banked",
        f"{PLAY}/farkle.py",
        '"lost": before.turn_total}] if lost',
        '"lost": before.banked[seat]}] if lost',
        EVENTS,
    ),
    Mutant(
        "broken dice lose what is left of the column",
        f"{PLAY}/knucklebones.py",
        "lost = score_column(theirs) - score_column(after.grids[other][column])",
        "lost = score_column(after.grids[other][column])",
        EVENTS,
    ),
    Mutant(
        "a break in a mixed column is told as the equal dice alone",
        f"{PLAY}/knucklebones.py",
        "lost = score_column(theirs) - score_column(after.grids[other][column])",
        "lost = face * len(slots)",
        EVENTS,
    ),
    Mutant(
        "a preview breaks the whole column",
        f"{PLAY}/knucklebones.py",
        "score_column(facing) - score_column(destroyed(facing, state.die)) if breaks",
        "score_column(facing) if breaks",
        VIEW,
    ),
    Mutant(
        "a turn passes to whoever had it",
        f"{PLAY}/events.py",
        '"to": seat,',
        '"to": getattr(before, "seat", 0),',
        EVENTS,
    ),
    Mutant(
        "the dice of a step are rolled from the first",
        f"{PLAY}/step.py",
        "source.die(used + n)",
        "source.die(n)",
        ("tests/play/test_step.py::test_a_run_step_by_step_equals_the_run_at_a_table",),
    ),
    Mutant(
        "a film that begins later tells the first step twice",
        f"{PLAY}/table.py",
        "self.states[first - 1] if first else",
        "self.states[first - 2] if first else",
        EVENTS,
    ),
    Mutant(
        "a film says who moves next, not who has moved",
        f"{PLAY}/film.py",
        "actor = game.rules.actor(before)",
        "actor = game.rules.actor(after)",
        ("tests/server/test_lobby.py::test_a_film_puts_every_die_where_the_record_says[sqlite]",),
    ),
    Mutant(
        "a film shows the table before each step",
        f"{PLAY}/film.py",
        "view(game, after, with_moves=False) if",
        "view(game, before, with_moves=False) if",
        ("tests/server/test_lobby.py::test_a_film_puts_every_die_where_the_record_says[sqlite]",),
    ),
    Mutant(
        "a record names a lost die that was taken back",
        f"{PLAY}/table.py",
        "if lost is not None and lost >= self.dice_used:",
        "if lost is not None and lost > self.dice_used:",
        ("tests/play/test_table.py::test_a_lost_seed_taken_back_in_practice_is_not_claimed",),
    ),
    Mutant(
        "everybody reaches the target first",
        f"{PLAY}/farkle.py",
        "race = state.closer < 0 and not state.options.max_turns",
        "race = not state.options.max_turns",
        ("tests/play/test_view.py::test_only_the_first_seat_reaches_the_target",),
    ),
    Mutant(
        "a set that shuts the box promises one die",
        f"{PLAY}/shut_the_box.py",
        '"one_die_next": bool(left) and can_roll_one_die(left, state.options),',
        '"one_die_next": can_roll_one_die(left, state.options),',
        ("tests/play/test_view.py::test_a_set_that_shuts_the_box_promises_no_die",),
    ),
    Mutant(
        "three natural sixes are called wild",
        f"{PLAY}/lite.py",
        "wild = multiplier == 2 and WILD in dice",
        "wild = multiplier > 1 and WILD in dice",
        ("tests/play/test_view.py::test_a_lone_wild_six_forms_nothing_yet",),
    ),
    Mutant(
        "500 points are not many yet",
        f"{PLAY}/farkle.py",
        '"large": points >= LARGE}',
        '"large": points > LARGE}',
        ("tests/play/test_events.py::test_many_points_are_banked_from_five_hundred_on",),
    ),
    Mutant(
        "somebody leads where two have as many points",
        f"{PLAY}/protocol.py",
        "points.index(most) if points.count(most) == 1 else None",
        "points.index(most)",
        EVENTS,
    ),
)
