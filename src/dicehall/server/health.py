"""Whether the hall is well: what a probe asks for, and what is watched all the time.

*Live* means that the process answers. *Ready* means that somebody could sit down and play: the store can be written,
connections to it are free, the disk has room, the clock is where it was, nothing is known to be damaged.
"""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from typing import Any, Final

from sqlalchemy import QueuePool

from dicehall.errors import DicehallError
from dicehall.server.clock import HallClock
from dicehall.server.damage import damage_at_start
from dicehall.server.hall import Hall
from dicehall.server.metrics import LOOP_LAG, POOL_SIZE, POOL_USED, READY
from dicehall.store import beats

HEALTH: Final = "health"  # the beat that says when the hall could write last
LOG: Final = logging.getLogger("dicehall.server")
BEAT: Final = 0.5  # seconds between two looks at the event loop
FRESH: Final = 2.0  # seconds for which an answer holds: whoever asks often writes no more for it
PATIENCE: Final = 2.0  # seconds for the store to be written
SETTLING: Final = 5.0  # seconds after opening until damage is looked for
MOST_TOLD: Final = 20


class Health:
    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._asked_at = float("-inf")
        self._checks: dict[str, str] = {}
        self._asking = asyncio.Lock()
        self.damage: str = ""  # what was found when the hall opened

    async def checks(self) -> dict[str, str]:
        """What was looked at, by name: empty where all is well, else what is wrong."""
        async with self._asking:
            if time.monotonic() - self._asked_at > FRESH:
                self._checks = {
                    "database": await self._write(),
                    "pool": self._look_at_pool(),
                    "disk": self._hall.disk.trouble(),
                    "clock": self._look_at_clock(),
                    "damage": self.damage,
                }
                self._asked_at = time.monotonic()
                READY.set(not any(self._checks.values()))
        return self._checks

    async def watch(self) -> None:
        """Measure how late the loop is, and look around every now and then, until cancelled."""
        loop, look_at = asyncio.get_running_loop(), 0.0
        while True:
            due = loop.time() + BEAT
            await asyncio.sleep(BEAT)
            LOOP_LAG.observe(max(0.0, loop.time() - due))
            if loop.time() > look_at:
                look_at = loop.time() + 10
                wrong = {name: told for name, told in (await self.checks()).items() if told}
                if wrong:
                    LOG.error("not ready: %s", wrong)
            self._look_at_pool()

    async def look_for_damage(self, database: str) -> None:
        """Once, a while after the hall has opened: those who wait for it come first."""
        await asyncio.sleep(SETTLING)
        try:
            found = await self._hall.questions.ask("", damage_at_start, database)
        except Exception as error:
            LOG.error("damage was not looked for: %s; `dicehall check` does it", error)
            return
        for told in found[:MOST_TOLD]:
            LOG.error("damaged: %s", told)
        if found:
            self.damage = f"{len(found)} found; `dicehall check` lists them"

    async def _write(self) -> str:
        written = self._hall.writer.submit(partial(beats.beat, name=HEALTH, now=self._hall.clock()))
        try:
            await asyncio.wait_for(asyncio.shield(written), PATIENCE)
        except TimeoutError:
            written.add_done_callback(lambda late: late.cancelled() or late.exception())
            return f"nothing could be written for {PATIENCE:g} seconds"
        except DicehallError as error:
            return str(error)
        except Exception as error:  # whatever the database says
            return f"nothing could be written: {type(getattr(error, 'orig', None) or error).__name__}"
        return ""

    def _look_at_clock(self) -> str:
        clock = self._hall.clock
        moved = clock.moved() if isinstance(clock, HallClock) else 0
        return f"the machine's clock has moved by {moved} seconds; the hall goes by its own" if moved else ""

    def _look_at_pool(self) -> str:
        pool: Any = self._hall.engine.pool
        assert isinstance(pool, QueuePool)
        POOL_USED.set(pool.checkedout())
        POOL_SIZE.set(pool.size())
        return "" if pool.checkedout() < pool.size() else f"all {pool.size()} connections to the database are in use"
