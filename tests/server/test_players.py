"""Guests: a cookie on the first visit, a name if wanted, everything exported, everything deleted."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from http.cookies import SimpleCookie
from random import Random

import pytest
from websockets.exceptions import ConnectionClosed

from dicehall.server.guard import COOKIE
from dicehall.server.wire import Close
from dicehall.store import players
from dicehall.store.schema import metadata
from tests.patience import PATIENCE
from tests.server.conftest import NewUrl
from tests.server.running import HELLO, Guest, Server


def test_a_guest_gets_a_cookie_that_scripts_and_other_pages_cannot_use(server: Server) -> None:
    guest = server.stranger()
    answer = guest.ask("POST", "/api/me")
    cookie = SimpleCookie(answer.headers["set-cookie"])[COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"].lower() in ("lax", "strict")
    assert cookie["path"] == "/"
    assert int(cookie["max-age"]) > 30 * 86_400
    assert not cookie["secure"]
    me = answer.json()
    assert me == {"id": me["id"], "nickname": "", "created_at": server.clock(), "streak": 0, "longest_streak": 0}
    token = cookie.value.split(".")[1]
    assert token not in answer.text
    again = guest.ask("POST", "/api/me")
    assert "set-cookie" not in again.headers, "whoever has an account keeps it"
    assert again.json() == guest.get("/api/me") == me


def test_behind_https_the_cookie_is_secure(sqlite_url: str) -> None:
    with Server(sqlite_url, https=True) as server:
        assert "secure" in server.stranger().ask("POST", "/api/me").headers["set-cookie"].lower()


def test_a_cookie_that_was_changed_is_nobodys(server: Server) -> None:
    guest, other = server.guest(), server.guest()
    table_id = guest.open("lite-solo")
    value = guest.http.cookies[COOKIE]
    player, token, signature = value.split(".")
    other_player, other_token, other_signature = other.http.cookies[COOKIE].split(".")
    for forged in (
        f"{other_player}.{token}.{signature}",
        f"{player}.{other_token}.{signature}",
        f"{player}.{token}.{other_signature}",
        f"{player}.{token}.{signature[:-1]}{'0' if signature[-1] != '0' else '1'}",
        f"{player}.{token}.{signature[:-1]}",
        f"{player}.{token}.{signature.upper()}x",
        f"{player}.{token}.",
        f"{player}.{token}",
        f"{player}..{signature}",
        f"{player}",
        "..",
        "",
        "ä.ö.ü",
        "." * 2000,
        f"{other_player}.{other_token}.{other_signature}0",
    ):
        thief = server.stranger()
        headers = {"cookie": f"{COOKIE}={forged}".encode()}
        assert thief.call("GET", "/api/me", 401, headers=headers)["code"] == "not-signed-in"
        assert thief.ask("GET", f"/api/tables/{table_id}", headers=headers).status_code == 401
        if forged.isascii():
            assert thief.close_code(table_id, HELLO, Cookie=f"{COOKIE}={forged}") == Close.NO_ACCOUNT
    assert guest.get("/api/me")["id"] == player


def test_another_key_is_another_hall(new_url: NewUrl) -> None:
    url = new_url()
    with Server(url) as server:
        cookie = server.guest().http.cookies[COOKIE]
    with Server(url) as server:
        stranger = server.stranger()
        stranger.http.cookies.set(COOKIE, cookie)
        assert stranger.get("/api/me"), "the cookie outlives a restart"
        server.app.state.guard._key = b"k" * 32
        stranger.get("/api/me", 401)


PRIVATE = [
    ("GET", "/api/me"), ("PATCH", "/api/me"), ("DELETE", "/api/me"), ("POST", "/api/me/transfer"),
    ("GET", "/api/me/devices"), ("DELETE", "/api/me/devices"), ("DELETE", "/api/me/devices/x"),
    ("GET", "/api/me/export"), ("GET", "/api/tables"), ("POST", "/api/tables"), ("GET", "/api/tables/x"),
    ("DELETE", "/api/tables/x"), ("GET", "/api/runs"), ("GET", "/api/runs/best"), ("GET", "/api/runs/last"),
]  # fmt: skip


def test_strangers_are_asked_to_sign_in(server: Server) -> None:
    stranger = server.stranger()
    for method, path in PRIVATE:
        body = {"json": {"nickname": "x", "game": "farkle"}} if method in ("POST", "PATCH") else {}
        if path == "/api/tables":
            body = body and {"json": {"game": "farkle"}}
        elif method == "PATCH":
            body = {"json": {"nickname": "x"}}
        elif path == "/api/me/transfer":
            body = {}
        query = "?game=farkle" if path.endswith(("best", "last")) else ""
        answer = stranger.ask(method, path + query, **body)
        assert (answer.status_code, answer.json()["code"]) == (401, "not-signed-in"), path


@pytest.mark.parametrize(("name", "kept"), [("Ada", "Ada"), ("  Blaise P. ", "Blaise P."), ("骰子 ☘ ñ", "骰子 ☘ ñ")])
def test_a_nickname(server: Server, name: str, kept: str) -> None:
    guest = server.guest()
    assert guest.call("PATCH", "/api/me", json={"nickname": name})["nickname"] == kept
    assert guest.get("/api/me")["nickname"] == kept


@pytest.mark.parametrize("name", ["", " ", "x" * 25, "x" * 101, "a\nb", "a\0b", "\u202eabc", "\u200b", 7, None])
def test_what_a_nickname_may_not_be(server: Server, name: object) -> None:
    guest = server.guest()
    answer = guest.ask("PATCH", "/api/me", json={"nickname": name})
    assert answer.status_code in (400, 422)
    assert guest.get("/api/me")["nickname"] == ""


def rename(guest: Guest, name: str) -> str:
    """The code of the refusal, or none."""
    return str(guest.ask("PATCH", "/api/me", json={"nickname": name}).json().get("code", ""))


def test_nobody_looks_like_another_or_like_the_house(own_server: Server) -> None:
    _, bea = own_server.guest("Ada"), own_server.guest("Bea")
    for name in ("Ada", "4da", "ADA 🎲"):
        assert rename(bea, name) == "nickname-taken"
    for name in ("The House", "Dicehal1", "Level 3"):
        assert rename(bea, name) == "nickname-house"
    assert rename(bea, "Bеa") == "nickname", "the middle one is Cyrillic"
    assert bea.get("/api/me")["nickname"] == "Bea"
    assert rename(bea, "BEA") == ""
    assert bea.get("/api/lobby")["me"]["nickname"] == "BEA"


def test_a_nickname_is_not_changed_all_the_time(new_url: NewUrl) -> None:
    with Server(new_url(), limits=1) as server:
        guest, other = server.guest(), server.guest()
        for _ in range(20):
            assert rename(guest, "The House") == "nickname-house", "what cannot be costs nothing"
        codes = [rename(guest, f"Ada {n}") for n in range(12)]
        assert codes == [""] * 10 + ["too-many-names"] * 2
        assert guest.get("/api/me")["nickname"] == "Ada 9"
        assert rename(other, "Bea") == "", "everybody has a limit of their own"


def test_guests_who_left_nothing_are_forgotten_in_the_end(new_url: NewUrl) -> None:
    with Server(new_url()) as server:
        stray, named, playing = server.guest(), server.guest("Ada"), server.guest()
        playing.play("lite-solo")
        stray.open("lite-solo")
        server.clock.now += 2 * 86_400
        later = server.guest()
        server.clock.now += 399 * 86_400
        server.restart()
        end = time.monotonic() + PATIENCE
        while server.stored(lambda c: players.find(c, stray.id)) is not None:
            assert time.monotonic() < end
            time.sleep(0.02)
        stray.get("/api/me", 401)
        for guest in (named, playing, later):
            assert guest.get("/api/me")["id"] == guest.id


def test_the_export_holds_everything_of_mine_and_no_secret_that_still_counts(own_server: Server) -> None:
    guest, other = own_server.guest("Export"), own_server.guest("Other")
    other_run = other.play("lite-solo")
    run = guest.play("lite-solo", kind="ranked")
    daily = guest.play("lite-solo", kind="daily")
    unfinished = guest.open("lite-solo")
    with guest.sit(unfinished) as tab:
        tab.move("b2")
    told = guest.get("/api/me/export")
    text = json.dumps(told)
    assert told["profile"]["nickname"] == "Export"
    assert [len(told[name]) for name in ("devices", "tables", "runs", "attempts", "standings")] == [1, 3, 2, 1, 6]
    assert {one["id"] for one in told["runs"]} == {run["id"], daily["id"]}
    assert next(one for one in told["runs"] if one["id"] == run["id"])["record"] == run["record"]
    assert {place["board"] for place in told["standings"]} == {
        "lite-solo/standard",
        "daily/2026-11-15/lite-solo/standard/first",
        "daily/2026-11-15/lite-solo/standard/best",
    }
    for table in told["tables"]:
        secret = own_server.saved(table["id"]).secret
        assert secret is not None
        assert (secret in text) == (table["kind"] == "ranked" and table["over"])
    assert guest.http.cookies[COOKIE].split(".")[1] not in text
    assert other.id not in text
    assert other_run["id"] not in text


def everything(server: Server) -> str:
    """All rows of all tables, as text."""
    return server.stored(
        lambda connection: "\n".join(
            f"{table.name} {tuple(row)}"
            for table in metadata.sorted_tables
            for row in connection.execute(table.select())
        )
    )


def board(guest: Guest) -> tuple[int, list[tuple[int, str]]]:
    found = guest.get("/api/boards/lite-solo")
    return found["players"], [(entry["rank"], entry["player"]) for entry in found["entries"]]


def test_deletion_leaves_nothing_and_the_boards_close_ranks(own_server: Server) -> None:
    guests = [own_server.guest(f"visitor {n}") for n in range(3)]
    for n, guest in enumerate(guests):
        guest.play("lite-solo", seed=n)
        guest.play("lite-solo", seed=n, kind="daily")
        guest.open("farkle")
        guest.post("/api/me/transfer")
    count, before = board(guests[0])
    assert count == 3
    leaver = next(guest for guest in guests if guest.id == before[0][1])
    others = [guest for guest in guests if guest is not leaver]
    cookie = leaver.http.cookies[COOKIE]
    runs = [run["id"] for run in leaver.get("/api/runs")["runs"]]
    leaver.call("DELETE", "/api/me", 204)
    assert COOKIE not in leaver.http.cookies, "the browser forgets it too"
    leaver.http.cookies.set(COOKIE, cookie)
    leaver.get("/api/me", 401)
    players, after = board(others[0])
    assert players == 2
    assert [player for _, player in after] == [player for _, player in before[1:]]
    assert after[0][0] == 1
    for which in ("first", "best"):
        daily = others[0].get("/api/daily/2026-11-15/lite-solo/board", which=which)
        assert daily["players"] == len(daily["entries"]) == 2
        assert daily["entries"][0]["rank"] == 1
    rows = everything(own_server)
    for trace in (leaver.id, *runs):
        assert trace not in rows
        assert others[0].get("/api/runs/" + trace, 404)
    own_server.clock.to("2026-11-16 12:00")  # then it holds the daily's runs too
    exported = others[0].ask("GET", "/api/export/ranked.jsonl").text
    assert len(exported.splitlines()) == 4


def test_whoever_deletes_the_account_leaves_every_table(server: Server) -> None:
    guest = server.guest()
    table_id = guest.open("lite-solo")
    with guest.sit(table_id) as idle, guest.sit(table_id) as busy:
        busy.play_on(Random(1), 2)
        guest.call("DELETE", "/api/me", 204)
        assert idle.closed() == Close.NO_TABLE, "before anybody moves"
        with suppress(ConnectionClosed):  # the server may have been quicker
            busy.send(type="move", seen=busy.count, move=busy.moves[0])
        assert busy.closed() == Close.NO_TABLE
    assert guest.close_code(table_id, HELLO) == Close.NO_ACCOUNT


def test_my_runs_in_pages_the_best_and_the_last(own_server: Server) -> None:
    guest = own_server.guest()
    guest.get("/api/runs/last", 404, game="lite-solo")
    guest.get("/api/runs/best", 404, game="lite-solo")
    runs = []
    for n in range(7):
        own_server.clock.now += n % 2  # some of them in the same second
        runs.append(guest.play("lite-solo", n))
    assert guest.get("/api/runs/best", game="lite-solo")["score"] == max(run["score"] for run in runs)
    assert guest.get("/api/runs/last", game="lite-solo")["finished_at"] == runs[-1]["finished_at"]
    seen, cursor, sizes = [], None, []
    while True:
        page = guest.get("/api/runs", limit=3, **({"cursor": cursor} if cursor else {}))
        seen += [run["id"] for run in page["runs"]]
        sizes.append(len(page["runs"]))
        cursor = page["next"]
        if cursor is None:
            break
    assert sizes == [3, 3, 1], "after the last there is no empty one"
    assert set(seen) == {run["id"] for run in runs}
    times = {run["id"]: run["finished_at"] for run in runs}
    assert [times[run] for run in seen] == sorted(times.values(), reverse=True)
