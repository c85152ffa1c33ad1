"""Rooms: to ask others to a table, and to follow such an invitation. What happens there goes over the socket,
/ws/rooms/{id}."""

from __future__ import annotations

from fastapi import APIRouter

from dicehall.bots.seats import YOU
from dicehall.errors import DicehallError
from dicehall.server.agreement import Agreement
from dicehall.server.api.common import PROBLEMS, MeOrNobody, Network, TheHall, TheMe, TheRooms, TheWatching
from dicehall.server.models.rooms import FindRoom, FoundRoom, GameNow, OpenRoom, RoomInfo
from dicehall.server.room import Room
from dicehall.server.watching import scores
from dicehall.store import rooms as kept

router = APIRouter(prefix="/api/rooms", tags=["people"], responses=PROBLEMS)


@router.post("", status_code=201)
async def open_room(asked: OpenRoom, rooms: TheRooms, me: TheMe, network: Network) -> RoomInfo:
    """Ask others to a table: whoever has the room's id or its code can come, for a day."""
    agreement = Agreement(
        asked.game,
        asked.options,
        tuple(asked.seats),
        asked.begins,
        asked.best_of,
        asked.clock,
        asked.rated,
        asked.watched,
        asked.same_dice,
        asked.minutes,
        asked.open,
    )
    return _info(await rooms.finish(rooms.open(me.id, agreement, network)), me.id)


@router.get("")
async def my_rooms(hall: TheHall, rooms: TheRooms, me: TheMe) -> list[RoomInfo]:
    """Where I have a place and it goes on, the newest first: there is another game, or somebody asks for one."""
    found = []
    for saved in await hall.read(lambda c: kept.open_rooms(c, me.id)):
        try:
            room = await rooms.find(saved.id)
            if room.goes_on():
                found.append(_info(room, me.id))
        except DicehallError:  # it has just gone, or cannot be read: others are shown all the same
            continue
    return found


@router.get("/now")
async def games_now(watching: TheWatching, me: MeOrNobody) -> list[GameNow]:
    """Up to six games of others that go on now and may be watched, the most interesting first."""
    return [
        GameNow(
            id=room.id,
            game=room.agreement.game,
            mode=room.agreement.mode,
            seats=list(room.agreement.seats),
            names=_names(room),
            ratings=list(one.ratings),
            scores=scores(room, live),
            watchers=room.watching(),
        )
        for one in await watching.going_on(None if me is None else me.id)
        if (live := (room := one.room).live) is not None
    ]


@router.post("/find")
async def find_room(asked: FindRoom, rooms: TheRooms, network: Network) -> FoundRoom:
    """The room of a code."""
    return FoundRoom(room=await rooms.by_code(asked.code, network))


@router.post("/{room_id}/join")
async def join_room(room_id: str, rooms: TheRooms, me: TheMe, network: Network) -> RoomInfo:
    """Take a place there; whoever has one keeps it."""
    return _info(await rooms.finish(rooms.join(me.id, room_id, network)), me.id)


def _info(room: Room, player_id: str) -> RoomInfo:
    place = room.place_of(player_id)
    return RoomInfo(
        id=room.id,
        code=room.saved.code if room.state == "gathering" else None,
        state=room.state,
        game=room.agreement.game,
        mode=room.agreement.mode,
        place=place,
        seats=list(room.agreement.seats),
        names=_names(room),
        same_dice=room.agreement.same_dice,
        open=room.agreement.open,
        turn=place is not None and room.waits_for(place),
        table=room.table_of(place),
        created_at=room.saved.created_at,
    )


def _names(room: Room) -> list[str]:
    return [
        room.names.get(player or "", "") if name == YOU else name
        for name, player in zip(room.agreement.seats, room.people, strict=True)
    ]
