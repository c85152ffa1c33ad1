"""What docs/operations.md names is there: metrics of alerts, files of limits; and its numbers are those of the code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from prometheus_client import generate_latest

import dicehall
from dicehall.server import (
    access,
    app,
    disk,
    downloads,
    hall,
    http,
    jobs,
    judging,
    keepers,
    line,
    opening,
    room,
    rooms,
    serve,
    socket,
    tab,
    wire,
    worker,
)
from dicehall.server.api import boards, common, statistics
from dicehall.server.bucket import Bucket
from dicehall.server.guard import Guard
from dicehall.server.metrics import REGISTRY
from dicehall.server.settings import Settings
from dicehall.server.thinking import Thinking
from dicehall.store import daily, engine, players
from tests.docs.pages import DOCS, read, section, table

PAGE: Final = DOCS / "operations.md"
KIB: Final = 1024
MIB: Final = 1024 * KIB
NOBODY: Any = None  # what is asked for its bounds alone needs no hall


def test_alerts_watch_what_the_hall_tells() -> None:
    told = generate_latest(REGISTRY).decode()
    kinds = set(re.findall(r"# TYPE (\S+) ", told))
    for name in re.findall(r"dicehall_[a-z_]+", read(PAGE)):
        base = re.sub(r"_(bucket|total)$", "", name)
        assert {name, base, f"{base}_total"} & kinds, name


def test_every_alert_is_explained() -> None:
    alerts = re.findall(r"alert: (\w+)", read(PAGE))
    table = read(PAGE).partition("| alert | what it means | what to do |")[2]
    explained = {name for row in re.findall(r"^\| ([A-Za-z, ]+) \|", table, re.MULTILINE) for name in row.split(", ")}
    assert set(alerts) <= explained


def test_limits_are_where_the_page_says() -> None:
    package = Path(dicehall.__file__).parent
    names = {path.name for path in package.rglob("*.py")}
    rows = section(read(PAGE), "Who can take how much").partition("What is not bounded")[0]
    for file in re.findall(r"`([a-z_]+\.py)`", rows):
        assert file in names, file
    sources = "".join(path.read_text() for part in ("server", "store") for path in (package / part).rglob("*.py"))
    for name in re.findall(r"`([A-Z_]{4,}|seconds_[a-z]+|connections[a-z_]*)`", rows):
        assert name in sources, name


def test_the_numbers_of_the_bounds_are_those_of_the_code() -> None:
    """All digits of a row, in their order."""
    rows = table(section(read(PAGE), "Who can take how much"))
    said = {resource: [float(n.replace(",", "")) for n in NUMBER.findall(bound)] for resource, bound, *_ in rows}
    for resource, numbers in bounds().items():
        assert said.pop(resource) == list(numbers), resource
    assert said == {}, "each row has its numbers here"


NUMBER: Final = re.compile(r"\d[\d,]*(?:\.\d+)?")


def bounds() -> dict[str, tuple[float, ...]]:
    settings, web = Settings("", b""), serve.configured(NOBODY)
    guard, thinking = Guard(NOBODY, settings), Thinking(settings.limits)
    replies, questions = thinking.replies, thinking.questions
    return {
        "connections": (settings.connections, serve.RESERVE, settings.connections_of_network),
        "descriptors": (max(serve.ENOUGH_DESCRIPTORS),),
        "a silent connection": (settings.seconds_to_ask, web.timeout_keep_alive),
        "a request": (
            settings.seconds_to_send,
            http.LONGEST_HEAD / KIB,
            http.MOST_HEADERS,
            app.LONGEST_BODY / KIB,
            app.LONGEST_BODIES["/api/records/check"] / KIB,
        ),
        "a body that still comes when its request is answered": (http.LONGEST_HEAD / KIB,),
        "an answer that is not read": (settings.seconds_to_read,),
        "requests, and handshakes of sockets wherever they lead": (
            *rate(guard.requests),
            *rate(guard.requests_of_network),
            app.PRICES["/api/lobby"],
            app.PRICES["/api/me/statistics"],
            app.PRICES["/api/me/statistics/luck"],
        ),
        "probes and metrics": rate(guard.probes_of_network),
        "sockets": (
            guard.sockets.most,
            guard.sockets_of_network.most,
            socket.PATIENCE,
            socket.TIME_TO_CHOOSE,
            web.ws_ping_timeout or 0,
        ),
        "messages": (
            wire.LONGEST_MESSAGE / KIB,
            *rate(guard.messages),
            *rate(guard.messages_of_network),
            tab.MOST_WAITING,
            *line.FRAMES,
        ),
        "accounts": (guard.accounts.burst, 1 / guard.accounts.per_second),
        "tables": (opening.MOST_OPEN, hall.OPENINGS[0], jobs.MOST_STEPS),
        "memory of tables": (hall.MOST_IDLE, *hall.REPLAYS, hall.LEAST_REPLAY),
        "processor: bots that think": (replies.seconds,),
        "processor: questions (coach, films, proofs, records)": (
            questions.seconds,
            questions._waiting,
            questions._waiting_each,
            *rate(questions._budget),
            jobs.LONGEST_RECORD,
            jobs.MOST_STEPS,
        ),
        "processor: skill of rated games": (judging.AT_ONCE, judging.LATER, judging.MOST_FAILED),
        "statistics: runs that are replayed before they are counted": (statistics.COUNTED_AT_ONCE, statistics.RECENT),
        "memory of a worker": (worker.LARGEST / MIB / KIB,),
        "downloads (exports)": (downloads.MOST, downloads.MOST_EACH, downloads.SECONDS / 60, common.PAGE),
        "database connections": (
            engine.MOST_CONNECTIONS,
            access.READERS,
            access.READ_SECONDS,
            access.WRITE_SECONDS,
        ),
        "a database that does not answer, over a network": (keepers.SILENT,),
        "reads that wait": (access.MOST_READING,),
        "disk": (disk.LEAST_FREE / MIB,),
        "devices": (players.MOST_DEVICES,),
        "the list of a game's modes": (boards.MOST_MODES,),
        "nicknames": (guard.names.burst, 1 / guard.names.per_second),
        "tables with others": (rooms.MOST_OPEN, room.AFTER / 3600, keepers.ROOM_SECONDS / 86_400, rooms.GUESSES[0]),
        "attempts at a daily": (daily.MOST_FROM_ONE_NETWORK,),
    }


def rate(bucket: Bucket) -> tuple[float, float]:
    return bucket.burst, bucket.per_second
