"""The same runs on every platform and in every Python, for ever.

The digests were made with CPython 3.11 on x86-64 and are the same on CPython 3.14 compiled to WebAssembly. If one of
them changes, somebody's replay, daily or proof breaks: what is needed then is a new version, not a new digest. Once two
did and nothing broke: `random` began to draw lots by position, which no record, daily or proof depends on.
"""

from __future__ import annotations

import hashlib

import pytest

from dicehall.lab.simulate import simulate

DIGESTS = {
    "lite-solo": (["lookahead"], "a183f23c87ee927986b59600464d4eaf8f998862ccac6bdc4dc183e4cfaf9821"),
    "lite-versus": (["standard", "lookahead"], "11657848b21f99435d05cfa57ce16f551c114d0fd9545e62dce5b0c31987181c"),
    "farkle": (["bank:300", "random"], "a3a7324f5d110ba2bcc0088f6d4c009e69be8a2f96ba286687ac19d882575a12"),
    "shut-the-box": (["highest"], "bf5fa451521e25594b94f13d041b5fe9989dcaf914ff37f136b0dd033b5d3434"),
    "knucklebones": (["spec", "random"], "bb4ad0400686dc430fe9735f09bcc5c9587fc23943604fda19393c9780d8bbcd"),
}


@pytest.mark.parametrize("game_id", DIGESTS)
def test_fifty_runs_are_what_they_always_were(game_id: str) -> None:
    seats, expected = DIGESTS[game_id]
    digest = hashlib.sha256()
    simulate(game_id, seats, 50, "everywhere", keep=lambda record: digest.update(str(record).encode()))
    assert digest.hexdigest() == expected
