"""Writes the tables and pictures of docs/knucklebones.md from what was measured, docs/knucklebones.json:

python -m tests.docs.write_knucklebones                  again, when the page or a table is another
python -m tests.docs.write_knucklebones MEASURED.json    after `dicehall.lab.knucklebones.figures` measured anew: first
                                                         what is shown of it goes into docs/knucklebones.json, and
                                                         positions with their values to where tests look for them
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from dicehall.coach.knucklebones.pairs import pairs
from dicehall.dice import FACES
from dicehall.lab.knucklebones.leads import DICE, worth
from dicehall.rules.knucklebones import SLOTS, score_column
from tests.docs.pages import DOCS, ROOT, read

PAGE = DOCS / "knucklebones.md"
DIGEST: Final = DOCS / "knucklebones.json"
EXACT: Final = ROOT / "tests" / "coach" / "knucklebones" / "exact.json"
DIGITS: Final = 7
LONG: Final = ("some positions", "positions in which the best lead at once loses most")  # to test with, to choose from
MEASURED: dict[str, Any] = json.loads(DIGEST.read_text(encoding="utf-8"))
IMAGES = DOCS / "images"
LEADS = (-10, -5, 0, 5, 10)
RULES = {
    "spec": "the spec's: 10 for each equal die of one's own, 5 times the face for each that breaks",
    "greedy": "the best lead at once",
    "safe": "the best lead at once, and of equals where the column opposite is fullest",
    "random": "any column",
}


def percent(share: float, places: int = 1) -> str:
    return f"{100 * share:.{places}f}%"


def first_die_table() -> str:
    rows = [
        "| first die | the seat that rolled it wins | the reply breaks it, when equal | or lies elsewhere |",
        "|---|---|---|---|",
    ]
    replies = MEASURED["reply to it, by its face and the die's: facing it, or elsewhere"]
    for die, chance in zip(FACES, MEASURED["first die"], strict=True):
        facing, elsewhere = replies[die - 1][die - 1]
        rows.append(f"| {die} | {percent(chance, 2)} | {percent(facing, 2)} | {percent(elsewhere, 2)} |")
    return "\n".join(rows) + "\n"


def edge_table() -> str:
    """Who gives away how much to perfect play."""
    rows = ["| | as the seat that begins | as the other one |", "|---|---|---|"]
    told = {
        "`perfect`, which is the network": MEASURED["perfect"],
        "`perfect`, against the best reply to it": MEASURED["perfect, best reply"],
        **{f"`level:{rung}`": MEASURED[f"level:{rung}"] for rung in range(5, 0, -1)},
        **{RULES[name]: MEASURED[name] for name in RULES},
    }
    rows += [f"| {name} | {first:.2f} | {second:.2f} |" for name, (first, second, _) in told.items()]
    return "\n".join(rows) + "\n"


def lead_table() -> str:
    """What a lead is worth to the seat that rolls, by how many dice lie on the table."""
    rows = ["| dice on the table | " + " | ".join(f"{lead:+d}" if lead else "even" for lead in LEADS) + " |"]
    rows.append("|---" * (len(LEADS) + 1) + "|")
    for dice in DICE:
        cells = [percent(share) if (share := worth(MEASURED, dice, lead)) is not None else "" for lead in LEADS]
        rows.append(f"| {dice} | " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"


def network_table() -> str:
    heads = (
        "dice ahead",
        "choices that lose nothing",
        "a choice loses",
        "off, of perfect play",
        "off, of all",
        "at most",
    )
    rows = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for dice in range(3):
        choices, off = MEASURED[f"choices {dice} dice ahead"], MEASURED[f"off {dice} dice ahead"]
        cells = (
            percent(choices["lose nothing"]), percent(choices["lose"], 4), percent(choices["off"], 2),
            percent(off["mean"], 2), percent(off["most"]),
        )  # fmt: skip
        rows.append(f"| {dice} | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


TABLES = (first_die_table, lead_table, edge_table, network_table)


def board(position: dict[str, Any]) -> str:
    """A picture of a position, the own board below, with what each column is worth."""
    size, gap, left, top = 44, 8, 12, 12
    theirs, mine = (
        [() if column == "-" else tuple(map(int, column)) for column in position[side].split("/")]
        for side in ("theirs", "mine")
    )
    parts = []

    def square(x: float, y: float, text: str, kind: str) -> None:
        parts.append(f'<rect class="{kind}" x="{x}" y="{y}" width="{size}" height="{size}" rx="8"/>')
        if text:
            parts.append(f'<text x="{x + size / 2}" y="{y + size / 2 + 7}">{text}</text>')

    middle = top + SLOTS * (size + gap)
    for column in range(3):
        x = left + column * (size + gap)
        for slot in range(SLOTS):
            far = middle - (slot + 1) * (size + gap)
            near = middle + gap + slot * (size + gap)
            for dice, y in ((theirs[column], far), (mine[column], near)):
                square(x, y, str(dice[slot]) if slot < len(dice) else "", "die" if slot < len(dice) else "slot")
        chance = position["worth"][column]
        best = chance is not None and chance == max(one for one in position["worth"] if one is not None)
        label = "full" if chance is None else percent(chance)
        y = middle + gap + SLOTS * (size + gap) + 14
        parts.append(f'<text class="{"best" if best else "worth"}" x="{x + size / 2}" y="{y}">{label}</text>')
    x = left + 3 * (size + gap) + 24
    square(x, middle - size / 2, str(position["die"]), "rolled")
    lead = sum(map(score_column, mine)) - sum(map(score_column, theirs))
    parts.append(f'<text class="worth" x="{x + size / 2}" y="{middle + size}">{lead:+d}</text>')
    wide, high = int(x + size + left), int(middle + gap + SLOTS * (size + gap) + 28)
    style = (
        "text{font:600 20px Georgia,serif;text-anchor:middle;fill:#333}.die{fill:#fff;stroke:#333;stroke-width:1.5}"
        ".slot{fill:none;stroke:#ccc;stroke-width:1.5}.rolled{fill:#e8f5e9;stroke:#4caf50;stroke-width:2.5}"
        ".worth,.best{font:14px sans-serif}.worth{fill:#666}.best{font-weight:700;fill:#2e7d32}"
    )
    told = f"Board {position['mine']} against {position['theirs']}, a {position['die']} to place"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">'
        f"<title>{told}</title><style>{style}</style>"
        f'<rect width="{wide}" height="{high}" fill="#fafafa"/>{"".join(parts)}</svg>\n'
    )


def pictures() -> dict[str, str]:
    """By file."""
    positions = MEASURED["surprising positions"]
    return {f"knucklebones-{number}.svg": board(position) for number, position in enumerate(positions, 1)}


def with_new_tables(text: str) -> str:
    """The page with its tables written afresh, each known by its first line."""
    for table in TABLES:
        new = table()
        head = new.splitlines()[0]
        start = text.index(head)
        end = text.index("\n\n", start) + 1
        text = text[:start] + new + text[end:]
    return text


def columns(three: Sequence[int]) -> tuple[str, str]:
    """Of three pairs, one's own columns and the other's, as positions are written."""
    sides = zip(*(pairs().known[pair] for pair in three), strict=True)
    mine, theirs = ("/".join("".join(map(str, column)) or "-" for column in side) for side in sides)
    return mine, theirs


def lines(found: dict[str, Any]) -> str:
    """JSON, a line for each figure."""
    told = (f" {json.dumps(name)}: {json.dumps(what, separators=(',', ':'))}" for name, what in found.items())
    return "{\n" + ",\n".join(told) + "\n}\n"


def digest(measured: dict[str, Any]) -> dict[str, Any]:
    """What the page tells of all that was measured, as exactly as it can be trusted."""

    def rounded(found: Any) -> Any:
        if isinstance(found, dict):
            return {name: rounded(one) for name, one in found.items()}
        if isinstance(found, list):
            return [rounded(one) for one in found]
        return float(f"{found:.{DIGITS}g}") if isinstance(found, float) else found

    return {name: rounded(found) for name, found in measured.items() if name not in LONG}


def some_positions(measured: dict[str, Any]) -> list[Any]:
    """Before a roll: the position, its exact value, and what the network says of it by how many dice it looks ahead."""
    return [
        [" ".join((*columns(one["pairs"]), "0 -")), round(one["exact"], 6), list(one["judged"])]
        for one in measured["some positions"]
    ]


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measured = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
        MEASURED = digest(measured)
        DIGEST.write_text(lines(MEASURED), encoding="utf-8")
        EXACT.write_text("[" + ",\n ".join(map(json.dumps, some_positions(measured))) + "]\n", encoding="utf-8")
    PAGE.write_text(with_new_tables(read(PAGE)), encoding="utf-8")
    for name, picture in pictures().items():
        (IMAGES / name).write_text(picture, encoding="utf-8")
