"""Versions of tables, what is known about devices, attempts and bests, and what whoever runs the hall has done."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy import BigInteger, Integer

from dicehall.store.nicknames import look

revision = "0003"
down_revision = "0002"

Text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("tables", sa.Column("version", Integer, nullable=False, server_default="0"))
    op.add_column("players", sa.Column("look", Text))
    op.add_column("players", sa.Column("barred", Text))
    _give_looks()
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


def _give_looks() -> None:
    """Of several players whose names look alike, the earliest has the look; the others keep their names without it, and
    nobody else can take them."""
    bind = op.get_bind()
    players = sa.table("players", sa.column("id"), sa.column("nickname"), sa.column("look"), sa.column("created_at"))
    named = sa.select(players.c.id, players.c.nickname).where(players.c.nickname != "")
    first: dict[str, str] = {}
    for player_id, nickname in bind.execute(named.order_by(players.c.created_at, players.c.id)):
        first.setdefault(look(nickname), player_id)
    if first:
        mine = players.c.id == sa.bindparam("mine")
        rows = [{"mine": player_id, "look_": seen} for seen, player_id in first.items()]
        bind.execute(sa.update(players).where(mine).values(look=sa.bindparam("look_")), rows)
