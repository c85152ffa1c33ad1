"""What happened with a step: whole random games hold the codes to what the positions around them show, and the specs'
examples have theirs."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from random import Random
from typing import Any, NamedTuple, get_args, get_type_hints

import pytest

from dicehall.dice import ScriptedDice
from dicehall.play.events import Event, events
from dicehall.play.film import Frame, start_frame
from dicehall.play.table import Table, simulate_run
from dicehall.play.view import view
from dicehall.rules.catalog import FARKLE, GAMES
from dicehall.rules.game import DICE
from tests.soak import times
from tests.walks import random_options, random_seats
from tests.web.test_wire import misfits

CODES = {get_args(get_type_hints(kind)["code"])[0] for kind in get_args(Event)}
OWN_CODES = {
    "lite-solo": {"set-made"},
    "lite-versus": {"set-made", "drawn"},
    "knucklebones": {"set-made", "drawn", "placed", "broken"},
    "farkle": {"farkle", "hot-dice", "banked", "target-reached", "last-turn"},
    "shut-the-box": {"stuck", "mulligan", "doubles", "box-shut", "all-open", "other-side", "round-over", "out"},
}


TOURNAMENT = {"variant": "tournament45out"}


class Step(NamedTuple):
    text: str
    before: Any
    after: Any
    events: list[Any]

    def found(self, code: str) -> Any:
        """The event of that code, or None; no code comes twice but for the sets of a row and a column."""
        same = [event for event in self.events if event["code"] == code]
        assert len(same) <= 1
        return same[0] if same else None


def steps(game_id: str, games: int = 40) -> Iterator[Step]:
    """All steps of random games, with the views around them; the first game has the usual options."""
    game, random = GAMES[game_id], Random(f"events of {game_id}")
    for n in range(times(games, 20 * games)):
        options = random_options(game, random) if n else {}
        seats = random_seats(game, options, random)
        table = Table(game, options=options, seats=seats, seed=random.random().hex(), auto_roll=False)
        before = table.state
        while not table.is_over:
            if table.actor == DICE:
                table.roll()
            else:
                table.play(random.choice(table.legal()))
            was, now = (view(game, state, with_moves=False) for state in (before, table.state))
            yield Step(table.steps[-1], was, now, events(game, before, table.steps[-1], table.state))
            before = table.state


def leader(shown: Any) -> int | None:
    """Who has most points; nobody where several have, or less is better."""
    points = [seat.get("banked", seat.get("total")) for seat in shown["seats"]]
    most = [seat for seat, one in enumerate(points) if one == max(points)]
    return most[0] if len(most) == 1 and not shown["aim"]["lower_is_better"] else None


@pytest.mark.parametrize("game_id", GAMES)
def test_events_are_what_their_types_say(game_id: str) -> None:
    heard = set()
    for step in steps(game_id):
        for event in step.events:
            assert misfits(event, Event) == []
            heard.add(event["code"])
    several = game_id != "lite-solo"
    assert heard == OWN_CODES[game_id] | {"run-over"} | ({"turn-passed"} if several else set())
    assert heard <= CODES


def test_every_code_is_some_game_s() -> None:
    assert set().union(*OWN_CODES.values(), {"turn-passed", "departed", "run-over"}) == CODES


@pytest.mark.parametrize("game_id", GAMES)
def test_a_turn_passes_exactly_when_the_seat_changes_and_a_run_is_over_once(game_id: str) -> None:
    for step in steps(game_id):
        was, now, over = step.before["turn_of"], step.after["turn_of"], step.after["result"] is not None
        passed = step.found("turn-passed")
        assert (passed is not None) == (not over and None not in (was, now) and was != now)
        assert passed is None or (passed["to"], passed["leader"]) == (now, leader(step.after))
        assert (step.found("run-over") is not None) == over
        drawn = step.found("drawn")
        assert (drawn is not None) == (was is None and now is not None)
        assert drawn is None or (drawn["seat"] == now and step.text.startswith("d"))


def test_every_farkle_is_one_event_and_ends_the_turn() -> None:
    for step in steps("farkle"):
        before, after, seat = step.before, step.after, step.before["turn_of"]
        farkle, banked = step.found("farkle"), step.found("banked")
        ended = after["phase"] in ("farkle", "banked", "end")
        assert (farkle is not None) == (step.text.startswith("d") and ended)
        assert (banked is not None) == (step.text == "bank")
        assert ended == (farkle is not None or banked is not None)
        if farkle is not None:
            assert farkle == {"code": "farkle", "seat": seat, "lost": before["turn_total"]}
            assert after["seats"] == before["seats"]
        gained = after["seats"][seat]["banked"] - before["seats"][seat]["banked"]
        if banked is not None:
            assert banked["points"] == gained == before["turn_total"]
            assert banked["total"] == after["seats"][seat]["banked"]
        else:
            assert gained == 0
        hot = "d" not in step.text and step.text != "roll" and after["hot_dice"]
        assert (step.found("hot-dice") is not None) == hot
        reached = not after["options"]["max_turns"] and after["seats"][seat]["to_target"] == 0 and gained > 0
        reached = reached and before["seats"][seat]["to_target"] > 0
        assert (step.found("target-reached") is not None) == reached
        begun = (before["last_turn_after"], after["last_turn_after"]) == (None, seat) and after["result"] is None
        assert (step.found("last-turn") is not None) == begun
        assert not begun or (reached and step.found("last-turn")["after"] == seat)


def test_broken_dice_are_those_that_the_grids_have_lost() -> None:
    for step in steps("knucklebones"):
        placed, broken = step.found("placed"), step.found("broken")
        before, after = ([seat["columns"] for seat in view["seats"]] for view in (step.before, step.after))
        if placed is None:
            assert before == after
            continue
        seat, column, face = placed["seat"], placed["column"], placed["face"]
        assert (seat, face, str(column + 1)) == (step.before["to_move"], step.before["die"], step.text)
        assert after[seat][column] == [*before[seat][column], face]
        scores = [view["seats"][seat]["column_scores"][column] for view in (step.before, step.after)]
        assert (placed["score"], placed["gained"]) == (scores[1], scores[1] - scores[0])
        made = step.found("set-made")
        assert (made["times"] if made else 1) == step.after["seats"][seat]["multipliers"][column][-1]
        other = 1 - seat
        slots = broken["slots"] if broken else []
        left = [die for slot, die in enumerate(before[other][column]) if slot not in slots]
        assert left == after[other][column]
        assert {before[other][column][slot] for slot in slots} <= {face}
        assert face not in left
        if broken:
            assert (broken["seat"], broken["column"], broken["face"]) == (other, column, face)
            scores = [view["seats"][other]["column_scores"][column] for view in (step.before, step.after)]
            assert broken["lost"] == scores[0] - scores[1] > 0


@pytest.mark.parametrize("game_id", ["lite-solo", "lite-versus"])
def test_sets_are_the_lines_that_count_for_more(game_id: str) -> None:
    for step in steps(game_id):
        more = []
        for seat, (was, now) in enumerate(zip(step.before["seats"], step.after["seats"], strict=True)):
            for line in ("row", "column"):
                pairs = zip(was[f"{line}s"] or [], now[f"{line}s"] or [], strict=True)
                for number, (old, new) in enumerate(pairs):
                    if new["multiplier"] > old["multiplier"]:
                        more.append((seat, line, number, new["multiplier"]))
        made = [event for event in step.events if event["code"] == "set-made"]
        assert [(one["seat"], one["line"], one["number"], one["times"]) for one in made] == more


def test_a_stuck_box_says_what_follows() -> None:
    for step in steps("shut-the-box", games=150):
        before, after, seat = step.before, step.after, step.before["turn_of"]
        same = (before["round"], seat, None) == (after["round"], after["turn_of"], after["result"])
        stuck, shut, all_open = step.found("stuck"), step.found("box-shut"), step.found("all-open")
        assert (stuck is not None) == (step.text.startswith("d") and not after["dice"])
        assert stuck is None or (stuck["seat"], stuck["total"]) == (seat, sum(map(int, step.text[1:])))
        assert (step.found("mulligan") is not None) == (before["mulligan_left"] and not after["mulligan_left"])
        again = step.found("mulligan") or step.found("doubles")
        assert (again is not None) == (stuck is not None and same)
        if step.found("doubles"):
            assert (step.text[1], after["options"]["mode"]) == (step.text[2], "long")
        turned = before["dice"] and len(step.text.split("+")) == len(before["to_turn"])
        assert ((shut or all_open) is not None) == bool(turned)
        assert all_open is None or before["opening"]
        ended = not same
        over, other = step.found("round-over"), step.found("other-side")
        assert (over is not None) == (ended and after["options"]["mode"] != "long")
        if over is not None:
            # the next round has opened the box again; at the end it is left as it is
            score = 0 if shut else before["round_score"]
            assert over == {"code": "round-over", "seat": seat, "score": score}
        assert (other is not None) == (before["opening"] != after["opening"])
        assert other is None or (stuck is not None and other["opening"] == after["opening"])
        out = after["seats"][seat]["out"] and not before["seats"][seat]["out"]
        assert (step.found("out") is not None) == out


# -- examples


def codes(frame: Frame) -> list[str]:
    return [event["code"] for event in frame.events]


def test_a_farkle_and_a_bank() -> None:
    table = Table(
        "farkle", seats=2, dice=ScriptedDice((1, 1, 2, 3, 4, 6, 2, 3, 4, 6, 5, 2, 2, 3, 4, 6)), auto_roll=False
    )
    for move in ("1+1", "roll"):
        while table.actor == DICE:
            table.roll()
        table.play(move)
    table.roll()
    table.roll()
    table.play("5")
    table.play("bank")
    film = table.film(views=False)
    assert [(frame.step, frame.by, codes(frame)) for frame in film] == [
        ("d112346", None, []),
        ("1+1", 0, []),
        ("roll", 0, []),
        ("d2346", None, ["farkle", "turn-passed"]),
        ("d522346", None, []),
        ("5", 1, []),
        ("bank", 1, ["banked", "turn-passed"]),
    ]
    assert film[3].events[0] == {"code": "farkle", "seat": 0, "lost": 200}
    assert film[-1].events == [
        {"code": "banked", "seat": 1, "points": 50, "total": 50, "large": False},
        {"code": "turn-passed", "to": 0, "leader": 1},
    ]


@pytest.mark.parametrize(("dice", "kept", "large"), [("555234", "555", True), ("444234", "444", False)])
def test_many_points_are_banked_from_five_hundred_on(dice: str, kept: str, large: bool) -> None:
    table = simulate_run("farkle", tuple(map(int, dice)), (kept, "bank"), options={"max_turns": 3})
    (banked,) = table.film()[-1].events
    assert banked["large"] is large


def test_hot_dice_reach_a_target_and_begin_the_last_turn() -> None:
    rolls, options = (1, 1, 1, 1, 1, 1) * 2, {"target": 4000, "last_turn": True}
    table = simulate_run("farkle", rolls, ("111111", "bank"), seats=2, options=options)
    assert [codes(frame) for frame in table.film()] == [
        [],
        ["hot-dice"],
        ["banked", "target-reached", "last-turn", "turn-passed"],
    ]
    at_once = simulate_run("farkle", rolls, ("111111", "bank"), seats=2, options={"target": 4000, "last_turn": False})
    assert codes(at_once.film()[-1]) == ["banked", "target-reached", "run-over"]


def test_what_a_target_does_not_count_is_not_reached() -> None:
    """With `max_turns` nobody races, so whoever has banked more than the target has reached nothing."""
    table = simulate_run("farkle", (1,) * 6, ("111111", "bank"), options={"max_turns": 3, "target": 1000})
    assert codes(table.film()[-1]) == ["banked"]


def test_two_dice_break_in_one_column() -> None:
    game = GAMES["knucklebones"]
    before = game.rules.read_state(game.make_options({}), "33/2/1 55/4/626 0 6")
    told = events(game, before, "3", game.apply(before, 2))
    assert told == [
        {"code": "placed", "seat": 0, "column": 2, "face": 6, "score": 7, "gained": 6},
        {"code": "broken", "seat": 1, "column": 2, "face": 6, "slots": [0, 2], "lost": 24},
        {"code": "turn-passed", "to": 1, "leader": 1},
    ]


def test_a_shut_box_ends_the_round_at_nothing() -> None:
    game = GAMES["shut-the-box"]
    before = game.rules.read_state(game.make_options({}), "12....... 21 0 1 0 - -")
    assert events(game, before, "2+1", game.apply(before, (2, 1))) == [
        {"code": "box-shut", "seat": 0},
        {"code": "round-over", "seat": 0, "score": 0},
    ]


@pytest.mark.parametrize(
    ("options", "state", "roll", "expected"),
    [
        ({}, "1.......9 ** 0 1 0 - -", (6, 5), ["stuck", "round-over"]),
        ({}, "1.......9 ** 0 5 12 - -", (6, 5), ["stuck", "round-over", "run-over"]),
        ({"mulligan": True}, "1.......9 ** 0 1 0 - -", (6, 5), ["stuck", "mulligan"]),
        ({"mulligan": True}, "1.......9 ** 0 1 0 m -", (6, 5), ["stuck", "round-over"]),
        ({"mode": "long"}, "1.......9 ** 0 1 0 - -", (4, 4), ["stuck", "doubles"]),
        ({"mode": "long"}, "1.......9 ** 0 1 0 d -", (4, 4), ["stuck", "other-side"]),
        ({"mode": "long"}, "1.......9 ** 0 1 0:0 - -", (6, 5), ["stuck", "other-side", "turn-passed"]),
        ({"mode": "long", "mulligan": True}, "1.......9 ** 0 1 0 d -", (4, 4), ["stuck", "mulligan"]),
        (TOURNAMENT, "1.......9 ** 0 2 40:0 - -", (6, 5), ["stuck", "round-over", "out", "turn-passed"]),
    ],
)  # fmt: skip
def test_nothing_fits(options: dict[str, Any], state: str, roll: tuple[int, ...], expected: list[str]) -> None:
    game = GAMES["shut-the-box"]
    before = game.rules.read_state(game.make_options(options), state)
    told = events(game, before, f"d{roll[0]}{roll[1]}", game.roll(before, roll))
    assert [event["code"] for event in told] == expected


def test_the_last_tile_of_a_way_back() -> None:
    game = GAMES["shut-the-box"]
    before = game.rules.read_state(game.make_options({"mode": "long"}), "12.456789 21 0 2 0 o -")
    told = events(game, before, "3", game.apply(before, (3,)))
    assert [event["code"] for event in told] == ["all-open", "run-over"]


def test_a_game_without_codes_of_its_own_passes_turns_and_ends() -> None:
    game = copy(GAMES["knucklebones"])
    game.id = "another"
    before = game.rules.read_state(game.make_options({}), "33/2/1 55/4/626 0 6")
    assert events(game, before, "3", game.apply(before, 2)) == [{"code": "turn-passed", "to": 1, "leader": None}]
    last = game.rules.read_state(game.make_options({}), "123/123/12 4/-/- 0 3")
    assert events(game, last, "3", game.apply(last, 2)) == [{"code": "run-over"}]


def test_a_film_begins_where_it_is_asked_to_and_leaves_the_last_view_to_the_table() -> None:
    table = simulate_run("lite-solo", (5, 5, 5), ("a1", "b1", "c1"))
    film = table.film(3)
    assert [(frame.step, frame.by) for frame in film] == [("b1", 0), ("d5", None), ("c1", 0)]
    assert film[0].events == [{"code": "set-made", "seat": 0, "line": "row", "number": 0, "times": 2}]
    assert [frame.view is None for frame in film] == [False, False, True]
    assert film[0].view == view(table.game, table.states[3], with_moves=False)
    assert all(frame.view is None for frame in table.film(views=False))
    assert table.film(6) == []


def test_the_table_before_its_first_step() -> None:
    frame = start_frame(FARKLE, FARKLE.begin())
    assert (frame.step, frame.by, frame.events) == ("", None, [])
    assert frame.view is not None
    assert (frame.view["dice_to_roll"], frame.view["moves"]) == (6, [])
