"""Tables with a move a second each, for load.py: they keep to the clock, however slow the server is.

    python bench/load_clients.py http://127.0.0.1:PORT PID

A line "TABLES SECONDS ROOM..." on the standard input starts a probe, where a room is a game with its seats, as in
farkle:you,perfect, and the tables are shared out among the rooms. The answer is one line of JSON, a `Probed` of
load.py. PID is the server's process, whose cost is read while the tables are played.

A table's move is due a second after its last was due, not after the answer. Its latency is the time from then until
the table shows what comes next, the opponent's turn included; if the next is due before, it waits, and its time runs.
A finished game is followed by a new one over the same socket; while it is being opened no move is due. A try that
cannot pass any more ends early, and is followed by a second with the same tables.
"""

from __future__ import annotations

import asyncio
import gc
import json
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import asdict
from itertools import chain
from time import perf_counter as clock  # the loop's own has milliseconds only
from typing import Any, Final

import httpx
import msgspec
import uvloop
from halls import busy_seconds, family_cpu_seconds, family_resident_mib
from hand_socket import Account, HandSocket, new_account
from load import LIMIT_MS, SHARE, Probed, percentile

PER_ACCOUNT: Final = 10  # tables
AT_ONCE: Final = 50  # tables that are being opened, before the first move that counts
OPENING: Final = 40.0  # seconds for all of them
OLDEST: Final = 16  # moves that have been made at a table by then: without it, no game would end while we look
TRIES: Final = 2
WARM_UP: Final = 1.0  # seconds that do not count
GRACE: Final = 1.0  # seconds for the last answers
AGAIN: Final = 1.0  # second until what was refused is asked for once more


class Choice(msgspec.Struct):
    move: str


class View(msgspec.Struct):
    your_turn: bool
    moves: list[Choice]
    result: dict[str, Any] | None


class Shown(msgspec.Struct, tag_field="type", tag="table"):
    id: str
    count: int
    view: View


class Refused(msgspec.Struct, tag_field="type", tag="error"):
    code: str


read_message = msgspec.json.Decoder(Shown | Refused).decode


class Probe:
    """So many tables, and what is counted of them: the moves that are due from `begins` until `ends`."""

    def __init__(self, address: str, pid: int, tables: int, seconds: float, rooms: Sequence[str]) -> None:
        self.address, self.pid, self.wanted, self.seconds, self.rooms = address, pid, tables, seconds, rooms
        self.rng = random.Random(1)
        self.tables: list[Table] = []
        self.errands: set[asyncio.Task[None]] = set()  # kept, because the loop alone would forget them
        self.over = False
        self.forget()

    def forget(self) -> None:
        self.begins = self.ends = math.inf
        self.sent = self.answered = self.too_late = 0
        self.latencies: dict[str, list[float]] = {room: [] for room in self.rooms}  # milliseconds
        self.refused: Counter[str] = Counter()

    async def run(self) -> Probed:
        empty = family_resident_mib(self.pid)
        all_opened = await self._open()
        gc.disable()
        probed = await self._measure(empty) if all_opened else self._probed(empty)
        for _ in range(TRIES - 1):
            if all_opened and not probed.passed:
                probed = await self._measure(empty)
        self.over = True
        for table in self.tables:
            table.leave()
        await asyncio.sleep(0.05)  # the sockets say goodbye
        return probed

    async def _open(self) -> bool:
        """Whether every table stands within the time for it. They come a few at a time, who is refused asks again, and
        each is played to an age of its own: how fast tables are opened is not the question here."""
        last = clock() + OPENING
        coming: list[Table] = []
        async with httpx.AsyncClient(base_url=self.address) as http:
            for number in range(self.wanted):
                if number % PER_ACCOUNT == 0:
                    account = await self._account(http, last)
                table = Table(self, self.rooms[number % len(self.rooms)], account, self.rng.randrange(OLDEST))
                table.come()
                self.tables.append(table)
                coming.append(table)
                while len(coming) >= AT_ONCE and clock() < last:
                    await asyncio.sleep(0.002)
                    coming = [one for one in coming if one.to_age]
        while (coming := [one for one in coming if one.to_age]) and clock() < last:
            await asyncio.sleep(0.002)
        return not coming

    async def _account(self, http: httpx.AsyncClient, last: float) -> Account:
        while clock() < last:
            try:
                return await new_account(http)
            except httpx.HTTPStatusError as error:
                self.refused[f"no account: {error.response.status_code}"] += 1
            except httpx.TransportError as error:
                self.refused[f"no account: {type(error).__name__}"] += 1
            await asyncio.sleep(AGAIN)
        return Account("", 0)

    async def _measure(self, empty: float) -> Probed:
        start = clock()
        self.begins, self.ends = start + WARM_UP, start + WARM_UP + self.seconds
        for number, table in enumerate(self.tables):
            table.start(start + number / self.wanted)
        await asyncio.sleep(WARM_UP)
        self.refused.clear()
        self.sent = self.answered = 0
        cpu, own_cpu, all_cpu = family_cpu_seconds(self.pid), time.process_time(), busy_seconds()
        may_be_late = self.wanted * self.seconds * (100 - SHARE) / 100 + 1
        while clock() < self.ends and self.too_late <= may_be_late:
            await asyncio.sleep(0.02)
        self.ends = min(self.ends, clock())
        cpu, own_cpu = family_cpu_seconds(self.pid) - cpu, time.process_time() - own_cpu
        others = max(0.0, busy_seconds() - all_cpu - cpu - own_cpu)
        answered, seconds = self.answered, clock() - self.begins
        await self._last_answers()
        probed = self._probed(empty, cpu * 1e6 / max(1, answered), own_cpu / seconds, others / seconds)
        self.forget()
        return probed

    async def _last_answers(self) -> None:
        """What has not come then is as late as it is."""
        while any(table.waits for table in self.tables) and clock() < self.ends + GRACE:
            await asyncio.sleep(0.02)
        now = clock()
        for table in self.tables:
            while table.waits and table.due < self.ends:
                self.count(table.room, table.due, now)
                table.due += 1

    def _probed(
        self, empty: float, cpu_us_a_move: float = 0.0, client_cpu: float = 0.0, others_cpu: float = 0.0
    ) -> Probed:
        everything, resident = sorted(chain(*self.latencies.values())), family_resident_mib(self.pid)
        return Probed(
            tables=self.wanted,
            opened=sum(not table.to_age for table in self.tables),
            moves=len(everything),
            p50_ms=percentile(everything, 50),
            p99_ms=percentile(everything, SHARE),
            p99_ms_of={room: percentile(sorted(ours), SHARE) for room, ours in self.latencies.items()},
            refused={code: number / max(1, self.sent) for code, number in self.refused.items()},
            resident_mib=resident,
            kib_a_table=(resident - empty) * 1024 / self.wanted,
            cpu_us_a_move=cpu_us_a_move,
            client_cpu=client_cpu,
            others_cpu=others_cpu,
        )

    def count(self, room: str, due: float, now: float) -> None:
        self.answered += 1
        if self.begins <= due < self.ends:
            latency = (now - due) * 1000
            self.latencies[room].append(latency)
            self.too_late += latency > LIMIT_MS

    def errand(self, work: Coroutine[Any, Any, None]) -> None:
        self.errands.add(task := asyncio.create_task(work))
        task.add_done_callback(self.errands.discard)


class Table(HandSocket):
    """One game after the other over one socket."""

    def __init__(self, probe: Probe, room: str, account: Account, age: int) -> None:
        super().__init__(probe.address, account)
        game, _, seats = room.partition(":")
        self.probe, self.room = probe, room
        self.wish = msgspec.json.encode({"type": "open", "game": game, "seats": seats.split(",")}).decode()
        self.id, self.count, self.moves = "", 0, list[Choice]()  # as it was shown last
        self.to_age = age + 1  # pictures of it to be seen before it counts
        self.due = math.inf  # when the next move is, or was, due
        self.waits = False  # for the answer to that move
        self.timer: asyncio.TimerHandle | None = None

    def come(self) -> None:
        self.probe.errand(self._come())

    async def _come(self) -> None:
        try:
            await self.connect()
        except OSError as error:
            self.lost(str(error))

    def start(self, due: float) -> None:
        self.due = due
        if self.moves:  # otherwise it moves as soon as it stands
            self.move_in_time()

    def said_hello(self) -> None:
        self.ask_for_table()

    def lost(self, reason: str) -> None:
        self.probe.refused[reason] += 1
        self.moves, self.waits = [], False
        self.later(clock() + AGAIN, self.come)

    def heard(self, text: bytes) -> None:
        message, now = read_message(text), clock()
        if isinstance(message, Refused):
            self.probe.refused[message.code] += 1
            if self.waits:
                self.waits = False
                self.due += 1
                self.move_in_time()
            elif not self.moves:
                self.later(now + AGAIN, self.ask_for_table)
            return
        new, view = message.id != self.id, message.view
        if not new and not (self.waits and message.count > self.count):
            return  # the same once more
        if not view.your_turn and view.result is None:
            return  # the opponent is thinking
        self.id, self.count, self.moves = message.id, message.count, view.moves
        if self.to_age:
            self.to_age -= 1
            self.due, self.waits = (now if self.to_age else math.inf), False
        elif new:
            self.due = max(self.due, now)
        else:
            self.waits = False
            self.probe.count(self.room, self.due, now)
            self.due += 1
        if view.result is None:
            self.move_in_time()
        else:
            self.ask_for_table()

    def ask_for_table(self) -> None:
        if not self.probe.over and not self.leaving:
            self.moves = []
            self.probe.sent += 1
            self.send(self.wish)

    def move_in_time(self) -> None:
        if self.due <= clock():
            self.move()
        elif self.due < self.probe.ends:
            self.later(self.due, self.move)

    def move(self) -> None:
        if self.moves and not self.waits and self.due < self.probe.ends:
            self.waits = True
            self.probe.sent += 1
            self.send(f'{{"type":"move","seen":{self.count},"move":"{self.probe.rng.choice(self.moves).move}"}}')

    def later(self, when: float, what: Callable[[], None]) -> None:
        """Instead of whatever else was to come."""
        if self.timer is not None:
            self.timer.cancel()
        if not self.probe.over:
            self.timer = asyncio.get_running_loop().call_later(when - clock(), what)


async def play(address: str, pid: int, tables: int, seconds: float, rooms: Sequence[str]) -> Probed:
    return await Probe(address, pid, tables, seconds, rooms).run()


def main() -> int:
    address, pid = sys.argv[1], int(sys.argv[2])
    for line in sys.stdin:
        tables, seconds, *rooms = line.split()
        probed = uvloop.run(play(address, pid, int(tables), float(seconds), rooms))
        print(json.dumps(asdict(probed)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
