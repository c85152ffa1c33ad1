"""Result = start + luck - lost, to the last digit, in every game; and what the parts of a report mean."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import pytest

from dicehall.bots.player import player
from dicehall.cli import main
from dicehall.coach.advise import advise, step_values, values
from dicehall.coach.protocol import read_objective
from dicehall.coach.report import MARKS, WORST, Report, report
from dicehall.dice import ScriptedDice, Stream
from dicehall.errors import InvalidOption, InvalidRecord
from dicehall.lab.reports import report_json
from dicehall.play.record import Record
from dicehall.play.replay import start, walk
from dicehall.play.table import Table
from dicehall.rules.catalog import GAMES
from dicehall.rules.game import DICE, NOBODY
from dicehall.terminal.coach import report_lines
from dicehall.terminal.words import Words
from tests.soak import times

# Game, options, who plays, the objective (None: the one that is meant), and what a finished run says its result is.
SETUPS: list[tuple[str, dict[str, Any], list[str], str | None, Any]] = [
    ("lite-solo", {}, ["random"], None, lambda end, seat: end.scores[0]),
    ("lite-solo", {"columns": True, "reroll": True, "wild": "natural"}, ["random"], None, lambda e, s: e.scores[0]),
    ("lite-solo", {"target": 60}, ["lookahead"], None, lambda end, seat: len(end.winners)),
    ("lite-solo", {"wild": "contains"}, ["standard"], "target:70", lambda end, seat: int(end.scores[0] >= 70)),
    ("lite-versus", {}, ["random", "lookahead"], None, lambda end, seat: _share(end, seat)),
    ("lite-versus", {"first": "drawn", "wild": "natural"}, ["standard", "random"], None, lambda e, s: _share(e, s)),
    ("farkle", {"preset": "arcade"}, ["bank:400"], None, lambda end, seat: end.scores[0]),
    ("farkle", {"preset": "casual", "target": 2000}, ["random"], None, lambda end, seat: end.scores[0]),
    ("farkle", {"target": 3000}, ["bank:300", "random"], None, lambda end, seat: _share(end, seat)),
    ("farkle", {"target": 900, "last_turn": True}, ["bank:300", "bank:500"], None, lambda e, s: _share(e, s)),
    ("farkle", {"target": 2000}, ["bank:300", "random", "bank:1000"], None, lambda end, seat: end.scores[seat]),
    ("shut-the-box", {}, ["highest"], None, lambda end, seat: len(end.winners)),
    ("shut-the-box", {"goal": 0}, ["random"], "golf", lambda end, seat: end.scores[0]),
    ("shut-the-box", {"scoring": "missionary"}, ["random", "highest"], None, lambda end, seat: end.scores[seat]),
    ("shut-the-box", {"preset": "long"}, ["random"], None, lambda end, seat: end.scores[0]),
    ("shut-the-box", {"preset": "tournament"}, ["highest"], None, lambda end, seat: end.scores[0]),
    ("knucklebones", {}, ["spec", "random"], None, lambda end, seat: _share(end, seat)),
    ("knucklebones", {"first": "drawn"}, ["random", "spec"], None, lambda end, seat: _share(end, seat)),
]
every_setup = pytest.mark.parametrize(
    "setup", SETUPS, ids=lambda one: f"{one[0]}-{one[1]}-{len(one[2])}".replace(" ", "")
)
# Those in which two play for one thing: what one has of it, the other has not.
SHARED = [one for one in SETUPS if len(one[2]) == 2 and one[0] != "shut-the-box"]
assert len(SHARED) == 6


def _share(end: Any, seat: int) -> Fraction:
    return Fraction(int(seat in end.winners), len(end.winners))


def run(game: str, options: dict[str, Any], seats: list[str], seed: str) -> Table:
    table = Table(game, options=options, seats=tuple(seats), seed=seed)
    players = [player(name, table.game, seed, seat) for seat, name in enumerate(seats)]
    while not table.is_over:
        table.play(players[table.actor](table.state))
    return table


def balanced(told: Report) -> bool:
    gained = told.luck + told.gifts - told.lost + told.corrected
    return told.result == told.start + (-gained if told.objective.lower_is_better else gained)


@every_setup
def test_result_is_start_and_luck_less_what_was_lost(setup: Any) -> None:
    game, options, seats, objective, meaning = setup
    for number in range(times(8, 400)):  # 400 in `make soak`
        table = run(game, options, seats, f"report {number}")
        for seat in range(len(seats)):
            told = report(table.record(), seat, objective)
            assert balanced(told)
            assert told.result == meaning(table.result, seat), "what the coach calls the end is what the rules do"
            own = [moment for moment in told.moments if moment.actor == seat]
            assert told.lost == sum(moment.lost for moment in own) <= told.at_stake
            assert told.luck == sum(moment.luck for moment in told.moments)
            assert not told.moments or told.moments[-1].value == told.result
            assert told.accuracy is None or 0 <= told.accuracy <= 1
            for moment in told.moments:
                assert moment.lost >= 0
                assert (moment.actor == DICE) == (moment.best is None)
                assert moment.actor == DICE or moment.luck == 0
                assert told.objective.certainty == "judged" or moment.corrected == 0
            assert told.corrected == sum(moment.corrected for moment in told.moments)


def test_an_accuracy_is_telling_where_there_was_enough_to_lose() -> None:
    """Of three choices or more, that could have cost a slip together: of a chance one percent, else of the start."""
    told = report(run("lite-solo", {}, ["random"], "telling").record())
    own = [moment for moment in told.moments if moment.mark]
    assert told.telling
    assert told.choices == len(own) > 3
    assert told._replace(moments=tuple(own[:3])).telling
    assert not told._replace(moments=tuple(own[:2])).telling
    for objective, least in (
        (told.objective, told.start / 100),
        (read_objective(GAMES["lite-solo"], "target:65"), Fraction(1, 100)),
    ):
        assert told._replace(objective=objective, at_stake=least).telling
        assert not told._replace(objective=objective, at_stake=least * Fraction(99, 100)).telling
    assert not told._replace(start=Fraction(0), at_stake=Fraction(0)).telling


def test_luck_of_a_thousand_points_needs_no_second_digit() -> None:
    """Nor does anything beside it, however little the rest comes to."""
    told = report(run("lite-solo", {}, ["random"], "large").record())
    told = told._replace(start=Fraction(900), lost=Fraction(950))
    for luck, places in ((999, 2), (1000, 1)):
        assert told._replace(luck=Fraction(luck), result=Fraction(luck - 50)).shown.places == places


def test_what_is_hardly_possible_is_not_shown_as_impossible() -> None:
    """Nor what is nearly certain as certain; and the parts add up all the same."""
    record = run("lite-solo", {"target": 150}, ["random"], "hardly").record()
    told = report(record)
    assert 0 < told.start < Fraction(1, 20_000)
    assert (told.shown.start, told.shown.result) == (Fraction(1, 10_000), Fraction(0))
    assert told.shown.luck == told.shown.lost - told.shown.start
    likely = told._replace(start=1 - told.start).shown
    assert likely.start == 1 - Fraction(1, 10_000)
    *parts, result = figures(record, told, ["random"])
    assert parts[0] == Fraction(1, 100)
    assert sum(parts) == result == 0


def figures(record: Record, told: Report, seats: list[str]) -> list[Fraction]:
    """Those of the lines in the terminal, up to the result, as they stand there; what is "better" there is less."""
    lines = list(report_lines(Words("en"), record, told, seats))[1:]
    found = []
    for line in lines[: 1 + next(n for n, line in enumerate(lines) if "The result" in line)]:
        number = re.findall(r"[+-]?[\d,]+\.\d+", line)[-1]
        found.append(Fraction(number.replace(",", "")) * (-1 if line.endswith("better") else 1))
    return found


@every_setup
def test_what_is_shown_adds_up_too(setup: Any) -> None:
    """To the last digit that is shown: whoever takes a pencil comes to the result."""
    game, options, seats, objective, _ = setup
    for number in range(times(4, 100)):
        record = run(game, options, seats, f"shown {number}").record()
        told = report(record, 0, objective)
        shown = told.shown
        gained = shown.luck + shown.gifts - shown.lost + shown.corrected
        assert shown.result == shown.start + (-gained if told.objective.lower_is_better else gained)
        digit = Fraction(1, (100 if told.unit == "chance" else 1) * 10**shown.places)
        for name in ("start", "gifts", "lost", "corrected", "result"):
            part, said = getattr(told, name), getattr(shown, name)
            if told.unit == "chance" and name in ("start", "result"):
                assert (said in (0, 1)) == (part in (0, 1)), "what is not certain is not shown as certain"
                assert abs(said - part) < digit
            else:
                assert abs(said - part) <= digit / 2, "as near as the digits allow"
        assert abs(shown.luck - told.luck) <= 2 * digit
        *parts, result = figures(record, told, seats)
        assert sum(parts) == result


@pytest.mark.parametrize("setup", SHARED, ids=lambda one: f"{one[0]}-{one[1]}".replace(" ", ""))
def test_what_one_loses_is_the_others_gift(setup: Any) -> None:
    game, options, seats, objective, _ = setup
    table = run(game, options, seats, "both")
    told, other = report(table.record(), 0, objective), report(table.record(), 1, objective)
    assert told.objective.shared is not None
    assert told.lost + other.lost > 0, "or nothing would be a gift"
    assert (told.luck, told.gifts, told.lost) == (-other.luck, other.lost, other.gifts)
    assert told.corrected == -other.corrected
    assert told.start + other.start == told.result + other.result == told.objective.shared
    table = Table(game, options=options, seats=tuple(seats), seed="both")
    while not table.is_over:
        ranked = advise(table.game, table.state, objective, len(seats))
        table.play(ranked[0 if table.actor == 0 else -1].text)
    told, other = report(table.record(), 0, objective), report(table.record(), 1, objective)
    assert told.worst == [], "the gifts are no mistakes of one's own"
    assert [moment.actor for moment in other.worst] == [1] * WORST


@pytest.mark.parametrize("setup", SETUPS[:14:3], ids=lambda one: one[0])
def test_who_always_plays_the_best_loses_nothing_and_who_always_plays_the_worst_everything(setup: Any) -> None:
    game, options, seats, objective, _ = setup
    for pick, accuracy in ((0, 1), (-1, 0)):
        table = Table(game, options=options, seats=tuple(seats), seed="best")
        for _ in range(60):
            if not table.is_over:
                table.play(advise(table.game, table.state, objective, len(seats))[pick].text)
        told = report(table.record(), 0, objective)
        assert told.accuracy == accuracy
        assert bool(told.worst) == bool(pick)


def test_luck_is_nothing_on_average() -> None:
    lucks = [
        float(report(run("lite-solo", {}, ["random"], f"luck {n}").record()).luck) for n in range(times(100, 3000))
    ]
    mean, spread = fmean(lucks), pstdev(lucks)
    assert abs(mean) < 3 * spread / sqrt(len(lucks))


def test_a_run_to_check_by_hand() -> None:
    """The last die but one, a 6, goes beside two ones instead of two sixes."""
    table = Table("lite-solo", dice=ScriptedDice((6, 6, 1, 1, 2, 3, 4, 6, 5)))
    for cell in ("a1", "b1", "a2", "b2", "a3", "b3", "c3", "c2", "c1"):
        table.play(cell)
    told = report(table.record())
    wrong, last = told.moments[15], told.moments[16]
    assert (wrong.text, wrong.best, wrong.mark) == ("c2", "c1", "blunder")
    with_sixes = 54 + Fraction(9 + 8 + 10 + 12 + 14 + 16, 6)  # and the last die beside the ones
    with_ones = 16 + Fraction(26 + 28 + 30 + 32 + 34 + 54, 6)  # and the last die beside the sixes
    assert wrong.lost == with_sixes - with_ones
    assert told.worst[0] == wrong
    assert last.luck == 34 - Fraction(26 + 28 + 30 + 32 + 34 + 54, 6)
    assert told.result == 34 + 16 + 9


@pytest.mark.parametrize("options", [{}, {"target": 60}], ids=["score", "chance"])
def test_marks_go_by_the_share_of_the_whole(options: dict[str, Any]) -> None:
    """Of what could be expected at the start; of a chance, certainty is the whole."""
    names = set()
    for number in range(30):
        told = report(run("lite-solo", options, ["random"], f"marks {number}").record())
        for moment in told.moments:
            if moment.mark:
                share = moment.lost if options else moment.lost / told.start
                expected = [name for name, least in MARKS.items() if share >= least]
                assert moment.mark == (expected[0] if expected else "good" if moment.lost else "best")
                names.add(moment.mark)
    assert names == {"best", "good", *MARKS}


@pytest.mark.parametrize("name", MARKS)
def test_exactly_that_share_has_the_name(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice bring no loss of exactly 8, 3 or 1 hundredths, so the share is set to what was lost."""
    record = run("lite-solo", {"target": 60}, ["random"], "points").record()
    lost = report(record).worst[0].lost
    for share, mark in ((lost, name), (lost + Fraction(1, 10**9), "good")):
        monkeypatch.setattr("dicehall.coach.report.MARKS", {name: share})
        assert report(record).worst[0].mark == mark


@every_setup
def test_only_a_choice_has_a_mark(setup: Any) -> None:
    """Who has one legal move has not found the best one, nor who has equal ones: the first cell of a board says nothing
    of its player, nor does the last."""
    game, options, seats, objective, _ = setup
    record = run(game, options, seats, "forced").record()
    before = [start(record), *(step.state for step in walk(record))]
    told = report(record, 0, objective)
    marks = {moment.number: moment.mark for moment in told.moments if moment.actor != DICE}
    for number, mark in marks.items():
        ranked = advise(record.find_game(), before[number - 1], told.objective, len(seats))
        assert (mark != "") == (ranked[0].value != ranked[-1].value), number
    assert game != "lite-solo" or marks[max(marks)] == "", "the last cell"
    assert (game, options) != ("lite-solo", {}) or marks[min(marks)] == "", "the first one"


@pytest.mark.parametrize(
    ("language", "cost"),
    [("en", r"This cost \d+\.\d\d percentage points\."), ("de", r"Das kostete \d+,\d\d Prozentpunkte\.")],
)
def test_a_chance_is_lost_in_percentage_points(language: str, cost: str) -> None:
    record = run("lite-solo", {"target": 60}, ["random"], "points").record()
    assert re.search(cost, "\n".join(report_lines(Words(language), record, report(record), ["You"])))


def test_what_the_coach_sees_better_later_is_told_apart() -> None:
    """Judged in the middle of a game, and exact in the end: by a little, and seldom by nothing."""
    records = [run("knucklebones", {}, ["spec", "random"], f"later {number}").record() for number in range(4)]
    told = [report(record) for record in records]
    corrected = [moment.corrected for one in told for moment in one.moments if moment.actor == DICE]
    assert any(corrected)
    assert max(map(abs, corrected)) < Fraction(1, 20)
    assert "The coach corrected itself" in "\n".join(report_lines(Words("en"), records[0], told[0], ["You", "Hugo"]))


@pytest.mark.parametrize("game_id", ["lite-versus", "knucklebones"])
def test_the_luck_of_six_dice_is_nothing_on_average(game_id: str) -> None:
    """In any position of a random game, to the last digit, though its value is judged."""
    game = GAMES[game_id]
    for number in range(times(3, 60)):
        random = Stream(f"six dice {number}", game_id)
        state = game.begin({}, 2)
        value, step = values(game, state.options, 2, "win"), step_values(game, state.options, 2, "win")
        while game.rules.actor(state) != NOBODY:
            if game.rules.actor(state) == DICE:
                rolled = [game.roll(state, (die,)) for die in range(1, 7)]
                assert sum(step(state, now) for now in rolled) == 6 * value(state)
                assert all(step(state, now) == advise(game, now)[0].value for now in rolled)
                state = rolled[random.below(6)]
            else:
                moves = game.rules.legal(state)
                state = game.rules.after(state, moves[random.below(len(moves))])


@pytest.mark.parametrize(
    ("game", "options", "objective"),
    [("farkle", {"target": 3000}, "turn"), ("shut-the-box", {"goal": 0}, "golf"), ("shut-the-box", {}, "shut")],
)
def test_what_is_played_for_turn_by_turn(game: str, options: dict[str, Any], objective: str) -> None:
    """The values lead from the start to the result, without a jump; marks go by one turn, however many there are."""
    marked: dict[str, list[Fraction]] = {}
    for number in range(12):
        told = report(run(game, options, ["random"], f"parts {number}").record(), 0, objective)
        value, better = told.start, -1 if told.objective.lower_is_better else 1
        for moment in told.moments:
            value += better * (moment.luck - moment.lost)
            assert moment.value == value
            marked.setdefault(moment.mark, []).append(moment.lost)
        assert value == told.result
        assert told.unit != "chance"
    for mild, grave in (("slip", "mistake"), ("mistake", "blunder")):
        assert max(marked.get(mild, [Fraction(0)])) <= min(marked.get(grave, [Fraction(10**9)]))
    assert "blunder" in marked
    one = report(run("shut-the-box", {"mode": "threshold"}, ["highest"], "one").record(), 0, "shut")
    assert one.unit == "chance", "one round is a chance; several are added up"


@pytest.mark.parametrize("game", ["lite-versus", "knucklebones"])
def test_who_begins_is_luck_where_it_is_drawn(game: str) -> None:
    for number in range(6):
        record = run(game, {"first": "drawn"}, ["random", "random"], f"drawn {number}").record()
        first, second = (report(record, seat) for seat in (0, 1))
        assert first.start == second.start == Fraction(1, 2)
        drawn = first.moments[0]
        begins = 0 if drawn.text in ("d1", "d2", "d3") else 1
        sign = 1 if game == "knucklebones" else -1  # it is good to begin there, and bad to begin here
        assert (drawn.luck * sign > 0) == (begins == 0)
        assert drawn.value == Fraction(1, 2) + drawn.luck
        assert second.moments[0].luck == -drawn.luck


def test_a_run_that_is_not_over_stands_at_its_value() -> None:
    table = Table("lite-solo", seed="begun")
    begun = report(table.record())
    assert begun.accuracy is None
    assert begun.lost == 0
    assert len(begun.moments) == 1
    table.play("a1")
    assert balanced(told := report(table.record()))
    assert told.result == told.moments[-1].value


def test_a_seat_that_has_not_moved_yet() -> None:
    table = Table("farkle", options={"target": 2000}, seats=("you", "you", "you"), seed="early")
    told = report(table.record(), 2)
    assert told.start == told.result == 0
    assert told.moments == ()
    assert told.accuracy is None


def test_what_cannot_be_reported() -> None:
    record = run("lite-solo", {}, ["random"], "no").record()
    with pytest.raises(InvalidOption, match="no seat 1"):
        report(record, 1)
    for seat in ("0", 0.0, -1, None):
        with pytest.raises(InvalidOption, match="no seat"):
            report(record, seat)  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match="objective"):
        report(record, 0, "golf")
    with pytest.raises(InvalidOption, match="no move changes it"):
        report(run("farkle", {"max_turns": 1}, ["random"], "no").record(), 0, "farkle:1")
    with pytest.raises(InvalidRecord):
        report(replace(record, steps=("d1", "z9")))


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    records = [
        run("lite-solo", {}, ["random"], "one").record(),
        run("farkle", {"target": 1000}, ["bank:300"] * 2, "two").record(),
    ]
    file = tmp_path / "runs.jsonl"
    file.write_text("".join(f"{json.dumps(record.to_json())}\n" for record in records))
    assert main(["report", str(file), "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert told == [report_json(record, report(record)) for record in records]
    for one in told:
        parts = {name: Fraction(text) for name, text in one["exact"].items()}
        assert parts["result"] == parts["start"] + parts["luck"] + parts["gifts"] - parts["lost"]
    assert main(["report", str(file)]) == 0
    said = capsys.readouterr().out
    assert "Played for the score" in said
    assert "Penny 1 played for winning the race." in said
    assert main(["report", str(file), "--seat", "1"]) == 2
    assert "no seat 1" in capsys.readouterr().err
    assert main(["report", str(file), "--objective", "golf"]) == 2


def test_one_record_that_is_not_true_does_not_hide_the_others(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    good = json.dumps(run("lite-solo", {}, ["random"], "one").record().to_json())
    forged = good.replace('"steps":["d', '"steps":["d9", "d', 1) if '"steps":["d' in good else good.replace("a1", "z9")
    file = tmp_path / "runs.jsonl"
    file.write_text(f"{good}\nnonsense\n{forged}\n{good}\n")
    assert main(["report", str(file), "--json"]) == 1
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer.get("ok", True) for answer in answers] == [True, False, False, True]
    assert main(["report", str(file)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert [line for line in said if line in ("1:", "2:", "3:", "4:")] == ["1:", "2:", "3:", "4:"]
    assert said[said.index("2:") + 1].startswith("refused at step 0: ")
    assert said.count("Played for the score.") == 2
