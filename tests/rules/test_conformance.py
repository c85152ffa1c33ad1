"""What every game of the catalog owes its callers, whatever the options: one suite, no game named in it."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicehall.dice import ScriptedDice
from dicehall.errors import DicehallError, IllegalMove, InvalidText
from dicehall.play.protocol import Unit
from dicehall.play.record import MOST_DICE, from_json, is_roll
from dicehall.play.record_line import from_line, to_line
from dicehall.play.replay import check, replay
from dicehall.play.table import Table
from dicehall.play.view import view
from dicehall.rules.catalog import GAMES, AnyGame
from dicehall.rules.game import DICE, NOBODY
from dicehall.rules.two_seats import UNDRAWN
from tests.soak import times
from tests.walks import random_options, random_seats, random_walk

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
many = settings(max_examples=times(60, 1500), deadline=None)
seeds = st.integers(min_value=0, max_value=2**32)
MOVE = re.compile("[A-Za-z0-9+._:=~]+")  # what a move's text may hold: records and links need the rest for themselves
CODE = re.compile("[a-z0-9-]+")  # a game's id, and why it ended


def a_start(game: AnyGame, random: Random) -> Any:
    options = random_options(game, random)
    return game.begin(options, random_seats(game, options, random))


@every_game
@many
@given(seed=seeds)
def test_walks_end_and_states_and_moves_read_back(game: AnyGame, seed: int) -> None:
    random = Random(seed)
    start = state = a_start(game, random)
    options = start.options
    assert CODE.fullmatch(game.id)
    assert game.rules.aim(options, game.rules.seats_of(start)).unit in get_args(Unit)
    for kind, what, state in random_walk(game, random, start):
        text = game.rules.state_text(state)
        assert game.rules.read_state(options, text) == state
        assert hash(game.rules.read_state(options, text)) == hash(state)
        if kind == "move":
            assert game.rules.read_move(game.rules.move_text(what)) == what
            assert can_be_kept(game.rules.move_text(what))
        else:
            assert 1 <= len(what) <= MOST_DICE
    result = game.rules.result(state)
    assert game.rules.legal(state) == ()
    assert len(result.scores) in game.seats
    assert set(result.winners) <= set(range(len(result.scores)))
    assert all(type(number) is int for number in (*result.scores, *result.winners))
    assert CODE.fullmatch(result.why)
    if result.why.endswith("-missed"):
        assert (len(result.scores), result.winners) == (1, ()), "it says that a game played alone was lost"


@every_game
@many
@given(seed=seeds)
def test_options_that_are_not_in_force_decide_nothing(game: AnyGame, seed: int) -> None:
    random = Random(seed)
    start = a_start(game, random)
    options, seats = start.options, game.rules.seats_of(start)
    named = options.in_force(seats)
    assert named.idle(seats) >= options.idle(seats)
    assert named.in_force(seats) == named
    assert game.rules.aim(named, seats) == game.rules.aim(options, seats)
    same = game.begin(named, seats)
    for kind, what, state in random_walk(game, random, start):
        same = game.roll(same, what) if kind == "roll" else game.apply(same, what)
        assert (game.rules.actor(same), game.rules.legal(same)) == (game.rules.actor(state), game.rules.legal(state))
        assert game.rules.state_text(same) == game.rules.state_text(state)
    assert game.rules.result(same) == game.rules.result(state)


def can_be_kept(move: str) -> bool:
    """Whether a record can hold a move's text, and nobody takes it for a roll."""
    return MOVE.fullmatch(move) is not None and not is_roll(move)


@pytest.mark.parametrize("move", ["", "d6", "d61", "two words", "a-b", "a;b", "a/b", "a,b", "50%", "würfeln"])
def test_moves_that_no_record_can_hold(move: str) -> None:
    assert not can_be_kept(move)
    assert can_be_kept(f"draw{len(move)}")


@pytest.mark.parametrize("game", [game for game in GAMES.values() if max(game.seats) > 1], ids=lambda game: game.id)
@many
@given(seed=seeds)
def test_a_state_of_several_seats_says_whose_turn_it_is(game: AnyGame, seed: int) -> None:
    random = Random(seed)
    start = a_start(game, random)
    for state in (start, *(state for _, _, state in random_walk(game, random, start))):
        assert type(state.seat) is int
        assert UNDRAWN <= state.seat < game.rules.seats_of(state)
        if game.rules.actor(state) >= 0:
            assert state.seat == game.rules.actor(state)


@every_game
@many
@given(seed=seeds)
def test_every_legal_move_applies_and_nothing_else_does(game: AnyGame, seed: int) -> None:
    random = Random(seed)
    start = a_start(game, random)
    elsewhere = set()  # moves seen anywhere in this run: all of them notation, most of them not allowed here
    for kind, what, _ in random_walk(game, Random(seed + 1), start):
        if kind == "move":
            elsewhere.add(what)
    for _, _, state in random_walk(game, random, start):
        legal, text = game.rules.legal(state), game.rules.state_text(state)
        assert len(set(legal)) == len(legal)
        elsewhere.update(legal)
        for move in legal:
            assert game.apply(state, move) == game.rules.after(state, move)
        for move in elsewhere - set(legal):
            with pytest.raises(IllegalMove) as refusal:
                game.apply(state, move)
            assert refusal.value.code
        assert game.rules.state_text(state) == text
        wrong = (1,) * (game.rules.dice_to_roll(state) + 1 if game.rules.actor(state) == DICE else 1)
        with pytest.raises(IllegalMove):
            game.roll(state, wrong)
        if game.rules.actor(state) == NOBODY:
            assert not legal


@every_game
@many
@given(seed=seeds)
def test_records_survive_every_form_and_replay_to_the_same_state(game: AnyGame, seed: int) -> None:
    random = Random(seed)
    options = random_options(game, random)
    table = Table(game, options=options, seats=random_seats(game, options, random), seed=seed)
    while not table.is_over and len(table.steps) < random.choice((5, 10_000)):
        table.play(random.choice(table.legal()))
    record = table.record()
    assert from_json(json.loads(str(record))) == record
    assert from_line(to_line(record)) == record
    assert set(to_line(record)) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~/=,:;%")
    assert replay(record) == table.state
    assert check(str(record)).ok
    assert check(to_line(record)).ok


@every_game
@many
@given(seed=seeds)
def test_the_same_seed_gives_the_same_run(game: AnyGame, seed: int) -> None:
    def run() -> tuple[str, ...]:
        random = Random(seed)
        options = random_options(game, random)
        table = Table(game, options=options, seats=random_seats(game, options, random), seed=seed)
        while not table.is_over:
            table.play(random.choice(table.legal()))
        return table.steps

    assert run() == run()


@every_game
@many
@given(seed=seeds)
def test_views_are_plain_data_and_list_the_legal_moves(game: AnyGame, seed: int) -> None:
    random = Random(seed)
    start = a_start(game, random)
    for _, _, state in random_walk(game, random, start):
        shown = view(game, state)
        assert json.loads(json.dumps(shown)) == shown
        assert [move["move"] for move in shown["moves"]] == [
            game.rules.move_text(move) for move in game.rules.legal(state)
        ]
        assert (shown["result"] is not None) == (game.rules.actor(state) == NOBODY)


@every_game
@settings(max_examples=times(300, 5000), deadline=None)
@given(text=st.text(max_size=60) | st.text(alphabet="0123456789abc./[]:- +*xomdrselctd", max_size=60))
def test_what_is_not_notation_is_refused(game: AnyGame, text: str) -> None:
    options = game.options()
    for read, write in (
        (game.rules.read_move, game.rules.move_text),
        (lambda text: game.rules.read_state(options, text), game.rules.state_text),
    ):
        try:
            value = read(text)
        except InvalidText:
            continue
        assert read(write(value)) == value
        assert sorted(write(value)) == sorted(text), "tiles and groups have any order, and nothing else is forgiven"


@every_game
@many
@given(seed=seeds)
def test_a_move_has_no_other_spelling_that_means_it_too(game: AnyGame, seed: int) -> None:
    random = Random(seed)
    moves = {
        game.rules.move_text(what)
        for kind, what, _ in random_walk(game, random, a_start(game, random))
        if kind == "move"
    }
    for text in sorted(moves):
        for other in (f" {text}", f"{text} ", f"0{text}", f"+{text}", f"{text}+", text.upper(), f"{text}\n"):
            if other != text:
                with pytest.raises(InvalidText):
                    game.rules.read_move(other)
    if wide := [text for text in moves if text.isdecimal()]:
        with pytest.raises(InvalidText):
            game.rules.read_move("".join(chr(ord(digit) - ord("0") + ord("０")) for digit in wide[0]))


@every_game
@many
@given(seed=seeds, data=st.data())
def test_a_damaged_state_is_refused_or_playable(game: AnyGame, seed: int, data: st.DataObject) -> None:
    """Whatever `read_state` accepts can be played to its end: no later function meets a state it cannot handle."""
    random = Random(seed)
    start = a_start(game, random)
    states = [start, *(state for _, _, state in random_walk(game, random, start))]
    text = game.rules.state_text(random.choice(states))
    spot = data.draw(st.integers(0, len(text) - 1))
    patch = data.draw(st.sampled_from(("", *"0123456789.-/:[]* rxomdabA", "selected", "end", "out")))
    damaged = text[:spot] + patch + text[spot + 1 :]
    try:
        start = state = game.rules.read_state(start.options, damaged)
    except InvalidText:
        return
    assert game.rules.state_text(start) == damaged
    view(game, start)
    for number, (_, _, state) in enumerate(random_walk(game, random, start)):
        if number % 7 == 0:
            view(game, state)
    game.rules.result(state)


def _equal_values(value: bool | int | str) -> list[Any]:
    """What Python takes for the same, though it is of another type."""
    if isinstance(value, bool):
        return [int(value), float(value)]
    return [float(value), *([bool(value)] if value in (0, 1) else [])] if isinstance(value, int) else []


@every_game
def test_options_are_checked(game: AnyGame) -> None:
    bad: Any
    wrong: Any
    for bad in ({"nonsense": 1}, {"preset": "nonsense"}, {"preset": 3}, [], "text", 7, {1: 2}):
        with pytest.raises(DicehallError):
            game.make_options(bad)
    for name, value in game.options().as_dict().items():
        for wrong in (None, [], {}, 1.5, -(10**30), 10**30, "", "nonsense", "\0"):
            with pytest.raises(DicehallError):
                game.make_options({name: wrong})
        for other in _equal_values(value):
            with pytest.raises(DicehallError):
                game.make_options({name: other})
        assert game.read_option(name, str(value).lower() if isinstance(value, bool) else str(value)) == value
    for seats in (0, -1, 7, 10**30, "two", 1.0, True):
        with pytest.raises(DicehallError):
            game.begin({}, seats)  # type: ignore[arg-type]


@every_game
def test_foreign_values_are_refused(game: AnyGame) -> None:
    state = due = game.begin()
    if game.rules.actor(state) == DICE:
        state = game.roll(state, (1,) * game.rules.dice_to_roll(state))
    else:
        due = game.apply(state, game.rules.legal(state)[0])
    assert (game.rules.actor(state) >= 0, game.rules.actor(due)) == (True, DICE)
    for move in (None, 99, -7, 1.5, [], {}, "nonsense", ("nonsense",), (1, "a"), object()):
        with pytest.raises(DicehallError):
            game.apply(state, move)
    dice: Any
    for dice in ((0,), (7,), ("1",), (None,), (True,), ()):
        with pytest.raises(DicehallError):
            game.roll(due, (dice * 6)[: game.rules.dice_to_roll(due)] if dice else dice)
    for stranger in (None, "state", (), 5):
        with pytest.raises(DicehallError):
            game.apply(stranger, 1)
        with pytest.raises(DicehallError):
            game.roll(stranger, (1,))
        with pytest.raises(DicehallError):
            view(game, stranger)


@every_game
def test_presets_are_options(game: AnyGame) -> None:
    for name, values in game.presets.items():
        assert game.make_options({"preset": name}) == game.make_options(values)


@every_game
def test_repr_rebuilds_options_and_scripts(game: AnyGame) -> None:
    options = game.options()
    assert eval(repr(options), {"Options": game.options}) == options
    assert repr(ScriptedDice((1, 2))) == "ScriptedDice((1, 2))"
    assert game.id in repr(game)
