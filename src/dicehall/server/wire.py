"""What goes over a table's socket: JSON objects, told apart by `type`. `docs/http.md` describes the conversation.

A client's first message is `hello` with the protocol's number; one of another number is told so. The answer is a table.
"""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import Annotated, Any, Final, Literal, Self

import msgspec
from msgspec import Meta
from pydantic_core import CoreSchema, core_schema

from dicehall.errors import InvalidText
from dicehall.play.film import Frame
from dicehall.server.models.coach import Advice
from dicehall.server.models.common import Kind, OptionValue

PROTOCOL: Final = 4
TEXT: Final = 0x81  # the first byte of a frame that holds a whole text
_HEAD: Final = struct.Struct("!BBH").pack
_LONG_HEAD: Final = struct.Struct("!BBQ").pack
LONGEST_MESSAGE: Final = 4096  # bytes; the longest honest one has a hundred
Hex = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Close(IntEnum):
    """Why the hall hangs up: one code for each end, so that no client reads the sentence beside it."""

    FAULT = 1011  # ours
    TRY_LATER = 1013  # the hall has too much to do
    STALE_CLIENT = 4400  # it speaks another protocol, or none
    NO_ACCOUNT = 4401  # yet, or the cookie is not ours
    SIGNED_OUT = 4402  # the device, while it was here
    FOREIGN = 4403  # a page of another host
    NO_TABLE = 4404  # or not theirs; or no such room
    DAMAGED = 4405  # the table can be left, and nothing else
    BANNED = 4406
    TOO_SLOW = 4408  # no hello in time, or no first table
    TOO_SOON = 4425  # whoever leaves games waits for the next quick match
    TOO_MUCH = 4429  # more than anybody needs


class Incoming(msgspec.Struct, tag_field="type", forbid_unknown_fields=True):
    """From the client."""


class Hello(Incoming, tag="hello"):
    protocol: int


class Sit(Incoming, tag="sit"):
    """Show me this table from now on, over the same socket."""

    table: str


class OpenTable(msgspec.Struct, forbid_unknown_fields=True):
    """A new table, as POST /api/tables asks for it. With a `run` it is a practice table that goes on from the position
    after `step` steps of that finished run, with its dice."""

    game: Annotated[str, Meta(max_length=40)]
    kind: Kind = "ranked"
    options: Annotated[dict[str, OptionValue], Meta(max_length=40)] = {}
    seats: Annotated[tuple[str, ...], Meta(max_length=6)] | None = None
    seed: Annotated[str, Meta(max_length=100)] | None = None
    day: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$", examples=["2026-11-15"])] | None = None
    run: Annotated[str, Meta(max_length=40)] | None = None
    step: Annotated[int, Meta(ge=0, le=10_000)] = 0

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> CoreSchema:
        """REST reads and describes it as the sockets do."""
        return core_schema.no_info_plain_validator_function(cls._read)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict[str, Any]:
        described: dict[str, Any] = msgspec.json.schema_components([cls])[1][cls.__name__]
        return described

    @classmethod
    def _read(cls, data: Any) -> Self:
        try:
            return msgspec.convert(data, cls)
        except msgspec.ValidationError as error:
            raise ValueError(str(error)) from None


class Open(OpenTable, tag_field="type", tag="open"):
    """Show me a new table from now on, over the same socket."""


class Move(Incoming, tag="move"):
    seen: int  # how many steps the client has seen; sending the same move twice counts once
    move: str
    then: str | None = None  # the move right after it, made with it or not at all, and taken back with it


class Undo(Incoming, tag="undo"):
    seen: int


class Hint(Incoming, tag="hint"):
    """Ask the coach. The run is unranked from then on; the answer comes as `hint` of the table."""

    seen: int
    objective: str | None = None  # what is played for; without it, what the options suggest


class Look(Incoming, tag="look"):
    """Show me the table again."""


# -- in a room: where several people play together


class Start(Incoming, tag="start"):
    """The host begins though places are free: they are left out."""


class Seal(Incoming, tag="seal"):
    """What this browser adds to the dice, sealed: see docs/dice.md."""

    seal: Hex


class Reveal(Incoming, tag="reveal"):
    """What was sealed."""

    seed: Hex


class Say(Incoming, tag="say"):
    phrase: Annotated[str, Meta(max_length=20)]


class Resign(Incoming, tag="resign"):
    """Give this game up."""


class Claim(Incoming, tag="claim"):
    """The win, from somebody who has been away for long enough; at a larger table, that they play no further."""

    place: Annotated[int, Meta(ge=0, le=9)]


class Ready(Incoming, tag="ready"):
    """For the next game of the series, or for a rematch."""


class Leave(Incoming, tag="leave"):
    """For good: before the first game one's place is free, after a game the room is closed; in a game others need not
    wait for so long."""


class Guest(msgspec.Struct):
    """Whoever has a place in a room. `name` is a nickname, empty for a guest without one; `house` is a player of the
    house. `lost_ms` is since when somebody who is not `here` has been away, `claim_ms` from when on the game may be
    claimed from them, if nothing happens until then. `gone`: why they play no further in this game."""

    player: str | None
    name: str
    house: str | None
    here: bool
    lost_ms: int | None
    claim_ms: int | None
    ready: bool
    halves: int  # of the series: two for a win, one for a draw
    seat: int | None  # in the game that is played, or was last
    gone: str | None


class Contributed(msgspec.Struct):
    """What somebody adds to the dice, in the order in which the seals came."""

    place: int
    seal: str
    opened: bool
    seed: str | None  # once all are opened


class ClockShown(msgspec.Struct):
    """How long somebody may still think: `turn` is the seat whose clock runs, if any, and since when; the reserves are
    by seat, in milliseconds. `due_ms`: when that seat is out of time, `begin_ms`: when the game does not count because
    it has not begun."""

    turn: int | None
    since_ms: int
    own_ms: int  # that the move has of its own, before the reserve
    reserves_ms: tuple[int, ...]
    due_ms: int | None
    begin_ms: int | None


class Said(msgspec.Struct):
    number: int  # of all that has been said here
    place: int
    phrase: str


class BoardShown(msgspec.Struct):
    """One board of a duel, by place, as far as whoever is shown it has come on their own: when so many `dice` had been
    used. `rank` is among what is shown, from 1; equals share one. The `run` is told at the end."""

    score: int
    unit: str  # what it counts: points, turns or rounds
    dice: int
    rank: int
    done: bool
    run: str | None


class RoomShown(msgspec.Struct, tag_field="type", tag="room"):
    """From the server: a room as it is now; times are milliseconds since the epoch, and `now_ms` is the hall's.

    `state` is gathering (people may come), sealing (every browser seals what it adds to the dice), opening (all have
    sealed, and open), playing, between (a game is over) or closed (`why` says how: cancelled, expired, missed, left,
    ended, stopped by whoever runs the hall, over, week). `you` is the place of whoever looks, null for somebody who
    watches. `commitment` is the house's for the coming game, or for the one that is played.
    """

    protocol: int
    id: str
    code: str | None
    state: str
    why: str | None
    you: int | None
    now_ms: int
    game: str
    options: dict[str, OptionValue]
    mode: str
    begins: str
    best_of: int
    clock: str
    rated: bool
    watched: bool  # whether anybody may watch
    watchers: int
    expires_ms: int
    places: tuple[Guest, ...]
    number: int  # of the game in its series, from 1
    games: int  # played in the series so far
    winners: tuple[int, ...]  # places that have won the series, once it is decided; several: drawn
    commitment: str | None
    contributions: tuple[Contributed, ...]
    withheld: tuple[int, ...]  # places that did not open what they had sealed, or did not seal: the game was not begun
    until_ms: int | None  # for sealing and opening; in a duel with a time limit, until when it is played
    table: str | None  # in a duel, of whoever looks
    times: ClockShown | None
    said: Said | None
    same_dice: bool  # a duel: everybody plays their own board
    minutes: int  # how long it may last; 0 for as long as they like
    open: bool  # people come one after the other, in a week
    boards: tuple[BoardShown, ...] = ()  # of a duel, by place


class QuickShown(msgspec.Struct, tag_field="type", tag="quick"):
    """From the server, to somebody who looks for a quick match: how it stands. `low` and `high` are the ratings that
    are looked for, null for any; `level` a player of the house that is about as strong, once it is offered; `starts_ms`
    when a larger table begins, once it does; `room` where the game is, once somebody is found, and `until_ms` how long
    it is kept."""

    protocol: int
    pool: str
    now_ms: int
    since_ms: int
    waiting: int  # for this pool, with whoever looks
    here: int  # players with a page open
    rating: int | None
    low: int | None
    high: int | None
    level: str | None
    starts_ms: int | None
    room: str | None
    until_ms: int | None


class QuickRefused(msgspec.Struct, tag_field="type", tag="too-soon"):
    """From the server, to somebody who has left too many games: nobody is looked for before `until_ms`."""

    code: str
    now_ms: int
    until_ms: int


class TableShown(msgspec.Struct, tag_field="type", tag="table"):
    """From the server: the table as it is now. `news` are the steps since the last one this client was shown. In a
    room, one's own seat is called `you` and those of other people `person`.

    `film` are the steps since somebody last moved, with that move: what was done, by whom, and what happened with it.
    Where more than a move (or two made together) and a roll have happened at once (the opponent's turn, or a round that
    ended), or the run is over, all but the last also say how the table was after them, so that a screen can show them
    one after the other; after the last, it is as `view` says. Before anybody has moved, it begins with the table before
    its first roll, in a frame whose step is empty. `recommended` is the keep that brings most on average, where Farkle
    asks for one; `hint` is there while the position is that for which it was asked. `first` says of a daily's table
    whether it counts on the board of first attempts.
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
    film: list[Frame] = []
    recommended: str | None = None
    hint: Advice | None = None
    first: bool | None = None
    room: str | None = None


class Waiting(msgspec.Struct, tag_field="type", tag="waiting"):
    """From the server: what was sent has come, and is not durable yet. The table follows, or an error."""

    seen: int  # how many steps the client had seen when it sent it


class Refused(msgspec.Struct, tag_field="type", tag="error"):
    code: str
    message: str
    about: Literal["table", "room"] = "table"  # what was asked for: something at the table, or in the room


InRoom = Start | Seal | Reveal | Say | Resign | Claim | Ready | Leave
Message = Hello | Sit | Open | Move | Undo | Hint | Look | InRoom
_decode = msgspec.json.Decoder(Message).decode
_encode = msgspec.json.Encoder().encode


def read(data: bytes) -> Message:
    if len(data) > LONGEST_MESSAGE:
        raise InvalidText("message-length", f"a message has at most {LONGEST_MESSAGE} bytes")
    try:
        return _decode(data)  # type: ignore[no-any-return]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidText("message", f"not a message of protocol {PROTOCOL}: {str(error)[:100]}") from None


def frame(message: TableShown | RoomShown | QuickShown | QuickRefused | Waiting | Refused) -> bytes:
    """What goes out, in the frame that a text has on a WebSocket: the same bytes for every client."""
    data = _encode(message)
    if len(data) < 126:
        return bytes((TEXT, len(data))) + data
    return (_HEAD(TEXT, 126, len(data)) if len(data) < 65_536 else _LONG_HEAD(TEXT, 127, len(data))) + data
