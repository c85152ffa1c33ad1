"""Every text in both languages, with the same blanks to fill in; none that nobody uses, none that is missing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from dicehall.bots.player import KINDS
from dicehall.rules.catalog import GAMES

ROOT = Path(__file__).parents[2]
TEXTS = ROOT / "src" / "dicehall" / "texts"
PAGE = ROOT / "web" / "src"
BLANK = re.compile(r"\{(\w+)\}")
Text = str | dict[str, str]


def texts(language: str) -> dict[str, Text]:
    found: dict[str, Text] = {}
    for path in sorted((TEXTS / language).glob("*.json")):
        more = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=no_twice)
        assert not found.keys() & more.keys(), f"{path} has keys that another file has"
        found |= more
    return found


def no_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    assert len(set(keys)) == len(keys), f"twice: {sorted(key for key in keys if keys.count(key) > 1)}"
    return dict(pairs)


def blanks(text: Text) -> set[str]:
    """What is to be filled in; of a plural, in its common form."""
    return set(BLANK.findall(text if isinstance(text, str) else text["other"]))


ENGLISH, GERMAN = texts("en"), texts("de")


def test_no_text_is_missing_in_either_language() -> None:
    assert sorted(ENGLISH.keys() ^ GERMAN.keys()) == []
    assert [path.name for path in sorted((TEXTS / "en").iterdir())] == [
        path.name for path in sorted((TEXTS / "de").iterdir())
    ]


@pytest.mark.parametrize("key", sorted(ENGLISH))
def test_both_languages_say_the_same(key: str) -> None:
    english, german = ENGLISH[key], GERMAN[key]
    for text in (english, german):
        assert isinstance(text, str) or text.keys() == {"one", "other"}
        assert all(part.strip() == part and part for part in ([text] if isinstance(text, str) else text.values()))
    assert blanks(english) == blanks(german)


def sources() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in PAGE.rglob("*") if path.suffix in (".ts", ".svelte"))


def test_every_text_is_used() -> None:
    """By its name, or by a name put together like `game.${id}`; that part of it has to be there in so many words."""
    page = sources()
    pieces = set(re.findall(r"`([\w.-]+\.)\$\{", page))
    unused = [
        key
        for key in ENGLISH
        if not re.search(rf"['\"`]{re.escape(key)}['\"`]", page) and not any(key.startswith(piece) for piece in pieces)
    ]
    assert unused == []


def test_every_code_has_its_words() -> None:
    """What the rules name, the screens can say."""
    missing = []
    for game in GAMES.values():
        missing += [f"game.{game.id}", f"pitch.{game.id}"]
        missing += [f"preset.{game.id}.{name}" for name in game.presets]
        for option in game.options.__dataclass_fields__.values():
            missing.append(f"option.{option.name}")
            values = option.metadata["values"]
            if not isinstance(values, range):
                missing += [f"option.{option.name}.{value}" for value in values if not isinstance(value, bool)]
    missing += [f"player.{kind.name}" for kind in KINDS] + [f"player.{kind.name}.about" for kind in KINDS]
    assert [key for key in missing if key not in ENGLISH] == []
