"""Mistakes in the server."""

from __future__ import annotations

from typing import Final

from tests.mutants.mutant import Mutant

MUTANTS: Final = (
    Mutant(
        "tomorrow's benchmark is told",
        "src/dicehall/server/api/coach.py",
        "if game is None or day > today:",
        "if game is None:",
        ("tests/server/test_coach.py::test_the_benchmark_of_a_daily[sqlite]",),
    ),
    Mutant(
        "one table more than may be open",
        "src/dicehall/server/hall.py",
        ">= MOST_OPEN:",
        "> MOST_OPEN:",
        ("tests/server/test_play.py::test_so_many_tables_are_open_at_once[sqlite]",),
    ),
    Mutant(
        "no limit on open tables",
        "src/dicehall/server/hall.py",
        "if tables.count_open(connection, saved.player_id) >= MOST_OPEN:",
        "if False:",
        ("tests/server/test_play.py::test_so_many_tables_are_open_at_once[sqlite]",),
    ),
    Mutant(
        "connecting to a socket costs nothing",
        "src/dicehall/server/socket.py",
        "if guard.wait_to_ask(connection):",
        "if False:",
        ("tests/server/test_guard.py::test_connecting_is_a_request",),
    ),
    Mutant(
        "messages before the first table are not counted",
        "src/dicehall/server/socket.py",
        "if not guard.messages.allow(player_id):\n            await socket.close",
        "if False:\n            await socket.close",
        ("tests/server/test_guard.py::test_too_many_messages_before_the_first_table[sqlite]",),
    ),
    Mutant(
        "a bucket saves up without end",
        "src/dicehall/server/bucket.py",
        "left = min(burst, left + (now - then) * self.per_second)",
        "left = left + (now - then) * self.per_second",
        ("tests/server/test_guard.py::test_nobody_saves_up_more_than_all",),
    ),
    Mutant(
        "a bucket that is charged saves up without end",
        "src/dicehall/server/bucket.py",
        "return min(self.burst, left + (time.monotonic() - then) * self.per_second)",
        "return left + (time.monotonic() - then) * self.per_second",
        ("tests/server/test_guard.py::test_nobody_saves_up_more_than_all",),
    ),
    Mutant(
        "a hint about a position that is gone meanwhile",
        "src/dicehall/server/hall.py",
        "        _check_seen(live, seen)  # again: somebody may have moved meanwhile\n",
        "",
        ("tests/server/test_tabs.py::test_a_hint_about_a_position_that_is_gone_is_not_given[sqlite]",),
    ),
    Mutant(
        "a table that is being saved is let go",
        "src/dicehall/server/hall.py",
        "if not live.watchers and not live.saving:\n            self._forget(live)",
        "if not live.watchers:\n            self._forget(live)",
        ("tests/server/test_tabs.py::test_whoever_comes_while_a_move_is_saved_is_shown_it[sqlite]",),
    ),
    Mutant(
        "the old name is remembered after a rename",
        "src/dicehall/server/api/people.py",
        "    guard.forget(me.id)\n    return await _describe",
        "    return await _describe",
        ("tests/server/test_players.py::test_a_nickname",),
    ),
    Mutant(
        "what came last is not written when the hall closes",
        "src/dicehall/server/writer.py",
        "        self._flush()\n        self._jobs.put(None)",
        "        self._jobs.put(None)",
        ("tests/server/test_writer.py::test_what_came_last_is_written_before_the_hall_closes[sqlite]",),
    ),
    Mutant(
        "news that do not continue what was seen",
        "src/dicehall/server/live.py",
        "self.steps[len(seen) :] if seen == self.steps[: len(seen)] else ()",
        "self.steps[len(seen) :]",
        ("tests/server/test_tabs.py::test_news_continue_what_was_seen_or_are_none",),
    ),
    Mutant(
        "a deleted player's tables are played on",
        "src/dicehall/server/api/people.py",
        "    hall.forget_player(me.id)\n",
        "",
        ("tests/server/test_players.py::test_whoever_deletes_the_account_leaves_every_table[sqlite]",),
    ),
)
