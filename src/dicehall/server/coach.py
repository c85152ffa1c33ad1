"""The coach, as the server tells of it: what dicehall.coach knows, put into the shapes that go over the wire. All of it
is asked in the processes of a crew."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from dicehall.bots.ladder import pursued
from dicehall.bots.player import player
from dicehall.bots.seats import YOU, usual_seats
from dicehall.coach.advise import Advice, advise, advise_next, intended, reason, solved, values
from dicehall.coach.benchmark import benchmark, ranked_by
from dicehall.coach.chart import BankOrRoll, LeadWorths, Results, TileCosts
from dicehall.coach.objective import Objective
from dicehall.coach.odds import compare, lack, objectives, start_value, value_at_start
from dicehall.coach.protocol import coach_of, find_coach, read_objective
from dicehall.coach.puzzles import Puzzle as KnownPuzzle
from dicehall.coach.puzzles import plain_first, puzzle_of_the_day, puzzles
from dicehall.coach.reason import Reason
from dicehall.coach.report import report
from dicehall.dice import SeededDice, mixed
from dicehall.errors import InvalidOption
from dicehall.lab.reports import report_json
from dicehall.play.record import from_json
from dicehall.play.view import view
from dicehall.rules.catalog import find_game
from dicehall.rules.farkle_scoring import USUAL_STEP
from dicehall.rules.options import OptionValue
from dicehall.server import modes
from dicehall.server.models import coach as models
from dicehall.server.models.tables import Playable

OPPONENT = "opponent"  # who else sits there, in a puzzle
Chart = models.BankOrRoll | models.TileWorths | models.Scores | models.LeadWorths


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

    def advised(one: Advice) -> models.AdvisedMove:
        choices = advise_next(game, state, one.move, objective)
        thens = [models.AdvisedNext(then.text, float(then.value), float(one.loss + then.loss)) for then in choices]
        return models.AdvisedMove(one.text, float(one.value), float(one.loss), thens[0].move if thens else None, thens)

    return models.Advice(
        str(objective),
        [str(objective), *map(str, others)],
        objective,
        others,
        objective.certainty,
        [advised(one) for one in ranked],
    )


@lru_cache(maxsize=256)
def prospects(game_id: str, mode: str, seats: int) -> models.Prospects:
    """What the coach knows of a table that has not begun."""
    game = find_game(game_id)
    options = modes.options_of(game, mode)
    game.check_seats(options, seats)
    try:
        objective = intended(game, options, seats)
        value = value_at_start(game, options, seats, objective)
    except InvalidOption:  # nobody coaches this game, or not with these options
        return models.Prospects(about=None, start=None)
    return models.Prospects(about=objective, start=float(value))


def worth(game_id: str, rules: int, state: Any) -> models.Worth:
    """What a position is worth for what is played for there."""
    game = find_game(game_id, rules)
    seats = game.rules.seats_of(state)
    try:
        objective = intended(game, state.options, seats)
        value = values(game, state.options, seats, objective)(state)
    except InvalidOption:
        return models.Worth(about=None, value=None)
    return models.Worth(about=objective, value=float(value))


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
        )
        for row in compare(game, options)
    ]
    return models.Lab(game=game.id, options=options.changed(), rows=rows)


def opponent(game_id: str, mode: str, seats: int) -> models.Opponent:
    game = find_game(game_id)
    options = modes.options_of(game, mode)
    objective = pursued(game, options, game.check_seats(options, seats))
    return models.Opponent(objective=str(objective), about=objective)


def playable(game_id: str, mode: str, seats: int) -> Playable:
    """Whether options and seats go together, and make sense."""
    game, coach = find_game(game_id), find_coach(game_id)
    try:
        options = modes.options_of(game, mode)
        game.check_seats(options, seats)
    except InvalidOption as error:
        return Playable(code=error.code, message=str(error))
    doubt = coach.doubt(options, seats) if coach else None
    idle = sorted(options.idle(seats))
    if doubt is None:
        return Playable(code=None, message="", idle=idle)
    return Playable(
        code=None,
        message="",
        doubt=doubt.code,
        limit=doubt.limit,
        option=doubt.option,
        instead=doubt.instead,
        idle=idle,
    )


def targets(game_id: str, mode: str) -> bytes:
    """Results to chase, as JSON."""
    game, coach = find_game(game_id), find_coach(game_id)
    found = coach.targets(modes.options_of(game, mode)) if coach else []
    return json.dumps([one._asdict() for one in found]).encode()


@lru_cache(maxsize=64)
def chart(game_id: str, mode: str) -> Chart | None:
    game = find_game(game_id)
    options = modes.options_of(game, mode)
    try:
        drawn = coach_of(game).chart(options, None)
    except InvalidOption:  # there is none of this game, or not with these options
        return None
    match drawn:
        case BankOrRoll():
            return _bank_or_roll(drawn)
        case TileCosts():
            return _tile_costs(drawn)
        case Results():
            return _scores(drawn)
        case LeadWorths():
            return _lead_worths(drawn)


def _bank_or_roll(chart: BankOrRoll) -> models.BankOrRoll:
    rows = [
        models.BankOrRollRow(dice=row.dice, threshold=row.threshold, gains=[*map(float, row.gains.values())])
        for row in chart.rows
    ]
    return models.BankOrRoll(step=USUAL_STEP, least=chart.least, board_minimum=chart.board_minimum, rows=rows)


def _tile_costs(chart: TileCosts) -> models.TileWorths:
    costs = [models.TileWorth(tile=one.tile, costs=float(one.costs)) for one in chart.tiles]
    return models.TileWorths(objective=str(chart.objective), about=chart.objective, tiles=costs)


def _scores(chart: Results) -> models.Scores:
    shares = chart.distribution.shares.items()
    return models.Scores(
        objective=str(chart.objective),
        mean=float(chart.distribution.mean),
        bars=[models.ScoreBar(result=result, share=float(share)) for result, share in shares],
        targets=[models.ScoreTarget(name=one.name, target=one.target, best=float(one.best)) for one in chart.targets],
    )


def _lead_worths(chart: LeadWorths) -> models.LeadWorths:
    rows = []
    for row in chart.rows:
        least, most = min(row.chances), max(row.chances)
        chances = [None if (one := row.chances.get(lead)) is None else float(one) for lead in range(least, most + 1)]
        rows.append(models.LeadWorthRow(dice=row.dice, least=least, chances=chances))
    return models.LeadWorths(objective=str(chart.objective), rows=rows)


def run_report(data: dict[str, Any], daily: bool, seat: int | None, asked: str | None) -> models.Report:
    record = from_json(data)
    objective: str | Objective | None = asked
    if daily and asked is None and len(record.seats) == 1:  # what its boards compare, and its benchmark speaks of
        ranking = ranked_by(record.find_game(), record.options, 1)
        objective = ranking and ranking.objective
    if seat is None:
        seat = record.seats.index(YOU) if YOU in record.seats else 0
    told = report(record, seat, objective)
    found = report_json(record, told)
    del found["lower_is_better"]  # `about` says it
    if told.compared:
        found["compared"]["about"] = told.compared.objective
    for moment, shown in zip(told.moments, found["moments"], strict=True):
        shown["why"] = None if moment.why is None else _reason(moment.why)
    more = {"about": told.objective, "unit": told.unit, "certainty": told.objective.certainty}
    return models.Report.model_validate({**found, **more})


def daily_benchmark(game_id: str, secret: str, known: bool) -> models.DailyBenchmark:
    """All of it for those to whom the dice of the day are `known`; else what can be told of any dice."""
    told = _benchmark(game_id, secret)
    return told if known else told.model_copy(update={"perfect": None, "against": None, "foresight": None})


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
        against=found.against,
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
            for number, one in ((number, known[number - 1]) for number in plain_first(game_id))
        ],
    )


def puzzle(known: KnownPuzzle, number: int, of: int) -> models.Puzzle:
    game = find_game(known.game)
    state = game.rules.read_state(game.make_options(known.options), known.state)
    told, actor = hinted(game.id, game.version, state, known.objective), game.rules.actor(state)

    read = game.rules.read_move
    why = reason(game, state, read(known.best[0]), read(known.tempting))

    return models.Puzzle(
        number=number,
        of=of,
        game=game.id,
        difficulty=known.difficulty,
        objective=str(known.objective),
        about=known.objective,
        certainty=told.certainty,
        seats=[YOU if seat == actor else OPPONENT for seat in range(known.seats)],
        view=view(game, state, actor),
        moves=told.moves,
        tempting=known.tempting,
        why=_reason(why),
    )


def _reason(why: Reason) -> models.Reason:
    return models.Reason(why.code, dict(why.numbers), {name: float(share) for name, share in why.shares.items()})
