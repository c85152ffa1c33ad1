"""Clients of people who play together: as a browser does it, they seal and open what they add to the dice by
themselves."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from typing import Any

from websockets.exceptions import ConnectionClosed

from dicehall.dice import contribution_seal, fresh_secret
from dicehall.server.wire import PROTOCOL
from tests.patience import PATIENCE
from tests.server.running import Guest, Json


class Sitter:
    """Somebody in a room, over one socket. `room` and `table` are as they were shown last; `seals` of them are made by
    itself where it is `obliging`."""

    def __init__(self, guest: Guest, room_id: str, obliging: bool = True) -> None:
        self.guest, self.room_id, self.obliging = guest, room_id, obliging
        self.room: Json = {}
        self.table: Json = {}
        self.steps: list[str] = []
        self.shown_lists: list[tuple[str, tuple[str, ...]]] = []  # every list of steps that was shown, by table
        self.refusals: list[str] = []
        self.seed = fresh_secret()
        self._seeds: dict[str, str] = {}  # by the commitment of the house
        self.connect()

    def connect(self) -> None:
        self._line, self.steps = ExitStack(), []  # over a new line all is told anew
        self._added, self._again = ("", ""), False
        self.connection = self._line.enter_context(self.guest.connect(f"/ws/rooms/{self.room_id}"))
        self.send(type="hello", protocol=PROTOCOL)
        self.hear()

    def close(self) -> None:
        self._line.close()

    def send(self, **message: Any) -> None:
        self.connection.send(json.dumps(message))

    def hear(self, seconds: float = PATIENCE) -> Json:
        text = self.connection.recv(seconds)
        assert isinstance(text, str)
        self.guest.heard.append(text)
        message: Json = json.loads(text)
        if message["type"] == "room":
            self.room = message
            if self.obliging:
                self.contribute()
        elif message["type"] == "table":
            if self.table.get("id") != message["id"]:
                self.steps = []
            self.table = message
            self.steps += message["news"]
            del self.steps[message["count"] :]
            self.shown_lists.append((message["id"], tuple(self.steps)))
        elif message["type"] == "error":
            self.refusals.append(message["code"])
        return message

    def contribute(self) -> None:
        """Seal, or open, as the page does: once over a line, and once more should the game not have begun."""
        house, mine, state = self.room["commitment"], self.room["you"], self.room["state"]
        if mine is None or house is None:
            return
        added = self.room["contributions"]
        again = state == "opening" and all(one["opened"] for one in added) and not self._again
        if self._added == (state, house) and not again:
            return
        self._added, self._again = (state, house), self._again or again
        own = next((one for one in added if one["place"] == mine), None)
        if state == "sealing" and own is None:
            self.seed = self._seeds.setdefault(house, fresh_secret())
            self.send(type="seal", seal=contribution_seal(house, self.room["places"][mine]["seat"], self.seed))
        if state == "opening" and own is not None and house in self._seeds and (again or not own["opened"]):
            self.send(type="reveal", seed=self._seeds[house])

    def until(self, is_so: Callable[[Sitter], bool], seconds: float = PATIENCE) -> Json:
        """Hear on until it is so; the room."""
        end = time.monotonic() + seconds
        while not is_so(self):
            self.hear(max(0.01, end - time.monotonic()))
        return self.room

    def drain(self) -> None:
        """Hear what has come."""
        try:
            while True:
                self.hear(0.02)
        except (TimeoutError, ConnectionClosed):
            pass

    @property
    def my_turn(self) -> bool:
        return bool(self.table) and bool(self.table["view"]["your_turn"])

    def move(self, random: Random) -> None:
        moves = [move["move"] for move in self.table["view"]["moves"]]
        count = self.table["count"]
        self.send(type="move", seen=count, move=random.choice(moves))
        self.until(lambda me: me.table["count"] > count or bool(me.refusals))


@contextmanager
def seated(guests: list[Guest], game: str, **asked: Any) -> Iterator[list[Sitter]]:
    """A room in which all of them sit, with their sockets, when the first game has begun."""
    asked.setdefault("seats", ["you"] * len(guests))
    room = guests[0].post("/api/rooms", 201, game=game, **asked)
    for guest in guests[1:]:
        guest.post(f"/api/rooms/{room['id']}/join")
    with ExitStack() as stack:
        sitters = [Sitter(guest, room["id"]) for guest in guests]
        for one in sitters:
            stack.callback(one.close)
        begin(sitters)
        yield sitters


def begin(sitters: list[Sitter]) -> None:
    """Hear on until all of them are shown the table."""
    end = time.monotonic() + PATIENCE
    while not all(one.room["state"] == "playing" and one.table.get("id") == one.room["table"] for one in sitters):
        assert time.monotonic() < end, [one.room["state"] for one in sitters]
        for one in sitters:
            one.drain()


def whose_turn(sitters: list[Sitter]) -> Sitter:
    """Whoever of them is to move, as soon as they know."""
    end = time.monotonic() + PATIENCE
    while not (found := [one for one in sitters if one.my_turn]):
        assert time.monotonic() < end
        for one in sitters:
            one.drain()
    return found[0]


def play_out(sitters: list[Sitter], random: Random) -> None:
    """The game to its end, with moves by chance."""
    end = time.monotonic() + PATIENCE
    while not all(one.table["run"] and one.room["state"] == "between" for one in sitters):
        assert time.monotonic() < end
        for one in sitters:
            one.drain()
            if one.my_turn and one.table["run"] is None:
                one.move(random)
