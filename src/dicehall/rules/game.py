"""What a game is: a handful of pure functions over immutable states, gathered in one value.

Chance is an actor like any seat. Whoever holds dice (a live table, a replay, a solver, perft) walks the same tree:

    actor(state)  ->  DICE      then  rolled(state, dice)  with dice_to_roll(state) of them
                  ->  a seat    then  after(state, move)   with a move of legal(state)
                  ->  NOBODY    then  result(state)

`rolled` and `after` trust their caller: solvers and perft, which only ever walk legal edges. Everybody else goes
through `roll` and `apply`, which check first and raise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache, cached_property
from itertools import combinations_with_replacement
from math import factorial
from typing import Any, Final, Generic, Literal, NamedTuple, Protocol, TypeVar

from dicehall.errors import DicehallError, IllegalMove, InvalidOption, InvalidText, excerpt
from dicehall.rules.options import Options, OptionValue, describe_values

# How a run ends for a seat: it wins alone, with some of the others, with all of them, or not.
Outcome = Literal["won", "shared", "drawn", "lost"]
DICE: Final = -1
NOBODY: Final = -2

S = TypeVar("S")
M = TypeVar("M")
OptionsT = TypeVar("OptionsT", bound=Options)


class Result(NamedTuple):
    scores: tuple[int, ...]  # by seat, in the unit that the game's aim names
    winners: tuple[int, ...]  # seats; several share a draw; alone: (0,) when the run met its goal, else ()
    why: str  # a code: what decided it

    def outcome(self, seat: int) -> Outcome | None:
        """How it ended for `seat`; None where nothing was to be won or lost."""
        if seat not in self.winners:
            return "lost" if self.winners or self.why.endswith("-missed") else None
        if len(self.winners) == 1:
            return "won"
        return "drawn" if len(self.winners) == len(self.scores) else "shared"


class Aim(NamedTuple):
    """What the scores of a run count, and which end of them is the good one."""

    unit: str  # points, turns, rounds
    lower_is_better: bool = False


class Rules(Protocol[S, M, OptionsT]):
    """What a rule file holds. The file itself is the implementation: mypy checks the module against this.

    A state has `options`; that of a game for several seats has `seat` too: whose turn it is, also while the dice roll,
    and -1 as long as a die has still to decide. By it events tell that the turn has passed, and reports whose luck a
    roll was. Its `result` is asked for in the middle of a run, too, when a seat departs: for the scores as they stand.
    A `why` of a result that ends in `-missed` means that a game played alone was lost; any other without winners, that
    there was nothing to win.

    A rule file may have BY_SEAT: the names of those parts of the state that are tuples with a member for each seat.
    Where the hall has no drawing for the game, they are shown beside the seats' names.
    """

    @property
    def ID(self) -> str: ...  # noqa: N802
    @property
    def TITLE(self) -> str: ...  # noqa: N802
    @property
    def VERSION(self) -> int: ...  # noqa: N802
    @property
    def SEATS(self) -> range: ...  # noqa: N802
    @property
    def PRESETS(self) -> Mapping[str, Mapping[str, OptionValue]]: ...  # noqa: N802
    @property
    def Options(self) -> type[OptionsT]: ...  # noqa: N802
    @property
    def State(self) -> type[S]: ...  # noqa: N802

    def aim(self, options: OptionsT, seats: int) -> Aim: ...
    def start(self, options: OptionsT, seats: int) -> S: ...
    def seats_of(self, state: S) -> int: ...
    def actor(self, state: S) -> int: ...
    def dice_to_roll(self, state: S) -> int: ...
    def rolled(self, state: S, dice: tuple[int, ...]) -> S: ...
    def legal(self, state: S) -> tuple[M, ...]: ...
    def after(self, state: S, move: M) -> S: ...
    def result(self, state: S) -> Result: ...
    def why_not(self, state: S, move: M) -> tuple[str, str]: ...
    def read_move(self, text: str) -> M: ...
    def move_text(self, move: M) -> str: ...
    def read_state(self, options: OptionsT, text: str) -> S: ...
    def state_text(self, state: S) -> str: ...


class Game(Generic[S, M, OptionsT]):
    """A game for everybody: screens, servers, replays, bots. What comes in here is checked; `rules`, the rule file
    itself, trusts its callers."""

    def __init__(self, rules: Rules[S, M, OptionsT]) -> None:
        self.rules = rules
        self.id, self.title, self.version = rules.ID, rules.TITLE, rules.VERSION  # a record names the version
        self.seats, self.presets, self.options = rules.SEATS, rules.PRESETS, rules.Options

    @property
    def about(self) -> str:
        """The rules in words: the file's docstring."""
        return self.rules.__doc__ or ""

    def __repr__(self) -> str:
        return f"<{self.id}, rules {self.version}>"

    def begin(self, options: Mapping[str, OptionValue] | OptionsT | None = None, seats: int | None = None) -> S:
        """`start` for everybody: checks the options and the number of seats."""
        chosen = self.make_options({} if options is None else options)
        return self.rules.start(chosen, self.check_seats(chosen, seats))

    def apply(self, state: S, move: M) -> S:
        """`after` for everybody: screens, servers, replays, bots."""
        self.check_state(state)
        if move not in self.rules.legal(state):
            raise self._refusal(state, move)
        return self.rules.after(state, move)

    def _refusal(self, state: S, move: M) -> DicehallError:
        try:
            text = self.rules.move_text(move)
            self.rules.read_move(text)
        except (DicehallError, AttributeError, LookupError, TypeError):
            return InvalidText("move", f"{excerpt(move)} is not a move of {self.id}")
        if self.rules.actor(state) == NOBODY:
            return IllegalMove("game-over", f"{text}: the game is over")
        if self.rules.actor(state) == DICE:
            return IllegalMove("dice-first", f"{text}: the dice have to be rolled first")
        code, sentence = self.rules.why_not(state, move)
        return IllegalMove(code, f"{text}: {sentence}")

    def check_state(self, state: S) -> None:
        if not isinstance(state, self.rules.State):
            raise InvalidText("state", f"{excerpt(state)} is not a state of {self.id}")

    def roll(self, state: S, dice: tuple[int, ...]) -> S:
        """`rolled` for everybody."""
        self.check_state(state)
        if self.rules.actor(state) != DICE:
            raise IllegalMove("no-roll", "no dice are to be rolled now")
        expected = self.rules.dice_to_roll(state)
        if len(dice) != expected:
            raise IllegalMove("dice-count", f"{expected} dice are to be rolled now, not {len(dice)}")
        for die in dice:
            if type(die) is not int or not 1 <= die <= 6:
                raise IllegalMove("die", f"a die shows 1 to 6, not {excerpt(die)}")
        return self.rules.rolled(state, dice)

    def make_options(self, chosen: Mapping[str, OptionValue] | OptionsT) -> OptionsT:
        """Options from plain data. `preset` stands for several options at once; the others override it."""
        if isinstance(chosen, self.options):
            return chosen
        if not isinstance(chosen, Mapping):
            raise InvalidOption("options-type", f"options are names with values, not {excerpt(chosen)}")
        values = dict(chosen)
        preset = values.pop("preset", None)
        if preset is not None:
            if not isinstance(preset, str) or preset not in self.presets:
                known = ", ".join(self.presets) or "none"
                raise InvalidOption("preset", f"{self.id} has no preset {excerpt(preset)}; presets: {known}")
            values = {**self.presets[preset], **values}
        known_names = {option.name for option in fields(self.options)}
        for name in values:
            if name not in known_names:
                known = ", ".join(sorted(known_names | {"preset"}))
                raise InvalidOption("option-name", f"{self.id} has no option {excerpt(name)}; options: {known}")
        return self.options(**values)

    def is_usual(self, options: OptionsT) -> bool:
        """Whether these are the default options, or those of a preset, or what is left of them with several seats."""
        return options in self._usual

    @cached_property
    def _usual(self) -> frozenset[OptionsT]:
        usual = [self.make_options(values) for values in ({}, *self.presets.values())]
        return frozenset([*usual, *(options.in_force(seats) for options in usual for seats in self.seats)])

    def read_option(self, name: str, text: str) -> OptionValue:
        """One option's value from text, as the command line and the one-line record write it."""
        for option in fields(self.options):
            if option.name == name:
                if isinstance(option.default, bool):
                    return {"true": True, "false": False}.get(text.lower(), text)
                if isinstance(option.default, int) and text.removeprefix("-").isdecimal() and len(text) < 20:
                    return int(text)
        return text  # an unknown name or a value of the wrong form: make_options says so

    def check_seats(self, options: OptionsT, seats: int | None) -> int:
        allowed = options.seats(self.seats)
        seats = self.seats[0] if seats is None else seats
        if type(seats) is not int or seats not in allowed:
            raise InvalidOption("seats", f"{self.id} seats {describe_values(allowed)} here, not {excerpt(seats)}")
        return seats


@cache
def outcomes(dice: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Every roll of `dice` dice, sorted, with its weight: in how many of the 6^n orders it can fall."""
    return tuple((roll, _orders(roll)) for roll in combinations_with_replacement(range(1, 7), dice))


def _orders(roll: tuple[int, ...]) -> int:
    orders = factorial(len(roll))
    for repeats in Counter(roll).values():
        orders //= factorial(repeats)
    return orders


def read_die(text: str) -> int:
    """One die of a state's text; `-` is a die that has not been rolled."""
    if text == "-":
        return 0
    if len(text) == 1 and text in "123456":
        return int(text)
    raise InvalidText("die", f"a die shows 1 to 6 (or - before the roll), not {excerpt(text)}")


def read_number(text: str, high: int = 10**9) -> int:
    """A plain number of a state's text."""
    plain = text.isascii() and text.isdecimal() and len(text) <= len(str(high))
    if not plain or str(int(text)) != text or int(text) > high:
        raise InvalidText("number", f"{excerpt(text)} is not a number between 0 and {high}")
    return int(text)


def split_state(game: str, text: str, shape: str) -> list[str]:
    """The fields of a state's text; `shape` names them."""
    if not isinstance(text, str) or len(text) > 500:
        raise InvalidText("state", f"a state of {game} is a short text, not {excerpt(text)}")
    parts = text.split(" ")
    if len(parts) != len(shape.split(" ")):
        raise InvalidText("state", f"a state of {game} reads '{shape}', not {excerpt(text)}")
    return parts


def impossible(part: str) -> InvalidText:
    """The error about a state's text that can be read, but not with this `part` of it."""
    return InvalidText("state", f"impossible {part}: no game under these options comes to this state")


def check_possible(state: Any, parts: Mapping[str, Callable[[Any], bool]]) -> None:
    """Raise for the first of `parts` that is not possible; each function may rely on the parts before it."""
    for part, is_possible in parts.items():
        if not is_possible(state):
            raise impossible(part)


def check_written(text: str, written: str, shape: str) -> None:
    """Raise for the first field of a state's `text` that is `written` otherwise; `shape` names the fields."""
    for name, field, expected in zip(shape.split(" "), text.split(" "), written.split(" "), strict=True):
        if field != expected:
            raise impossible(name)
