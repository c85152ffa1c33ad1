"""What the house's players say: each about everything that can happen to it, briefly, and in both languages."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXTS = ROOT / "src" / "dicehall" / "texts"
GAMES_ON_SCREEN = (ROOT / "web" / "src" / "games" / "index.ts").read_text("utf-8")
LANGUAGES = ("en", "de")
LONGEST = 40  # what the bubble holds on the smallest phone

ENDS = ["won", "lost", "drawn"]
SETS = ["pair", "pair-yours", "triple", "triple-yours"]
STANDING = ["lead", "behind"]
OCCASIONS = {
    "lite-versus": ["start", *SETS, *STANDING, "last", *ENDS],
    "knucklebones": ["start", *SETS, "broke", "broken", *STANDING, *ENDS],
    "farkle": [
        "start", "farkle", "farkle-yours", "hot", "hot-yours", "bank", "bank-yours", "last", *STANDING, *ENDS,
    ],
    "shut-the-box": ["start", "shut", "shut-yours", "stuck", "stuck-yours", *ENDS],
}  # fmt: skip


def players() -> dict[str, set[str]]:
    """Those on offer, each with what can happen to it in the games that it plays."""
    found: dict[str, set[str]] = {}
    for game, bots in re.findall(r"id: '([\w-]+)',.*?bots: \[(.*?)\]", GAMES_ON_SCREEN, re.DOTALL):
        names = re.findall(r"'([\w:]+)'", bots)
        if "...LEVELS" in bots:
            names += [f"level:{level}" for level in range(1, 6)]
        for name in names:
            found.setdefault(name, set()).update(OCCASIONS[game])
    return found


PLAYERS = players()


def remarks(player: str, language: str) -> dict[str, list[str]]:
    path = TEXTS / language / "remarks" / f"{player.replace(':', '-')}.json"
    found: dict[str, list[str]] = json.loads(path.read_text("utf-8"))
    return found


def test_all_players_are_known_here() -> None:
    assert len(PLAYERS) == 16
    for language in LANGUAGES:
        files = {path.stem for path in (TEXTS / language / "remarks").iterdir()}
        assert files == {player.replace(":", "-") for player in PLAYERS}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("player", sorted(PLAYERS))
def test_there_is_a_word_for_everything(player: str, language: str) -> None:
    said = remarks(player, language)
    needed = {"start", *ENDS} if player == "perfect" else PLAYERS[player]  # perfect play hardly speaks
    assert needed - said.keys() == set()
    assert said.keys() - PLAYERS[player] == set(), "nobody would ever hear that"
    assert all(said.values())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("player", sorted(PLAYERS))
def test_remarks_are_short_and_none_is_there_twice(player: str, language: str) -> None:
    lines = [line for some in remarks(player, language).values() for line in some]
    assert [line for line in lines if not 0 < len(line) <= LONGEST or line != line.strip()] == []
    assert len(set(lines)) == len(lines)
    most = 12 if player == "perfect" else len(lines)
    assert (40 if player.startswith("level:") else 10 if player == "perfect" else 15) <= len(lines) <= most


@pytest.mark.parametrize("player", sorted(PLAYERS))
def test_both_languages_have_as_much_to_say(player: str) -> None:
    english, german = (remarks(player, language) for language in LANGUAGES)
    assert {key: len(some) for key, some in english.items()} == {key: len(some) for key, some in german.items()}


FACES_OR_MOVES = re.compile(
    r"\b(ones|twos|threes|fours|fives|sixes|einsen|zweien|dreien|vieren|fünfen|sechsen|"
    r"(you )?should (bank|roll|keep|stop)|(bank|roll|keep) (now|it)|(du )?solltest)\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("player", sorted(PLAYERS))
def test_no_remark_names_dice_to_come_or_advises_a_move(player: str, language: str) -> None:
    for line in (line for some in remarks(player, language).values() for line in some):
        assert not FACES_OR_MOVES.search(line), line
