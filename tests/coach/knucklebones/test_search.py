"""The search of classic Knucklebones, against one that walks the rules themselves, die by die and move by move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from dicehall.coach.advise import advise
from dicehall.coach.knucklebones import search
from dicehall.coach.knucklebones.search import WEAR
from dicehall.errors import InvalidOption
from dicehall.rules.catalog import KNUCKLEBONES as GAME
from dicehall.rules.game import DICE, NOBODY
from dicehall.rules.knucklebones import Grid, Options, State, score_column, score_grid
from tests.coach.asked import knucklebones as asked
from tests.soak import times


def stands(mine: Grid, theirs: Grid) -> Fraction:
    """Points on the table, less one part in WEAR for each free slot opposite."""
    return sum(
        (Fraction(score_column(a) * (WEAR - (3 - len(b))), WEAR) for a, b in zip(mine, theirs, strict=True)), Fraction()
    )


def twin(state: State, dice: int, seat: int) -> Fraction:
    """The lead of `seat` when so many more dice have been rolled and placed, by the rules alone."""
    mine, theirs = state.grids[seat], state.grids[1 - seat]
    if GAME.rules.actor(state) == NOBODY:
        return Fraction(score_grid(mine) - score_grid(theirs))
    if GAME.rules.actor(state) == DICE:
        if not dice:
            return stands(mine, theirs) - stands(theirs, mine)
        return sum((twin(GAME.roll(state, (die,)), dice - 1, seat) for die in range(1, 7)), Fraction()) / 6
    best = max if state.seat == seat else min
    return best(twin(GAME.apply(state, move), dice, seat) for move in GAME.rules.legal(state))


def positions(seed: str, games: int) -> Iterator[State]:
    """Positions in which somebody is to choose, of games played by chance."""
    random = Random(seed)
    for _ in range(games):
        state: Any = GAME.begin({"first": "drawn"})
        while GAME.rules.actor(state) != NOBODY:
            if GAME.rules.actor(state) == DICE:
                state = GAME.roll(state, (random.randint(1, 6),))
            else:
                yield state
                state = GAME.apply(state, random.choice(GAME.rules.legal(state)))


@pytest.fixture
def horizon(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(search, "HORIZON", request.param)
    return int(request.param)


@pytest.mark.parametrize(("horizon", "every"), [(1, 2), (2, times(9, 3)), (3, times(80, 20))], indirect=["horizon"])
def test_the_search_equals_its_twin(horizon: int, every: int) -> None:
    value = asked.values(Options(), 2, "lead")
    step = asked.step_values(Options(), 2, "lead")
    for state in list(positions("twin", 6))[::every]:
        assert value(state) == twin(state, horizon, state.seat)
        for move in GAME.rules.legal(state):
            now = GAME.rules.after(state, move)
            assert step(state, now) == twin(now, horizon, state.seat)


@pytest.mark.parametrize("horizon", [2], indirect=True)
def test_the_last_dice_of_a_game_equal_their_twin(horizon: int) -> None:
    """A full grid ends the game at once, and then only its points count."""
    value = asked.values(Options(), 2, "lead")
    late = [state for state in positions("late", 40) if sum(map(len, state.grids[state.seat])) >= 7][::3]
    assert len(late) > 20
    for state in late:
        assert value(state) == twin(state, horizon, state.seat)


def test_either_side_has_the_same_chances() -> None:
    options = Options("drawn")
    assert asked.values(options, 2, "lead")(GAME.begin(options)) == 0
    state = GAME.rules.read_state(options, "55/-/2 -/33/6 0 3")
    other = GAME.rules.read_state(options, "-/33/6 55/-/2 1 3")
    assert asked.values(options, 2, "lead")(state) == asked.values(options, 2, "lead")(other)
    begin = GAME.begin(options)
    first, second = (asked.step_values(options, 2, "lead")(begin, GAME.roll(begin, (die,))) for die in (3, 4))
    assert first == -second > 0, "to seat 0, whether it is drawn or not"
    drawn = GAME.roll(begin, (5,))
    assert asked.step_values(options, 2, "lead")(drawn, GAME.roll(drawn, (5,))) > 0


def test_it_stacks_and_breaks() -> None:
    options = GAME.make_options({})
    assert asked.intended(options, 2) == "lead"
    assert advise(GAME, GAME.rules.read_state(options, "66/-/- -/-/- 0 6"))[0].text == "1"
    assert advise(GAME, GAME.rules.read_state(options, "-/-/- -/66/- 0 6"))[0].text == "2"


@pytest.mark.parametrize(("objective", "word"), [("win", "nobody has solved"), ("score", "has the objective lead")])
def test_other_objectives_are_refused(objective: str, word: str) -> None:
    with pytest.raises(InvalidOption, match=word):
        asked.values(Options(), 2, objective)


@pytest.mark.parametrize("horizon", [1], indirect=True)
def test_what_can_be_broken_settles_ties_well(horizon: int) -> None:
    """The search against plain points that take the first of equal columns, one die ahead; the same dice for both
    sides."""
    step = asked.step_values(Options(), 2, "lead")

    def weighted(state: State, move: int) -> Fraction:
        return step(state, GAME.rules.after(state, move))

    games = times(60, 1000)
    won = sum(play((weighted, plain), n) + 2 - play((plain, weighted), n) for n in range(games))
    assert won * 100 > 4 * games * times(52, 57)  # it is 62%, and four times a game is all there is to win


def plain(state: State, move: int) -> int:
    """The expected lead after the reply, six times: points as they lie on the table."""
    now, seat = GAME.rules.after(state, move), state.seat

    def lead(then: State) -> int:
        return score_grid(then.grids[seat]) - score_grid(then.grids[1 - seat])

    if GAME.rules.actor(now) == NOBODY:
        return 6 * lead(now)
    replies = [GAME.rules.rolled(now, (die,)) for die in range(1, 7)]
    return sum(min(lead(GAME.rules.after(reply, theirs)) for theirs in GAME.rules.legal(reply)) for reply in replies)


def play(values: tuple[Callable[[State, int], Any], Callable[[State, int], Any]], number: int) -> int:
    """What seat 0 gets when each seat takes the column of the highest value: 2 for a win, 1 for a draw."""
    random, state = Random(f"ties {number}"), GAME.begin()
    while GAME.rules.actor(state) != NOBODY:
        if GAME.rules.actor(state) == DICE:
            state = GAME.rules.rolled(state, (random.randint(1, 6),))
        else:
            worths = [values[state.seat](state, move) for move in GAME.rules.legal(state)]
            state = GAME.rules.after(state, GAME.rules.legal(state)[worths.index(max(worths))])
    winners = GAME.rules.result(state).winners
    return 2 * (0 in winners) // len(winners)
