"""Codes of rooms: two words of five letters that mean nothing and are easily said, like KORAB-TUMIL.

Consonants and vowels take turns, so a code can be read aloud as it stands, and spelled letter by letter when the line
is bad. There are no digits, and no letter that sounds like another one (C, Q, V, X, Y). So what looks like a digit is a
letter, and the place in the word tells which: a 1 is an I between consonants and an L between vowels.

How long a code has to be: a network may try one code a second, which is 86,400 a day; each try finds one of 1,000 open
rooms with probability 1,000/N. To keep the sum, which bounds the chance of any find in a day, under 1% takes
N > 86,400 * 1,000 / 0.01 = 8.64 * 10^9 codes. Five letters are 16*5*16*5*16 = 102,400 words, far too few; two words are
102,400^2 = 10.49 * 10^9. Without those that `OFFENDING` refuses, 9.58 * 10^9 are left: a chance of 0.9% a day.

>>> new_code("a fresh seed")
'TIGOB-DETOK'
>>> read_code(" t1gob det0k ")
'TIGOB-DETOK'
"""

from __future__ import annotations

import re
from typing import Final

from dicehall.dice import Seed, Stream
from dicehall.errors import InvalidText, excerpt

CONSONANTS: Final = "BDFGHJKLMNPRSTWZ"
VOWELS: Final = "AEIOU"
WORD: Final = (CONSONANTS, VOWELS, CONSONANTS, VOWELS, CONSONANTS)
LETTERS: Final = WORD + WORD

# What offends in English or German wherever it stands in a code, also across the two words.
OFFENDING: Final = re.compile(
    "ANAL|ANUS|BIMBO|BOMB|BUM|BUSEN|DAGO|DEPP|DIK|DILDO|DIRNE|DUMM|FAG|FIK|FOTZE|FUK|FURZ|FUT|GOK|HITLER|HODEN|"
    "HOMO|HORE|HUR|JAP|JEW|JIZ|JUD|KAFFER|KAFIR|KAK|KANAK|KIKE|KILL|KOT|KUM|KUNT|LESB|LUDER|MINGE|MONGO|MORD|"
    "MORON|NAZ|NEG|NIG|NUDE|NUT|PAKI|PEDO|PENIS|PIMEL|PIMMEL|PIS|POLAK|POPO|PORN|PUFF|PUS|PUTA|RAPE|RETAR|SATAN|"
    "SEMEN|SUK|TIT|TOD|TOT|TUNTE|TURD|WANK|WIKS|WOG|WOP"
)

# What else may have been meant, by sort of letter: what looks like a letter of ours, and what sounds like one.
LIKE_CONSONANTS: Final = str.maketrans("1I8562CVY", "LLBSGZKWJ")
LIKE_VOWELS: Final = str.maketrans("0Q1LJYV", "OOIIIIU")


def new_code(seed: Seed) -> str:
    """The code that `seed` draws; whoever makes a room draws a fresh seed for it."""
    stream = Stream(seed, "room-code")
    while True:
        letters = "".join(those[stream.below(len(those))] for those in LETTERS)
        if not OFFENDING.search(letters):
            return _written(letters)


def read_code(text: str) -> str:
    """The code that somebody typed as `text`, as `new_code` writes it: in small letters too, with or without spaces and
    hyphens, and with what is easily mistaken (0 for O, 1 for I). InvalidText for what cannot be a code."""
    typed = re.sub(r"[\s\-‐‑–—_.]", "", text[:100]).upper()
    if len(typed) == len(LETTERS):
        letters = "".join(
            letter.translate(LIKE_VOWELS if those == VOWELS else LIKE_CONSONANTS)
            for letter, those in zip(typed, LETTERS, strict=True)
        )
        if all(letter in those for letter, those in zip(letters, LETTERS, strict=True)):
            return _written(letters)
    raise InvalidText("code", f"a code is two words of five letters like KORAB-TUMIL, not {excerpt(text)}")


def _written(letters: str) -> str:
    return f"{letters[: len(WORD)]}-{letters[len(WORD) :]}"
