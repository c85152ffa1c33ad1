"""Automatic clients on both seats of a hall's tables of classic Knucklebones.

    python bench/hall_clients.py http://127.0.0.1:PORT [--reconnect]

A line "TABLES SECONDS" on the standard input starts a round; its answer is one line of JSON: how many moves were seen,
in how many seconds, and the milliseconds from sending a move to seeing the server's answer, half and 99 of a hundred
of them quicker. A seat sends its next move as soon as it has seen the last; a finished game is followed by a new one,
over the same sockets or, with --reconnect, over new ones.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from typing import Any, Final

import httpx
import msgspec
import uvloop
from hand_socket import Account, HandSocket, new_account

OPEN: Final = '{"type":"open","game":"knucklebones","seats":["you","you"]}'


class Grid(msgspec.Struct):
    columns: list[list[int]]


class View(msgspec.Struct):
    to_move: int | None
    seats: list[Grid]
    result: dict[str, Any] | None


class Shown(msgspec.Struct):
    """As much of a message as a client needs to move on; an error has none of it."""

    id: str
    count: int
    view: View


read_shown = msgspec.json.Decoder(Shown).decode


class Round:
    def __init__(self, address: str, account: Account, reconnect: bool) -> None:
        self.address, self.account, self.reconnect = address, account, reconnect
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


async def play(address: str, tables: int, seconds: float, reconnect: bool) -> dict[str, Any]:
    all_tables = []
    began = time.perf_counter()
    async with httpx.AsyncClient(base_url=address) as http:
        rounds = []
        for _ in range(tables):
            rounds.append(Round(address, await new_account(http), reconnect))
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
    address, reconnect = sys.argv[1], "--reconnect" in sys.argv[2:]
    for line in sys.stdin:
        tables, seconds = line.split()
        print(json.dumps(uvloop.run(play(address, int(tables), float(seconds), reconnect))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
