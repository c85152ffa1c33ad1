"""Hints at the table, advice on positions, odds, and reports of runs, over real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict
from fractions import Fraction
from random import Random

import pytest

from dicehall.coach.advise import advise, intended
from dicehall.coach.protocol import read_objective
from dicehall.coach.report import report
from dicehall.lab.reports import report_json
from dicehall.play.record import from_json
from dicehall.rules.catalog import GAMES
from dicehall.server.api import common
from dicehall.server.api.coach import router
from dicehall.server.crew import Busy
from tests.server.games import BOTS, finish, options
from tests.server.running import Json, Server

every_game = pytest.mark.parametrize("game", GAMES)


@contextmanager
def tomorrow(server: Server) -> Iterator[None]:
    now = server.clock.now
    server.clock.to("2026-11-16 12:00")
    yield
    server.clock.now = now


@every_game
def test_a_hint_ranks_every_move_and_takes_the_run_off_the_boards(server: Server, game: str) -> None:
    guest, random = server.guest(), Random(3)
    seats = ["you", "random"] if game in BOTS else ["you"]
    opened = (guest.open(game, options=options(game), seats=seats) for _ in range(20))
    # the first roll may be a farkle, and end the run
    table_id = next(one for one in opened if guest.get(f"/api/tables/{one}")["view"]["result"] is None)
    with guest.sit(table_id) as tab:
        assert (tab.shown["hint"], tab.shown["unranked"]) == (None, [])
        tab.send(type="hint", seen=tab.count)
        shown = tab.table()
        assert (shown["news"], shown["unranked"]) == ([], ["hint"])
        told, rules = shown["hint"], GAMES[game]
        state = rules.rules.read_state(rules.make_options(options(game)), shown["view"]["state"])
        ranked = advise(rules, state, None, len(seats))
        objective = intended(rules, state.options, len(seats))
        assert (told["objective"], told["certainty"]) == (str(objective), objective.certainty)
        assert told["about"] == asdict(objective)
        assert told["objectives"] == [told["objective"], *[one["text"] for one in told["others"]]]
        assert all(one["playable"] for one in told["others"])
        assert [(one["move"], one["value"], one["loss"]) for one in told["moves"]] == [
            (one.text, float(one.value), float(one.loss)) for one in ranked
        ]
        tab.send(type="hint", seen=tab.count)
        assert tab.table()["unranked"] == ["hint"], "once is enough"
        assert tab.move(ranked[0].text)["hint"] is None, "it was about that position"
        while not tab.is_over:
            tab.play_on(random, 1)
        run = guest.run(tab)
    assert not run["ranked"]
    assert run["record"]["unranked"] == ["hint"]


def test_a_hint_tells_what_banking_is_worth_beside_rolling_on(server: Server) -> None:
    guest = server.guest()
    asked: Json = {"game": "farkle", "state": "0 0 1 0 152226 selection -", "objective": "turn"}
    moves = {one["move"]: one for one in guest.post("/api/coach/advise", **asked)["moves"]}
    assert [(then["move"], then["value"]) for then in moves["222+1"]["thens"]] == [
        ("bank", 300.0),
        ("roll", pytest.approx(262.939, abs=0.001)),
    ]
    for one in moves.values():
        assert [then["loss"] for then in one["thens"]] == pytest.approx(
            [moves["1"]["value"] - then["value"] for then in one["thens"]]
        )


@pytest.mark.parametrize(
    ("game", "mode", "seats", "about"),
    [
        ("lite-solo", "target=90", 1, "target:90"),
        ("lite-solo", "standard", 1, "score"),
        ("knucklebones", "standard:you,spec", 2, "win"),
        ("lite-versus", "columns=true:you,random", 2, None),
        ("shut-the-box", "mode=long:you,you", 2, None),
    ],
)
def test_what_the_coach_knows_of_a_table(server: Server, game: str, mode: str, seats: int, about: str | None) -> None:
    told = server.stranger().get("/api/coach/prospects", game=game, mode=mode, seats=seats)
    assert (told["about"] and told["about"]["text"]) == about
    assert (told["start"] is None) == (about is None)


def test_a_start_is_told_to_the_same_seat_whoever_begins(server: Server) -> None:
    starts = [
        server.stranger().get("/api/coach/prospects", game="knucklebones", mode=f"first={first}:you,spec", seats=2)
        for first in ("human", "bot")
    ]
    mine, theirs = (told["start"] for told in starts)
    assert theirs == pytest.approx(1 - mine)
    assert mine == pytest.approx(0.5090, abs=0.0001)


def test_what_many_ask_is_worked_out_once(own_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(common, "MOST_ANSWERS", 2)
    hall, asked = own_server.app.state.hall, []
    ask = hall.questions.ask

    def note(who: str, about: object, *what: object) -> object:
        if who:  # the hall itself asks too, after a while: whether anything is damaged
            asked.append(what[-2:])
        return ask(who, about, *what)

    monkeypatch.setattr(hall.questions, "ask", note)
    stranger = own_server.stranger()
    first = stranger.get("/api/coach/prospects", game="farkle", mode="standard", seats=1)
    for _ in range(3):
        assert own_server.stranger().get("/api/coach/prospects", game="farkle", mode="standard", seats=1) == first
    assert asked == [("standard", 1)]
    stranger.get("/api/coach/prospects", game="farkle", mode="standard", seats=2)
    stranger.get("/api/games/lite-solo/targets")
    assert len(hall.answers) == 2, "what nobody has asked for longest is forgotten"
    assert stranger.get("/api/coach/prospects", game="farkle", mode="standard", seats=1) == first
    assert len(asked) == 4


def test_a_crowd_that_asks_the_same_asks_once(own_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A class of thirty behind one address opens the same daily: nobody is refused. A failure is nobody's answer."""
    hall, asked = own_server.app.state.hall, 0
    ask = hall.questions.ask

    async def take_long(who: str, about: object, *what: object) -> object:
        nonlocal asked
        asked += 1
        if asked == 1:
            raise Busy("just now")
        await asyncio.sleep(0.5)
        return await ask(who, about, *what)

    monkeypatch.setattr(hall.questions, "ask", take_long)
    guests = [own_server.stranger() for _ in range(30)]
    question = {"game": "farkle", "mode": "standard", "seats": 1}
    assert guests[0].get("/api/coach/prospects", 503, **question)["code"] == "busy"
    with ThreadPoolExecutor(len(guests)) as crowd:
        told = list(crowd.map(lambda guest: guest.get("/api/coach/prospects", **question), guests))
    assert asked == 2
    assert all(one == told[0] for one in told)


def test_what_a_position_is_worth_is_told_in_practice_alone(server: Server) -> None:
    guest = server.guest()
    with guest.sit(guest.open("lite-solo", kind="practice", options={"target": 90})) as tab:
        for _ in range(3):
            told = guest.get(f"/api/tables/{tab.shown['id']}/worth")
            game = GAMES["lite-solo"]
            state = game.rules.read_state(game.make_options({"target": 90}), tab.shown["view"]["state"])
            assert told["about"]["text"] == "target:90"
            assert told["value"] == float(advise(game, state)[0].value)
            tab.move(tab.moves[0])
    for kind in ("ranked", "daily"):
        table = guest.open("lite-solo", kind=kind)
        assert guest.get(f"/api/tables/{table}/worth", 400)["code"] == "worth"
    unsolved = guest.open("lite-versus", kind="practice", options={"columns": True}, seats=["you", "random"])
    assert guest.get(f"/api/tables/{unsolved}/worth") == {"about": None, "value": None}
    server.guest().get(f"/api/tables/{unsolved}/worth", 404)


def test_practice_is_no_way_round_to_a_live_chance(server: Server) -> None:
    """Somebody plays for the boards and asks at a practice table that stands at the very position."""
    guest = server.guest()
    with guest.sit(guest.open("lite-solo")) as tab:
        first = tab.shown["view"]["die"]
        seeds = (f"seed {n}" for n in range(200))
        twin = next(
            table
            for table in (guest.open("lite-solo", kind="practice", seed=seed) for seed in seeds)
            if guest.get(f"/api/tables/{table}")["view"]["die"] == first
        )
        guest.get(f"/api/tables/{twin}/worth")
        assert tab.look()["unranked"] == ["coach"]


def test_a_hint_for_another_objective(server: Server) -> None:
    guest = server.guest()
    with guest.sit(guest.open("lite-solo")) as tab:
        tab.send(type="hint", seen=tab.count, objective="target:90")
        assert tab.table()["hint"]["objective"] == "target:90"
        tab.send(type="hint", seen=tab.count, objective="golf")
        assert tab.refusal() == "objective"
        tab.send(type="hint", seen=99)
        assert tab.refusal() == "stale"
    with guest.sit(guest.open("lite-solo")) as tab:
        tab.send(type="hint", seen=tab.count, objective="golf")
        assert tab.refusal() == "objective"
        assert tab.look()["unranked"] == [], "a hint that was not given costs nothing"


def test_nobody_is_told_after_the_end(server: Server) -> None:
    guest, random = server.guest(), Random(4)
    with guest.sit(guest.open("lite-solo")) as tab:
        while not tab.is_over:
            tab.play_on(random, 1)
        tab.send(type="hint", seen=tab.count)
        assert tab.refusal() == "no-choice"


def test_a_hint_is_remembered_when_the_table_is_left(server: Server) -> None:
    guest = server.guest()
    table = guest.open("lite-solo")
    with guest.sit(table) as tab:
        tab.send(type="hint", seen=tab.count)
        tab.table()
    with guest.sit(table) as tab:
        assert tab.shown["unranked"] == ["hint"]


@every_game
def test_the_report_of_a_run(server: Server, game: str) -> None:
    run = finish(server, game, options=options(game), seats=BOTS.get(game, ["you"]))
    stranger = server.stranger()
    told = stranger.get(f"/api/runs/{run['id']}/report")
    record = from_json(run["record"])
    seat = record.seats.index("you")
    expected = report_json(record, report(record, seat))
    assert expected.pop("lower_is_better") == told["about"]["lower_is_better"]
    if expected["compared"]:
        assert told["compared"].pop("about")["text"] == expected["compared"]["objective"]
    reasons = [moment.pop("why") for moment in told["moments"]]
    assert [why is not None for why in reasons] == [moment["lost"] > 0 for moment in told["moments"]]
    assert {name: told[name] for name in expected} == expected
    objective = read_objective(GAMES[game], told["objective"])
    assert (told["certainty"], told["about"]) == (objective.certainty, asdict(objective))
    part = {name: Fraction(text) for name, text in told["exact"].items()}
    gained = part["luck"] + part["gifts"] - part["lost"] + part["corrected"]
    assert part["result"] == part["start"] + (-gained if told["about"]["lower_is_better"] else gained)
    stranger.get(f"/api/runs/{run['id']}/report", 400, objective="chess")
    stranger.get(f"/api/runs/{run['id']}/report", 400, seat=5)
    stranger.get("/api/runs/nobody/report", 404)


def test_the_report_is_about_the_person_wherever_they_sit(server: Server) -> None:
    guest = server.guest()
    for seats, seat in ((["you", "random"], 0), (["random", "you"], 1), (["you", "you"], 0)):
        run = guest.play("knucklebones", 1, seats=seats, kind="practice")
        assert guest.get(f"/api/runs/{run['id']}/report")["seat"] == seat
        assert guest.get(f"/api/runs/{run['id']}/report", seat=1)["seat"] == 1


def test_advice_on_a_position(server: Server) -> None:
    stranger = server.stranger()
    asked = {"game": "shut-the-box", "state": GAMES["shut-the-box"].rules.state_text(_box()), "objective": "shut"}
    told = stranger.post("/api/coach/advise", None, **asked)
    assert (told["objective"], told["certainty"], told["about"]["lower_is_better"]) == ("shut", "exact", False)
    assert told["moves"][0]["loss"] == 0
    stranger.post("/api/coach/advise", 400, **{**asked, "state": "nonsense"})
    stranger.post("/api/coach/advise", 400, **{**asked, "game": "chess"})


def _box() -> object:
    game = GAMES["shut-the-box"]
    return game.roll(game.begin(), (4, 3))


def test_odds(server: Server) -> None:
    stranger = server.stranger()
    told = stranger.get("/api/coach/odds", game="lite-solo", mode="columns=true", objective="target:90")
    assert (told["options"], told["certainty"]) == ({"columns": True}, "exact")
    assert told["value"] == float(Fraction(told["exact"]))
    race = stranger.get("/api/coach/odds", game="farkle", objective="race")
    assert (race["exact"], round(race["value"], 3)) == (None, 0.535)
    stranger.get("/api/coach/odds", 400, game="lite-solo", objective="golf")


def test_every_way_to_the_coach_is_described() -> None:
    assert all(getattr(route, "description", "") for route in router.routes)


def test_puzzles(server: Server) -> None:
    stranger = server.stranger()
    sets = stranger.get("/api/puzzles")
    assert [one["game"] for one in sets] == list(GAMES)
    for one in sets:
        numbers = [puzzle["number"] for puzzle in one["puzzles"]]
        assert sorted(numbers) == list(range(1, len(numbers) + 1)), "the plain ones first"
        assert one["today"] in numbers
        told = stranger.get(f"/api/puzzles/{one['game']}/{one['today']}")
        assert told["view"]["your_turn"]
        assert told["seats"][told["view"]["to_move"]] == "you"
        assert {move["move"] for move in told["view"]["moves"]} == {move["move"] for move in told["moves"]}
        losses = {move["move"]: move["loss"] for move in told["moves"]}
        assert min(losses.values()) == 0 < losses[told["tempting"]]
        for move in told["moves"]:
            thens = [(then["move"], then["loss"]) for then in move["thens"]]
            assert (thens == []) == (move["then"] is None)
            assert not thens or thens[0] == (move["then"], min(loss for _, loss in thens)) == (
                thens[0][0],
                move["loss"],
            )
        stranger.get(f"/api/puzzles/{one['game']}/{len(numbers) + 1}", 404)
    with tomorrow(server):
        later = stranger.get("/api/puzzles")
    assert [one["today"] for one in later] != [one["today"] for one in sets]
    stranger.get("/api/puzzles/chess/1", 404)
    stranger.get("/api/puzzles/farkle/0", 422)


def test_the_benchmark_of_a_daily(own_server: Server) -> None:
    server, guest, stranger = own_server, own_server.guest(), own_server.stranger()
    before = {game: stranger.get(f"/api/daily/2026-11-15/{game}/benchmark") for game in GAMES}
    played = {game: guest.play(game, kind="daily") for game in GAMES}
    told = {game: guest.get(f"/api/daily/2026-11-15/{game}/benchmark") for game in GAMES}
    assert before == {game: {**one, "perfect": None, "against": None, "foresight": None} for game, one in told.items()}
    for game in ("lite-solo", "lite-versus", "farkle"):
        assert told[game]["expected"] > 0
        assert told[game]["foresight"] >= told[game]["perfect"] > 0
    assert told["shut-the-box"]["foresight"] <= told["shut-the-box"]["perfect"]
    bones = told["knucklebones"]
    assert bones["perfect"] >= 0
    assert bones["against"] >= 0
    assert {bones[name] for name in ("objective", "about", "expected", "foresight")} == {None}
    assert told == {game: guest.get(f"/api/daily/2026-11-15/{game}/benchmark") for game in GAMES}
    assert played["lite-solo"]["score"] <= told["lite-solo"]["foresight"]
    box = played["shut-the-box"]
    report = guest.get(f"/api/runs/{box['id']}/report")
    assert (report["objective"], report["result"]) == ("golf", box["score"])
    assert told["shut-the-box"]["objective"] == "golf"
    assert stranger.get("/api/daily/2026-11-16")[0]["commitment"], "tomorrow's dice are there already"
    stranger.get("/api/daily/2026-11-16/farkle/benchmark", 404)
    stranger.get("/api/daily/2020-01-01/farkle/benchmark", 404)
    stranger.get("/api/daily/2026-11-15/chess/benchmark", 404)
    with tomorrow(server):
        assert told["farkle"] == stranger.get("/api/daily/2026-11-15/farkle/benchmark")


def test_the_lab(server: Server) -> None:
    stranger = server.stranger()
    told = stranger.get("/api/coach/lab", game="lite-solo", mode="reroll=true;wild=natural")
    rows = {row["objective"]: row for row in told["rows"]}
    assert told["options"] == {"reroll": True, "wild": "natural"}
    assert rows["score"]["changed"] > rows["score"]["usual"]
    assert rows["target:90"]["certainty"] == "exact"
    for game in GAMES:
        same = stranger.get("/api/coach/lab", game=game)
        assert same["rows"]
        assert all(row["usual"] == row["changed"] for row in same["rows"])
    columns = stranger.get("/api/coach/lab", game="lite-versus", mode="columns=true")
    (win,) = columns["rows"]
    assert (win["changed"], win["usual_lacks"], win["changed_lacks"]) == (None, None, "unsolved")
    (win,) = stranger.get("/api/coach/lab", game="knucklebones")["rows"]
    assert (win["certainty"], win["usual"]) == ("close", pytest.approx(0.50903, abs=1e-5))
    arcade = stranger.get("/api/coach/lab", game="farkle", mode="max_turns=10")
    lacks = {row["objective"]: (row["usual_lacks"], row["changed_lacks"]) for row in arcade["rows"]}
    assert [lacks[name] for name in ("turns", "arcade", "turn")] == [
        (None, "no-goal"), ("no-goal", None), (None, None),
    ]  # fmt: skip
    stranger.get("/api/coach/lab", 400, game="chess")


@pytest.mark.parametrize(
    ("game", "mode", "seats", "objective"),
    [
        ("lite-versus", "standard", 2, "win"),
        ("lite-versus", "columns=true", 2, "score"),
        ("farkle", "standard", 2, "race"),
        ("farkle", "standard", 3, "turn"),
        ("farkle", "board_minimum=500", 2, "turn"),
        ("shut-the-box", "standard", 2, "golf"),
        ("shut-the-box", "mode=long", 2, "turns"),
        ("knucklebones", "standard", 2, "win"),
    ],
)
def test_what_opponents_play_for(server: Server, game: str, mode: str, seats: int, objective: str) -> None:
    told = server.stranger().get("/api/coach/opponent", game=game, mode=mode, seats=str(seats))
    assert (told["objective"], told["about"]["text"]) == (objective, objective)


def test_charts(server: Server) -> None:
    stranger = server.stranger()
    farkle = stranger.get("/api/coach/chart", game="farkle")
    assert (farkle["kind"], [row["dice"] for row in farkle["rows"]]) == ("bank-or-roll", [1, 2, 3, 4, 5, 6])
    for row in farkle["rows"]:
        better = [gain >= 0 for gain in row["gains"]]
        assert better == sorted(better, reverse=True)
    assert (farkle["least"], farkle["board_minimum"]) == (50, 0)
    minimums = stranger.get("/api/coach/chart", game="farkle", mode="bank_minimum=320;board_minimum=500")
    assert (minimums["least"], minimums["board_minimum"]) == (350, 500)
    box = stranger.get("/api/coach/chart", game="shut-the-box", mode="tiles=12")
    assert (box["kind"], box["objective"], len(box["tiles"])) == ("tiles", "golf", 12)
    lite = stranger.get("/api/coach/chart", game="lite-solo")
    assert lite["kind"] == "scores"
    assert sum(bar["share"] for bar in lite["bars"]) == pytest.approx(1)
    assert [mark["target"] for mark in lite["targets"]] == [65, 90, 111]
    bones = stranger.get("/api/coach/chart", game="knucklebones")
    assert (bones["kind"], [row["dice"] for row in bones["rows"]]) == ("leads", [2, 5, 8, 11, 14])
    assert bones["rows"][-1]["chances"][-bones["rows"][-1]["least"]] == pytest.approx(0.657, abs=0.001), "even"
    assert stranger.get("/api/coach/chart", game="lite-versus") is None
    assert stranger.get("/api/coach/chart", game="shut-the-box", mode="mode=long") is None
    odd = stranger.get("/api/coach/chart", game="farkle", mode="straight=true;straight_points=1234")
    assert [row["threshold"] for row in odd["rows"]] == [300, 250, 400, 1000, 3050, 11_450]
