"""Nicknames that deceive nobody: what one may be made of, and what it looks like at a glance.

`clean` gives a name the form in which it is kept, or refuses it: what cannot be seen, marks that run over the lines
around it, letters of two alphabets that share their shapes, and names of the house. `look` is the same for names that a
hasty reader takes for each other; in a hall, nobody shares it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from importlib.resources import files
from typing import Final

from dicehall.bots.player import player_names
from dicehall.errors import InvalidText, excerpt
from dicehall.rules.catalog import GAMES

LONGEST: Final = 24
MOST_MARKS: Final = 5  # on a letter of a script that writes vowels and tones as marks; Burmese needs so many
UNSEEN: Final = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"))
# Nothing to see either, whatever Unicode says they are: a joiner, fillers of Hangul, inherent vowels of Khmer, the
# blank of Braille, an empty note, the place of an object, and selectors of variants.
BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U0001d159")
SELECTORS: Final = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
# Marks that belong to no script and go onto any letter.
ANYWHERE: Final = (
    range(0x0300, 0x0370), range(0x1AB0, 0x1B00), range(0x1DC0, 0x1E00), range(0x20D0, 0x2100), range(0xFE20, 0xFE30),
)  # fmt: skip
ALPHABETS: Final = ("LATIN", "CYRILLIC", "GREEK")  # which share many shapes

# What may be taken for the letter that begins the line: small letters without marks, as `look` has them by then. Where
# the small form and the capital resemble two letters, the capital decides, being the better likeness.
LIKENESSES: Final = """
    a 4 @ ɑ α а
    b 8 β в ь ъ ɓ
    c ϲ с
    d đ ð ԁ ɖ ɗ
    e 3 € ε ɛ е є з
    f ƒ ғ
    g ɡ ɢ
    h ħ ɦ η н һ
    j ϳ ј
    k ĸ κ к қ
    l 1 i | ı ł ɩ ɪ ʟ ǀ ι і ӏ
    m μ м
    n ɴ ν п
    o 0 ø ɵ ο σ о ө ѳ
    p þ ρ р
    q ԛ
    r ɾ ʀ г
    s 5 $ ʂ ѕ
    t 7 ŧ ƭ τ т
    u ʋ
    v ʌ ѵ
    w ω ԝ ш щ ѡ
    x χ х ҳ
    y ʏ γ υ у ү ұ
    z ʐ ʑ ζ
"""
LETTERS: Final = str.maketrans(
    {"æ": "ae", "œ": "oe"}
    | {like: letters[0] for letters in map(str.split, LIKENESSES.strip().splitlines()) for like in letters[1:]}
)
PAIRS: Final = (("rn", "m"), ("vv", "w"))
NAME_OF_A_BOT: Final = re.compile(r"player\.[a-z]+(\.\d+)?")


def clean(text: str) -> str:
    """The name as it is kept: composed, trimmed, with single spaces. What it may not be is an InvalidText."""
    name = re.sub(" +", " ", unicodedata.normalize("NFC", text).strip())
    if not 1 <= len(name) <= LONGEST:
        raise InvalidText("nickname", f"a nickname is 1 to {LONGEST} characters, not {excerpt(text)}")
    if any(map(_is_unseen, name)):
        raise InvalidText("nickname", f"a nickname has no characters that cannot be seen: {excerpt(name)}")
    if _is_overgrown(name):
        raise InvalidText("nickname", f"a nickname has no heaps of marks: {excerpt(name)}")
    if len(_alphabets(name)) > 1:
        raise InvalidText("nickname", f"a nickname has letters of one alphabet: {excerpt(name)}")
    if is_house(name):
        raise InvalidText("nickname-house", f"{excerpt(name)} would be taken for the house, or for one of its players")
    return name


def look(text: str) -> str:
    """What a name looks like at a glance: letters alone, small, without marks, and each of those that are taken for one
    another as the same. Where that leaves nothing, as of a name of emoji, the name itself."""
    small = _decomposed(_decomposed(text).casefold()).translate(LETTERS)
    letters = "".join(filter(_is_told_apart, small))
    for pair, taken_for in PAIRS:
        letters = letters.replace(pair, taken_for)
    return letters or text


def is_house(name: str) -> bool:
    """Whether the name looks like the hall's own, or like one of its bots, whatever the number beside it."""
    return HALL in look(name) or look(name) in HOUSE or not NUMBERED.isdisjoint(map(look, _without_number(name)))


def _without_number(name: str) -> Iterator[str]:
    """The name without some of what is no letter at its beginning and at its end. Which of that is the number nobody
    can tell: in 0tt0 5 it is the last digit alone."""
    first = next((n for n, letter in enumerate(name) if letter.isalpha()), len(name))
    last = next((n for n in range(len(name), 0, -1) if name[n - 1].isalpha()), 0)
    for begin in range(first + 1):
        yield from (name[begin:end] for end in range(max(begin, last), len(name) + 1) if end - begin < len(name))


def _decomposed(text: str) -> str:
    return unicodedata.normalize("NFKD", text)


def _is_unseen(letter: str) -> bool:
    selects = any(ord(letter) in block for block in SELECTORS)
    return letter != " " and (unicodedata.category(letter) in UNSEEN or letter in BLANK or selects)


def _is_overgrown(name: str) -> bool:
    """Whether marks are heaped onto a letter, or stand on none. One that belongs to no script is enough for any letter;
    so is one of any kind, except in scripts that write vowels and tones as marks: none of those has capitals."""
    for base, marks in _marked(name):
        needed = MOST_MARKS if base and unicodedata.category(base) == "Lo" else 1
        heap = len(marks) > needed or len(set(marks)) < len(marks) or sum(map(_goes_anywhere, marks)) > 1
        if marks and (heap or not base or base == " "):
            return True
    return False


def _marked(name: str) -> Iterator[tuple[str, str]]:
    """Every character that is no mark, with the marks that follow it; first those that follow none."""
    base, marks = "", ""
    for letter in name:
        if unicodedata.category(letter).startswith("M"):
            marks += letter
        else:
            yield base, marks
            base, marks = letter, ""
    yield base, marks


def _goes_anywhere(mark: str) -> bool:
    return any(ord(mark) in block for block in ANYWHERE)


def _alphabets(name: str) -> set[str]:
    """Which of those that share their shapes; a wide or a slanted letter is one of its alphabet."""
    names = [unicodedata.name(letter, "") for letter in _decomposed(name) if letter.isalpha()]
    return {alphabet for alphabet in ALPHABETS if any(one.startswith(alphabet) for one in names)}


def _is_told_apart(letter: str) -> bool:
    """A letter or a digit, or a vowel that is written as a mark but takes a place of its own."""
    kind = unicodedata.category(letter)
    vowel = kind in ("Mn", "Mc") and not unicodedata.combining(letter)
    return (kind[0] in "LN" or vowel) and not _is_unseen(letter)


def _names_of_bots() -> Iterator[str]:
    """What the screens call the house's players, in every language; with {level} where a number belongs to it."""
    for language in (files("dicehall") / "texts").iterdir():
        said = json.loads((language / "common.json").read_text("utf-8"))
        yield from (name for key, name in said.items() if NAME_OF_A_BOT.fullmatch(key))


HALL: Final = look("dicehall")
BOTS: Final = frozenset(look(name.partition(":")[0]) for game in GAMES.values() for name in player_names(game))
WORDS: Final = (
    "house", "haus", "the house", "das haus", "admin", "administrator", "moderator", "system", "server", "official",
    "bot", "computer", "you", "du", "sie", "nobody", "guest", "gast", "anonymous",
)  # fmt: skip
HOUSE: Final = BOTS | frozenset(map(look, (*WORDS, *(name for name in _names_of_bots() if "{" not in name))))
# With a number: Vera 2 is taken for Vera, and Banker 450 is what a player of the house is called. Banker alone is not.
NUMBERED: Final = HOUSE | frozenset(look(name.partition("{")[0]) for name in _names_of_bots())
