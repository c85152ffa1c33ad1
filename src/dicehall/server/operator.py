"""`dicehall hall`: what whoever runs a hall can do to players and tables, while it is open or not.

Every change is one transaction with its row in the audit log; a hall that is running follows the log (keepers.py).
Who is *hidden* is on no board and is not told so; who is *banned* is hidden, and may do nothing but look.
"""

from __future__ import annotations

import getpass
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, Row, Select, func, or_, select, text, update
from sqlalchemy.exc import OperationalError

from dicehall.errors import InvalidOption, excerpt
from dicehall.server.matches import end_match, who_is_there
from dicehall.server.modes import board_name, daily_board, day_of, periods_of
from dicehall.store import audit, boards, daily, nicknames, players, tables
from dicehall.store.audit import Act
from dicehall.store.backup import back_up
from dicehall.store.engine import check_version, existing_url, is_local, key_file, open_engine, reader
from dicehall.store.players import BANNED, HIDDEN
from dicehall.store.rerating import take_back
from dicehall.store.schema import players as player_rows
from dicehall.store.schema import players_runs, standings
from dicehall.store.schema import runs as run_rows
from dicehall.store.tables import Overtaken

MOST_SHOWN: Final = 1000
TRIES: Final = 20
DAY: Final = 86_400  # seconds
PATIENCE: Final = "300ms"  # less than PostgreSQL takes to find a deadlock: we step back, not the hall


class Desk:
    """What can be looked up and done there, at the time `now`."""

    def __init__(self, engine: Engine, now: int) -> None:
        self._engine, self._now = engine, now

    # -- looking

    def players(self, name: str) -> list[dict[str, Any]]:
        """The players with that id, or with a nickname that holds or looks like the name; the newest first."""
        asked = or_(
            player_rows.c.id == name,
            player_rows.c.nickname.icontains(name, autoescape=True),
            player_rows.c.look == nicknames.look(name),
        )
        counted = select(func.count()).where(players_runs.c.player_id == player_rows.c.id).scalar_subquery()
        columns = (player_rows.c.id, player_rows.c.nickname, player_rows.c.created_at, player_rows.c.barred)
        query = select(*columns, counted.label("runs")).where(asked)
        with reader(self._engine).connect() as connection:
            found = connection.execute(query.order_by(player_rows.c.created_at.desc()).limit(MOST_SHOWN))
            return [dict(row._mapping) for row in found]

    def log(self) -> list[Act]:
        """The newest acts, in their order."""
        with reader(self._engine).connect() as connection:
            return audit.latest(connection, MOST_SHOWN)

    def now(self) -> dict[str, Any]:
        """Who is there, what is played between people, and who looks for a match."""
        with reader(self._engine).connect() as connection:
            return who_is_there(connection, self._now)

    # -- changing

    def hide(self, player: str, reason: str) -> Act:
        """Off every board, now and later; the player does not know."""
        return self._change("hide", reason, lambda c: self._bar(c, player, HIDDEN))

    def show(self, player: str, reason: str) -> Act:
        return self._change("show", reason, lambda c: self._unbar(c, player, HIDDEN))

    def ban(self, player: str, reason: str) -> Act:
        return self._change("ban", reason, lambda c: self._bar(c, player, BANNED))

    def unban(self, player: str, reason: str) -> Act:
        return self._change("unban", reason, lambda c: self._unbar(c, player, BANNED))

    def rename(self, player: str, name: str | None, reason: str) -> Act:
        """A nickname by the usual rules, or none."""

        def change(connection: Connection) -> str:
            player_id: str = _player(connection, player).id
            if name is None:
                players.unname(connection, player_id)
            else:
                players.rename(connection, player_id, name)
            return player_id

        return self._change("rename", reason, change)

    def silence(self, player: str, days: int | None, reason: str) -> Act:
        """No phrases for so many days; None: until that is lifted. They are told when they try."""
        if days is not None and days < 1:
            raise InvalidOption("days", f"a player is silenced for a day or more, not for {days}")

        def change(connection: Connection) -> str:
            found: str = _player(connection, player).id
            players.silence(connection, found, players.NEVER if days is None else self._now + days * DAY)
            return found

        return self._change("silence", reason, change)

    def unsilence(self, player: str, reason: str) -> Act:
        def change(connection: Connection) -> str:
            found: str = _player(connection, player).id
            if not players.is_silenced(connection, found, self._now):
                raise InvalidOption("silenced", "that player may say what there is to say already")
            players.silence(connection, found, None)
            return found

        return self._change("unsilence", reason, change)

    def end_match(self, match: str, reason: str) -> Act:
        """The game that is played there counts for nobody, and the room is closed."""
        return self._change("end-match", reason, lambda c: end_match(c, match, self._now))

    def unrate(self, run: str, reason: str) -> Act:
        """What that game has done to ratings is taken back, with all that followed from it."""

        def change(connection: Connection) -> str:
            take_back(connection, run)
            return run

        return self._change("unrate", reason, change)

    def end_table(self, table_id: str, reason: str) -> Act:
        """Clear an unfinished table away. A finished one stays: its run has been entered."""

        def change(connection: Connection) -> str:
            if tables.load(connection, table_id) is None:
                raise InvalidOption("table", f"there is no table {excerpt(table_id)}")
            tables.forget(connection, table_id)
            if tables.load(connection, table_id) is not None:
                raise InvalidOption("table", "that table is finished, and is left alone: its run has been entered")
            return table_id

        return self._change("end-table", reason, change)

    # -- inside

    def _change(self, action: str, reason: str, change: Callable[[Connection], str]) -> Act:
        """All of it or nothing. `change` returns the id of what it has changed."""
        for tried in range(TRIES):
            try:
                with self._engine.begin() as connection:
                    if connection.dialect.name == "postgresql":
                        connection.execute(text(f"SET LOCAL lock_timeout = '{PATIENCE}'"))
                    audit.begin(connection)
                    return audit.write(connection, self._now, user(), action, change(connection), reason)
            except Overtaken:  # by the hall, just now: what is there now is changed instead
                if tried == TRIES - 1:
                    raise
            except OperationalError as error:  # SQLite has been patient already
                if is_local(self._engine) or tried == TRIES - 1:
                    raise InvalidOption("database", f"the database is busy, or away: {error.orig}") from None
                time.sleep(0.1)
        raise AssertionError("the last try returns or raises")

    def _bar(self, connection: Connection, asked: str, how: str) -> str:
        player = _player(connection, asked)
        if player.barred in (how, BANNED):
            raise InvalidOption("barred", f"that player is {player.barred} already")
        _set_barred(connection, player.id, how)
        boards.leave(connection, player.id)
        return str(player.id)

    def _unbar(self, connection: Connection, asked: str, how: str) -> str:
        player = _player(connection, asked)
        if player.barred != how:
            raise InvalidOption("barred", f"that player is {player.barred or 'neither hidden nor banned'}, not {how}")
        _set_barred(connection, player.id, None)
        self._put_back(connection, player.id)
        return str(player.id)

    def _put_back(self, connection: Connection, player_id: str) -> None:
        """The player's bests, on the boards that are still going on."""
        own, more = players_runs.c, (run_rows.c.id, run_rows.c.table_id, run_rows.c.lower_is_better)
        mine: Select[Any] = select(*own, *more).join(run_rows, run_rows.c.id == own.run_id)
        mine = mine.where(own.player_id == player_id, own.ranked).order_by(own.finished_at, own.run_id)
        earned: dict[tuple[str, str], list[Row[Any]]] = {}
        for run in connection.execute(mine).all():
            for place in self._places(connection, run):
                earned.setdefault(place, []).append(run)
        for (board, period), runs in sorted(earned.items()):
            best = min(runs, key=lambda run: run.score if run.lower_is_better else -run.score)  # of equals, the first
            reached = (best.score, best.lower_is_better, best.id, best.finished_at)
            boards.enter(connection, board, period, player_id, *reached)
            here = (standings.c.player_id == player_id, standings.c.board == board, standings.c.period == period)
            counts = {"runs": len(runs), "took": runs.index(best) + 1}
            connection.execute(update(standings).where(*here).values(counts))

    def _places(self, connection: Connection, run: Row[Any]) -> list[tuple[str, str]]:
        """The boards and periods, among those still going on, that a ranked run belongs to."""
        if run.day is None:
            current = set(periods_of(self._now).values()).intersection(periods_of(run.finished_at).values())
            return [(board_name(run.game, run.mode), period) for period in current]
        if run.day != day_of(self._now):
            return []
        attempt = daily.attempt_at(connection, run.day, run.player_id, run.table_id)
        boards_of_run = ["best", "first"] if attempt is not None and attempt.first else ["best"]
        return [(daily_board(run.day, run.game, run.mode, which), "all") for which in boards_of_run]


def attend(
    data: Path | None,
    database: str | None,
    task: str,
    target: str,
    name: str | None,
    reason: str,
    days: int | None = None,
) -> list[dict[str, Any]]:
    """What the command `task` finds, or does to its `target`, as plain data. `name` is a new nickname, `reason` stands
    in the audit, and for so many `days` it lasts."""
    if task == "backup":
        url, key = existing_url(data, database), key_file(data)
        return [{"folder": target, "bytes": back_up(url, key, Path(target))}]
    with desk(data, database) as here:
        match task:
            case "players":
                return here.players(target)
            case "now":
                return [here.now()]
            case "silence":
                return [asdict(here.silence(target, days, reason))]
            case "unsilence" | "unrate":
                return [asdict(getattr(here, task)(target, reason))]
            case "end-match":
                return [asdict(here.end_match(target, reason))]
            case "log":
                return list(map(asdict, here.log()))
            case "rename":
                return [asdict(here.rename(target, name, reason))]
            case "end-table":
                return [asdict(here.end_table(target, reason))]
            case "hide" | "show" | "ban" | "unban":
                return [asdict(getattr(here, task)(target, reason))]
    raise InvalidOption("task", f"there is no such command: {task}")


def in_words(told: list[dict[str, Any]]) -> str:
    """What `attend` gives, a line each."""
    lines = []
    for one in told:
        if "nickname" in one:
            known = (one["id"], one["nickname"] or "(nameless)", f"since {_moment(one['created_at'])}")
            lines.append("  ".join((*known, f"runs: {one['runs']}", one["barred"] or "")).rstrip())
        elif "matches" in one:
            lines += _there_in_words(one)
        elif "folder" in one:
            lines.append(f"{one['bytes']:,} bytes; open it with dicehall --data {one['folder']}")
        else:
            done = (str(one["id"]), _moment(one["at"]), one["who"], one["action"], one["target"], one["reason"])
            lines.append("  ".join(done).rstrip())
    return "\n".join(lines) or "nothing found"


def _there_in_words(one: dict[str, Any]) -> list[str]:
    def who(person: dict[str, Any]) -> str:
        return f"{person['id']} {person['nickname'] or '(nameless)'}"

    lines = [f"halls open: {one['open']}", f"connected players: {len(one['players'])}"]
    lines += [f"  {who(person)}" for person in one["players"]]
    lines += [f"matches in play: {len(one['matches'])}"]
    for match in one["matches"]:
        head = f"  {match['room']}  {match['game']}  {match['state']}  lines: {match['lines']}"
        lines += [f"{head}  since {_moment(match['since'])}", *(f"    {who(each)}" for each in match["players"])]
    lines += [f"looking for a match: {len(one['looking'])}"]
    return lines + [f"  {who(each)}  {each['pool']}  since {_moment(each['since'])}" for each in one["looking"]]


@contextmanager
def desk(data: Path | None, database: str | None) -> Iterator[Desk]:
    """At the hall whose data are in the folder, or in that other database."""
    engine = open_engine(existing_url(data, database))
    try:
        check_version(engine)
        yield Desk(engine, int(time.time()))
    finally:
        engine.dispose()


def user() -> str:
    """Who is doing it, as the operating system knows them."""
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_name
    except ImportError:  # not that kind of operating system
        return getpass.getuser()
    except KeyError:
        return f"user {os.getuid()}"


def _moment(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S")


def _player(connection: Connection, asked: str) -> Row[Any]:
    """The player with that id, or the only one with that nickname. Nobody else changes them meanwhile."""
    named = (player_rows.c.nickname == asked) & (player_rows.c.nickname != "")
    for mine in (player_rows.c.id == asked, named):
        found = connection.execute(select(player_rows).where(mine).with_for_update(key_share=True)).all()
        if len(found) > 1:
            raise InvalidOption("player", f"several players are called {excerpt(asked)}: name one by the id")
        if found:
            return found[0]
    raise InvalidOption("player", f"there is no player {excerpt(asked)}")


def _set_barred(connection: Connection, player_id: str, how: str | None) -> None:
    connection.execute(update(player_rows).where(player_rows.c.id == player_id).values(barred=how))
