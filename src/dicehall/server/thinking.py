"""What takes thought at a table, beside the event loop: moves of bots who play by advice, what Farkle recommends."""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from contextlib import suppress
from typing import Any, Final

from dicehall.coach.advise import recommended, recommends
from dicehall.server import jobs
from dicehall.server.crew import Busy, Crew, TooLong
from dicehall.server.live import Bot, LiveTable

QUICKLY: Final = 0.25  # seconds for the first question about a variant
RECOMMEND_SECONDS: Final = 1.0  # that a table waits for what Farkle recommends
MOST_VARIANTS: Final = 1000
QUESTIONS_EACH: Final = 8  # of one network that may wait
MOST_AHEAD: Final = 3  # moves that are answered before they are made: as many as Knucklebones ever has


class Thinking:
    """`limits` scales what each network may ask of the two crews."""

    def __init__(self, limits: float) -> None:
        cores = os.cpu_count() or 1
        # what bots play: somebody at a table waits for it, and is never refused, only made to wait for their turn
        self.replies = Crew("replies", cores, 10, 4000, 4000, 1e9, 5)
        # all that somebody asks for
        self.questions = Crew("questions", max(1, cores // 2), 20, 60, QUESTIONS_EACH, 30 * limits, 10)
        self._quick: OrderedDict[Any, bool] = OrderedDict()  # variants whose first question was asked
        self._ahead: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        self.replies.close()
        self.questions.close()

    async def get_ready(self, live: LiveTable) -> None:
        """Bots who play by advice ask a first question about a variant, which may take seconds. Where it does, their
        crew is that of all other questions: those who play usual variants do not wait for it."""
        if not any(bot.thinks for bot in live.bots.values()):
            return
        game, options, seats = live.table.game, live.table.options, len(live.table.seats)
        variant = game.id, game.version, options, seats
        if game.is_usual(options):
            return  # these are known by heart
        if variant not in self._quick:
            asked = jobs.seconds_to_advise, game.id, game.version, options.changed(), seats
            with suppress(Busy, TooLong):  # nobody is kept from a table for that: its bots ask when they have to
                self._quick[variant] = await self.questions.ask(live.network, *asked) < QUICKLY
            if len(self._quick) > MOST_VARIANTS:
                self._quick.popitem(last=False)
        live.quick = self._quick.get(variant, False)

    def play_what_is_known(self, live: LiveTable) -> Bot | None:
        """Let bots play as long as nobody has to think. The bot who has to, if there is one."""
        table = live.table
        while live.bots and (bot := live.bots.get(table.actor)) is not None:
            if not bot.thinks:
                table.play(bot.choose(table.state))
            elif moves := live.replies.get(table.game.rules.state_text(table.state)):
                for move in moves:
                    table.play(move)
            else:
                return bot
        return None

    def think_ahead(self, live: LiveTable) -> None:
        """While a person thinks, so do bots, where nobody else needs the crew: their replies are known at once then."""
        if not live.bots:
            return
        live.replies = {}
        table, names = live.table, {seat: bot.name for seat, bot in live.bots.items() if bot.thinks}
        if not (names and live.watchers and live.quick and self.replies.is_free):
            return
        if table.actor >= 0 and not table.departures and len(table.game.rules.legal(table.state)) <= MOST_AHEAD:
            task = asyncio.get_running_loop().create_task(self._think_ahead(live, names))
            self._ahead.add(task)
            task.add_done_callback(self._ahead.discard)

    async def _think_ahead(self, live: LiveTable, names: dict[int, str]) -> None:
        table, seed = live.table, next(iter(live.bots.values())).seed
        asked = table.game.id, table.game.version, names, seed, table.state, table.dice_used
        with suppress(Exception):  # then they think when it is their turn, and what is wrong is seen there
            live.replies = await self.replies.ask(live.network, jobs.replies, *asked)

    async def let_bots_play(self, live: LiveTable) -> None:
        """Until it is a person's turn, or the run is over."""
        table, crew = live.table, self.replies if live.quick else self.questions
        while (bot := self.play_what_is_known(live)) is not None:
            asked = table.game.id, table.game.version, bot.name, bot.seed, table.actor, table.state, table.dice_used
            for move in await crew.ask(live.network, jobs.chosen_moves, *asked):
                table.play(move)
        await self.recommend(live)

    async def recommend(self, live: LiveTable) -> None:
        game, state = live.table.game, live.table.state
        if takes_long_to_recommend(live):
            asked = self.questions.ask(live.network, jobs.recommended_keep, game.id, game.version, state)
            live.recommended = None
            with suppress(Busy, TooLong, TimeoutError):  # one can play without it
                live.recommended = await asyncio.wait_for(asked, RECOMMEND_SECONDS)
        else:
            live.recommended = recommended(game, state)


def takes_long_to_recommend(live: LiveTable) -> bool:
    """What is recommended is solved once for each variant, in some ten milliseconds; the usual ones are soon all
    known."""
    game = live.table.game
    return recommends(game) and not game.is_usual(live.table.options)
