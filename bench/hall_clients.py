"""Automatic clients on both seats of a hall's tables of classic Knucklebones.

    python bench/hall_clients.py http://127.0.0.1:PORT [--reconnect | --people]

A line "TABLES SECONDS" on the standard input starts a round; its answer is one line of JSON: how many moves were seen,
in how many seconds, and the milliseconds from sending a move to seeing the server's answer, half and 99 of a hundred
of them quicker. A seat sends its next move as soon as it has seen the last; a finished game is followed by a new one,
over the same sockets or, with --reconnect, over new ones. With --people each seat has an account of its own: they meet
in a room, both add to the dice of every game, and both ask for the next one.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from hashlib import sha256
from typing import Any, Final

import httpx
import msgspec
import uvloop
from hand_socket import Account, HandSocket, new_account

RECONNECT: Final = "--reconnect"
PEOPLE: Final = "--people"
OPEN: Final = '{"type":"open","game":"knucklebones","seats":["you","you"]}'


class Grid(msgspec.Struct):
    columns: list[list[int]]


class View(msgspec.Struct):
    to_move: int | None
    seats: list[Grid]
    result: dict[str, Any] | None


class Shown(msgspec.Struct, tag_field="type", tag="table"):
    """As much of a message as a client needs to move on."""

    id: str
    count: int
    view: View


class Place(msgspec.Struct):
    seat: int | None


class Room(msgspec.Struct, tag_field="type", tag="room"):
    state: str
    you: int
    commitment: str | None
    places: list[Place]


read_shown = msgspec.json.Decoder(Shown).decode
read_in_room = msgspec.json.Decoder(Shown | Room).decode


class Round:
    """The games at one table; where `people` play, the second seat has an `other` account."""

    def __init__(self, address: str, account: Account, reconnect: bool = False, other: Account | None = None) -> None:
        self.address, self.account, self.reconnect, self.other = address, account, reconnect, other
        self.latencies: list[float] = []
        self.rng = random.Random(1)
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.over = False

    def fail(self, reason: object) -> None:
        if not self.over and not self.failed.done():
            self.failed.set_exception(RuntimeError(f"a table has stopped: {reason}"))


class Table:
    """One game after the other. The first seat opens it, the second follows."""

    def __init__(self, round_: Round) -> None:
        self.round, self.id = round_, ""
        self.seats: list[Seat] = []
        self.starting: asyncio.Task[None] | None = None

    async def next_game(self) -> None:
        if self.seats and not self.round.reconnect:
            return self.seats[0].send(OPEN)
        self.close()
        self.id = ""
        self.seats = [Seat(self, 0), Seat(self, 1)]
        for seat in self.seats:
            await seat.connect()
        return None

    def close(self) -> None:
        for seat in self.seats:
            seat.leave()


class Seat(HandSocket):
    def __init__(self, table: Table, number: int) -> None:
        super().__init__(table.round.address, table.round.account)
        self.table, self.number, self.round = table, number, table.round
        self.sent = 0.0

    def said_hello(self) -> None:
        if self.number == 0:
            self.send(OPEN)
        elif self.table.id:
            self.follow()

    def lost(self, reason: str) -> None:
        self.round.fail(reason)

    def heard(self, text: bytes) -> None:
        try:
            self.shown(read_shown(text))
        except msgspec.ValidationError:
            self.round.fail(text)

    def shown(self, shown: Shown) -> None:
        """Random columns, the same player as at boardgame.io's tables."""
        if self.sent:
            self.round.latencies.append(time.perf_counter() - self.sent)
            self.sent = 0.0
        if self.round.over:
            return
        if self.number == 0 and shown.id != self.table.id:
            self.table.id = shown.id
            self.table.seats[1].follow()
        if shown.view.result is not None:
            if self.number == 0:
                self.table.starting = asyncio.create_task(self.table.next_game())
        elif shown.view.to_move == self.number:
            free = [n for n, column in enumerate(shown.view.seats[self.number].columns, 1) if len(column) < 3]
            self.sent = time.perf_counter()
            self.send(f'{{"type":"move","seen":{shown.count},"move":"{self.round.rng.choice(free)}"}}')

    def follow(self) -> None:
        if self.greeted:
            self.send(f'{{"type":"sit","table":"{self.table.id}"}}')


class Person(HandSocket):
    """Somebody in a room, who plays one game after the other there."""

    def __init__(self, round_: Round, account: Account, room: str) -> None:
        super().__init__(round_.address, account, f"/ws/rooms/{room}")
        self.round, self.seed, self.sent = round_, "ab" * 32, 0.0
        self.seat: int | None = None
        self.said: tuple[str, str | None] = "", None

    def said_hello(self) -> None:
        pass

    def lost(self, reason: str) -> None:
        self.round.fail(reason)

    def heard(self, text: bytes) -> None:
        try:
            told = read_in_room(text)
        except msgspec.ValidationError:
            return self.round.fail(text)
        return self.in_room(told) if isinstance(told, Room) else self.shown(told)

    def in_room(self, room: Room) -> None:
        """Add to the dice, once a game; and ask for the next one."""
        self.seat = room.places[room.you].seat
        if self.said == (room.state, room.commitment) or self.round.over:
            return
        self.said = room.state, room.commitment
        if room.state == "sealing":
            sealed = f"dicehall/1/contribution/{room.commitment}/{self.seat}/{self.seed}"
            self.send(f'{{"type":"seal","seal":"{sha256(sealed.encode()).hexdigest()}"}}')
        elif room.state == "opening":
            self.send(f'{{"type":"reveal","seed":"{self.seed}"}}')
        elif room.state == "between":
            self.send('{"type":"ready"}')

    def shown(self, shown: Shown) -> None:
        if self.sent:
            self.round.latencies.append(time.perf_counter() - self.sent)
            self.sent = 0.0
        if self.seat is not None and shown.view.to_move == self.seat and not self.round.over:
            free = [n for n, column in enumerate(shown.view.seats[self.seat].columns, 1) if len(column) < 3]
            self.sent = time.perf_counter()
            self.send(f'{{"type":"move","seen":{shown.count},"move":"{self.round.rng.choice(free)}"}}')


class Pair:
    """Two people and their room."""

    def __init__(self, round_: Round) -> None:
        self.round = round_
        self.people: list[Person] = []

    async def next_game(self) -> None:
        accounts = self.round.account, self.round.other or self.round.account
        async with httpx.AsyncClient(base_url=self.round.address) as http:
            host, guest = ({"Cookie": one.cookie} for one in accounts)
            opened = await http.post("/api/rooms", json={"game": "knucklebones"}, headers=host)
            room = opened.raise_for_status().json()["id"]
            (await http.post(f"/api/rooms/{room}/join", headers=guest)).raise_for_status()
        self.people = [Person(self.round, one, room) for one in accounts]
        for person in self.people:
            await person.connect()

    def close(self) -> None:
        for person in self.people:
            person.leave()


async def play(address: str, tables: int, seconds: float, how: str) -> dict[str, Any]:
    all_tables: list[Table | Pair] = []
    began = time.perf_counter()
    async with httpx.AsyncClient(base_url=address) as http:
        rounds = []
        for _ in range(tables):
            if how == PEOPLE:
                rounds.append(Round(address, await new_account(http), other=await new_account(http)))
                all_tables.append(Pair(rounds[-1]))
            else:
                rounds.append(Round(address, await new_account(http), how == RECONNECT))
                all_tables.append(Table(rounds[-1]))
    for table in all_tables:
        await table.next_game()
    failures = [one.failed for one in rounds]
    done, _ = await asyncio.wait(failures, timeout=seconds - (time.perf_counter() - began))
    for one in rounds:
        one.over = True
    elapsed = time.perf_counter() - began
    for table in all_tables:
        table.close()
    for failure in done:
        failure.result()
    latencies = sorted(1000 * latency for one in rounds for latency in one.latencies) or [0.0]
    await asyncio.sleep(0.05)  # the sockets say goodbye
    middle, late = latencies[len(latencies) // 2], latencies[len(latencies) * 99 // 100]
    return {"moves": len(latencies), "seconds": elapsed, "p50_ms": middle, "p99_ms": late}


def main() -> int:
    address, how = sys.argv[1], "".join(sys.argv[2:])
    for line in sys.stdin:
        tables, seconds = line.split()
        print(json.dumps(uvloop.run(play(address, int(tables), float(seconds), how))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
