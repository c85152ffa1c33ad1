"""Why a move is better than another: true of the position, and in words in both languages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import dicehall
from dicehall.coach.advise import advise, reason
from dicehall.coach.puzzles import puzzles
from dicehall.coach.reason import Reason
from dicehall.rules.catalog import GAMES

TEXTS = Path(dicehall.__file__).parent / "texts"
CASES: list[tuple[str, dict[str, Any], str, str, str, str, dict[str, float]]] = [
    ("lite-solo", {}, "66./11./... 6 -", "c1", "c2", "lite.now", {"n": 18}),
    ("lite-solo", {}, "12./36./... 4 -", "a3", "c1", "lite.sets", {"n": 5, "other": 2}),
    ("lite-solo", {}, "12./6../... 3 -", "c1", "b2", "lite.most", {"n": 114, "other": 94}),
    ("lite-solo", {}, "22./2../... 2 -", "b2", "c1", "lite.later", {}),
    ("lite-solo", {"reroll": True}, "66./65./... 1 r", "reroll", "c1", "lite.reroll", {}),
    ("lite-solo", {"reroll": True}, "66./65./... 6 r", "c1", "reroll", "lite.no-reroll", {}),
    ("lite-solo", {"columns": True}, "6../.../... 6 -", "b1", "b2", "lite.now", {"n": 12}),
    ("farkle", {}, "0 0 1 0 152226 selection -", "1", "222+1+5", "farkle.dice", {"n": 5, "other": 1}),
    ("farkle", {}, "0 0 1 0 152226 selection -", "222+1+5", "222+1", "farkle.points", {"n": 50}),
    ("farkle", {}, "0 0 1 0 152226 selection -", "1", "5", "farkle.points", {"n": 50}),
    ("farkle", {}, "0 0 1 300 [2221]46 selected -", "bank", "roll", "farkle.bank", {"n": 2, "stake": 300}),
    ("farkle", {}, "0 0 1 100 [1]22346 selected -", "roll", "bank", "farkle.roll", {"n": 5, "stake": 100}),
    ("farkle", {}, "9900 0 9 100 [1]22346 selected -", "bank", "roll", "farkle.target", {"n": 10_000}),
    ("farkle", {"max_turns": 10}, "9900 0 9 100 [1]22346 selected -", "bank", "roll", "farkle.bank", {"n": 5}),
    ("shut-the-box", {}, "1234..... 64 0 1 0 - -", "4+3+2+1", "4+3+2+1", "box.all", {}),
    ("shut-the-box", {}, "12345.7.. 43 0 1 0 - -", "7", "5+2", "box.one-die", {}),
    ("shut-the-box", {}, "12345.... 21 0 1 0 - -", "3", "2+1", "box.fits", {"better": 1, "other": 25 / 36}),
    ("shut-the-box", {}, "12.45...9 42 0 1 0 - -", "4+2", "5+1", "box.fits", {"better": 4 / 9, "other": 5 / 12}),
    ("shut-the-box", {}, "123456789 63 0 1 0 - -", "9", "5+4", "box.fits-twice", {}),
    ("shut-the-box", {}, "1.3456.8. 16 0 1 0 - -", "4+3", "6+1", "box.later", {}),
    ("shut-the-box", {}, "1....6... - 1 2 11:37 - -", "two", "one", "box.finish", {"better": 1 / 6, "other": 0}),
    ("shut-the-box", {"scoring": "digital"}, "1.3456789 45 0 1 0 - -", "5+3+1", "9", "box.tiles", {"n": 3, "other": 1}),
    ("knucklebones", {}, "-/-/- 5/55/- 0 5", "2", "1", "knucklebones.breaks", {"n": 20, "other": 5}),
    ("knucklebones", {}, "5/-/- -/-/- 0 5", "1", "2", "knucklebones.gains", {"n": 10}),
    ("knucklebones", {}, "6/-/- 123/-/- 0 2", "1", "2", "knucklebones.breaks", {}),
    ("knucklebones", {}, "6/-/- 133/-/- 0 2", "1", "2", "knucklebones.safe", {"n": 0, "other": 1}),
    ("knucklebones", {}, "55/-/- -/-/- 0 2", "2", "1", "knucklebones.next", {"n": 25}),
    ("knucklebones", {}, "511/-/- -/466/- 0 4", "3", "2", "knucklebones.room", {}),
    ("knucklebones", {}, "-/-/- -/-/- 0 4", "3", "2", "knucklebones.later", {}),
    ("knucklebones", {}, "124/356/12 -/-/- 0 3", "3", "3", "knucklebones.later", {}),
]


def why(game_id: str, options: dict[str, Any], state: str, better: str, other: str) -> Reason:
    game = GAMES[game_id]
    read = game.rules.read_move
    return reason(game, game.rules.read_state(game.make_options(options), state), read(better), read(other))


@pytest.mark.parametrize(("game", "options", "state", "better", "other", "code", "told"), CASES)
def test_what_can_be_seen(
    game: str, options: dict[str, Any], state: str, better: str, other: str, code: str, told: dict[str, float]
) -> None:
    found = why(game, options, state, better, other)
    assert found.code == code
    numbers = {**found.numbers, **{name: float(share) for name, share in found.shares.items()}}
    assert {name: numbers[name] for name in told} == pytest.approx(told)


@pytest.mark.parametrize("game_id", GAMES)
def test_every_reason_is_a_sentence(game_id: str) -> None:
    """In both languages, with all that it has to fill in, for every pair of a best move and a worse one."""
    game, seen = GAMES[game_id], set()
    texts = [json.loads((TEXTS / name / "coach.json").read_text(encoding="utf-8")) for name in ("en", "de")]
    for puzzle in puzzles(game_id)[::4]:
        state = game.rules.read_state(game.make_options(puzzle.options), puzzle.state)
        best, *rest = advise(game, state, puzzle.objective)
        for worse in [one for one in rest if one.loss][::3]:
            found = reason(game, state, best.move, worse.move)
            seen.add(found.code)
            for told in texts:
                text = told[f"reason.{found.code}"]
                blanks = set(re.findall(r"\{(\w+)\}", text if isinstance(text, str) else text["other"]))
                assert blanks <= {*found.numbers, *found.shares}, found
    assert len(seen) > 1
