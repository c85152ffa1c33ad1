"""What each command of the command line does; `arguments.py` says what they take.

Every command has --json; bad input is one clear line on stderr and exit code 2, and so is an answer for which there is
no room or no reader, with exit code 3.
"""

from __future__ import annotations

import argparse
import errno
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, Final

from dicehall import files, streams
from dicehall.arguments import SERVE, build_parser
from dicehall.bots.catalog import catalog_entry
from dicehall.bots.player import player
from dicehall.bots.seats import YOU, usual_seats
from dicehall.coach.advise import advise, intended
from dicehall.coach.odds import compare, start_value
from dicehall.coach.protocol import find_coach, read_objective
from dicehall.coach.report import report
from dicehall.completion import completion
from dicehall.errors import NO_ROOM, DicehallError, InvalidOption, InvalidRecord, InvalidText, NotWritten, not_written
from dicehall.lab.compare import compare_json
from dicehall.lab.reports import advice_json, report_json
from dicehall.lab.simulate import simulate
from dicehall.play.record import ENDED, LEFT, RESIGNED, TIME, Record, result_json
from dicehall.play.record_line import PREFIX, to_line
from dicehall.play.replay import check, prove, read_record, split_records
from dicehall.play.table import Table
from dicehall.rules.catalog import GAMES, AnyGame, find_game
from dicehall.rules.options import Options, OptionValue, option_text
from dicehall.terminal.coach import advice_lines, comparison_lines, moment_lines, report_lines
from dicehall.terminal.kept import KeptRun, game_of, new_run, resume, waiting
from dicehall.terminal.lines import Ask, LineGame, Tell, choose_game
from dicehall.terminal.told import fit, seat_names, title
from dicehall.terminal.words import Words, usual_language


def main(arguments: Sequence[str] | None = None) -> int:
    streams.begin()
    try:
        try:
            chosen = build_parser(RUNS).parse_args(arguments)
            return int(chosen.run(chosen))
        finally:
            sys.stdout.flush()  # now, while we can still say that it failed
    except NotWritten as error:
        return _refuse(error, 3)
    except DicehallError as error:
        return _refuse(error, 2)
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        streams.let_go(sys.stdout)
        if error.errno == errno.EPIPE:
            return 3  # whoever read has enough, such as `head`: nobody is told
        return _refuse(not_written("standard output", error), 3)
    except KeyboardInterrupt:
        streams.complain("\n")
        return 130


def _refuse(error: DicehallError, code: int) -> int:
    streams.complain(f"dicehall: {error}\n")
    return code


@contextmanager
def _extra(name: str, need: str) -> Iterator[None]:
    """What is imported in here may be missing: the extra `name` brings it. `need` says what for: "charts need"."""
    try:
        yield
    except ModuleNotFoundError:
        raise InvalidOption(name, f"{need} more: pip install 'dicehall[{name}]'") from None


def _serve(chosen: argparse.Namespace) -> int:
    with _extra("server", "serving needs"):
        from dicehall.server.serve import serve  # here: playing in a terminal needs none of the server's packages
    streams.do_without_output()  # a hall serves all the same
    host = "0.0.0.0" if chosen.lan else chosen.host
    return serve(
        host, chosen.port, chosen.data, chosen.database, tuple(chosen.allow_host), secure=chosen.https, lan=chosen.lan,
        clock_is_right=chosen.clock_is_right, browser=not chosen.no_browser,
    )  # fmt: skip


def _hall(chosen: argparse.Namespace) -> int:
    with _extra("server", "a hall needs"):
        from dicehall.server.operator import attend, in_words
    asked = (chosen.task, chosen.target, chosen.name, chosen.reason, chosen.days)
    told = attend(chosen.data, chosen.database, *asked)
    print(json.dumps(told) if chosen.json else in_words(told))
    return 0


def _play(chosen: argparse.Namespace) -> int:
    def ask(prompt: str) -> str:
        return input(prompt)

    def tell(line: str) -> None:
        print(line, flush=True)

    words = _words(chosen)
    if chosen.seats is None or YOU in _names(chosen.seats):
        streams.check_input()
    if sys.stdin.isatty() and sys.stdout.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401  # from here on `input` knows the arrow keys and what was typed before
    try:
        kept, table = _resumed_run(chosen) if chosen.resume else _new_run(chosen, words, ask, tell)
    except EOFError:
        return 0
    if chosen.save is not None:
        with _written(chosen.save), open(chosen.save, "a"):
            pass  # better to know now than after the run
    game = LineGame(table, words, ask, tell, chosen.json, kept)
    try:
        game.greet(chosen.resume)
        game.play()
    except (EOFError, KeyboardInterrupt):
        if not chosen.json:
            tell(f"\n  {words.t('terminal.so-far')}\n  {to_line(table.record())}")
            if game.is_kept:
                tell(fit(f"  {words.t('terminal.kept')}"))
    if chosen.save is not None:
        with _written(chosen.save):
            files.append(chosen.save, str(table.record()))
    if kept is not None and table.is_over:
        kept.forget()
    elif kept is not None:
        kept.close()
    return 0


def _new_run(chosen: argparse.Namespace, words: Words, ask: Ask, tell: Tell) -> tuple[KeptRun | None, Table]:
    """The table that the arguments ask for, and where its run is kept. Says that earlier runs are not finished."""
    if chosen.json and chosen.game is None:
        raise InvalidOption("game", "with --json the game has to be named: dicehall play GAME --json")
    game = choose_game(words, ask, tell) if chosen.game is None else find_game(chosen.game)
    seats = usual_seats(game) if chosen.seats is None else _names(chosen.seats)
    for name in seats:
        if name != YOU:
            player(name, game, "check")
    given = _options(game, chosen)
    options = game.make_options(given)
    game.check_seats(options, len(seats))
    if len(seats) == 1 and not game.is_usual(options):
        options = _with_fitting_goal(game, options, given)
    options = options.in_force(len(seats))
    table = Table(game, options=options, seats=seats, seed=chosen.seed, practice=chosen.practice)
    unfinished = waiting()
    if unfinished and not chosen.json:
        last = game_of(unfinished[0])
        game_title = title(words, GAMES[last]) if last in GAMES else last
        tell(fit(words.t("terminal.kept-before", n=len(unfinished), game=game_title)))
    return new_run(game.id), table


def _with_fitting_goal(game: AnyGame, options: Options, given: Mapping[str, OptionValue]) -> Options:
    """The usual goal belongs to the usual rules. Under others, whoever asks for none gets one that fits, if there is
    any, as on the page."""
    coach = find_coach(game.id)
    if coach is None or (aim := coach.TARGET_OPTION) is None or aim in given:
        return options
    usual, found = game.make_options({}).as_dict()[aim], coach.targets(options)
    if not found or any(one.name != "own" and one.target == usual for one in found):
        return replace(options, **{aim: usual})
    return replace(options, **{aim: next((one for one in found if one.name == "even"), found[0]).target})


def _resumed_run(chosen: argparse.Namespace) -> tuple[KeptRun, Table]:
    """The unfinished run that was played last, of the chosen game if there is one."""
    given = {name: getattr(chosen, name) for name in ("seed", "seats", "practice", "option", "preset")}
    for name, value in given.items():
        if value not in (None, False, []):
            raise InvalidOption("resume", f"--resume goes on with a run as it was begun; leave --{name} out")
    return resume(None if chosen.game is None else find_game(chosen.game).id)


def _games(chosen: argparse.Namespace) -> int:
    games = [find_game(chosen.game)] if chosen.game else list(GAMES.values())
    if chosen.json:
        print(json.dumps([catalog_entry(game) for game in games], indent=2))
        return 0
    for game in games:
        entry = catalog_entry(game)
        seats = entry["seats"]
        count = seats["from"] if seats["from"] == seats["to"] else f"{seats['from']} to {seats['to']}"
        print(f"{game.id}  {game.title}, rules {game.version}, {count} seat{'s' if count != 1 else ''}")
        for option in entry["options"]:
            values = option["values"]
            shown = (
                f"{values['from']}..{values['to']}" if isinstance(values, dict) else "|".join(map(option_text, values))
            )
            print(f"    {option['name']}={option_text(option['default'])}  [{shown}]\n        {option['meaning']}")
        print(f"    players: {', '.join(entry['players'])}\n")
    return 0


def _replay(chosen: argparse.Namespace) -> int:
    found = _records(chosen.file)
    failures = 0
    for number, text in enumerate(found, 1):
        verdict = check(text)
        failures += not verdict.ok
        answer: dict[str, Any] = {"ok": verdict.ok}
        if verdict.record is not None:
            answer |= {"game": verdict.record.game, "steps": len(verdict.record.steps)}
        if verdict.ok and verdict.record is not None:
            answer["result"] = None if verdict.result is None else result_json(verdict.result)
            if verdict.record.departures:
                answer["departures"] = [one._asdict() for one in verdict.record.departures]
        else:
            answer |= {"step": verdict.step, "code": verdict.code, "reason": verdict.reason}
        if chosen.json:
            print(json.dumps(answer))
        elif verdict.ok and verdict.record is not None:
            told = [f"{answer['game']}, {answer['steps']} steps, {verdict.result or 'not over'}"]
            print(f"{number}: ok, {'; '.join(told + _departed(verdict.record))}")
        else:
            print(f"{number}: refused at step {verdict.step}: {verdict.reason}")
    return 1 if failures else 0


def _departed(record: Record) -> list[str]:
    """Who played no further, and since when."""
    said = {RESIGNED: "resigned", TIME: "ran out of time", LEFT: "left", ENDED: "was told that the run is ended"}
    return [f"seat {seat} {said[why]} after {step} step{'s' * (step != 1)}" for step, seat, why in record.departures]


def _verify(chosen: argparse.Namespace) -> int:
    failures = 0
    for one in _records(chosen.file):
        answer: dict[str, Any]
        try:
            record = read_record(one)
            dice = prove(record)
        except InvalidRecord as error:
            answer = {"ok": False, "step": error.step, "code": error.code, "reason": str(error)}
        except DicehallError as error:
            answer = {"ok": False, "step": 0, "code": error.code, "reason": str(error)}
        else:
            answer = {"ok": True, "dice": dice, "commitment": record.origin.commitment, "seed": record.origin.seed}
            if record.origin.contributions:
                answer["contributions"] = [one._asdict() for one in record.origin.contributions]
        failures += not answer["ok"]
        if chosen.json:
            print(json.dumps(answer))
        elif answer["ok"]:
            print(f"ok: all {answer['dice']} dice are the seed's{_contributed(len(answer.get('contributions', ())))}")
        else:
            print(f"refused: {answer['reason']}")
    return 1 if failures else 0


def _contributed(people: int) -> str:
    if not people:
        return ""
    return f"; {people} {'person' if people == 1 else 'people'} contributed to it, so nobody could choose them"


def _odds(chosen: argparse.Namespace) -> int:
    game = find_game(chosen.game)
    options = game.make_options(_options(game, chosen))
    if chosen.compare:
        if chosen.objective is not None:
            raise InvalidOption("objective", "--compare shows every objective; leave --objective out")
        if chosen.json:
            print(json.dumps(compare_json(game, options)))
        else:
            print("\n".join(comparison_lines(_words(chosen), compare(game, options))))
        return 0
    objective, value = start_value(game, options, chosen.objective)
    exact = objective.certainty_at_start == "exact"
    if chosen.json:
        told = {"game": game.id, "options": options.changed(), "objective": str(objective), "value": float(value)}
        print(json.dumps({**told, "exact": str(value) if exact else None}))
    else:
        print(
            f"{objective}: {_words(chosen).precise(value, objective.digits)}"
            + f" = {value}" * (exact and len(str(value)) < 60)
        )
    return 0


def _coach(chosen: argparse.Namespace) -> int:
    game = find_game(chosen.game)
    state = game.rules.read_state(game.make_options(_options(game, chosen)), chosen.position)
    if chosen.objective is None:
        objective = intended(game, state.options, game.rules.seats_of(state))
    else:
        objective = read_objective(game, chosen.objective)
    advice = advise(game, state, objective)
    if chosen.json:
        print(json.dumps({"game": game.id, **advice_json(objective, advice)}))
    else:
        print("\n".join(advice_lines(_words(chosen), objective, advice)))
    return 0


def _report(chosen: argparse.Namespace) -> int:
    words, records, failures = _words(chosen), _records(chosen.file), 0
    for number, text in enumerate(records, 1):
        heading = f"{number}:\n" if len(records) > 1 else ""
        try:
            record = read_record(text)
            told = report(record, chosen.seat, chosen.objective)
        except (InvalidRecord, InvalidText) as error:  # the others may be true
            failures += 1
            step = error.step if isinstance(error, InvalidRecord) else 0
            if chosen.json:
                print(json.dumps({"ok": False, "step": step, "code": error.code, "reason": str(error)}))
            else:
                print(f"{heading}refused at step {step}: {error}")
            continue
        if chosen.json:
            print(json.dumps(report_json(record, told)))
            continue
        names = seat_names(words, record.seats)
        print(heading + "\n".join(report_lines(words, record, told, names)))
        print("\n".join(moment_lines(words, told, names)))
    return 1 if failures else 0


def _chart(chosen: argparse.Namespace) -> int:
    with _extra("charts", "charts need"):
        from dicehall.lab.charts import chart
    game = find_game(chosen.game)
    chart(game, game.make_options(_options(game, chosen)), chosen.objective, chosen.file)
    print(json.dumps({"file": str(chosen.file)}) if chosen.json else f"written: {chosen.file}")
    return 0


def _solve(chosen: argparse.Namespace) -> int:
    from dicehall.solve.command import solve
    from dicehall.solve.knucklebones.command import solve_every_position

    game = find_game(chosen.game)
    options = _options(game, chosen)
    asked = {"columns": chosen.columns, "objective": chosen.objective, "backend": chosen.backend}
    asked = {name: value for name, value in asked.items() if value is not None}
    if asked and not chosen.out:
        raise InvalidOption("out", f"--{next(iter(asked))} is for --out FILE, which solves every position into a file")
    with _extra("solve", "solving needs"):
        if chosen.out:
            return solve_every_position(game, chosen.out, **asked, as_json=chosen.json)
        return solve(game, chosen.book, options, chosen.check, chosen.to, chosen.packaged, chosen.json)


def _check(chosen: argparse.Namespace) -> int:
    with _extra("server", "a hall needs"):
        from dicehall.server.damage import all_damage
        from dicehall.store.engine import existing_url
    found = all_damage(existing_url(chosen.data, chosen.database))
    if chosen.json:
        print(json.dumps({"ok": not found, "damage": found}))
    else:
        print("\n".join(found or ["all is well"]))
    return 1 if found else 0


class _Stopped(Exception):
    """Ctrl-C, after so many games."""


def _simulate(chosen: argparse.Namespace) -> int:
    game = find_game(chosen.game)
    seats = ["random"] * game.seats[0] if chosen.seats is None else _names(chosen.seats)
    options = _options(game, chosen)
    show = None if chosen.json else streams.Progress("simulate", chosen.games, "games")
    with streams.interruptible() as pressed, _whole(chosen.records) as file:

        def keep(record: Record) -> None:
            if file is not None:
                file.write(f"{record}\n")

        def tell(played: int) -> None:
            if show is not None:
                show(played)
            if pressed() and played < chosen.games:
                raise _Stopped(played)

        try:
            summary = simulate(game, seats, chosen.games, chosen.seed, options, keep, tell)
        except _Stopped as stopped:  # the file is whole all the same
            summary, played = None, stopped
    if summary is None:
        kept = "" if chosen.records is None else f"; their records are in {chosen.records}"
        end = "\n" if sys.stderr.isatty() else ""  # of what stands there
        streams.complain(f"{end}dicehall: stopped after {played} of {chosen.games} games{kept}\n")
        return 130
    if chosen.json:
        print(json.dumps(summary))
        return 0
    speed = f"{summary['seconds']:.2f} s ({summary['games_per_second']} a second)"
    print(f"{summary['games']} game{'s' * (summary['games'] != 1)} of {game.title} in {speed}")
    print(f"mean length {summary['mean_length']:.2f} steps")
    for seat in summary["per_seat"]:
        print(
            f"  {seat['player']:12} {summary['aim']['unit']} {seat['mean_score']:.3f} ± {seat['se']:.3f}   "
            f"won {seat['wins']}, drawn {seat['draws']}, lost {seat['losses']}"
        )
    return 0


def _completion(chosen: argparse.Namespace) -> int:
    script = completion(build_parser(RUNS))
    print(json.dumps({"script": script}) if chosen.json else script, end="\n" if chosen.json else "")
    return 0


def _words(chosen: argparse.Namespace) -> Words:
    return Words(chosen.language or usual_language(os.environ))


def _options(game: AnyGame, chosen: argparse.Namespace) -> dict[str, OptionValue]:
    options: dict[str, OptionValue] = {}
    for pair in chosen.option:
        name, equals, text = pair.partition("=")
        if not equals:
            raise InvalidOption("option-form", f"an option is written name=value, not {pair[:40]!r}")
        options[name] = game.read_option(name, text)
    if chosen.preset is not None and options.setdefault("preset", chosen.preset) != chosen.preset:
        raise InvalidOption("option-form", "two presets at once: --preset and --option preset=...")
    game.make_options(options)
    return options


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def _records(argument: str) -> list[str]:
    argument = argument.strip()  # as `play` prints it, indented
    written_out = argument.startswith((f"{PREFIX}1/", "{"))  # the record itself: a line, or JSON
    found = [argument] if written_out else split_records(_read(argument))
    if not found:
        raise InvalidOption("file", f"{argument} holds no record")
    return found


def _read(path: str) -> str:
    try:
        if not path:
            raise InvalidOption("file", "which file? its name is empty")
        if path == "-":
            return streams.read_input().decode()
        return Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:  # ValueError: not UTF-8, or a name no file can have
        raise InvalidOption("file", f"cannot read {path[:80]!r}: {getattr(error, 'strerror', None) or error}") from None


@contextmanager
def _whole(path: str | None) -> Iterator[IO[str] | None]:
    if path is None:
        yield None
        return
    with _written(path), files.whole(path, "w") as file:
        yield file


@contextmanager
def _written(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise not_written(path, error) from None
    except ValueError as error:  # a name no file can have
        if isinstance(error, DicehallError):
            raise
        raise InvalidOption("file", f"cannot write {path[:80]!r}: {error}") from None


if __name__ == "__main__":
    sys.exit(main())


RUNS: Final = {
    SERVE: _serve,
    "play": _play,
    "games": _games,
    "replay": _replay,
    "verify": _verify,
    "odds": _odds,
    "coach": _coach,
    "chart": _chart,
    "solve": _solve,
    "report": _report,
    "check": _check,
    "simulate": _simulate,
    "hall": _hall,
    "completion": _completion,
}
