"""What can go wrong: not notation, not allowed here, not an option, not a true record, no room for what was asked for.

Every error carries a `code` that screens turn into a sentence in the player's language, and an English sentence for
developers. All of them are `ValueError`s, so a caller who does not care can catch just that.
"""

from __future__ import annotations

import errno
from typing import Any, Final

# What is wrong with the place that we write to, and not with its name.
NO_ROOM: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EPIPE, errno.EBADF}


class DicehallError(ValueError):
    """The common parent: whatever Dicehall refuses, it refuses with one of these."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, str(self))


class InvalidText(DicehallError):
    """The text is not a move, a state, a seed or a record at all."""


class InvalidOption(DicehallError):
    """No such game, option, preset, player or number of seats, or a value it cannot take."""


class IllegalMove(DicehallError):
    """A move, but not one that is allowed here; the state stays as it was."""


class InvalidRecord(DicehallError):
    """The record is readable but not true. `step` counts from 1; the end of the run is one past the last step."""

    def __init__(self, code: str, message: str, step: int) -> None:
        super().__init__(code, message)
        self.step = step

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, str(self), self.step)


class NotWritten(DicehallError):
    """The answer is there, but the disk is full, or nobody reads it any more."""


def not_written(path: object, failure: OSError) -> DicehallError:
    """The error about a file, or whatever else `path` names, that could not be written."""
    sentence = f"cannot write {str(path)[:80]!r}: {failure.strerror or failure}"
    return NotWritten("output", sentence) if failure.errno in NO_ROOM else InvalidOption("file", sentence)


def excerpt(value: object, limit: int = 40) -> str:
    """A short quotation of somebody's input for an error message, however large the input is."""
    if isinstance(value, str):
        return repr(value if len(value) <= limit else value[: limit - 1] + "…")
    if isinstance(value, bool | None):
        return repr(value)
    if isinstance(value, int):
        return str(value) if -(10**limit) < value < 10**limit else "a huge number"
    if isinstance(value, float):
        return repr(value)
    return f"a {type(value).__name__}"
