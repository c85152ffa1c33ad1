"""Ten thousand forgeries: a changed die, move, option or result, a dropped or repeated step, a swapped seat name.

Every one that is not an equal record must be refused, with the step and the reason. Half of them come with check
digits made to fit, as a forger would: then the dice's seed, the rules and the result must betray them, unless what
came out is simply another true run, which the slow twin of the rules and the published dice algorithm then confirm.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from dicehall.dice import commitment
from dicehall.errors import DicehallError
from dicehall.play.record import Record, from_json
from dicehall.play.record_line import to_line
from dicehall.play.replay import check, read_record
from dicehall.play.table import Table
from dicehall.rules.catalog import GAMES, AnyGame
from tests.oracles.catalog import ORACLES
from tests.soak import times
from tests.test_dice import by_hand
from tests.walks import random_options, random_seats

Data = dict[str, Any]
BATCHES = 4
FORGERIES = times(700, 25_000)  # for each game and batch: 5 x 4 x 700 = 14,000 in the short form


def a_record(game: AnyGame, random: Random) -> Record:
    options = random_options(game, random)
    secret = f"{random.getrandbits(256):064x}" if random.random() < 0.3 else None
    table = Table(
        game, options=options, seats=random_seats(game, options, random), seed=random.random().hex(), secret=secret
    )
    while not table.is_over:
        table.play(random.choice(table.legal()))
    table.reveal()
    return table.record()


def change_die(data: Data, random: Random) -> None:
    steps = data["steps"].split(" ")
    spot = random.choice([n for n, step in enumerate(steps) if step[0] == "d"])
    place = random.randrange(1, len(steps[spot]))
    steps[spot] = steps[spot][:place] + str(random.randint(1, 6)) + steps[spot][place + 1 :]
    data["steps"] = " ".join(steps)


def change_move(data: Data, random: Random) -> None:
    steps = data["steps"].split(" ")
    spots = [n for n, step in enumerate(steps) if step[0] != "d"]
    if spots:  # a run of one arcade turn may be a single farkle
        steps[random.choice(spots)] = random.choice([steps[n] for n in spots])
    data["steps"] = " ".join(steps)


def drop_step(data: Data, random: Random) -> None:
    steps = data["steps"].split(" ")
    del steps[random.randrange(len(steps))]
    data["steps"] = " ".join(steps)


def repeat_step(data: Data, random: Random) -> None:
    steps = data["steps"].split(" ")
    spot = random.randrange(len(steps))
    steps.insert(spot, steps[spot])
    data["steps"] = " ".join(steps)


def swap_steps(data: Data, random: Random) -> None:
    steps = data["steps"].split(" ")
    a, b = random.randrange(len(steps)), random.randrange(len(steps))
    steps[a], steps[b] = steps[b], steps[a]
    data["steps"] = " ".join(steps)


def change_option(data: Data, random: Random) -> None:
    data["options"] = random_options(GAMES[data["game"]], random)


def change_result(data: Data, random: Random) -> None:
    kind = random.choice(("scores", "winners", "why", "none"))
    if kind == "scores":
        data["result"]["scores"][0] += random.choice((-1, 1, 50, 1000))
    elif kind == "winners":
        data["result"]["winners"] = random.choice(([], [0], [1], [0, 1]))
    elif kind == "why":
        data["result"]["why"] = random.choice(("score", "draw", "shut", "target-reached"))
    else:
        data["result"] = None


def change_seed(data: Data, random: Random) -> None:
    data["dice"]["seed"] += "1"


def change_header(data: Data, random: Random) -> None:
    key, value = random.choice(
        (("game", "farkle"), ("rules", 2), ("format", 2), ("seats", ["a"]), ("unranked", ["undo"]), ("check", "0" * 16))
    )
    data[key] = value


KINDS = (
    change_die,
    change_move,
    drop_step,
    repeat_step,
    swap_steps,
    change_option,
    change_result,
    change_seed,
    change_header,
)


def is_a_true_run(data: Data) -> bool:
    """Judged without the code under test: the twin's rules, and the dice algorithm from its sentences."""
    twin, options, steps = ORACLES[data["game"]], data["options"], data["steps"].split(" ")
    seed = data["dice"]["seed"]
    if "secret" in data["dice"]:
        seed = f"{data['dice']['secret']}/{seed}"
    position = twin.start(options, len(data["seats"]))
    rolled = []
    for step in steps:
        if twin.turn(position) == "dice":
            rolled += [int(die) for die in step[1:]]
            position = twin.roll(position, tuple(int(die) for die in step[1:]))
        else:
            position = twin.move(position, step)
    outcome = twin.outcome(position)
    told = {"scores": data["result"]["scores"], "winners": data["result"]["winners"]}
    return bool(outcome == told and rolled == by_hand(seed, len(rolled)))


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("game_id", GAMES)
def test_no_forgery_passes(game_id: str, batch: int) -> None:
    random, game = Random(f"tampering {game_id} {batch}"), GAMES[game_id]
    refused: Counter[str] = Counter()
    for number in range(FORGERIES):
        if number % 20 == 0:
            record = a_record(game, random)
            assert check(record).ok
        data: Data = json.loads(str(record))
        forge = KINDS[number % len(KINDS)]
        forge(data, random)
        resealed = random.random() < 0.5
        if resealed:
            with suppress(DicehallError):  # it may not even be readable
                data["check"] = from_json(data).check()
        verdict = check(json.dumps(data))
        if not verdict.ok:
            assert verdict.reason
            assert 0 <= verdict.step <= len(data["steps"].split(" ")) + 1
            refused[forge.__name__] += 1
        elif verdict.record != record:
            assert resealed, (forge.__name__, data)
            assert is_a_true_run(data), (forge.__name__, data)
    assert all(refused[forge.__name__] > FORGERIES // len(KINDS) // 3 for forge in KINDS), refused


@pytest.mark.parametrize("game_id", GAMES)
def test_no_damaged_line_passes(game_id: str) -> None:
    """One character of the link replaced, removed or doubled."""
    random = Random(f"lines {game_id}")
    for _ in range(times(15, 300)):
        record = a_record(GAMES[game_id], random)
        line = to_line(record)
        for _ in range(40):
            spot, new = random.randrange(len(line)), random.choice("0123456789abdxyz-/;:=,.%~ é")
            damaged = line[:spot] + random.choice((new, "", line[spot] * 2)) + line[spot + 1 :]
            verdict = check(damaged)
            assert not verdict.ok or verdict.record == record, damaged


def test_the_step_named_is_the_one_that_was_changed() -> None:
    record = Table("lite-solo", seed="demo").record()
    table = Table("lite-solo", seed="demo")
    for cell in ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"):
        table.play(cell)
    data = json.loads(str(table.record()))
    steps = data["steps"].split(" ")
    steps[6] = "d6" if steps[6] != "d6" else "d5"
    data["steps"] = " ".join(steps)
    verdict = check(json.dumps(data))
    assert (verdict.ok, verdict.step, verdict.code) == (False, 7, "die-mismatch")
    assert "the seed's die 4 is" in verdict.reason
    assert check(record).ok  # an unfinished run is a record too


def test_another_secret_than_the_committed_one_is_refused() -> None:
    table = Table("knucklebones", secret="ab" * 32, seed="mine")
    while not table.is_over:
        table.play(table.legal()[0])
    table.reveal()
    data = json.loads(str(table.record()))
    assert check(json.dumps(data)).ok
    data["dice"]["secret"] = "cd" * 32
    assert check(json.dumps(data)).code == "commitment"
    data["dice"]["commitment"] = commitment("cd" * 32)
    assert check(json.dumps(data)).code == "die-mismatch"
    assert read_record(str(table.record())) == table.record()
