"""Dice that nobody could choose: what each seat adds is sealed first, made into one seed, and proved by the record."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain, permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicehall.bots.seats import YOU
from dicehall.dice import SeededDice, commitment, contribution_seal, joint_seed, mixed
from dicehall.errors import DicehallError, InvalidOption, InvalidRecord, InvalidText
from dicehall.play.record import Contribution, Departure, Origin, Record, from_json
from dicehall.play.record_line import from_line, to_line
from dicehall.play.replay import check, prove, read_record, replay
from dicehall.play.table import Table
from dicehall.rules.catalog import GAMES, AnyGame
from dicehall.rules.game import Result
from tests.soak import times
from tests.test_dice import CHI_SQUARE_999, by_hand, chi_square, first
from tests.walks import random_options

SECRET = "c0ffee00" * 8
HOUSE = commitment(SECRET)
SEEDS = ["0a" * 32, "1b" * 32, "2c" * 32]
SEVERAL = [game.id for game in GAMES.values() if game.seats[-1] > 1]
PEOPLE = ["you", "you", "level:3"]


def sealed(seat: int, seed: str, house: str = HOUSE) -> Contribution:
    return Contribution(seat, contribution_seal(house, seat, seed), seed)


GIVEN = [sealed(1, SEEDS[1]), sealed(0, SEEDS[0])]  # the second seat was the first to seal


def played(table: Table, random: Random | None = None) -> Record:
    while not table.is_over:
        table.play(random.choice(table.legal()) if random else table.legal()[-1])
    table.reveal()
    return table.record()


def a_run() -> Record:
    return played(Table("farkle", options={"target": 500}, seats=PEOPLE, secret=SECRET, contributions=GIVEN))


RUN = a_run()


def options_for_several(game: AnyGame, random: Random) -> tuple[dict[str, Any], int]:
    while True:
        options = random_options(game, random)
        several = [seats for seats in game.make_options(options).seats(game.seats) if seats > 1]
        if several:
            return options, random.choice(several)


@pytest.mark.parametrize("game_id", SEVERAL)
def test_runs_between_people_are_proved(game_id: str) -> None:
    """1,000 of them; the dice are worked out once more from the sentences of docs/dice.md."""
    game, random = GAMES[game_id], Random(f"contributions {game_id}")
    for _ in range(times(1000 // len(SEVERAL), 10_000)):
        options, seats = options_for_several(game, random)
        people = sorted(random.sample(range(seats), random.randint(1, seats)))
        secret, seeds = f"{random.getrandbits(256):064x}", [f"{random.getrandbits(256):064x}" for _ in people]
        house = hashlib.sha256(f"dicehall/1/commitment/{secret}".encode()).hexdigest()
        given = [
            Contribution(
                seat, hashlib.sha256(f"dicehall/1/contribution/{house}/{seat}/{seed}".encode()).hexdigest(), seed
            )
            for seat, seed in zip(people, seeds, strict=True)
        ]
        random.shuffle(given)
        names = [YOU if seat in people else "random" for seat in range(seats)]
        table = Table(game, options=options, seats=names, secret=secret, contributions=given)
        assert secret not in str(table.record())
        record = played(table, random)
        assert list(record.origin.contributions) == given
        joint = hashlib.sha256(f"dicehall/1/contributions/{'/'.join(seeds)}".encode()).hexdigest()
        rolled = [int(die) for step in record.steps if step[0] == "d" for die in step[1:]]
        assert rolled == by_hand(f"{secret}/{joint}", len(rolled))
        assert prove(record) == len(rolled)
        assert from_line(to_line(record)) == read_record(str(record)) == record
        assert check(to_line(record)).ok


def test_a_record_lists_them_in_the_order_in_which_the_seals_came() -> None:
    told = RUN.to_json()["dice"]
    assert [one["seat"] for one in told["contributions"]] == [1, 0]
    assert told["seed"] == joint_seed(SEEDS[:2])
    turned = replace(RUN, origin=replace(RUN.origin, contributions=tuple(reversed(GIVEN))))
    assert turned.check() != RUN.check(), "the order is part of the record"
    assert (check(turned).ok, prove(turned)) == (True, prove(RUN)), "and makes no difference to the dice"
    data = turned.to_json() | {"check": RUN.check()}
    assert check(json.dumps(data)).code == "check"


def test_without_any_a_record_is_what_it_was() -> None:
    table = Table("lite-solo", seed="demo", options={"target": 90}, seats=["Ada"])
    for cell in ("b2", "a1", "b1"):
        table.play(cell)
    assert table.record().check() == "28d2a07ed9da05d3"
    assert list(table.record().to_json()) == [
        "format", "game", "rules", "options", "seats", "dice", "steps", "result", "unranked", "check",
    ]  # fmt: skip
    assert list(table.record().to_json()["dice"]) == ["algorithm", "seed"]


def forged(*contributions: Contribution, **origin: Any) -> Origin:
    """With the joint seed that follows from these contributions, as a forger would have it."""
    in_order = [one.seed for one in sorted(contributions)]
    return replace(RUN.origin, **{"contributions": contributions, "seed": joint_seed(in_order), **origin})


ONE, TWO = GIVEN
FORGERIES: dict[str, tuple[Origin, str, str]] = {
    "another seed behind a seal": (
        forged(ONE._replace(seed=SEEDS[2]), TWO),
        "contribution-seal",
        "the seed of seat 1 does not open its seal",
    ),
    "a seal of another run": (
        forged(ONE, sealed(0, SEEDS[0], commitment("ab" * 32))),
        "contribution-seal",
        "the seed of seat 0 does not open its seal",
    ),
    "a seal that is nothing": (
        forged(ONE, TWO._replace(commitment="00" * 32)),
        "contribution-seal",
        "the seed of seat 0 does not open its seal",
    ),
    "seeds swapped": (
        forged(ONE._replace(seed=SEEDS[0]), TWO._replace(seed=SEEDS[1])),
        "contribution-swapped",
        "what stands for seat 1 is the contribution of another seat",
    ),
    "seats swapped": (
        forged(ONE._replace(seat=0), TWO._replace(seat=1)),
        "contribution-swapped",
        "what stands for seat 0 is the contribution of another seat",
    ),
    "a contribution copied": (
        forged(ONE, ONE._replace(seat=0)),
        "contribution-swapped",
        "what stands for seat 0 is the contribution of another seat",
    ),
    "the same seat twice": (
        forged(ONE, TWO, sealed(1, SEEDS[2])),
        "contribution-twice",
        "seat 1 has contributed more than once",
    ),
    "one person without": (
        forged(ONE),
        "contribution-missing",
        "the person on seat 0 has not contributed, and others have",
    ),
    "a seat that is not there": (
        forged(ONE, TWO, sealed(3, SEEDS[2])),
        "contribution-seat",
        "a seat 3 has contributed, and there is none at this table",
    ),
    "another joint seed": (
        forged(ONE, TWO, seed=joint_seed([SEEDS[1], SEEDS[0]])),
        "contribution-joint",
        "the joint seed does not follow from the contributions",
    ),
    "no joint seed": (
        forged(ONE, TWO, seed=None),
        "contribution-joint",
        "the joint seed does not follow from the contributions",
    ),
    "no commitment of the house": (
        forged(ONE, TWO, commitment=None, secret=None),
        "contribution-house",
        "there are contributions, and no commitment of the house that they were sealed to",
    ),
    "another commitment of the house": (
        forged(ONE, TWO, commitment=commitment("ab" * 32), secret="ab" * 32),
        "contribution-seal",
        "the seed of seat 1 does not open its seal",
    ),
}


@pytest.mark.parametrize("what", FORGERIES)
@pytest.mark.parametrize("revealed", [True, False])
def test_each_forgery_is_refused_by_its_name(what: str, revealed: bool) -> None:
    """Also before the end, when nobody knows the secret: seals and seeds are proved without it."""
    origin, code, sentence = FORGERIES[what]
    record = replace(RUN, origin=origin if revealed else replace(origin, secret=None))
    for form in (record, str(record), to_line(record)):  # with check digits that fit
        verdict = check(form)
        assert (verdict.ok, verdict.step, verdict.code, verdict.reason) == (False, 0, code, sentence)
    with pytest.raises(InvalidRecord) as refusal:
        replay(record)
    assert refusal.value.code == code


def test_every_forgery_has_a_code_of_its_own() -> None:
    names = ("seal", "swapped", "twice", "missing", "seat", "joint", "house")
    assert {code for _, code, _ in FORGERIES.values()} == {f"contribution-{name}" for name in names}


def test_a_record_says_who_contributed_and_a_house_player_may_have() -> None:
    """Whoever is not called `you` may have added something, or not."""
    for names, ok in (
        (("Ada", "Grace", "you"), False),
        (("Ada", "Grace", "Alan"), True),
        (("you", "you", "Alan"), True),
    ):
        assert check(replace(RUN, seats=names)).ok is ok
    three = [*GIVEN, sealed(2, SEEDS[2])]
    assert check(played(Table("farkle", options={"target": 500}, seats=PEOPLE, secret=SECRET, contributions=three))).ok


UNREADABLE: list[Any] = [
    [],
    {},
    "text",
    [5],
    [{}],
    [{"seat": 0, "commitment": "00" * 32}],
    [{"seat": 0, "commitment": "00" * 32, "seed": "00" * 32, "name": "Ada"}],
    [{"seat": "0", "commitment": "00" * 32, "seed": "00" * 32}],
    [{"seat": True, "commitment": "00" * 32, "seed": "00" * 32}],
    [{"seat": -1, "commitment": "00" * 32, "seed": "00" * 32}],
    [{"seat": 0, "commitment": "AB" * 32, "seed": "00" * 32}],
    [{"seat": 0, "commitment": "00" * 32, "seed": "00" * 31}],
    [{"seat": 0, "commitment": "00" * 32, "seed": None}],
    [{"seat": 0, "commitment": "00" * 32, "seed": "00" * 32}, None],
]


@pytest.mark.parametrize("told", UNREADABLE, ids=lambda told: json.dumps(told)[:60])
def test_what_is_no_contribution_cannot_be_read(told: Any) -> None:
    data = RUN.to_json()
    data["dice"]["contributions"] = told
    with pytest.raises(InvalidText):
        from_json(data)
    assert check(json.dumps(data)).step == 0


@pytest.mark.parametrize(
    "written", ["", ":", "0", f"0:{'00' * 32}", f"x:{'00' * 32}:{'00' * 32}", f"00:{'00' * 32}:{'00' * 32}", "0:1:2:3"]
)
def test_a_line_has_one_way_to_write_them(written: str) -> None:
    line = to_line(RUN)
    head, _, rest = line.partition("contributions=")
    told, slash, tail = rest.partition("/")
    assert told == ",".join(":".join(map(str, one)) for one in GIVEN)
    with pytest.raises(InvalidText):
        from_line(f"{head}contributions={written}{slash}{tail}")
    with pytest.raises(InvalidText):
        from_line(line.replace(",0:", ",00:"))


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "seat": st.integers(-1, 5) | st.sampled_from([10**30, 1.0, None, True]),
                "commitment": st.sampled_from([ONE.commitment, TWO.commitment, "00" * 32, "", None, 5]),
                "seed": st.sampled_from([*SEEDS, "", None]),
            }
        ),
        max_size=4,
    )
)
@settings(max_examples=times(200, 5000), deadline=None)
def test_whatever_stands_there_is_proved_or_refused(told: list[dict[str, Any]]) -> None:
    data = RUN.to_json()
    data["dice"]["contributions"] = told
    verdict = check(json.dumps(data))
    assert verdict.ok == (repr(told) == repr([one._asdict() for one in GIVEN]))  # 1.0 and True are no seat
    assert verdict.ok or verdict.reason


# -- tables


@pytest.mark.parametrize(
    "source",
    [
        {"contributions": GIVEN},  # without a secret
        {"contributions": GIVEN, "seed": "mine"},
        {"contributions": GIVEN, "secret": SECRET, "seed": "mine"},  # the seed follows
        {"contributions": GIVEN, "secret": SECRET, "dice": SeededDice("x")},
        {"contributions": GIVEN[:1], "secret": SECRET},  # one person is missing
        {"contributions": [ONE, TWO._replace(seed=SEEDS[2])], "secret": SECRET},
        {"contributions": GIVEN, "secret": "ab" * 32},
        {"contributions": [ONE._replace(seed="short"), TWO], "secret": SECRET},
    ],
)
def test_a_table_takes_contributions_that_are_right(source: dict[str, Any]) -> None:
    with pytest.raises((InvalidOption, InvalidText)):
        Table("farkle", seats=PEOPLE, **source)


def test_a_table_that_loses_its_seed_keeps_what_was_contributed(caplog: pytest.LogCaptureFixture) -> None:
    table = Table("farkle", seats=PEOPLE, secret=SECRET, contributions=GIVEN)
    before = table.record().origin
    table._source = type("Broken", (), {"die": lambda self, index: 0})()
    for _ in range(8):
        table.play(table.legal()[0])
    assert table.record().origin == replace(before, lost_at=6)
    assert check(table.record()).ok
    assert "seed mismatch" in caplog.text


# -- what can be known, and when


def test_what_is_public_before_the_end_gives_no_dice() -> None:
    """Nothing but the secret turns commitment, seals and seeds into dice: no function does, and no obvious way to put
    them together gives the dice either."""
    table = Table("farkle", seats=PEOPLE, secret=SECRET, contributions=GIVEN)
    origin = table.record().origin
    assert (origin.secret, origin.dice()) == (None, None)
    with pytest.raises(InvalidRecord) as refusal:
        prove(table.record())
    assert refusal.value.code == "not-revealed"
    real = first(mixed(SECRET, joint_seed(SEEDS[:2])), 100)
    public = [HOUSE, *chain.from_iterable((one.commitment, one.seed) for one in GIVEN)]
    public += [joint_seed(some) for n in (1, 2, 3) for some in permutations(public, n)]
    guesses = [*public, *(mixed(a, b) for a, b in permutations(public, 2))]
    assert all(first(guess, 100) != real for guess in guesses)


def test_before_the_seeds_are_open_there_is_no_run() -> None:
    """With seals alone there is nothing to give a table, not even for the house, which has the secret."""
    for unopened in ([one._replace(seed="") for one in GIVEN], [one._replace(seed=one.commitment) for one in GIVEN]):
        with pytest.raises(DicehallError):
            Table("farkle", seats=PEOPLE, secret=SECRET, contributions=unopened)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_any_one_contribution_changes_all_dice(seat: int) -> None:
    """Also by a single bit: what comes out has no more to do with what was than with any other dice, which agree in one
    of six."""
    before = first(mixed(SECRET, joint_seed(SEEDS)), 600)
    same = 0
    runs = 40
    for bit in range(runs):
        seeds = list(SEEDS)
        seeds[seat] = f"{int(seeds[seat], 16) ^ (1 << (bit * 6)):064x}"
        after = first(mixed(SECRET, joint_seed(seeds)), 600)
        same += sum(a == b for a, b in zip(before, after, strict=True))
    agreeing = Counter({"same": same, "other": runs * 600 - same})
    expected = {"same": runs * 100, "other": runs * 500}
    assert sum((agreeing[key] - expected[key]) ** 2 / expected[key] for key in expected) < 10.83  # 0.1%, one degree


def _house_is_honest(random: Random) -> tuple[str, list[str]]:
    return f"{random.getrandbits(256):064x}", SEEDS[:2]


def _first_is_honest(random: Random) -> tuple[str, list[str]]:
    return SECRET, [f"{random.getrandbits(256):064x}", SEEDS[1]]


def _last_is_honest(random: Random) -> tuple[str, list[str]]:
    return SECRET, [SEEDS[0], f"{random.getrandbits(256):064x}"]


@pytest.mark.parametrize("honest", [_house_is_honest, _first_is_honest, _last_is_honest])
def test_one_who_draws_at_random_is_enough(honest: Callable[[Random], tuple[str, Sequence[str]]]) -> None:
    """All others act together, and their parts are fixed: first dice, pairs and triples are fair over many runs."""
    random = Random(honest.__name__)
    faces: Counter[tuple[int, ...]] = Counter()
    pairs: Counter[tuple[int, ...]] = Counter()
    triples: Counter[tuple[int, ...]] = Counter()
    for _ in range(times(12_000, 200_000)):
        secret, seeds = honest(random)
        rolled = tuple(first(mixed(secret, joint_seed(seeds)), 6))
        faces[rolled[:1]] += 1
        pairs[rolled[1:3]] += 1
        triples[rolled[3:]] += 1
    assert chi_square(faces, 6) < CHI_SQUARE_999[5]
    assert chi_square(pairs, 36) < CHI_SQUARE_999[35]
    assert chi_square(triples, 216) < CHI_SQUARE_999[215]


def test_colluders_who_tried_many_seeds_gain_nothing() -> None:
    """They take the seed that brings most sixes for what they guess the honest seat has; with what it has, they are
    where they were."""
    random, guess = Random("colluders"), "77" * 32
    tried = [f"{random.getrandbits(256):064x}" for _ in range(times(300, 5000))]
    best = max(tried, key=lambda seed: first(mixed(SECRET, joint_seed([seed, guess])), 60).count(6))
    assert first(mixed(SECRET, joint_seed([best, guess])), 60).count(6) > 12, "ten of sixty are to be expected"
    sixes = Counter(
        die
        for _ in range(400)
        for die in first(mixed(SECRET, joint_seed([best, f"{random.getrandbits(256):064x}"])), 60)
    )
    assert chi_square(sixes, 6) < CHI_SQUARE_999[5]


DUEL = [sealed(2, SEEDS[2]), sealed(0, SEEDS[0]), sealed(1, SEEDS[1])]


def duel_run(contributions: Sequence[Contribution] = tuple(DUEL)) -> Record:
    return played(Table("lite-solo", seats=["you"], secret=SECRET, contributions=contributions))


def test_in_a_duel_every_run_has_the_seeds_of_all() -> None:
    """The parties of it count as seats do: the same dice for everybody, from a joint seed that is proved."""
    record = duel_run()
    assert record.origin.seed == joint_seed(SEEDS)
    assert prove(record) == 9
    assert from_line(to_line(record)) == read_record(str(record)) == record
    rolled = [step for step in record.steps if step[0] == "d"]
    assert rolled == [step for step in duel_run(DUEL[::-1]).steps if step[0] == "d"]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (DUEL[:2], "contribution-seat"),  # the third party is left out, and the numbers have a gap
        ([*DUEL[:2], DUEL[0]], "contribution-twice"),
        ([*DUEL[:2], sealed(3, SEEDS[1])], "contribution-seat"),
        ([*DUEL[:2], DUEL[2]._replace(seed="ff" * 32)], "contribution-seal"),
        ([DUEL[0], DUEL[1], DUEL[1]._replace(seat=1)], "contribution-swapped"),
    ],
)
def test_a_duel_with_other_parties_than_it_had(given: list[Contribution], code: str) -> None:
    record = duel_run()
    joint = joint_seed([one.seed for one in sorted(given)])
    forged_run = replace(record, origin=replace(record.origin, contributions=tuple(given), seed=joint))
    assert check(forged_run).code == code


def test_a_duel_to_which_others_come_later_has_the_seed_of_the_first() -> None:
    assert check(duel_run([sealed(0, SEEDS[0])])).ok
    with pytest.raises(InvalidOption):
        duel_run([sealed(1, SEEDS[0])])


def test_a_run_of_one_seat_is_no_duel_without_contributions() -> None:
    """It is left as it is, and ends by no departure."""
    table = Table("lite-solo", seats=["you"], secret=SECRET, seed="Ada")
    with pytest.raises(DicehallError, match="nobody departs from a run of one seat"):
        table.depart(0, "time")
    record = played(table)
    assert check(record).ok
    assert check(replace(record, departures=(Departure(18, 0, "time"),))).code == "departure-alone"


@pytest.mark.parametrize("why", ["time", "resigned", "left", "ended"])
def test_a_board_of_a_duel_ends_as_it_stands(why: str) -> None:
    table = Table("lite-solo", seats=["you"], secret=SECRET, contributions=DUEL)
    table.play("a1")
    table.depart(0, why)
    table.reveal()
    record = table.record()
    assert record.result == Result((int(record.steps[0][1]),), (), why)
    assert (check(record).ok, prove(record)) == (True, 2)
    assert from_line(to_line(record)) == record
    with pytest.raises(DicehallError, match="the run is over"):
        table.depart(0, why)
    assert check(replace(record, departures=record.departures * 2)).code == "departure-twice"
    assert check(replace(record, steps=record.steps[:1])).code == "departure-step"
