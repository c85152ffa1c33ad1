"""Codes of rooms: easily said, hard to guess, and read however they were typed."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dicehall.errors import InvalidText
from dicehall.people.codes import CONSONANTS, LETTERS, OFFENDING, VOWELS, WORD, new_code, read_code

CODES = st.integers(0, 10**30).map(new_code)
PATTERNS = OFFENDING.pattern.split("|")


@given(CODES)
def test_a_code_is_two_words_of_five_letters(code: str) -> None:
    first, second = code.split("-")
    for word in (first, second):
        assert len(word) == 5
        assert all(letter in those for letter, those in zip(word, WORD, strict=True))
    assert not OFFENDING.search(first + second)
    assert read_code(code) == code


@given(CODES, st.data())
def test_it_is_read_however_it_was_typed(code: str, data: st.DataObject) -> None:
    typed = ""
    for letter in code.replace("-", ""):
        looks = {"O": "0OQ", "I": "1ILJ", "L": "1LI", "S": "5S", "Z": "2Z", "K": "KC", "W": "WV"}.get(letter, letter)
        look = data.draw(st.sampled_from(looks))
        typed += data.draw(st.sampled_from([look, look.lower()])) + data.draw(st.sampled_from(["", " ", "-", "–"]))
    assert read_code(typed) == code


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("korab-tumil", "KORAB-TUMIL"),
        ("KORABTUMIL", "KORAB-TUMIL"),
        ("  k0rab tum1l\n", "KORAB-TUMIL"),
        ("ko-ra-bt um il", "KORAB-TUMIL"),
        ("corab-tumi1", "KORAB-TUMIL"),
        ("LILIL-LILIL", "LILIL-LILIL"),
        ("11111 11111", "LILIL-LILIL"),
        ("8080g8080g", "BOBOG-BOBOG"),
    ],
)
def test_what_is_easily_mistaken_is_understood(typed: str, code: str) -> None:
    assert read_code(typed) == code


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "KORAB",
        "KORAB-TUMI",
        "KORAB-TUMILA",
        "KXRAB-TUMIL",
        "KORAB-TUMIX",
        "AKROB-TUMIL",
        "KÖRAB-TUMIL",
        "K" * 9999,
    ],
)
def test_what_cannot_be_a_code_is_refused(typed: str) -> None:
    with pytest.raises(InvalidText, match="two words of five letters") as refused:
        read_code(typed)
    assert refused.value.code == "code"
    assert len(str(refused.value)) < 200


@given(st.text(max_size=20))
@example("ß" * 5)
@example("ı" * 10)
def test_whatever_is_typed_is_a_code_or_refused(typed: str) -> None:
    try:
        code = read_code(typed)
    except InvalidText:
        return
    assert read_code(code) == code


def test_guessing_finds_no_room() -> None:
    """The sum in the docstring, over every code there is."""
    words = ["".join(letters) for letters in product(*WORD)]
    assert len(words) == 102_400
    kept = [word for word in words if not OFFENDING.search(word)]
    # what offends across both words, by where it is cut
    cuts = {(pattern[:n], pattern[n:]) for pattern in PATTERNS for n in range(1, len(pattern))}
    firsts, lasts = {first for first, _ in cuts}, {last for _, last in cuts}
    ends = Counter(frozenset(firsts.intersection(word[-n:] for n in range(1, 6))) for word in kept)
    starts = Counter(frozenset(lasts.intersection(word[:n] for n in range(1, 6))) for word in kept)
    across = sum(
        ends[end] * starts[start] for end in ends for start in starts if cuts.intersection(product(end, start))
    )
    codes = len(kept) ** 2 - across
    assert round(codes / 10**9, 2) == 9.58
    assert 86_400 * 1_000 / codes < 0.01


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_offending_pattern_could_come_up(pattern: str) -> None:
    """No needless ones: it fits somewhere, and no shorter one is in it."""
    places = [LETTERS[n : n + len(pattern)] for n in range(len(LETTERS) - len(pattern) + 1)]
    assert any(all(letter in those for letter, those in zip(pattern, place, strict=True)) for place in places)
    assert not [other for other in PATTERNS if other != pattern and other in pattern]


def test_offending_codes_are_not_drawn() -> None:
    assert OFFENDING.search("PUSOKTITAN")
    drawn = [new_code(seed) for seed in range(2000)]
    assert len(set(drawn)) == 2000
    assert not [code for code in drawn if OFFENDING.search(code.replace("-", ""))]
    assert {letter for code in drawn for letter in code} == {*CONSONANTS, *VOWELS, "-"}
