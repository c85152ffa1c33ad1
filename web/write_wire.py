"""Writes web/src/wire.ts: the types of everything that goes between the hall and its page, taken from Python's.

    .venv/bin/python web/write_wire.py [--check]

Nobody edits that file. With --check it is only compared; the exit code is 1 where it is stale.
"""

from __future__ import annotations

import argparse
import inspect
import json
import sys
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, Literal, NamedTuple, get_args, get_origin, get_type_hints, is_typeddict

import msgspec
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from dicehall.bots.catalog import catalog_entry
from dicehall.coach.objective import Objective
from dicehall.coach.protocol import read_objective
from dicehall.play import events, farkle_types, lite, shut_the_box_types, view
from dicehall.rules.catalog import GAMES, AnyGame
from dicehall.rules.options import OptionValue
from dicehall.server import wire
from dicehall.server.models import (
    boards,
    coach,
    common,
    health,
    lobby,
    people,
    players,
    rooms,
    runs,
    statistics,
    tables,
)

WIRE: Final = Path(__file__).parent / "src" / "wire.ts"
COMMAND: Final = ".venv/bin/python web/write_wire.py"

VIEWS: Final = get_args(view.View)
OPTIONS: Final = {shown: GAMES[get_args(get_type_hints(shown)["game"])[0]].options for shown in VIEWS}
MODELS: Final = [
    kind
    for topic in (common, people, players, tables, rooms, runs, boards, lobby, coach, statistics, health)
    for kind in vars(topic).values()
    if inspect.isclass(kind) and kind.__module__ == topic.__name__ and kind is not common.Model
]
FROM_SERVER: Final = (
    wire.TableShown | wire.RoomShown | wire.QuickShown | wire.QuickRefused | wire.Waiting | wire.Refused
)
ROOTS: Final = (
    *VIEWS,
    view.View,
    view.PlainView,
    events.Event,
    wire.OpenTable,
    wire.Message,
    FROM_SERVER,
    common.Kind,
    common.Period,
    *MODELS,
)
# What the page sends may leave out what has a default; what it is sent is complete.
SENT: Final = (
    wire.Incoming, people.Rename, people.Transfer, people.Redeem, wire.OpenTable, rooms.OpenRoom, rooms.FindRoom,
    runs.CheckRecord, coach.Ask,
)  # fmt: skip

PLAIN: Final[dict[Any, str]] = {
    Any: "unknown",
    NoneType: "null",
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
}
NAMED: Final[dict[Any, str]] = {  # what has no name of its own in Python, or shares it
    **{options: shown.__name__.replace("View", "Options") for shown, options in OPTIONS.items()},
    lite.LiteMove: "LiteMove",
    farkle_types.FarkleMove: "FarkleMove",
    shut_the_box_types.ShutTheBoxMove: "ShutTheBoxMove",
    view.View: "View",
    events.Event: "GameEvent",  # a browser has an Event of its own
    OptionValue: "OptionValue",
    wire.Message: "FromClient",
    FROM_SERVER: "FromServer",
    common.Kind: "Kind",
    common.Period: "Period",
    Objective: "Objective",
}
LOOSE: Final[dict[tuple[str, Any], str]] = {  # where Python is content with less than the page can know
    ("view", dict[str, Any]): "View",
    ("events", Sequence[Mapping[str, Any]]): "GameEvent[]",
    ("game", str): "GameId",
    ("kind", str): "Kind",
}
CATALOG: Final = """export interface Range {
  from: number;
  to: number;
}

export interface OptionInfo {
  name: string;
  values: OptionValue[] | Range;
  default: OptionValue;
}

/** How strong the players of the house are, as measured: which share of the wins each has `against` one of them. */
export interface Ladder {
  seats: number;
  /** What is played for is a chance: to win, and not the nearest to it that is solved. */
  chance: boolean;
  against: string;
  shares: Record<string, number>;
}

export interface GameInfo {
  id: GameId;
  seats: Range;
  presets: Record<string, Record<string, OptionValue>>;
  options: OptionInfo[];
  players: string[];
  usual_seats: string[];
  /** The option that sets a target, where a game has some. */
  target_option: string | null;
  ladder: Ladder | null;
}

"""
TELL_APART: Final = ("type", "game", "kind", "code")  # so these stand first


class Field(NamedTuple):
    name: str
    type: str  # in TypeScript
    optional: bool = False
    meaning: str | None = None


class Writer:
    """Writes types down, and every other type that they mention."""

    def __init__(self) -> None:
        self.met: dict[str, Any] = {}
        self.written: list[str] = []

    def add(self, root: Any) -> None:
        self.text(root)
        while len(self.written) < len(self.met):
            name, kind = list(self.met.items())[len(self.written)]
            self.written.append(self.declare(name, kind))

    def declare(self, name: str, kind: Any) -> str:
        if not inspect.isclass(kind):
            return f"export type {name} = {self.spell(kind)};\n"
        lines = [f"{_comment(kind)}export interface {name} {{\n"]
        for field in self.fields(kind):
            lines += [f"  /** {field.meaning} */\n"] if field.meaning else []
            lines += [f"  {field.name}{'?' if field.optional else ''}: {field.type};\n"]
        return "".join((*lines, "}\n"))

    def fields(self, kind: Any) -> Iterator[Field]:
        hints, sent = get_type_hints(kind), issubclass(kind, SENT)
        if is_typeddict(kind):
            as_written = get_type_hints(kind, include_extras=True)
            for name in sorted(hints, key=lambda name: name not in TELL_APART):
                hint = OPTIONS[kind] if name == "options" and kind in OPTIONS else hints[name]
                yield Field(name, self.text(hint, name), get_origin(as_written[name]) is typing.NotRequired)
        elif issubclass(kind, msgspec.Struct):
            if kind.__struct_config__.tag is not None:
                yield Field(str(kind.__struct_config__.tag_field), json.dumps(kind.__struct_config__.tag))
            for part in msgspec.structs.fields(kind):
                yield Field(part.encode_name, self.text(hints[part.name], part.name), sent and not part.required)
        elif issubclass(kind, BaseModel):
            for name, info in kind.model_fields.items():
                yield Field(name, self.text(hints[name], name), sent and not info.is_required(), info.description)
        elif kind not in OPTIONS.values():
            for own in fields(kind):
                yield Field(own.name, self.text(hints[own.name], own.name), meaning=_meaning(kind, own.name))
        else:
            for option in fields(kind):
                values, plain = option.metadata["values"], PLAIN[type(option.default)]
                listed = plain != "boolean" and not isinstance(values, range)
                yield Field(option.name, _literals(values) if listed else plain, meaning=option.metadata["meaning"])

    def text(self, kind: Any, field: str = "") -> str:
        """A type as a field of that name mentions it."""
        if (field, kind) in LOOSE:
            return LOOSE[field, kind]
        own = is_typeddict(kind) or is_dataclass(kind) or _is_message(kind)
        name = NAMED.get(kind, kind.__name__ if own else None)
        if name is None:
            return self.spell(kind, field)
        if self.met.setdefault(name, kind) != kind:
            raise TypeError(f"two types are called {name}")
        return name

    def spell(self, kind: Any, field: str = "") -> str:
        origin, args = get_origin(kind), get_args(kind)
        if origin in (typing.Union, UnionType):
            return " | ".join(self.text(arg, field) for arg in args)
        if origin is Literal:
            return _literals(args)
        if origin is list or (origin is tuple and args[1:] == (...,)):
            item, of_several = self.text(args[0], field), get_origin(args[0]) in (typing.Union, UnionType, Literal)
            return f"({item})[]" if of_several and " | " in item else f"{item}[]"
        if origin is dict and args[0] is str:
            return f"Record<string, {self.text(args[1], field)}>"
        if kind in PLAIN:
            return PLAIN[kind]
        raise TypeError(f"{kind} has no TypeScript here")


def _meaning(kind: Any, name: str) -> str | None:
    """What a field of a dataclass is described as."""
    told = get_args(get_type_hints(kind, include_extras=True)[name])
    return next((one.description for one in told if isinstance(one, FieldInfo)), None)


def _is_message(kind: Any) -> bool:
    return inspect.isclass(kind) and issubclass(kind, (msgspec.Struct, BaseModel))


def _literals(values: Iterable[OptionValue]) -> str:
    return " | ".join(map(json.dumps, values))


def _comment(kind: type) -> str:
    written = vars(kind).get("__doc__") or ""
    if is_dataclass(kind) and written.startswith(f"{kind.__name__}("):
        written = ""  # a dataclass makes up what nobody wrote
    lines = inspect.cleandoc(written).splitlines()
    if len(lines) > 1:
        return "\n".join(("/**", *(f" * {line}".rstrip() for line in lines), " */\n"))
    return "".join(f"/** {line} */\n" for line in lines)


def wire_text() -> str:
    writer = Writer()
    for root in ROOTS:
        writer.add(root)
    head = f"// Generated by `{COMMAND}`: change the Python types, not this file.\n"
    # one by one, so that the page carries none that it does not ask for
    codes = "".join(f"export const CLOSE_{end.name} = {end.value};\n" for end in wire.Close)
    constants = f"""export const PROTOCOL = {wire.PROTOCOL} as const;

{_comment(wire.Close)}{codes}
export type GameId = {_literals(GAMES.own)};
"""
    return "\n".join((head, constants, *writer.written, _catalog()))


def _catalog() -> str:
    """The games with their options, for the screens that offer them; what they mean is said in the texts."""
    games = [
        {
            "id": entry["id"],
            "seats": entry["seats"],
            "presets": entry["presets"],
            "options": [
                {key: option[key] for key in ("name", "values", "default")}
                for option in entry["options"]
                if option["name"] != "preset"
            ],
            "players": entry["players"],
            "usual_seats": entry["usual_seats"],
            "target_option": entry["target_option"],
            "ladder": next((_ladder(GAMES[entry["id"]], one) for one in entry["ladder"] if one["seats"] > 1), None),
        }
        for entry in map(catalog_entry, GAMES.own.values())
    ]
    return CATALOG + f"export const CATALOG: GameInfo[] = {json.dumps(games, indent=2)};\n"


def _ladder(game: AnyGame, table: dict[str, Any]) -> dict[str, Any]:
    """What a screen shows of it: shares in whole percent."""
    shares = {one["player"]: round(one["value"], 2) for one in (*table["levels"], *table["by_rule"])}
    chance = read_objective(game, table["objective"]).unit == "chance"
    return {"seats": table["seats"], "chance": chance, "against": table["against"], "shares": shares}


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description="Write web/src/wire.ts from the Python types.")
    parser.add_argument("--check", action="store_true", help="only compare; the exit code is 1 where it is stale")
    if not parser.parse_args(arguments).check:
        WIRE.write_text(wire_text(), encoding="utf-8")
    elif not WIRE.exists() or WIRE.read_text(encoding="utf-8") != wire_text():
        sys.exit(f"{WIRE} is stale: {COMMAND} writes it anew")


if __name__ == "__main__":
    main(sys.argv[1:])
