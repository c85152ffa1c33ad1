"""The page about solved Knucklebones says what was measured."""

from __future__ import annotations

from dicehall.coach.advise import advise
from dicehall.coach.knucklebones.chart import BOOK
from dicehall.lab.knucklebones_leads import book
from dicehall.rules.catalog import KNUCKLEBONES as GAME
from dicehall.solve.workshop import PACKAGED
from tests.docs.pages import read
from tests.docs.write_knucklebones import IMAGES, MEASURED, PAGE, TABLES, pictures


def test_the_page_tells_what_was_measured() -> None:
    page = read(PAGE)
    for table in TABLES:
        assert table() in page, "run: python -m tests.docs.write_knucklebones"
    assert all((IMAGES / name).read_text(encoding="utf-8") == picture for name, picture in pictures().items())
    assert all(f"images/{name}" in page for name in pictures())


def test_the_chart_shows_what_was_measured() -> None:
    packaged = (PACKAGED / BOOK).read_bytes()
    assert packaged == book(MEASURED), "run: python -m dicehall.lab.knucklebones_leads docs/knucklebones.json"


def test_the_coach_sees_what_surprises() -> None:
    """In each of these positions the coach that is packaged finds the best column, and about what it is worth."""
    for position in MEASURED["positions in which the best lead at once loses most"]:
        state = GAME.rules.read_state(
            GAME.make_options({}), f"{position['mine']} {position['theirs']} 0 {position['die']}"
        )
        told = {one.text: float(one.value) for one in advise(GAME, state)}
        exact = {str(column): worth for column, worth in enumerate(position["worth"], 1) if worth is not None}
        assert told.keys() == exact.keys()
        assert all(abs(told[move] - exact[move]) < 0.03 for move in exact)
        assert exact[max(told, key=lambda move: told[move])] > max(exact.values()) - 0.002
