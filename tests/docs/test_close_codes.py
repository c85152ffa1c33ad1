"""The table of close codes in docs/http.md holds every code that the hall hangs up with, once, and no other."""

from __future__ import annotations

import re

from dicehall.server.wire import Close
from tests.docs.pages import DOCS, read

HEAD = "| close code | why |\n|---|---|\n"


def test_the_close_codes_are_those_of_the_wire() -> None:
    rows = read(DOCS / "http.md").partition(HEAD)[2].partition("\n\n")[0]
    assert sorted(map(int, re.findall(r"^\| (\d+) \|", rows, re.MULTILINE))) == sorted(Close)
