"""Links between the pages lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, ROOT, headings, name, prose, read

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def anchors(page: Path) -> set[str]:
    """The anchors that a page's headings get where Markdown is shown."""
    titles = [title for level in (1, 2, 3) for title in headings(read(page), level)]
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_to_files_and_headings_that_exist(page: Path) -> None:
    for target in LINK.findall(prose(read(page))):
        if re.match(r"[a-z]+:", target):
            continue  # somewhere on the web
        path, _, anchor = target.partition("#")
        goal = (page.parent / path).resolve() if path else page
        assert goal.is_relative_to(ROOT), f"{name(page)}: {target} leads out of the project"
        assert goal.exists(), f"{name(page)}: {target} leads nowhere"
        if anchor:
            assert anchor in anchors(goal), f"{name(page)}: {target} names no heading of {name(goal)}"
