"""The page about solved Knucklebones says what was measured."""

from __future__ import annotations

import json

from dicehall.coach.advise import advise
from dicehall.coach.book import packaged_book
from dicehall.coach.knucklebones import network
from dicehall.coach.knucklebones.chart import BOOK
from dicehall.lab.knucklebones.leads import book
from dicehall.lab.knucklebones.players import pairs_of
from dicehall.rules import knucklebones
from dicehall.rules.catalog import KNUCKLEBONES as GAME
from dicehall.solve.workshop import PACKAGED
from tests.docs.pages import read
from tests.docs.write_knucklebones import (
    DIGEST,
    EXACT,
    IMAGES,
    MEASURED,
    PAGE,
    TABLES,
    digest,
    lines,
    pictures,
    some_positions,
)

SURPRISES = "positions in which the best lead at once loses most"


def test_the_page_tells_what_was_measured() -> None:
    page = read(PAGE)
    for table in TABLES:
        assert table() in page, "run: python -m tests.docs.write_knucklebones"
    assert all((IMAGES / name).read_text(encoding="utf-8") == picture for name, picture in pictures().items())
    assert all(f"images/{name}" in page for name in pictures())


def test_what_was_measured_is_kept_as_the_page_needs_it() -> None:
    """As the lab writes it: with all digits, and with what is there to test with and to choose from."""
    raw = {**MEASURED, "start": MEASURED["start"] + 3e-9, "some positions": [], SURPRISES: []}
    assert lines(digest(raw)) == read(DIGEST)
    text, exact, judged = json.loads(read(EXACT))[0]
    one = {"pairs": list(pairs_of(*text.split()[:2])), "exact": exact + 3e-9, "judged": judged}
    assert some_positions({"some positions": [one]}) == [[text, exact, judged]]


def test_the_network_that_was_measured_is_the_packaged_one() -> None:
    book = packaged_book(network.BOOK, network.BOOK_VERSION, knucklebones.VERSION)
    assert MEASURED["network"] == book.about["crc32"], "measure it: python -m dicehall.lab.knucklebones.figures"


def test_the_chart_shows_what_was_measured() -> None:
    packaged = (PACKAGED / BOOK).read_bytes()
    assert packaged == book(MEASURED), "run: python -m dicehall.lab.knucklebones.leads docs/knucklebones.json"


def test_the_coach_sees_what_surprises() -> None:
    """In each of these positions the coach that is packaged finds the best column, and about what it is worth."""
    for position in MEASURED["surprising positions"]:
        state = GAME.rules.read_state(
            GAME.make_options({}), f"{position['mine']} {position['theirs']} 0 {position['die']}"
        )
        told = {one.text: float(one.value) for one in advise(GAME, state)}
        exact = {str(column): worth for column, worth in enumerate(position["worth"], 1) if worth is not None}
        assert told.keys() == exact.keys()
        assert all(abs(told[move] - exact[move]) < 0.03 for move in exact)
        assert exact[max(told, key=lambda move: told[move])] > max(exact.values()) - 0.002
