"""Everything a player at the prompt or a reader of a report sees, in both languages."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from dicehall.cli import main
from dicehall.coach.advise import advise, intended
from dicehall.coach.report import report
from dicehall.dice import ScriptedDice
from dicehall.play.replay import read_record, walk
from dicehall.play.table import Table, simulate_run
from dicehall.rules.catalog import GAMES
from dicehall.terminal.coach import figure, hint_lines, report_lines
from dicehall.terminal.lines import COMMANDS
from dicehall.terminal.told import end_lines, seat_names
from dicehall.terminal.words import LANGUAGES, Words
from tests.terminal.typist import EASY, SHORT, Out, flat, play

# Words that no German sentence has. Moves are written as in records (roll, bank, one, two), games keep their names.
ENGLISH = re.compile(
    r"\b(the|of|is|are|you|your|dice|points?|turns?|rounds?|tiles|score|scores|loses|best|better|lost|luck|move|"
    r"perfect|total|left|row|column|rolls|open|shut|nothing|more|not|no|type|end)\b",
    re.IGNORECASE,
)
ASK_EVERYTHING = {
    "en": ["help", "moves", "hint", "undo", "report", "rules", "record", "nonsense"],
    "de": ["hilfe", "züge", "tipp", "zurück", "bericht", "regeln", "protokoll", "Unsinn"],
}
BOARDS = {
    "lite-solo": ["columns=true", "reroll=true"],
    "lite-versus": ["columns=true", "first=drawn"],
    "farkle": ["last_turn=true", "target=1000"],
    "shut-the-box": ["mode=long"],
    "knucklebones": ["first=drawn"],
}
OPPONENTS = {"farkle": "you,bank:300"}


def sentences(said: str) -> str:
    """Without records and titles."""
    lines = [line for line in said.splitlines() if "dicehall1/" not in line]
    return "\n".join(lines).replace(Words("de").t("game.shut-the-box"), "")


def foreign(said: str) -> list[str]:
    """English words in what should be German."""
    return [f"{found[0]} in: {line}" for line in sentences(said).splitlines() if (found := ENGLISH.search(line))]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", GAMES)
def test_a_whole_game_and_every_word(game_id: str, language: str, monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    answers = [*ASK_EVERYTHING[language], *EASY]
    said = play(monkeypatch, capsys, answers, game_id, "--seed", "1", "--language", language, *SHORT.get(game_id, ()))
    words = Words(language)
    for key in ("terminal.help", "terminal.about.quit", "terminal.end", "terminal.send-on"):
        assert words.t(key) in flat(said)
    assert words.t("analysis.accuracy") in said or words.t("coach.none") in said
    assert words.t("terminal.no", why="") in said
    assert words.t("terminal.error.undo-nothing") in flat(said)
    assert words.t(f"game.{game_id}") in said.splitlines()[0]
    assert "{" not in said
    assert (foreign(said) == []) == (language == "de")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", GAMES)
def test_boards_of_variants(game_id: str, language: str, monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    random = Random(game_id)
    answers = [word for _ in range(1000) for word in ("moves", f"#{random.randint(1, 9)}")]
    chosen = [part for option in BOARDS[game_id] for part in ("--option", option)]
    seats = ["--seats", OPPONENTS[game_id]] if game_id in OPPONENTS else []
    said = play(monkeypatch, capsys, answers, game_id, "--seed", "1", "--language", language, *chosen, *seats)
    words = Words(language)
    assert words.t("terminal.end") in said
    told = {
        "lite-solo": ["terminal.reroll-left", "lite.move.reroll"],
        "lite-versus": ["player.lookahead"],
        "farkle": ["terminal.at-stake", "terminal.kept-free"],
        "shut-the-box": ["box.rule.opening", "box.label.opening", "box.label.shutting", "box.turn"],
        "knucklebones": ["player.spec"],
    }
    assert [key for key in told[game_id] if words.t(key) not in said] == []
    assert "{" not in said
    assert (foreign(said) == []) == (language == "de")


def test_the_words_of_both_languages_work_in_german(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    said = play(monkeypatch, capsys, ["help", "Hilfe", "HILFE", "ende", "a1"], "lite-solo", "--language", "de")
    assert said.count("den Tisch verlassen; die Partie bleibt") == 3
    assert "Die Partie bis hierher:" in said
    assert "Du: a1" not in said, "ende is the end"
    english = play(monkeypatch, capsys, ["hilfe", "q"], "lite-solo", "--language", "en")
    assert "No: 'hilfe' is not a cell" in english


def test_no_word_is_a_move() -> None:
    for language in LANGUAGES:
        for key in ("moves", "hint", "undo", "report", "rules", "record", "help", "quit"):
            for game in GAMES.values():
                with pytest.raises(ValueError, match="is not"):
                    game.rules.read_move(Words(language).t(f"terminal.word.{key}"))


def test_the_menu_in_german(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    said = play(monkeypatch, capsys, ["9", "2"], "--seed", "1")
    assert "Bitte eine Zahl von 1 bis 5." in said
    assert "Neun Würfel, drei Reihen" in said
    assert "Lite, zwei Bretter. Hilfe bekommst du mit dem Wort hilfe." in said
    assert "Thea" in said


@pytest.mark.parametrize(
    ("game_id", "answers", "english", "german"),
    [
        ("lite-solo", ["a1", "a1"], "That cell is taken.", "Das Feld ist schon belegt."),
        ("lite-solo", ["reroll"], "There is no reroll left.", "Es ist kein Neuwurf übrig."),
        ("farkle", ["bank"], "First keep at least one die that scores.", "Behalte erst mindestens einen Würfel"),
        ("farkle", ["1", "5"], "You have kept dice of this roll.", "Von diesem Wurf hast du schon behalten."),
        ("shut-the-box", ["9+1"], "These tiles do not add up to the dice.", "Diese Klappen ergeben nicht den Wurf."),
        ("shut-the-box", ["two"], "The dice lie there already", "Die Würfel liegen schon"),
        ("knucklebones", ["4"], "'4' is not a column: 1, 2 or 3.", "„4“ ist keine Spalte: 1, 2 oder 3."),
        # what is no move is told by the kinds of moves that there are now
        ("lite-solo", ["a9"], "'a9' is not a cell from a1 to c3. ", "„a9“ ist kein Feld von a1 bis c3. "),
        ("lite-solo --option reroll=true", ["a9"], "'a9' is not a cell from a1 to c3, nor reroll.",
         "„a9“ ist weder ein Feld von a1 bis c3 noch reroll (neu würfeln)."),
        ("lite-solo --option reroll=true", ["reroll", "a9"], "'a9' is not a cell from a1 to c3. ",
         "„a9“ ist kein Feld von a1 bis c3. "),
        ("farkle", ["x"], "'x' is not dice to keep, like 1+1.", "„x“ sind keine Würfel zum Behalten wie 1+1."),
        ("farkle", ["1", "x"], "'x' is not roll or bank.", "„x“ ist weder roll (weiterwürfeln) noch bank (sichern)."),
        ("farkle --option bank_minimum=5000", ["1", "x"], "'x' is not roll, and nothing else is left.",
         "„x“ ist nicht roll (weiterwürfeln), und sonst bleibt nichts."),
        ("shut-the-box", ["x"], "'x' is not tiles like 9+3.", "„x“ sind keine Klappen wie 9+3."),
        ("knucklebones", ["1", "undo"], "The dice have been rolled since", "Seitdem ist gewürfelt worden"),
    ],
)  # fmt: skip
def test_refusals(
    game_id: str, answers: list[str], english: str, german: str, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    for language, refused in (("en", f"No: {english}"), ("de", f"Nein: {german}")):
        said = play(monkeypatch, capsys, answers, *game_id.split(), "--seed", "1", "--language", language)
        assert refused in flat(said)


def test_taking_back_in_practice(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    said = play(monkeypatch, capsys, ["a1", "zurück"], "lite-solo", "--practice", "--language", "de")
    assert "Zurückgenommen. Die Partie zählt jetzt nicht mehr für die Bestenlisten." in said


def test_json_has_no_language(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    answers = ["hint", "zz", "undo", "report", *EASY]
    english, german = (
        play(monkeypatch, capsys, answers, "lite-solo", "--seed", "1", "--json", "--language", language)
        for language in LANGUAGES
    )
    assert english == german
    assert [json.loads(line) for line in english.splitlines()]


@pytest.fixture
def run_of_farkle() -> str:
    table = Table("farkle", seed="told", options={"target": 1000}, seats=["you", "random"])
    while not table.is_over:
        table.play(table.legal()[-1])
    return str(table.record())


def test_report_in_german(run_of_farkle: str, tmp_path: Path, capsys: Out) -> None:
    file = tmp_path / "run.json"
    file.write_text(run_of_farkle)
    assert main(["report", str(file), "--language", "de"]) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[0] == "Gespielt auf den Sieg im Rennen."
    assert re.search(r"Perfektes Spiel erwartete +\d\d,\d\d\u00a0%", said)
    assert re.search(r"Spiel der Gegenseite +\+\d", said)
    assert re.search(r"Schritt +wer +Zug +Wert +Glück +verschenkt\n", said)
    assert re.search(r"\d  Der Becher +bank ", said)
    assert re.search(r"Fehler, besser |Patzer, besser ", said)
    assert foreign(said) == []


@pytest.mark.parametrize(
    ("options", "objective", "english"),
    [
        ({}, "golf", "Played for few points left."),
        ({}, "total<=45", "Played for a total of at most 45."),
        ({"scoring": "missionary"}, "missionary", "Played for few tiles left."),
        ({"variant": "tournament45out"}, "rounds", "Played for many rounds."),
        ({"mode": "long"}, "turns", "Played for few turns."),
    ],
)
def test_reports_of_every_kind(
    options: dict[str, int | str], objective: str, english: str, tmp_path: Path, capsys: Out
) -> None:
    """What the parts of a report show adds up, to the digits shown: where less is better, too."""
    table = Table("shut-the-box", seed="kinds", options=options)
    while not table.is_over:
        table.play(table.legal()[0])
    file = tmp_path / "run.json"
    file.write_text(str(table.record()))
    assert main(["report", str(file), "--objective", objective]) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    assert first == english
    signed = [re.sub(r"  (\d)", r" -\1", line) if line.endswith(" better") else line for line in rest[:4]]
    start, luck, lost, result = (float(re.search(r"-?\d+\.\d\d", line)[0]) for line in signed)  # type: ignore[index]
    assert ("worse" in rest[2]) == (objective in ("golf", "missionary", "turns")), "those say better and worse"
    assert abs(start + luck + lost - result) < 0.025


@pytest.mark.parametrize(("best_alone", "said"), [(True, "All rounds together"), (False, "The result")])
def test_the_sum_of_all_rounds_is_no_result_where_one_of_them_is(best_alone: bool, said: str) -> None:
    options = {"goal": 0, "rounds": 2, "per_round_scoring": not best_alone}
    table, words = Table("shut-the-box", seed=4, options=options), Words("en")
    while not table.is_over:
        table.play(table.legal()[0])
    record = table.record()
    told = "\n".join(report_lines(words, record, report(record), ["You"]))
    assert said in told
    assert ("The result" in told) == (not best_alone)
    assert end_lines(words, table.view(), ["you"])[0] == "The end. All rounds are played."


def test_coach_and_odds_in_german(capsys: Out) -> None:
    assert main(["odds", "farkle", "--objective", "farkle:1", "--language", "de"]) == 0
    assert capsys.readouterr().out == "farkle:1: 0,666666666667 = 2/3\n"
    assert main(["coach", "shut-the-box", "12.4..... 34 0 1 0 - -", "--objective", "golf", "--language", "de"]) == 0
    head, best = capsys.readouterr().out.splitlines()
    assert (head.split(), best.split()) == (["Zug", "golf", "verliert"], ["4+2+1", "0,000000", "0,000000"])
    assert main(["coach", "knucklebones", "5/-/- 3/-/- 0 3", "--language", "de"]) == 0
    assert capsys.readouterr().out.split()[:3] == ["Zug", "win", "verliert"]


def test_the_variant_lab_in_german(capsys: Out) -> None:
    changed = ["--option", "three_pairs=true", "--option", "bank_minimum=700"]  # of which there is no book
    assert main(["odds", "farkle", *changed, "--compare", "--language", "de"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["gespielt", "auf", "üblich", "geändert", "Unterschied"]
    assert lines[3].split() == ["race", "0,534917359", "nicht", "gelöst", "-"]
    assert lines[-1].split() == ["farkle:6", "0,0308641975", "0,0231481481", "-0,00771604938"]
    assert len({len(line) for line in lines}) == 1, "one under the other"


@pytest.mark.parametrize(("language", "now"), [("en", "Now worth"), ("de", "Jetzt wert")])
def test_a_report_on_the_way_has_no_result_yet(
    language: str, now: str, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    said = play(monkeypatch, capsys, ["a1", "report", *EASY], "lite-solo", "--seed", "1", "--language", language)
    so_far, end = said.split(Words(language).t("terminal.end"))
    assert (now in so_far, now in end) == (True, False)
    assert [Words(language).t("analysis.result") in part for part in (so_far, end)] == [False, True]


@pytest.mark.parametrize(("language", "points"), [("en", "percentage points"), ("de", "Prozentpunkte")])
def test_differences_of_chances_are_percentage_points(language: str, points: str, capsys: Out, tmp_path: Path) -> None:
    """What is worth so many per cent rises and falls by points: in a report, step by step, and in a hint."""
    words, percent = Words(language), Words(language).t("percent")
    record = simulate_run(
        "shut-the-box", [5, 4, 6, 2], ["5+4"], options={"preset": "threshold"}, seats=["you"]
    ).record()
    file = tmp_path / "run.json"
    file.write_text(str(record))
    assert main(["report", str(file), "--language", language]) == 0
    said = capsys.readouterr().out
    ends = {words.t(f"analysis.{name}"): points for name in ("luck", "lost")}
    for label, end in {**ends, words.t("analysis.start"): percent, words.t("terminal.now"): percent}.items():
        (line,) = [line for line in said.splitlines() if line.strip().startswith(f"{label} ")]
        assert line.endswith(end)
    _, *steps, last = said[said.index(f"{words.t('terminal.head.step'):>9}  ") :].splitlines()
    assert last == f"  {words.t('terminal.changes')}"
    assert [step.count(percent) for step in steps] == [1] * len(steps), "the value alone"
    before = next(step.state for step in walk(record))
    ranked = advise(record.find_game(), before)
    hinted = "\n".join(hint_lines(words, intended(record.find_game(), record.options, 1), ranked))
    assert hinted.count(points) == hinted.count(words.t("coach.loses", n="").strip()) > 1


def test_there_is_no_third_language(capsys: Out) -> None:
    with pytest.raises(SystemExit) as left:
        main(["play", "farkle", "--language", "fr"])
    assert left.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_terminal_without_our_letters_plays_on() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "dicehall", "play", "knucklebones", "--language", "de", "--seed", "1"],
        input="regeln\n1\n", capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "W?rfel" in done.stdout
    assert "Du: 1" in done.stdout


# A person is "you" and "du", which takes forms of its own; everybody else is he, she or it.
DISAGREES = re.compile(
    r"\bYou (is|has|wins|rolls|was|shares)\b|\bDu (ist|hat|gewinnt|gab|würfelt|war|teilt|verliert|kann)\b|"
    r"\b(house|Hugo|Thea|Player \d) (are|have|win|share)\b|\b(Haus|Hugo|Thea|Spieler \d) (bist|hast|gabst|gewinnst)\b"
)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("game_id", "seats"),
    [
        ("lite-versus", "you,lookahead"), ("lite-versus", "you,you"), ("lite-versus", "random,lookahead"),
        ("knucklebones", "you,spec"), ("knucklebones", "spec,you"), ("knucklebones", "you,you"),
        ("farkle", "you,bank:300"), ("farkle", "you,you,random"),
        ("shut-the-box", "you,highest"), ("shut-the-box", "you,you"),
    ],
)  # fmt: skip
def test_sentences_agree_with_who_they_are_about(
    game_id: str, seats: str, language: str, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    for seed in ("1", "2"):
        answers = [word for _ in range(300) for word in ("#1", "report", "bank")]
        options = ["--seats", seats, "--seed", seed, "--language", language, *SHORT.get(game_id, ())]
        said = flat(play(monkeypatch, capsys, answers, game_id, *options))
        assert Words(language).t("terminal.end") in said
        assert DISAGREES.search(said) is None


@pytest.mark.parametrize(
    ("language", "alike", "by"),
    [("en", "Better than 0% of perfect runs; 21% do as well.",
      "0 points: better than 90% of runs played perfectly for few points left; 10% do as well."),
     ("de", "Besser als 0 % der perfekten Partien; 21 % sind ebenso gut.",
      ("0 Punkte: besser als 90 % der Partien, die perfekt auf wenige Restpunkte gespielt werden; "
       "10 % sind ebenso gut."))],
)  # fmt: skip
def test_what_does_as_well_is_not_worse(language: str, alike: str, by: str) -> None:
    words = Words(language)
    moves = ["9", "8", "7", "two", "6+5", "two", "4+3+2+1"]
    for game, option, dice, played, said in (
        ("farkle", {"max_turns": 1}, [2, 2, 3, 3, 4, 6], [], alike),
        ("shut-the-box", {"preset": "threshold"}, [6, 3, 6, 2, 6, 1, 6, 5, 6, 4], moves, by),
    ):
        table = Table(game, options=option, dice=ScriptedDice(dice), seats=["you"])
        for move in played:
            table.play(move)
        record = table.record()
        assert said in flat("\n".join(report_lines(words, record, report(record), ["You"])))


@pytest.mark.parametrize(("language", "choices"), [("en", "in 4 choices"), ("de", "bei 4 Entscheidungen")])
def test_an_accuracy_says_of_how_many_choices(language: str, choices: str) -> None:
    """Player 2 wins, and has chosen worst in three of the four moves on which something depended."""
    line = (
        "dicehall1/lite-versus.1/tiebreak=highest-single-die/you;you/1;seed=m1/d1-a1-d2-a1-d1-b1-d1-b1-d2-c1-d4-c1-"
        "d3-a2-d2-a2-d4-b2-d1-b2-d6-c2-d5-c2-d1-a3-d4-a3-d1-b3-d5-b3-d5-c3-d4-c3/35:41;1;score//78d4ec3018a35fa1"
    )
    words, record = Words(language), read_record(line)
    said = list(report_lines(words, record, report(record, 1), seat_names(words, record.seats)))
    (at,) = (number for number, one in enumerate(said) if words.t("analysis.accuracy") in one)
    assert choices in said[at + 1]


def test_a_correction_is_explained_where_it_is_told() -> None:
    """One that is rounded to nothing is neither."""
    words, found = Words("en"), set[tuple[bool, bool]]()
    for seed in range(60):
        if {(True, False), (True, True)} <= found:
            break
        table = Table("lite-versus", seed=seed, seats=["you", "you"])
        while not table.is_over:
            table.play(table.legal()[seed % len(table.legal())])
        record = table.record()
        made = report(record)
        said = "\n".join(report_lines(words, record, made, ["You", "You"]))
        assert (words.t("analysis.corrected") in said) == (words.t("analysis.corrected.about") in said)
        found.add((bool(made.corrected), words.t("analysis.corrected") in said))
    assert {(True, False), (True, True)} <= found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_correction_names_the_line_that_it_is_about(language: str) -> None:
    words = Words(language)
    assert words.t("analysis.corrected") in words.t("analysis.corrected.about")


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_one_or_two_choices_no_accuracy_is_told(language: str) -> None:
    words, table, told = Words(language), Table("lite-solo", seed="lines", seats=["you"]), []
    while not table.is_over:
        table.play(table.legal()[-1])
        record = table.record()
        made = report(record)
        choices = [moment for moment in made.moments if moment.mark]
        said = words.t("analysis.accuracy") in "\n".join(report_lines(words, record, made, ["You"]))
        assert said == (len(choices) >= 3)
        told.append(said)
    assert {*told} == {True, False}


def test_a_chance_is_rounded_to_nothing_and_all_only_where_it_is_so() -> None:
    chances = [Fraction(0), Fraction(1, 10**6), 1 - Fraction(1, 10**6), Fraction(1)]
    for words, said in (
        (Words("en"), ["0.00%", "0.01%", "99.99%", "100.00%"]),
        (Words("de"), ["0,00\u00a0%", "0,01\u00a0%", "99,99\u00a0%", "100,00\u00a0%"]),
    ):
        assert [figure(words, chance, "chance") for chance in chances] == said
    assert figure(Words("en"), Fraction(1, 10**6), "points") == "0.00"


def test_an_accuracy_below_the_whole_is_not_the_whole() -> None:
    """Somebody who gave next to nothing away did not play perfectly."""
    table = Table("farkle", seed=1, seats=["you"])
    table.play("1")
    told = report(table.record())
    told = told._replace(moments=3 * (told.moments[-1]._replace(mark="best"),))
    nearly, perfect = told._replace(lost=Fraction(1, 10**6), at_stake=Fraction(1)), told._replace(at_stake=Fraction(1))
    for words, almost, whole in ((Words("en"), "99.9%", "100.0%"), (Words("de"), "99,9\u00a0%", "100,0\u00a0%")):
        for one, shown in ((nearly, almost), (perfect._replace(lost=Fraction(0)), whole)):
            (line,) = [
                line
                for line in report_lines(words, table.record(), one, ["You"])
                if words.t("analysis.accuracy") in line
            ]
            assert line.endswith(shown)


@pytest.mark.parametrize(
    ("arguments", "english", "german"),
    [
        (["lite-solo", "--option", "target=90"],
         "You play for 90 points or more; perfect play makes it in 10.77% of runs.",
         "Du spielst auf 90 Punkte oder mehr; perfektes Spiel schafft das in 10,77 % der Partien."),
        (["shut-the-box"],
         ("Classic: Five rounds. Alone, 45 or less wins. "
         "You play for winning; perfect play makes it in 30.79% of runs."),
         ("Klassisch: Fünf Runden. Allein gewinnst du bis 45. "
         "Du spielst auf den Sieg; perfektes Spiel schafft das in 30,79 % der Partien.")),
        (["shut-the-box", "--option", "tiles=12"], "perfect play makes it in less than 0.01% of runs.",
         "in weniger als 0,01 % der Partien."),
        (["farkle", "--preset", "arcade"], "Medals: Bronze 4,750, Silver 5,950, Gold 7,250.",
         "Medaillen: Bronze 4.750, Silber 5.950, Gold 7.250."),
        (["farkle", "--practice"],
         "Standard: Play to 10,000. You play for few turns. Practice: undo may take back a roll.",
         "Standard: Bis 10.000. Du spielst auf wenige Züge. Übung: Auch ein Wurf lässt sich zurücknehmen."),
        (["farkle", "--option", "board_minimum=700"], "You play for the points of each turn.",
         "Du spielst auf die Punkte jedes Zugs."),
        (["lite-versus", "--option", "columns=true"], "Columns score too: on. die: ",
         "Spalten zählen auch: an. Würfel: "),
    ],
)  # fmt: skip
def test_the_table_says_what_is_played(
    arguments: list[str], english: str, german: str, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    for language, expected in (("en", english), ("de", german)):
        assert expected in flat(play(monkeypatch, capsys, [], *arguments, "--language", language))


def test_the_rules_say_what_a_medal_takes(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    said = play(monkeypatch, capsys, ["rules"], "farkle", "--preset", "arcade")
    assert said.count("Medals: Bronze 4,750, Silver 5,950, Gold 7,250.") == 2


def test_a_hint_in_farkle_weighs_rolling_on_against_banking(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    said = play(monkeypatch, capsys, ["hint"], "farkle", "--seed", "1")
    assert "After 1: roll 21.45 turns, bank 22.06 turns." in said
    german = play(monkeypatch, capsys, ["tipp"], "farkle", "--seed", "1", "--language", "de")
    assert "Nach 1: roll (weiterwürfeln) 21,45 Züge, bank (sichern) 22,06 Züge." in german


@pytest.mark.parametrize(
    ("language", "hint", "undo", "unranked"),
    [
        ("en", "The coach was asked: this run is unranked.", "A move was taken back: this run is unranked.",
         "The run is unranked now."),
        ("de", "Der Trainer wurde gefragt: Die Partie zählt nicht für die Bestenlisten.",
         "Ein Zug wurde zurückgenommen: Die Partie zählt nicht für die Bestenlisten.",
         "Die Partie zählt jetzt nicht mehr für die Bestenlisten."),
    ],
)  # fmt: skip
def test_the_end_says_why_a_run_is_unranked(
    language: str, hint: str, undo: str, unranked: str, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    """And so do the hint and the move taken back that made it so, the first of them."""
    arguments = ("lite-solo", "--seed", "1", "--practice", "--language", language)
    for before, said_at_the_end in (([], []), (["hint", "hint"], [hint]), (["a1", "undo", "hint"], [undo, hint])):
        said = play(monkeypatch, capsys, [*before, *EASY], *arguments)
        on_the_way, end = said.split(Words(language).t("terminal.end"))
        assert [line for line in (undo, hint) if line in flat(end)] == said_at_the_end
        assert flat(on_the_way).count(unranked) == bool(before)


def test_words_near_to_a_command_are_understood(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    for language in LANGUAGES:
        words = Words(language)
        near = [(word, name) for name in COMMANDS for word in words.t(f"terminal.also.{name}").split()]
        assert len({word for word, _ in near}) == len(near), "each means one thing"
        for word, name in near:
            arguments = ("lite-solo", "--seed", "1", "--language", language)
            said, meant = (
                play(monkeypatch, capsys, ["a1", one], *arguments).split(words.t("terminal.for-help"), 1)[1]
                for one in (word.upper(), name)
            )
            assert said == meant, word
    assert "Das Beste für" in play(monkeypatch, capsys, ["hinweis"], "lite-solo", "--language", "de")


def test_no_hint_is_offered_where_the_coach_knows_nothing(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    for options, offered in (["--option", "columns=true"], False), ([], True):
        said = play(monkeypatch, capsys, ["help"], "lite-versus", *options)
        assert ("what the coach would do" in said, "luck and skill" in said) == (offered, offered)


def test_a_wild_six_is_marked_in_its_row(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    chosen = ["lite-solo", "--seed", "1", "--option", "wild=contains"]  # which rolls 6, 6, 1
    cells = ["a1", "b2", "c2"]
    assert "2  [ ] [6] [1]    14  = 7 x 2 (wild six)" in play(monkeypatch, capsys, cells, *chosen)
    assert "(Sechs als Joker)" in play(monkeypatch, capsys, cells, *chosen, "--language", "de")
    assert "wild six)" not in play(monkeypatch, capsys, cells, "lite-solo", "--seed", "1")
