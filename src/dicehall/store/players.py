"""Players: an id, a nickname, and a token for each device. No password, no address.

The database holds hashes of tokens and transfer codes, so whoever reads it can be nobody. Both are long and random,
which is why a plain SHA-256 is enough. A code is for another device, soon; or it is *lasting*, to be kept for the day
on which no device knows the player any more.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Column, ColumnElement, Connection, Row, Table, insert, select, update
from sqlalchemy.exc import IntegrityError

from dicehall.errors import DicehallError, InvalidOption, InvalidText, excerpt
from dicehall.store import boards, nicknames, runs, schema
from dicehall.store.ids import new_id
from dicehall.store.schema import (
    attempts,
    devices,
    guests,
    meetings,
    outcomes,
    players,
    players_runs,
    ratings,
    sitters,
    skills,
    standings,
    tables,
    transfers,
)

LETTERS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # 32 of them, none to be mistaken for another
CODE_LENGTH: Final = 12
CODE_SECONDS: Final = 15 * 60
AGAIN_SECONDS: Final = 60  # after a code was used, in which it can be given again
LASTING_LENGTH: Final = 20
NEVER: Final = 2**62  # when a lasting code expires
MOST_DEVICES: Final = 50
HIDDEN: Final = "hidden"
BANNED: Final = "banned"


@dataclass(frozen=True, slots=True)
class Player:
    id: str
    nickname: str  # empty until one is chosen
    created_at: int
    barred: str | None = None  # HIDDEN from boards, or BANNED from the hall


@dataclass(frozen=True, slots=True)
class Device:
    id: str  # made from the token's hash, and of no use but to name the device
    label: str
    created_at: int
    seen_at: int
    this: bool  # whether it is the one that asks


def create(connection: Connection, now: int, label: str = "") -> tuple[str, str]:
    """A new player with one device: the player's id and the device's token, which is not kept."""
    player_id = new_id()
    connection.execute(insert(players).values(id=player_id, nickname="", created_at=now))
    return player_id, _new_device(connection, player_id, now, label)


def authenticate(connection: Connection, player_id: str, token: str) -> Player | None:
    query = _known().join(devices).where(devices.c.token_hash == _digest(token))
    row = connection.execute(query).one_or_none()
    return Player(*row) if row is not None and row.id == player_id else None


def find(connection: Connection, player_id: str) -> Player | None:
    row = connection.execute(_known().where(players.c.id == player_id)).one_or_none()
    return None if row is None else Player(*row)


def names(connection: Connection, player_ids: Collection[str]) -> dict[str, str]:
    """What these players are called, by their ids; without those who are barred, and those who are gone."""
    query = select(players.c.id, players.c.nickname).where(players.c.id.in_(player_ids), players.c.barred.is_(None))
    return {row.id: row.nickname for row in connection.execute(query)} if player_ids else {}


def rename(connection: Connection, player_id: str, nickname: str) -> str:
    """The nickname as it is kept. One that looks like another player's is refused."""
    name = nicknames.clean(nickname)
    try:
        with connection.begin_nested():
            _set_nickname(connection, player_id, name, nicknames.look(name))
    except IntegrityError:
        raise InvalidText("nickname-taken", f"{excerpt(name)} is, or looks like, another player's nickname") from None
    return name


def unname(connection: Connection, player_id: str) -> None:
    _set_nickname(connection, player_id, "", None)


def is_barred(connection: Connection, player_id: str) -> bool:
    """Whether the player is kept off the boards. It stays as it is until the end of the transaction."""
    mine = select(players.c.barred).where(players.c.id == player_id)
    return connection.scalar(mine.with_for_update(read=True)) is not None


def last_seen(connection: Connection, token: str) -> int:
    """When the device was used last, true to a day."""
    seen = connection.scalar(select(devices.c.seen_at).where(devices.c.token_hash == _digest(token)))
    return int(seen or 0)


def see(connection: Connection, token: str, now: int) -> None:
    """The device is being used."""
    connection.execute(update(devices).where(devices.c.token_hash == _digest(token)).values(seen_at=now))


def devices_of(connection: Connection, player_id: str, token: str = "") -> list[Device]:
    """The player's devices, the newest first; `token` is that of the one that asks."""
    mine = _digest(token)
    return [
        Device(_public_id(row.token_hash), row.label, row.created_at, row.seen_at, row.token_hash == mine)
        for row in _devices(connection, player_id, devices.c.created_at.desc())
    ]


def sign_out(connection: Connection, player_id: str, device_id: str) -> bool:
    """Whether the player had such a device. Its token is worth nothing from now on."""
    found = [row.token_hash for row in _devices(connection, player_id) if _public_id(row.token_hash) == device_id]
    connection.execute(sa.delete(devices).where(devices.c.token_hash.in_(found)))
    return bool(found)


def sign_out_others(connection: Connection, player_id: str, token: str) -> None:
    """All of the player's devices but the one with that token."""
    others = (devices.c.player_id == player_id, devices.c.token_hash != _digest(token))
    connection.execute(sa.delete(devices).where(*others))


def start_transfer(connection: Connection, player_id: str, now: int, lasting: bool = False) -> str:
    """A code, `lasting` or for a while, that another device can turn into a token of its own. It replaces the player's
    earlier one of its kind."""
    code = "".join(secrets.choice(LETTERS) for _ in range(LASTING_LENGTH if lasting else CODE_LENGTH))
    outdated = (transfers.c.player_id == player_id) & (_is_lasting() if lasting else ~_is_lasting())
    connection.execute(sa.delete(transfers).where(outdated | (transfers.c.expires_at <= now)))
    expires_at = NEVER if lasting else now + CODE_SECONDS
    connection.execute(insert(transfers).values(code_hash=_digest(code), player_id=player_id, expires_at=expires_at))
    return "-".join(code[at : at + 4] for at in range(0, len(code), 4))


def redeem(connection: Connection, code: str, now: int, label: str = "") -> tuple[str, str] | None:
    """The player and a token for one new device, which `label` describes. None: no such code, or no longer.

    Answers get lost. So for AGAIN_SECONDS the code can be given again, and what it was turned into before is worth
    nothing from then on: there is never more than one device for it.
    """
    mine = transfers.c.code_hash == _digest("".join(letter for letter in code.upper() if letter in LETTERS))
    row = connection.execute(select(transfers).where(mine)).one_or_none()
    if row is None or row.expires_at <= now:
        return None
    until = row.expires_at if row.device else now + AGAIN_SECONDS
    token = _new_device(connection, row.player_id, now, label)
    used = sa.update(transfers).where(mine, transfers.c.device.is_not_distinct_from(row.device))
    if connection.execute(used.values(device=_digest(token), expires_at=until)).rowcount != 1:
        raise DicehallError("changed", "somebody was quicker with this code")  # with another hall at the same database
    connection.execute(sa.delete(devices).where(devices.c.token_hash == row.device))
    return row.player_id, token


def silence(connection: Connection, player_id: str, until: int | None) -> None:
    """No phrases of theirs before that time; None: they may speak again."""
    connection.execute(update(players).where(players.c.id == player_id).values(silenced_until=until))


def is_silenced(connection: Connection, player_id: str, now: int) -> bool:
    until = connection.scalar(select(players.c.silenced_until).where(players.c.id == player_id))
    return until is not None and now < until


def export(connection: Connection, player_id: str) -> dict[str, Any]:
    """What the hall knows about a player, as plain JSON data, but for tables and runs, which may be many: they come in
    pages. Left out is whether the player is hidden from boards, which is for whoever runs the hall to know."""
    profile = connection.execute(select(players).where(players.c.id == player_id)).one_or_none()
    if profile is None:
        raise InvalidOption("player", f"there is no player {excerpt(player_id)}")

    def mine(table: Table, *order: Column[Any]) -> list[dict[str, Any]]:
        rows = connection.execute(select(table).where(table.c.player_id == player_id).order_by(*order))
        return _without(rows, "player_id", "token_hash", *(("value",) if table is standings else ()))

    return {
        "profile": _without([profile], "barred")[0],
        "devices": mine(devices, devices.c.created_at),
        "attempts": mine(attempts, attempts.c.day, attempts.c.game, attempts.c.mode, attempts.c.number),
        "standings": mine(standings, standings.c.board, standings.c.period),
        "ratings": mine(ratings, ratings.c.pool),
        "skills": mine(skills, skills.c.pool),
        "meetings": mine(meetings, meetings.c.ended_ms, meetings.c.run_id),
        "outcomes": mine(outcomes, outcomes.c.at_ms, outcomes.c.room_id),
        "rooms": mine(guests, guests.c.room_id),
    }


def export_tables(
    connection: Connection, player_id: str, after: tuple[int, str] | None, limit: int
) -> list[dict[str, Any]]:
    """Up to `limit` of the player's tables, oldest first, from the one `after` (created_at, id) on.

    A table's secret is left out while it still decides dice: those of an unfinished run, and those that others may be
    playing, of a daily or in a room. The records of finished runs hold what has been revealed.
    """
    mine = select(sitters.c.table_id).where(sitters.c.player_id == player_id)
    query = select(tables).where(tables.c.id.in_(mine))
    if after is not None:
        query = query.where(sa.tuple_(tables.c.created_at, tables.c.id) > after)
    page = _without(connection.execute(query.order_by(tables.c.created_at, tables.c.id).limit(limit)))
    for table in page:
        if not table["over"] or table["day"] is not None or table["room_id"] is not None:
            table["secret"] = None
    return page


def export_runs(
    connection: Connection, player_id: str, after: tuple[int, str] | None, limit: int
) -> list[dict[str, Any]]:
    """The same of the player's runs, from the one `after` (finished_at, id) on."""
    names = [name for name in runs.Run.__dataclass_fields__ if name != "people"]
    told = []
    for run in runs.page_of(connection, player_id, after, limit):
        mine = run.of(player_id)
        assert mine is not None
        told.append({**{name: getattr(run, name) for name in names}, "seat": mine.seat, "score": mine.score})
    return told


def delete(connection: Connection, player_id: str) -> None:
    """The player and everything of theirs; the boards close ranks. What others have played with them stays theirs, with
    a seat that has no name."""
    # first of all the player, as whoever finishes a run does: so nobody waits for somebody who waits for them
    connection.execute(select(players.c.id).where(players.c.id == player_id).with_for_update())
    boards.leave(connection, player_id)
    _forget_alone(connection, [player_id])
    connection.execute(sa.delete(players).where(players.c.id == player_id))


def strays(connection: Connection, before: int, limit: int) -> list[str]:
    """Guests who have left nothing and do not come back: no run, no nickname, no lasting code, and no device that was
    used since `before`."""
    return list(connection.scalars(select(players.c.id).where(*_has_strayed(before)).limit(limit)))


def forget_strays(connection: Connection, before: int, found: Sequence[str]) -> int:
    """Delete those of the players `found` who are strays still, with no device used since `before`; how many they
    were."""
    strayed = list(connection.scalars(select(players.c.id).where(players.c.id.in_(found), *_has_strayed(before))))
    _forget_alone(connection, strayed)
    return connection.execute(sa.delete(players).where(players.c.id.in_(strayed))).rowcount


def _forget_alone(connection: Connection, player_ids: Sequence[str]) -> None:
    """The tables and runs at which nobody but these players sat."""
    for what, whose, of in (
        (tables, sitters, sitters.c.table_id),
        (schema.runs, players_runs, players_runs.c.run_id),
    ):
        others = whose.alias()
        shared = sa.exists().where(others.c[of.name] == of, others.c.player_id.not_in(player_ids))
        alone = select(of).where(whose.c.player_id.in_(player_ids), ~shared)
        connection.execute(sa.delete(what).where(what.c.id.in_(alone)))


def _has_strayed(before: int) -> list[ColumnElement[bool]]:
    def has(table: Table, *conditions: ColumnElement[bool]) -> ColumnElement[bool]:
        return sa.exists().where(table.c.player_id == players.c.id, *conditions)

    return [
        players.c.nickname == "",
        players.c.created_at < before,
        players.c.barred.is_(None),
        ~has(players_runs),
        ~has(transfers, _is_lasting()),
        # a device of an earlier version has not been seen since then, but it was there when it was made
        ~has(devices, (devices.c.seen_at >= before) | (devices.c.created_at >= before)),
    ]


def _known() -> sa.Select[str, str, int, str | None]:
    return select(players.c.id, players.c.nickname, players.c.created_at, players.c.barred)


def _set_nickname(connection: Connection, player_id: str, nickname: str, look: str | None) -> None:
    connection.execute(update(players).where(players.c.id == player_id).values(nickname=nickname, look=look))


def _is_lasting() -> ColumnElement[bool]:
    return transfers.c.expires_at == NEVER


def _devices(connection: Connection, player_id: str, *order: ColumnElement[Any]) -> Sequence[Row[Any]]:
    query = select(devices).where(devices.c.player_id == player_id)
    return connection.execute(query.order_by(*order, devices.c.token_hash)).all()


def _new_device(connection: Connection, player_id: str, now: int, label: str) -> str:
    """The token of a new device. One too many, and the one that was used least lately is signed out."""
    latest = (devices.c.seen_at.desc(), devices.c.created_at.desc())
    for idle in _devices(connection, player_id, *latest)[MOST_DEVICES - 1 :]:
        connection.execute(sa.delete(devices).where(devices.c.token_hash == idle.token_hash))
    token = secrets.token_urlsafe(32)
    row = {"token_hash": _digest(token), "player_id": player_id, "label": label, "created_at": now, "seen_at": now}
    connection.execute(insert(devices).values(row))
    return token


def _public_id(token_hash: str) -> str:
    return _digest(token_hash)[:16]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _without(rows: Iterable[Row[Any]], *names: str) -> list[dict[str, Any]]:
    return [{name: value for name, value in row._mapping.items() if name not in names} for row in rows]
