"""Mistakes in the terminal."""

from __future__ import annotations

from typing import Final

from tests.mutants.mutant import Mutant

TERMINAL: Final = "src/dicehall/terminal"
TOLD: Final = ("tests/terminal/test_told.py",)
LINES: Final = ("tests/terminal/test_lines.py",)
KEPT: Final = ("tests/terminal/test_kept.py",)
MOVES: Final = ("tests/terminal/test_moves.py",)
WORDS: Final = ("tests/terminal/test_words.py",)
LANGUAGES: Final = ("tests/terminal/test_languages.py",)

MUTANTS: Final = (
    Mutant(
        "the report is the first seat's, whoever sits there",
        f"{TERMINAL}/lines.py",
        "report(self.table.record(), self.people[0] if self.people else 0)",
        "report(self.table.record(), 0)",
        LINES,
    ),
    Mutant(
        "N more counts values, not moves",
        f"{TERMINAL}/coach.py",
        "n=sum(map(len, equals[SHOWN:]))",
        "n=len(equals) - SHOWN",
        LINES,
    ),
    Mutant(
        "N more counts all moves",
        f"{TERMINAL}/coach.py",
        "n=sum(map(len, equals[SHOWN:]))",
        "n=len(ranked)",
        LINES,
    ),
    Mutant(
        "one value too many in a hint",
        f"{TERMINAL}/coach.py",
        "if len(equals) > SHOWN:",
        "if equals[SHOWN - 1 :]:",
        LINES,
    ),
    Mutant(
        "a bank is told with the points of the turn",
        f"{TERMINAL}/farkle.py",
        'n=event["total"]',
        'n=event["points"]',
        TOLD,
    ),
    Mutant(
        "points lost from a mixed column are counted by the broken dice",
        f"{TERMINAL}/knucklebones.py",
        'who, points = names[event["seat"]], event["lost"]',
        'who, points = names[event["seat"]], event["face"] * len(event["slots"])',
        TOLD,
    ),
    Mutant(
        "broken dice are told to whoever broke them",
        f"{TERMINAL}/knucklebones.py",
        'who, points = names[event["seat"]], event["lost"]',
        'who, points = names[frame.by or 0], event["lost"]',
        TOLD,
    ),
    Mutant(
        "a draw is a win",
        f"{TERMINAL}/told.py",
        'if "drawn" in view["outcomes"]:',
        'if "drawn" in view["outcomes"] and you is None:',
        TOLD,
    ),
    Mutant(
        "whoever shares a win has won alone",
        f"{TERMINAL}/told.py",
        'if mine == "won":',
        'if mine in ("won", "shared"):',
        TOLD,
    ),
    Mutant(
        "the person on seat two hears how seat one did",
        f"{TERMINAL}/told.py",
        "you = seats.index(YOU) if seats.count(YOU) == 1 else None",
        "you = 0 if seats.count(YOU) == 1 else None",
        TOLD,
    ),
    Mutant(
        "a missed target is no defeat",
        f"{TERMINAL}/told.py",
        '"terminal.lose")] if mine else []',
        '"terminal.lose")] if mine == "won" else []',
        TOLD,
    ),
    Mutant(
        "a farkle that cost nothing costs nothing in words",
        f"{TERMINAL}/farkle.py",
        "words.t('farkle.told.farkle', n=lost) if lost else words.t('farkle.told.farkle.nothing')",
        "words.t('farkle.told.farkle', n=lost)",
        TOLD,
    ),
    Mutant(
        "columns are counted from 0",
        f"{TERMINAL}/knucklebones.py",
        'column, face = event["column"] + 1, event["face"]\n                score',
        'column, face = event["column"], event["face"]\n                score',
        TOLD,
    ),
    Mutant("people have no numbers", f"{TERMINAL}/told.py", "seats[: number + 1].count(YOU)", "1", TOLD),
    Mutant(
        "a long input is quoted in whole",
        f"{TERMINAL}/told.py",
        "short = printed if len(printed) <= LONGEST else",
        "short = printed if True else",
        TOLD,
    ),
    Mutant(
        "#0 is the last move",
        f"{TERMINAL}/lines.py",
        "1 <= int(text) <= count",
        "0 <= int(text) <= count",
        MOVES,
    ),
    Mutant(
        "the last move of the list is not there",
        f"{TERMINAL}/lines.py",
        "1 <= int(text) <= count",
        "1 <= int(text) < count",
        MOVES,
    ),
    Mutant(
        "a hint leaves the run ranked",
        f"{TERMINAL}/lines.py",
        "        self.table.mark_unranked(HINT)\n",
        "",
        LINES,
    ),
    Mutant(
        "undo takes back the bot's move",
        f"{TERMINAL}/lines.py",
        "self.table.undo(self.people[0] if len(self.people) == 1 else None)",
        "self.table.undo()",
        LINES,
    ),
    Mutant(
        "a run is not kept after a move",
        f"{TERMINAL}/lines.py",
        "            self.kept.save(self.table)\n",
        "",
        KEPT,
    ),
    Mutant(
        "a run that is thrown away is kept",
        f"{TERMINAL}/lines.py",
        "            self.kept.forget()\n            self.kept = None\n        raise",
        "            self.kept = None\n        raise",
        KEPT,
    ),
    Mutant("51 runs are kept", f"{TERMINAL}/kept.py", ">= MOST:", "> MOST:", KEPT),
    Mutant(
        "the oldest run is taken up",
        f"{TERMINAL}/kept.py",
        "sorted(found, reverse=True)",
        "sorted(found)",
        KEPT,
    ),
    Mutant("everybody reads a kept run", f"{TERMINAL}/kept.py", "os.O_TRUNC, 0o600)", "os.O_TRUNC, 0o644)", KEPT),
    Mutant(
        "a run taken up forgets that it is practice",
        f"{TERMINAL}/kept.py",
        'practice=kept["practice"])',
        "practice=False)",
        KEPT,
    ),
    Mutant(
        "a run taken up forgets why it is unranked",
        f"{TERMINAL}/kept.py",
        "    table.unranked = record.unranked\n",
        "",
        KEPT,
    ),
    Mutant(
        "two terminals play one run",
        f"{TERMINAL}/kept.py",
        "    except BlockingIOError:\n        return False",
        "    except BlockingIOError:\n        return True",
        KEPT,
    ),
    Mutant(
        "nearly all is all",
        f"{TERMINAL}/coach.py",
        "part if part == 1 else min(part, 1 - Fraction(1, 100 * 10**places))",
        "part",
        LANGUAGES,
    ),
    Mutant(
        "a table of several parts has no minus",
        f"{TERMINAL}/coach.py",
        '"lost": -shown.lost}.items()',
        '"lost": shown.lost}.items()',
        LANGUAGES + LINES,
    ),
    Mutant(
        "the chance to farkle is that not to",
        f"{TERMINAL}/farkle.py",
        "Fraction(ways, of)",
        "Fraction(of - ways, of)",
        TOLD,
    ),
    Mutant(
        "kept dice are drawn as free ones",
        f"{TERMINAL}/farkle.py",
        'if die["locked"] else f"[{die[\'value\']}]"',
        'if not die["locked"] else f"[{die[\'value\']}]"',
        TOLD,
    ),
    Mutant(
        "a chance of nearly nothing is told as one in ten thousand",
        f"{TERMINAL}/lines.py",
        'shown = shown if chance >= LEAST else self.words.t("coach.less-than", n=shown)\n        ',
        "",
        ("tests/terminal/test_languages.py::test_the_table_says_what_is_played",),
    ),
    Mutant(
        "a resumed run tells the bot's last move alone",
        f"{TERMINAL}/lines.py",
        "if frame.by in self.people]",
        "if frame.by is not None]",
        ("tests/terminal/test_kept.py::test_a_resumed_run_tells_the_last_move_with_the_reply_to_it",),
    ),
    Mutant(
        "--resume passes over --practice",
        "src/dicehall/cli.py",
        'for name in ("seed", "seats", "practice", "option", "preset")}',
        'for name in ("seed", "seats", "option", "preset")}',
        ("tests/terminal/test_kept.py::test_a_resumed_run_is_as_it_was_begun",),
    ),
)
