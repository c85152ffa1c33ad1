"""What a run leaves behind: enough to replay it anywhere, without a generator, and to check every step.

Here a record is plain data and JSON; `record_line.py` writes the same as one line of text for links, `replay.py` says
whether it is true. `docs/records.md` describes the format. Options at their default are left out, so that a record
stays readable when a game gains an option.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, TypedDict

from dicehall import dice
from dicehall.errors import InvalidText, excerpt
from dicehall.rules.catalog import AnyGame, find_game
from dicehall.rules.game import Result
from dicehall.rules.options import Options

FORMAT: Final = 1
LONGEST_NAME: Final = 60
ROLL: Final = re.compile("d[0-9]+")  # how a roll is written
MOST_DICE: Final = 6  # in one roll
YOU: Final = "you"  # what a person is called whom the record does not name
FIELDS: Final = {  # what a record's JSON holds, and of which type
    "format": (int,),
    "game": (str,),
    "rules": (int,),
    "options": (dict,),
    "seats": (list,),
    "dice": (dict,),
    "steps": (str,),
    "result": (dict, type(None)),
    "unranked": (list,),
    "departures": (list,),
    "check": (str,),
}
DICE_FIELDS: Final = {
    "algorithm": (int,),
    "seed": (str,),
    "commitment": (str,),
    "secret": (str,),
    "lost_at": (int,),
    "contributions": (list,),
}
CONTRIBUTION_FIELDS: Final = {"seat": (int,), "commitment": (str,), "seed": (str,)}
DEPARTURE_FIELDS: Final = {"step": (int,), "seat": (int,), "why": (str,)}
RESULT_FIELDS: Final = {"scores": (list,), "winners": (list,), "why": (str,)}
# Why a run is unranked.
UNDO: Final = "undo"  # dice that had been seen were taken back
HINT: Final = "hint"
COACH: Final = "coach"  # the coach was asked about its position, elsewhere
SEED_MISMATCH: Final = "seed-mismatch"  # not all of its dice come from its seed
# Why a seat plays no further.
RESIGNED: Final = "resigned"
TIME: Final = "time"  # it had none left
LEFT: Final = "left"  # it was gone for so long that another seat took the win
ENDED: Final = "ended"  # by the hall, or whoever runs it: nobody has won
WHY_DEPARTED: Final = (RESIGNED, TIME, LEFT, ENDED)
WhyDeparted = Literal["resigned", "time", "left", "ended"]


class ResultJson(TypedDict):
    """Scores by seat, in the unit of the game's aim; who won, by seat; and a code for what decided it."""

    scores: list[int]
    winners: list[int]
    why: str


class Contribution(NamedTuple):
    """What one seat has added to the dice."""

    seat: int
    commitment: str  # its seal: what it published before any seed was opened
    seed: str


class Departure(NamedTuple):
    """A seat plays no further."""

    step: int  # how many steps had been played
    seat: int
    why: str  # one of WHY_DEPARTED


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the dice came from. Nothing of it: a script, or dice rolled by hand."""

    seed: str | None = None  # alone: the dice's seed; beside a commitment: what the player added, or all together
    commitment: str | None = None  # what the house published before the first roll
    secret: str | None = None  # what it revealed after the end
    lost_at: int | None = None  # the first die that came from the system's generator instead
    contributions: tuple[Contribution, ...] = ()  # of which the seed is made, in the order in which the seals came

    def dice(self) -> dice.SeededDice | None:
        """The source to check the dice against, once everything it needs is known."""
        if self.commitment is None:
            return None if self.seed is None else dice.SeededDice(self.seed)
        return None if self.secret is None else dice.SeededDice(dice.mixed(self.secret, self.seed or ""))

    def known(self) -> dict[str, str | int]:
        """Without the contributions."""
        everything = {name: getattr(self, name) for name in ("seed", "commitment", "secret", "lost_at")}
        return {name: value for name, value in everything.items() if value is not None}

    def to_json(self) -> dict[str, Any]:
        told = [one._asdict() for one in self.contributions]
        return {**self.known(), **({"contributions": told} if told else {})}


@dataclass(frozen=True, slots=True)
class Record:
    game: str
    rules: int
    options: Options
    seats: tuple[str, ...]  # who sat there, by name
    origin: Origin
    steps: tuple[str, ...]  # d53 is a roll of 5 and 3; everything else is a move in the game's notation
    result: Result | None = None  # None: the run is not over
    unranked: tuple[str, ...] = ()  # why it cannot enter a board
    departures: tuple[Departure, ...] = ()  # in order
    claimed_check: str | None = field(default=None, compare=False, repr=False)  # as read; `replay` compares

    def find_game(self) -> AnyGame:
        return find_game(self.game, self.rules)

    def check(self) -> str:
        """A digest of everything in the record. It catches slips and casual changes; proof is the commitment."""
        body = json.dumps(self._body(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(body.encode()).hexdigest()[:16]

    def to_json(self) -> dict[str, Any]:
        return {**self._body(), "check": self.check()}

    def __str__(self) -> str:
        return json.dumps(self.to_json(), separators=(",", ":"))

    def _body(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "game": self.game,
            "rules": self.rules,
            "options": self.options.changed(),
            "seats": list(self.seats),
            "dice": {"algorithm": dice.ALGORITHM, **self.origin.to_json()},
            "steps": " ".join(self.steps),
            "result": None if self.result is None else result_json(self.result),
            "unranked": list(self.unranked),
            **({"departures": [one._asdict() for one in self.departures]} if self.departures else {}),
        }


def from_json(data: Any) -> Record:
    """A record from its JSON data. Reads and nothing more: `replay` says whether it is true."""
    _check_fields("a record", data, FIELDS, optional=("departures",))
    if data["format"] != FORMAT:
        raise InvalidText("record-format", f"format {excerpt(data['format'])} is not known here; {FORMAT} is")
    source, result = data["dice"], data["result"]
    _check_fields("dice", source, DICE_FIELDS, optional=[name for name in DICE_FIELDS if name != "algorithm"])
    if source["algorithm"] != dice.ALGORITHM:
        raise InvalidText("record-dice", f"algorithm {excerpt(source['algorithm'])} is not known here")
    if result is not None:
        _check_fields("a result", result, RESULT_FIELDS, optional=())
        if any(type(value) is not int for value in (*result["scores"], *result["winners"])):
            raise InvalidText("record-result", "scores and winners are whole numbers")
        result = Result(tuple(result["scores"]), tuple(result["winners"]), result["why"])
    game = find_game(data["game"], data["rules"])
    options = game.make_options(data["options"])
    game.check_seats(options, len(data["seats"]))
    return Record(
        game.id,
        game.version,
        options,
        tuple(check_name(name) for name in data["seats"]),
        _read_origin(source),
        tuple(data["steps"].split(" ")) if data["steps"] else (),
        result,
        tuple(_check_code(why) for why in data["unranked"]),
        _read_departures(data),
        data["check"],
    )


def load_json(text: str, what: str) -> Any:
    """`json.loads`, with every failure turned into one clear error."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)[:80]
        raise InvalidText("json", f"{what} is not readable JSON: {reason}") from None


def result_json(result: Result) -> ResultJson:
    return {"scores": list(result.scores), "winners": list(result.winners), "why": result.why}


def roll_text(roll: tuple[int, ...]) -> str:
    return "d" + "".join(map(str, roll))


def is_roll(step: str) -> bool:
    """Whether a step of a run is a roll, a d with digits; else it is a move."""
    return ROLL.fullmatch(step) is not None


@lru_cache(4096)  # a run is full of them, and with few dice there are not many
def read_roll(text: str) -> tuple[int, ...]:
    if not is_roll(text) or text[1:].strip("123456") or len(text) > 1 + MOST_DICE:
        raise InvalidText("roll", f"a roll reads d53, not {excerpt(text)}")
    return tuple(map(int, text[1:]))


def check_name(name: Any) -> str:
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise InvalidText(
            "seat-name", f"a seat's name is 1 to {LONGEST_NAME} printable characters, not {excerpt(name)}"
        )
    return name


def _read_origin(source: dict[str, Any]) -> Origin:
    known = {name: value for name, value in source.items() if name not in ("algorithm", "contributions")}
    origin = Origin(**known, contributions=_read_contributions(source))
    if origin.seed is not None:
        dice.seed_text(origin.seed, allow_empty=origin.commitment is not None)
    for digest in (origin.commitment, origin.secret):
        if digest is not None and not dice.is_hex(digest):
            raise InvalidText("record-dice", "commitment and secret are 64 hex digits each")
    if origin.secret is not None and origin.commitment is None:
        raise InvalidText("record-dice", "a secret needs the commitment it opens")
    if origin.lost_at is not None and origin.lost_at < 0:
        raise InvalidText("record-dice", "lost_at counts dice")
    return origin


def _read_contributions(source: dict[str, Any]) -> tuple[Contribution, ...]:
    found = []
    for told in _listed("contributions", source):
        _check_fields("a contribution", told, CONTRIBUTION_FIELDS, optional=())
        if told["seat"] < 0:
            raise InvalidText("record-dice", "a contribution's seat is a number from 0 on")
        if not dice.is_hex(told["commitment"]) or not dice.is_hex(told["seed"]):
            raise InvalidText("record-dice", "a contribution's commitment and seed are 64 hex digits each")
        found.append(Contribution(**told))
    return tuple(found)


def _read_departures(data: dict[str, Any]) -> tuple[Departure, ...]:
    found = []
    for told in _listed("departures", data):
        _check_fields("a departure", told, DEPARTURE_FIELDS, optional=())
        if told["step"] < 0 or told["seat"] < 0:
            raise InvalidText("record-departures", "step and seat of a departure are numbers from 0 on")
        if told["why"] not in WHY_DEPARTED:
            known = ", ".join(WHY_DEPARTED)
            raise InvalidText("departure-why", f"{excerpt(told['why'])} is not why a seat departs; {known} are")
        found.append(Departure(**told))
    return tuple(found)


def _listed(name: str, data: dict[str, Any]) -> list[Any]:
    """A list that is left out where it would be empty, so that what had none before it came is what it was."""
    if name in data and not data[name]:
        raise InvalidText("record-field", f"{name} is left out where there are none")
    listed: list[Any] = data.get(name, [])
    return listed


def _check_code(why: Any) -> str:
    if not isinstance(why, str) or not why.isascii() or not why.replace("-", "").isalpha():
        raise InvalidText("record-unranked", f"unranked lists codes like undo, not {excerpt(why)}")
    return why


def _check_fields(what: str, data: Any, known: dict[str, Any], optional: Collection[str]) -> None:
    if type(data) is not dict:
        raise InvalidText("record-field", f"{what} is a JSON object, not {excerpt(data)}")
    for name in data:
        if name not in known:
            raise InvalidText("record-field", f"{what} has no field {excerpt(name)}")
    for name, kinds in known.items():
        if name not in data and name not in optional:
            raise InvalidText("record-field", f"{what} lacks the field {name}")
        if name in data and type(data[name]) not in kinds:
            raise InvalidText("record-field", f"{what}: {name} cannot be {excerpt(data[name])}")
