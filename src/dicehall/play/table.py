"""A table: where a run is played. The only holder of a dice source, and of everything that changes.

>>> table = Table("lite-solo", seed="demo")
>>> table.last_roll
(2,)
>>> table.play("b2")
>>> table.steps
('d2', 'b2', 'd1')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

from dicehall import dice
from dicehall.dice import Dice, Seed
from dicehall.errors import IllegalMove, InvalidOption, excerpt
from dicehall.play.contributions import is_duel, seed_of, wrong_contributions
from dicehall.play.departures import actor_of, result_of, stand_in, wrong_departure
from dicehall.play.film import Frame, film
from dicehall.play.record import (
    SEED_MISMATCH,
    UNDO,
    Contribution,
    Departure,
    Origin,
    Record,
    check_name,
    is_roll,
    read_roll,
    roll_text,
)
from dicehall.play.view import view
from dicehall.rules.catalog import AnyGame, find_game
from dicehall.rules.game import DICE, NOBODY, Game, Result
from dicehall.rules.options import Options, OptionValue

# The states and moves of the table's game: of Farkle where that is `find_game("farkle")`, any where it is a text.
if TYPE_CHECKING:
    from typing_extensions import TypeVar  # for the default, which Python itself has from 3.13 on

    S = TypeVar("S", default=Any)
    M = TypeVar("M", default=Any)
else:
    from typing import TypeVar

    S, M = TypeVar("S"), TypeVar("M")


class _Before(NamedTuple):
    """What a move changed, to take it back."""

    state: Any
    steps: int
    dice: int
    seat: int
    moves: int  # how many were made together, one or two


class Table(Generic[S, M]):
    """A live run of one game.

    The dice come from `seed`, or from a `secret` (a ranked run: its commitment is known before the first roll), or
    from any other source given as `dice`; without any of them a fresh seed is drawn. Beside a secret, `contributions`
    (in the order in which their seals came) make the seed, where several have added one each. With `auto_roll` the
    table rolls as soon as dice are due, so that it always waits for a seat; otherwise `roll()` does. `practice` lets
    undo take back a roll; `undo_allowed=False` switches undo off, as in daily and online play.
    """

    def __init__(
        self,
        game: str | Game[S, M, Any],
        *,
        options: Mapping[str, OptionValue] | Options | None = None,
        seats: int | Sequence[str] | None = None,
        seed: Seed | None = None,
        secret: str | None = None,
        contributions: Sequence[Contribution] = (),
        dice: Dice | None = None,
        auto_roll: bool = True,
        practice: bool = False,
        undo_allowed: bool = True,
    ) -> None:
        self.game: Game[S, M, Any] = game if isinstance(game, Game) else find_game(game)
        names = seats if seats is None or isinstance(seats, int) else tuple(check_name(name) for name in seats)
        count = len(names) if isinstance(names, tuple) else names
        self.options: Options = self.game.make_options({} if options is None else options)
        self.state: S = self.game.begin(self.options, count)
        count = self.game.check_seats(self.options, count)
        self.seats: tuple[str, ...] = names if isinstance(names, tuple) else tuple(f"seat {n}" for n in range(count))
        self.auto_roll, self.practice, self.undo_allowed = auto_roll, practice, undo_allowed
        self.steps: tuple[str, ...] = ()
        self.states: list[S] = []  # after each step
        self.unranked: tuple[str, ...] = ()
        self.departures: tuple[Departure, ...] = ()
        self._source, self._origin = _source(seed, secret, dice, tuple(contributions))
        if wrong := wrong_contributions(self._origin, self.seats):
            raise InvalidOption(*wrong)
        self._revealed = secret is None
        self.dice_used = 0
        self._moves: list[_Before] = []
        self._took_back = False  # one step: no second undo before another move
        self._go_on()

    # -- what is going on

    @property
    def actor(self) -> int:
        return actor_of(self.game, self.state, self.departures)

    @property
    def is_over(self) -> bool:
        return self.actor == NOBODY

    @property
    def result(self) -> Result | None:
        return result_of(self.game, self.state, self.departures)

    @property
    def commitment(self) -> str | None:
        """What the house publishes before the first roll of a ranked run."""
        return self._origin.commitment

    @property
    def last_roll(self) -> tuple[int, ...]:
        """The dice of the newest roll; () before the first."""
        newest = next(filter(is_roll, reversed(self.steps)), None)
        return () if newest is None else read_roll(newest)

    def legal(self) -> tuple[str, ...]:
        """Every legal move, in the game's notation."""
        if self.is_over:
            return ()
        return tuple(self.game.rules.move_text(move) for move in self.game.rules.legal(self.state))

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """Everything a screen needs, as plain data."""
        return view(self.game, self.state, seat, departures=self.departures)

    def film(self, first: int = 0, views: bool = True) -> list[Frame]:
        """The steps after the `first` ones. With `views`, each but the last says what an onlooker saw then: after the
        last, that is the table's own view."""
        before = self.states[first - 1] if first else self.game.begin(self.options, len(self.seats))
        steps = zip(self.steps[first:], self.states[first:], strict=True)
        return film(self.game, before, steps, len(self.steps) - first - 1 if views else 0, self.departures, first)

    # -- what players do

    def play(self, move: str | M, seat: int | None = None, then: str | M | None = None) -> None:
        """Make a move, and with it the one that the same seat makes right after it (`then`). A refused move changes
        nothing, and what was made together is taken back together.

        A move is a text, or the game's own value, which `Move` in its rules is: a cell or column counted from 0 in
        Lite and Knucklebones, the dice to keep in Farkle, the tiles to shut in Shut the Box. A type checker knows it
        at a table of `find_game("farkle")`, and takes anything at one of "farkle".
        """
        if self.departures and self.is_over:
            raise IllegalMove("game-over", "the run is over")
        if seat is not None and self.actor >= 0 and seat != self.actor:
            raise IllegalMove("not-your-turn", f"seat {self.actor} is to move, not {excerpt(seat)}")
        made = [self._applied(self.state, move)]
        if then is not None:
            if self.game.rules.actor(made[0][1]) != self.actor:
                raise IllegalMove("not-your-turn", f"seat {self.actor} has no second move right after the first")
            made.append(self._applied(made[0][1], then))
        if self.undo_allowed:
            self._moves.append(_Before(self.state, len(self.steps), self.dice_used, self.actor, len(made)))
        self._took_back = False
        for text, state in made:
            self._step(text, state)
        self._go_on()

    def roll(self) -> tuple[int, ...]:
        """Roll the dice that are due, where the table does not do so by itself."""
        if self.actor != DICE:
            raise IllegalMove("no-roll", "no dice are to be rolled now")
        roll = self._roll()
        self._go_on()
        return roll

    def depart(self, seat: int, why: str) -> None:
        """The seat plays no further; `why` is one of the codes in `record`. Of two seats the other one has won. Where
        there are more, the table plays for this one from now on; when one seat is left, that has won. In a duel the run
        ends as it stands."""
        if self.is_over:
            raise IllegalMove("game-over", "the run is over")
        departure = Departure(len(self.steps), seat, why)
        duel = is_duel(self._origin.contributions, len(self.seats))
        if wrong := wrong_departure(self.departures, departure, len(self.seats), len(self.steps), duel):
            raise IllegalMove(*wrong)
        self.departures += (departure,)
        self._go_on()

    def can_undo(self, seat: int | None = None) -> bool:
        return self.undo_allowed and not isinstance(self._find_undo(seat), IllegalMove)

    def undo(self, seat: int | None = None) -> None:
        """Take back the last move, or the last one of this seat with all that followed it. One step, only in practice
        past a roll that has been seen, and not once a seat has departed."""
        before = self._find_undo(seat)
        if isinstance(before, IllegalMove):
            raise before
        if self.dice_used > before.dice:
            self.mark_unranked(UNDO)
        del self._moves[self._moves.index(before) :]
        self.state, self.steps, self.dice_used = before.state, self.steps[: before.steps], before.dice
        del self.states[before.steps :]
        self._took_back = True

    def mark_unranked(self, why: str) -> None:
        """Keep the run off the boards; `why` is one of the codes in `record`, told once."""
        if why not in self.unranked:
            self.unranked += (why,)

    def together(self) -> list[int]:
        """Where in `steps` two moves begin that were made together, as far as they can be taken back."""
        return [before.steps for before in self._moves if before.moves > 1]

    def reveal(self) -> str | None:
        """The secret, once the run is over: from then on the record carries it and anybody can check the dice."""
        if not self.is_over:
            raise IllegalMove("not-over", "the secret stays with the house until the run is over")
        self._revealed = True
        return self._origin.secret

    def record(self) -> Record:
        """What the run leaves, at any time; the secret is in it only after `reveal`."""
        source, lost = self._origin, self._origin.lost_at
        if lost is not None and lost >= self.dice_used:
            lost = None  # the dice after the loss have been taken back
        origin = replace(source, secret=source.secret if self._revealed else None, lost_at=lost)
        return Record(
            self.game.id, self.game.version, self.options, self.seats, origin, self.steps, self.result, self.unranked,
            self.departures,
        )  # fmt: skip

    # -- inside

    def _find_undo(self, seat: int | None) -> _Before | IllegalMove:
        if not self.undo_allowed:
            return IllegalMove("undo-off", "there is no undo in this run")
        if self.departures:
            return IllegalMove("undo-departed", "a seat has departed; nothing is taken back after that")
        mine = [before for before in self._moves if seat is None or before.seat == seat]
        if not mine or self._took_back:
            return IllegalMove("undo-nothing", "there is no move to take back, or one has been taken back already")
        if not self.practice and self.is_over:
            return IllegalMove("game-over", "the run is over")
        if not self.practice and self.dice_used > mine[-1].dice:
            return IllegalMove("undo-past-roll", "the dice have been rolled since; only practice takes that back")
        return mine[-1]

    def _applied(self, state: Any, move: str | M) -> tuple[str, Any]:
        """A move's text, and the state that it leads to from `state`."""
        move = self.game.rules.read_move(move) if isinstance(move, str) else move
        after = self.game.apply(state, move)  # which refuses what is no move, and so has no text
        return self.game.rules.move_text(move), after

    def _step(self, text: str, state: Any) -> None:
        self.steps += (text,)
        self.states.append(state)
        self.state = state

    def _go_on(self) -> None:
        """Roll the dice that are due, where the table does so by itself, and play for whoever has departed."""
        while True:
            actor = self.actor
            if actor == DICE and self.auto_roll:
                self._roll()
            elif self.departures and any(one.seat == actor for one in self.departures):
                self._step(*self._applied(self.state, stand_in(self.game, self.state)))
            else:
                return

    def _roll(self) -> tuple[int, ...]:
        """Dice are due; they are dice, and as many as are due, so the rules need not check them."""
        roll = tuple([self._die(self.dice_used + n) for n in range(self.game.rules.dice_to_roll(self.state))])
        self._step(roll_text(roll), self.game.rules.rolled(self.state, roll))
        self.dice_used += len(roll)
        return roll

    def _die(self, index: int) -> int:
        """The run never stops for want of dice: if the source fails, the system's generator takes over, and the
        record says from which die on."""
        try:
            die = self._source.die(index)
            if die not in dice.FACES:
                raise InvalidOption("die", f"the source gave {excerpt(die)}")
        except Exception as failure:
            import logging  # here, because a table that keeps its seed never needs it

            logging.getLogger("dicehall").warning("seed mismatch: die %d comes from the system: %s", index + 1, failure)
            self._source = dice.SystemDice()
            self._origin = replace(self._origin, lost_at=index)
            self.mark_unranked(SEED_MISMATCH)
            die = self._source.die(index)
        return die


def _source(
    seed: Seed | None, secret: str | None, source: Dice | None, contributions: tuple[Contribution, ...]
) -> tuple[Dice, Origin]:
    if contributions:
        if secret is None or seed is not None:
            raise InvalidOption("dice", "contributions come beside a secret, and make the seed that is added to it")
        seed = seed_of(contributions)
    if source is not None:
        if seed is not None or secret is not None:
            raise InvalidOption("dice", "a table has one source of dice: a seed, a secret or dice")
        return source, Origin(source.seed) if isinstance(source, dice.SeededDice) else Origin()
    if secret is not None:
        own = dice.seed_text("" if seed is None else seed, allow_empty=True)
        origin = Origin(own, dice.commitment(secret), secret, contributions=contributions)
        return dice.SeededDice(dice.mixed(secret, own)), origin
    text = dice.fresh_seed() if seed is None else dice.seed_text(seed)
    return dice.SeededDice(text), Origin(text)


def simulate_run(
    game: str | AnyGame,
    rolls: Sequence[int],
    moves: Sequence[str],
    *,
    options: Mapping[str, OptionValue] | Options | None = None,
    seats: int | Sequence[str] | None = None,
) -> Table:
    """Play these moves with these dice and return the table: the specs' simulateRun and simulateTurn."""
    table = Table(game, options=options, seats=seats, dice=dice.ScriptedDice(rolls), auto_roll=False)
    for move in moves:
        while table.actor == DICE:
            table.roll()
        table.play(move)
    return table
