"""What people may say to each other at a table: six set phrases, told by code, and not too many at a time.

How often: `BURST` at once, and one more every `REFILL` seconds. What has been said so far is kept as one number: the
millisecond from which on all of `BURST` are there again, 0 for somebody who has said nothing.

>>> full = said(0, now_ms=0)
>>> full, wait_ms(full, now_ms=0)
(10000, 0)
>>> wait_ms(said(said(full, now_ms=0), now_ms=0), now_ms=0)
10000
"""

from __future__ import annotations

from typing import Final, Literal, get_args

from dicehall.errors import InvalidText, excerpt

# In the order in which they are needed: one greets, wishes, praises, sighs, asks for patience and thanks.
Phrase = Literal["hello", "good-luck", "nice-one", "close-one", "one-moment", "thanks"]
PHRASES: Final[tuple[Phrase, ...]] = get_args(Phrase)

BURST: Final = 3
REFILL: Final = 10  # seconds


def read_phrase(code: str) -> Phrase:
    """The phrase that `code` names."""
    for phrase in PHRASES:
        if phrase == code:
            return phrase
    raise InvalidText("phrase", f"a phrase is one of {', '.join(PHRASES)}, not {excerpt(code)}")


def wait_ms(full_ms: int, now_ms: int) -> int:
    """How many milliseconds after `now_ms` somebody with `full_ms` may say the next phrase; 0 for at once."""
    return max(0, full_ms - now_ms - (BURST - 1) * REFILL * 1000)


def said(full_ms: int, now_ms: int) -> int:
    """What `full_ms` becomes with a phrase at `now_ms`. `wait_ms` is asked before."""
    return max(full_ms, now_ms) + REFILL * 1000
