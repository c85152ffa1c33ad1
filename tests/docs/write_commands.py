"""Writes docs/commands.md from the argument parser: `python -m tests.docs.write_commands`.

It reads the parser's own data rather than its help texts, whose layout changes between versions of Python.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Final

from dicehall.arguments import build_parser
from dicehall.cli import RUNS
from tests.docs.pages import DOCS

PAGE: Final = DOCS / "commands.md"
INTRODUCTION: Final = """\
# Commands

<!-- Written by `python -m tests.docs.write_commands` from the argument parser. Do not edit it here. -->

Every command answers `--help`. With `--json` a command prints data instead of sentences.

Exit codes: 0 when all is well, 1 when a record is not true, 2 when the input is at fault or closed, 3 when the answer
cannot be written: the disk is full, or nobody reads it any more, 130 after Ctrl-C. Whatever is wrong is one line on
standard error, but a reader who has had enough, such as `head`, is told nothing. A file that cannot be written whole is
left as it was.
"""


def parsers() -> dict[str, argparse.ArgumentParser]:
    """The parser of the program itself under "dicehall", and the one of every command."""
    whole = build_parser(RUNS)
    return {whole.prog: whole, **commands(whole.prog, whole)}


def commands(title: str, parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Those of a parser, and those of theirs."""
    found: dict[str, argparse.ArgumentParser] = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, one in action.choices.items():
                found |= {f"{title} {name}": one, **commands(f"{title} {name}", one)}
    return found


def arguments(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.Action]]:
    """How each argument is written, and the argument; options last. Left out: the list of commands, and --help."""
    for action in sorted(parser._actions, key=lambda action: bool(action.option_strings)):
        if not isinstance(action, argparse._SubParsersAction | argparse._HelpAction):
            yield written(action), action


def written(action: argparse.Action) -> str:
    value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if not action.option_strings:
        return f"[{value}]" if action.nargs == "?" else value
    flags = ", ".join(action.option_strings)
    return flags if action.nargs == 0 else f"{flags} {value}"


def explained(action: argparse.Action) -> str:
    words = (action.help or "").replace("|", "\\|")
    usual = action.default
    told = usual is None or usual is False or usual in ([], "") or usual is argparse.SUPPRESS
    return words if told or not action.option_strings else f"{words} (usually `{usual}`)"


def usage(title: str, parser: argparse.ArgumentParser) -> str:
    words = [title]
    if commands(title, parser):
        words.append("[COMMAND]" if " " not in title else "COMMAND")
    for how, action in arguments(parser):
        if not action.option_strings:
            words.append(how)
        elif not isinstance(action, argparse._VersionAction):
            words.append(f"[{how}]" + ("..." if isinstance(action, argparse._AppendAction) else ""))
    return " ".join(words)


def page() -> str:
    parts = [INTRODUCTION]
    for title, parser in parsers().items():
        rows = [f"| `{how}` | {explained(action)} |" for how, action in arguments(parser)]
        parts += [
            f"\n## {title}\n",
            f"\n{parser.description}\n",
            f"\n```text\n{usage(title, parser)}\n```\n",
            "\n| argument | meaning |\n|---|---|\n" + "\n".join(rows) + "\n" if rows else "",
        ]
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
