"""The coach looks at rated games, so that it is known how well both have played: one game at a time, and only while
nobody else wants the coach.

What cannot be done now is done later. What the coach can never tell (a damaged record, rules that nobody has solved) is
kept as that, and not asked again.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from dicehall.coach.report import report
from dicehall.errors import DicehallError
from dicehall.people.skill import Run, run_of
from dicehall.play.record import from_json
from dicehall.server.crew import Busy
from dicehall.server.hall import Hall
from dicehall.store import skills
from dicehall.store.skills import Waiting

LOG: Final = logging.getLogger("dicehall.server")
WHO: Final = "the hall"  # in the coach's queue, where everybody else is a network
LOOK_EVERY: Final = 5.0  # seconds
AT_ONCE: Final = 20  # games that are read
LATER: Final = 600.0  # seconds until what has failed is tried again; twice as many each time,
MUCH_LATER: Final = 86_400.0  # up to a day
MOST_FAILED: Final = 100  # games; of more, it is the coach that fails


class Judging:
    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._failed: dict[str, tuple[int, float]] = {}  # by run: how often, and when it is tried again
        self._rests_until = 0.0

    async def judge(self) -> None:
        """A chore of the hall."""
        while True:
            try:
                await self._look()
            except Exception:  # a store that is away for a moment comes back
                LOG.exception("the games that the coach has not seen could not be found")
            await asyncio.sleep(LOOK_EVERY)

    async def _look(self) -> None:
        now = time.monotonic()
        put_off = frozenset(run_id for run_id, (_, at) in self._failed.items() if now < at)
        if now < self._rests_until or len(put_off) >= MOST_FAILED:
            return
        for one in await self._hall.read(partial(skills.waiting, limit=AT_ONCE, besides=put_off)):
            if not self._hall.questions.is_free:  # the others have time
                return
            try:
                await self._judge(one)
                self._failed.pop(one.run_id, None)
            except Exception as error:
                self._put_off(one.run_id, error)
                if isinstance(error, Busy):  # with something else, most likely
                    self._rests_until = time.monotonic() + error.retry_after
                    return

    async def _judge(self, one: Waiting) -> None:
        self._hall.disk.check_room()
        told: Mapping[str, Run | None] = {}
        if one.record is not None:
            told = await self._hall.questions.ask(WHO, judged, one.record, one.seats)
        await self._hall.write(partial(skills.keep, run_id=one.run_id, told=told))

    def _put_off(self, run_id: str, error: Exception) -> None:
        LOG.warning("the coach could not look at the run %s: %s", run_id, error)
        times, _ = self._failed.get(run_id, (0, 0.0))
        self._failed[run_id] = times + 1, time.monotonic() + min(MUCH_LATER, LATER * 2.0**times)


def judged(record: dict[str, Any], seats: Mapping[str, int]) -> dict[str, Run | None]:
    """How each of these players did in a finished game: None where the coach can never tell. Asked in a crew."""
    try:
        played = from_json(record)
        return {player_id: run_of(report(played, seat)) for player_id, seat in seats.items()}
    except DicehallError as error:
        LOG.error("the coach can tell nothing of a rated game: %s", error)
        return dict.fromkeys(seats)
