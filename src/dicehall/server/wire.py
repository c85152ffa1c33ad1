"""What goes over a table's socket: JSON objects, told apart by `type`. `docs/http.md` describes the conversation.

A client's first message is `hello` with the protocol's number; one of another number is told so. The answer is a table.
"""

from __future__ import annotations

import struct
from typing import Any, Final, Literal

import msgspec

from dicehall.errors import InvalidText
from dicehall.play.film import Frame

PROTOCOL: Final = 2
TOO_MUCH: Final = 4429  # the close code of a client that wants more than anybody needs
TEXT: Final = 0x81  # the first byte of a frame that holds a whole text
_HEAD: Final = struct.Struct("!BBH").pack
_LONG_HEAD: Final = struct.Struct("!BBQ").pack
LONGEST_MESSAGE: Final = 4096  # bytes; the longest honest one has a hundred


class Incoming(msgspec.Struct, tag_field="type", forbid_unknown_fields=True):
    """From the client."""


class Hello(Incoming, tag="hello"):
    protocol: int


class Sit(Incoming, tag="sit"):
    """Show me this table from now on, over the same socket."""

    table: str


class Open(Incoming, tag="open"):
    """The same for a new table; the fields are those of POST /api/tables."""

    game: str
    kind: str = "ranked"
    options: dict[str, bool | int | str] = {}
    seats: tuple[str, ...] | None = None
    seed: str | None = None
    day: str | None = None


class Move(Incoming, tag="move"):
    seen: int  # how many steps the client has seen; sending the same move twice counts once
    move: str


class Undo(Incoming, tag="undo"):
    seen: int


class Hint(Incoming, tag="hint"):
    """Ask the coach. The run is unranked from then on; the answer comes as `hint` of the table."""

    seen: int
    objective: str | None = None  # what is played for; without it, what the options suggest


class Look(Incoming, tag="look"):
    """Show me the table again."""


class HintedMove(msgspec.Struct):
    move: str
    value: float
    loss: float  # against the best move
    then: str | None = None  # the best right after it, where no die falls in between: roll or bank, one die or two


class Hinted(msgspec.Struct):
    """What every move is worth, the best first. A `search` looks some dice ahead; the others are answers."""

    objective: str
    objectives: tuple[str, ...]  # what else one could play for
    certainty: Literal["exact", "close", "judged", "search"]
    less_is_better: bool
    moves: tuple[HintedMove, ...]


class TableShown(msgspec.Struct, tag_field="type", tag="table"):
    """From the server: the table as it is now. `news` are the steps since the last one this client was shown.

    `film` are the steps since somebody last moved, with that move: what was done, by whom, and what happened with it.
    Where more than a move and a roll have happened at once (the opponent's turn, or a round that ended), or the run is
    over, all but the last also say how the table was after them, so that a screen can show them one after the other;
    after the last, it is as `view` says. `recommended` is the keep that brings most on average, where Farkle asks for
    one; `hint` is there while the position is that for which it was asked. `first` says of a daily's table whether it
    counts on the board of first attempts.
    """

    protocol: int
    id: str
    kind: str
    day: str | None
    mode: str
    seats: tuple[str, ...]
    commitment: str | None
    count: int
    news: tuple[str, ...]
    can_undo: bool
    unranked: tuple[str, ...]
    view: dict[str, Any]
    run: str | None = None
    film: tuple[Frame, ...] = ()
    recommended: str | None = None
    hint: Hinted | None = None
    first: bool | None = None


class Waiting(msgspec.Struct, tag_field="type", tag="waiting"):
    """From the server: what was sent has come, and is not durable yet. The table follows, or an error."""

    seen: int  # how many steps the client had seen when it sent it


class Refused(msgspec.Struct, tag_field="type", tag="error"):
    code: str
    message: str


Message = Hello | Sit | Open | Move | Undo | Hint | Look
_decode = msgspec.json.Decoder(Message).decode
_encode = msgspec.json.Encoder().encode


def read(data: bytes) -> Message:
    if len(data) > LONGEST_MESSAGE:
        raise InvalidText("message-length", f"a message has at most {LONGEST_MESSAGE} bytes")
    try:
        return _decode(data)  # type: ignore[no-any-return]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidText("message", f"not a message of protocol {PROTOCOL}: {str(error)[:100]}") from None


def frame(message: TableShown | Waiting | Refused) -> bytes:
    """What goes out, in the frame that a text has on a WebSocket: the same bytes for every client."""
    data = _encode(message)
    if len(data) < 126:
        return bytes((TEXT, len(data))) + data
    return (_HEAD(TEXT, 126, len(data)) if len(data) < 65_536 else _LONG_HEAD(TEXT, 127, len(data))) + data
