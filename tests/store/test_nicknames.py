"""Nicknames: what is kept, what is refused, and which names are taken for each other."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicehall.bots.player import player_names
from dicehall.errors import InvalidText
from dicehall.rules.catalog import GAMES
from dicehall.store.nicknames import clean, is_house, look
from tests.soak import times

EXAMPLES = times(300, 20_000)
# letters, and what is put between and onto them by those who want to deceive
TRICKY = (
    "aAeiıIlL1|oO0sS5mnrvwuyдаеорсухАВЕКМНОРСТαειονρΑΒΕΗΙ漢かがกี่ा्न한🎲✓.-_' \u3000\t\u00a0\u200b\u200d\u202e\u0301"
    "\u0302\u034f\ufe0f\u3164"
)
NAMES = st.text(st.one_of(st.sampled_from(TRICKY), st.characters()), max_size=30)


def refused(name: str) -> str:
    with pytest.raises(InvalidText) as caught:
        clean(name)
    assert str(caught.value)
    return caught.value.code


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Ada", "Ada"),
        ("  Blaise  P. ", "Blaise P."),
        ("Ame\u0301lie\n", "Amélie"),
        ("x" * 24, "x" * 24),
        ("骰子 ☘ ñ", "骰子 ☘ ñ"),
        ("Nguyễn Thị Hương", "Nguyễn Thị Hương"),
        ("Дарья", "Дарья"),
        ("Ελένη", "Ελένη"),
        ("Ада 骰子", "Ада 骰子"),
        ("สวัสดีค่ะ", "สวัสดีค่ะ"),
        ("कार्तिक", "कार्तिक"),
        ("מֹשֶׁה", "מֹשֶׁה"),
        ("مُحَمَّد", "مُحَمَّد"),
        ("ပြွန်", "ပြွန်"),
        ("q\u0301", "q\u0301"),  # there is no such letter in one piece
        ("'; DROP TABLE players;--", "'; DROP TABLE players;--"),
        ("🎲🎲", "🎲🎲"),
        ("Level Best", "Level Best"),
        ("Hausmann", "Hausmann"),
        ("Banker", "Banker"),
        ("Vera B. 2", "Vera B. 2"),
        ("Adele 4", "Adele 4"),
        ("300", "300"),
    ],
)
def test_what_a_nickname_may_be(name: str, kept: str) -> None:
    assert clean(name) == unicodedata.normalize("NFC", kept)


@pytest.mark.parametrize(
    "name",
    [
        *("", " ", "x" * 25, "\u3000"),
        *("a\nb", "a\0b", "a\tb", "a\u0085b"),  # controls
        *("\u202eabc", "a\u200bb", "a\u200db", "a\u00adb", "a\ufeffb", "a\U000e0041"),  # formats
        *("a\u2028b", "a\u2029b", "a\u00a0b", "a\u3000b", "a\u2009b"),  # spaces
        *("a\ud800", "a\ue000", "a\U0010ffff", "a\u0378"),  # half, private and no characters at all
        *("a\ufe0f", "a\U000e0100b", "a\u180bb"),  # selectors
        *("a\u3164", "\u115f\u1160", "\uffa0", "\u2800", "a\u034fb"),  # blanks
    ],
)
def test_what_cannot_be_seen_is_refused(name: str) -> None:
    assert refused(name) == "nickname"


@pytest.mark.parametrize(
    "name",
    [
        "Z\u0351\u036b\u0343algo", "x\u0301\u0302", "\u0301abc", "a \u0301b", "a\u20dd\u20dd", "🎲\u0301\u0302",
        "ก้้้", "ก\u0301\u0302", "ก" + "\u0e34\u0e48\u0e35\u0e49\u0e36\u0e4a", "b\u0e48\u0e34",
    ],
)  # fmt: skip
def test_heaps_of_marks_are_refused(name: str) -> None:
    assert refused(name) == "nickname"


@pytest.mark.parametrize("name", ["Аda", "pаypal", "Αnna", "xΧ", "дα", "ｐаul", "ad\u0430", "𝐀да"])
def test_alphabets_that_share_their_shapes_do_not_mix(name: str) -> None:
    assert refused(name) == "nickname"


@pytest.mark.parametrize(
    "name",
    [
        "Dicehall", "D1ceHa11", "The Dice-Hall Team", "ＤＩＣＥＨＡＬＬ", "xX dicehall Xx", "DıceHall", "dice🎲hall",
        "House", "THE HOUSE", "h0use", "Haus", "das  Haus", "Admin", "adrnin", "4dm1n", "A.d.m.i.n", "Ádmín", "Admin ✓",
        "administrator", "Moderator", "rnoderator", "system", "$ystem", "server", "official", "bot", "b0t", "computer",
        "You", "Y0U", "du", "Sie", "nobody", "Guest", "GAST", "anonymous", "ѕуѕтем".upper(), "Ⓐⓓⓜⓘⓝ",
        "Random", "standard", "look ahead", "Spec", "perfect", "Level 3", "level:9", "LeveI 12", "bank 300", "Bank:1",
        "Ida", "0tto", "BRUNO", "M1la", "Der Becher", "the cup", "Penny!", "vera",
    ],
)  # fmt: skip
def test_nobody_looks_like_the_house(name: str) -> None:
    assert refused(name) == "nickname-house"


def test_nobody_looks_like_a_bot() -> None:
    for game in GAMES.values():
        for name in player_names(game):
            assert is_house(name.replace(":N", ":300")), name


@pytest.mark.parametrize(
    "name",
    [
        "Vera 2", "vera2", "VERA  2", "Vera-2", "Vera_2", "Vera #2", "Ｖｅｒａ２", "Vera２",
        "Vera ²", "Vera ②", "Vera Ⅱ", "v.e.r.a.2",
        "2 Vera", "(2) Vera", "M1la 3", "0tt0 5", "0tto50", "The cup 2", "der Becher 3", "Penny 300", "Ida 1.0",
        "Stufe 3", "STUFE3", "stufe: 12", "Ｓｔｕｆｅ ３", "Level 3", "level-3", "3. Level", "Banker 450", "banker450",
        "Ban ker 450", "Bankier 450", "BANKIER  1", "Guest 7", "Gast 12", "Admin 2", "Bot 1", "Computer 3", "House 5",
    ],
)  # fmt: skip
def test_a_number_makes_no_other_name(name: str) -> None:
    """Neither behind nor before a name of the house, in both languages; some of these names have one of their own."""
    assert refused(name) == "nickname-house"


@pytest.mark.parametrize(
    "names",
    [
        ("Ada", "ADA", " ada ", "A d a", "a.d.a", "Àdá", "4d4", "Ada 🎲", "Ａｄａ", "𝒜da"),
        ("Ian", "lan", "1an", "|an", "Łan", "ian"),
        ("Bob", "B0b", "808", "вов", "ΒΟΒ"),
        ("Ace", "ACE", "АСЕ", "асе"),
        ("Marnie", "Mamie", "Marnle"),
        ("Wanda", "VVanda", "vvanda"),
        ("Jesse", "Je55e", "JESSE", "Jeße"),
        ("Olaf", "0laf", "Ølaf"),
        ("שלום", "שָׁלוֹם"),
    ],
)
def test_names_that_are_taken_for_each_other(names: tuple[str, ...]) -> None:
    assert len(set(map(look, names))) == 1


def test_names_that_are_not() -> None:
    names = [
        "Ada",
        "Ada1",
        "Ada2",
        "Ada3",
        "Adam",
        "Bea",
        "राम",
        "रमा",
        "か",
        "き",
        "Дарья",
        "Мария",
        "🎲",
        "🎯",
        "🎲🎲",
    ]
    assert len(set(map(look, names))) == len(names)


@settings(max_examples=EXAMPLES, deadline=None)
@given(NAMES)
def test_what_is_kept_is_never_refused(name: str) -> None:
    try:
        kept = clean(name)
    except InvalidText:
        return
    assert clean(kept) == kept
    assert 1 <= len(kept) <= 24
    assert kept == kept.strip() == unicodedata.normalize("NFC", kept)
    assert "  " not in kept
    assert kept.isprintable()
    assert not is_house(kept)


@settings(max_examples=EXAMPLES, deadline=None)
@given(NAMES)
def test_a_look_is_its_own(name: str) -> None:
    seen = look(name)
    assert look(seen) == seen
    assert bool(seen) == bool(name)
    if seen != name:
        assert look(f" {name}. ") == look(name.replace(" ", "")) == seen
        assert look(unicodedata.normalize("NFC", name)) == look(unicodedata.normalize("NFD", name)) == seen


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=1))
def test_capitals_and_accents_deceive_nobody(name: str) -> None:
    assert look(name) == look(name.upper()) == look("".join(f"{letter}\u0301" for letter in name))
