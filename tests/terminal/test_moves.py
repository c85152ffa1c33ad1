"""What is typed is the move, or refused; what is shown fits, and can be typed."""

from __future__ import annotations

import re
from random import Random

import pytest

from dicehall.errors import DicehallError
from dicehall.play.table import Table, simulate_run
from dicehall.rules.catalog import GAMES
from dicehall.rules.game import DICE
from dicehall.terminal.lines import LineGame
from dicehall.terminal.told import WIDTH, fit, listed_moves, with_word
from dicehall.terminal.words import LANGUAGES, Words
from tests.soak import times
from tests.terminal.typist import Out, flat, play

ENGLISH, GERMAN = Words("en"), Words("de")
WORDS = {"farkle": ("roll", "bank"), "lite-solo": ("reroll",), "shut-the-box": ("one", "two")}
VARIANTS: list[tuple[str, dict[str, int | str | bool], int]] = [
    ("lite-solo", {"reroll": True, "columns": True}, 1),
    ("lite-versus", {"reroll": True}, 2),
    ("farkle", {}, 1),
    ("farkle", {"preset": "spicy", "last_turn": True}, 3),
    ("shut-the-box", {}, 1),
    ("shut-the-box", {"tiles": 12, "mode": "long"}, 2),
    ("knucklebones", {}, 2),
]


def silent(table: Table, words: Words = ENGLISH) -> LineGame:
    """A game at that table which tells nobody anything."""
    return LineGame(table, words, lambda prompt: "", lambda line: None)


@pytest.mark.parametrize(("game_id", "options", "seats"), VARIANTS)
def test_a_number_is_the_move_or_refused(game_id: str, options: dict[str, int | str | bool], seats: int) -> None:
    """In every position of some runs, every number that could be the number of a row."""
    random = Random(game_id)
    for seed in range(times(3, 60)):
        table = Table(game_id, options=options, seats=["you"] * seats, seed=seed, practice=True)
        game = silent(table)
        while not table.is_over:
            before, legal = table.steps, table.legal()
            for number in range(len(legal) + 13):
                game._answer(str(number))
                if table.steps != before:
                    assert table.steps[len(before)] == str(number) in legal
                    table.undo()
                    assert table.steps == before
            table.play(random.choice(legal))


@pytest.mark.parametrize(("game_id", "options", "seats"), VARIANTS)
def test_a_place_in_the_list_is_its_move(game_id: str, options: dict[str, int | str | bool], seats: int) -> None:
    random = Random(game_id)
    table = Table(game_id, options=options, seats=["you"] * seats, seed="places")
    game = silent(table)
    while not table.is_over:
        before, legal = table.steps, table.legal()
        for nowhere in ("#0", f"#{len(legal) + 1}", "#", "#-1", "#x", "#\u0661", "##1", "#1.0", "#" + "9" * 5000):
            game._answer(nowhere)
            assert table.steps == before
        place = random.randrange(len(legal))
        game._answer(f"#{place + 1}")
        assert table.steps[len(before)] == legal[place]


TYPED: list[tuple[str, dict[str, int | str | bool], list[int], list[str], str, str]] = [
    ("lite-solo", {}, [6], [], "A1", "a1"),
    ("lite-solo", {}, [6], [], "a 1", "a1"),
    ("lite-solo", {"reroll": True}, [6], [], "ReRoll", "reroll"),
    ("lite-versus", {}, [6], [], " C  3 ", "c3"),
    ("farkle", {}, [2, 2, 2, 1, 3, 4], [], "2 2 2", "222"),
    ("farkle", {}, [2, 2, 2, 1, 3, 4], [], "222 + 1", "222+1"),
    ("farkle", {}, [2, 2, 2, 1, 3, 4], [], "1 222", "222+1"),
    ("farkle", {}, [2, 2, 2, 1, 3, 4], ["1"], "BANK", "bank"),
    ("shut-the-box", {}, [6, 6], [], "9 3", "9+3"),
    ("shut-the-box", {}, [6, 6], [], "3 + 9", "9+3"),
    ("shut-the-box", {}, [6, 6], [], "4 + 7 1", "7+4+1"),
    ("shut-the-box", {}, [6, 6] * 3, ["9+3", "8+4", "7+5"], "Two", "two"),
]


@pytest.mark.parametrize(("game_id", "options", "dice", "before", "typed", "move"), TYPED)
def test_case_and_spaces_do_not_matter(
    game_id: str, options: dict[str, int | str | bool], dice: list[int], before: list[str], typed: str, move: str
) -> None:
    table = simulate_run(game_id, dice, before, options=options, seats=["you"] * GAMES[game_id].seats[0])
    if table.actor == DICE:
        table.roll()
    steps = table.steps
    silent(table)._answer(typed)
    assert table.steps[len(steps)] == move


@pytest.mark.parametrize(("game_id", "options", "seats"), VARIANTS)
def test_every_move_can_be_shouted(game_id: str, options: dict[str, int | str | bool], seats: int) -> None:
    """In upper case, and with a space at every place where one does not divide a word or a number."""
    random = Random(game_id)
    table = Table(game_id, options=options, seats=["you"] * seats, seed="shouted")
    game = silent(table)
    while not table.is_over:
        steps, move = table.steps, random.choice(table.legal())
        game._answer(f"  {move.upper().replace('+', ' + ')} ")
        assert table.steps[len(steps)] == move


def test_what_can_mean_two_moves_is_refused() -> None:
    """Three ones are 1,000 together, and 300 one by one."""
    table = simulate_run("farkle", [1, 1, 1, 2, 3, 4], [], seats=["you"])
    table.roll()
    said: list[str] = []
    game = LineGame(table, ENGLISH, lambda prompt: "", said.append)
    game._answer("1 1 1")
    assert len(table.steps) == 1
    assert "'1 1 1' is not dice to keep, like 111" in flat("\n".join(said))


def test_a_refusal_is_about_what_was_meant(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    said = play(monkeypatch, capsys, ["a1", "A 1", "HELP", "X y"], "lite-solo", "--seed", "1")
    assert "No: That cell is taken." in said
    assert "take the last move back" in said
    assert "'X y' is not a cell" in said
    with pytest.raises(DicehallError):
        Table("lite-solo", seed="1").play("A1")  # the rules themselves are strict


def test_the_traps_of_before(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    """8 shut 6+5+1, the eighth of the list; and 6 kept a one."""
    said = play(monkeypatch, capsys, ["8", "#8"], "shut-the-box", "--seed", "1")
    assert "No: These tiles do not add up to the dice. For that place in the list type #8." in flat(said)
    assert said.count("You: ") == 1 + said.count("You: 0 points")
    assert "You: 6+5+1." in said
    kept = play(monkeypatch, capsys, ["2", "9", "1"], "farkle", "--seed", "1")
    assert "No: The roll has no such dice that score together. For that place in the list type #2." in flat(kept)
    assert "You: 1." in kept
    assert "You: 1+1." not in kept, "which is the first of the list"


def test_the_list_shows_how_a_place_is_typed(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    said = play(monkeypatch, capsys, ["moves", "#99"], "shut-the-box", "--seed", "1")
    assert re.search(r"\n    #8  6\+5\+1 ", said.replace("> ", "\n"))
    assert re.search(r"\n   #12  5\+4\+2\+1 ", said)
    assert "No: The list has no #99; it goes from #1 to #12." in said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game_id", "options", "seats"), VARIANTS)
def test_everything_fits_into_80_columns(
    game_id: str, options: dict[str, int | str | bool], seats: int, language: str,
    monkeypatch: pytest.MonkeyPatch, capsys: Out,
) -> None:  # fmt: skip
    random = Random(game_id)
    asked = ["help", "rules", "moves", "hint", "report", "nonsense " * 9]
    answers = [*asked, *(word for _ in range(3000) for word in ("moves", f"#{random.randint(1, 9)}", "hint"))]
    chosen = [
        part for name, value in options.items() for part in ("--option", f"{name}={value}".replace("True", "true"))
    ]
    opponents = {"farkle": "bank:1000", "shut-the-box": "highest", "lite-versus": "lookahead", "knucklebones": "spec"}
    who = ",".join(["you", *[opponents.get(game_id, "")] * (seats - 1)])
    said = play(
        monkeypatch, capsys, answers, game_id, "--seed", "wide", "--seats", who, "--language", language, *chosen
    )
    assert Words(language).t("terminal.end") in said
    assert [line for line in said.splitlines() if len(line) > 80 and "dicehall1/" not in line] == []


def test_a_list_breaks_between_moves() -> None:
    moves = [with_word(GERMAN, game, move) for game, words in WORDS.items() for move in words] * 5
    lines = listed_moves("Was tust du?", moves).splitlines()
    assert len(lines) > 2
    assert max(map(len, lines)) <= WIDTH
    assert [move for line in lines for move in line.strip().split("  ") if move != "Was tust du?"] == moves


def test_words_wrap_and_short_lines_stay() -> None:
    assert fit("  short") == "  short"
    first, second = fit(f"  {'word ' * 18}end").splitlines()
    assert (first[:6], second[:8]) == ("  word", "    word")
    assert fit("x" * 200) == "x" * 200, "a word is not broken"


@pytest.mark.parametrize(
    ("game_id", "options", "before", "move", "german"),
    [
        ("farkle", {}, ["1"], "roll", "weiterwürfeln"),
        ("farkle", {}, ["1"], "bank", "Sichern"),
        ("lite-solo", {"reroll": True}, [], "reroll", "neu würfeln"),
    ],
)
def test_german_words_are_shown_beside_the_notation_and_can_be_typed(
    game_id: str, options: dict[str, int | str | bool], before: list[str], move: str, german: str
) -> None:
    told: list[str] = []
    table = Table(game_id, options=options, seats=["you"], seed=1)
    for earlier in before:
        table.play(earlier)
    game, steps = LineGame(table, GERMAN, lambda prompt: "", told.append), table.steps
    game._tell_news()
    assert f"{move} ({german.lower()})" in told[-1]
    game._answer(german)
    assert table.steps[len(steps)] == move
    game._tell_news()
    assert f"  Du: {move} ({german.lower()})." in "\n".join(told)


@pytest.mark.parametrize("word", ["weiterwürfeln", "würfeln", "Wuerfeln", "sichern"])
def test_a_word_of_another_choice_is_refused_by_the_rule(word: str) -> None:
    """Not as if it were dice to keep; once they are kept, it is what it says."""
    told: list[str] = []
    game = LineGame(Table("farkle", seats=["you"], seed=1), GERMAN, lambda prompt: "", told.append)
    game._answer(word)
    assert told[-1].startswith("  Nein: Behalte erst mindestens einen Würfel, der zählt.")
    game._answer("1")
    steps = game.table.steps
    game._answer(word)
    assert game.table.steps[len(steps)] == ("bank" if word == "sichern" else "roll")


def test_german_words_of_a_box() -> None:
    table = simulate_run("shut-the-box", [6, 6, 6, 6, 6, 6], ["9+3", "8+4", "7+5"], seats=["you"])
    steps = table.steps
    assert table.legal() == ("one", "two")
    silent(table, GERMAN)._answer("zwei Würfel")
    assert table.steps[len(steps)] == "two"


def test_an_english_word_needs_no_other_beside_it() -> None:
    for game, moves in WORDS.items():
        assert tuple(with_word(ENGLISH, game, move) for move in moves) == moves
    assert with_word(GERMAN, "shut-the-box", "9+3") == "9+3"
