"""Dice that anybody can check.

A seed is a text (an integer is the same seed as its decimal digits). Algorithm 1 turns it into dice like this:

    block k  =  HMAC-SHA256(key = seed as UTF-8, message = "dicehall/1/dice/" + k in decimal),  k = 0, 1, 2, ...
    a byte b of the blocks, in order, is skipped when b >= 252 and otherwise gives the die  b mod 6 + 1

252 is the largest multiple of 6 that a byte can reach, so every face has probability exactly 1/6. The n-th die of a
seed is the same everywhere and for ever; a change would be algorithm 2. `docs/dice.md` has test vectors and a check
by hand with openssl.

Commitment: a ranked run's secret is 64 hex digits. `commitment(secret)` is published before the first roll, the
player may add a seed of their own, and the dice come from `mixed(secret, own)`. Neither side could choose the dice:
the house was bound before it knew the player's seed, the player chose before seeing the secret.

Contributions: where several play, everybody adds a seed of their own, and nobody sees another's before their own is
fixed. Each publishes a `contribution_seal`, which names the house's commitment; when all seals are there, all seeds are
opened, and the `joint_seed` takes the place of the player's own.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from dicehall.errors import DicehallError, InvalidText, excerpt

ALGORITHM: Final = 1
FACES: Final = (1, 2, 3, 4, 5, 6)
LONGEST_SEED: Final = 200
HEX: Final = frozenset("0123456789abcdef")
DIGITS: Final = 64  # of a secret, a commitment, a contribution and its seal: 256 bits

Seed = int | str


class DiceRanOut(DicehallError):
    """A script has no die left; the table goes on with the system's generator and says so in the record."""


class Dice(Protocol):
    """Where a run's dice come from. Indexed, not drawn, so that taking a roll back needs no bookkeeping here."""

    def die(self, index: int) -> int: ...


def seed_text(seed: Seed, *, allow_empty: bool = False) -> str:
    """The canonical text of a seed: `7` and `"7"` are the same seed."""
    if isinstance(seed, bool) or not isinstance(seed, int | str):
        raise InvalidText("seed-type", f"a seed is an integer or a text, not {excerpt(seed)}")
    if isinstance(seed, int):
        if abs(seed) >= 10**LONGEST_SEED:
            raise InvalidText("seed-length", f"a seed has at most {LONGEST_SEED} digits")
        return str(seed)
    if not seed and not allow_empty:
        raise InvalidText("seed-empty", "a seed cannot be empty")
    if len(seed) > LONGEST_SEED:
        raise InvalidText("seed-length", f"a seed has at most {LONGEST_SEED} characters")
    try:
        seed.encode()
    except UnicodeEncodeError:
        raise InvalidText("seed-text", "a seed cannot contain lone surrogates") from None
    return seed


class Stream:
    """Uniform numbers below n from a seed and a label: the dice have one, every bot a stream of its own."""

    def __init__(self, seed: Seed, label: str) -> None:
        self._key = seed_text(seed).encode()
        self._label = label
        self._blocks = 0
        self._bytes = b""
        self._next = 0

    def block(self, k: int) -> bytes:
        return hmac.digest(self._key, f"dicehall/{ALGORITHM}/{self._label}/{k}".encode(), "sha256")

    def below(self, n: int) -> int:
        """0 to n - 1, each equally likely: whole bytes, and what does not divide evenly is drawn again."""
        size = ((n - 1).bit_length() + 7) // 8 or 1
        fair = 256**size - 256**size % n
        while True:
            while len(self._bytes) - self._next < size:
                self._bytes = self._bytes[self._next :] + self.block(self._blocks)
                self._blocks, self._next = self._blocks + 1, 0
            number = int.from_bytes(self._bytes[self._next : self._next + size], "big")
            self._next += size
            if number < fair:
                return number % n


class SeededDice:
    """The dice of a seed, by algorithm 1."""

    def __init__(self, seed: Seed) -> None:
        self.seed = seed_text(seed)
        self._stream = Stream(self.seed, "dice")
        self._dice: list[int] = []
        self._blocks = 0

    def die(self, index: int) -> int:
        while index >= len(self._dice):
            self._dice += [byte % 6 + 1 for byte in self._stream.block(self._blocks) if byte < 252]
            self._blocks += 1
        return self._dice[index]

    def __repr__(self) -> str:
        return f"SeededDice({self.seed!r})"


class ScriptedDice:
    """Predetermined dice, for tests, puzzles and physical dice typed in by hand."""

    def __init__(self, script: Iterable[int]) -> None:
        self.script = tuple(script)
        for die in self.script:
            if isinstance(die, bool) or die not in FACES:
                raise InvalidText("die", f"a die shows 1 to 6, not {excerpt(die)}")

    def die(self, index: int) -> int:
        if index >= len(self.script):
            raise DiceRanOut("script-over", f"the script has {len(self.script)} dice")
        return self.script[index]

    def __repr__(self) -> str:
        return f"ScriptedDice({self.script!r})"


class SystemDice:
    """The system's generator: the fallback when a script runs out or a source fails. It remembers what it rolled."""

    def __init__(self) -> None:
        self._dice: dict[int, int] = {}

    def die(self, index: int) -> int:
        if index not in self._dice:
            import secrets  # here, because only a run that has lost its seed needs it

            self._dice[index] = secrets.randbelow(6) + 1
        return self._dice[index]


def fresh_seed() -> str:
    """A seed nobody has seen, from the system's generator."""
    import secrets

    return secrets.token_hex(8)


def next_seed(seed: Seed) -> str:
    """The seed after this one: a series of fresh runs that somebody else can play too."""
    return Stream(seed, "next").block(0).hex()[:16]


def fresh_secret() -> str:
    """A secret worth committing to: 256 bits in hex."""
    import secrets

    return secrets.token_hex(32)


def commitment(secret: str) -> str:
    """What the house publishes before the first roll: SHA-256 of "dicehall/1/commitment/" + secret."""
    if not is_hex(secret):
        raise InvalidText("secret", "a secret is 64 lower-case hex digits")
    return _digest(f"commitment/{secret}")


def mixed(secret: str, own: Seed = "") -> str:
    """The seed of a committed run. The secret's fixed length makes the mixture unambiguous."""
    own = seed_text(own, allow_empty=True)
    if len(own) > LONGEST_SEED - 65:
        raise InvalidText("seed-length", f"a player's own seed has at most {LONGEST_SEED - 65} characters")
    return f"{secret}/{own}"


def contribution_seal(commitment: str, seat: int, seed: str) -> str:
    """What a seat publishes before any seed is opened: SHA-256 of "dicehall/1/contribution/" + commitment + "/" + seat
    + "/" + seed. As it names the house's commitment it cannot be older, and as it names the seat nobody else can open
    it as their own."""
    if not is_hex(commitment):
        raise InvalidText("commitment", "a commitment is 64 lower-case hex digits")
    if type(seat) is not int or seat < 0:
        raise InvalidText("seat", f"a seat is a number from 0 on, not {excerpt(seat)}")
    return _digest(f"contribution/{commitment}/{seat}/{_contributed(seed)}")


def joint_seed(seeds: Sequence[str]) -> str:
    """What all contributions make together, in the order of their seats: SHA-256 of "dicehall/1/contributions/" + the
    seeds, with a slash between two. Their fixed length makes it unambiguous."""
    if not seeds:
        raise InvalidText("contribution", "a joint seed takes one contribution or more")
    return _digest(f"contributions/{'/'.join(map(_contributed, seeds))}")


def is_hex(text: object) -> bool:
    """Whether this is 256 bits as they are written here: 64 lower-case hex digits."""
    return isinstance(text, str) and len(text) == DIGITS and set(text) <= HEX


def _contributed(seed: str) -> str:
    if not is_hex(seed):
        raise InvalidText("contribution", "a contribution is 64 lower-case hex digits")
    return seed


def _digest(text: str) -> str:
    return hashlib.sha256(f"dicehall/{ALGORITHM}/{text}".encode()).hexdigest()
