"""A record as one line of text that survives in a link.

    dicehall1/lite-solo.1/target=90/Ada/1;seed=demo/d5-b2-d3-a1.../66;;target-missed//0123456789abcdef
    format    game.version  options   seats dice        steps          result          unranked  check

Where seats have departed, their departures come before the check digits, as a part of their own.

Only letters, digits and -_.~/=,:;% occur: names and seeds are percent-encoded, a plus sign is written as a comma.
One record has one line; another spelling of the same is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import quote, unquote

from dicehall import dice
from dicehall.errors import InvalidText, excerpt
from dicehall.play.record import CONTRIBUTION_FIELDS, DEPARTURE_FIELDS, FORMAT, Record, from_json
from dicehall.rules.catalog import find_game
from dicehall.rules.options import option_text

PREFIX: Final = "dicehall"
PARTS: Final = 9  # and one more where seats have departed


def to_line(record: Record) -> str:
    result = ""
    if record.result is not None:
        scores, winners, why = record.result
        result = f"{':'.join(map(str, scores))};{':'.join(map(str, winners))};{why}"
    parts = (
        f"{PREFIX}{FORMAT}",
        f"{record.game}.{record.rules}",
        ";".join(f"{name}={option_text(value)}" for name, value in record.options.changed().items()),
        ";".join(quote(name, safe="") for name in record.seats),
        ";".join(
            [
                str(dice.ALGORITHM),
                *(f"{name}={quote(str(value), safe='')}" for name, value in record.origin.known().items()),
                *([f"contributions={_rows(record.origin.contributions)}"] if record.origin.contributions else ()),
            ]
        ),
        "-".join(record.steps).replace("+", ","),
        result,
        ";".join(record.unranked),
        *([_rows(record.departures)] if record.departures else ()),
        record.check(),
    )
    return "/".join(parts)


def from_line(line: str) -> Record:
    """A record from its line. Reads and nothing more: `replay` says whether it is true."""
    parts = line.split("/")
    if len(parts) not in (PARTS, PARTS + 1) or not line.isascii():
        raise InvalidText(
            "record-line",
            f"a record's line has {PARTS} parts between slashes, or {PARTS + 1}, and no letter beyond ASCII",
        )
    head, game_and_rules, options, seats, source, steps, result, unranked, *departed, check = parts
    game_id, _, rules = game_and_rules.rpartition(".")
    algorithm, _, origin = source.partition(";")
    game = find_game(game_id, _number(rules))
    known: dict[str, Any] = {name: unquote(value) for name, value in _pairs(origin).items()}
    if "lost_at" in known:
        known["lost_at"] = _number(known["lost_at"])
    if "contributions" in known:
        known["contributions"] = _read_rows(known["contributions"], CONTRIBUTION_FIELDS)
    data = {
        "format": _number(head.removeprefix(PREFIX)),
        "game": game.id,
        "rules": game.version,
        "options": {name: game.read_option(name, value) for name, value in _pairs(options).items()},
        "seats": [unquote(name) for name in seats.split(";")],
        "dice": {"algorithm": _number(algorithm), **known},
        "steps": steps.replace("-", " ").replace(",", "+"),
        "result": _result(result) if result else None,
        "unranked": unranked.split(";") if unranked else [],
        "check": check,
    }
    if departed:
        data["departures"] = _read_rows(departed[0], DEPARTURE_FIELDS)
    record = from_json(data)
    if to_line(record).rpartition("/")[0] != line.rpartition("/")[0]:
        raise InvalidText("record-line", "this is not how the record's line is written")
    return record


def _result(text: str) -> dict[str, Any]:
    scores, winners, why = (*text.split(";"), "", "")[:3]
    return {"scores": _numbers(scores), "winners": _numbers(winners), "why": why}


def _rows(rows: Iterable[Iterable[int | str]]) -> str:
    return ",".join(":".join(map(str, row)) for row in rows)


def _read_rows(text: str, fields: Mapping[str, tuple[type, ...]]) -> list[dict[str, Any]]:
    """Rows of these fields, numbers and codes."""
    found = []
    for row in text.split(",") if text else ():
        parts = row.split(":")
        if len(parts) != len(fields):
            raise InvalidText("record-line", f"{excerpt(row)} does not read {':'.join(fields)}")
        of_kind = zip(fields, parts, fields.values(), strict=True)
        found.append({name: _number(part) if kind == (int,) else part for name, part, kind in of_kind})
    return found


def _numbers(text: str) -> list[int]:
    return [_number(part) for part in text.split(":")] if text else []


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 25:
        raise InvalidText("record-line", f"{excerpt(text)} is not a number")
    return int(text)


def _pairs(text: str) -> dict[str, str]:
    return dict(part.split("=", 1) if "=" in part else (part, "") for part in text.split(";")) if text else {}  # type: ignore[misc]
