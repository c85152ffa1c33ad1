"""The page's types are made from Python's, and Python's are true: random games keep to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypedDict,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import msgspec
import pytest
from pydantic import Field

from dicehall.play.table import Table
from dicehall.play.view import View
from dicehall.rules.catalog import GAMES
from dicehall.rules.game import DICE
from tests.walks import random_options, random_seats
from web import write_wire

hints = cache(get_type_hints)
VIEWS = {get_args(hints(shown)["game"])[0]: shown for shown in get_args(View)}
Json = dict[str, Any]


def misfits(value: Any, kind: Any, where: str = "view") -> list[str]:
    """Where a value differs from its type, to the letter: pydantic reads no TypedDict of Python 3.11's own, msgspec no
    union of them, and neither would mind a tuple for a list or a key too many as much as we do."""
    origin, args = get_origin(kind), get_args(kind)
    if is_typeddict(kind):
        if type(value) is not dict or value.keys() != hints(kind).keys():
            return [f"{where}: {value!r} has not the keys of {kind.__name__}"]
        return [wrong for key, hint in hints(kind).items() for wrong in misfits(value[key], hint, f"{where}.{key}")]
    if origin in (Union, UnionType):
        tried = [misfits(value, arg, where) for arg in args]
        return [] if [] in tried else [wrong for wrongs in tried for wrong in wrongs]
    if origin is Literal:
        return [] if (type(value), value) in [(type(arg), arg) for arg in args] else [f"{where}: {value!r}, not {args}"]
    if type(value) is not (origin or kind):
        return [f"{where}: {value!r} is no {kind}"]
    if origin is list:
        return [wrong for n, item in enumerate(value) for wrong in misfits(item, args[0], f"{where}[{n}]")]
    if origin is dict:
        return [wrong for key in value for wrong in misfits(value[key], args[1], f"{where}.{key}")]
    assert kind in (bool, int, str, NoneType), f"{kind} is not a type of plain data"
    return []


def views(game_id: str, games: int) -> Iterator[Json]:
    """All that is seen in some games, by an onlooker or by a seat; the first one has the usual options."""
    game, random = GAMES[game_id], Random(game_id)
    for n in range(games):
        options = random_options(game, random) if n else {}
        seats = random_seats(game, options, random)
        table = Table(game, options=options, seats=seats, seed=random.random().hex(), auto_roll=False)
        while True:
            yield table.view(random.choice((None, *range(seats))))
            if table.is_over:
                break
            if table.actor == DICE:
                table.roll()
            else:
                table.play(random.choice(table.legal()))


@pytest.mark.parametrize("game_id", GAMES)
def test_a_view_is_what_its_type_says(game_id: str) -> None:
    kind, kinds_of_moves, actors = VIEWS[game_id], set(), set()
    for view in views(game_id, games=25):
        assert misfits(view, kind) == []
        # options have their own types, which the page's are made from
        assert GAMES[game_id].make_options(view["options"]).as_dict() == view["options"]
        kinds_of_moves |= {move["kind"] for move in view["moves"]}
        actors.add(view["actor"])
    # and nothing that the types speak of has been left out
    moves = get_args(hints(kind)["moves"])[0]
    assert kinds_of_moves == {get_args(hints(move)["kind"])[0] for move in get_args(moves) or (moves,)}
    assert actors == {"seat", "dice", "nobody"}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda view: view.pop("to_move"),
        lambda view: view.update(extra=1),
        lambda view: view.update(dice_to_roll="1"),
        lambda view: view.update(your_turn=1),
        lambda view: view.update(actor="table"),
        lambda view: view.update(game="farkle"),
        lambda view: view["seats"][0].pop("total"),
        lambda view: view["seats"][0].update(board=()),
        lambda view: view["moves"][0].update(extra=1),
        lambda view: view["moves"][0].update(kind="reroll"),
        lambda view: view["moves"][0]["row_score"].update(base=None),
        lambda view: view["options"].update(target=1.0),
    ],
)
def test_a_spoilt_view_is_noticed(spoil: Callable[[Json], None]) -> None:
    view = Table("lite-solo", seed="spoilt").view(0)
    assert misfits(view, VIEWS["lite-solo"]) == []
    spoil(view)
    assert misfits(view, VIEWS["lite-solo"]) != []


def test_the_page_has_the_types_of_today() -> None:
    write_wire.main(["--check"])


def test_a_stale_file_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_wire, "WIRE", tmp_path / "wire.ts")
    with pytest.raises(SystemExit, match="stale"):
        write_wire.main(["--check"])
    write_wire.main([])
    write_wire.main(["--check"])
    write_wire.WIRE.write_text(write_wire.wire_text().replace("to_move: number | null", "to_move: number"))
    with pytest.raises(SystemExit, match="stale"):
        write_wire.main(["--check"])


class Cup(msgspec.Struct, tag="cup"):
    """What dice are
    shaken in."""

    dice: tuple[int, ...] = ()


@dataclass(slots=True)
class Lid:
    """What covers a cup."""

    size: Annotated[int, Field(description="across")]
    handle: bool


@dataclass
class Shelf:
    cups: list[Cup]
    lid: Lid | None


class Cupboard(TypedDict):
    shelf: Shelf
    label: NotRequired[Literal["old", "new"] | None]
    marks: list[list[int | None]]
    rest: dict[str, Any]


class Box(TypedDict):
    """Everything."""

    cupboard: Cupboard | None
    view: list[dict[str, Any]]


TYPESCRIPT = """\
/** Everything. */
export interface Box {
  cupboard: Cupboard | null;
  view: View[];
}

export interface Cupboard {
  shelf: Shelf;
  label?: "old" | "new" | null;
  marks: (number | null)[][];
  rest: Record<string, unknown>;
}

export interface Shelf {
  cups: Cup[];
  lid: Lid | null;
}

/**
 * What dice are
 * shaken in.
 */
export interface Cup {
  type: "cup";
  dice: number[];
}

/** What covers a cup. */
export interface Lid {
  /** across */
  size: number;
  handle: boolean;
}
"""


def test_types_become_typescript() -> None:
    writer = write_wire.Writer()
    writer.add(Box)
    assert "\n".join(writer.written) == TYPESCRIPT


def test_what_has_no_typescript_is_refused() -> None:
    for kind in (set, tuple[int, int], dict[int, str]):
        with pytest.raises(TypeError, match="has no TypeScript"):
            write_wire.Writer().text(kind)
    writer = write_wire.Writer()
    writer.text(Cup)
    with pytest.raises(TypeError, match="two types are called Cup"):
        writer.text(msgspec.defstruct("Cup", []))
