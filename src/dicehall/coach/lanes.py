"""Many whole numbers side by side in a large one: what is quick with one number is quick with all of them."""

from __future__ import annotations

from collections.abc import Sequence


class Lanes:
    """Many values side by side in one large number, so that one operation works on all of them.

    Adding, multiplying and dividing without a remainder work as they are. The greater of two values shows in a
    difference: the top bit of its lane, which no value uses, is there when nothing had to be borrowed from it.
    """

    def __init__(self, count: int, highest: int) -> None:
        self.size = highest.bit_length() // 8 + 1
        self.count, self.bits = count, 8 * self.size
        self.tops = self.pack([1 << self.bits - 1] * count)

    def pack(self, values: list[int]) -> int:
        return int.from_bytes(b"".join([value.to_bytes(self.size, "little") for value in values]), "little")

    def unpack(self, number: int) -> list[int]:
        data = number.to_bytes(self.count * self.size, "little")
        return [int.from_bytes(data[at : at + self.size], "little") for at in range(0, len(data), self.size)]

    def best(self, numbers: Sequence[int]) -> int:
        first, *others = numbers
        for other in others:
            not_less = (first | self.tops) - other & self.tops
            if not_less == self.tops:  # everywhere, as it often is
                continue
            keep = not_less - (not_less >> self.bits - 1)  # all bits below the top one
            first = other ^ (first ^ other) & keep
        return first
