"""A player for Pig: holds at the number after the colon, as in hold:20."""

from __future__ import annotations

from typing import Any

from dicehall.bots.player import BotKind


def hold(at: int) -> Any:
    return lambda state: "hold" if state.pile >= at else "roll"


HOLD = BotKind("hold", ("pig",), "holds at N points or more, as in hold:20", hold, range(1, 1001))
