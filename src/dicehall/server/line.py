"""A WebSocket with a short way between a table and its clients.

uvicorn passes every message through a queue to a task that waits for it, and answers take a similar way back. Nothing
is as frequent here as a move, which comes in once and goes out to every tab; so, once a client sits at a table, a
message is handed to a function at once, and what goes out is one ready frame for everybody. This is the only file that
knows how uvicorn does it; HTTP is in http.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.utils import apply_mask

from dicehall.server.bucket import Bucket
from dicehall.server.door import Visitor
from dicehall.server.wire import TEXT, Close

LINGER: Final = 2.0  # seconds in which a client may hear of the end, and answer
PIECE: Final = 1024  # bytes that the library gets at once
FRAMES: Final = (300, 100)  # of one socket, of any kind but moves that came alone: at once, and every second


class Line(Visitor, WebSocketsSansIOProtocol):
    _hear: Callable[[bytes], None] | None = None
    _drained: Callable[[], None] | None = None
    _frames_read = 0  # since they were counted
    _frames: Bucket | None = None  # how many more may come
    _between_frames = True  # what has come so far were whole messages: the next byte begins another

    async def run_asgi(self) -> None:
        scope: Any = self.scope
        scope["line"] = self
        await super().run_asgi()

    def take_over(self, hear: Callable[[bytes], None], drained: Callable[[], None]) -> None:
        """From now on `hear` gets the messages; `drained` is called when a slow client can take more."""
        self._hear, self._drained = hear, drained
        waiting: list[Any] = [self.queue.get_nowait() for _ in range(self.queue.qsize())]
        for message in waiting:
            if message["type"] == "websocket.receive":
                hear(message["bytes"])
            else:  # it has gone already; whoever waits for that still hears of it
                self.queue.put_nowait(message)
        if self.read_paused:
            self.read_paused = False
            if self.is_clear:
                self.transport.resume_reading()

    def let_go(self) -> None:
        """Nobody sits here any more. What points in a circle would otherwise wait, table and all, for the collector."""
        self._hear = self._drained = None
        scope: Any = self.scope
        scope.pop("line", None)

    @property
    def is_clear(self) -> bool:
        """Whether the client takes what it is sent. A slow one is shown the newest when it is ready for it."""
        return self.writable.is_set()

    def hang_up_soon(self) -> None:
        """A client that has been told to go has a moment to answer. Until then others may have its place."""
        self.door.rest(self.transport)
        self.loop.call_later(LINGER, self.transport.abort)

    def write(self, frame: bytes) -> None:
        if not self.close_sent and not self.transport.is_closing():
            self.transport.write(frame)

    # -- uvicorn calls these

    def data_received(self, data: bytes) -> None:
        # Nearly always it is one short frame that has come as a whole: a move. Anything else is for the library to
        # understand, and so is all that follows once something has come in pieces.
        whole = len(data) >= 6 and data[0] & 0x80 and data[1] == 0x80 + len(data) - 6 and len(data) < 6 + 126
        if whole and data[0] == TEXT and self._hear is not None and self._between_frames and not self.close_sent:
            return self._hear(apply_mask(data[6:], data[2:6]))
        if self.handshake_initiated:
            self._between_frames = self._between_frames and _are_whole_frames(data)
        # in pieces: the library reads all that it gets before anybody can say that it is enough
        for start in range(0, len(data), PIECE):
            super().data_received(data[start : start + PIECE])
            if self._frames_are_too_many() or self.transport.is_closing():
                return None
        return None

    def handle_text(self, event: Frame) -> None:
        self._frames_read += 1
        super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        self._frames_read += 1
        super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        self._frames_read += 1
        super().handle_cont(event)

    def handle_ping(self) -> None:
        self._frames_read += 1
        super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        self._frames_read += 1
        super().handle_pong(event)

    def _frames_are_too_many(self) -> bool:
        """Pings and pieces are no messages, and nobody else counts them. Whoever floods us with them is cut off."""
        if self._frames is None:
            limits = self.door.settings.limits
            self._frames = Bucket(FRAMES[0] * limits, FRAMES[1] * limits)
        self._frames.charge("", self._frames_read)
        self._frames_read = 0
        if self._frames.allow("", 0) or self.close_sent:
            return False
        self.conn.send_close(Close.TOO_MUCH, "too many frames")
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.pause_reading()  # closed now, what still comes would have it reset before that was read
        self.hang_up_soon()
        return True

    def send_receive_event_to_app(self) -> None:
        # Text stays bytes, so that wrong UTF-8 is refused like any other nonsense, without a trace in the log.
        self.curr_msg_data_type = "bytes"
        if self._hear is None:
            super().send_receive_event_to_app()
        elif not self.close_sent:
            data, self.frames = b"".join(self.frames), []
            self._hear(data)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._hear is not None and not self.read_paused:  # who does not listen is not listened to
            self.transport.pause_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._drained is not None:
            self.transport.resume_reading()
            self._drained()


def _are_whole_frames(data: bytes) -> bool:
    """Whether these are short frames, as clients mask them, none of which waits for more: a hello, say, and a move."""
    start = 0
    while start + 6 <= len(data) <= PIECE:
        if not data[start] & 0x80 or not 0x80 <= data[start + 1] < 0x80 + 126:
            return False
        start += data[start + 1] - 0x80 + 6
    return start == len(data)
