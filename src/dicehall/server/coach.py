"""The coach, as the server tells of it: what dicehall.coach knows, put into the shapes that go over the wire. All of it
is asked in the processes of a crew."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from dicehall.bots.ladder import pursued
from dicehall.bots.player import player
from dicehall.bots.seats import YOU, usual_seats
from dicehall.coach.advise import Advice, advise, intended, solved
from dicehall.coach.benchmark import benchmark, ranked_by
from dicehall.coach.farkle.chart import bank_or_roll, least_to_bank
from dicehall.coach.lite_solo.chart import marks
from dicehall.coach.lite_solo.targets import chance, ladder
from dicehall.coach.objective import Objective
from dicehall.coach.odds import compare, lack, objectives, start_value
from dicehall.coach.percentile import find_distribution
from dicehall.coach.protocol import read_objective
from dicehall.coach.puzzles import Puzzle as KnownPuzzle
from dicehall.coach.puzzles import puzzle_of_the_day, puzzles
from dicehall.coach.report import report
from dicehall.coach.shut_the_box.chart import tile_costs
from dicehall.dice import SeededDice, mixed
from dicehall.lab.reports import report_json
from dicehall.play.record import from_json
from dicehall.play.view import view
from dicehall.rules import lite_solo
from dicehall.rules.catalog import AnyGame, find_game
from dicehall.rules.farkle_scoring import USUAL_STEP
from dicehall.rules.farkle_scoring import Options as FarkleOptions
from dicehall.rules.options import OptionValue
from dicehall.rules.shut_the_box_tiles import Options as ShutTheBoxOptions
from dicehall.server import models, modes

OPPONENT = "opponent"  # who else sits there, in a puzzle
Chart = models.BankOrRoll | models.TileWorths | models.Scores


def advice(game_id: str, options: dict[str, OptionValue], state: str, objective: str | None) -> models.Advice:
    """About a position in text."""
    game = find_game(game_id)
    return hinted(game.id, game.version, game.rules.read_state(game.make_options(options), state), objective)


def hinted(game_id: str, rules: int, state: Any, asked: str | Objective | None) -> models.Advice:
    game = find_game(game_id, rules)
    seats = game.rules.seats_of(state)
    objective = intended(game, state.options, seats) if asked is None else read_objective(game, asked)
    ranked = advise(game, state, objective)
    others = [one for one in objectives(game, state.options, seats) if one.playable and one != objective]
    others = [one for one in others if solved(game, state.options, seats, one)]

    def then(move: Any) -> str | None:
        choices = _right_after(game, state, move, objective)
        return choices[0].text if choices else None

    return models.Advice(
        str(objective),
        [str(objective), *map(str, others)],
        objective,
        others,
        objective.certainty,
        objective.lower_is_better,
        [models.AdvisedMove(one.text, float(one.value), float(one.loss), then(one.move)) for one in ranked],
    )


def _right_after(game: AnyGame, state: Any, move: Any, objective: Objective) -> list[Advice]:
    """What the same seat chooses between as soon as it has made a move; nothing where a die falls in between."""
    after = game.rules.after(state, move)
    return advise(game, after, objective) if game.rules.actor(after) == game.rules.actor(state) else []


def odds(game_id: str, mode: str, asked: str | None) -> models.Odds:
    game = find_game(game_id)
    options = modes.options_of(game, mode)
    objective, value = start_value(game, options, asked)
    sure = objective.certainty_at_start
    return models.Odds(
        game=game.id,
        options=options.changed(),
        objective=str(objective),
        certainty=sure,
        value=float(value),
        exact=str(value) if sure == "exact" else None,
    )


@lru_cache(maxsize=64)
def lab(game_id: str, mode: str) -> models.Lab:
    game = find_game(game_id)
    usual, options = game.make_options({}), modes.options_of(game, mode)
    rows = [
        models.Compared(
            objective=str(row.objective),
            about=row.objective,
            certainty=row.objective.certainty_at_start,
            usual=None if row.usual is None else float(row.usual),
            changed=None if row.changed is None else float(row.changed),
            usual_lacks=lack(game, usual, row.objective) if row.usual is None else None,
            changed_lacks=lack(game, options, row.objective) if row.changed is None else None,
            less_is_better=row.objective.lower_is_better,
        )
        for row in compare(game, options)
    ]
    return models.Lab(game=game.id, options=options.changed(), rows=rows)


def opponent(game_id: str, mode: str, seats: int) -> models.Opponent:
    game = find_game(game_id)
    options = modes.options_of(game, mode)
    objective = pursued(game, options, game.check_seats(options, seats))
    return models.Opponent(objective=str(objective), about=objective)


def targets(game_id: str, mode: str) -> bytes:
    """Scores to chase, the specs' and the calibrated ones, as JSON."""
    game = find_game(game_id)
    options = modes.options_of(game, mode)
    if not isinstance(options, lite_solo.Options):
        return b"[]"
    presets = {name: int(values["target"]) for name, values in game.presets.items()}
    if options.target and options.target not in presets.values():
        presets["own"] = options.target
    spec = [(name, target, False, *chance(options, target)) for name, target in presets.items()]
    calibrated = [(rung.name, rung.target, True, rung.ways, rung.of) for rung in ladder(options)]
    names = ("name", "target", "calibrated", "ways", "of")
    return json.dumps([dict(zip(names, one, strict=True)) for one in spec + calibrated]).encode()


@lru_cache(maxsize=64)
def chart(game_id: str, mode: str) -> Chart | None:
    game = find_game(game_id)
    options = modes.options_of(game, mode)
    if isinstance(options, FarkleOptions):
        return _bank_or_roll(options)
    if isinstance(options, ShutTheBoxOptions) and options.mode != "long":
        return _tile_costs(options, read_objective(game, options.scored_by))
    if isinstance(options, lite_solo.Options):
        return _scores(game, options)
    return None


def _bank_or_roll(options: FarkleOptions) -> models.BankOrRoll:
    rows = [
        models.BankOrRollRow(dice=row.dice, threshold=row.threshold, gains=[*map(float, row.gains.values())])
        for row in bank_or_roll(options)
    ]
    least = least_to_bank(options)
    board_minimum = options.board_minimum if options.board_minimum > least else 0
    return models.BankOrRoll(step=USUAL_STEP, least=least, board_minimum=board_minimum, rows=rows)


def _tile_costs(options: ShutTheBoxOptions, objective: Objective) -> models.TileWorths:
    costs = [models.TileWorth(tile=one.tile, costs=float(one.costs)) for one in tile_costs(options, objective)]
    return models.TileWorths(objective=str(objective), about=objective, tiles=costs)


def _scores(game: AnyGame, options: lite_solo.Options) -> models.Scores:
    known = find_distribution(game, options, 1, "score")
    return models.Scores(
        objective="score",
        mean=float(known.mean),
        bars=[models.ScoreBar(result=result, share=float(share)) for result, share in known.shares.items()],
        marks=[
            models.ScoreMark(name=one.name, target=one.target, best=float(one.best)) for one in marks(options, known)
        ],
    )


def run_report(data: dict[str, Any], daily: bool, seat: int | None, asked: str | None) -> models.Report:
    record = from_json(data)
    objective: str | Objective | None = asked
    if daily and asked is None and len(record.seats) == 1:  # what its boards compare, and its benchmark speaks of
        ranking = ranked_by(record.find_game(), record.options, 1)
        objective = ranking and ranking.objective
    if seat is None:
        seat = record.seats.index(YOU) if YOU in record.seats else 0
    told = report(record, seat, objective)
    found = report_json(told)
    if told.compared:
        found["compared"]["about"] = told.compared.objective
    more = {"about": told.objective, "unit": told.unit, "certainty": told.objective.certainty}
    return models.Report.model_validate({**found, **more})


def daily_benchmark(game_id: str, secret: str, known: bool) -> models.DailyBenchmark:
    """All of it for those to whom the dice of the day are `known`; else what can be told of any dice."""
    told = _benchmark(game_id, secret)
    return told if known else told.model_copy(update={"perfect": None, "foresight": None})


@lru_cache(maxsize=64)
def _benchmark(game_id: str, secret: str) -> models.DailyBenchmark:
    game = find_game(game_id)
    seed, options, seats = mixed(secret, ""), modes.daily_options(game), usual_seats(game)
    players = [None if name == YOU else player(name, game, seed, seat) for seat, name in enumerate(seats)]
    found = benchmark(game, options, players, SeededDice(seed))
    ranking = ranked_by(game, options, len(seats))
    return models.DailyBenchmark(
        objective=ranking and str(ranking.objective),
        about=ranking and ranking.objective,
        expected=None if found.expected is None else float(found.expected),
        perfect=found.perfect,
        foresight=found.foresight,
    )


def puzzle_set(game_id: str, day: str) -> models.Puzzles:
    known = puzzles(game_id)
    return models.Puzzles(
        game=game_id,
        today=known.index(puzzle_of_the_day(game_id, day)) + 1,
        puzzles=[
            models.PuzzleInfo(
                number=number, difficulty=one.difficulty, objective=str(one.objective), about=one.objective
            )
            for number, one in enumerate(known, 1)
        ],
    )


def puzzle(known: KnownPuzzle, number: int, of: int) -> models.Puzzle:
    game = find_game(known.game)
    state = game.rules.read_state(game.make_options(known.options), known.state)
    told, actor = hinted(game.id, game.version, state, known.objective), game.rules.actor(state)

    def judged(one: models.AdvisedMove) -> models.PuzzleMove:
        choices = _right_after(game, state, game.rules.read_move(one.move), known.objective)
        thens = {choice.text: one.loss + float(choice.loss) for choice in choices}
        return models.PuzzleMove(move=one.move, value=one.value, loss=one.loss, then=one.then, thens=thens)

    return models.Puzzle(
        number=number,
        of=of,
        game=game.id,
        difficulty=known.difficulty,
        objective=str(known.objective),
        about=known.objective,
        certainty=told.certainty,
        less_is_better=told.less_is_better,
        seats=[YOU if seat == actor else OPPONENT for seat in range(known.seats)],
        view=view(game, state, actor),
        moves=[judged(one) for one in told.moves],
        tempting=known.tempting,
    )
