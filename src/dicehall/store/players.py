"""Players: an id, a nickname, and a token for each device. No password, no address.

The database holds hashes of tokens and transfer codes, so whoever reads it can be nobody. Both are long and random,
which is why a plain SHA-256 is enough.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Column, Connection, Row, Table, insert, select, update

from dicehall.errors import InvalidOption, InvalidText, excerpt
from dicehall.store import boards, runs
from dicehall.store.schema import attempts, devices, players, standings, tables, transfers

LONGEST_NICKNAME: Final = 24
LETTERS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # 32 of them, none to be mistaken for another
CODE_LENGTH: Final = 12
CODE_SECONDS: Final = 15 * 60


@dataclass(frozen=True, slots=True)
class Player:
    id: str
    nickname: str  # empty until one is chosen
    created_at: int


def create(connection: Connection, now: int) -> tuple[str, str]:
    """A new player with one device: the player's id and the device's token, which is not kept."""
    player_id = secrets.token_urlsafe(16)
    connection.execute(insert(players).values(id=player_id, nickname="", created_at=now))
    return player_id, _new_device(connection, player_id, now)


def authenticate(connection: Connection, player_id: str, token: str) -> Player | None:
    known = select(players.c.id, players.c.nickname, players.c.created_at)
    query = known.join(devices).where(devices.c.token_hash == _digest(token))
    row = connection.execute(query).one_or_none()
    return Player(*row) if row is not None and row.id == player_id else None


def rename(connection: Connection, player_id: str, nickname: str) -> str:
    """The nickname as it is kept: without the space around it."""
    name = nickname.strip()
    if not 1 <= len(name) <= LONGEST_NICKNAME or not name.isprintable():
        raise InvalidText(
            "nickname", f"a nickname is 1 to {LONGEST_NICKNAME} printable characters, not {excerpt(nickname)}"
        )
    connection.execute(update(players).where(players.c.id == player_id).values(nickname=name))
    return name


def start_transfer(connection: Connection, player_id: str, now: int) -> str:
    """A code that another device can turn into a token of its own. It replaces the player's earlier one."""
    code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
    outdated = (transfers.c.player_id == player_id) | (transfers.c.expires_at <= now)
    connection.execute(sa.delete(transfers).where(outdated))
    connection.execute(
        insert(transfers).values(code_hash=_digest(code), player_id=player_id, expires_at=now + CODE_SECONDS)
    )
    return "-".join(code[at : at + 4] for at in range(0, CODE_LENGTH, 4))


def redeem(connection: Connection, code: str, now: int) -> tuple[str, str] | None:
    """The player and a new token, once: the code is used up. None: no such code, or no longer."""
    mine = transfers.c.code_hash == _digest("".join(letter for letter in code.upper() if letter in LETTERS))
    row = connection.execute(select(transfers).where(mine)).one_or_none()
    if row is None or connection.execute(sa.delete(transfers).where(mine)).rowcount != 1 or row.expires_at <= now:
        return None
    return row.player_id, _new_device(connection, row.player_id, now)


def export(connection: Connection, player_id: str) -> dict[str, Any]:
    """Everything the hall knows about a player, as plain JSON data.

    A table's secret is left out while it still decides dice: those of an unfinished run, and those of a daily that
    others may be playing. The records of finished runs hold what has been revealed.
    """
    profile = connection.execute(select(players).where(players.c.id == player_id)).one_or_none()
    if profile is None:
        raise InvalidOption("player", f"there is no player {excerpt(player_id)}")

    def mine(table: Table, *order: Column[Any]) -> list[dict[str, Any]]:
        rows = connection.execute(select(table).where(table.c.player_id == player_id).order_by(*order))
        return _without(rows, "player_id", "token_hash", "value")

    kept = mine(tables, tables.c.created_at, tables.c.id)
    for table in kept:
        if not table["over"] or table["day"] is not None:
            table["secret"] = None
    return {
        "profile": dict(profile._mapping),
        "devices": mine(devices, devices.c.created_at),
        "tables": kept,
        "runs": [
            {name: getattr(run, name) for name in run.__dataclass_fields__ if name != "player_id"}
            for run in runs.all_of(connection, player_id)
        ],
        "attempts": mine(attempts, attempts.c.day, attempts.c.game, attempts.c.mode, attempts.c.number),
        "standings": mine(standings, standings.c.board, standings.c.period),
    }


def delete(connection: Connection, player_id: str) -> None:
    """The player and everything of theirs; the boards close ranks."""
    # first of all the player, as whoever finishes a run does: so nobody waits for somebody who waits for them
    connection.execute(select(players.c.id).where(players.c.id == player_id).with_for_update())
    boards.leave(connection, player_id)
    connection.execute(sa.delete(players).where(players.c.id == player_id))


def _new_device(connection: Connection, player_id: str, now: int) -> str:
    token = secrets.token_urlsafe(32)
    connection.execute(insert(devices).values(token_hash=_digest(token), player_id=player_id, created_at=now))
    return token


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _without(rows: Iterable[Row[Any]], *names: str) -> list[dict[str, Any]]:
    return [{name: value for name, value in row._mapping.items() if name not in names} for row in rows]
