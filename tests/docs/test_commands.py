"""The command reference is the parser's, and the parser explains itself."""

from __future__ import annotations

import pytest

from tests.docs.pages import read
from tests.docs.write_commands import PAGE, arguments, commands, page, parsers


def test_the_command_reference_is_up_to_date() -> None:
    assert read(PAGE) == page(), "run: python -m tests.docs.write_commands"


@pytest.mark.parametrize("title", parsers())
def test_every_command_and_every_argument_has_help(title: str) -> None:
    parser = parsers()[title]
    assert parser.description, title
    for how, action in arguments(parser):
        assert action.help, f"{title} {how} has no help text"


def test_every_command_answers_in_json() -> None:
    for title, parser in parsers().items():
        if not commands(title, parser):
            assert "--json" in [how for how, _ in arguments(parser)], title
