"""The coach, as the server tells of it: what dicehall.coach knows, put into the shapes that go over the wire. All of it
is asked in the processes of a crew."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from dicehall.bots.ladder import plays_for
from dicehall.bots.player import player
from dicehall.coach import charts
from dicehall.coach.advise import Advice, advise, certainty, less_is_better, meant, seats_of, worth
from dicehall.coach.benchmark import benchmark, played_for
from dicehall.coach.objectives import RACERS, compare, lack, objectives, solved
from dicehall.coach.puzzles import Puzzle as KnownPuzzle
from dicehall.coach.puzzles import puzzle_of_the_day, puzzles
from dicehall.coach.report import report
from dicehall.coach.targets import chance, ladder
from dicehall.dice import SeededDice, mixed
from dicehall.lab.reports import report_json
from dicehall.play.record import from_json
from dicehall.play.view import view
from dicehall.rules import lite_solo
from dicehall.rules.box_tiles import Options as BoxOptions
from dicehall.rules.catalog import AnyGame, find_game
from dicehall.rules.farkle_scoring import USUAL_STEP
from dicehall.rules.farkle_scoring import Options as FarkleOptions
from dicehall.rules.options import OptionValue
from dicehall.server import models, modes

OPPONENT = "opponent"  # who else sits there, in a puzzle
Chart = models.BankOrRoll | models.TileWorths | models.Scores


def advice(game_id: str, options: dict[str, OptionValue], state: str, objective: str | None) -> models.Advice:
    """About a position in text."""
    game = find_game(game_id)
    return hinted(game.id, game.rules, game.read_state(game.make_options(options), state), objective)


def hinted(game_id: str, rules: int, state: Any, objective: str | None) -> models.Advice:
    game = find_game(game_id, rules)
    seats = seats_of(game, state)
    objective = meant(game, state.options, seats) if objective is None else objective
    ranked = advise(game, state, objective)
    # what else one could play for: what a move changes, so not the bare chances of a roll
    others = [one for one in objectives(game, state.options, seats) if not one.startswith("farkle:")]
    others = [one for one in others if solved(game, state.options, seats, one)]

    def then(move: Any) -> str | None:
        choices = _right_after(game, state, move, objective)
        return choices[0].text if choices else None

    return models.Advice(
        objective,
        list(dict.fromkeys((objective, *others))),
        certainty(game, objective),
        less_is_better(game, objective),
        [models.AdvisedMove(one.text, float(one.value), float(one.loss), then(one.move)) for one in ranked],
    )


def _right_after(game: AnyGame, state: Any, move: Any, objective: str) -> list[Advice]:
    """What the same seat chooses between as soon as it has made a move; nothing where a die falls in between."""
    after = game.after(state, move)
    return advise(game, after, objective) if game.actor(after) == game.actor(state) else []


def odds(game_id: str, mode: str, objective: str | None) -> models.Odds:
    game = find_game(game_id)
    options = modes.options_of(game, mode)
    seats = RACERS if objective == "race" else game.check_seats(options, None)
    objective = objective or meant(game, options, seats)
    value, sure = worth(game, options, seats, objective)(game.begin(options, seats)), certainty(game, objective, True)
    return models.Odds(
        game=game.id,
        options=options.changed(),
        objective=objective,
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
            objective=row.objective,
            certainty=certainty(game, row.objective, at_start=True),
            usual=None if row.usual is None else float(row.usual),
            changed=None if row.changed is None else float(row.changed),
            usual_lacks=lack(game, usual, row.objective) if row.usual is None else None,
            changed_lacks=lack(game, options, row.objective) if row.changed is None else None,
            less_is_better=less_is_better(game, row.objective) or row.objective.startswith("farkle:"),
        )
        for row in compare(game, options)
    ]
    return models.Lab(game=game.id, options=options.changed(), rows=rows)


def opponent(game_id: str, mode: str, seats: int) -> models.Opponent:
    game = find_game(game_id)
    options = modes.options_of(game, mode)
    return models.Opponent(objective=plays_for(game, options, game.check_seats(options, seats)))


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
    if isinstance(options, BoxOptions) and options.mode != "long":
        return _tile_worths(options)
    if isinstance(options, lite_solo.Options):
        return _scores(game, options)
    return None


def _bank_or_roll(options: FarkleOptions) -> models.BankOrRoll:
    rows = [
        models.BankOrRollRow(dice=row.dice, threshold=row.threshold, gains=[*map(float, row.gains.values())])
        for row in charts.bank_or_roll(options)
    ]
    least = charts.least_to_bank(options)
    board_minimum = options.board_minimum if options.board_minimum > least else 0
    return models.BankOrRoll(step=USUAL_STEP, least=least, board_minimum=board_minimum, rows=rows)


def _tile_worths(options: BoxOptions) -> models.TileWorths:
    tiles = charts.tile_worths(options, options.scored_by)
    costs = [models.TileWorth(tile=one.tile, costs=float(one.costs)) for one in tiles]
    return models.TileWorths(objective=options.scored_by, tiles=costs)


def _scores(game: AnyGame, options: lite_solo.Options) -> models.Scores:
    known = charts.distribution(game, options, "score")
    return models.Scores(
        objective="score",
        mean=float(known.mean),
        bars=[models.ScoreBar(result=result, share=float(share)) for result, share in known.shares.items()],
        marks=[models.ScoreMark(name=one.name, target=one.target, best=float(one.best)) for one in known.marks],
    )


def run_report(data: dict[str, Any], daily: bool, seat: int | None, objective: str | None) -> models.Report:
    record = from_json(data)
    if daily and objective is None and len(record.seats) == 1:  # what its boards compare, and its benchmark speaks of
        objective, _ = played_for(record.find_game(), record.options, 1)
    if seat is None:
        seat = record.seats.index(modes.YOU) if modes.YOU in record.seats else 0
    told = report(record, seat, objective)
    sure = certainty(record.find_game(), told.objective)
    return models.Report.model_validate({**report_json(told), "certainty": sure})


def daily_benchmark(game_id: str, secret: str, known: bool) -> models.DailyBenchmark:
    """All of it for those to whom the dice of the day are `known`; else what can be told of any dice."""
    told = _benchmark(game_id, secret)
    return told if known else told.model_copy(update={"perfect": None, "foresight": None})


@lru_cache(maxsize=64)
def _benchmark(game_id: str, secret: str) -> models.DailyBenchmark:
    game, (chosen, seats) = find_game(game_id), modes.DAILY[game_id]
    seed, options = mixed(secret, ""), game.make_options(chosen)
    players = [None if name == modes.YOU else player(name, game, seed, seat) for seat, name in enumerate(seats)]
    found = benchmark(game, options, players, SeededDice(seed))
    return models.DailyBenchmark(
        objective=played_for(game, options, len(seats))[0],
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
            models.PuzzleInfo(number=number, difficulty=one.difficulty, objective=one.objective)
            for number, one in enumerate(known, 1)
        ],
    )


def puzzle(known: KnownPuzzle, number: int, of: int) -> models.Puzzle:
    game = find_game(known.game)
    state = game.read_state(game.make_options(known.options), known.state)
    told, actor = hinted(game.id, game.rules, state, known.objective), game.actor(state)

    def judged(one: models.AdvisedMove) -> models.PuzzleMove:
        choices = _right_after(game, state, game.read_move(one.move), known.objective)
        thens = {choice.text: one.loss + float(choice.loss) for choice in choices}
        return models.PuzzleMove(move=one.move, value=one.value, loss=one.loss, then=one.then, thens=thens)

    return models.Puzzle(
        number=number,
        of=of,
        game=game.id,
        difficulty=known.difficulty,
        objective=known.objective,
        certainty=told.certainty,
        less_is_better=told.less_is_better,
        seats=[modes.YOU if seat == actor else OPPONENT for seat in range(known.seats)],
        view=view(game, state, actor),
        moves=[judged(one) for one in told.moves],
        tempting=known.thumb,
    )
