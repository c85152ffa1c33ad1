"""What a crew is asked for: functions of plain values, because they are called in another process."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from dicehall.bots.player import first_advice, player
from dicehall.coach.advise import recommended
from dicehall.dice import SeededDice
from dicehall.errors import InvalidRecord, InvalidText
from dicehall.people import duels
from dicehall.people.duels import Mark
from dicehall.play.film import film as frames_of
from dicehall.play.film import start_frame
from dicehall.play.record import from_json
from dicehall.play.replay import check, prove, start, walk
from dicehall.play.share import parts
from dicehall.rules.catalog import AnyGame, find_game
from dicehall.rules.game import DICE
from dicehall.rules.options import OptionValue
from dicehall.server.models.common import Model
from dicehall.server.models.runs import Shared

MOST_STEPS: Final = 2000  # of a run: several times as many as the longest that people play
LONGEST_RECORD: Final = 40_000  # characters; MOST_STEPS steps need less than half of them


def chosen_moves(game_id: str, rules: int, name: str, seed: str, seat: int, state: Any, dice: int) -> list[Any]:
    """The moves that a bot makes until it is somebody else's turn. The first `dice` of the run's seed have been rolled:
    the next ones are rolled here as the table will roll them, so that a turn is one job and not a job for each move."""
    game, moves = find_game(game_id, rules), []
    choose = player(name, game, seed, seat)
    while game.rules.actor(state) == seat:
        moves.append(choose(state))
        state, dice = _rolled(game, game.apply(state, moves[-1]), seed, dice)
    return moves


def replies(game_id: str, rules: int, names: dict[int, str], seed: str, state: Any, dice: int) -> dict[str, list[Any]]:
    """What the bots (`names`, by seat) reply to every move that a person can make here, by the state they reply to."""
    game, found = find_game(game_id, rules), {}
    for move in game.rules.legal(state):
        after, rolled = _rolled(game, game.apply(state, move), seed, dice)
        if (seat := game.rules.actor(after)) in names:
            found[game.rules.state_text(after)] = chosen_moves(game_id, rules, names[seat], seed, seat, after, rolled)
    return found


def _rolled(game: AnyGame, state: Any, seed: str, dice: int) -> tuple[Any, int]:
    """The state once all dice that are due have been rolled, and how many of the run's seed that makes."""
    source = SeededDice(seed)
    while game.rules.actor(state) == DICE:
        roll = tuple(source.die(dice + n) for n in range(game.rules.dice_to_roll(state)))
        state, dice = game.roll(state, roll), dice + len(roll)
    return state, dice


def seconds_to_advise(game_id: str, rules: int, options: Mapping[str, OptionValue], seats: int) -> float:
    """How long the first question about a variant takes. Bots who play by advice ask it with their first move."""
    game, began = find_game(game_id, rules), time.monotonic()
    first_advice(game, game.make_options(options), seats)
    return time.monotonic() - began


def recommended_keep(game_id: str, rules: int, state: Any) -> str | None:
    return recommended(find_game(game_id, rules), state)


def verdict(text: str) -> bytes:
    """Whether a record is true and its dice are proved, as JSON."""
    found = check(text)
    told = {"ok": found.ok, "step": found.step, "code": found.code, "reason": found.reason, "proved": False, "dice": 0}
    if found.ok and found.record is not None:
        try:
            told |= {"dice": prove(found.record), "proved": True}
        except InvalidRecord as error:
            told |= {"code": error.code, "reason": str(error)}
    return json.dumps(told).encode()


def film(record: dict[str, Any]) -> bytes:
    """A run step by step, from its start, as JSON."""
    run = from_json(record)
    game, begun = run.find_game(), start(run)
    first = start_frame(game, begun, run.departures)
    steps = [(step.text, step.state) for step in walk(run)]
    return msgspec.json.encode([first, *frames_of(game, begun, steps, views=len(steps), departures=run.departures)])


def pace(record: dict[str, Any], dice: int | None) -> bytes:
    """How a run stood when it had used no more `dice`; None: at its end."""
    told = from_json(record)
    steps, marks = list(walk(told)), list[Mark]()
    duels.follow(marks, told.find_game(), start(told), [one.text for one in steps], [one.state for one in steps])
    shown = duels.seen(marks, dice)
    return msgspec.json.encode(
        {"score": shown.score, "unit": shown.unit, "dice": shown.dice, "done": shown is marks[-1]}
    )


def shared(about: dict[str, Any], record: dict[str, Any], seen: bool) -> bytes:
    """A finished run for others' eyes, as JSON; `about` is all of it but what its `record` tells in a few words, and
    these are told where the run may be `seen`."""
    told = parts(from_json(record), about["hidden"]) if seen else []
    return Shared(**about, parts=told).model_dump_json().encode()


def as_json(about: Callable[..., Any], *what: Any) -> bytes:
    """What a function gives, a model or a dataclass, as JSON: to write it takes as long as to work it out."""
    found = about(*what)
    return found.model_dump_json().encode() if isinstance(found, Model) else msgspec.json.encode(found)


def check_length(record: str | dict[str, Any]) -> None:
    """Refuse a record that is longer than any run here can be, before anything of it is read."""
    steps = record.get("steps") if isinstance(record, dict) else record
    if isinstance(steps, str) and (len(steps) > LONGEST_RECORD or steps.count(" ") + steps.count("-") > MOST_STEPS):
        raise InvalidText("record-length", f"a run here has at most {MOST_STEPS} steps; `dicehall verify` checks any")
