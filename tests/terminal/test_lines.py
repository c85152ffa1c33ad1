"""The line-by-line game, played through its own prompt."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from dicehall.coach.advise import Advice, advise
from dicehall.coach.protocol import read_objective
from dicehall.play.replay import check, read_record
from dicehall.play.table import Table
from dicehall.rules.catalog import GAMES
from dicehall.terminal.coach import hint_lines
from dicehall.terminal.words import Words
from tests.terminal.typist import EASY, SHORT, Out, play


@pytest.mark.parametrize("game_id", GAMES)
def test_a_whole_game_by_numbers(game_id: str, monkeypatch: pytest.MonkeyPatch, capsys: Out, tmp_path: Path) -> None:
    """Somebody who takes the first move of the list, come what may: every game ends, and leaves a true record."""
    saved = tmp_path / "saved.jsonl"
    said = play(monkeypatch, capsys, EASY, game_id, "--seed", "lines", "--save", str(saved), *SHORT.get(game_id, ()))
    assert "The end" in said
    line = next(line.strip() for line in said.splitlines() if line.strip().startswith("dicehall1/"))
    assert check(line).ok
    assert read_record(line) == read_record(saved.read_text())


@pytest.mark.parametrize("game_id", GAMES)
def test_a_whole_game_in_json(game_id: str, monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    said = play(monkeypatch, capsys, EASY, game_id, "--seed", "lines", "--json", *SHORT.get(game_id, ()))
    answers = [answer for line in said.splitlines() if "error" not in (answer := json.loads(line))]
    assert check(json.dumps(answers[-1]["record"])).ok
    assert all("view" in answer for answer in answers[:-1])


def test_commands_at_the_prompt(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    answers = ["help", "moves", "rules", "record", "", "undo", "nonsense", "a1", "undo", "quit"]
    said = play(monkeypatch, capsys, answers, "lite-solo", "--seed", "demo", "--practice")
    assert "take the last move back" in said
    assert "row 1 would score 2 x 1 = 2" in said
    assert "3. A pair doubles the whole row." in said
    assert said.count("dicehall1/lite-solo.1") == 2
    assert said.index("die: 2") < said.index("Place the 2")
    assert "No: There is no move to take back" in said
    assert "'nonsense' is not a cell" in said
    assert "Taken back. The run is unranked now." in said
    assert "The run so far" in said


def test_every_word_answers_in_json(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    words = ["help", "moves", "rules", "record", "hint", "report"]
    said = play(monkeypatch, capsys, words, "farkle", "--seed", "demo", "--json")
    first, *answers = [json.loads(line) for line in said.splitlines()]
    assert "view" in first
    assert [next(iter(answer)) for answer in answers] == words
    assert answers[1]["moves"] == first["view"]["moves"]
    assert check(json.dumps(answers[3]["record"])).ok


def test_errors_in_json(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    said = play(monkeypatch, capsys, ["zz"], "lite-solo", "--seed", "demo", "--json")
    assert json.loads(said.splitlines()[-1])["error"]["code"] == "move"


def test_the_menu(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    said = play(monkeypatch, capsys, ["x", "9", "99999", "knucklebones", "quit"])
    assert said.count("A number from 1 to 5, please.") == 3
    assert "Knucklebones. Type help for help." in said
    assert "Which" not in play(monkeypatch, capsys, [])
    assert "Shut the Box. Type" in play(monkeypatch, capsys, ["4", "quit"])


def test_two_people_at_one_table(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    said = play(monkeypatch, capsys, ["1", "2", "undo"], "knucklebones", "--seats", "you,you", "--seed", "two")
    assert "Player 1, your turn. Place the" in said
    assert "Player 2, your turn. Place the" in said
    assert "Player 2 (to move)" in said


@pytest.mark.parametrize(
    ("game_id", "options", "seats"),
    [
        ("lite-solo", ["columns=true", "reroll=true", "target=20"], "you"),
        ("lite-solo", ["target=1000"], "you"),
        ("lite-versus", ["columns=true", "reroll=true"], "you,standard"),
        ("farkle", ["target=300", "bank_minimum=300"], "you,bank:300,random"),
        ("farkle", ["max_turns=2"], "you"),
        ("shut-the-box", ["mode=long"], "you,random"),
        ("shut-the-box", ["tiles=12", "mode=long"], "you"),
        ("shut-the-box", ["variant=tournament45out"], "you,highest"),
        ("shut-the-box", ["rounds=2"], "you"),
        ("shut-the-box", ["mode=threshold"], "you"),
    ],
)
def test_variants_are_drawn_to_their_end(
    game_id: str, options: list[str], seats: str, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    random = Random(f"{game_id} {options}")
    answers = [word for _ in range(4000) for word in ("moves", f"#{random.randint(1, 9)}")]
    chosen = [part for option in options for part in ("--option", option)]
    said = play(monkeypatch, capsys, answers, game_id, "--seats", seats, "--seed", "draw", *chosen)
    assert "The end" in said
    assert {"farkle": "; a farkle in ", "shut-the-box": "Nothing fits "}.get(game_id, "") in said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["per_round_scoring=false"], "Target: none; Rounds add up: off."),
        (["per_round_scoring=false", "goal=45"], "Rounds add up: off."),
        (["rounds=3"], "Rounds: 3; Target: 32."),
        (["goal=175", "mode=threshold", "tiles=12"], "Tiles: 12; Length: one round."),
        (["preset=strict"], "Strict: "),
    ],
)
def test_a_goal_that_nobody_asked_for_fits_the_other_options(
    options: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    chosen = [part for option in options for part in ("--option", option)]
    assert f"  {said}" in play(monkeypatch, capsys, [], "shut-the-box", *chosen)


def test_a_hint_ranks_the_moves_and_makes_the_run_unranked(
    monkeypatch: pytest.MonkeyPatch, capsys: Out, tmp_path: Path
) -> None:
    saved = tmp_path / "hinted.jsonl"
    said = play(monkeypatch, capsys, ["a1", "hint", *EASY], "lite-solo", "--seed", "lines", "--save", str(saved))
    lines = said.splitlines()
    at = next(n for n, line in enumerate(lines) if "Best for the score:" in line)
    assert lines[at + 1].endswith(", best")
    assert "loses" in lines[at + 2]
    assert read_record(saved.read_text()).unranked == ("hint",)


def test_a_hint_that_is_judged_says_so(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    said = play(monkeypatch, capsys, ["hint", "hint"], "knucklebones", "--seed", "lines")
    assert said.count("Judged: off by a fifth of a percentage point") == 2


def test_many_moves_of_a_hint_are_cut_short(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    """Moves of one value are told together; so are, at the end, all that come after the fifth value."""
    said = play(monkeypatch, capsys, ["hint"], "shut-the-box", "--seed", "1").split("Best for winning")[1]
    table = Table("shut-the-box", seed="1")
    losses = [one.loss for one in advise(table.game, table.state)]
    values = sorted(set(losses))
    assert len(values) > 6
    assert f" {sum(loss >= values[5] for loss in losses)} more" in said


def test_moves_of_one_value_are_counted_one_by_one() -> None:
    game = GAMES["lite-solo"]
    score = read_objective(game, "score")

    def told(*equals: int) -> list[str]:
        moves = [
            Advice(0, "a1", Fraction(9 - n), Fraction(n), "exact")
            for n, times in enumerate(equals)
            for _ in range(times)
        ]
        return list(hint_lines(Words("en"), score, moves))

    assert "    and 5 more" in told(1, 1, 1, 1, 1, 3, 2)
    assert not any("more" in line for line in told(1, 1, 1, 1, 4))
    assert len(told(1, 1, 1, 1, 4)) == 7, "what for, five values, how certain"


def test_a_hint_in_json(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    said = play(monkeypatch, capsys, ["hint", "report"], "farkle", "--seed", "lines", "--json")
    told = [json.loads(line) for line in said.splitlines()]
    hint = next(one["hint"] for one in told if "hint" in one)
    assert (hint["objective"], hint["certainty"], hint["moves"][0]["loss"]) == ("turns", "close", 0)
    report = next(one["report"] for one in told if "report" in one)
    assert report["objective"] == "turns"


def test_the_end_tells_luck_from_skill(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    said = play(monkeypatch, capsys, EASY, "lite-solo", "--seed", "lines")
    assert "Perfect play expected   65.51 points" in said
    assert "Accuracy" in said
    assert "of perfect runs." in said
    assert "blunder. Better: " in said
    versus = play(monkeypatch, capsys, EASY, "knucklebones", "--seed", "lines")
    assert "The chances of the middle of a game are judged" in versus
    assert "The other side’s moves" in versus


def test_the_report_is_about_the_person_wherever_they_sit(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    for seats, seat in (("you,spec", 0), ("spec,you", 1), ("you,you", 0)):
        said = play(
            monkeypatch, capsys, ["1", "2", "report"], "knucklebones", "--seats", seats, "--seed", "s", "--json"
        )
        told = next(one for line in said.splitlines() if "report" in (one := json.loads(line)))
        assert told["report"]["seat"] == seat


BOTH = [f"{column}{row}" for row in "123" for column in "abc" for _ in range(2)]  # every cell, by one and the other


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [("en", "Player 1 played for winning.", "Player 2 played for winning."),
     ("de", "Spieler 1 spielte auf den Sieg.", "Spieler 2 spielte auf den Sieg.")],
)  # fmt: skip
def test_two_people_have_a_report_each_which_says_whose_it_is(
    language: str, first: str, second: str, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    arguments = ("lite-versus", "--seats", "you,you", "--seed", "2", "--language", language)
    said = play(monkeypatch, capsys, BOTH, *arguments)
    assert said.index(first) < said.index(second)
    assert said.count(Words(language).t("analysis.result")) == 2
    alone = play(monkeypatch, capsys, EASY, "lite-versus", "--seats", "you,random", "--seed", "2")
    assert "Played for winning." in alone, "whose it is goes without saying"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_figures_of_a_report_stand_below_each_other(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    words, seats = Words(language), ("--seats", "you,random")
    said = play(monkeypatch, capsys, EASY, "lite-versus", *seats, "--seed", "2", "--language", language)
    names = [words.t(f"analysis.{name}") for name in ("start", "luck", "gifts", "lost", "result", "accuracy")]
    ends = {len(line) for line in said.splitlines() for name in names if line.startswith(f"    {name}  ")}
    assert len(ends) == 1


def test_undo_takes_back_ones_own_move_and_the_reply(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    arguments = ("knucklebones", "--seats", "you,spec", "--seed", "back", "--practice", "--json")
    said = [json.loads(line) for line in play(monkeypatch, capsys, ["1", "undo", "2"], *arguments).splitlines()]
    views = [one["view"]["state"] for one in said if "view" in one]
    assert views[0] == views[2] != views[1]
    plain = play(monkeypatch, capsys, ["1", "undo"], *arguments[:-1])
    assert plain.rstrip().endswith(plain.split("> ")[0].rstrip().splitlines()[-1]), "the same question again"
    assert plain.count("You: 1.") == 1, "it is not told again"


def test_among_several_people_undo_takes_back_the_last_move_alone(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    arguments = ["knucklebones", "--seats", "you,you", "--seed", "two", "--practice", "--json"]
    said = [json.loads(line) for line in play(monkeypatch, capsys, ["1", "2", "undo"], *arguments).splitlines()]
    start, first, second, back = [one["view"]["state"] for one in said]
    assert back == first
    assert len({start, first, second}) == 3


def test_after_an_undo_nothing_that_was_told_before_is_told_again(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    arguments = ("lite-solo", "--seed", "lines", "--practice")
    said = play(monkeypatch, capsys, ["a1", "b1", "undo"], *arguments)
    assert (said.count("You: a1."), said.count("You: b1.")) == (1, 1)
    told = play(monkeypatch, capsys, ["a1", "b1", "undo"], *arguments, "--json").splitlines()
    assert json.loads(told[-1])["steps"] == []


def test_what_nobody_has_solved_has_no_report(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    said = play(monkeypatch, capsys, ["hint", *EASY], "lite-versus", "--seed", "lines", "--option", "columns=true")
    assert "No: The coach does not know this variant." in said
    assert said.count("The coach does not know this variant.") == 2


def test_a_hint_that_is_not_given_leaves_the_run_ranked(
    monkeypatch: pytest.MonkeyPatch, capsys: Out, tmp_path: Path
) -> None:
    saved, unsolved = tmp_path / "not-hinted.jsonl", ("--option", "columns=true")
    said = play(monkeypatch, capsys, ["hint", *EASY], "lite-versus", "--seed", "lines", "--save", str(saved), *unsolved)
    assert "No: The coach does not know this variant." in said
    assert read_record(saved.read_text()).unranked == ()
