"""The ladder: each rung stronger than the one below, beginners beat the first, and nobody plays better than perfect."""

from __future__ import annotations

from copy import copy
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from typing import Any

import pytest

from dicehall.bots import farkle, ladder, lite
from dicehall.bots.catalog import catalog_entry
from dicehall.bots.ladder import RUNGS, best_advice, blur_width, blurred, strengths
from dicehall.bots.player import player, player_names
from dicehall.coach.advise import advise
from dicehall.coach.protocol import read_objective
from dicehall.dice import Stream
from dicehall.errors import InvalidOption
from dicehall.lab import ladder as lab
from dicehall.lab.simulate import play_game, simulate
from dicehall.play.table import Table
from dicehall.rules.catalog import GAMES
from tests.bots.write_strengths import PAGE, rules_table, strengths_table
from tests.soak import SOAKING, times

TABLES = [(game_id, table) for game_id, game in GAMES.items() for table in strengths(game)]
IDS = [f"{game_id}-{table['seats']}" for game_id, table in TABLES]


def test_every_game_has_a_ladder_for_the_rules_of_today() -> None:
    for game in GAMES.values():
        assert catalog_entry(game)["ladder"] == strengths(game) != []
        assert all(table["rules"] == game.version for table in strengths(game))
        assert [name for name in player_names(game) if name.startswith("level")] == [f"level:{n}" for n in RUNGS]
        assert "perfect" in player_names(game)


def test_the_page_tells_what_was_measured() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert strengths_table() in page, "run: python -m tests.bots.write_strengths"
    assert rules_table() in page, "run: python -m tests.bots.write_strengths"


def test_everybody_who_plays_by_a_rule_is_measured() -> None:
    """Whoever the page offers: bankers by where they stop, of which it has three."""
    for trial in lab.TRIALS:
        if trial.seats > 1:
            table = next(one for one in strengths(GAMES[trial.game]) if one["seats"] == trial.seats)
            assert tuple(one["player"] for one in table["by_rule"]) == trial.by_rule
            assert all(0 < one["value"] < 0.5 and 0 < one["error"] < 0.02 for one in table["by_rule"])
            names = [name.partition(":")[0] for name in player_names(GAMES[trial.game])]
            known = {name.partition(":")[0] for name in trial.by_rule}
            assert known == {name for name in names if name not in ("level", "perfect")}


@pytest.mark.parametrize(("game_id", "name"), [("farkle", "bank:300"), ("shut-the-box", "highest")])
def test_a_player_by_rule_is_measured_by_its_own_moves(game_id: str, name: str) -> None:
    """The same game as when it plays by itself, and each move loses what the coach says."""
    result, losses, _ = lab.play(game_id, (name, None), "by rule")
    table = play_game(GAMES[game_id], [name, "perfect"], "by rule")
    assert (table.result, losses[1]) == (result, 0)
    assert losses[0] > 0


@pytest.mark.parametrize(("game_id", "table"), TABLES, ids=IDS)
def test_every_rung_is_stronger_than_the_one_below(game_id: str, table: dict[str, Any]) -> None:
    levels = table["levels"]
    assert [level["player"] for level in levels] == [f"level:{rung}" for rung in RUNGS]
    sign = -1 if table.get("lower_is_better") else 1
    for below, above in pairwise(levels):
        error = sqrt(below["error"] ** 2 + above["error"] ** 2)
        assert sign * (above["value"] - below["value"]) > 3 * error, above["player"]
        if "against_below" in above:
            assert above["against_below"] - 0.5 > 3 * above["against_below_error"]
    best = table["perfect"] if table["seats"] == 1 else 0.5
    assert sign * (best - levels[-1]["value"]) > 3 * levels[-1]["error"]


@pytest.mark.parametrize(
    ("game_id", "beginner"),
    [("lite-versus", "match"), ("farkle", "bank:300"), ("shut-the-box", "highest"), ("knucklebones", "greedy")],
)
def test_beginners_beat_the_first_rung(game_id: str, beginner: str) -> None:
    games = times(8 if game_id == "farkle" else 40, 400)
    first = simulate(game_id, (beginner, "level:1"), games, "beginners")["per_seat"][0]
    second = simulate(game_id, ("level:1", beginner), games, "beginners")["per_seat"][1]
    assert first["wins"] + second["wins"] > first["losses"] + second["losses"]


every_trial = pytest.mark.parametrize("trial", lab.TRIALS, ids=lambda trial: f"{trial.game}-{trial.seats}")
# What the first four of the games gave by which the file was measured, rung by rung. A rung that plays otherwise now
# has to be measured again: four games say nothing of its strength, but with the same dice they are the same games.
FIRST_GAMES: dict[tuple[str, int], list[float]] = {
    ("lite-solo", 1): [50.13814, 48.58972, 60.75847, 64.91454, 64.24787],
    ("lite-versus", 2): [0.06481, 0.39141, 0.36359, 0.39309, 0.47471],
    ("farkle", 1): [32.13658, 25.64746, 23.458, 22.69668, 21.93795],
    ("farkle", 2): [0.22015, 0.18434, 0.2576, 0.39804, 0.45012],
    ("shut-the-box", 1): [0.17672, 0.16231, 0.19069, 0.23431, 0.28017],
    ("shut-the-box", 2): [0.23653, 0.40675, 0.53744, 0.45785, 0.47459],
    ("knucklebones", 2): [0.20453, 0.33572, 0.45086, 0.39961, 0.48005],
}


def measured(trial: lab.Trial, rung: int, seed: str = lab.SEED) -> lab.Measured:
    return lab.alone(trial, rung, seed) if trial.seats == 1 else lab.share(trial, rung, None, seed)


@every_trial
def test_every_rung_plays_as_it_did_when_it_was_measured(trial: lab.Trial) -> None:
    few = trial._replace(games=4)
    found = [measured(few, rung).mean for rung in RUNGS]
    assert [round(mean, 5) for mean in found] == FIRST_GAMES[trial.game, trial.seats]


def test_the_file_says_what_is_measured() -> None:
    """One line of it, measured again with the same dice: where that is quickest."""
    trial = next(one for one in lab.TRIALS if (one.game, one.seats) == ("shut-the-box", 1))
    assert lab.level(trial, 1) == strengths(GAMES["shut-the-box"])[0]["levels"][0]


@pytest.mark.skipif(not SOAKING, reason="fewer games than the file was measured by tell no rung from its neighbours")
@every_trial
def test_a_rung_is_as_strong_as_the_file_says(trial: lab.Trial) -> None:
    """Measured anew, with other dice."""
    table = next(one for one in strengths(GAMES[trial.game]) if one["seats"] == trial.seats)
    for rung in RUNGS:
        found, told = measured(trial, rung, "again"), table["levels"][rung - 1]
        assert abs(found.mean - told["value"]) < 4 * told["error"] * sqrt(2), told["player"]


def test_luck_taken_out_leaves_what_counting_finds() -> None:
    """How often the first rung stays within 45 points: by what its moves lose, and by playing."""
    trial = lab.Trial("shut-the-box", 1, times(150, 2000))
    sharp = lab.alone(trial, 1)
    won = lab.measured(float(bool(lab.play("shut-the-box", (1,), f"count/{n}")[0].winners)) for n in range(trial.games))
    assert abs(sharp.mean - won.mean) < 4 * sqrt(sharp.error**2 + won.error**2)
    assert sharp.error < won.error


def test_a_line_of_the_ladder_and_its_file() -> None:
    line = lab.level(lab.Trial("lite-solo", 1, 5), 5)
    assert (line["player"], line["games"]) == ("level:5", 5)
    race = lab.Trial("farkle", 2, 2)
    assert lab.ladder_of(race, [], [])["against"] == "perfect"
    assert lab.written({game.id: strengths(game) for game in GAMES.values()}) == lab.FILE.read_text()
    assert lab.Measured(3.0, 0.3).stronger(lab.Measured(1.0, 0.4)) == 4


def test_rungs_repeat_themselves_even_after_a_restart() -> None:
    """The same seed, seat and position: the same move, whoever asks and however often."""
    table = play_game(GAMES["lite-solo"], ["level:2"], "restart")
    other = Table("lite-solo", seats=["level:2"], seed="restart")
    while not other.is_over:
        other.play(player("level:2", other.game, "restart")(other.state))
    assert other.steps == table.steps
    moves = {player("level:1", other.game, seed)(other.states[4]) for seed in range(40)}
    assert len(moves) > 1


def test_near_misses_are_common_and_blunders_rare() -> None:
    game = GAMES["lite-solo"]
    score = read_objective(game, "score")
    advice = advise(game, game.rules.read_state(game.make_options({}), "66./55./... 6 -"))
    losses = sorted({one.loss for one in advice})
    picked = [blurred(score, advice, 2, Stream(seed, "test")).loss for seed in range(400)]
    counts = [picked.count(loss) for loss in losses]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 200
    sharp = [blurred(score, advice, 5, Stream(seed, "test")).loss for seed in range(400)]
    assert sharp.count(losses[0]) > counts[0]


def test_a_chance_that_is_certain_is_not_blurred() -> None:
    race, target = read_objective(GAMES["farkle"], "race"), read_objective(GAMES["lite-solo"], "target:90")
    assert blur_width(race, Fraction(1), 1) == blur_width(race, Fraction(0), 1) == 0
    assert blur_width(race, Fraction(1, 2), 1) == farkle.WIDTHS["race"][0]
    assert blur_width(target, Fraction(1, 2), 3) == lite.WIDTHS["target"][2]


def test_perfect_plays_the_best_move() -> None:
    table = play_game(GAMES["shut-the-box"], ["perfect"], "best")
    again = Table("shut-the-box", seed="best")
    while not again.is_over:
        again.play(advise(again.game, again.state)[0].move)
    assert again.steps == table.steps


@pytest.mark.parametrize(
    ("game_id", "options", "seats", "objective"),
    [
        ("lite-versus", {"columns": True, "reroll": True}, 2, "score"),
        ("farkle", {}, 3, "turn"),
        ("farkle", {"last_turn": True}, 2, "race"),
        ("farkle", {"board_minimum": 700}, 2, "turn"),
        ("shut-the-box", {}, 2, "golf"),
        ("shut-the-box", {"mode": "long"}, 2, "turns"),
    ],
)
def test_what_is_not_solved_is_played_for_the_nearest_that_is(
    game_id: str, options: dict[str, Any], seats: int, objective: str
) -> None:
    table = Table(game_id, options=options, seats=seats, seed="nearest")
    for _ in range(8):
        found, advice = best_advice(table.game, table.state)
        assert str(found) == objective
        assert sorted(one.text for one in advice) == sorted(table.legal())
        table.play(advice[0].move)


def test_where_nothing_is_solved_a_plain_player_takes_the_seat() -> None:
    table = Table("shut-the-box", options={"mode": "long", "tiles": 12, "variant": "alwaysSumDuo"}, seed=1)
    level, instead = (player(name, table.game, 1) for name in ("level:3", "highest"))
    for _ in range(40):
        if not table.is_over:
            assert level(table.state) == instead(table.state)
            table.play(level(table.state))


def test_nobody_is_perfect_at_a_game_without_a_coach() -> None:
    other = copy(GAMES["knucklebones"])
    other.id = "other"
    assert "perfect" not in player_names(other)
    with pytest.raises(InvalidOption, match="nobody plays other perfectly yet"):
        ladder.perfect(other)
