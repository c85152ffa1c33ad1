"""Smaller games, so that the literal rules can be walked to the end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dicehall.coach.worths import box_tournament
from dicehall.rules import box_state, box_tiles, shut_the_box
from tests.coach.box_twin import forget


@pytest.fixture
def few_tiles(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A box with tiles 1 to 5, and a tournament that is over at 8: the literal rules are walked to the end."""
    forget()
    monkeypatch.setitem(box_tiles._ALL, 9, (1, 2, 3, 4, 5))
    for module in (box_tournament, box_state, shut_the_box):
        monkeypatch.setattr(module, "OUT_AT", 8)
    yield
    forget()
