"""The table of events in docs/http.md holds every event that there is, with all that comes with it, and no other."""

from __future__ import annotations

import re
from typing import get_args, get_type_hints

from dicehall.play.events import Event
from tests.docs.pages import DOCS, read

HEAD = "| event | meaning | with it |\n|---|---|---|\n"


def test_the_events_are_those_of_play() -> None:
    told: dict[str, set[str]] = {}
    for row in read(DOCS / "http.md").partition(HEAD)[2].partition("\n\n")[0].splitlines():
        _, codes, _, fields, _ = row.split("|")
        for code in re.findall("`(.+?)`", codes):
            told[code] = set(re.findall("`(.+?)`", fields))
    known = {}
    for kind in get_args(Event):
        hints = get_type_hints(kind)
        (code,) = get_args(hints.pop("code"))
        known[code] = hints.keys()
    assert told.keys() == known.keys()
    for code, names in known.items():
        assert names <= told[code], code
