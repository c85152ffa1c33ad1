"""What becomes of a game that another package brings, and of packages that bring something else."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dicehall.bots import player as players
from dicehall.coach import puzzles
from dicehall.errors import InvalidOption
from dicehall.play import plain
from dicehall.play.breakdown import breakdown
from dicehall.play.record import is_roll
from dicehall.play.share import parts
from dicehall.play.table import Table
from dicehall.rules.catalog import GAMES, AnyGame, Catalog, find_game
from dicehall.rules.game import Game
from dicehall.server.live import replay_steps, seated, steps_text
from dicehall.store.tables import SavedTable
from dicehall.terminal.kept import new_run, resume
from dicehall.terminal.protocol import find_terminal
from dicehall.terminal.told import end_lines, notation, options_text, seat_names, with_word
from dicehall.terminal.words import LANGUAGES, Words

PACKAGE = Path(__file__).parent / "package"


@pytest.fixture
def pig(monkeypatch: pytest.MonkeyPatch) -> Iterator[AnyGame]:
    """Installed for a while: packages are looked for once, so what was found before is put aside."""
    monkeypatch.syspath_prepend(PACKAGE)
    monkeypatch.setattr(GAMES, "_all", None)
    players._installed.cache_clear()
    yield find_game("pig")
    players._installed.cache_clear()
    puzzles._puzzles.cache_clear()


def like_pig(monkeypatch: pytest.MonkeyPatch, **instead: str) -> AnyGame:
    """Pig as another package might have written it: with other texts and numbers, each `instead` of one of Pig's."""
    module: Any = ModuleType("like_pig")
    monkeypatch.setitem(sys.modules, "like_pig", module)
    text = (PACKAGE / "pig.py").read_text().replace('"pig"', '"like-pig"')
    for old, new in instead.items():
        assert f'"{old}"' in text
        text = text.replace(f'"{old}"', f'"{new}"')
    exec(text, module.__dict__)
    game: AnyGame = Game(module)
    monkeypatch.setattr(GAMES, "_all", {**GAMES.own, game.id: game})
    return game


@pytest.fixture
def drawing(monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """A game with a move that begins like a roll."""
    return like_pig(monkeypatch, hold="draw")


def bring(folder: Path, monkeypatch: pytest.MonkeyPatch, group: str, what: str) -> None:
    """A package whose one entry point is `what`."""
    about = folder / "another-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: another\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{group}]\nanother = {what}\n")
    monkeypatch.syspath_prepend(folder)


def test_it_is_found_with_its_player_and_has_no_puzzles(pig: AnyGame) -> None:
    assert [*GAMES, len(GAMES)] == [*GAMES.own, "pig", 6]
    assert players.player("hold:3", pig, "seed")(pig.begin()) == "roll"
    assert puzzles.puzzles("pig") == []
    with pytest.raises(InvalidOption, match="no puzzles of pig"):
        puzzles.puzzle_of_the_day("pig", "2026-01-31")


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("json", "json of another package is no game: it has no ID, TITLE"),
        ("nothing.there", "is no game: No module"),
        ("dicehall.rules.lite_grid", "is no game: it has no ID, TITLE, VERSION, SEATS, PRESETS, Options"),
    ],
)
def test_what_is_no_game_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, told: str) -> None:
    bring(tmp_path, monkeypatch, "dicehall.games", what)
    with pytest.raises(InvalidOption, match=told):
        list(Catalog(*GAMES.own.values()))


def test_two_games_of_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(tmp_path, monkeypatch, "dicehall.games", "dicehall.rules.farkle")
    with pytest.raises(InvalidOption, match="two packages, dicehall and another, have a game farkle"):
        list(Catalog(*GAMES.own.values()))


def test_what_is_no_player_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(tmp_path, monkeypatch, "dicehall.players", "json:loads")
    players._installed.cache_clear()
    with pytest.raises(InvalidOption, match="of another package is no kind of player"):
        players.player_names(GAMES["farkle"])
    players._installed.cache_clear()
    assert "another" not in sys.modules


def test_its_runs_are_told_as_far_as_the_rules_tell_them(pig: AnyGame) -> None:
    table = Table(pig, options={"target": 10}, seats=2, seed="plain")
    assert table.view()["moves"] == [{"move": "roll"}]
    while not table.is_over:
        table.play(table.legal()[-1])
    codes = {event["code"] for frame in table.film() for event in frame.events}
    assert codes == {"turn-passed", "run-over"}
    assert breakdown(table.record()) == {}
    assert parts(table.record(), hidden=False) == []


def test_a_move_that_begins_like_a_roll(drawing: AnyGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The terminal's file and the hall's table play it again."""
    monkeypatch.setenv("DICEHALL_STATE", str(tmp_path))
    table = Table(drawing, seats=("you", "you"), seed="oink")
    for move in ("roll", "draw", "roll"):
        table.play(move)
    assert is_roll(table.steps[1])
    kept = new_run(drawing.id)
    assert kept is not None
    kept.save(table)
    kept.close()
    again, resumed = resume(drawing.id)
    again.close()
    assert resumed.steps == table.steps
    live = seated(saved_table(table))
    replay_steps(live)
    assert live.table.steps == table.steps


@pytest.mark.parametrize("why", ["highest-single-die", "out", "score", "rounds", "piled-high"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_its_codes_are_not_read_as_the_halls(monkeypatch: pytest.MonkeyPatch, language: str, why: str) -> None:
    """Who won and with how much, but nothing that one of our games means by the code."""
    game, words = like_pig(monkeypatch, target=why), Words(language)
    table = Table(game, options={"target": 10}, seats=("you", "random"), seed="oink")
    while not table.is_over:
        table.play(table.legal()[-1])
    first, *scores = end_lines(words, table.view(), table.seats)
    assert first in (
        f"{words.t('terminal.end')} {words.sentence('end.win')}",
        f"{words.t('terminal.end')} {lost(words)}",
    )
    assert scores == [f"  {who}: {n} {'points' if language == 'en' else 'Punkte'}" for who, n in shown(words, table)]


def lost(words: Words) -> str:
    won = words.sentence("end.won-by", who=words.t("player.random"))
    return f"{words.sentence('terminal.lose')} {won}"


def shown(words: Words, table: Table) -> list[tuple[str, int]]:
    assert table.result is not None
    return list(zip(seat_names(words, table.seats), table.result.scores, strict=True))


def test_its_options_and_moves_are_not_read_as_the_halls(monkeypatch: pytest.MonkeyPatch) -> None:
    game, german = like_pig(monkeypatch, roll="bank", points="coins"), Words("de")
    assert options_text(german, game, game.make_options({"target": 30})) == "target: 30."
    assert with_word(german, game.id, "bank") == "bank"
    assert notation(german, game.id, "sichern", ()) == "sichern"
    table = Table(game, seats=2, seed="oink")
    assert find_terminal(game.id).tell_score(german, table.view(), "Ada", 1250) == "Ada: 1.250 coins"
    assert find_terminal(game.id).option(german, "mode", "long") == "mode: long"
    assert find_terminal(game.id).option(german, "hot_dice", False) == "hot_dice: aus"


def test_a_table_where_nobody_has_begun(drawing: AnyGame) -> None:
    """The dice do not come first in every game."""
    live = seated(saved_table(Table(drawing, seats=("you", "you"), seed="oink")))
    replay_steps(live)
    assert live.table.steps == ()


def saved_table(table: Table) -> SavedTable:
    game, steps = table.game, steps_text(table)
    return SavedTable(
        "t",
        ("p",) * len(table.seats),
        game.id,
        game.version,
        {},
        table.seats,
        "practice",
        None,
        "oink",
        None,
        "standard",
        steps,
        (),
        False,
        0,
        0,
    )


@pytest.mark.parametrize("value", ["a;b", "best:3", "a/b", "a,b", "a b", "", "a=b", "größer"])
def test_choices_that_no_link_can_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """The package that has them is named."""
    (tmp_path / "broken_choices.py").write_text(
        f"from dicehall.rules.options import choice\nMODE = choice('a', ('a', {value!r}), 'any')\n"
    )
    monkeypatch.delitem(sys.modules, "broken_choices", raising=False)
    bring(tmp_path, monkeypatch, "dicehall.games", "broken_choices")
    with pytest.raises(InvalidOption, match="broken_choices of another package is no game: a choice is letters"):
        list(Catalog(*GAMES.own.values()))


@dataclass(frozen=True)
class State:
    options: None = None
    seat: int = 1
    cards: tuple[int, ...] = (3, 1, 2)
    hands: tuple[tuple[int, ...], ...] = ((4, 5), ())
    dice: tuple[int, ...] = (6, 1)
    last: object = None
    over: bool = False


def test_the_parts_of_any_state() -> None:
    """Those that the rules name are the seats', and no others; what is no plain value is written."""
    shown = plain.picture(State(), 2, ("hands",))
    assert shown["turn_of"] == 1
    common = {"cards": "3 1 2", "dice": "6 1", "last": "None", "over": False}
    assert {part["name"]: part["value"] for part in shown["parts"]} == common
    assert [seat["parts"] for seat in shown["seats"]] == [
        [{"name": "hands", "value": "4 5"}],
        [{"name": "hands", "value": ""}],
    ]
    assert plain.picture(State(seat=5), 1, ())["turn_of"] is None
    assert plain.picture((), 1, ())["parts"] == []
