"""What the routes share: who asks, the hall, cursors, and how an error looks."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable, Hashable
from typing import Annotated, Any, Final

from fastapi import Depends, Request, Response

from dicehall.errors import DicehallError, InvalidText
from dicehall.rules.catalog import GAMES, AnyGame
from dicehall.server.guard import Guard, address
from dicehall.server.hall import Hall
from dicehall.server.models.common import Problem
from dicehall.server.rooms import Rooms
from dicehall.server.watching import Watching
from dicehall.store.players import BANNED, Player


class NotSignedIn(DicehallError):
    """No account yet, or a cookie that is not ours."""


class Banned(DicehallError):
    """An account that may not do anything here any more."""


class NotFound(DicehallError):
    """There is no such thing."""


class Hidden(DicehallError):
    """Not for this player's eyes yet."""


class TooFast(DicehallError):
    """More than anybody can play; in `retry_after` seconds it is allowed again."""

    def __init__(self, code: str, message: str, retry_after: int = 1) -> None:
        super().__init__(code, message)
        self.retry_after = retry_after


async def hall(request: Request) -> Hall:
    found: Hall = request.app.state.hall
    return found


TheHall = Annotated[Hall, Depends(hall)]


async def rooms(request: Request) -> Rooms:
    found: Rooms = request.app.state.rooms
    return found


TheRooms = Annotated[Rooms, Depends(rooms)]


async def watching(request: Request) -> Watching:
    found: Watching = request.app.state.watching
    return found


TheWatching = Annotated[Watching, Depends(watching)]


async def guard(request: Request) -> Guard:
    found: Guard = request.app.state.guard
    return found


class Asker:
    """Asks the crew for questions on account of whoever makes a request; the answer is JSON already."""

    def __init__(self, hall: Hall, network: str) -> None:
        self._hall, self._network = hall, network

    async def __call__(self, about: Callable[..., bytes], *what: Any) -> Response:
        return Response(await self._hall.questions.ask(self._network, about, *what), media_type="application/json")

    async def once(self, about: Callable[..., bytes], *what: Hashable) -> Response:
        """For what many ask and nothing changes: the crew is asked by the first of them, the others get the same, also
        while it thinks. What could not be answered is asked again by the next."""
        known, question = self._hall.answers, (about, what)

        def drop_if_failed(done: asyncio.Future[bytes]) -> None:
            if (done.cancelled() or done.exception() is not None) and known.get(question) is done:
                del known[question]

        if (answer := known.get(question)) is None:
            answer = known[question] = asyncio.ensure_future(self._hall.questions.ask(self._network, about, *what))
            answer.add_done_callback(drop_if_failed)
            if len(known) > MOST_ANSWERS:
                known.popitem(last=False)
        # shielded: the first may go away, and the others still wait
        return Response(await asyncio.shield(answer), media_type="application/json")


async def network(request: Request) -> str:
    """Where a request comes from: what is bounded for each address goes by it."""
    return address(request)


Network = Annotated[str, Depends(network)]


async def asker(hall: TheHall, network: Network) -> Asker:
    return Asker(hall, network)


async def anybody(request: Request, response: Response) -> Player | None:
    keeper = await guard(request)
    found = await keeper.signed_in(request)
    if found is not None:
        await keeper.renew(request, response, found)
    return found


async def maybe_me(found: Annotated[Player | None, Depends(anybody)]) -> Player | None:
    """Whoever is banned may still look around, like somebody without an account."""
    return None if found is None or found.barred == BANNED else found


async def me(found: Annotated[Player | None, Depends(anybody)]) -> Player:
    if found is None:
        raise NotSignedIn("not-signed-in", "ask for an account first: POST /api/me")
    check_welcome(found)
    return found


async def named_game(game_id: str) -> AnyGame:
    """The game that the address names."""
    if game_id not in GAMES:
        raise NotFound("game", f"there is no game {game_id[:40]!r}")
    return GAMES[game_id]


def check_welcome(player: Player) -> None:
    if player.barred == BANNED:
        raise Banned("banned", "you are banned from this hall")


Ask = Annotated[Asker, Depends(asker)]
TheGuard = Annotated[Guard, Depends(guard)]
Anybody = Annotated[Player | None, Depends(anybody)]
MeOrNobody = Annotated[Player | None, Depends(maybe_me)]
TheMe = Annotated[Player, Depends(me)]
TheGame = Annotated[AnyGame, Depends(named_game)]

MOST_ANSWERS: Final = 1000  # that the hall remembers, of some hundred bytes each
PAGE: Final = 200  # rows that a download reads at once

PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "Refused, with the reason"},
    401: {"model": Problem, "description": "No account yet"},
    403: {"model": Problem, "description": "Asked by a page of another host or somebody banned, or not to be seen yet"},
    404: {"model": Problem, "description": "There is no such thing"},
    408: {"model": Problem, "description": "The request did not come to its end in time"},
    413: {"model": Problem, "description": "More than a request may hold"},
    421: {"model": Problem, "description": "Asked for under a name that is not this hall's"},
    422: {"model": Problem, "description": "Not a request of this form"},
    429: {"model": Problem, "description": "Too many requests; `Retry-After` says when again"},
    431: {"model": Problem, "description": "More headers than a request may have"},
    503: {"model": Problem, "description": "More than the hall can do now; `Retry-After` says when to come again"},
}


def write_cursor(values: tuple[Any, ...] | None) -> str | None:
    if values is None:
        return None
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode().rstrip("=")


def read_cursor(text: str | None, kinds: tuple[type, ...]) -> tuple[Any, ...] | None:
    if text is None:
        return None
    try:
        values = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, RecursionError):
        values = None
    if (
        not isinstance(values, list)
        or [type(value) for value in values] != list(kinds)
        or any(isinstance(value, int) and abs(value) >= 2**62 for value in values)
        or any(isinstance(value, str) and "\0" in value for value in values)
    ):
        raise InvalidText("cursor", "that is not a cursor of ours")
    return tuple(values)
