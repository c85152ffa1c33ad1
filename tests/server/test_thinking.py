"""Players of the house think while a person does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest

from dicehall.bots.player import play_on, player
from dicehall.play.table import Table
from dicehall.server import jobs
from dicehall.server.crew import Crew
from dicehall.server.jobs import replies
from tests.server.running import Server
from tests.server.test_operator import soon


@pytest.mark.parametrize("bot", ["perfect", "level:3"])
def test_what_is_thought_ahead_is_what_they_play(own_server: Server, monkeypatch: pytest.MonkeyPatch, bot: str) -> None:
    """With every reply known before it is needed, nobody waits for one, and the run is the same."""
    guest, hall, random = own_server.guest(), own_server.app.state.hall, Random(1)
    asked: list[Any] = []
    ask = hall.thinking.replies.ask

    async def noted(who: str, about: Callable[..., Any], *what: Any) -> Any:
        asked.append(about)
        return await ask(who, about, *what)

    def has_replies(table_id: str, known: dict[str, list[Any]]) -> bool:
        return bool(hall._live[table_id].replies == known)

    monkeypatch.setattr(hall.thinking.replies, "ask", noted)
    alone = Table("knucklebones", seats=("you", bot), seed="ahead")
    table_id = guest.open("knucklebones", seats=["you", bot], kind="practice", seed="ahead")
    with guest.sit(table_id) as tab:
        tab.move(move := random.choice(tab.moves))
        while True:
            alone.play(move)
            play_on(alone, {1: player(bot, alone.game, "ahead", 1)})
            assert tab.steps == list(alone.steps)
            if tab.is_over:
                break
            known = replies("knucklebones", 1, {1: bot}, "ahead", alone.state, alone.dice_used)
            soon(partial(has_replies, table_id, known))
            tab.move(move := random.choice(tab.moves))
    assert asked.count(jobs.chosen_moves) == 1, "after the first move, which nobody had thought about"


def test_where_the_crew_is_needed_they_think_when_it_is_their_turn(
    own_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Crew, "is_free", False)
    guest, hall = own_server.guest(), own_server.app.state.hall
    table_id = guest.open("knucklebones", seats=["you", "perfect"], kind="practice", seed="ahead")
    with guest.sit(table_id) as tab:
        tab.play_on(Random(1), 3)
        assert not hall._live[table_id].replies
        tab.play_on(Random(1))
        assert tab.is_over
