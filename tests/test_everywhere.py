"""The same runs on every platform and in every Python, for ever.

The digests were made with CPython 3.11 on x86-64 and are the same on CPython 3.14 compiled to WebAssembly. If one of
them changes, somebody's replay, daily or proof breaks: what is needed then is a new version, not a new digest.
"""

from __future__ import annotations

import hashlib

import pytest

from dicehall.lab.simulate import simulate

DIGESTS = {
    "lite-solo": (["lookahead"], "a183f23c87ee927986b59600464d4eaf8f998862ccac6bdc4dc183e4cfaf9821"),
    "lite-versus": (["standard", "lookahead"], "11657848b21f99435d05cfa57ce16f551c114d0fd9545e62dce5b0c31987181c"),
    "farkle": (["bank:300", "random"], "585f27434ad9bbe9fe789aff50629aeca113c156351f5559097e46016aed4af1"),
    "shut-the-box": (["highest"], "bf5fa451521e25594b94f13d041b5fe9989dcaf914ff37f136b0dd033b5d3434"),
    "knucklebones": (["spec", "random"], "467c040cf7b46fd6b5efd4bd582ece6d84c4d9104418c919d16a4adf081029e5"),
}


@pytest.mark.parametrize("game_id", DIGESTS)
def test_fifty_runs_are_what_they_always_were(game_id: str) -> None:
    seats, expected = DIGESTS[game_id]
    digest = hashlib.sha256()
    simulate(game_id, seats, 50, "everywhere", keep=lambda record: digest.update(str(record).encode()))
    assert digest.hexdigest() == expected
