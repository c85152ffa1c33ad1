"""What docs/operations.md names is there: every metric of its alerts, every file of its limits."""

from __future__ import annotations

import re
from pathlib import Path

from prometheus_client import generate_latest

import dicehall
from dicehall.server.metrics import REGISTRY
from tests.docs.pages import PAGES, read

PAGE = next(page for page in PAGES if page.name == "operations.md")


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
    rows = read(PAGE).partition("## Who can take how much")[2].partition("What is not bounded")[0]
    for file in re.findall(r"`([a-z_]+\.py)`", rows):
        assert file in names, file
    sources = "".join(path.read_text() for part in ("server", "store") for path in (package / part).rglob("*.py"))
    for name in re.findall(r"`([A-Z_]{4,}|seconds_[a-z]+|connections[a-z_]*)`", rows):
        assert name in sources, name
