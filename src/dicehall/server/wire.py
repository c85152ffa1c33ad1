"""What goes over a table's socket: JSON objects, told apart by `type`. `docs/http.md` describes the conversation.

The first message in either direction is `hello` with the protocol's number; a client of another number is told so.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

PROTOCOL: Final = 1
LONGEST_MESSAGE: Final = 4096  # bytes; the longest honest one has a hundred


class Incoming(msgspec.Struct, tag_field="type", forbid_unknown_fields=True):
    """From the client."""


class Hello(Incoming, tag="hello"):
    protocol: int


class Move(Incoming, tag="move"):
    seen: int  # how many steps the client has seen; sending the same move twice counts once
    move: str


class Undo(Incoming, tag="undo"):
    seen: int


class Look(Incoming, tag="look"):
    """Show me the table again."""


class TableShown(msgspec.Struct, tag_field="type", tag="table"):
    """From the server: the table as it is now. `news` are the steps since the last one this client was shown."""

    protocol: int
    id: str
    kind: str
    seats: tuple[str, ...]
    commitment: str | None
    count: int
    news: tuple[str, ...]
    can_undo: bool
    unranked: tuple[str, ...]
    view: dict[str, Any]
    run: str | None = None


class Refused(msgspec.Struct, tag_field="type", tag="error"):
    code: str
    message: str


read = msgspec.json.Decoder(Hello | Move | Undo | Look).decode
write = msgspec.json.Encoder().encode
