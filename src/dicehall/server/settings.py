"""How a hall is set up. Everything has a default that is right for one person on one machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from dicehall.server.clock import HallClock


@dataclass(frozen=True, slots=True)
class Settings:
    database: str  # a URL of SQLAlchemy
    key: bytes  # signs cookies
    origins: tuple[str, ...] = ()  # pages of other hosts that may play here
    secure_cookies: bool = False  # behind HTTPS
    limits: float = 1.0  # all rate limits, times this
    clock: Callable[[], int] = field(default_factory=HallClock)
