"""Packs the network of classic Knucklebones into its book, which `dicehall.coach.knucklebones.network` reads.

A unit's numbers differ little from one pair to the next. What is kept of each is the step from the one before (of the
first of a unit, from the last of the unit before), counted as 0, -1, 1, -2 ... from 0 up: the low bytes of all steps,
and then the high ones.
"""

from __future__ import annotations

import json
import zlib
from typing import Any, Final, NamedTuple

import numpy as np

from dicehall.coach.book import packaged_book
from dicehall.coach.knucklebones.network import BOOK, BOOK_VERSION, MOST, ONE, UNITS, WHOLE, ZERO
from dicehall.coach.knucklebones.pairs import NO_PAIR
from dicehall.rules import knucklebones

CURVE: Final = 12  # units of the curve, beyond which a chance does not change


class Taught(NamedTuple):
    """A network, in whole numbers."""

    numbers: Any  # [pair, unit]; a weight is so many times the `scale` of its unit
    scale: Any  # [unit]
    curve: Any  # by what the units come to, from nothing up: the chance to win, of ONE
    opening: list[float]  # by the first die of a game: the true chance of the seat that rolls next


def curve_of(one: float) -> Any:
    """The curve, if `one` is a unit of it."""
    return np.rint(ONE / (1 + np.exp(-np.arange(int(CURVE * one) + 1) / one))).astype(np.int32)


def bind(network: Taught) -> bytes:
    """The book."""
    numbers, scale = network.numbers[:NO_PAIR].astype(np.int32), network.scale.astype(np.int32)
    assert numbers.shape == (NO_PAIR, UNITS)
    assert abs(numbers).max() <= MOST
    assert abs(numbers * scale).max() < ZERO
    steps = np.diff(numbers.T.ravel(), prepend=0)
    counted = np.where(steps >= 0, 2 * steps, -2 * steps - 1)
    chapters = {"low": counted & 255, "high": counted >> 8, "scale": scale, "curve": np.diff(network.curve)}
    assert all(chapter.max() < 256 for chapter in chapters.values())
    packed = {title: zlib.compress(chapter.astype(np.uint8).tobytes(), 9) for title, chapter in chapters.items()}
    body = b"".join(packed.values())
    about = {
        "version": BOOK_VERSION, "rules": knucklebones.VERSION, "crc32": zlib.crc32(body),
        "chapters": {title: len(chapter) for title, chapter in packed.items()},
        "opening": [round(value * WHOLE) for value in network.opening],
    }  # fmt: skip
    return json.dumps(about).encode() + b"\n" + body


def read_network() -> Taught:
    """The one that is packaged."""
    book = packaged_book(BOOK, BOOK_VERSION, knucklebones.VERSION)
    low, high, scale, curve = (
        np.frombuffer(zlib.decompress(book.chapters()[title]), np.uint8).astype(np.int32)
        for title in ("low", "high", "scale", "curve")
    )
    counted = low + 256 * high
    numbers = np.cumsum(np.where(counted % 2 == 0, counted // 2, -(counted // 2) - 1)).reshape(UNITS, NO_PAIR).T
    curve = np.concatenate([[ONE // 2], ONE // 2 + np.cumsum(curve)]).astype(np.int32)
    return Taught(numbers, scale, curve, [value / WHOLE for value in book.about["opening"]])
