"""How a hall is set up. Everything has a default that is right for one person on one machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dicehall.server.clock import HallClock


@dataclass(frozen=True, slots=True)
class Settings:
    database: str  # a URL of SQLAlchemy
    key: bytes  # signs cookies
    hosts: tuple[str, ...] = ()  # names it is asked for under, beside those of this machine for itself
    https: bool = False  # behind a proxy that speaks it
    limits: float = 1.0  # all rate limits and numbers of sockets, times this
    connections: int = 4000
    connections_of_network: int = 400  # of them, from one address
    seconds_to_ask: float = 10.0  # of silence, before a request
    seconds_to_send: float = 10.0  # a request with its body
    seconds_to_read: float = 30.0  # what has been sent
    seconds_to_refuse: float = 1.0  # a request that came too soon, up to twice that: as long, it cannot ask again
    clock: Callable[[], int] = field(default_factory=HallClock)
