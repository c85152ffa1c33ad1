"""Every text in both languages, with the same blanks to fill in; none that nobody uses, none that is missing."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

import pytest

from dicehall.coach.puzzles import puzzles
from dicehall.games import HALL_GAMES
from dicehall.rules.catalog import GAMES

ROOT = Path(__file__).parents[2]
TEXTS = ROOT / "src" / "dicehall" / "texts"
PAGE = ROOT / "web" / "src"
TERMINAL = [*sorted((ROOT / "src" / "dicehall" / "terminal").glob("*.py")), ROOT / "src" / "dicehall" / "cli.py"]
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
OF_TERMINAL = json.loads((TEXTS / "en" / "terminal.json").read_text(encoding="utf-8")).keys()


def test_no_text_is_missing_in_either_language() -> None:
    assert sorted(ENGLISH.keys() ^ GERMAN.keys()) == []
    assert [path.name for path in sorted((TEXTS / "en").iterdir())] == [
        path.name for path in sorted((TEXTS / "de").iterdir())
    ]


def forms(text: Text) -> list[str]:
    """One, or those of one and of many."""
    return [text] if isinstance(text, str) else list(text.values())


def test_both_languages_say_the_same() -> None:
    for key, english in ENGLISH.items():
        german = GERMAN[key]
        for text in (english, german):
            assert isinstance(text, str) or text.keys() == {"one", "other"}, key
            # Ordinary spaces, that is: one that does not break stands there on purpose.
            assert all(part.strip(" \n") == part != "" for part in forms(text)), key
            assert isinstance(text, str) or set(BLANK.findall(text["one"])) <= blanks(text), key
        assert blanks(english) == blanks(german), key


def test_a_place_on_the_board_is_named_by_its_number() -> None:
    """Not by the score that stands in the same sentence."""
    for key in ENGLISH:
        for said in (*forms(ENGLISH[key]), *forms(GERMAN[key])):
            for word, blank in re.findall(r"\b(column|row|spalte|reihe) \{(\w+)\}", said.lower()):
                line = "column" if word in ("column", "spalte") else "row"
                assert blank in (line, "number", "down", "across"), key


def sources() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in PAGE.rglob("*") if path.suffix in (".ts", ".svelte"))


def test_every_text_of_the_page_is_used() -> None:
    """By its name, or by a name put together like `game.${id}`; that part of it has to be there in so many words."""
    page = sources()
    pieces = set(re.findall(r"`([\w.-]+\.)\$\{", page))
    unused = [
        key
        for key in ENGLISH.keys() - OF_TERMINAL
        if not re.search(rf"['\"`]{re.escape(key)}['\"`]", page) and not any(key.startswith(piece) for piece in pieces)
    ]
    assert unused == []


class Asked(NamedTuple):
    """Texts that a Python file asks for."""

    keys: set[str]
    pieces: set[str]  # beginnings of names that are put together, like `game.` in f"game.{id}"


def asked(path: Path) -> Asked:
    """What is given to `t`, `sentence` or `known`, and every other string that is written like the name of a text."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    given = [name for node in ast.walk(tree) if is_question(node) for name in names(node.args[0])]
    alike = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    keys = {name for name in given if not name.endswith(".")} | {name for name in alike if LIKE_A_KEY.fullmatch(name)}
    return Asked(keys, {name for name in given if name.endswith(".")})


def is_question(node: ast.AST) -> TypeGuard[ast.Call]:
    if not isinstance(node, ast.Call):
        return False
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    return name in ("t", "sentence", "known")


def names(argument: ast.expr) -> Iterator[str]:
    """The strings that an expression can be; of one that is put together, its beginning."""
    match argument:
        case ast.Constant(str(name)) | ast.JoinedStr([ast.Constant(str(name)), *_]):
            yield name
        case ast.BinOp(left=left):
            yield from names(left)
        case ast.IfExp(body=body, orelse=orelse):
            yield from names(body)
            yield from names(orelse)
        case ast.NamedExpr(value=value):
            yield from names(value)


LIKE_A_KEY = re.compile(r"[a-z]+(\.[a-z0-9<=_-]+)+")


def test_the_terminal_asks_for_texts_that_there_are() -> None:
    questions = [asked(path) for path in TERMINAL]
    assert sum(len(one.keys) for one in questions) > 60, "so many there were"
    assert {key for one in questions for key in one.keys} - ENGLISH.keys() == set()
    pieces = {piece for one in questions for piece in one.pieces}
    assert {piece for piece in pieces if not any(key.startswith(piece) for key in ENGLISH)} == set()


def test_every_text_of_the_terminal_is_used() -> None:
    questions = [asked(path) for path in TERMINAL]
    keys = {key for one in questions for key in one.keys}
    pieces = tuple(piece for one in questions for piece in one.pieces)
    assert sorted(key for key in OF_TERMINAL if key not in keys and not key.startswith(pieces)) == []
    assert all(key.startswith("terminal.") for key in OF_TERMINAL)


@pytest.mark.parametrize(
    ("source", "keys", "pieces"),
    [
        ("words.t('no.such')", {"no.such"}, set()),
        ("words.t('a.b' if here else 'a.c')", {"a.b", "a.c"}, set()),
        ("words.sentence(f'a.{b}')", set(), {"a."}),
        ("words.known('a.' + b)", set(), {"a."}),
        ("while words.known(key := f'rules.{shelf}.{n}'): pass", set(), {"rules."}),
        ("UNITS = {'score': 'aim.points'}", {"aim.points"}, set()),
        ("print('nothing of the kind.', 'a.b c')", set(), set()),
    ],
)
def test_questions_are_found(source: str, keys: set[str], pieces: set[str], tmp_path: Path) -> None:
    (tmp_path / "asks.py").write_text(source)
    assert asked(tmp_path / "asks.py") == (keys, pieces)


def test_every_code_has_its_words() -> None:
    """What the rules name, the screens can say."""
    missing = []
    for game in GAMES.values():
        missing += [f"game.{game.id}", f"pitch.{game.id}"]
        missing += [f"preset.{game.id}.{name}{part}" for name in game.presets for part in ("", ".about")]
        for option in game.options.__dataclass_fields__.values():
            missing += [f"option.{option.name}", f"option.{option.name}.about"]
            values = option.metadata["values"]
            if not isinstance(values, range):
                named = [value for value in values if not isinstance(value, bool)]
                missing += [f"option.{option.name}.{value}{part}" for value in named for part in ("", ".about")]
        missing += [f"puzzle.ask.{one.objective.name}" for one in puzzles(game.id)]
    kinds = {kind.name for own in HALL_GAMES.values() for kind in own.bots().KINDS}
    missing += [f"player.{kind}{part}" for kind in kinds for part in ("", ".about")]
    assert [key for key in missing if key not in ENGLISH] == []


GONE = {
    "en": ("Go on where you left", "What for?", "Give this table up", "Back to the usual", "More points", "Banks at"),
    "de": (
        "Ziffer",
        "Läufe",
        "noch zu ",
        "noch auf ",
        "Täglich",
        "Fordere das Glück",
        "Staple deine",
        "die Box",
        "Für {who}",
        "für {who}",
    ),
}
# German prose may say these in so many words: who comes to how many points, and what is not enough yet.
SAID_SO = ("reason.lite.most", "chart.bank.at.short")


@pytest.mark.parametrize(("language", "texts"), [("en", ENGLISH), ("de", GERMAN)])
def test_what_read_badly_is_gone(language: str, texts: dict[str, Text]) -> None:
    found = {
        key: part
        for key, text in texts.items()
        for part in GONE[language]
        if key not in SAID_SO and any(part in one for one in ([text] if isinstance(text, str) else text.values()))
    }
    assert found == {}


@pytest.mark.parametrize("texts", [ENGLISH, GERMAN])
def test_players_of_the_house_have_names_and_no_rules_for_names(texts: dict[str, Text]) -> None:
    """Short enough for a seat; `player.bank` and `player.level` with a number stand for those that have none."""
    names = {key: str(text) for key, text in texts.items() if re.fullmatch(r"player\.[a-z]+(\.\d+)?", key)}
    offered = [f"player.{kind}" for kind in ("random", "standard", "lookahead", "highest", "spec", "match", "greedy")]
    offered += ["player.perfect", *(f"player.bank.{mark}" for mark in (300, 600, 1000))]
    offered += [f"player.level.{level}" for level in range(1, 6)]
    assert {key: names[key] for key in offered if len(names[key]) > 12 or re.search(r"\d", names[key])} == {}
    assert len({names[key] for key in offered}) == len(offered)


def test_who_has_a_mouse_is_not_told_to_tap() -> None:
    """Unless there are other words for a mouse, or the same sentence names it."""
    mice = [key.removesuffix(".mouse") for key in ENGLISH if key.endswith(".mouse")]
    told = [
        key
        for pack in ("common", "farkle", "box", "lite", "knucklebones")
        for key, text in json.loads((TEXTS / "en" / f"{pack}.json").read_text(encoding="utf-8")).items()
        if re.search(r"\btap\b", str(text), re.IGNORECASE) and "click" not in text
    ]
    assert [key for key in told if not any(key.startswith(one) for one in mice)] == []


def test_a_roll_is_told_in_one_form_in_german() -> None:
    """Behind a name as well as without one: `Otto: Fünf gewürfelt`."""
    told = {key: str(GERMAN[key]) for key in ENGLISH if re.match(r"(You |\{who\} )?[Rr]olled\b", str(ENGLISH[key]))}
    assert len(told) > 5
    assert {key: text for key, text in told.items() if not text.rstrip(".").endswith("gewürfelt")} == {}
