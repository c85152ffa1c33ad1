"""Opponents: named, deterministic, and as strong as their words say."""

from __future__ import annotations

from typing import Any

import pytest

from dicehall.bots.lite import ai_choose_cell
from dicehall.bots.player import first_advice, play_on, player, player_names, plays_by_advice
from dicehall.bots.seats import usual_seats
from dicehall.errors import InvalidOption
from dicehall.games import HALL_GAMES
from dicehall.lab.simulate import play_game, simulate
from dicehall.play.table import Table
from dicehall.rules import lite_grid
from dicehall.rules.catalog import GAMES, AnyGame
from dicehall.rules.lite_grid import read_board
from tests.soak import times


def names(game_id: str) -> list[str]:
    return [name.replace(":N", ":300") for name in player_names(GAMES[game_id])]


@pytest.mark.parametrize(("game_id", "name"), [(game_id, name) for game_id in GAMES for name in names(game_id)])
def test_every_player_plays_every_variant_of_its_game_and_repeats_itself(game_id: str, name: str) -> None:
    game = GAMES[game_id]
    variants: list[dict[str, Any]] = [{}, *[{"preset": preset} for preset in game.presets]]
    more: dict[str, list[dict[str, Any]]] = {
        "lite-solo": [{"columns": True, "reroll": True, "wild": "natural"}],
        "lite-versus": [{"columns": True, "reroll": True, "wild": "contains", "first": "drawn"}],
        "farkle": [{"hot_dice": False, "board_minimum": 500, "bank_minimum": 200}],
        "shut-the-box": [{"variant": "alwaysSumDuo"}, {"one_die": "forced"}],
        "knucklebones": [{"first": "drawn"}],
    }
    for options in variants + more[game_id]:
        chosen = game.make_options(options)
        seats = [name] * chosen.seats(game.seats)[0]
        first, again = (play_game(game, seats, "same", chosen) for _ in range(2))
        assert first.is_over
        assert first.steps == again.steps
    assert play_game(game, [name] * game.seats[0], "other").steps != first.steps


@pytest.mark.parametrize(
    "bad",
    [
        "level",
        "level:0",
        "level:6",
        "level:one",
        "perfect:1",
        "nobody",
        "",
        "bank",
        "bank:",
        "bank:0",
        "bank:x",
        "bank:" + "9" * 50,
        "random:3",
        "STANDARD",
    ],
)
def test_unknown_players_are_refused_with_the_list(bad: str) -> None:
    with pytest.raises(InvalidOption, match="players: random, bank:N"):
        player(bad, GAMES["farkle"], 1)
    with pytest.raises(InvalidOption):
        player(None, GAMES["farkle"], 1)  # type: ignore[arg-type]


def test_every_kind_says_what_it_does() -> None:
    for game_id, own in HALL_GAMES.items():
        assert all(kind.meaning and game_id in kind.games for kind in own.bots().KINDS)


def test_players_move_for_their_own_seats_alone() -> None:
    table = Table("knucklebones", seed=4)
    play_on(table, {1: player("spec", table.game, 4, 1)})
    assert table.actor == 0
    table.play("1")
    play_on(table, {1: player("spec", table.game, 4, 1)})
    assert table.actor == 0
    assert sum(not step.startswith("d") for step in table.steps) == 2


def test_the_standard_player_never_opens_a_second_row_while_the_first_has_room() -> None:
    """The spec's rules read to the letter; which is why the hall offers stronger opponents."""
    board = lite_grid.EMPTY
    for die in (3, 5, 1, 6, 2, 4, 1, 5, 3):
        board = lite_grid.place(board, ai_choose_cell(board, die), die)
        touched = [[board[cell] for cell in row] for row in lite_grid.ROWS]
        assert sum(0 < row.count(0) < 3 for row in touched) <= 1
    assert ai_choose_cell(read_board("66./66./..."), 6, "contains") == lite_grid.read_move("c1")


def test_lookahead_beats_standard_and_standard_equals_random() -> None:
    games = times(400, 10_000)
    standard = simulate("lite-versus", ("standard", "random"), games, "strength")["per_seat"]
    difference = standard[0]["mean_score"] - standard[1]["mean_score"]
    assert abs(difference) < 4 * (standard[0]["se"] ** 2 + standard[1]["se"] ** 2) ** 0.5
    strong = simulate("lite-versus", ("standard", "lookahead"), games, "strength")["per_seat"]
    assert strong[1]["wins"] > 2 * strong[0]["wins"]


def test_lookahead_spends_its_reroll_on_a_die_that_helps_nothing() -> None:
    game = GAMES["lite-solo"]
    options = game.make_options({"reroll": True})
    think = player("lookahead", game, 1)
    assert game.rules.move_text(think(game.rules.read_state(options, "66./55./44. 1 r"))) == "reroll"
    assert game.rules.move_text(think(game.rules.read_state(options, "66./55./44. 6 r"))) == "c1"
    assert game.rules.move_text(think(game.rules.read_state(options, "66./55./44. 1 -"))) != "reroll"
    even = game.rules.read_state(options, "366/16./.36 1 r")  # the one is worth what the average die is
    assert game.rules.move_text(think(even)) != "reroll", "it is kept for a die that is worse"
    versus = GAMES["lite-versus"]
    options, think = versus.make_options({"reroll": True}), player("lookahead", versus, 1)
    for tokens, spends in (("-r", True), ("r-", False)):
        state = versus.rules.read_state(options, f"663/55./44. 66./55./44. 1 1 {tokens}")
        assert (versus.rules.move_text(think(state)) == "reroll") is spends, "its own, not the other seat's"


def test_the_bank_player_banks_at_its_number_or_at_the_target() -> None:
    game = GAMES["farkle"]
    think = player("bank:300", game, 1)
    options = game.make_options({"target": 1000})
    assert think(game.rules.read_state(options, "0 0 1 0 152226 selection -")) == ("222", "1", "5")
    assert think(game.rules.read_state(options, "0 0 1 250 [1]5[222]6 selected -")) == "roll"
    assert think(game.rules.read_state(options, "0 0 1 300 [1]5[222]6 selected -")) == "bank"
    assert think(game.rules.read_state(options, "900 0 1 100 [1]52226 selected -")) == "bank"
    assert think(game.rules.read_state(options, "850 0 1 100 [1]52226 selected -")) == "roll"
    arcade = game.make_options({"target": 1000, "max_turns": 3})
    assert think(game.rules.read_state(arcade, "900 0 2 100 [1]52226 selected -")) == "roll", "no target ends it"
    assert think(game.rules.read_state(arcade, "900 0 2 300 [1]5[222]6 selected -")) == "bank"

    race = game.make_options({"target": 1000})
    assert think(game.rules.read_state(race, "0:900 1 1 100 [1]52226 selected -")) == "bank", "by its own points"
    assert think(game.rules.read_state(race, "900:0 1 1 100 [1]52226 selected -")) == "roll"


def test_the_knucklebones_players_stack_and_break() -> None:
    game = GAMES["knucklebones"]
    spec, greedy = (player(name, game, 1) for name in ("spec", "greedy"))

    def at(text: str) -> Any:
        return game.rules.read_state(game.make_options({}), text)

    assert (spec(at("-/-/4 -/-/- 0 4")), greedy(at("-/-/4 -/-/- 0 4"))) == (2, 2), "both stack"
    assert (spec(at("-/-/- -/55/- 0 5")), greedy(at("-/-/- -/55/- 0 5"))) == (1, 1), "both break"
    both = at("1/-/- -/-/1 0 1")  # stacking is worth 10, breaking a one 5; to the lead 3 and 2
    assert (spec(both), greedy(both)) == (0, 0)
    assert greedy(at("1/-/- -/-/2 0 2")) == 2, "a two gains 2 anywhere, and breaks one there"
    assert greedy(at("-/-/2 1/-/- 1 2")) == 2, "the other seat, too"


def test_lots_are_drawn_for_each_seat_and_position() -> None:
    game = GAMES["lite-versus"]
    first, second = (player("random", game, "lots", seat) for seat in (0, 1))
    state = game.roll(game.begin(), (1,))
    positions = [state]
    for cell in range(4):
        state = game.apply(state, cell)
        state = game.roll(game.apply(game.roll(state, (2,)), cell), (1,))
        positions.append(state)
    others = [game.roll(game.begin(), (die,)) for die in range(1, 7)]
    assert [first(one) for one in positions + others] != [second(one) for one in positions + others]
    assert len({first(one) for one in others}) > 1, "the same moves are there, and another position"


def test_the_highest_player_takes_one_die_and_the_highest_tile() -> None:
    game = GAMES["shut-the-box"]
    think, options = player("highest", game, 1), game.make_options({})
    assert think(game.rules.read_state(options, "123456... - 0 1 0 - -")) == "one"
    assert think(game.rules.read_state(options, "123456789 66 0 1 0 - -")) == (9, 3)


@pytest.mark.parametrize("game", GAMES.values(), ids=str)
def test_a_first_question_about_a_variant(game: AnyGame) -> None:
    """Asked before anybody plays, so that nobody waits for it: whoever plays by advice has it then."""
    seats = len(usual_seats(game))
    first_advice(game, game.make_options({}), seats)
    asks = [name for name in player_names(game) if plays_by_advice(name)]
    assert {name.partition(":")[0] for name in asks} <= {"level", "perfect"}
    assert "level:1" in asks
