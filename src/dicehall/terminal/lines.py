"""The plainest way to play: lines out, lines in. Works in any terminal, over a pipe and with a screen reader."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from dicehall.bots.player import Player, play_on, player
from dicehall.coach.advise import advise, certainty, meant
from dicehall.coach.recommend import recommended
from dicehall.coach.report import report, report_json
from dicehall.errors import DicehallError, InvalidOption
from dicehall.play.record_line import to_line
from dicehall.play.replay import Step, walk
from dicehall.play.table import Table
from dicehall.play.view import view
from dicehall.rules.catalog import GAMES, AnyGame
from dicehall.rules.game import DICE
from dicehall.terminal.coach import hint_lines, report_lines
from dicehall.terminal.draw import describe, draw, mishap

YOU: Final = "you"
# Whom one meets when no seats are named.
USUAL_SEATS: Final = {"lite-versus": (YOU, "lookahead"), "knucklebones": (YOU, "spec")}
HELP: Final = (
    "Type a move, or its number in the list.  moves  what each move would bring   undo  take the last move back\n"
    "hint  what the coach would do; the run is then unranked   report  luck and skill so far\n"
    "rules  the rules in short   record  the run so far as one line   quit  leave the table"
)

Ask = Callable[[str], str]
Tell = Callable[[str], None]


def choose_game(ask: Ask, tell: Tell) -> AnyGame:
    """A menu of the games; raises EOFError when nobody answers."""
    games = list(GAMES.values())
    for number, game in enumerate(games, 1):
        tell(f"  {number}  {game.title}")
    while True:
        answer = ask("Which game? ").strip()
        if answer in GAMES:
            return GAMES[answer]
        if _is_number(answer, len(games)):
            return games[int(answer) - 1]
        tell(f"A number from 1 to {len(games)}, please.")


def seat_players(table: Table) -> dict[int, Player]:
    """The bots among a table's seats; the seats called `you` are people."""
    seed = table.record().origin.seed or "bots"
    return {seat: player(name, table.game, seed, seat) for seat, name in enumerate(table.seats) if name != YOU}


def usual_seats(game: AnyGame) -> Sequence[str]:
    return USUAL_SEATS.get(game.id, (YOU,))


class LineGame:
    """One run at one table, until it is over or the player leaves."""

    def __init__(self, table: Table, ask: Ask, tell: Tell, as_json: bool = False) -> None:
        self.table, self.ask, self.tell, self.as_json = table, ask, tell, as_json
        self.bots = seat_players(table)
        repeated = len(set(table.seats)) < len(table.seats)  # two people, or two bots of a kind
        self.names = [f"{name} {seat}" if repeated else name for seat, name in enumerate(table.seats, 1)]
        self.told: tuple[str, ...] | None = None

    def play(self) -> None:
        """Raises EOFError when the player leaves; the table keeps the run as it was."""
        while True:
            play_on(self.table, self.bots)
            self._tell_news()
            if self.table.is_over:
                self._tell_end()
                return
            self._answer(self.ask("" if self.as_json else "> ").strip())

    def _answer(self, line: str) -> None:
        commands: dict[str, Callable[[], None]] = {
            "": lambda: None,
            "help": lambda: self.tell(HELP),
            "moves": self._tell_moves,
            "hint": self._hint,
            "undo": self._undo,
            "rules": lambda: self.tell(rules_text(self.table.game)),
            "record": lambda: self.tell(to_line(self.table.record())),
            "report": self._tell_report,
        }
        if line in ("quit", "q", "exit"):
            raise EOFError
        try:
            if line in commands:
                commands[line]()
            else:
                self.table.play(self._move(line))
        except DicehallError as error:
            if self.as_json:
                self._tell_json({"error": {"code": error.code, "message": str(error)}})
            else:
                self.tell(f"  No: {error}. Type help for help.")

    def _move(self, line: str) -> str:
        """A move by its notation or, where that is no move itself, by its number in the list."""
        legal = self.table.legal()
        if line not in legal and _is_number(line, len(legal)):
            return legal[int(line) - 1]
        return line

    def _undo(self) -> None:
        people = [seat for seat in range(len(self.table.seats)) if seat not in self.bots]
        self.table.undo(people[0] if len(people) == 1 else None)
        if not self.as_json:
            self.tell("  Taken back." + (" The run is unranked now." if self.table.unranked else ""))

    def _tell_news(self) -> None:
        """What has happened since the last time, and the board; nothing when nothing has."""
        steps, told = self.table.steps, self.told or ()
        if self.told == steps:
            return
        start = len(told) if steps[: len(told)] == told else len(steps)  # else: a move was taken back
        news, self.told = list(walk(self.table.record()))[start:], steps
        shown = self.table.view()
        if self.as_json:
            self._tell_json({"steps": [step.text for step in news], "view": shown})
            return
        for step in news:
            self.tell(f"  {self._step_text(step)}")
        self.tell(draw(shown, self.names))
        if not self.table.is_over:
            legal = self.table.legal()
            few = legal if len(legal) <= 12 else (*legal[:11], f"... {len(legal)} in all, type moves")
            task = f"place the {shown['die']}" if shown.get("die") else "choose"
            self.tell(f"  {self.names[self.table.actor]}, {task}: {'  '.join(few)}")

    def _step_text(self, step: Step) -> str:
        if step.actor == DICE:
            roll = f"{'die' if len(step.text) == 2 else 'dice'}: {' '.join(step.text[1:])}"
            return roll + mishap(view(self.table.game, step.state))
        return f"{self.names[step.actor]}: {step.text}"

    def _tell_moves(self) -> None:
        shown, best = self.table.view(), recommended(self.table.game, self.table.state)
        for number, move in enumerate(shown["moves"], 1):
            star = " (best on average)" if move["move"] == best else ""
            self.tell(f"  {number:3}  {move['move']:12} {describe(shown, move)}{star}")

    def _hint(self) -> None:
        game, state, seats = self.table.game, self.table.state, len(self.table.seats)
        objective = meant(game, self.table.options, seats)
        ranked, sure = advise(game, state, objective, seats), certainty(game, objective)
        if "hint" not in self.table.unranked:
            self.table.unranked += ("hint",)
        if self.as_json:
            moves = [{"move": one.text, "value": float(one.value), "loss": float(one.loss)} for one in ranked]
            return self._tell_json({"hint": {"objective": objective, "certainty": sure, "moves": moves}})
        return self.tell("\n".join(hint_lines(objective, sure, ranked)))

    def _tell_report(self) -> None:
        """For the person at the table; where several sit there, the first of them."""
        people = [seat for seat in range(len(self.table.seats)) if seat not in self.bots]
        told = report(self.table.record(), people[0] if people else 0)
        if self.as_json:
            return self._tell_json({"report": report_json(told)})
        lines = report_lines(told, certainty(self.table.game, told.objective))
        return self.tell("\n".join(f"  {line}" for line in lines))

    def _tell_end(self) -> None:
        result = self.table.result
        assert result is not None
        if self.as_json:
            self._tell_json({"record": self.table.record().to_json()})
            return
        unit = self.table.game.aim(self.table.options, len(self.table.seats)).unit
        scores = ", ".join(f"{name} {score}" for name, score in zip(self.names, result.scores, strict=True))
        self.tell(f"  The end ({result.why.replace('-', ' ')}). {unit.capitalize()}: {scores}. {self._verdict()}")
        try:
            self._tell_report()
        except InvalidOption as error:  # nobody has solved what was played here
            self.tell(f"  No report: {error}.")
        self.tell(f"  Replay it or send it on:\n  {to_line(self.table.record())}")

    def _verdict(self) -> str:
        result = self.table.result
        assert result is not None
        if len(result.winners) > 1:
            return "A draw."
        if not result.winners:
            return "Not this time." if result.why.endswith("-missed") else ""
        if len(self.table.seats) == 1:
            return "You made it!"
        return f"The winner: {self.names[result.winners[0]]}."

    def _tell_json(self, data: dict[str, Any]) -> None:
        self.tell(json.dumps(data, separators=(",", ":")))


def rules_text(game: AnyGame) -> str:
    """The rules in short: what the rule file itself says first."""
    from importlib import import_module

    text = import_module(game.start.__module__).__doc__ or ""
    return text.strip()


def _is_number(text: str, most: int) -> bool:
    return text.isdecimal() and len(text) <= 4 and 1 <= int(text) <= most
