"""Versions of tables, what is known about devices, attempts and bests, and what whoever runs the hall has done."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy import BigInteger, Integer

revision = "0003"
down_revision = "0002"

Text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("tables", sa.Column("version", Integer, nullable=False, server_default="0"))
    op.add_column("players", sa.Column("look", Text))
    op.add_column("players", sa.Column("barred", Text))
    op.create_index("ix_players_look", "players", ["look"], unique=True)
    op.add_column("devices", sa.Column("label", Text, nullable=False, server_default=""))
    op.add_column("devices", sa.Column("seen_at", BigInteger, nullable=False, server_default="0"))
    op.add_column("dailies", sa.Column("revealed_at", BigInteger))
    op.add_column("attempts", sa.Column("network", Text))
    op.create_index("ix_attempts_day_game_mode_network", "attempts", ["day", "game", "mode", "network"])
    op.add_column("standings", sa.Column("runs", Integer))
    op.add_column("standings", sa.Column("took", Integer))
    op.create_table(
        "audit",
        sa.Column("id", Integer, autoincrement=True, nullable=False),
        sa.Column("at", BigInteger, nullable=False),
        *(sa.Column(name, Text, nullable=False) for name in ("who", "action", "target", "reason")),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
    )
    op.create_table(
        "beats",
        sa.Column("name", Text, nullable=False),
        sa.Column("at", BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_beats"),
    )
