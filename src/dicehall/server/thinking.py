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
from dicehall.server.live import LiveTable

QUICKLY: Final = 0.25  # seconds for the first question about a variant
RECOMMEND_SECONDS: Final = 1.0  # that a table waits for what Farkle recommends
MOST_VARIANTS: Final = 1000
QUESTIONS_EACH: Final = 8  # of one network that may wait


class Thinking:
    """`limits` scales what each network may ask of the two crews."""

    def __init__(self, limits: float) -> None:
        cores = os.cpu_count() or 1
        # what bots play: somebody at a table waits for it, and is never refused, only made to wait for their turn
        self.replies = Crew("replies", cores, 10, 4000, 4000, 1e9, 5)
        # all that somebody asks for
        self.questions = Crew("questions", max(1, cores // 2), 20, 60, QUESTIONS_EACH, 30 * limits, 10)
        self._quick: OrderedDict[Any, bool] = OrderedDict()  # variants whose first question was asked

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

    async def let_bots_play(self, live: LiveTable) -> None:
        """Until it is a person's turn, or the run is over."""
        table, crew = live.table, self.replies if live.quick else self.questions
        while (bot := live.bots.get(seat := table.actor)) is not None:
            if bot.thinks:
                asked = table.game.id, table.game.version, bot.name, bot.seed, seat, table.state, table.dice_used
                for move in await crew.ask(live.network, jobs.chosen_moves, *asked):
                    table.play(move)
            else:
                table.play(bot.choose(table.state))
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
