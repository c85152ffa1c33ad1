"""Who sits there, why not, and how it ended: in words, in both languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import get_args, get_type_hints

import pytest

from dicehall.errors import DicehallError
from dicehall.play.events import Event
from dicehall.play.table import Table, simulate_run
from dicehall.rules.catalog import GAMES
from dicehall.rules.game import DICE, Result
from dicehall.terminal.draw import describe, draw
from dicehall.terminal.told import (
    end_lines,
    medals_text,
    move_lines,
    options_text,
    refusal,
    roll_line,
    rules_text,
    seat_names,
    task_text,
)
from dicehall.terminal.words import LANGUAGES, Words

RULES = Path(__file__).parents[2] / "src" / "dicehall" / "rules"
ENGLISH, GERMAN = Words("en"), Words("de")


@pytest.mark.parametrize(
    ("seats", "english", "german"),
    [
        (["you"], ["You"], ["Du"]),
        (["you", "lookahead"], ["You", "Thea"], ["Du", "Thea"]),
        (["you", "you"], ["Player 1", "Player 2"], ["Spieler 1", "Spieler 2"]),
        (["bank:1000", "you", "you"], ["Rico", "Player 1", "Player 2"], None),
        (["spec", "spec"], ["Hugo 1", "Hugo 2"], ["Hugo 1", "Hugo 2"]),
        (["Ada", "seat 1", "random.about"], ["Ada", "seat 1", "random.about"], ["Ada", "seat 1", "random.about"]),
    ],
)
def test_names(seats: list[str], english: list[str], german: list[str] | None) -> None:
    assert seat_names(ENGLISH, seats) == english
    if german is not None:
        assert seat_names(GERMAN, seats) == german


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_are_those_of_the_page(language: str) -> None:
    words, told = Words(language), []
    for game in GAMES.values():
        title, *lines = rules_text(words, game, game.make_options({})).splitlines()
        assert title == words.t(f"game.{game.id}")
        assert max(map(len, lines)) <= 78
        told.append(re.sub(r"\s+", " ", " ".join(lines)))
    for shelf, count in {"lite": 6, "farkle": 8, "box": 8, "knucklebones": 7}.items():
        for number in range(1, count + 1):
            sentence = f"{number}. {words.t(f'rules.{shelf}.{number}')}"
            assert sum(sentence in rules for rules in told) == (2 if shelf == "lite" else 1), sentence
        assert not words.known(f"rules.{shelf}.{count + 1}")


KEEP = [{"kind": "keep", "move": "1"}]


def test_every_refusal_has_its_words() -> None:
    """Whatever a rule file gives as the reason against a move; the English sentence there is for developers."""
    codes = {code for path in RULES.glob("*.py") for code in re.findall(r'return "([a-z-]+)", f?"', path.read_text())}
    assert len(codes) >= 12
    for code in codes | {"game-over", "undo-nothing", "undo-past-roll", "objective", "move"}:
        said = [
            refusal(words, DicehallError(code, "for developers"), GAMES["farkle"], "x", KEEP)
            for words in (ENGLISH, GERMAN)
        ]
        assert "for developers" not in "".join(said), code
        assert said[0] != said[1], code


def test_a_refusal_without_words_is_told_anyhow() -> None:
    assert refusal(GERMAN, DicehallError("odd", "this is odd"), GAMES["farkle"], "x", KEEP) == "this is odd."


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", GAMES)
def test_what_is_no_move_is_quoted(game_id: str, language: str) -> None:
    table = Table(game_id, seed=1)
    with pytest.raises(DicehallError) as raised:
        table.play("z" * 500)
    said = refusal(Words(language), raised.value, table.game, "z" * 500, table.view()["moves"])
    assert "z" * 39 + "…" in said
    assert len(said) < 170


def ended(
    game: str, rolls: Sequence[int], moves: Sequence[str], options: dict[str, int | str | bool], seats: Sequence[str]
) -> tuple[list[str], list[str]]:
    table = simulate_run(game, rolls, moves, options=options, seats=seats)
    while not table.is_over:
        table.roll()
    return end_lines(ENGLISH, table.view(), seats), end_lines(GERMAN, table.view(), seats)


CELLS = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]


@pytest.mark.parametrize(
    ("target", "english", "german"),
    [
        (0, "All dice are placed.", "Alle Würfel sind gesetzt."),
        (60, "You made it! The target is reached.", "Geschafft! Das Ziel ist erreicht."),
        (150, "Not this time. The target is missed.", "Diesmal nicht. Das Ziel ist verfehlt."),
    ],
)
def test_the_end_alone(target: int, english: str, german: str) -> None:
    got = ended("lite-solo", [4] * 9, CELLS, {"target": target}, ["you"])
    assert got[0] == [f"The end. {english}", "  You: 108 points"]
    assert got[1] == [f"Das Spiel ist aus. {german}", "  Du: 108 Punkte"]


@pytest.mark.parametrize(
    ("seats", "first", "second", "english", "german"),
    [
        (["you", "lookahead"], 4, 3, "You won!", "Gewonnen!"),
        (["you", "lookahead"], 3, 4, "Not this time. Thea wins.", "Diesmal nicht. Thea gewinnt."),
        (["lookahead", "you"], 3, 4, "You won!", None),
        (["you", "lookahead"], 4, 4, "A draw. Level on points.", None),
        (["you", "you"], 3, 4, "Player 2 wins.", "Spieler 2 gewinnt."),
        (
            ["you", "you"], 4, 4,
            "A draw. Level on points.",
            "Unentschieden. Punktgleich.",
        ),
        (["random", "lookahead"], 4, 3, "The cup wins.", "Der Becher gewinnt."),
    ],
)  # fmt: skip
def test_the_end_of_two(seats: list[str], first: int, second: int, english: str, german: str | None) -> None:
    moves = [cell for cell in CELLS for _ in seats]
    got = ended("lite-versus", [first, second] * 9, moves, {}, seats)
    assert got[0][0] == f"The end. {english}"
    assert got[0][1:] == [
        f"  {name}: {27 * die} points" for name, die in zip(seat_names(ENGLISH, seats), (first, second), strict=True)
    ]
    if german is not None:
        assert got[1][0] == f"Das Spiel ist aus. {german}"


def test_the_end_counts_what_the_game_counts() -> None:
    english, german = ended("farkle", [1] * 6, ["111111", "bank"], {"target": 4000}, ["you"])
    assert (english[1:], german[1:]) == (["  You: 1 turn"], ["  Du: 1 Zug"])
    arcade = ended("farkle", [1] * 60, ["111111", "bank"] * 10, {"max_turns": 10}, ["you"])
    assert [lines[1:] for lines in arcade] == [
        ["  You: 40,000 points", "  Gold medal"],
        ["  Du: 40.000 Punkte", "  Goldmedaille"],
    ]
    digital = ended(
        "shut-the-box", [4, 5, 1, 1, 1, 1], ["9", "2"], {"scoring": "digital", "rounds": 1, "goal": 0}, ["you"]
    )
    assert [lines[1] for lines in digital] == ["  You: 1345678 points", "  Du: 1345678 Punkte"]


@pytest.mark.parametrize(
    ("turns", "english", "german"),
    [
        (5, ["750 short of Bronze."], ["Zu Bronze fehlen 750."]),
        (6, ["Bronze medal", "1,150 short of Silver."], ["Bronzemedaille", "Zu Silber fehlen 1.150."]),
        (8, ["Silver medal", "850 short of Gold."], ["Silbermedaille", "Zu Gold fehlen 850."]),
        (10, ["Gold medal"], ["Goldmedaille"]),
    ],
)  # fmt: skip
def test_a_medal_that_was_missed_says_what_it_took(turns: int, english: list[str], german: list[str]) -> None:
    """Banks of 800, and then farkles."""
    rolls = [4, 4, 4, 4, 2, 3] * turns + [2, 2, 3, 3, 4, 6] * (10 - turns)
    got = ended("farkle", rolls, ["4444", "bank"] * turns, {"max_turns": 10}, ["you"])
    assert [[line.strip() for line in lines[2:]] for lines in got] == [english, german]
    several = ended("farkle", rolls * 2, ["4444", "bank"] * turns * 2, {"max_turns": 10}, ["you", "random"])
    assert [len(lines) for lines in several] == [3, 3], "medals are for those who play alone"


@pytest.mark.parametrize(
    ("options", "english", "german"),
    [
        ({"preset": "arcade"}, "Medals: Bronze 4,750, Silver 5,950, Gold 7,250.",
         "Medaillen: Bronze 4.750, Silber 5.950, Gold 7.250."),
        ({"max_turns": 21}, "", ""),
        ({}, "", ""),
    ],
)  # fmt: skip
def test_what_a_medal_takes_is_said(options: dict[str, int | str | bool], english: str, german: str) -> None:
    alone, two = (Table("farkle", options=options, seats=seats, seed=1).view() for seats in (1, 2))
    assert [medals_text(words, alone) for words in (ENGLISH, GERMAN)] == [english, german]
    assert medals_text(ENGLISH, two) == ""


def test_a_long_game_counts_what_is_left_to_turn() -> None:
    table = Table("shut-the-box", seed="long", options={"mode": "long"}, seats=["you", "random"])
    while not table.is_over:
        table.play(table.legal()[0])
    tiles = re.compile(r"(\d) (tile|Klappe)")
    for words in (ENGLISH, GERMAN):
        told = end_lines(words, table.view(), table.seats)[1:]
        assert sum(int(found[1]) for line in told if (found := tiles.search(line))) == 9


@pytest.mark.parametrize(
    ("game_id", "options", "seats", "english"),
    [
        ("farkle", {"target": 1000}, 1, {"Farkle! Nothing was at stake.", "Farkle! # lost."}),
        ("shut-the-box", {}, 1, {"Nothing fits #: # points."}),
        ("shut-the-box", {"mulligan": True}, 1, {"Nothing fits #: # points.", "Nothing fits #: the mulligan!"}),
        (
            "shut-the-box",
            {"mode": "long"},
            2,
            {
                "Ann: Nothing fits #: doubles roll again.",
                "Ben: Nothing fits #: doubles roll again.",
                "Ann: Nothing fits #: now open tiles.",
                "Ben: Nothing fits #: now shut tiles.",
            },
        ),
        (
            "shut-the-box",
            {"variant": "tournament45out"},
            1,
            {"Nothing fits #: # points.", "Nothing fits #: # points, out."},
        ),
        ("lite-versus", {"first": "drawn"}, 2, {f"A die decided who begins: {who}." for who in ("Ann", "Ben")}),
        ("knucklebones", {"first": "drawn"}, 2, {f"A die decided who begins: {who}." for who in ("Ann", "Ben")}),
    ],
)
def test_rolls_say_what_they_meant(game_id: str, options: dict[str, int | str], seats: int, english: set[str]) -> None:
    """What many runs say after the dice, with # for the figures."""
    heard: set[str] = set()
    for seed in range(12):
        table, random = (
            Table(game_id, seed=f"meant {seed}", options=options, seats=seats, auto_roll=False),
            Random(seed),
        )
        while not table.is_over:
            if table.actor == DICE:
                table.roll()
                frame = table.film(len(table.steps) - 1, views=False)[0]
                said = [
                    roll_line(words, table.game, frame, table.view(), ["Ann", "Ben"][:seats])
                    for words in (ENGLISH, GERMAN)
                ]
                assert said[0] != said[1]
                heard.add(re.sub(r"\d[\d,]*( \+ \d)*", "#", re.sub(r"^(die|dice): [\d ]+\.( |$)", "", said[0])))
            else:
                table.play(random.choice(table.legal()))
    assert heard - {"", "Nothing fits #: # point."} == english


def test_what_is_to_be_done() -> None:
    table = Table("farkle", seed=1, seats=["you", "you"])
    names = seat_names(ENGLISH, table.seats)
    assert task_text(ENGLISH, table.view(), names, 2) == "Player 1, your turn. Which dice do you keep?"
    table.play(table.legal()[0])
    assert task_text(GERMAN, table.view(), names, 1) == "Weiterwürfeln oder sichern?"
    box = simulate_run("shut-the-box", [6, 6, 6, 6, 6, 6, 1, 5], ["9+3", "8+4", "7+5"])
    assert task_text(ENGLISH, box.view(), ["You"], 1) == "One die or two?"
    box.play("two")
    box.roll()
    assert task_text(GERMAN, box.view(), ["Du"], 1) == "Welche Klappen schließt du?"


# What is told of each event, where a sentence of its own does it: in English, with any figures. A change of turn shows
# in whose name the next line begins with, and the end has lines of its own.
TOLD = {
    "drawn": r"A die decided who begins: (Ann|Ben)\.",
    "set-made": r"(Row \d|Column [abc]) counts (twice|three times)\.|(Two|Three) alike: each counts",
    "placed": r"A \d in column \d, which now scores \d+ \(\+\d+\)\.",
    "broken": r"(Ann|Ben): (a \d in column \d is|\d dice in column \d are) broken, .*-\d+\.",
    "farkle": r"(Ann|Ben): Farkle!",
    "hot-dice": r"Hot dice: all six are free again\.",
    "banked": r"[\d,]+ banked, [\d,]+ in all\.",
    "target-reached": r"The target is reached\.",
    "last-turn": r"Everybody else has one turn left\.",
    "stuck": r"(Ann|Ben): Nothing fits ",
    "mulligan": r"the mulligan!",
    "doubles": r"doubles roll again\.",
    "box-shut": r"The box is shut!",
    "all-open": r"All tiles stand open!",
    "other-side": r"now (open|shut) tiles\.",
    "round-over": r"\d points?[.,]|No points this round\.",
    "out": r"points, out\.",
}
ELSEWHERE = {"turn-passed", "run-over", "departed"}  # nobody departs in a terminal
EVENTFUL: list[tuple[str, dict[str, int | str | bool]]] = [
    ("lite-versus", {"columns": True, "first": "drawn"}),
    ("knucklebones", {"first": "drawn"}),
    ("farkle", {"target": 1000, "last_turn": True}),
    ("shut-the-box", {"difficulty": "easy", "mulligan": True}),
    ("shut-the-box", {"variant": "tournament45out"}),
    ("shut-the-box", {"mode": "long"}),
]


def test_every_event_is_told() -> None:
    codes = {code for event in get_args(Event) for code in get_args(get_type_hints(event)["code"])}
    assert codes == TOLD.keys() | ELSEWHERE, "whatever can happen has its words here"
    names, seen = ["Ann", "Ben"], set()
    for game_id, options in EVENTFUL:
        for seed in range(60):
            table, random = Table(game_id, options=options, seats=2, seed=f"told {seed}"), Random(seed)
            while not table.is_over:
                table.play(random.choice(table.legal()))
            view = table.view()
            for frame in table.film(views=False):
                happened = {event["code"] for event in frame.events} - ELSEWHERE
                lines = [
                    [roll_line(words, table.game, frame, view, names)]
                    if frame.by is None
                    else move_lines(words, table.game, frame, names)
                    for words in (ENGLISH, GERMAN)
                ]
                seen |= happened
                said = " ".join(lines[0])
                assert [code for code in happened if not re.search(TOLD[code], said)] == [], said
                assert len(lines[0]) == len(lines[1])
                assert not happened or lines[0] != lines[1]
    assert seen == TOLD.keys()


def test_a_bank_says_what_the_seat_has_now() -> None:
    """What this turn has brought, and with the turns before; neither is the next seat's."""
    dice, moves = (
        [1, 5, 2, 2, 2, 6, 1, 1, 1, 2, 3, 4, 1, 5, 2, 2, 2, 6],
        ["222+1+5", "bank", "111", "bank", "222+1", "bank"],
    )
    table = simulate_run("farkle", dice, moves, seats=["you", "bank:300"])
    names = seat_names(ENGLISH, table.seats)
    said = [
        move_lines(ENGLISH, table.game, frame, names)[0] for frame in table.film(views=False) if frame.step == "bank"
    ]
    assert said == [
        "You: bank. 350 banked, 350 in all.",
        "Penny: bank. 1,000 banked, 1,000 in all.",
        "You: bank. 300 banked, 650 in all.",
    ]


def test_dice_are_drawn_with_what_is_kept_and_what_a_roll_risks() -> None:
    view = simulate_run("farkle", (1, 5, 2, 2, 2, 6), ("222+1",)).view()
    assert "  <1> [5] <2> <2> <2> [6]    <kept> [free]" in draw(ENGLISH, view, ["You"]).splitlines()
    assert [describe(ENGLISH, view, move) for move in view["moves"]] == [
        "2 dice; a farkle in 16 of 36 rolls (44.4%)",
        "bank 300, which makes 300",
    ]


def test_broken_dice_are_told_to_whoever_had_them() -> None:
    table = simulate_run("knucklebones", [5, 2, 5, 5], ["1", "2", "1", "1"], seats=["you", "spec"])
    frame = table.film(len(table.steps) - 1, views=False)[0]
    assert move_lines(ENGLISH, table.game, frame, seat_names(ENGLISH, table.seats)) == [
        "Hugo: 1. A 5 in column 1, which now scores 5 (+5).",
        "  You: 2 dice in column 1 are broken, all showing 5, -20.",
    ]
    assert move_lines(GERMAN, table.game, frame, seat_names(GERMAN, table.seats)) == [
        "Hugo: 1. Eine 5 in Spalte 1, die jetzt 5 zählt (+5).",
        "  Du: 2 Würfel in Spalte 1 verloren, alle mit einer 5, -20.",
    ]


@pytest.mark.parametrize(
    ("game_id", "options", "english", "german"),
    [
        ("lite-solo", {}, "", ""),
        ("lite-solo", {"wild": "natural", "columns": True}, "Columns score too: on; Wild six: on, but 6 6 6 triples.",
         None),
        ("lite-solo", {"target": 1000}, "Target: 1,000.", "Ziel: 1.000."),
        ("farkle", {}, "Standard: Play to 10,000.", "Standard: Bis 10.000."),
        ("farkle", {"preset": "spicy"}, "Spicy: Play to 10,000; straights and three pairs score too.", None),
        ("farkle", {"hot_dice": False}, "Hot dice: off.", "Heiße Würfel: aus."),
        ("shut-the-box", {"preset": "strict"}, "Strict: Five rounds. Alone, 40 or less wins.", None),
        ("shut-the-box", {"goal": 0, "scoring": "digital"},
         "Scoring: Digital: read as a number; Target: none.", None),
        ("knucklebones", {"first": "drawn"}, "Who begins: a die decides.", "Wer beginnt: ein Würfel entscheidet."),
    ],
)  # fmt: skip
def test_what_is_played_is_said(
    game_id: str, options: dict[str, int | str | bool], english: str, german: str | None
) -> None:
    game = GAMES[game_id]
    chosen = game.make_options(options)
    assert options_text(ENGLISH, game, chosen) == english
    assert german is None or options_text(GERMAN, game, chosen) == german
    here = f"At this table: {english}"
    assert (here in " ".join(rules_text(ENGLISH, game, chosen).split())) == bool(chosen.changed())


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_preset_is_called_is_said_once(language: str) -> None:
    words = Words(language)
    for game in GAMES.values():
        for name in game.presets:
            called, said = options_text(words, game, game.make_options({"preset": name})).split(": ", 1)
            assert not said.startswith(called)


def test_the_tie_breaker_names_its_values() -> None:
    rolls = [die for pair in zip([6, 1, 2, 1, 2, 3, 1, 2, 3], [5, 3, 1, 1, 2, 3, 1, 2, 3], strict=True) for die in pair]
    moves = [cell for cell in CELLS for _ in range(2)]
    for tiebreak, english, german in (
        (
            "highest-single-die",
            "Level on points: the highest single die decides (You: 6, Thea: 5).",
            "(Du: 6, Thea: 5).",
        ),
        ("sum-middle-row", "A draw. Level on points.", "Punktgleich."),
    ):
        got = ended("lite-versus", rolls, moves, {"tiebreak": tiebreak}, ["you", "lookahead"])
        assert got[0][0].endswith(english), got[0][0]
        assert got[1][0].endswith(german)


def end_of(result: tuple[list[int], list[int], str], seats: list[str]) -> tuple[str, str]:
    """The first line of an end, after its first sentence, in both languages."""
    scores, winners, why = result
    view = {
        "game": "farkle" if why == "target-reached" else "shut-the-box",
        "scoring": "golf",
        "result": {"scores": scores, "winners": winners, "why": why},
        "seats": [{"out": score >= 45} for score in scores],
        "outcomes": [Result((*scores,), (*winners,), why).outcome(seat) for seat in range(len(scores))],
        "aim": {"unit": "points"},
        "options": {"mode": "rounds"},
    }
    english, german = (end_lines(words, view, seats)[0] for words in (ENGLISH, GERMAN))
    return english.removeprefix("The end. "), german.removeprefix("Das Spiel ist aus. ")


@pytest.mark.parametrize(
    ("result", "seats", "english", "german"),
    [
        (([7], [], "out"), ["you"], "Out at 45.", "Raus bei 45."),
        (([7], [0], "shut"), ["you"], "You made it! The box is shut.", "Geschafft! Der Kasten ist zu."),
        (([50], [], "goal-missed"), ["you"], "Not this time. The target is missed.",
         "Diesmal nicht. Das Ziel ist verfehlt."),
        (([50], [0], "goal-met"), ["random"], "The target is met.", "Das Ziel ist erreicht."),
        (([9, 9], [0, 1], "rounds"), ["you", "highest"], "A draw. All rounds are played.",
         "Unentschieden. Alle Runden sind gespielt."),
        (([9, 9, 12], [0, 1], "rounds"), ["you", "highest", "random"],
         "You share the win with Axel. All rounds are played.",
         "Du teilst dir den Sieg mit Axel. Alle Runden sind gespielt."),
        (([12, 9, 9], [1, 2], "rounds"), ["you", "highest", "random"],
         "Not this time. Axel and The cup share the win. All rounds are played.",
         "Diesmal nicht. Axel und Der Becher teilen sich den Sieg. Alle Runden sind gespielt."),
        (([12, 9, 9], [1, 2], "rounds"), ["you", "you", "you"],
         "Player 2 and Player 3 share the win. All rounds are played.",
         "Spieler 2 und Spieler 3 teilen sich den Sieg. Alle Runden sind gespielt."),
        (([57, 31], [1], "out"), ["highest", "you"], "You won! Whoever reaches 45 is out.",
         "Gewonnen! Wer 45 erreicht, ist raus."),
        (([57, 46], [1], "out"), ["highest", "you"],
         "You won! Whoever reaches 45 is out. All who were left are out in the same round: the lowest total wins.",
         "Gewonnen! Wer 45 erreicht, ist raus. Alle übrigen sind in derselben Runde raus: die kleinste Summe gewinnt."),
        (([46, 46], [0, 1], "out"), ["highest", "you"],
         f"A draw. Whoever reaches 45 is out. {ENGLISH.sentence('box.out-level')}",
         f"Unentschieden. Wer 45 erreicht, ist raus. {GERMAN.sentence('box.out-level')}"),
        (([900, 1000], [1], "target-reached"), ["you", "random"],
         "Not this time. The cup wins. The target is reached.",
         "Diesmal nicht. Der Becher gewinnt. Das Ziel ist erreicht."),
    ],
)  # fmt: skip
def test_an_end_is_told_as_it_is(
    result: tuple[list[int], list[int], str], seats: list[str], english: str, german: str
) -> None:
    assert end_of(result, seats) == (english, german)
