"""The tournament of Shut the Box, against the literal rules."""

from __future__ import annotations

from typing import Any

import pytest

from dicehall.rules.shut_the_box import Options, State
from dicehall.rules.shut_the_box_tiles import all_tiles
from tests.coach.asked import box
from tests.coach.shut_the_box.twin import Floats, Twin, agrees, obeys_the_equations
from tests.soak import times


@pytest.mark.usefixtures("few_tiles")
@pytest.mark.parametrize("rules", [{}, {"mulligan": True, "one_die": "never"}, {"difficulty": "hard"}])
def test_an_instant_tournament_is_worth_what_the_literal_rules_say(rules: dict[str, Any]) -> None:
    options = Options(**rules, variant="tournament45out", instant=True)
    twin = Twin("rounds", "win")
    for lead in (0, 5, 7, 8, 30):  # from 8: out when this round ends
        twin.values(State(options, all_tiles(options), (lead,)))
    agrees(twin, options, times(300, 3000))


@pytest.mark.usefixtures("few_tiles")
@pytest.mark.parametrize("rules", [{}, {"difficulty": "hard"}, {"mulligan": True, "one_die": "forced"}][: times(2, 3)])
def test_a_tournament_is_worth_what_the_literal_rules_say(rules: dict[str, Any]) -> None:
    """Boxes may be shut for ever, so the twin breaks off; whoever comes so far is rare."""
    options = Options(**rules, variant="tournament45out")
    value, twin = box.values(options, 1, "rounds"), Floats("rounds", last_round=times(16, 40))
    for turn in reversed(range(1, twin.last_round + 1)):  # from the end, so that no walk is deep
        for lead in range(9):
            twin.values(State(options, all_tiles(options), (lead,), round=turn))
    for state, (slow,) in twin.known.items():
        if state.round == 1:
            exact = value(state)
            obeys_the_equations(state, options, 1, "rounds")
            assert float(exact) == pytest.approx(slow, abs=times(10**5, 10**9) ** -1), state
