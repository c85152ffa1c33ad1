"""One client that looks for a quick match."""

from __future__ import annotations

from dicehall.server import wire
from dicehall.server.guard import Guard
from dicehall.server.quick import LeavesGames, Looking, QuickMatch
from dicehall.server.tab import Socket
from dicehall.server.wire import Close


class Search:
    """One client that looks for a game: it is told how it stands until it goes, or somebody is found."""

    def __init__(self, socket: Socket, quick: QuickMatch, guard: Guard) -> None:
        self.socket, self.quick, self.guard = socket, quick, guard
        self._looking: Looking | None = None

    async def talk(self, player_id: str, pool: str) -> None:
        try:
            self._looking = await self.quick.look(player_id, pool, self.look)
        except LeavesGames as error:
            told = wire.QuickRefused(error.code, self.quick.hall.now_ms(), error.until_ms)
            self.socket.line.write(wire.frame(told))
            return await self.socket.close(Close.TOO_SOON, error.code)
        try:
            self.look()
            await self.socket.left()
        finally:
            self.quick.stop(self._looking)

    def look(self) -> None:
        if self._looking is not None and self.socket.line.is_clear and not self.socket.is_closing:
            self.socket.line.write(self.quick.shown(self._looking, self.guard.here()))
