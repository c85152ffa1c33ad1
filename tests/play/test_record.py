"""Records: what can be read, what is refused as unreadable, and files of them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from dicehall.dice import ScriptedDice
from dicehall.errors import InvalidOption, InvalidRecord, InvalidText
from dicehall.play.record import Record, from_json
from dicehall.play.record_line import from_line, to_line
from dicehall.play.replay import LONGEST, check, prove, read_record, replay, split_records, start, walk
from dicehall.play.table import Table

GOOD = Table("lite-solo", seed="demo", seats=("Ada, née / 50% ;=",)).record()


def changed(**fields: Any) -> dict[str, Any]:
    data = GOOD.to_json()
    data.update(fields)
    return data


def test_names_and_seeds_survive_a_link() -> None:
    for name in ("Ada", "ä ö ü ß", "a/b;c=d%20e", "🎲", "-", "日本", "a+b,c"):
        record = Table("lite-solo", seed=name, seats=(name,)).record()
        assert from_line(to_line(record)) == record
        assert read_record(f"  {record}\n") == record


@pytest.mark.parametrize(
    "fields",
    [
        {"format": 2},
        {"format": "1"},
        {"format": True},
        {"game": None},
        {"game": "chess"},
        {"rules": 2},
        {"rules": 1.0},
        {"options": []},
        {"options": {"nonsense": 1}},
        {"seats": []},
        {"seats": ["a", "b"]},
        {"seats": [5]},
        {"seats": ["\n"]},
        {"seats": "Ada"},
        {"dice": None},
        {"dice": {}},
        {"dice": {"algorithm": 2}},
        {"dice": {"algorithm": 1, "seed": 5}},
        {"dice": {"algorithm": 1, "seed": ""}},
        {"dice": {"algorithm": 1, "secret": "ab" * 32}},
        {"dice": {"algorithm": 1, "commitment": "short"}},
        {"dice": {"algorithm": 1, "commitment": "XY" * 32}},
        {"dice": {"algorithm": 1, "lost_at": -1}},
        {"dice": {"algorithm": 1, "colour": "red"}},
        {"steps": ["d5"]},
        {"result": []},
        {"result": {}},
        {"result": {"scores": [1.0], "winners": [], "why": ""}},
        {"result": {"scores": [True], "winners": [], "why": ""}},
        {"result": {"scores": [1], "winners": [False], "why": ""}},
        {"result": {"scores": [1], "winners": ["x"], "why": ""}},
        {"result": {"scores": [1], "winners": [], "why": None}},
        {"unranked": "undo"},
        {"unranked": [5]},
        {"unranked": ["two words"]},
        {"check": None},
        {"extra": 1},
    ],
    ids=lambda fields: json.dumps(fields)[:50],
)
def test_unreadable_records_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises((InvalidText, InvalidOption)):
        from_json(changed(**fields))
    verdict = check(json.dumps(changed(**fields)))
    assert (verdict.ok, verdict.step, bool(verdict.reason)) == (False, 0, True)


def test_every_field_is_needed() -> None:
    for name in GOOD.to_json():
        data = GOOD.to_json()
        del data[name]
        with pytest.raises(InvalidText, match=name):
            from_json(data)


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "null", "dicehall1/", "dicehall2/a/b/c/d/e/f/g/h", "{" * 5000, "5", "é"]
)
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises((InvalidText, InvalidOption)):
        read_record(text)


def test_other_types_and_endless_texts_are_refused() -> None:
    stranger: Any
    for stranger in (None, 5, b"{}", {}):
        with pytest.raises(InvalidText):
            read_record(stranger)
    with pytest.raises(InvalidText, match="at most"):
        read_record(" " * (LONGEST + 1))


def test_one_record_has_one_line() -> None:
    line = to_line(GOOD)
    assert from_line(line) == GOOD
    head, *rest = line.split("/")
    for other in (
        "/".join((head, "lite-solo.01", *rest[1:])),
        "/".join((head, rest[0], "target=0", *rest[2:])),
        "/".join((head, rest[0], "x", *rest[2:])),
        line.replace("seed=demo", "seed=d%65mo"),
        line.replace("1;seed", "1;lost_at=x;seed"),
        line.replace("1;seed=demo", "9" * 30),
    ):
        assert other != line
        with pytest.raises((InvalidText, InvalidOption)):
            from_line(other)


def test_moves_have_one_spelling_in_a_record() -> None:
    table = Table("shut-the-box", dice=ScriptedDice((5, 3, 1, 1)))
    table.play("5+3")
    data = table.record().to_json()
    data["steps"] = data["steps"].replace("5+3", "3+5")
    assert check(json.dumps(data)).code == "move-spelling"


def test_results_belong_to_finished_runs() -> None:
    data = changed(result={"scores": [66], "winners": [], "why": "complete"})
    assert check(json.dumps(data)).reason == "the run is not over, so it has no result"
    finished = Table("lite-solo", seed=1)
    while not finished.is_over:
        finished.play(finished.legal()[0])
    data = finished.record().to_json()
    data["result"] = None
    verdict = check(json.dumps(data))
    assert (verdict.step, verdict.code) == (19, "result")


def test_a_lost_seed_is_where_it_is_said_to_be() -> None:
    data = changed(unranked=["seed-mismatch"])
    data["dice"]["lost_at"] = 5
    assert check(json.dumps(data)).code == "lost-at"
    data = changed()
    data["dice"]["lost_at"] = 0
    assert check(json.dumps(data)).code == "lost-at"  # and then the run is unranked


def test_a_seed_is_lost_at_a_die_that_was_rolled() -> None:
    """The dice before it are the seed's, that one and those after it are whatever they are."""
    table = Table("lite-solo", seed="demo")
    for cell in ("a1", "b1", "c1"):
        table.play(cell)
    record = replace(table.record(), unranked=("seed-mismatch",))
    dice = [step for step in record.steps if step.startswith("d")]
    for lost_at, code in ((0, "ok"), (3, "ok"), (4, "lost-at"), (5, "lost-at")):
        assert check(lost(record, lost_at)).code == code
    for place in range(4):
        for face in "123456":
            if face != dice[place][1]:
                steps = [f"d{face}" if number == 2 * place else step for number, step in enumerate(record.steps)]
                forged = replace(record, steps=tuple(steps))
                assert check(lost(forged, place)).ok
                assert place == 3 or check(lost(forged, place + 1)).code == "die-mismatch"


def lost(record: Record, at: int) -> str:
    """The record's JSON, with a seed that was lost there."""
    return str(replace(record, origin=replace(record.origin, lost_at=at)))


def test_proof_needs_a_seed() -> None:
    for table, code in (
        (Table("lite-solo", dice=ScriptedDice((1,))), "no-seed"),
        (Table("lite-solo", dice=ScriptedDice(())), "seed-lost"),
        (Table("lite-solo", secret="ab" * 32), "not-revealed"),
    ):
        with pytest.raises(InvalidRecord) as refusal:
            prove(table.record())
        assert refusal.value.code == code
    assert prove(GOOD) == 1


def test_walking_shows_every_state() -> None:
    table = Table("knucklebones", seed=3)
    states = [table.state]
    while not table.is_over:
        table.play(table.legal()[0])
        states.append(table.state)
    walked = list(walk(table.record()))
    assert [step.text for step in walked] == list(table.steps)
    assert walked[-1].state == replay(table.record()) == table.state
    assert set(states) <= {start(table.record()), *(step.state for step in walked)}


def test_files_of_records() -> None:
    assert split_records(f"{GOOD}\n\n{to_line(GOOD)}\n") == [str(GOOD), to_line(GOOD)]
    spread = json.dumps(GOOD.to_json(), indent=1)
    assert split_records(spread) == [spread]
    assert split_records("") == []
