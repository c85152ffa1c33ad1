"""What the command line takes: commands, their arguments, and a line of help for each. `cli.py` does what they ask."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NoReturn

from dicehall import __version__, streams
from dicehall.bots.seats import YOU
from dicehall.rules.catalog import GAMES
from dicehall.terminal.words import LANGUAGES

SERVE: Final = "serve"  # what is run without a command
RECORDS: Final = "a file of records, JSON Lines or one-line; - for standard input; or a one-line record itself"
OBJECTIVE: Final = "what is played for; without it, what the options suggest"
DATA: Final = "where the hall keeps its data"
DATABASE: Final = "another database: sqlite:///FILE or postgresql://..."
PLAYER: Final = "a player's id, or the nickname; after -- if it begins with a dash"


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        """As in argparse, which however passes over a disk that is full."""
        if file is sys.stdout:
            file.write(message)
        else:
            streams.complain(message)


def build_parser(runs: Mapping[str, Callable[[argparse.Namespace], int]]) -> Parser:
    """`runs` has the function of each command, by its name; the parser leaves it in `run`."""
    parser = Parser(prog="dicehall", description="Five dice games, one hall. Without a command: serve it.")
    parser.add_argument("-V", "--version", action="version", version=f"dicehall {__version__}")
    _add_serving(parser)
    parser.set_defaults(run=runs[SERVE])
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)
    for name, (words, add_arguments) in COMMANDS.items():
        added = _add(commands, name, words)
        added.set_defaults(run=runs[name])
        if add_arguments is not _hall:  # whose own commands have it
            _json(added)
        add_arguments(added)
    return parser


def _add(commands: Any, name: str, words: str) -> Parser:
    added: Parser = commands.add_parser(name, help=words, description=words[0].upper() + words[1:] + ".")
    return added


def _add_serving(parser: Parser) -> None:
    serve = parser.add_argument_group("serving the hall")
    serve.add_argument("--host", default="127.0.0.1", help="the address to listen on")
    serve.add_argument("--port", type=_port, default=8000, help="the port to listen on")
    serve.add_argument("--lan", action="store_true", help="let phones on this network in, and show a QR code for them")
    serve.add_argument("--no-browser", action="store_true", help="open no browser, also when started from a terminal")
    serve.add_argument("--data", type=Path, metavar="FOLDER", help=DATA)
    serve.add_argument("--database", metavar="URL", help=DATABASE)
    serve.add_argument(
        "--allow-host", action="append", default=[], metavar="NAME", help="another name the hall is reached under"
    )
    serve.add_argument("--https", action="store_true", help="behind a proxy that speaks HTTPS: cookies for it alone")
    serve.add_argument(
        "--clock-is-right", action="store_true", help="open a hall that has seen a later time than this machine tells"
    )


# --- the commands, in the order of the help


def _play(command: Parser) -> None:
    command.add_argument("game", nargs="?", metavar="GAME", help=", ".join(GAMES))
    command.add_argument(
        "--resume",
        action="store_true",
        help="go on with the unfinished run that was played last, of GAME if it is given",
    )
    command.add_argument("--seed", help="the run's seed: the same seed rolls the same dice")
    command.add_argument("--seats", help=f"who plays, by comma: {YOU} for a person, or a player's name")
    command.add_argument("--practice", action="store_true", help="undo may take back a roll; the run is then unranked")
    command.add_argument("--save", metavar="FILE", help="append the run's record to this file")
    _options(command)
    _language(command)


def _games(command: Parser) -> None:
    command.add_argument("game", nargs="?", metavar="GAME", help="just this one")


def _replay(command: Parser) -> None:
    command.add_argument("file", metavar="FILE", help=RECORDS)


def _verify(command: Parser) -> None:
    command.add_argument("file", metavar="RECORD", help=RECORDS)


def _odds(command: Parser) -> None:
    command.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    command.add_argument("--objective", metavar="O", help=OBJECTIVE)
    command.add_argument("--compare", action="store_true", help="every objective under the usual rules and under these")
    _options(command)
    _language(command)


def _coach(command: Parser) -> None:
    command.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    command.add_argument("position", metavar="POSITION", help="a state's text, as `state` in a view")
    command.add_argument("--objective", metavar="O", help=OBJECTIVE)
    _options(command)
    _language(command)


def _chart(command: Parser) -> None:
    command.add_argument("game", metavar="GAME", help="lite-solo, farkle, shut-the-box, knucklebones")
    command.add_argument("file", type=Path, metavar="FILE", help="where the picture goes; its ending says which kind")
    command.add_argument("--objective", metavar="O", help="what is played for; without it, the chart that most ask for")
    _options(command)


def _solve(command: Parser) -> None:
    command.add_argument("game", metavar="GAME", help=f"{', '.join(GAMES)}; one without books says so")
    command.add_argument("--book", metavar="NAME", help="just this one, by the name of its file")
    place = command.add_mutually_exclusive_group()
    place.add_argument("--check", action="store_true", help="write nothing; exit code 1 if a book is not as it was")
    place.add_argument("--to", type=Path, metavar="FOLDER", help="write into this folder instead of the cache")
    place.add_argument("--packaged", action="store_true", help="write into the installed package")
    place.add_argument(
        "--out", type=Path, metavar="FILE", help="knucklebones: solve every position into this file, or go on with it"
    )
    command.add_argument(
        "--columns",
        type=int,
        choices=(1, 2, 3),
        metavar="N",
        help="with --out: 1, 2 or 3, which takes 10 GB (usually 3)",
    )
    command.add_argument(
        "--objective", choices=("win-draw-half", "win-alone"), metavar="O",
        help="with --out: win-draw-half, or win-alone, where a draw is nothing (usually win-draw-half)",
    )  # fmt: skip
    command.add_argument(
        "--backend", choices=("cpu", "gpu"), metavar="B", help="with --out: cpu, or gpu, which needs CuPy (usually cpu)"
    )
    _options(command)


def _report(command: Parser) -> None:
    command.add_argument("file", metavar="FILE", help=RECORDS)
    command.add_argument("--seat", type=_count, default=0, metavar="N", help="whose run it was; the first seat is 0")
    command.add_argument("--objective", metavar="O", help="what was played for; without it, what the options suggest")
    _language(command)


def _check(command: Parser) -> None:
    command.add_argument("--data", type=Path, metavar="FOLDER", help=DATA)
    command.add_argument("--database", metavar="URL", help=DATABASE)


def _simulate(command: Parser) -> None:
    command.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    command.add_argument("--seats", default=None, metavar="A,B", help="players by name, by comma")
    command.add_argument("--games", type=_count, default=100, metavar="N", help="how many games to play")
    command.add_argument("--seed", default="dicehall", metavar="S", help="the same seed plays the same games")
    command.add_argument("--records", metavar="FILE", help="write every game's record, as JSON Lines")
    _options(command)


def _hall(command: Parser) -> None:
    tasks = command.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)

    def task(name: str, words: str, changes: bool = True) -> Parser:
        added = _add(tasks, name, words)
        usual = argparse.SUPPRESS  # what stands before the command is not forgotten
        added.add_argument("--data", type=Path, metavar="FOLDER", default=usual, help=DATA)
        added.add_argument("--database", metavar="URL", default=usual, help="the hall's other database")
        if changes:
            added.add_argument("--reason", metavar="TEXT", help="why, for the audit log")
        _json(added)
        added.set_defaults(task=name, target="", name=None, reason="", days=None)
        return added

    found = task("players", "find players by their id or nickname", changes=False)
    found.add_argument("target", metavar="NAME", help="an id, or part of a nickname")
    for name, words in (
        ("hide", "take a player off every board, now and later; they are not told"),
        ("show", "let a hidden player onto the boards again, with their bests"),
        ("ban", "hide a player, and let them do nothing in the hall but look"),
        ("unban", "let a banned player in again, and onto the boards"),
        ("unsilence", "let a silenced player say phrases again"),
    ):
        task(name, words).add_argument("target", metavar="PLAYER", help=PLAYER)
    silence = task("silence", "take a player's phrases away at tables with others; they are told when they try")
    silence.add_argument("target", metavar="PLAYER", help=PLAYER)
    silence.add_argument("--days", type=_count, metavar="N", help="for so many days; without it, until it is lifted")
    rename = task("rename", "give a player another nickname, or take it away")
    rename.add_argument("target", metavar="PLAYER", help=PLAYER)
    rename.add_argument("name", nargs="?", metavar="NAME", help="the new nickname; without it, the player is nameless")
    end = task("end-table", "clear an unfinished table away; a finished one is left alone")
    end.add_argument("target", metavar="TABLE", help="the table's id; after -- if it begins with a dash")
    match = task("end-match", "end what people play together: the game counts for nobody, and they are told")
    match.add_argument(
        "target",
        metavar="MATCH",
        help="the room's id, as `now` tells it, or its table's; after -- if it begins with a dash",
    )
    unrate = task("unrate", "take back what a game has done to ratings, with all that followed from it")
    unrate.add_argument("target", metavar="RUN", help="the run's id; after -- if it begins with a dash")
    task("now", "tell who is there, what people play together, and who looks for a match", changes=False)
    task("log", "tell what has been done by these commands", changes=False)
    copy = task("backup", "copy the hall, while it is open, into a folder that --data can open", changes=False)
    copy.add_argument("target", metavar="FOLDER", help="where to; new or empty")


def _completion(command: Parser) -> None:
    """Nothing to choose: one script does for every shell that we know."""


COMMANDS: Final[dict[str, tuple[str, Callable[[Parser], None]]]] = {
    "play": ("play a game here, line by line", _play),
    "games": ("list the games with their options", _games),
    "replay": ("verify records: every step, every die with a seed, the result", _replay),
    "verify": ("check every die of a record against its commitment and seed", _verify),
    "odds": ("what the start of a game is worth under perfect play: where two play, to seat 0, whoever begins", _odds),
    "coach": ("rank the moves of a position by what they are worth under perfect play", _coach),
    "chart": ("draw what the coach knows of a game into a .png or .svg file", _chart),
    "solve": ("build a game's books again: what the coach knows by heart", _solve),
    "report": ("split a run into luck and skill, move by move", _report),
    "check": ("look for damage in what a hall has kept; exit code 1 if there is any", _check),
    "simulate": ("play many games between named players", _simulate),
    "hall": ("look after the players and tables of a hall, open or not", _hall),
    "completion": ('let bash or zsh complete these commands: eval "$(dicehall completion)"', _completion),
}


# --- what several commands take


def _json(command: Parser) -> None:
    command.add_argument("--json", action="store_true", help="answer in JSON")


def _options(command: Parser) -> None:
    command.add_argument(
        "--option", action="append", default=[], metavar="K=V", help="an option of the game, repeatable"
    )
    command.add_argument("--preset", help="several options at once, by name")


def _language(command: Parser) -> None:
    command.add_argument("--language", choices=LANGUAGES, help="en or de; without it, as $LANG and its kin say")


def _count(text: str) -> int:
    if not text.removeprefix("-").isdecimal():
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number")
    if len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} has too many digits")
    return int(text)


def _port(text: str) -> int:
    if not text.isdecimal() or len(text) > 5 or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a port")
    return int(text)
