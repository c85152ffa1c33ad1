"""Players: a guest account on the first visit, a nickname if wanted, another device, everything exported or deleted."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection

from dicehall.server.api.common import PROBLEMS, MeOrNobody, NotFound, TheGuard, TheHall, TheMe, TooFast
from dicehall.server.guard import address
from dicehall.server.hall import Hall
from dicehall.server.models import Me, Redeem, Rename, TransferCode
from dicehall.server.modes import day_of
from dicehall.store import daily, players
from dicehall.store.players import Player

router = APIRouter(prefix="/api/me", tags=["players"], responses=PROBLEMS)


async def _describe(hall: Hall, player: Player) -> Me:
    return await hall.read(lambda c: describe(c, player, day_of(hall.clock())))


def describe(connection: Connection, player: Player, today: str) -> Me:
    current, longest = daily.streak(connection, player.id, today)
    return Me(
        id=player.id,
        nickname=player.nickname,
        created_at=player.created_at,
        streak=current,
        longest_streak=longest,
    )


async def _found(hall: Hall, player_id: str, token: str) -> Player:
    player = await hall.read(lambda c: players.authenticate(c, player_id, token))
    assert player is not None, "it has just been written"
    return player


@router.post("")
async def arrive(request: Request, response: Response, hall: TheHall, guard: TheGuard, found: MeOrNobody) -> Me:
    """My account; a new guest's if I have none yet."""
    if found is None:
        if not guard.accounts.allow(name := address(request)):
            wait = guard.accounts.wait(name)
            raise TooFast("too-many-accounts", "too many new accounts from this address; wait a minute", wait)
        hall.disk.check_room()
        now = hall.clock()
        player_id, token = await hall.write(lambda c: players.create(c, now))
        guard.sign_in(response, player_id, token)
        found = await _found(hall, player_id, token)
    return await _describe(hall, found)


@router.get("")
async def look(hall: TheHall, me: TheMe) -> Me:
    return await _describe(hall, me)


@router.patch("")
async def rename(change: Rename, hall: TheHall, guard: TheGuard, me: TheMe) -> Me:
    await hall.write(lambda c: players.rename(c, me.id, change.nickname))
    guard.forget(me.id)
    return await _describe(hall, Player(me.id, change.nickname.strip(), me.created_at))


@router.post("/transfer")
async def transfer(hall: TheHall, me: TheMe) -> TransferCode:
    """A code to type on another device, which then plays under this account."""
    now = hall.clock()
    return TransferCode(code=await hall.write(lambda c: players.start_transfer(c, me.id, now)), expires_in=15 * 60)


@router.post("/redeem")
async def redeem(request: Request, code: Redeem, response: Response, hall: TheHall, guard: TheGuard) -> Me:
    if not guard.accounts.allow(name := address(request)):
        raise TooFast("too-many-codes", "too many codes from this address; wait a minute", guard.accounts.wait(name))
    now = hall.clock()
    found = await hall.write(lambda c: players.redeem(c, code.code, now))
    if found is None:
        raise NotFound("transfer-code", "that code is not valid, or not any more")
    player_id, token = found
    guard.sign_in(response, player_id, token)
    return await _describe(hall, await _found(hall, player_id, token))


@router.get("/export")
async def export(hall: TheHall, me: TheMe) -> dict[str, Any]:
    """Everything the hall knows about me."""
    return await hall.read(lambda c: players.export(c, me.id))


@router.delete("", status_code=204)
async def delete(response: Response, hall: TheHall, guard: TheGuard, me: TheMe) -> None:
    """My account and all that belongs to it, for good."""
    await hall.write(lambda c: players.delete(c, me.id))
    guard.forget(me.id)
    hall.forget_player(me.id)
    guard.sign_out(response)
