"""The plainest way to play: lines out, lines in. Works in any terminal, over a pipe and with a screen reader."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from dicehall.bots.player import Player, play_on, player
from dicehall.bots.seats import YOU
from dicehall.coach.advise import advise, intended, recommended
from dicehall.coach.protocol import has_coach
from dicehall.coach.report import report
from dicehall.errors import DicehallError, InvalidOption
from dicehall.lab.reports import report_json
from dicehall.play.record_line import to_line
from dicehall.play.table import Table
from dicehall.rules.catalog import GAMES, AnyGame
from dicehall.terminal.coach import hint_lines, report_lines
from dicehall.terminal.draw import describe, draw
from dicehall.terminal.told import end_lines, refusal, roll_text, rules_text, seat_names, task_text, title
from dicehall.terminal.words import Words

COMMANDS: Final = ("moves", "hint", "undo", "report", "rules", "record", "help", "quit")
OF_THE_COACH: Final = ("hint", "report")

Ask = Callable[[str], str]
Tell = Callable[[str], None]


def choose_game(words: Words, ask: Ask, tell: Tell) -> AnyGame:
    """A menu of the games; raises EOFError when nobody answers."""
    games = list(GAMES.values())
    for number, game in enumerate(games, 1):
        pitch = words.t(key) if words.known(key := f"pitch.{game.id}") else ""
        tell(f"  {number}  {title(words, game):20} {pitch}".rstrip())
    while True:
        answer = ask(f"{words.t('terminal.which-game')} ").strip()
        if answer in GAMES:
            return GAMES[answer]
        if _is_number(answer, len(games)):
            return games[int(answer) - 1]
        tell(words.t("terminal.number-please", n=len(games)))


def seat_players(table: Table) -> dict[int, Player]:
    """The bots among a table's seats; the seats called `you` are people."""
    seed = table.record().origin.seed or "bots"
    return {seat: player(name, table.game, seed, seat) for seat, name in enumerate(table.seats) if name != YOU}


class LineGame:
    """One run at one table, until it is over or the player leaves."""

    def __init__(self, table: Table, words: Words, ask: Ask, tell: Tell, as_json: bool = False) -> None:
        self.table, self.words, self.ask, self.tell, self.as_json = table, words, ask, tell, as_json
        self.bots = seat_players(table)
        self.people = [seat for seat in range(len(table.seats)) if seat not in self.bots]
        self.names = seat_names(words, table.seats)
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
            "help": self._help,
            "moves": self._tell_moves,
            "hint": self._hint,
            "undo": self._undo,
            "rules": self._rules,
            "record": self._record,
            "report": self._tell_report,
            "quit": self._leave,
            "q": self._leave,
            "exit": self._leave,
        }
        # In the player's own language, and always in English: that is what the documentation says.
        own = {self.words.t(f"terminal.word.{name}"): name for name in COMMANDS}
        command = own.get(line.lower(), line.lower())
        try:
            if command in commands:
                commands[command]()
            else:
                self.table.play(self._move(line))
        except DicehallError as error:
            if self.as_json:
                self._tell_json({"error": {"code": error.code, "message": str(error)}})
            else:
                no = self.words.t("terminal.no", why=refusal(self.words, error, self.table.game, line))
                self.tell(f"  {no} {self.words.t('terminal.for-help')}")

    def _commands(self) -> list[str]:
        """Those that this game has something to say to."""
        return [name for name in COMMANDS if name not in OF_THE_COACH or has_coach(self.table.game)]

    def _help(self) -> None:
        if self.as_json:
            return self._tell_json({"help": self._commands()})
        t = self.words.t
        lines = [t("terminal.help")]
        lines += [f"  {t(f'terminal.word.{name}'):10} {t(f'terminal.about.{name}')}" for name in self._commands()]
        return self.tell("\n".join(lines))

    def _rules(self) -> None:
        said = rules_text(self.words, self.table.game)
        self._tell_json({"rules": said}) if self.as_json else self.tell(said)

    def _record(self) -> None:
        record = self.table.record()
        self._tell_json({"record": record.to_json()}) if self.as_json else self.tell(to_line(record))

    def _leave(self) -> None:
        raise EOFError

    def _move(self, line: str) -> str:
        """A move by its notation or, where that is no move itself, by its number in the list."""
        legal = self.table.legal()
        if line not in legal and _is_number(line, len(legal)):
            return legal[int(line) - 1]
        return line

    def _undo(self) -> None:
        self.table.undo(self.people[0] if len(self.people) == 1 else None)
        if not self.as_json:
            unranked = f" {self.words.t('terminal.unranked')}" if self.table.unranked else ""
            self.tell(f"  {self.words.t('terminal.taken-back')}{unranked}")

    def _tell_news(self) -> None:
        """What has happened since the last time, and the board; nothing when nothing has."""
        steps, told = self.table.steps, self.told or ()
        if self.told == steps:
            return
        first = len(told) if steps[: len(told)] == told else len(steps)  # else: a move was taken back
        self.told = steps
        shown = self.table.view()
        if self.as_json:
            self._tell_json({"steps": list(steps[first:]), "view": shown})
            return
        self._tell_steps(first, shown)
        self.tell(draw(self.words, shown, self.names))
        if not self.table.is_over:
            legal = self.table.legal()
            many = self.words.t("terminal.all-moves", n=len(legal), word=self.words.t("terminal.word.moves"))
            few = legal if len(legal) <= 12 else (*legal[:11], many)
            task = task_text(self.words, shown, self.names, len(self.people))
            self.tell(f"  {task}{'' if task.endswith('?') else ':'}  {'  '.join(few)}")

    def _tell_steps(self, first: int, shown: dict[str, Any]) -> None:
        """The steps after the `first` ones; `shown` is the table's view."""
        for frame in self.table.film(first, views=False):
            if frame.by is None:
                self.tell(f"  {roll_text(self.words, frame, shown)}")
            else:
                self.tell(f"  {self.names[frame.by]}: {frame.step}")

    def _tell_moves(self) -> None:
        shown, best = self.table.view(), recommended(self.table.game, self.table.state)
        if self.as_json:
            return self._tell_json({"moves": shown["moves"], "recommended": best})
        for number, move in enumerate(shown["moves"], 1):
            star = f" ({self.words.t('terminal.best-on-average')})" if move["move"] == best else ""
            self.tell(f"  {number:3}  {move['move']:12} {describe(self.words, shown, move)}{star}")
        return None

    def _hint(self) -> None:
        game, state, seats = self.table.game, self.table.state, len(self.table.seats)
        objective = intended(game, self.table.options, seats)
        ranked = advise(game, state, objective, seats)
        if "hint" not in self.table.unranked:
            self.table.unranked += ("hint",)
        if self.as_json:
            moves = [{"move": one.text, "value": float(one.value), "loss": float(one.loss)} for one in ranked]
            told = {"objective": str(objective), "certainty": objective.certainty, "moves": moves}
            return self._tell_json({"hint": told})
        return self.tell("\n".join(hint_lines(self.words, objective, ranked)))

    def _tell_report(self) -> None:
        """For the person at the table; where several sit there, the first of them."""
        told = report(self.table.record(), self.people[0] if self.people else 0)
        if self.as_json:
            return self._tell_json({"report": report_json(told)})
        lines = report_lines(self.words, told, self.table.is_over, self.names)
        return self.tell("\n".join(f"  {line}" for line in lines))

    def _tell_end(self) -> None:
        if self.as_json:
            self._tell_json({"record": self.table.record().to_json()})
            return
        for line in end_lines(self.words, self.table.view(), self.table.seats):
            self.tell(f"  {line}")
        if has_coach(self.table.game):
            try:
                self._tell_report()
            except InvalidOption:  # nobody has solved what was played here
                self.tell(f"  {self.words.t('coach.none')}")
        self.tell(f"  {self.words.t('terminal.send-on')}\n  {to_line(self.table.record())}")

    def _tell_json(self, data: dict[str, Any]) -> None:
        self.tell(json.dumps(data, separators=(",", ":")))


def _is_number(text: str, most: int) -> bool:
    return text.isdecimal() and len(text) <= 4 and 1 <= int(text) <= most
