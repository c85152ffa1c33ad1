"""The plainest way to play: lines out, lines in. Works in any terminal, over a pipe and with a screen reader."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

from dicehall.bots.player import Player, play_on, player
from dicehall.bots.seats import YOU
from dicehall.coach.advise import advise, advise_next, intended, recommended, solved, values
from dicehall.coach.protocol import has_coach
from dicehall.coach.report import report
from dicehall.errors import DicehallError, InvalidOption, InvalidText
from dicehall.lab.reports import advice_json, report_json
from dicehall.play.record import HINT
from dicehall.play.record_line import to_line
from dicehall.play.table import Table
from dicehall.rules.catalog import GAMES, AnyGame
from dicehall.terminal.coach import hint_lines, report_lines, share, then_lines, whole_goal
from dicehall.terminal.draw import describe, draw
from dicehall.terminal.kept import MOST, KeptRun
from dicehall.terminal.told import (
    end_lines,
    fit,
    listed_moves,
    medals_text,
    move_lines,
    notation,
    options_text,
    refusal,
    roll_line,
    rules_text,
    seat_names,
    task_text,
    title,
    unranked_lines,
    with_word,
)
from dicehall.terminal.words import Words

COMMANDS: Final = ("moves", "hint", "undo", "report", "rules", "record", "help", "quit", "drop")
OF_THE_COACH: Final = ("hint", "report")
LEAST: Final = Fraction(1, 10_000)  # chances below it are told as less than this
PLACE: Final = "#"  # before a number: a place in the list of moves. A number alone is a move, or nothing

Ask = Callable[[str], str]
Tell = Callable[[str], None]


def choose_game(words: Words, ask: Ask, tell: Tell) -> AnyGame:
    """A menu of the games; raises EOFError when nobody answers."""
    games = list(GAMES.values())
    for number, game in enumerate(games, 1):
        pitch = words.t(key) if words.known(key := f"pitch.{game.id}") else ""
        tell(fit(f"  {number}  {title(words, game):20} {pitch}".rstrip()))
    while True:
        answer = ask(f"{words.t('terminal.which-game')} ").strip()
        if answer.lower() in GAMES:
            return GAMES[answer.lower()]
        place = _place(answer, len(games))
        if place is not None:
            return games[place]
        tell(words.t("terminal.number-please", n=len(games)))


def seat_players(table: Table) -> dict[int, Player]:
    """The bots among a table's seats; the seats called `you` are people."""
    seed = table.record().origin.seed or "bots"
    return {seat: player(name, table.game, seed, seat) for seat, name in enumerate(table.seats) if name != YOU}


class LineGame:
    """One run at one table, until it is over or the player leaves. It is `kept` after every move; None: it is not."""

    def __init__(
        self, table: Table, words: Words, ask: Ask, tell: Tell, as_json: bool = False, kept: KeptRun | None = None
    ) -> None:
        self.table, self.words, self.ask, self.tell, self.as_json = table, words, ask, tell, as_json
        self.kept = kept
        self.bots = seat_players(table)
        self.people = [seat for seat in range(len(table.seats)) if seat not in self.bots]
        self.names = seat_names(words, table.seats)
        self.told: tuple[str, ...] | None = None
        self.dropping = False  # whether the last thing that was asked for is to throw the run away
        self.saved = table.record()  # as it was last kept; before the first move of a person it need not be

    def greet(self, resumed: bool) -> None:
        """What is played here, and whether it is kept; `resumed`: the run has been begun before, and what was played
        then is not told again. Who reads JSON finds all that in the view."""
        words, table = self.words, self.table
        if not self.as_json:
            self._say(f"{title(words, table.game)}. {words.t('terminal.for-help')}")
            lines = [options_text(words, table.game, table.options), self._goal(), medals_text(words, table.view())]
            lines += [words.t("terminal.practice")] * table.practice + [words.t("terminal.resumed")] * resumed
            for line in filter(None, lines):
                self._say(f"  {line}")
            if resumed:
                self.told = table.steps[: self._last_move()]
        if self.kept is None:
            self._tell_not_kept(words.t("terminal.not-kept.many", n=MOST))

    def play(self) -> None:
        """Raises EOFError when the player leaves; the table keeps the run as it was."""
        play_on(self.table, self.bots)
        self.saved = self.table.record()
        while True:
            self._tell_news()
            if self.table.is_over:
                self._tell_end()
                return
            self._answer(self.ask("" if self.as_json else "> ").strip())
            self._keep()
            play_on(self.table, self.bots)
            self._keep()

    @property
    def is_kept(self) -> bool:
        """Whether there is a run to go on with later."""
        return self.kept is not None and self.kept.path.exists()

    def _keep(self) -> None:
        """Whatever has changed is kept before it is told. A run that cannot be kept is played all the same."""
        record = self.table.record()
        if self.kept is None or record == self.saved:
            return
        try:
            self.kept.save(self.table)
            self.saved = record
        except OSError as error:
            self._tell_not_kept(error.strerror or str(error))
            self.kept.close()
            self.kept = None

    def _tell_not_kept(self, why: str) -> None:
        if self.as_json:
            self._tell_json({"error": {"code": "not-kept", "message": why}})
        else:
            self._say(f"  {self.words.t('terminal.not-kept', why=why)}")

    def _last_move(self) -> int:
        """How many steps there were before the last move of a person: from there on a run that is resumed is told."""
        moves = [number for number, frame in enumerate(self.table.film(views=False)) if frame.by in self.people]
        return moves[-1] if moves else 0

    def _goal(self) -> str:
        """What somebody who plays alone plays for, and where it is a chance, how large it is at the start."""
        game, options = self.table.game, self.table.options
        if len(self.table.seats) > 1 or not self._is_solved():
            return ""
        objective = intended(game, options, 1)
        whole = whole_goal(self.words, objective)
        if not objective.chance:
            return self.words.t("terminal.goal", goal=whole)
        chance = values(game, options, 1, objective)(game.begin(options, 1))
        shown = share(self.words, max(chance, LEAST), 2)
        shown = shown if chance >= LEAST else self.words.t("coach.less-than", n=shown)
        return self.words.t("terminal.chance", goal=whole, n=shown)

    def _is_solved(self) -> bool:
        """Whether the coach knows what positions of this table are worth."""
        game, options, seats = self.table.game, self.table.options, len(self.table.seats)
        return has_coach(game) and solved(game, options, seats, intended(game, options, seats))

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
            "drop": self._drop,
            "quit": self._leave,
        }
        typed = " ".join(line.lower().split())
        command = self._own_words().get(typed, typed)
        self.dropping, again = False, self.dropping
        if command == "drop" and not again and self.is_kept and not self.as_json:
            self.dropping = True
            return self._say(f"  {self.words.t('terminal.drop-sure', word=self.words.t('terminal.word.drop'))}")
        try:
            if command in commands:
                commands[command]()
            else:
                self.table.play(self._move(line))
        except DicehallError as error:
            if self.as_json:
                self._tell_json({"error": {"code": error.code, "message": str(error)}})
            else:
                self._say(f"  {self._refusal(error, line)} {self.words.t('terminal.for-help')}")
        return None

    def _own_words(self) -> dict[str, str]:
        """The commands in the player's own language, with other words for them that come to mind. In English they are
        understood anyway: that is what the documentation says."""
        t = self.words.t
        legal = self.table.legal()  # which may have such words in a game of another package
        others = {word: name for name in COMMANDS for word in t(f"terminal.also.{name}").split() if word not in legal}
        return others | {t(f"terminal.word.{name}"): name for name in COMMANDS}

    def _refusal(self, error: DicehallError, line: str) -> str:
        """Why not; and where the number of a list's row was meant, how that is written."""
        if error.code == "no-place":
            why = self.words.t("terminal.no-place", text=line[:8], n=len(self.table.legal()))
        else:
            why = refusal(self.words, error, self.table.game, line, self.table.view()["moves"])
        no = self.words.t("terminal.no", why=why)
        if _place(line, len(self.table.legal())) is None:
            return no
        return f"{no} {self.words.t('terminal.a-place', n=int(line))}"

    def _commands(self) -> list[str]:
        """Those that this table has something to say to."""
        return [name for name in COMMANDS if name not in OF_THE_COACH or self._is_solved()]

    def _help(self) -> None:
        if self.as_json:
            return self._tell_json({"help": self._commands()})
        t = self.words.t
        self._say(t("terminal.help"))
        for name in self._commands():
            self._say(f"  {t(f'terminal.word.{name}'):10} {t(f'terminal.about.{name}')}")
        return None

    def _rules(self) -> None:
        said = rules_text(self.words, self.table.game, self.table.options)
        if medals := medals_text(self.words, self.table.view()):
            said = f"{said}\n  {medals}"
        self._tell_json({"rules": said}) if self.as_json else self.tell(said)

    def _record(self) -> None:
        record = self.table.record()
        self._tell_json({"record": record.to_json()}) if self.as_json else self.tell(to_line(record))

    def _leave(self) -> None:
        raise EOFError

    def _drop(self) -> None:
        if self.kept is not None:
            self.kept.forget()
            self.kept = None
        raise EOFError

    def _move(self, line: str) -> str:
        """A move by its notation, by this language's word for it, or by its place in the list: #8; case and spaces do
        not matter. What is none of these comes back as it is, and the rules say why it is no move."""
        legal = self.table.legal()
        if not line.startswith(PLACE):
            return notation(self.words, self.table.game.id, line, legal)
        place = _place(line.removeprefix(PLACE).strip(), len(legal))
        if place is None:
            raise InvalidText("no-place", f"the list goes from {PLACE}1 to {PLACE}{len(legal)}")
        return legal[place]

    def _undo(self) -> None:
        self.table.undo(self.people[0] if len(self.people) == 1 else None)
        if not self.as_json:
            unranked = f" {self.words.t('terminal.unranked')}" if self.table.unranked else ""
            self._say(f"  {self.words.t('terminal.taken-back')}{unranked}")

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
        self._say(draw(self.words, shown, self.names))
        if not self.table.is_over:
            legal = [with_word(self.words, self.table.game.id, move) for move in self.table.legal()]
            many = self.words.t("terminal.all-moves", n=len(legal), word=self.words.t("terminal.word.moves"))
            few = legal if len(legal) <= 12 else [*legal[:11], many]
            task = task_text(self.words, shown, self.names, len(self.people))
            self.tell(listed_moves(task if task.endswith("?") else f"{task}:", few))

    def _tell_steps(self, first: int, shown: dict[str, Any]) -> None:
        """The steps after the `first` ones; `shown` is the table's view."""
        for frame in self.table.film(first, views=False):
            if frame.by is None:
                self._say(f"  {roll_line(self.words, self.table.game, frame, shown, self.names)}")
            else:
                for line in move_lines(self.words, self.table.game, frame, self.names):
                    self._say(f"  {line}")

    def _tell_moves(self) -> None:
        shown, best = self.table.view(), recommended(self.table.game, self.table.state)
        if self.as_json:
            return self._tell_json({"moves": shown["moves"], "recommended": best})
        names = [with_word(self.words, self.table.game.id, move["move"]) for move in shown["moves"]]
        wide = max(map(len, names))
        for number, (move, written) in enumerate(zip(shown["moves"], names, strict=True), 1):
            star = f" ({self.words.t('terminal.best-on-average')})" if move["move"] == best else ""
            place, said = f"{PLACE}{number}", describe(self.words, shown, move)
            self._say(f"  {place:>4}  {written:{wide}}  {said}{star}".rstrip())
        return None

    def _hint(self) -> None:
        game, state, seats = self.table.game, self.table.state, len(self.table.seats)
        objective = intended(game, self.table.options, seats)
        already = self.table.unranked
        ranked = advise(game, state, objective, seats)
        self.table.mark_unranked(HINT)
        if self.as_json:
            return self._tell_json({"hint": advice_json(objective, ranked)})
        self._say("\n".join(hint_lines(self.words, objective, ranked)))
        if then := advise_next(game, state, ranked[0].move, objective):
            self._say("\n".join(then_lines(self.words, objective, ranked[0], then)))
        if not already:
            self._say(f"  {self.words.t('terminal.unranked')}")
        return None

    def _tell_report(self) -> None:
        """For the person at the table; where several sit there, for one after the other. JSON is about the first."""
        record, seats = self.table.record(), self.people or [0]
        if self.as_json:
            return self._tell_json({"report": report_json(record, report(record, seats[0]))})
        for seat in seats:
            lines = report_lines(self.words, record, report(record, seat), self.names)
            self._say("\n".join(f"  {line}" for line in lines))
        return None

    def _tell_end(self) -> None:
        if self.as_json:
            self._tell_json({"record": self.table.record().to_json()})
            return
        for line in end_lines(self.words, self.table.view(), self.table.seats):
            self._say(f"  {line}")
        for line in unranked_lines(self.words, self.table.unranked):
            self._say(f"  {line}")
        if has_coach(self.table.game):
            try:
                self._tell_report()
            except InvalidOption:  # nobody has solved what was played here
                self.tell(f"  {self.words.t('coach.none')}")
        self.tell(f"  {self.words.t('terminal.send-on')}\n  {to_line(self.table.record())}")

    def _say(self, text: str) -> None:
        """Lines that fit into a terminal."""
        self.tell("\n".join(map(fit, text.splitlines())))

    def _tell_json(self, data: dict[str, Any]) -> None:
        self.tell(json.dumps(data, separators=(",", ":")))


def _place(text: str, count: int) -> int | None:
    """Which of `count` rows of a list a number from 1 on means, counted from 0; None where it means none."""
    means_one = text.isascii() and text.isdecimal() and len(text) <= 4 and 1 <= int(text) <= count
    return int(text) - 1 if means_one else None
