"""The stateless door: the same run as at a table, and an answer to everything."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicehall.play.step import LONGEST, step
from dicehall.play.table import Table
from dicehall.rules.catalog import GAMES
from tests.soak import times
from tests.walks import random_options, random_seats


def ask(**request: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(step(json.dumps(request)))
    return answer


@pytest.mark.parametrize("game_id", GAMES)
def test_a_run_step_by_step_equals_the_run_at_a_table(game_id: str) -> None:
    game, random = GAMES[game_id], Random(f"step {game_id}")
    for number in range(times(10, 300)):
        options = random_options(game, random)
        seats = random_seats(game, options, random)
        table = Table(game, options=options, seats=seats, seed=number)
        answer = ask(game=game_id, options=options, seats=seats, seed=str(number), you=0)
        steps = answer["steps"]
        while not table.is_over:
            assert (answer["state"], answer["view"]) == (game.rules.state_text(table.state), table.view(0))
            move = random.choice(table.legal())
            table.play(move)
            answer = ask(
                game=game_id, options=options, state=answer["state"], move=move, seed=number, used=answer["used"], you=0
            )
            steps += answer["steps"]
        assert tuple(steps) == table.steps
        assert answer["view"]["result"] == table.view()["result"]


def test_dice_may_come_from_elsewhere() -> None:
    start = ask(game="lite-solo")
    assert start["view"]["actor"] == "dice"
    rolled = ask(game="lite-solo", state=start["state"], dice=[5])
    assert (rolled["steps"], rolled["view"]["die"]) == (["d5"], 5)
    placed = ask(game="lite-solo", state=rolled["state"], move="b2")
    assert placed["state"] == ".../.5./... - -"


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({}, "game"),
        ({"game": "chess"}, "game"),
        ({"game": 5}, "request-field"),
        ({"game": None}, "request-field"),
        ({"game": "farkle", "extra": 1}, "request-field"),
        ({"game": "farkle", "options": []}, "request-field"),
        ({"game": "farkle", "options": {"tiles": 9}}, "option-name"),
        ({"game": "farkle", "options": {"target": "many"}}, "option-value"),
        ({"game": "farkle", "options": {"target": 10**400}}, "option-value"),
        ({"game": "farkle", "seats": 0}, "seats"),
        ({"game": "farkle", "seats": 10**30}, "seats"),
        ({"game": "farkle", "seats": True}, "request-field"),
        ({"game": "farkle", "state": ""}, "state"),
        ({"game": "farkle", "state": "x" * 5000}, "state"),
        ({"game": "farkle", "move": "roll"}, "dice-first"),
        ({"game": "farkle", "move": ""}, "move"),
        ({"game": "farkle", "move": "1" * 5000}, "move"),
        ({"game": "farkle", "move": "roll", "dice": [1]}, "request-field"),
        ({"game": "farkle", "dice": [1]}, "dice-count"),
        ({"game": "farkle", "dice": [1, 2, 3, 4, 5, 7]}, "die"),
        ({"game": "farkle", "dice": [1, 2, 3, 4, 5, [6]]}, "die"),
        ({"game": "farkle", "dice": [1, 2, 3, 4, 5, 6.0]}, "die"),
        ({"game": "farkle", "seed": ""}, "seed-empty"),
        ({"game": "farkle", "seed": "x" * 5000}, "seed-length"),
        ({"game": "farkle", "seed": 1, "used": -1}, "used"),
        ({"game": "farkle", "seed": 1, "used": 10**12}, "used"),
        ({"game": "farkle", "you": 3}, "seat"),
        ({"game": "knucklebones", "state": "333/333/333 -/-/- 1 -", "move": "1"}, "game-over"),
    ],
)
def test_bad_requests_get_a_code_and_a_sentence(request_: dict[str, Any], code: str) -> None:
    answer = ask(**request_)
    assert answer["ok"] is False
    assert answer["error"]["code"] == code
    assert 5 < len(answer["error"]["message"]) < 400


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        "[" * 1000 + "]" * 1000,
        '{"game":' * 1000 + "1" + "}" * 1000,
        '{"game": "farkle", "options": ' + "[" * 1000 + "]" * 1000 + "}",
        '{"game": "farkle", "seats": ' + "9" * 5000 + "}",
        '{"game": "farkle", "seats": 1e999}',
        '{"game": "farkle", "seats": NaN}',
        '{"game": "\\ud800"}',
        "x" * (LONGEST + 1),
        "\0",
    ],
)
def test_texts_that_are_no_request_are_answered_too(text: str) -> None:
    answer = json.loads(step(text))
    assert (answer["ok"], bool(answer["error"]["code"])) == (False, True)


@pytest.mark.parametrize("value", [None, 5, b"{}", [], object()])
def test_other_types_are_answered_too(value: Any) -> None:
    assert json.loads(step(value))["error"]["code"] == "request"


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=10,
)
FIELDS = ("game", "options", "seats", "state", "move", "dice", "seed", "used", "you")


@settings(max_examples=times(200, 20_000), deadline=None)
@given(
    request=st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=8), plain, max_size=6),
    game=st.sampled_from((*GAMES, None)),
)
def test_whatever_is_asked_is_answered(request: dict[str, Any], game: str | None) -> None:
    if game is not None:
        request["game"] = game
    answer = json.loads(step(json.dumps(request)))
    assert answer["ok"] is True or answer["error"]["code"]
