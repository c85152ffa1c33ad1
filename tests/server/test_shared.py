"""What is shared of a run: whose it is, which seat is the player's, and how much may be asked."""

from __future__ import annotations

from random import Random

import pytest

from dicehall.server.operator import Desk
from tests.server.running import Guest, Json, Server

BOT_FIRST = ["standard", "you"]


def played(guest: Guest, seed: int) -> Json:
    with guest.sit(guest.open("lite-versus", kind="practice", seats=BOT_FIRST, seed=str(seed))) as tab:
        tab.play_on(Random(seed))
        return guest.run(tab)


def test_the_players_own_seat_is_compared(server: Server) -> None:
    """Whoever sits there first: to win is better than to lose."""
    ada = server.guest()
    runs = {run["outcome"]: run for run in (played(ada, seed) for seed in range(6))}
    won, lost = runs["won"], runs["lost"]
    assert won["scores"][1] > won["scores"][0]
    assert ada.get(f"/api/runs/{lost['id']}/share", by=won["id"])["compared"] == "beaten"
    assert ada.get(f"/api/runs/{won['id']}/share", by=lost["id"])["compared"] == "missed"
    told = ada.get(f"/api/runs/{won['id']}/share")
    assert (told["seats"], told["scores"], told["outcome"]) == (BOT_FIRST, won["scores"], "won")
    assert [sum(part["n"] for part in seat) for seat in told["parts"]] == won["scores"], "in the order of the seats"


@pytest.mark.parametrize("how", ["hide", "ban"])
def test_a_name_that_is_held_back_is_not_shared(own_server: Server, how: str) -> None:
    """Neither with the run nor with what is shared of it; without a name, it is a guest's."""
    ada, friend = own_server.guest("Ada"), own_server.guest()
    run = ada.play("lite-solo")
    paths = (f"/api/runs/{run['id']}", f"/api/runs/{run['id']}/share")
    assert [friend.get(path)["nickname"] for path in paths] == ["Ada", "Ada"]
    getattr(Desk(own_server.app.state.hall.engine, own_server.clock()), how)(ada.id, "")
    assert [friend.get(path)["nickname"] for path in paths] == ["", ""]


def test_who_is_compared_has_an_id_of_some_length(server: Server) -> None:
    ada = server.guest()
    run = ada.play("lite-solo")
    assert ada.get(f"/api/runs/{run['id']}/share", 200, by="x" * 40)["compared"] is None
    ada.get(f"/api/runs/{run['id']}/share", 422, by="x" * 41)
