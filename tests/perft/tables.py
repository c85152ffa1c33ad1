"""Perft tables as text: one file a game, one block a variant, one line a depth.

    id      columns-late
    options columns=true
    seats   1
    steps   d3 a1 d3 b1
    perft   1  6 0 6 0 6 0 0

`options` and `steps` are left out where there are none. `steps` are played from the start, written as a record writes
them, before anything is counted: from the start alone no affordable depth reaches the end of a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from dicehall.rules.catalog import AnyGame, find_game
from dicehall.rules.options import OptionValue, option_text

FOLDER: Final = Path(__file__).parent / "tables"

HEADER: Final = """\
# {title}, rules {rules}: perft with chance.
#
# A ply is one roll (its dice sorted, so 3 5 and 5 3 are the same ply) or one legal move; a node at depth d is a path
# of d plies from the position after `steps`. The columns of a perft line:
#
#   depth
#   nodes    paths of that many plies
#   rolls    how many of them wait for dice
#   turns    how many of them wait for a move, by seat
#   over     how many of them end in a finished game
#   weight   the nodes again, every roll counted once for each order its dice can fall in
#   points   the scores of the finished games of this depth, by seat, added up with those weights
#   wins     the weights of the finished games that each seat wins or shares
#
# Counted by the slow twins of the rules: python -m tests.perft.make_tables
"""


class Row(NamedTuple):
    depth: int
    nodes: int
    rolls: int
    turns: tuple[int, ...]  # by seat
    over: int
    weight: int
    points: tuple[int, ...]  # by seat
    wins: tuple[int, ...]  # by seat


class Position(NamedTuple):
    """Where the counting begins."""

    game: str
    name: str
    options: dict[str, OptionValue]
    seats: int
    steps: tuple[str, ...]


class Table(NamedTuple):
    position: Position
    rows: tuple[Row, ...]


def path(game_id: str) -> Path:
    return FOLDER / f"{game_id}.perft"


def write(game: AnyGame, tables: Iterable[Table]) -> str:
    blocks = [HEADER.format(title=game.title, rules=game.version), *map(_block, tables)]
    return "\n".join(blocks)


def read(game_id: str) -> list[Table]:
    """The tables of a game's file. Strict: a line it does not know is an error, not a table that nobody checks."""
    game = find_game(game_id)
    return [_table(game, block) for block in _blocks(path(game_id).read_text(encoding="utf-8"))]


def read_options(game: AnyGame, text: str) -> dict[str, OptionValue]:
    pairs = [pair.split("=") for pair in text.split()]
    return {name: game.read_option(name, value) for name, value in pairs}


def _block(table: Table) -> str:
    position = table.position
    lines = [f"id      {position.name}"]
    if position.options:
        options = " ".join(f"{name}={option_text(value)}" for name, value in position.options.items())
        lines.append(f"options {options}")
    lines.append(f"seats   {position.seats}")
    if position.steps:
        lines.append(f"steps   {' '.join(position.steps)}")
    cells = [_cells(row) for row in table.rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        aligned = "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        lines.append(f"perft   {aligned}")
    return "\n".join(lines) + "\n"


def _cells(row: Row) -> list[str]:
    return [":".join(map(str, value)) if isinstance(value, tuple) else str(value) for value in row]


def _blocks(text: str) -> Iterator[list[tuple[str, str]]]:
    """The paragraphs that are not comments, each line as its first word and the rest."""
    for paragraph in text.split("\n\n"):
        lines = [line for line in paragraph.splitlines() if line and not line.startswith("#")]
        if lines:
            yield [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


def _table(game: AnyGame, lines: list[tuple[str, str]]) -> Table:
    head = dict(line for line in lines if line[0] != "perft")
    unknown = set(head) - {"id", "options", "seats", "steps"}
    if unknown:
        raise ValueError(f"{game.id}: {', '.join(sorted(unknown))} is nothing a perft table knows")
    position = Position(
        game.id,
        head["id"],
        read_options(game, head.get("options", "")),
        int(head["seats"]),
        tuple(head.get("steps", "").split()),
    )
    return Table(position, tuple(_row(rest) for word, rest in lines if word == "perft"))


def _row(text: str) -> Row:
    depth, nodes, rolls, turns, over, weight, points, wins = text.split()
    return Row(
        int(depth),
        int(nodes),
        int(rolls),
        _by_seat(turns),
        int(over),
        int(weight),
        _by_seat(points),
        _by_seat(wins),
    )


def _by_seat(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(":")))
