"""What a screen asks for that is not play: the lobby, films of runs, targets, and the page itself."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from dicehall.coach.lite_solo.targets import chance
from dicehall.play.events import events
from dicehall.play.film import Frame
from dicehall.play.record import from_json
from dicehall.play.replay import start, walk
from dicehall.play.table import Table
from dicehall.play.view import view
from dicehall.rules.catalog import GAMES
from dicehall.rules.lite_solo import Options
from dicehall.server.api.lobby import TABLES_SHOWN
from dicehall.server.page import Page
from tests.server.running import Guest, Json, Server


def as_json(frames: list[Frame]) -> Any:
    return msgspec.json.decode(msgspec.json.encode(frames))


def lobby(guest: Guest) -> Json:
    found: Json = guest.get("/api/lobby")
    return found


def test_a_stranger_sees_the_dailies_and_gets_no_account(own_server: Server) -> None:
    stranger = own_server.stranger()
    seen = lobby(stranger)
    assert (seen["me"], seen["tables"], seen["bests"]) == (None, [], [])
    assert [daily["game"] for daily in seen["dailies"]] == list(GAMES)
    assert all((daily["attempts"], daily["best"], daily["table"]) == (0, None, None) for daily in seen["dailies"])
    assert not stranger.http.cookies
    stranger.get("/api/me", 401)


def test_the_lobby_knows_where_i_left_and_what_i_reached(own_server: Server) -> None:
    guest, other = own_server.guest("Ada"), own_server.guest()
    first = guest.play("lite-solo", 1)
    second = guest.play("lite-solo", 2)
    own_server.clock.now += 1
    left = guest.open("farkle")
    attempt = guest.play("lite-solo", 3, kind="daily")
    own_server.clock.now += 1
    ended = guest.open("farkle", kind="daily")
    with guest.sit(ended) as tab:
        tab.play_on(Random(1), 1)
    daily_left = guest.open("farkle", kind="daily")
    seen = lobby(guest)
    assert seen["me"]["nickname"] == "Ada"
    assert {table["id"] for table in seen["tables"]} == {left, daily_left}, "one open attempt at a time"
    assert seen["tables"][-1]["id"] == left, "the newest first"
    assert [best["game"] for best in seen["bests"]] == ["lite-solo"]
    assert seen["bests"][0]["score"] == max(first["score"], second["score"]), "a daily's dice can be known"
    dailies = {daily["game"]: daily for daily in seen["dailies"]}
    assert (dailies["lite-solo"]["attempts"], dailies["lite-solo"]["best"]) == (1, attempt["score"])
    assert (dailies["farkle"]["attempts"], dailies["farkle"]["best"]) == (2, None)
    assert dailies["farkle"]["table"] == daily_left != ended
    assert dailies["knucklebones"]["attempts"] == 0
    assert lobby(other)["tables"] == []
    own_server.clock.now += 1
    for _ in range(TABLES_SHOWN):
        guest.open("lite-solo", kind="practice")
    seen = lobby(guest)
    assert daily_left not in {table["id"] for table in seen["tables"]}, "only the newest are shown"
    assert {daily["game"]: daily["table"] for daily in seen["dailies"]}["farkle"] == daily_left, (
        "but it is gone on with"
    )
    own_server.clock.now += 86_400
    found = {(daily["attempts"], daily["table"]) for daily in lobby(guest)["dailies"]}
    assert found == {(0, None)}, "another day, other dailies"


def test_the_same_dice_can_be_had_again(server: Server) -> None:
    guest = server.guest()
    run = guest.play("knucklebones", 5)
    dice = [step for step in run["record"]["steps"].split(" ") if step.startswith("d")]
    with guest.sit(guest.open("knucklebones", kind="practice", seed=run["dice_seed"])) as tab:
        tab.play_on(Random(8))
        again = guest.run(tab)
    replayed = [step for step in again["record"]["steps"].split(" ") if step.startswith("d")]
    shorter = min(len(dice), len(replayed))
    assert dice[:shorter] == replayed[:shorter]
    assert again["dice_seed"] == run["dice_seed"]
    today = guest.play("lite-solo", kind="daily")
    assert today["dice_seed"] is None, "the others still have the day before them"


@pytest.mark.parametrize("game", GAMES)
def test_a_film_shows_every_step_as_the_rules_have_it(server: Server, game: str) -> None:
    guest = server.guest()
    run = guest.play(game, 3)
    frames = server.stranger().get(f"/api/runs/{run['id']}/film")
    record = from_json(run["record"])
    assert frames[0]["step"] == ""
    assert frames[0]["by"] is None
    assert frames[0]["events"] == []
    before = start(record)
    for frame, step in zip(frames[1:], walk(record), strict=True):
        assert frame["step"] == step.text
        assert frame["events"] == events(GAMES[game], before, step.text, step.state)
        before = step.state
        assert frame["by"] == (None if step.actor < 0 else step.actor)
        assert frame["view"] == view(GAMES[game], step.state, with_moves=False)
    server.stranger().get("/api/runs/nothing/film", 404)


def test_the_film_of_ones_own_table_so_far_and_of_no_other(server: Server) -> None:
    guest = server.guest()
    with guest.sit(guest.open("knucklebones", seats=["you", "spec"])) as tab:
        path = f"/api/tables/{tab.shown['id']}/film"
        assert [frame["step"] for frame in guest.get(path)] == ["", *tab.shown["news"]]
        for _ in range(2):
            shown = tab.move(tab.moves[0])
        first, *frames = guest.get(path)
        assert first["step"] == ""
        assert len(frames) == shown["count"]
        newest = shown["film"]
        assert [(one["step"], one["by"], one["events"]) for one in frames[-len(newest) :]] == [
            (one["step"], one["by"], one["events"]) for one in newest
        ]
        assert all(frame["view"] and not frame["view"]["moves"] for frame in frames)
        server.guest().get(path, 404)


def test_a_film_puts_every_die_where_the_record_says(server: Server) -> None:
    """Followed by hand, without the code that makes films."""
    guest = server.guest()
    run = guest.play("lite-solo", 4)
    steps = run["record"]["steps"].split(" ")
    first, *frames = server.stranger().get(f"/api/runs/{run['id']}/film")
    board: list[list[int | None]] = [[None] * 3 for _ in range(3)]
    assert first["view"]["seats"][0]["board"] == board
    assert [frame["step"] for frame in frames] == steps
    die = 0
    for frame in frames:
        if frame["step"].startswith("d"):
            die = int(frame["step"][1])
            assert (frame["by"], frame["view"]["die"], frame["events"]) == (None, die, [])
        else:
            row, column = int(frame["step"][1]) - 1, "abc".index(frame["step"][0])
            board[row][column] = die
            times = board[row].count(die)
            sets = [{"code": "set-made", "seat": 0, "line": "row", "number": row, "times": times}] if times > 1 else []
            end = [{"code": "run-over"}] if frame is frames[-1] else []
            assert (frame["by"], frame["events"]) == (0, sets + end)
        assert frame["view"]["seats"][0]["board"] == board
    assert frames[-1]["view"]["result"]["scores"] == [run["score"]]


def test_the_opponents_turn_comes_as_a_film(server: Server) -> None:
    """Where more than a move and a roll have happened, a client can see each step on its own."""
    guest = server.guest()
    with guest.sit(guest.open("knucklebones", kind="practice", seed="film", seats=["you", "spec"])) as tab:
        twin = Table("knucklebones", seed="film", seats=["you", "spec"])
        while not tab.is_over:
            before = tab.count
            shown = tab.move(tab.moves[0])
            for step in shown["news"]:
                if not step.startswith("d"):
                    twin.play(step)
            film = shown["film"]
            assert [frame["step"] for frame in film] == shown["news"]
            assert film == as_json(twin.film(before, views=len(film) > 2 or tab.is_over))
            assert all(frame["view"] is None or frame["view"]["moves"] == [] for frame in film)
            assert film[-1]["view"] is None, "it is the table's own"
        assert film[-1]["events"][-1] == {"code": "run-over"}
        assert any(event["code"] == "turn-passed" for frame in film for event in frame["events"]) == (len(film) > 1)
        assert tab.look()["film"] == film
    with guest.sit(guest.open("lite-versus", options={"first": "bot"})) as tab:
        assert len(tab.shown["film"]) == 4, "the start, its first die, where it went, and the next"
        assert tab.shown["film"][0]["view"] is not None


def test_before_anybody_has_moved_the_film_begins_before_the_first_roll(server: Server) -> None:
    """So a screen can show how the first dice fall; also of a game that opens on a farkle, as this one does."""
    guest = server.guest()
    with guest.sit(guest.open("farkle", kind="practice", seed="40")) as tab:
        twin = Table("farkle", seed="40")
        start, *film = tab.shown["film"]
        assert (start["step"], start["view"]["phase"]) == ("", "idle")
        assert film == as_json(twin.film())
        assert film[0]["events"] == [{"code": "farkle", "seat": 0, "lost": 0}]
        assert tab.move(tab.moves[0])["film"][0]["step"] != "", "told once"


def test_a_move_says_what_happened_without_views(own_server: Server) -> None:
    """A move and a roll are drawn together, so neither says how the table was after it; who did it, they say."""
    guest = own_server.guest()
    table_id = guest.open("lite-solo", kind="practice", seed="told")
    with guest.sit(table_id) as tab:
        twin = Table("lite-solo", seed="told")
        for move in ("a1", "b1", "c1"):
            before = tab.count
            twin.play(move)
            film = tab.move(move)["film"]
            assert film == as_json(twin.film(before, views=False))
            assert [(frame["by"], frame["view"]) for frame in film] == [(0, None), (None, None)]
    against = guest.open("knucklebones", kind="practice", seed="film", seats=["you", "spec"])
    with guest.sit(against) as tab:
        reply = tab.move(tab.moves[0])["film"]
        assert [frame["by"] for frame in reply] == [0, None, 1, None]
    own_server.restart()
    with guest.sit(table_id) as again:
        assert again.shown["film"] == film, "the last move is told to whoever comes back"
    with guest.sit(against) as again:
        assert again.shown["film"] == reply, "one's own, with the opponent's reply to it"


def test_targets_and_their_chances(server: Server) -> None:
    stranger = server.stranger()
    usual = stranger.get("/api/games/lite-solo/targets")
    assert [(one["name"], one["target"], one["calibrated"]) for one in usual] == [
        ("none", 0, False), ("even", 65, True), ("bronze", 90, False),
        ("dream", 111, True), ("silver", 120, False), ("gold", 150, False),
    ]  # fmt: skip
    assert [one["ways"] for one in usual if one["target"] in (90, 150)] == [1_085_322, 85]
    assert {one["of"] for one in usual[1:]} == {6**9}
    wild = stranger.get("/api/games/lite-solo/targets", mode="target=77;wild=contains")
    own = next(one for one in wild if one["name"] == "own")
    assert (own["ways"], own["of"]) == chance(Options(wild="contains"), 77)
    columns = stranger.get("/api/games/lite-solo/targets", mode="columns=true")
    assert [one["target"] for one in columns] == [0, 90, 109, 120, 143, 150, 178]
    assert [(one["ways"], one["of"]) for one in columns[1:]] == [
        chance(Options(columns=True), one["target"]) for one in columns[1:]
    ]
    assert stranger.get("/api/games/farkle/targets") == []
    stranger.get("/api/games/chess/targets", 404)
    stranger.get("/api/games/lite-solo/targets", 400, mode="wild=wolf")


def test_the_page_is_sent_packed_and_kept(tmp_path: Path, sqlite_url: str) -> None:
    (tmp_path / "assets").mkdir()
    for name in ("index.html", "assets/hall-1.js"):
        (tmp_path / name).write_text(f"plain {name}")
        (tmp_path / f"{name}.gz").write_bytes(b"gzip")
        (tmp_path / f"{name}.br").write_bytes(b"br")
    (tmp_path / "favicon.svg").write_text("<svg/>")
    (tmp_path / ".built-from").write_text("nobody's business")

    def show(app: object) -> None:
        app.router.default = Page(tmp_path)  # type: ignore[attr-defined]

    with Server(sqlite_url, prepare=show) as server:
        guest = server.stranger()
        front = guest.ask("GET", "/", headers={"accept-encoding": "identity"})
        assert (front.text, front.headers["content-type"]) == ("plain index.html", "text/html; charset=utf-8")
        assert front.headers["cache-control"] == "no-cache"
        assert "script-src 'self'" in front.headers["content-security-policy"]
        assert guest.ask("GET", "/", headers={"if-none-match": front.headers["etag"]}).status_code == 304
        script = guest.ask("GET", "/assets/hall-1.js", headers={"accept-encoding": "identity"})
        assert "immutable" in script.headers["cache-control"]
        assert guest.ask("GET", "/favicon.svg").text == "<svg/>"
        for accepted, expected in (("gzip", b"gzip"), ("gzip, br;q=1", b"br"), ("zstd", b"plain assets/hall-1.js")):
            with guest.http.stream("GET", "/assets/hall-1.js", headers={"accept-encoding": accepted}) as answer:
                assert b"".join(answer.iter_raw()) == expected
                assert answer.headers["vary"] == "accept-encoding"
        for path in ("/nothing", "/.built-from", "/assets", "/../pyproject.toml", "/index.html.gz/x", "/index.html.gz"):
            problem = guest.ask("GET", path)
            assert (problem.status_code, problem.json()["code"]) == (404, "http")
        assert guest.ask("HEAD", "/").status_code == 200
        assert guest.ask("POST", "/").status_code == 405


def test_without_a_page_the_hall_says_so(tmp_path: Path, sqlite_url: str) -> None:
    def show(app: object) -> None:
        app.router.default = Page(tmp_path)  # type: ignore[attr-defined]

    with Server(sqlite_url, prepare=show) as server:
        assert "not built" in server.stranger().ask("GET", "/").text


@pytest.mark.parametrize(
    ("game", "mode", "seats", "code"),
    [
        ("shut-the-box", "standard", 3, None),
        ("shut-the-box", "mode=long", 3, "seats"),
        ("shut-the-box", "scoring=missionary;variant=digitalScore", 1, "options-clash"),
        ("lite-solo", "standard", 2, "seats"),
        ("farkle", "target=wolf", 1, "option-value"),
    ],
)
def test_whether_one_can_play_so(server: Server, game: str, mode: str, seats: int, code: str | None) -> None:
    told = server.stranger().get(f"/api/games/{game}/playable", mode=mode, seats=seats)
    assert (told["code"], bool(told["message"])) == (code, code is not None)


@pytest.mark.parametrize(
    ("game", "mode", "seats", "doubt"),
    [
        ("lite-solo", "target=162", 1, (None, None)),
        ("lite-solo", "target=163", 1, ("target-too-high", 162)),
        ("lite-solo", "columns=true;target=1000", 1, ("target-too-high", 324)),
        ("lite-solo", "columns=true;target=271;wild=contains", 1, ("target-too-high", 270)),
        ("shut-the-box", "goal=214", 1, (None, None)),
        ("shut-the-box", "goal=215", 1, ("goal-sure", 215)),
        ("shut-the-box", "goal=215", 2, (None, None)),
        ("shut-the-box", "goal=4;variant=alwaysSumDuo", 1, ("goal-too-low", 5)),
        ("shut-the-box", "mode=threshold;threshold=43", 1, ("goal-sure", 43)),
        ("farkle", "bank_minimum=4000;hot_dice=false", 1, (None, None)),
        ("farkle", "board_minimum=4050;hot_dice=false", 2, ("minimum-too-high", 4000)),
        ("farkle", "board_minimum=9000;hot_dice=false;straight=true;straight_points=9000", 1, (None, None)),
        ("knucklebones", "standard", 2, (None, None)),
    ],
)
def test_what_makes_no_sense_is_said_before_anybody_plays(
    server: Server, game: str, mode: str, seats: int, doubt: tuple[str | None, int | None]
) -> None:
    told = server.stranger().get(f"/api/games/{game}/playable", mode=mode, seats=seats)
    assert (told["code"], told["doubt"], told["limit"]) == (None, *doubt)


def test_what_decides_nothing_is_told_before_anybody_plays(server: Server) -> None:
    where, guest = "/api/games/shut-the-box/playable", server.stranger()
    assert "goal" in guest.get(where, mode="goal=175;mode=threshold;tiles=12", seats=1)["idle"]
    assert "goal" in guest.get(where, mode="goal=38;mulligan=true", seats=3)["idle"]
    assert "goal" not in guest.get(where, mode="goal=38;mulligan=true", seats=1)["idle"]


def test_what_decides_nothing_is_not_in_a_runs_record(server: Server) -> None:
    """So two runs on one board have the same options, and whoever plays one again plays what was played."""
    run = server.guest().play("shut-the-box", 1, options={"mode": "long", "goal": 60, "mulligan": True})
    assert run["mode"] == "mode=long;mulligan=true"
    assert run["record"]["options"] == {"mode": "long", "mulligan": True}
