"""The hall as it opened: players, tables, runs, dailies and boards."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy import BigInteger, Boolean, Integer

revision = "0001"
down_revision = None

Text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")  # ordered by bytes, as SQLite does


def upgrade() -> None:
    table("players", ["id"], id=Text, nickname=Text, created_at=BigInteger)

    table("devices", ["token_hash"], token_hash=Text, player_id=Text, created_at=BigInteger)
    index("devices", "player_id")

    table("transfers", ["code_hash"], code_hash=Text, player_id=Text, expires_at=BigInteger)
    index("transfers", "player_id")

    table(
        "tables",
        ["id"],
        ["secret", "day"],
        id=Text,
        player_id=Text,
        game=Text,
        rules=Integer,
        options=Text,
        seats=Text,
        kind=Text,
        secret=Text,
        own_seed=Text,
        day=Text,
        mode=Text,
        steps=Text,
        unranked=Text,
        over=Boolean,
        created_at=BigInteger,
        updated_at=BigInteger,
    )
    index("tables", "player_id", "over", "updated_at", "id")

    table(
        "runs",
        ["id"],
        ["day", "attempt"],
        id=Text,
        table_id=Text,
        player_id=Text,
        game=Text,
        mode=Text,
        record=Text,
        score=BigInteger,
        aim=Text,
        lower_is_better=Boolean,
        ranked=Boolean,
        day=Text,
        attempt=Integer,
        breakdown=Text,
        finished_at=BigInteger,
    )
    index("runs", "player_id", "finished_at", "id")
    index("runs", "player_id", "game", "mode", "score")
    index("runs", "player_id", "day")
    index("runs", "day", "game", "mode")
    index("runs", "ranked", "finished_at", "id")

    table(
        "dailies",
        ["game", "mode", "day"],
        day=Text,
        game=Text,
        mode=Text,
        secret=Text,
        commitment=Text,
        committed_at=BigInteger,
    )
    table(
        "attempts",
        ["player_id", "day", "game", "mode", "number"],
        day=Text,
        game=Text,
        mode=Text,
        player_id=Text,
        number=Integer,
        table_id=Text,
    )
    table(
        "standings",
        ["player_id", "board", "period"],
        board=Text,
        period=Text,
        player_id=Text,
        value=BigInteger,
        run_id=Text,
        reached_at=BigInteger,
    )
    index("standings", "board", "period", "value", "reached_at", "player_id")

    table("tallies", ["board", "period", "value"], board=Text, period=Text, value=BigInteger, players=BigInteger)
    index("tallies", "period", "board")


def table(
    name: str,
    key: list[str],
    optional: list[str] | None = None,
    **columns: sa.types.TypeEngine[Any] | type[sa.types.TypeEngine[Any]],
) -> None:
    """A table; whatever belongs to a player goes with them."""
    parts: list[sa.schema.SchemaItem] = [
        sa.Column(column, kind, nullable=column in (optional or [])) for column, kind in columns.items()
    ]
    parts.append(sa.PrimaryKeyConstraint(*key, name=f"pk_{name}"))
    if "player_id" in columns:
        leaves = f"fk_{name}_player_id"
        parts.append(sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=leaves, ondelete="CASCADE"))
    op.create_table(name, *parts)


def index(name: str, *columns: str) -> None:
    op.create_index("_".join(["ix", name, *columns]), name, list(columns))
