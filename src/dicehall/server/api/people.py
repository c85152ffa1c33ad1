"""Players: a guest account on the first visit, a nickname if wanted, their devices, everything exported or deleted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from sqlalchemy import Connection

from dicehall.server.api.common import (
    PAGE,
    PROBLEMS,
    Anybody,
    Network,
    NotFound,
    TheGuard,
    TheHall,
    TheMe,
    TheRooms,
    TooFast,
    check_welcome,
)
from dicehall.server.guard import address
from dicehall.server.hall import Hall
from dicehall.server.labels import device_label
from dicehall.server.models.people import DeviceInfo, Me, Redeem, Rename, Transfer, TransferCode
from dicehall.server.modes import day_of
from dicehall.store import daily, nicknames, players
from dicehall.store.players import CODE_SECONDS, Player
from dicehall.store.schema import json_text

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


def _label(request: Request) -> str:
    return device_label(request.headers.get("user-agent", ""))


@router.post("")
async def arrive(request: Request, response: Response, hall: TheHall, guard: TheGuard, found: Anybody) -> Me:
    """My account; a new guest's if I have none yet."""
    if found is None:
        if not guard.accounts.allow(name := address(request)):
            wait = guard.accounts.wait(name)
            raise TooFast("too-many-accounts", "too many new accounts from this address; wait a minute", wait)
        hall.disk.check_room()
        now = hall.clock()
        player_id, token = await hall.write(lambda c: players.create(c, now, _label(request)))
        guard.sign_in(response, player_id, token)
        found = Player(player_id, "", now)
    check_welcome(found)
    return await _describe(hall, found)


@router.get("")
async def look(hall: TheHall, me: TheMe) -> Me:
    return await _describe(hall, me)


@router.patch("")
async def rename(change: Rename, hall: TheHall, guard: TheGuard, me: TheMe) -> Me:
    name = nicknames.clean(change.nickname)
    if not guard.names.allow(me.id):
        raise TooFast("too-many-names", "too many nicknames; wait a minute", guard.names.wait(me.id))
    await hall.write(lambda c: players.rename(c, me.id, name))
    guard.forget(me.id)
    return await _describe(hall, replace(me, nickname=name))


@router.get("/devices")
async def devices(request: Request, hall: TheHall, guard: TheGuard, me: TheMe) -> list[DeviceInfo]:
    """Where I am signed in, the newest first."""
    found = await hall.read(lambda c: players.devices_of(c, me.id, guard.token(request)))
    return [DeviceInfo(**asdict(one)) for one in found]


@router.delete("/devices", status_code=204)
async def sign_out_others(request: Request, hall: TheHall, guard: TheGuard, me: TheMe) -> None:
    """Sign all my other devices out."""
    await hall.write(lambda c: players.sign_out_others(c, me.id, guard.token(request)))
    await guard.review(me.id)


@router.delete("/devices/{device_id}", status_code=204)
async def sign_out(
    device_id: str, request: Request, response: Response, hall: TheHall, guard: TheGuard, me: TheMe
) -> None:
    """Sign one of my devices out; it may be this one."""
    if not await hall.write(lambda c: players.sign_out(c, me.id, device_id)):
        raise NotFound("device", "there is no such device")
    await guard.review(me.id)
    if await guard.signed_in(request) is None:
        guard.sign_out(response)


@router.post("/transfer")
async def transfer(hall: TheHall, me: TheMe, asked: Transfer | None = None) -> TransferCode:
    """A code to type on another device, which then plays under this account; or a lasting one, to keep."""
    now, lasting = hall.clock(), asked is not None and asked.lasting
    code = await hall.write(lambda c: players.start_transfer(c, me.id, now, lasting))
    return TransferCode(code=code, expires_in=None if lasting else CODE_SECONDS)


@router.post("/redeem")
async def redeem(request: Request, code: Redeem, response: Response, hall: TheHall, guard: TheGuard) -> Me:
    if not guard.accounts.allow(name := address(request)):
        raise TooFast("too-many-codes", "too many codes from this address; wait a minute", guard.accounts.wait(name))
    now = hall.clock()

    def bring(connection: Connection) -> tuple[Player, str] | None:
        found = players.redeem(connection, code.code, now, _label(request))
        player = None if found is None else players.find(connection, found[0])
        if found is None or player is None:
            return None
        check_welcome(player)  # or the code is as it was
        return player, found[1]

    brought = await hall.write(bring)
    if brought is None:
        raise NotFound("transfer-code", "that code is not valid, or not any more")
    player, token = brought
    await guard.review(player.id)  # one device too many has been signed out
    guard.sign_in(response, player.id, token)
    return await _describe(hall, player)


@router.get("/export", response_model=dict[str, Any])
async def export(hall: TheHall, me: TheMe, network: Network) -> StreamingResponse:
    """Everything the hall knows about me."""
    parts = hall.downloads.start(network, _everything(hall, me.id))
    return StreamingResponse(parts, media_type="application/json")


async def _everything(hall: Hall, player_id: str) -> AsyncIterator[str]:
    """One JSON object in pieces: what may be long comes page by page, and nothing is held in between."""
    head = await hall.read(partial(players.export, player_id=player_id))
    yield json_text(head)[:-1]
    for name, moment, read in (
        ("tables", "created_at", players.export_tables),
        ("runs", "finished_at", players.export_runs),
    ):
        yield f',"{name}":['
        after = None
        while page := await hall.read(partial(read, player_id=player_id, after=after, limit=PAGE)):
            yield ("" if after is None else ",") + ",".join(map(json_text, page))
            after = page[-1][moment], page[-1]["id"]
        yield "]"
    yield "}"


@router.delete("", status_code=204)
async def delete(response: Response, hall: TheHall, rooms: TheRooms, guard: TheGuard, me: TheMe) -> None:
    """My account and all that belongs to it, for good. Games with others are given up first."""
    await rooms.forget_player(me.id)
    await hall.write(lambda c: players.delete(c, me.id))
    guard.forget(me.id)
    hall.forget_player(me.id)
    guard.sign_out(response)
