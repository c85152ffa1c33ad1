"""Who is asking, how often, from where, and for whom.

A guest's cookie is `player.token.signature`: the signature (HMAC with the server's own key) turns away made-up cookies
without asking the store, the token is compared with its stored hash.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import re
import time
from collections import OrderedDict
from ipaddress import IPv6Address, IPv6Network, ip_address
from random import uniform
from typing import Final, NamedTuple, Protocol
from weakref import WeakKeyDictionary

from fastapi import Response
from starlette.requests import HTTPConnection

from dicehall.server.bucket import MOST_REMEMBERED, Bucket, Places
from dicehall.server.hall import Hall
from dicehall.server.settings import Settings
from dicehall.store import players
from dicehall.store.players import BANNED, Player

LOG: Final = logging.getLogger("dicehall.server")
COOKIE: Final = "dicehall"
DAY: Final = 86_400
YEAR: Final = 365 * DAY
KNOWN_SECONDS: Final = 30.0  # after which the store is asked again: another hall may have signed somebody out
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
# [an address of IPv6] or a name, and a port
HOST: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\s/@:\[\]]+))(?::[0-9]*)?")


class _Known(NamedTuple):
    """What is remembered of a device's player: most requests need not ask the store."""

    player: Player
    seen_at: int
    until: float  # by a clock for durations


class Caller(Protocol):
    """Somebody with an open socket."""

    def turn_away(self, player: Player | None) -> None:
        """Hang up on a player who is banned, or on a device that is nobody's any more."""


class Guard:
    def __init__(self, hall: Hall, settings: Settings) -> None:
        self.hall, self._key, self._secure = hall, settings.key, settings.https
        self._seconds_to_refuse, scale = settings.seconds_to_refuse, settings.limits
        # by token, with the time when its device was seen: most requests need not ask the store
        self._known: OrderedDict[str, _Known] = OrderedDict()  # by token
        self._forgotten = 0
        self._callers: WeakKeyDictionary[Caller, tuple[str, str]] = WeakKeyDictionary()  # a player's id and a token
        self.requests = Bucket(int(120 * scale), 30 * scale)  # by player, or by address before there is one
        self.messages = Bucket(int(200 * scale), 40 * scale)  # by player, on the socket
        self.requests_of_network = Bucket(int(400 * scale), 100 * scale)  # whoever has many accounts has one network
        self.messages_of_network = Bucket(int(2000 * scale), 400 * scale)
        self.probes_of_network = Bucket(int(60 * scale), 20 * scale)  # beside them: no crowd may keep probes out
        self.paused = Places(int(400 * scale))  # who is refused a little later, by network: all that it may connect
        self.accounts = Bucket(int(20 * scale), 0.1 * scale)  # new guests, by address
        self.sockets = Places(int(20 * scale))  # by player
        self.sockets_of_network = Places(int(200 * scale))  # by address
        self.names = Bucket(max(1, int(10 * scale)), scale / 60)  # new nicknames, by player

    async def signed_in(self, connection: HTTPConnection) -> Player | None:
        """Whoever the cookie belongs to, banned or not."""
        player_id, token = self._cookie(connection)
        if not player_id:
            return None
        known = self._known.get(token)
        if known is not None and known.player.id == player_id and time.monotonic() < known.until:
            return known.player
        for _ in range(3):
            so_far = self._forgotten
            found, seen_at = await self.hall.read(
                lambda c: (players.authenticate(c, player_id, token), players.last_seen(c, token))
            )
            if found is None:
                return None
            if so_far == self._forgotten:  # nobody has changed while we asked
                self._known[token] = _Known(found, seen_at, time.monotonic() + KNOWN_SECONDS)
                if len(self._known) > MOST_REMEMBERED:
                    self._known.popitem(last=False)
                break
        return found

    async def renew(self, connection: HTTPConnection, response: Response, player: Player) -> None:
        """Once a day, note that the signed-in device is used, and let its cookie last for another year."""
        _, token = self._cookie(connection)
        now = self.hall.clock()
        known = self._known.get(token)
        if known is None or now - known.seen_at <= DAY:
            return
        self._known[token] = known._replace(seen_at=now)  # at once: requests that come meanwhile need not do it too
        try:
            await self.hall.write(lambda c: players.see(c, token, now))
        except Exception:  # whoever only looks is not to suffer for a store that cannot be written; it is tried again
            LOG.exception("a device could not be seen")
            self._known.pop(token, None)
        else:
            self.sign_in(response, player.id, token)

    def forget(self, player_id: str) -> None:
        """A player has changed or gone: the store is asked again."""
        self._forgotten += 1
        for token in [token for token, known in self._known.items() if known.player.id == player_id]:
            del self._known[token]

    def attend(self, connection: HTTPConnection, caller: Caller) -> None:
        """Somebody who is signed in has opened a socket: from now on they are looked after by `review`."""
        self._callers[caller] = self._cookie(connection)

    def part(self, caller: Caller) -> None:
        """It is closed."""
        self._callers.pop(caller, None)

    def here(self) -> int:
        """How many players have a socket open."""
        return len(self.who())

    def who(self) -> list[str]:
        """They, by id."""
        return sorted({player_id for player_id, _ in self._callers.values()})

    async def review(self, player_id: str) -> None:
        """A player may have lost a device, or may have been banned: who should not be here any more is turned away."""
        self.forget(player_id)
        theirs = {caller: token for caller, (one, token) in list(self._callers.items()) if one == player_id}
        for caller, token in theirs.items():
            found = await self.hall.read(lambda c, token=token: players.authenticate(c, player_id, token))  # type: ignore[misc]
            if found is None or found.barred == BANNED:
                caller.turn_away(found)

    def token(self, connection: HTTPConnection) -> str:
        """Of the device that asks."""
        return self._cookie(connection)[1]

    def wait_to_ask(self, connection: HTTPConnection, price: int = 1) -> int:
        """Seconds until a request is allowed, and 0 if it is now, in which case it counts for `price`."""
        network = address(connection)
        if not self.requests_of_network.allow(network, price):  # before anything is read that has a cost
            return self.requests_of_network.wait(network, price)
        who = self._cookie(connection)[0] or network
        return 0 if self.requests.allow(who, price) else self.requests.wait(who, price)

    def wait_to_probe(self, connection: HTTPConnection) -> int:
        """Seconds until a probe is allowed, and 0 if it is now, in which case it counts."""
        network = address(connection)
        return 0 if self.probes_of_network.allow(network) else self.probes_of_network.wait(network)

    def allow_message(self, player_id: str, network: str) -> bool:
        """Whether the player may say something over a socket now; it counts."""
        allowed = self.messages.allow(player_id)
        allowed &= self.messages_of_network.allow(network)
        return allowed

    async def pause(self, connection: HTTPConnection) -> bool:
        """Whoever asks too often waits for the refusal, which costs less than to be asked again at once. False without
        a wait if as many of that network wait already: then the connection is to be closed."""
        with self.paused.take(address(connection)) as free:
            if free:
                # not all as long: those who are refused together would come back together
                await asyncio.sleep(self._seconds_to_refuse * uniform(1, 2))
        return free

    def _cookie(self, connection: HTTPConnection) -> tuple[str, str]:
        player_id, _, rest = connection.cookies.get(COOKIE, "").partition(".")
        token, _, signature = rest.partition(".")
        ours = hmac.compare_digest(signature.encode(), self._signature(player_id, token).encode())
        return (player_id, token) if ours else ("", "")

    def sign_in(self, response: Response, player_id: str, token: str) -> None:
        value = f"{player_id}.{token}.{self._signature(player_id, token)}"
        response.set_cookie(COOKIE, value, max_age=YEAR, httponly=True, samesite="lax", secure=self._secure, path="/")

    def sign_out(self, response: Response) -> None:
        response.delete_cookie(COOKIE, path="/")

    def _signature(self, player_id: str, token: str) -> str:
        return hmac.digest(self._key, f"{player_id}.{token}".encode(), "sha256").hex()[:32]


def address(connection: HTTPConnection) -> str:
    """Where it comes from, as limits count."""
    return network(connection.client.host if connection.client else "")


def network(address: str) -> str:
    """An address of IPv4, or the first half of one of IPv6: whoever has one of those has all that begin with it."""
    try:
        found = ip_address(address)
    except ValueError:
        return "unknown"
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Network((int(found), 64), strict=False))


def host_name(text: str) -> str:
    """The name in a `Host` header, without its port; empty if it is none."""
    found = HOST.fullmatch(text)
    if found is None:
        return ""
    if found[2]:
        return found[2].lower()
    try:
        return str(ip_address(found[1]))
    except ValueError:
        return ""


def host_allowed(connection: HTTPConnection, hosts: tuple[str, ...]) -> bool:
    """Whether it is asked for under a name of ours, or under the address that it was reached at. A page that had its
    own name point to this machine would otherwise be a page of ours."""
    asked = connection.headers.getlist("host")
    name = host_name(asked[0]) if len(asked) == 1 else ""
    reached, _ = connection.scope.get("server") or ("", 0)
    return bool(name) and (name in LOOPBACK or name in hosts or name == reached)


def origin_allowed(connection: HTTPConnection, https: bool) -> bool:
    """Browsers name the page that asks. It must be ours; programs that are no browser send no Origin."""
    origin = connection.headers.get("origin")
    scheme = "https" if https or connection.scope["scheme"] in ("https", "wss") else "http"
    return origin is None or origin == f"{scheme}://{connection.headers.get('host', '').lower()}"
