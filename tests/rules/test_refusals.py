"""What is refused, and with which code: moves that are not allowed here, states that no game comes to."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from typing import Any

import pytest

from dicehall.errors import IllegalMove, InvalidOption, InvalidRecord, InvalidText, excerpt
from dicehall.rules.catalog import EARLIER_RULES, GAMES, find_game

MOVES = [
    ("lite-solo", {}, "5../.../... 3 -", "a1", "cell-filled"),
    ("lite-solo", {}, "5../.../... 3 -", "reroll", "no-reroll"),
    ("lite-solo", {}, "5../.../... - -", "a2", "dice-first"),
    ("lite-solo", {}, "555/555/555 - -", "a2", "game-over"),
    ("lite-versus", {}, "5../.../... .../.../... 1 3 --", "reroll", "no-reroll"),
    ("lite-versus", {"first": "drawn"}, ".../.../... .../.../... - - --", "a1", "dice-first"),
    ("farkle", {}, "0 0 1 0 152226 selection -", "roll", "keep-first"),
    ("farkle", {}, "0 0 1 0 152226 selection -", "bank", "keep-first"),
    ("farkle", {}, "0 0 1 0 152226 selection -", "1+1", "not-a-keep"),
    ("farkle", {}, "0 0 1 0 152226 selection -", "666", "not-a-keep"),
    ("farkle", {}, "0 0 1 100 [1]52226 selected -", "5", "already-kept"),
    ("farkle", {"hot_dice": False}, "0 0 1 1500 [111555] selected -", "roll", "no-dice-left"),
    ("farkle", {"bank_minimum": 300}, "0 0 1 100 [1]52226 selected -", "bank", "below-minimum"),
    ("farkle", {"board_minimum": 300}, "0 0 1 100 [1]52226 selected -", "bank", "below-minimum"),
    ("farkle", {"bank_minimum": 300, "board_minimum": 50}, "0 0 1 100 [1]52226 selected -", "bank", "below-minimum"),
    ("farkle", {"bank_minimum": 300}, "500 0 2 100 [1]52226 selected -", "bank", "below-minimum"),
    ("farkle", {}, "0 0 1 100 [1]..... rolled -", "bank", "dice-first"),
    ("shut-the-box", {}, "123456789 53 0 1 0 - -", "7", "wrong-sum"),
    ("shut-the-box", {}, "1234567.9 53 0 1 0 - -", "8", "tile-not-there"),
    ("shut-the-box", {"difficulty": "hard"}, "123456789 53 0 1 0 - -", "5+2+1", "tile-count"),
    ("shut-the-box", {}, "123456789 53 0 1 0 - -", "one", "already-rolled"),
    ("shut-the-box", {}, "123456... - 0 1 0 - -", "6", "dice-first"),
    ("knucklebones", {}, "333/2/1 55/4/626 0 4", "1", "column-full"),
]

# One state a line, below the game and the options under which it is refused.
STATES = """
lite-solo {}
...
.../.../... - - -
55/.../... - -
557/.../... - -
.../.../... 7 -
.../.../... 12 -
.../.../... 1 r
.../.../... 1 x
555/555/555 5 -
555/555/55/ 5 -
lite-versus {}
.../.../... .../.../... 2 - --
.../.../... .../.../... 0 - r
.../.../... .../.../... 0 - rr
.../.../... .../.../... - - --
.../.../... .../.../... 1 - --
55./.../... .../.../... 1 - --
555/555/555 555/555/555 0 5 --
farkle {"max_turns": 3}
0 0 4 0 ...... banked -
0 0 0 0 ...... idle -
0 0 2 0 ...... end -
0:0:0:0:0:0:0 0 1 0 ...... idle -
farkle {}
0 0 1 0 152226 nonsense -
0 1 1 0 ...... idle -
0 0 1 0 15222 selection -
0 0 1 0 [.]52226 selected -
10000 0 1 0 ...... banked -
0 0 1 0 ...... end -
0 0 1 0 ...... idle 0
0 0 1 0 152226 idle -
0 0 1 0 1.2226 selection -
0 0 1 0 234623 selection -
0 0 1 0 [1]52226 selected -
0 0 1 100 152226 selected -
0 0 1 100 [111111] selected -
0 0 1 100 [1]5.... rolled -
0 0 1 0 [1]..... rolled -
00 0 1 0 ...... idle -
-1 0 1 0 ...... idle -
9999999999 0 1 0 ...... idle -
0 0 1 0 ...... idle 7
0 9 1 0 ...... idle -
0 0 1 0 [[]]...... idle -
0 0 1 50 ...... banked -
0 0 1 50 [.]52226 selected -
0 0 1 50 [0]52226 selected -
25 0 2 0 ...... banked -
0 0 1 120 [1]52226 selected -
farkle {"target": 600, "last_turn": true}
0:700 1 4 0 ...... banked 0
700:650 1 4 0 ...... banked 0
0:700:650 2 4 0 ...... end 1
farkle {"target": 600}
700:650 0 4 0 ...... end 0
shut-the-box {}
12345678 - 0 1 0 - -
123456789 - 1 1 0 - -
123456789 - 0 0 0 - -
123456789 - 0 6 0 - -
987654321 - 0 1 0 - -
123456789 - 0 1 0 o -
123456789 - 0 1 0 m -
123456789 - 0 1 0 d -
123456789 - 0 1 0x - -
......... - 0 1 0 - -
123456789 * 0 1 0 - -
123456789 *** 0 1 0 - -
123456789 5 0 1 0 - -
1........ 65 0 1 0 - -
123456789 653 0 1 0 - -
......... - 0 1 0 - shut
123456789 - 0 1 0 - opened
123456789 65 0 1 0 - rounds
123456789 - 0 1 0:0:0:0:0:0:0 - -
123456789 - 0 1 0 z -
123456789 5* 0 1 0 - -
123456789 - 0 1 5 - -
123456789 - 0 2 46 - -
123456789 - 0 1 3:0 - -
shut-the-box {"variant": "tournament45out"}
123456789 - 0 1 44x:0 - -
123456789 - 0 2 45x:0 - -
123456789 - 0 2 45 - -
shut-the-box {"mode": "long"}
123456789 - 0 1 0:0:0 - -
......... - 0 2 0 o opened
1........ - 0 1 0 - shut
123456789 - 0 1 0 - nonsense
123456789 - 0 1 0 dm -
knucklebones {}
-/-/- -/-/- 2 -
-/-/- -/-/- - -
3/-/- 3/-/- 0 -
3333/-/- -/-/- 0 -
/-/- -/-/- 0 -
7/-/- -/-/- 0 -
111/111/111 -/-/- 0 -
111/111/111 -/-/- 1 5
-/- -/-/- 0 -
"""


def refused_states() -> Iterator[tuple[str, dict[str, Any], str]]:
    game_id, options = "", {}
    for line in STATES.strip().splitlines():
        word, _, rest = line.partition(" ")
        if word in GAMES:
            game_id, options = word, json.loads(rest)
            yield game_id, options, ""
        else:
            yield game_id, options, line


@pytest.mark.parametrize(("game_id", "options", "state", "move", "code"), MOVES)
def test_a_move_that_is_not_allowed_says_why(game_id: str, options: Any, state: str, move: str, code: str) -> None:
    game = GAMES[game_id]
    position = game.rules.read_state(game.make_options(options), state)
    with pytest.raises(IllegalMove) as refusal:
        game.apply(position, game.rules.read_move(move))
    assert refusal.value.code == code
    assert str(refusal.value).startswith(f"{move}: ")


@pytest.mark.parametrize(("game_id", "options", "text"), list(refused_states()))
def test_a_state_no_game_comes_to_is_refused(game_id: str, options: Any, text: str) -> None:
    game = GAMES[game_id]
    with pytest.raises(InvalidText):
        game.rules.read_state(game.make_options(options), text)


@pytest.mark.parametrize(
    ("game_id", "options", "text", "part"),
    [
        ("lite-versus", {}, ".../.../... .../.../... 1 - --", "seat"),
        ("lite-versus", {"first": "drawn", "reroll": True}, ".../.../... .../.../... - - r-", "tokens"),
        ("lite-versus", {}, "555/555/555 555/555/555 0 5 --", "die"),
        ("knucklebones", {}, "33/2/1 35/4/6 0 4", "columns"),
        ("knucklebones", {}, "-/-/- -/-/- - -", "seat"),
        ("knucklebones", {}, "-/-/- 111/222/333 0 4", "die"),
        ("farkle", {}, "0 1 1 0 ...... idle -", "seat"),
        ("farkle", {"max_turns": 3}, "0 0 4 0 ...... idle -", "round"),
        ("farkle", {}, "30 0 2 0 ...... banked -", "banked"),
        ("farkle", {"target": 500}, "500 0 2 0 ...... banked -", "closer"),
        ("farkle", {}, "0 0 1 100 ...... idle -", "turn_total"),
        ("farkle", {}, "0 0 1 0 234466 selection -", "dice"),
        ("farkle", {}, "0 0 1 0 ...... end -", "phase"),
        ("farkle", {"max_turns": 3}, "0:0 0 3 0 ...... end -", "phase"),
        ("farkle", {}, "0 0 1 0 1522[6 selection -", "dice"),
        ("shut-the-box", {}, "123456789 - 1 1 0 - -", "seat"),
        ("shut-the-box", {"rounds": 1}, "123456789 - 0 2 0 - -", "round"),
        ("shut-the-box", {}, "123456789 - 0 1 0 m -", "flags"),
        ("shut-the-box", {}, "123456789 - 0 1 7 - -", "totals"),
        ("shut-the-box", {}, "123456789 - 0 1 0 - shut", "ending"),
        ("shut-the-box", {}, "......... - 0 1 0 - -", "tiles"),
        ("shut-the-box", {}, "12....... 65 0 1 0 - -", "dice"),
        ("shut-the-box", {}, "12.....8. 7 0 1 0 - -", "dice"),
    ],
)
def test_an_impossible_state_says_which_part_is_impossible(game_id: str, options: Any, text: str, part: str) -> None:
    game = find_game(game_id)
    with pytest.raises(InvalidText, match=f"^impossible {part}: "):
        game.rules.read_state(game.make_options(options), text)


def test_a_state_is_a_text() -> None:
    for game in GAMES.values():
        stranger: Any
        for stranger in (None, 5, b"", []):
            with pytest.raises(InvalidText):
                game.rules.read_state(game.options(), stranger)
            with pytest.raises(InvalidText):
                game.rules.read_move(stranger)


def test_tournaments_have_one_mode() -> None:
    for clash in ({"mode": "long"}, {"mode": "threshold"}, {"per_round_scoring": False}, {"scoring": "digital"}):
        with pytest.raises(InvalidOption) as refusal:
            GAMES["shut-the-box"].make_options({"variant": "tournament45out", **clash})
        assert refusal.value.code == "options-clash"


def test_scores_count_what_the_game_aims_at() -> None:
    box, farkle = GAMES["shut-the-box"], GAMES["farkle"]
    aims = {
        ("points", True): box.rules.aim(box.make_options({}), 1),
        ("rounds", False): box.rules.aim(box.make_options({"preset": "tournament"}), 1),
        ("turns", True): box.rules.aim(box.make_options({"preset": "long"}), 1),
        ("points", False): farkle.rules.aim(farkle.make_options({"preset": "arcade"}), 1),
    }
    assert all(aim == expected for expected, aim in aims.items())
    assert box.rules.aim(box.make_options({"preset": "tournament"}), 2) == ("points", True)
    assert farkle.rules.aim(farkle.make_options({}), 1) == ("turns", True)
    assert farkle.rules.aim(farkle.make_options({}), 2) == ("points", False)


def test_rules_of_another_version_are_found_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for bad in (0, 2, "1", True, 1.0):
        with pytest.raises(InvalidOption, match="rules version"):
            find_game("farkle", bad)  # type: ignore[arg-type]
    monkeypatch.setitem(EARLIER_RULES, ("farkle", 0), GAMES["farkle"])
    assert find_game("farkle", 0) is GAMES["farkle"]


def test_errors_survive_a_process_boundary() -> None:
    for error in (InvalidText("code", "words"), InvalidRecord("code", "words", 7)):
        copy = pickle.loads(pickle.dumps(error))
        assert (type(copy), copy.code, str(copy), vars(copy)) == (type(error), error.code, str(error), vars(error))


def test_quotations_of_input_are_short() -> None:
    for value in ("x" * 10**6, 10**5000, -(10**5000), [1] * 10**6, {"a": 1}, None, True, 1.5, 7, "short"):
        assert len(excerpt(value)) < 60
