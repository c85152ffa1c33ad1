"""Dice: published for ever, fair, and open to proof."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from dicehall import dice
from dicehall.dice import (
    FACES,
    DiceRanOut,
    ScriptedDice,
    SeededDice,
    Stream,
    SystemDice,
    commitment,
    contribution_seal,
    fresh_secret,
    fresh_seed,
    joint_seed,
    mixed,
    next_seed,
    seed_text,
)
from dicehall.errors import InvalidText
from tests.soak import times

# The published vectors: first twenty dice, and SHA-256 of the first thousand written as digits. They never change.
VECTORS = {
    "demo": (
        "21113115422624453155",
        "19eaad3e86799fd5f82804234d514710e4c03fe714d40866a4670358872aff63",
    ),
    "0": (
        "53314145241261226325",
        "df9d7ae2311c6a0cb5dbbeead0c4dd1d761e4b679cf1bf2397f8e526ff9e1280",
    ),
    "42": (
        "43436532646241325611",
        "650a65b39a9670328c27b0b93396f051e683489b2addbc701ae1069f6a1d826d",
    ),
    "Würfel": (
        "53523626552334532353",
        "4700f83281acba8c22907532c5ad502ac5b9370201131928988c1e09a4a40c91",
    ),
    "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff/mine": (
        "21246131415433423213",
        "450b4de70e2be73d22c9204e3ea9b95cb538f4e0284af47a1fca9e0ad1c4adbd",
    ),
}
SECRET = "00112233445566778899aabbccddeeff" * 2

# Upper 0.1% points of the chi-square distribution, by degrees of freedom (any statistics table).
CHI_SQUARE_999 = {5: 20.515, 35: 66.619, 215: 283.92}


def first(seed: int | str, count: int) -> list[int]:
    source = SeededDice(seed)
    return [source.die(index) for index in range(count)]


def by_hand(seed: str, count: int) -> list[int]:
    """The algorithm of docs/dice.md again, from its sentences."""
    found: list[int] = []
    block = 0
    while len(found) < count:
        for byte in hmac.new(seed.encode(), f"dicehall/1/dice/{block}".encode(), hashlib.sha256).digest():
            if byte < 252:
                found.append(byte % 6 + 1)
        block += 1
    return found[:count]


@pytest.mark.parametrize("seed", VECTORS)
def test_the_published_vectors_hold(seed: str) -> None:
    twenty, digest = VECTORS[seed]
    thousand = "".join(map(str, first(seed, 1000)))
    assert thousand[:20] == twenty
    assert hashlib.sha256(thousand.encode()).hexdigest() == digest


@pytest.mark.parametrize("seed", ["demo", "0", "Würfel", "x" * 200])
def test_the_algorithm_is_as_published(seed: str) -> None:
    assert first(seed, 1000) == by_hand(seed, 1000)


def test_an_integer_and_its_digits_are_one_seed() -> None:
    assert first(42, 50) == first("42", 50)
    assert first(-7, 50) == first("-7", 50)


def test_dice_can_be_read_in_any_order() -> None:
    source = SeededDice("order")
    assert source.die(500) == first("order", 501)[500]
    assert source.die(3) == first("order", 4)[3]
    assert repr(source) == "SeededDice('order')"


@pytest.mark.parametrize("bad", ["", "x" * 201, 10**200, -(10**200), True, None, 1.5, [], "\ud800"])
def test_bad_seeds_are_refused(bad: object) -> None:
    with pytest.raises(InvalidText):
        seed_text(bad)  # type: ignore[arg-type]


def chi_square(counts: Mapping[Any, int], cells: int) -> float:
    total = sum(counts.values())
    expected = total / cells
    return sum((counts.get(cell, 0) - expected) ** 2 / expected for cell in counts) + expected * (cells - len(counts))


def test_faces_pairs_and_triples_are_fair_over_many_seeds() -> None:
    """Three million dice of three thousand seeds; seeds that differ by one are as good as any."""
    faces: Counter[tuple[int, ...]] = Counter()
    pairs: Counter[tuple[int, ...]] = Counter()
    triples: Counter[tuple[int, ...]] = Counter()
    for seed in range(times(3000, 20_000)):
        rolled = first(seed, 1000)
        faces.update((die,) for die in rolled)
        pairs.update(zip(rolled[::2], rolled[1::2], strict=True))
        triples.update(zip(rolled[:999:3], rolled[1:999:3], rolled[2:999:3], strict=True))
    assert chi_square(faces, 6) < CHI_SQUARE_999[5]
    assert chi_square(pairs, 36) < CHI_SQUARE_999[35]
    assert chi_square(triples, 216) < CHI_SQUARE_999[215]


def test_neighbours_in_time_and_across_seeds_are_independent() -> None:
    """Serial pairs at several lags within a seed, and the n-th die of one seed against the next seed's."""
    streams = [first(f"serial {seed}", 1000) for seed in range(300)]
    for lag in (1, 2, 5, 31, 32):
        serial = Counter((s[i], s[i + lag]) for s in streams for i in range(0, 1000 - lag, lag + 1))
        assert chi_square(serial, 36) < CHI_SQUARE_999[35], lag
    across = Counter(pair for a, b in zip(streams[::2], streams[1::2], strict=True) for pair in zip(a, b, strict=True))
    assert chi_square(across, 36) < CHI_SQUARE_999[35]


def test_the_chi_square_test_can_fail() -> None:
    biased = Counter({(face,): 100_000 + (2_000 if face == 6 else 0) for face in FACES})
    assert chi_square(biased, 6) > CHI_SQUARE_999[5]


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 100, 256, 257, 1000])
def test_streams_draw_evenly_below_n(n: int) -> None:
    stream = Stream("below", "test")
    drawn = Counter(stream.below(n) for _ in range(20_000))
    assert set(drawn) <= set(range(n))
    assert len(drawn) == n or n > 256
    assert max(drawn.values()) < 20_000 / n * 1.6 + 25


def test_a_script_runs_out_and_refuses_what_is_no_die() -> None:
    script = ScriptedDice([1, 6])
    assert [script.die(0), script.die(1)] == [1, 6]
    with pytest.raises(DiceRanOut):
        script.die(2)
    for bad in (0, 7, -1, True, "6", None):
        with pytest.raises(InvalidText):
            ScriptedDice([bad])  # type: ignore[list-item]


def test_the_systems_dice_are_dice_and_remember() -> None:
    system = SystemDice()
    rolled = [system.die(index) for index in range(600)]
    assert set(rolled) == set(FACES)
    assert [system.die(index) for index in range(600)] == rolled


def test_fresh_seeds_and_secrets_are_fresh() -> None:
    assert len({fresh_seed() for _ in range(100)}) == 100
    assert len({fresh_secret() for _ in range(100)}) == 100
    assert len(next_seed("demo")) == 16


def test_a_commitment_opens_with_its_secret_alone() -> None:
    assert commitment(SECRET) == hashlib.sha256(f"dicehall/1/commitment/{SECRET}".encode()).hexdigest()
    changed = SECRET[:-1] + "e"
    assert commitment(changed) != commitment(SECRET)
    for bad in ("", "abc", SECRET.upper(), SECRET + "0", "g" * 64):
        with pytest.raises(InvalidText):
            commitment(bad)


def test_the_players_own_seed_changes_every_die() -> None:
    assert first(mixed(SECRET), 40) != first(mixed(SECRET, "mine"), 40)
    assert mixed(SECRET, 7) == f"{SECRET}/7"
    with pytest.raises(InvalidText):
        mixed(SECRET, "\ud800")


def test_an_own_seed_has_a_greatest_length() -> None:
    """With the secret and a slash before it, it fills a seed to the last character."""
    longest = "x" * 135
    assert len(mixed(SECRET, longest)) == dice.LONGEST_SEED
    assert set(first(mixed(SECRET, longest), 40)) == {1, 2, 3, 4, 5, 6}
    with pytest.raises(InvalidText):
        mixed(SECRET, longest + "x")


# Published too: the secret that counts from 00, seeds that count from 20 and from 40.
SEEDS = [bytes(range(32, 64)).hex(), bytes(range(64, 96)).hex()]
HOUSE = commitment(bytes(range(32)).hex())


def test_the_published_contributions_hold() -> None:
    assert contribution_seal(HOUSE, 0, SEEDS[0]) == "1d49e8770dfa67b05e7f801d6137ba8b5e979d530cf9319960cd8527e4cbce31"
    assert contribution_seal(HOUSE, 1, SEEDS[1]) == "67ee9a6c9fb55d6397a100a699765beffaf48290f4afcaf8aa33d5c6c62f6e91"
    assert joint_seed(SEEDS) == "5f3478c0b24eeca46145dc4250afa80aa12b2b33fc7de0b674ced6f125692481"
    rolled = first(mixed(bytes(range(32)).hex(), joint_seed(SEEDS)), 20)
    assert "".join(map(str, rolled)) == "55362332113261221563"


def test_a_seal_is_of_one_house_one_seat_and_one_seed() -> None:
    seals = {
        contribution_seal(house, seat, seed)
        for house in (HOUSE, commitment(SECRET))
        for seat in range(6)
        for seed in SEEDS
    }
    assert len(seals) == 24
    assert all(len(seal) == 64 and set(seal) <= dice.HEX for seal in seals)


def test_a_joint_seed_depends_on_who_gave_what() -> None:
    assert len({joint_seed(SEEDS), joint_seed(SEEDS[::-1]), joint_seed(SEEDS[:1]), joint_seed([*SEEDS, SECRET])}) == 4


def test_what_is_no_contribution_is_refused() -> None:
    for bad in ("", "abc", SECRET.upper(), SECRET + "0", "g" * 64, None, 5, "\u0663" * 64):
        with pytest.raises(InvalidText):
            contribution_seal(HOUSE, 0, bad)  # type: ignore[arg-type]
        with pytest.raises(InvalidText):
            contribution_seal(bad, 0, SECRET)  # type: ignore[arg-type]
        with pytest.raises(InvalidText):
            joint_seed([SECRET, bad])  # type: ignore[list-item]
    for seat in (-1, True, "0", None, 1.0):
        with pytest.raises(InvalidText):
            contribution_seal(HOUSE, seat, SECRET)  # type: ignore[arg-type]
    with pytest.raises(InvalidText):
        joint_seed([])


def test_the_algorithm_has_a_number() -> None:
    assert dice.ALGORITHM == 1
