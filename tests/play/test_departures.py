"""Seats that play no further: how a run ends by it or goes on, what is shown of it, and what a record may say of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicehall.coach.report import of_all_rounds, report
from dicehall.dice import ScriptedDice, commitment
from dicehall.errors import DicehallError, IllegalMove, InvalidText
from dicehall.play.breakdown import breakdown
from dicehall.play.departures import cut_short, gone_by, result_of, stand_in
from dicehall.play.events import Event
from dicehall.play.film import film, start_frame
from dicehall.play.record import ENDED, LEFT, RESIGNED, TIME, WHY_DEPARTED, Departure, Record, from_json, is_roll
from dicehall.play.record_line import from_line, to_line
from dicehall.play.replay import check, prove, read_record, replay, start, walk
from dicehall.play.share import parts
from dicehall.play.table import Table
from dicehall.play.view import view
from dicehall.rules.catalog import FARKLE, GAMES
from dicehall.rules.game import DICE, NOBODY, Aim, Result
from tests.coach.test_report import balanced
from tests.play.test_contributions import SECRET, SEVERAL, options_for_several
from tests.soak import HURRYING, times
from tests.web.test_wire import VIEWS, misfits

FOR_MANY = [game.id for game in GAMES.values() if game.seats[-1] > 2]


def a_table(game_id: str, random: Random, seats: int = 0, **more: Any) -> Table:
    """Under some options, for two seats or more."""
    for options, found in iter(lambda: options_for_several(GAMES[game_id], random), None):
        allowed = GAMES[game_id].make_options(options).seats(GAMES[game_id].seats)
        if seats in (0, *allowed):
            return Table(game_id, options=options, seats=seats or found, seed=random.random().hex(), **more)
    raise AssertionError


def judged(departures: Sequence[Departure], table: Table) -> Result | None:
    """The end of a run again, from the sentences of docs/records.md."""
    seats = len(table.seats)
    ended = any(one.why == "ended" for one in departures)
    staying = sorted(set(range(seats)) - {one.seat for one in departures})
    scores = table.game.rules.result(table.state).scores
    if ended or len(staying) == 1:
        return Result(scores, () if ended else tuple(staying), departures[-1].why)
    if table.game.rules.actor(table.state) != NOBODY:
        return None
    named = table.game.rules.result(table.state)
    won = [seat for seat in named.winners if seat in staying]
    if not won:
        lower = table.game.rules.aim(table.state.options, seats).lower_is_better
        best = sorted((scores[seat] for seat in staying), reverse=not lower)[0]
        won = [seat for seat in staying if scores[seat] == best]
    return Result(scores, tuple(won), named.why)


def holds(table: Table) -> None:
    """All that has to go on working with a run from which somebody has departed."""
    record = table.record()
    assert record.departures == table.departures
    assert from_line(to_line(record)) == read_record(str(record)) == record
    verdict = check(str(record))
    assert (verdict.ok, verdict.result) == (True, table.result), verdict.reason
    assert replay(record) == table.state
    assert prove(record) == table.dice_used
    assert table.result == judged(table.departures, table)
    shown = table.view()
    assert misfits(shown, VIEWS[table.game.id]) == []
    whys = {one.seat: one.why for one in table.departures}
    assert shown["departed"] == ([whys.get(seat) for seat in range(len(table.seats))] if whys else [])
    if table.result is None:
        assert (shown["result"], shown["outcomes"], table.is_over) == (None, [], False)
        assert table.actor not in whys
    else:
        assert shown["result"] == {
            **table.result._asdict(),
            "scores": [*table.result.scores],
            "winners": [*table.result.winners],
        }
        assert [outcome in ("won", "shared", "drawn") for outcome in shown["outcomes"]] == [
            seat in table.result.winners for seat in range(len(table.seats))
        ]
        assert (shown["actor"], shown["to_move"], shown["moves"], shown["dice_to_roll"]) == ("nobody", None, [], 0)
        assert (table.actor, table.is_over, table.legal(), table.can_undo()) == (NOBODY, True, (), False)
        for refused in (table.roll, table.undo, lambda: table.depart(0, LEFT), lambda: table.play("1", then="1")):
            with pytest.raises(DicehallError):
                refused()
    frames = [start_frame(table.game, start(record), record.departures), *table.film()]
    told = [(number, event) for number, frame in enumerate(frames) for event in frame.events]
    assert all(misfits(event, Event) == [] for _, event in told)
    departed = [(number, one["seat"], one["why"]) for number, one in told if one["code"] == "departed"]
    assert departed == list(record.departures)
    over = [number for number, one in told if one["code"] == "run-over"]
    assert over == ([len(record.steps)] if table.is_over else [])
    assert all(frame.view["result"] is None for frame in frames[:-1] if frame.view)
    assert len(parts(record, hidden=False)) in (0, len(table.seats))
    breakdown(record)


@pytest.mark.parametrize("game_id", SEVERAL)
def test_a_seat_departs_from_two_after_every_step(game_id: str) -> None:
    """The other one wins at once, whoever was to act; the scores are as they stood."""
    random = Random(f"departures {game_id}")
    for _ in range(times(4, 200)):
        whole = a_table(game_id, random, seats=2)
        begun = whole.record()
        for _ in range(40):
            if not whole.is_over:
                whole.play(random.choice(whole.legal()))
        for steps in range(len(whole.steps) + (not whole.is_over)):
            table = Table(game_id, options=begun.options, seats=2, seed=begun.origin.seed, auto_roll=False)
            for step in whole.steps[:steps]:
                if is_roll(step):
                    table.roll()
                else:
                    table.play(step)
            seat, why = random.randrange(2), random.choice(WHY_DEPARTED)
            scores = table.game.rules.result(table.state).scores
            table.depart(seat, why)
            assert table.result == Result(scores, () if why == ENDED else (1 - seat,), why)
            assert table.departures == (Departure(steps, seat, why),)
            holds(table)


@pytest.mark.parametrize("auto_roll", [True, False])
@pytest.mark.parametrize("game_id", FOR_MANY)
def test_of_more_the_others_play_on(game_id: str, auto_roll: bool) -> None:
    random = Random(f"many {game_id} {auto_roll}")
    ends = set()
    for _ in range(times(40, 2000)):
        table = a_table(game_id, random, random.randint(3, 6), auto_roll=auto_roll)
        eager, own = random.choice((0.01, 0.1, 0.5)), 0
        while not table.is_over and own < 150:
            gone = [one.seat for one in table.departures]
            staying = [seat for seat in range(len(table.seats)) if seat not in gone]
            if random.random() < eager:
                table.depart(random.choice(staying), random.choice((RESIGNED, RESIGNED, TIME, TIME, LEFT, LEFT, ENDED)))
            elif table.actor == DICE:
                table.roll()
            else:
                assert table.actor in staying, "the table plays for the others itself"
                table.play(random.choice(table.legal()), seat=table.actor)
                own += 1
            if own % 20 == 0 or table.is_over:
                holds(table)
        assert table.is_over == (table.result is not None)
        if table.departures and table.result is not None:
            ends.add((table.result.why in WHY_DEPARTED, len(table.departures) > 1))
            assert not set(table.result.winners) & {one.seat for one in table.departures} or table.result.why == ENDED
    assert HURRYING or {(True, True), (False, False)} <= ends


@given(
    seed=st.integers(0, 10**6),
    plan=st.lists(st.tuples(st.integers(0, 25), st.integers(0, 5), st.sampled_from(WHY_DEPARTED)), max_size=6),
)
@settings(max_examples=times(100, 3000), deadline=None)
def test_whoever_departs_whenever_the_run_stays_true(seed: int, plan: list[tuple[int, int, str]]) -> None:
    random = Random(seed)
    table = a_table(random.choice(SEVERAL), random)
    for made in range(26):
        for when, seat, why in plan:
            gone = {one.seat for one in table.departures}
            if when == made and not table.is_over and seat < len(table.seats) and seat not in gone:
                table.depart(seat, why)
        if not table.is_over:
            table.play(random.choice(table.legal()))
    holds(table)


# -- whoever has gone


def race(*points: int, dice: str = "111111", **options: Any) -> Table:
    """Farkle for three or more, at these points; the table's first roll is `dice`."""
    table = Table(
        "farkle",
        options={"target": 1000, **options},
        seats=len(points),
        dice=ScriptedDice(map(int, dice)),
        auto_roll=False,
    )
    table.state = table.state._replace(banked=points)
    return table


def test_the_table_banks_as_soon_as_it_may() -> None:
    table = race(0, 0, 0, dice="112346" + "234661")
    table.depart(0, LEFT)
    table.roll()
    assert table.steps == ("d112346", "1+1", "bank")
    assert (table.state.banked, table.state.seat) == ((200, 0, 0), 1)
    table.roll()
    assert table.actor == 1


def test_the_table_ends_no_race_for_somebody_who_has_gone() -> None:
    """Where it could bank what reaches the target it rolls on, until the points are lost."""
    table = race(950, 0, 0, dice="112346" + "2346")
    table.depart(0, LEFT)
    table.roll()
    assert (table.steps, table.actor) == (("d112346", "1+1", "roll"), DICE)
    table.roll()
    assert (table.state.banked, table.state.seat, table.is_over) == ((950, 0, 0), 1, False)


def test_the_table_ends_a_run_that_has_no_other_end() -> None:
    table = race(950, 0, 0, dice="111111", hot_dice=False)
    table.depart(0, LEFT)
    table.roll()
    assert table.steps[1:] == ("111111", "bank")
    assert table.result is not None
    assert table.result.winners == (1, 2), "and does not win it"


def test_a_turn_that_somebody_has_begun_is_ended_for_them() -> None:
    table = race(0, 0, 0, dice="112346" + "22346" + "111234")
    table.roll()
    table.play("1")
    table.depart(0, RESIGNED)
    assert table.steps == ("d112346", "1", "bank"), "what lay there is banked"
    assert table.actor == DICE


@pytest.mark.parametrize("seat", [0, 1])
def test_a_table_that_rolls_by_itself_goes_on_to_somebody_else(seat: int) -> None:
    table = Table("farkle", seats=3, seed="go on")
    assert table.actor == 0
    table.depart(seat, TIME)
    assert table.actor == (1 if seat == 0 else 0)
    assert len(table.steps) > 1 or seat == 1
    holds(table)


def test_when_all_but_one_have_departed_that_one_has_won() -> None:
    table = Table("shut-the-box", seats=4, seed=1, options={"rounds": 1})
    for seat, why, then in ((1, RESIGNED, 0), (0, TIME, 2)):
        table.depart(seat, why)
        assert (table.is_over, table.actor) == (False, then)
    table.depart(3, LEFT)
    assert table.result is not None
    assert (table.result.winners, table.result.why, table.departures[-1].seat) == ((2,), LEFT, 3)
    holds(table)


def test_a_run_that_is_ended_has_no_winners() -> None:
    for seats in (2, 5):
        table = Table("farkle", seats=seats, seed=1)
        table.depart(1, ENDED)
        assert table.result == Result((0,) * seats, (), ENDED)
        assert table.view()["outcomes"] == [None] * seats
        holds(table)


def departed(*seats: int) -> list[Departure]:
    return [Departure(0, seat, LEFT) for seat in seats]


@pytest.mark.parametrize(
    ("game_id", "options", "state", "gone", "winners"),
    [
        # the rules name others who have stayed
        ("farkle", {"max_turns": 1}, "500:900:900 2 1 0 ...... end -", (1,), (2,)),
        ("farkle", {"max_turns": 1}, "500:900:900 2 1 0 ...... end -", (0,), (1, 2)),
        # they name nobody of them: the best by what the scores count
        ("farkle", {"max_turns": 1}, "500:900:500 2 1 0 ...... end -", (1,), (0, 2)),
        ("farkle", {"max_turns": 1}, "500:900:500:400 3 1 0 ...... end -", (1, 0), (2,)),
        ("shut-the-box", {"rounds": 1}, "12345.... - 2 1 30:10:15 - rounds", (1,), (2,)),
        ("shut-the-box", {"instant": True}, "......... - 1 2 30:10:15 - shut", (1,), (2,)),
        ("shut-the-box", {"instant": True}, "......... - 1 2 30:10:15 - shut", (0,), (1,)),
        ("shut-the-box", {"variant": "tournament45out"}, "12.456789 - 2 3 50:30x:46 - out", (0,), (1,)),
    ],
)
def test_the_best_of_those_who_have_stayed_win(
    game_id: str, options: dict[str, Any], state: str, gone: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    game = GAMES[game_id]
    read = game.rules.read_state(game.make_options(options), state) if "x" not in state else _tournament(game)
    assert game.rules.actor(read) == NOBODY
    told = result_of(game, read, departed(*gone))
    assert told == game.rules.result(read)._replace(winners=winners)
    assert result_of(game, read, ()) == game.rules.result(read)


def _tournament(game: Any) -> Any:
    """All that are left go out in one round."""
    begun = game.begin({"variant": "tournament45out"}, 3)
    return begun._replace(totals=(50, 46, 70), seat=2, round=3, over="out")


def test_where_there_was_nothing_to_win_nobody_wins() -> None:
    """In a game of another package, say."""
    none = Result((5, 7, 9), (), "complete")
    rules = SimpleNamespace(seats_of=lambda state: 3, actor=lambda state: NOBODY, result=lambda state: none)
    assert result_of(SimpleNamespace(rules=rules), None, departed(1)) == none  # type: ignore[arg-type]


def test_a_way_to_end_the_turn_comes_first_then_one_that_does_not_end_the_run() -> None:
    state = FARKLE.rules.read_state(FARKLE.make_options({}), "0:0 0 1 300 [222]1[5]6 selected -")
    assert stand_in(FARKLE, state) == "bank"
    choice = GAMES["shut-the-box"].rules.read_state(GAMES["shut-the-box"].make_options({}), "12....... 12 0 1 0:0 - -")
    assert stand_in(GAMES["shut-the-box"], choice) == (2, 1)


# -- what may be said of it


def test_departures_of_a_table_are_refused_by_name() -> None:
    alone = Table("lite-solo", seed=1)
    table = Table("farkle", seats=3, seed=1)
    table.depart(1, LEFT)
    pair = Table("knucklebones", seed=1)
    pair.depart(0, LEFT)
    for where, seat, why, code in (
        (alone, 0, LEFT, "departure-alone"),
        (alone, 0, ENDED, "departure-alone"),
        (table, 3, LEFT, "departure-seat"),
        (table, -1, LEFT, "departure-seat"),
        (table, True, LEFT, "departure-seat"),
        (table, "0", LEFT, "departure-seat"),
        (table, 1, RESIGNED, "departure-twice"),
        (table, 0, "bored", "departure-why"),
        (table, 0, None, "departure-why"),
        (pair, 0, LEFT, "game-over"),
        (pair, 1, LEFT, "game-over"),
    ):
        before = where.record()
        with pytest.raises(IllegalMove) as refusal:
            where.depart(seat, why)  # type: ignore[arg-type]
        assert (refusal.value.code, where.record()) == (code, before)


def test_nothing_is_taken_back_once_a_seat_has_departed() -> None:
    table = Table("farkle", seats=3, seed=1, practice=True)
    for _ in range(4):
        table.play(table.legal()[-1])
    assert table.can_undo()
    table.depart(2, RESIGNED)
    table.play(table.legal()[-1])
    assert not table.can_undo()
    with pytest.raises(IllegalMove) as refusal:
        table.undo()
    assert refusal.value.code == "undo-departed"


def test_a_secret_is_revealed_once_a_departure_has_ended_the_run() -> None:
    table = Table("knucklebones", secret=SECRET, seed="mine", undo_allowed=False)
    table.play("1")
    with pytest.raises(IllegalMove):
        table.reveal()
    table.depart(0, TIME)
    assert table.reveal() == SECRET
    assert table.commitment == commitment(SECRET)
    assert prove(table.record()) == table.dice_used


def a_record() -> Record:
    """Of three, of whom the second departed in the middle; the first has won in the end."""
    for seed in count():
        table = Table("farkle", options={"target": 1500}, seats=3, seed=seed)
        for number in count():
            if table.is_over:
                break
            table.play(table.legal()[-1])
            if number == 10:
                table.depart(1, LEFT)
        moves = [
            step.number for step in walk(table.record()) if step.actor == 1 and step.number > table.departures[0].step
        ]
        if table.result is not None and table.result.winners == (0,) and len(moves) > 4:
            return table.record()
    raise AssertionError


RUN = a_record()
STEP = RUN.departures[0].step
TWO = Table("knucklebones", seed=1)
for _ in range(4):
    TWO.play(TWO.legal()[0])


@pytest.mark.parametrize(
    ("departures", "code"),
    [
        ((Departure(STEP, 3, LEFT),), "departure-seat"),
        ((Departure(len(RUN.steps) + 1, 1, LEFT),), "departure-step"),
        ((Departure(STEP, 1, LEFT), Departure(STEP, 1, LEFT)), "departure-twice"),
        ((Departure(STEP, 1, LEFT), Departure(STEP - 1, 2, LEFT)), "departure-step"),
        ((Departure(STEP, 1, "bored"),), "departure-why"),
        ((Departure(STEP, 1, LEFT), Departure(len(RUN.steps), 2, LEFT)), "departure-late"),
        ((Departure(len(RUN.steps), 1, LEFT),), "departure-late"),
        ((Departure(STEP, 1, LEFT), Departure(STEP, 2, LEFT)), "game-over"),
        ((Departure(STEP, 1, ENDED),), "game-over"),
        ((Departure(STEP, 1, ENDED), Departure(STEP, 2, LEFT)), "departure-late"),
        ((Departure(STEP, 2, LEFT),), "departed"),  # the table would have moved otherwise
        ((Departure(0, 1, LEFT),), "departed"),
        ((), "ok"),  # whoever banks when they may has played as the table does
        ((Departure(STEP, 1, TIME),), "ok"),
        ((Departure(STEP, 1, LEFT),), "ok"),
    ],
)
def test_forged_departures_are_refused_by_name(departures: tuple[Departure, ...], code: str) -> None:
    forged = replace(RUN, departures=departures)
    assert check(forged).code == code, check(forged).reason
    assert check(str(forged)).code == code
    assert check(to_line(forged)).code == code
    untouched = json.loads(str(forged)) | {"check": RUN.check()}
    assert check(json.dumps(untouched)).ok == (departures == RUN.departures), "the check digits are of them, too"


def test_a_run_of_one_has_no_departures() -> None:
    solo = replace(Table("lite-solo", seed=1).record(), departures=(Departure(0, 0, LEFT),))
    assert check(str(solo)).code == check(solo).code == "departure-alone"


def test_a_result_is_what_the_departures_make_of_it() -> None:
    record = TWO.record()
    scores = TWO.game.rules.result(TWO.state).scores
    gone = replace(record, departures=(Departure(len(record.steps), 0, RESIGNED),))
    for result, code in (
        (None, "result"),
        (Result(scores, (0,), RESIGNED), "result"),
        (Result(scores, (1,), TIME), "result"),
        (Result((scores[0] + 1, scores[1]), (1,), RESIGNED), "result"),
        (Result(scores, (1,), RESIGNED), "ok"),
    ):
        assert check(str(replace(gone, result=result))).code == code
    assert check(replace(record, result=Result(scores, (1,), RESIGNED))).code == "result", "without a departure"
    late = replace(gone, departures=(Departure(len(record.steps) - 2, 0, RESIGNED),), result=None)
    verdict = check(late)
    assert (verdict.code, verdict.step) == ("game-over", len(record.steps) - 1)


def test_what_a_departed_seat_does_is_what_the_table_does() -> None:
    """Another move of its own is refused, at its step."""
    data = RUN.to_json()
    steps = data["steps"].split(" ")
    banks = [step.number - 1 for step in walk(RUN) if step.actor == 1 and step.text == "bank" and step.number > STEP]
    steps[banks[0]] = "roll"
    forged = replace(RUN, steps=tuple(steps))
    assert (check(forged).code, check(forged).step) == ("departed", banks[0] + 1)
    assert check(forged).reason == "seat 1 had departed: the table plays bank for it, not 'roll'"


@pytest.mark.parametrize(
    "told",
    [
        [],
        {},
        [5],
        [{}],
        [{"step": 1, "seat": 0}],
        [{"step": 1, "seat": 0, "why": "left", "who": "Ada"}],
        [{"step": "1", "seat": 0, "why": "left"}],
        [{"step": True, "seat": 0, "why": "left"}],
        [{"step": -1, "seat": 0, "why": "left"}],
        [{"step": 1, "seat": -1, "why": "left"}],
        [{"step": 1, "seat": 0, "why": None}],
        [{"step": 1, "seat": 0, "why": "bored"}],
    ],
    ids=json.dumps,
)
def test_what_is_no_departure_cannot_be_read(told: Any) -> None:
    with pytest.raises(InvalidText):
        from_json(TWO.record().to_json() | {"departures": told})


@pytest.mark.parametrize(
    "written", ["", ":", "5", "5:0", "5:0:left:1", "05:0:left", "5:x:left", "5:0:bored", "5:0:left,"]
)
def test_a_line_has_one_way_to_write_them(written: str) -> None:
    line = to_line(replace(TWO.record(), departures=(Departure(5, 0, LEFT),)))
    assert line.count("/5:0:left/") == 1
    with pytest.raises(InvalidText):
        from_line(line.replace("/5:0:left/", f"/{written}/"))


# -- what is shown


def test_a_film_tells_of_a_departure_after_the_step_that_it_follows() -> None:
    table = Table("knucklebones", seed="demo")
    table.play("2")
    table.depart(1, RESIGNED)
    *_, last = table.film()
    assert list(last.events) == [{"code": "departed", "seat": 1, "why": "resigned"}, {"code": "run-over"}]
    assert table.film(len(table.steps)) == []
    assert table.film(2) == [last]
    seen = film(table.game, start(table.record()), zip(table.steps, table.states, strict=True), 9, table.departures)
    assert [frame.view["result"] is None for frame in seen if frame.view] == [True, True, False]


def test_who_departs_before_the_first_step_is_told_at_the_start() -> None:
    table = Table("farkle", seats=3, seed=1, auto_roll=False)
    table.depart(2, LEFT)
    frame = start_frame(table.game, table.state, table.departures)
    assert frame.events == [{"code": "departed", "seat": 2, "why": "left"}]
    assert frame.view is not None
    assert (frame.view["departed"], frame.view["result"]) == ([None, None, "left"], None)
    table.depart(0, TIME)
    frame = start_frame(table.game, table.state, table.departures)
    assert [event["code"] for event in frame.events] == ["departed", "departed", "run-over"]
    assert check(table.record()).ok


def test_a_view_says_who_has_departed_and_that_nobody_is_to_move() -> None:
    game = GAMES["knucklebones"]
    state = game.rules.read_state(game.make_options({}), "33/2/1 55/4/626 0 4")
    shown = view(game, state, 0, departures=[Departure(9, 1, TIME)])
    assert (shown["departed"], shown["actor"], shown["your_turn"], shown["moves"]) == (
        [None, "time"],
        "nobody",
        False,
        [],
    )
    assert (shown["result"], shown["outcomes"]) == (
        {"scores": [15, 50], "winners": [0], "why": "time"},
        ["won", "lost"],
    )
    assert view(game, state, 0)["departed"] == []


def test_departures_by_step() -> None:
    three = [Departure(0, 0, LEFT), Departure(4, 2, TIME), Departure(4, 1, LEFT)]
    assert [len(gone_by(three, steps)) for steps in (0, 3, 4, 9)] == [1, 1, 3, 3]
    assert [cut_short(three[:n], 4) for n in range(4)] == [False, False, False, True]
    assert Aim("points") == Table("farkle", seats=3).game.rules.aim(FARKLE.make_options({}), 3)


# -- what the coach says of it


@pytest.mark.parametrize("game_id", ["lite-versus", "knucklebones", "farkle"])
def test_a_report_of_a_run_that_was_cut_short_is_one_of_a_run_that_is_not_over(game_id: str) -> None:
    table = Table(game_id, seats=2, seed="short")
    for _ in range(6):
        table.play(table.legal()[-1])
    before = [report(table.record(), seat) for seat in (0, 1)]
    table.depart(0, RESIGNED)
    after = [report(table.record(), seat) for seat in (0, 1)]
    assert after == before
    assert all(balanced(told) and not told.is_over and told.compared is None for told in after)


def test_a_report_judges_what_a_seat_has_played_itself() -> None:
    table = Table("farkle", options={"max_turns": 4}, seats=3, seed="short")
    for _ in range(5):
        table.play(table.legal()[-1])
    while table.actor != 1:
        table.play(table.legal()[-1])
    table.play(table.legal()[-1])
    table.depart(1, RESIGNED)
    before = report(table.record(), 1)
    while not table.is_over:
        table.play(table.legal()[-1])
    told, other = report(table.record(), 1), report(table.record(), 0)
    assert sum(step.actor == 1 for step in walk(table.record())) > sum(one.actor == 1 for one in told.moments) > 0
    assert max(one.number for one in told.moments) <= table.departures[0].step < len(table.steps)
    assert (told.is_over, told.compared, balanced(told)) == (False, None, True)
    assert told == before
    assert (other.is_over, balanced(other)) == (True, True)


def test_the_sum_of_all_rounds_is_no_result_of_a_run_that_was_cut_short() -> None:
    options: dict[str, Any] = {"per_round_scoring": False, "rounds": 2, "scoring": "missionary"}
    table = Table("shut-the-box", options=options, seats=2, seed=3)
    for _ in range(40):
        if table.state.round == 1:
            table.play(table.legal()[0])
    table.depart(0, LEFT)
    told = report(table.record(), 1)
    assert (told.is_over, of_all_rounds(table.record(), told)) == (False, False)
