"""What a run's dice were good for: foresight against brute force over the literal rules, and all three against play."""

from __future__ import annotations

import doctest
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from dicehall.bots.player import play_on, player
from dicehall.bots.seats import YOU, usual_seats
from dicehall.coach import benchmark as module
from dicehall.coach.advise import advise
from dicehall.coach.benchmark import Benchmark, benchmark, ranked_by
from dicehall.coach.farkle import foresight as farkle_foresight
from dicehall.coach.lite_versus.alone import alone
from dicehall.coach.protocol import coach_of
from dicehall.dice import Dice, SeededDice
from dicehall.play.table import Table
from dicehall.rules.catalog import GAMES, AnyGame
from dicehall.rules.game import DICE, NOBODY
from dicehall.rules.lite_grid import score_board
from dicehall.server.modes import daily_options
from tests.soak import times

Best = Callable[[list[int]], int]


def foresight(game: AnyGame, options: Any, seats: int, seat: int, source: Dice) -> int | None:
    return coach_of(game).foresight(options, seats, seat, source)


def brute(game: AnyGame, state: Any, place: int, source: SeededDice, best: Best, seen: dict[Any, int]) -> int:
    """The twin: every move of the literal rules with these dice, to the end of the run."""
    key = (state, place)
    if key not in seen:
        if game.rules.actor(state) == NOBODY:
            seen[key] = game.rules.result(state).scores[0]
        elif game.rules.actor(state) == DICE:
            count = game.rules.dice_to_roll(state)
            now = game.rules.rolled(state, tuple(source.die(place + n) for n in range(count)))
            seen[key] = brute(game, now, place + count, source, best, seen)
        else:
            moves = [game.rules.after(state, move) for move in game.rules.legal(state)]
            seen[key] = best([brute(game, now, place, source, best, seen) for now in moves])
    return seen[key]


SHORT: list[tuple[str, dict[str, Any], Best]] = [
    ("farkle", {"max_turns": 1}, max),
    ("farkle", {"max_turns": 2, "straight": True, "three_pairs": True}, max),
    ("farkle", {"max_turns": 2, "hot_dice": False, "bank_minimum": 300, "board_minimum": 500}, max),
    ("farkle", {"max_turns": 2, "hot_dice": False, "bank_minimum": 10_000}, max),
    ("shut-the-box", {"rounds": 1}, min),
    ("shut-the-box", {"rounds": 2, "difficulty": "hard"}, min),
    ("shut-the-box", {"mode": "threshold", "mulligan": True, "variant": "digitalScore"}, min),
    ("shut-the-box", {"rounds": 2, "difficulty": "hard", "mulligan": True, "one_die": "forced"}, min),
]


@pytest.mark.parametrize(("game_id", "options", "best"), SHORT, ids=str)
def test_foresight_is_what_brute_force_finds(game_id: str, options: dict[str, Any], best: Best) -> None:
    game = GAMES[game_id]
    start = game.begin(options)
    for seed in range(times(6, 60)):
        source = SeededDice(f"foresight {seed}")
        assert foresight(game, start.options, 1, 0, source) == brute(game, start, 0, source, best, {}), seed


def test_foresight_of_the_fewest_turns() -> None:
    """As many points as can be banked in one turn fewer are not enough, and those of so many turns are."""
    game = GAMES["farkle"]
    for seed in range(8):
        source, target = SeededDice(f"fewest {seed}"), 4000
        turns = foresight(game, game.make_options({"target": target}), 1, 0, source)
        assert turns is not None
        most = [brute_turns(game, count, source) for count in (turns - 1, turns)]
        assert most[0] < target <= most[1]


def brute_turns(game: AnyGame, turns: int, source: SeededDice) -> int:
    if not turns:
        return 0
    found = foresight(game, game.make_options({"max_turns": turns}), 1, 0, source)
    assert found is not None
    return found


def test_foresight_gives_up_on_a_run_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    game, source = GAMES["farkle"], SeededDice("endless")
    options = game.make_options({"target": 3000})
    assert foresight(game, options, 1, 0, source) is not None
    monkeypatch.setattr(farkle_foresight, "LONGEST_RUN", 1)
    assert foresight(game, options, 1, 0, source) is None


@pytest.mark.parametrize("columns", [False, True], ids=["rows", "columns"])
def test_foresight_on_a_lite_board_is_the_best_of_all_boards(columns: bool) -> None:
    game = GAMES["lite-solo"]
    for seed in range(times(3, 20)):
        source = SeededDice(f"board {seed}")
        dice = [source.die(place) for place in range(10)]
        for wild in ("off", "contains"):
            options = game.make_options({"columns": columns, "wild": wild})
            every = max(score_board(board, columns, wild) for board in set(permutations(dice[:9])))
            assert foresight(game, options, 1, 0, source) == every
    # With a token one of ten dice is left out: here the one that is worth least to the others.
    options = game.make_options({"columns": columns, "reroll": True})
    every = max(
        foresight(game, game.make_options({"columns": columns}), 1, 0, Without(dice, n)) or 0 for n in range(10)
    )
    assert foresight(game, options, 1, 0, source) == every


class Without:
    def __init__(self, dice: list[int], place: int) -> None:
        self.dice = dice[:place] + dice[place + 1 :]

    def die(self, index: int) -> int:
        return self.dice[index]


@pytest.mark.parametrize("first", ["human", "bot", "drawn"])
@pytest.mark.parametrize("seat", [0, 1])
def test_each_of_two_seats_has_its_own_dice(first: str, seat: int) -> None:
    game = GAMES["lite-versus"]
    for seed in ("one", "two", "three"):
        table = Table(game, options={"first": first}, seed=seed)
        mine = []
        while not table.is_over:
            if table.actor == seat:
                mine.append(table.state.die)
            table.play(table.legal()[0])
        alone = foresight(GAMES["lite-solo"], GAMES["lite-solo"].make_options({}), 1, 0, Without([0, *mine], 0))
        assert foresight(game, table.options, 2, seat, SeededDice(seed)) == alone


def daily(game_id: str, seed: str) -> tuple[Benchmark, list[Any], bool]:
    game = GAMES[game_id]
    options, names = daily_options(game), usual_seats(game)
    players = [None if name == YOU else player(name, game, seed, seat) for seat, name in enumerate(names)]
    lower = game.rules.aim(game.make_options(options), len(names)).lower_is_better
    return benchmark(game, options, players, SeededDice(seed)), players, lower


@pytest.mark.parametrize("game_id", ["lite-solo", "lite-versus", "farkle", "shut-the-box"])
def test_nobody_beats_foresight_in_the_dailies(game_id: str) -> None:
    game, options = GAMES[game_id], daily_options(GAMES[game_id])
    found, players, lower = daily(game_id, "a day")
    assert found.perfect is not None
    assert found.foresight is not None
    sign = -1 if lower else 1
    assert sign * found.perfect <= sign * found.foresight
    for number in range(200):
        table = Table(game, options=options, seats=len(players), dice=SeededDice("a day"))
        play_on(table, {seat: one or player("random", game, number, seat) for seat, one in enumerate(players)})
        assert table.result is not None
        assert sign * table.result.scores[0] <= sign * found.foresight


@pytest.mark.parametrize(
    ("game_id", "expected"),
    [
        ("lite-solo", Fraction(73349237, 1119744)),
        ("lite-versus", Fraction(73349237, 1119744)),  # one's own board, as if alone
        ("farkle", 4860.818662748),
        ("shut-the-box", 55.046042966),  # five rounds of golf
    ],
)
def test_what_perfect_play_expects_of_a_daily(game_id: str, expected: Any) -> None:
    found, _, _ = daily(game_id, "another day")
    assert found.expected is not None
    assert abs(found.expected - expected) < 1e-6


def test_perfect_play_is_about_as_good_as_it_expects() -> None:
    """Over many days the mean of what it makes of the dice is what it expected, and foresight is well above."""
    days = [daily("shut-the-box", f"day {number}")[0] for number in range(times(30, 300))]
    made = [one.perfect or 0 for one in days]
    mean = sum(made) / len(made)
    error = (sum((one - mean) ** 2 for one in made) / (len(made) - 1) / len(made)) ** 0.5
    assert abs(mean - 55.046) < 3 * error
    assert sum(one.foresight or 0 for one in days) / len(days) < mean - 3 * error


def test_the_second_seat_can_be_the_one_that_is_asked_about() -> None:
    game = GAMES["lite-versus"]
    bot = player("lookahead", game, "seed", 0)
    found = benchmark(game, {"first": "bot"}, [bot, None], SeededDice("second"))
    table = Table(game, options={"first": "bot"}, dice=SeededDice("second"))
    play_on(table, {0: bot, 1: player("lookahead", game, "seed", 1)})
    assert table.result is not None
    assert found.perfect is not None
    assert found.perfect != table.result.scores[0], "that would be the other seat's"
    assert found.foresight is not None
    assert max(found.perfect, table.result.scores[1]) <= found.foresight


def test_each_board_alone_has_its_own_dice_and_token() -> None:
    game = GAMES["lite-versus"]
    state = game.rules.read_state(game.make_options({"reroll": True}), "5../.../... .../6../... 0 3 r-")
    boards = [GAMES["lite-solo"].rules.state_text(alone(state, seat)) for seat in (0, 1)]
    assert boards == ["5../.../... 3 r", ".../6../... 3 -"]


def test_the_par_of_a_seat_that_has_its_reroll_while_the_other_has_spent_it() -> None:
    """The other seat rerolls its first die; perfect play still has the token, and is told what it may do with it."""
    game = GAMES["lite-versus"]

    def spends(state: Any) -> Any:
        return game.rules.legal(state)[-1]  # the reroll, while it is there

    options: dict[str, Any] = {"reroll": True, "first": "bot"}
    for seed in range(3):
        found = benchmark(game, options, [None, spends], SeededDice(f"tokens {seed}"))
        table = Table(game, options=options, dice=SeededDice(f"tokens {seed}"))
        solo = GAMES["lite-solo"]
        while not table.is_over:
            if table.actor == 1:
                table.play(spends(table.state))
            else:
                own = solo.rules.State(
                    solo.make_options({"reroll": True}), table.state.boards[0], table.state.die, table.state.tokens[0]
                )
                table.play(advise(solo, own, "score", 1)[0].text)
        assert table.result is not None
        assert found.perfect == table.result.scores[0]


@pytest.mark.parametrize(
    ("game_id", "options", "seats", "known"),
    [
        ("knucklebones", {}, 2, (False, False)),
        ("lite-versus", {"reroll": True}, 2, (True, False)),
        ("farkle", {}, 2, (False, False)),
        ("farkle", {"straight": True, "straight_points": 1234}, 1, (False, True)),
        ("farkle", {"max_turns": 21}, 1, (True, False)),
        ("farkle", {"target": 20_050}, 1, (False, False)),
        ("shut-the-box", {"instant": True}, 1, (False, False)),
        ("shut-the-box", {"per_round_scoring": False}, 1, (False, False)),
        ("shut-the-box", {"variant": "tournament45out"}, 1, (True, False)),
        ("shut-the-box", {"mode": "long"}, 1, (True, False)),
        ("shut-the-box", {"mode": "threshold"}, 1, (True, True)),
        ("shut-the-box", {}, 2, (False, False)),
        ("shut-the-box", {"rounds": 31}, 1, (True, False)),
    ],
)
def test_what_is_not_known(game_id: str, options: dict[str, Any], seats: int, known: tuple[bool, bool]) -> None:
    game = GAMES[game_id]
    chosen = game.make_options(options)
    assert (ranked_by(game, chosen, seats) is not None) == known[0]
    assert (foresight(game, chosen, seats, 0, SeededDice("known")) is not None) == known[1]
    if not known[0]:
        others = [player("random", game, "other", seat) for seat in range(1, seats)]
        found = benchmark(game, options, [None, *others], SeededDice("known"))
        assert found.expected is None
        assert (found.perfect is None) == (seats == 1 or game_id == "shut-the-box")


@pytest.mark.parametrize(("game_id", "name"), [("knucklebones", "spec"), ("farkle", "bank:300")])
def test_where_winning_counts_both_scores_are_told(game_id: str, name: str) -> None:
    """Whichever seat is asked about; and it is the best move of that seat alone."""
    game = GAMES[game_id]
    for seat in (0, 1):
        players: list[Any] = [None, None]
        players[1 - seat] = player(name, game, "both", 1 - seat)
        found = benchmark(game, {}, players, SeededDice("both"))
        table = Table(game, seats=2, dice=SeededDice("both"))
        while not table.is_over:
            state = table.state
            own = table.actor == seat
            move = advise(game, state)[0].move if own else players[table.actor](state)
            table.play(move)
        assert table.result is not None
        assert (found.perfect, found.against) == (table.result.scores[seat], table.result.scores[1 - seat])
        assert (found.expected, found.foresight) == (None, None)


def test_the_example_in_the_module() -> None:
    assert doctest.testmod(module) == (0, 4)
