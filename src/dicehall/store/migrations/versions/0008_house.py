"""Who runs the hall, and who leaves: how games of quick match ended, who is silenced, who is there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy import BigInteger, Boolean, Double

revision = "0008"
down_revision = "0007"

Text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("players", sa.Column("silenced_until", BigInteger))
    op.add_column("meetings", sa.Column("volatility", Double))
    op.create_index("ix_meetings_run_id", "meetings", ["run_id"])
    op.create_table(
        "outcomes",
        sa.Column("player_id", Text, nullable=False),
        sa.Column("at_ms", BigInteger, nullable=False),
        sa.Column("room_id", Text, nullable=False),
        sa.Column("left", Boolean, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "at_ms", "room_id", name="pk_outcomes"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_outcomes_player_id", ondelete="CASCADE"),
    )
    op.create_table(
        "halls",
        sa.Column("id", Text, nullable=False),
        sa.Column("at", BigInteger, nullable=False),
        sa.Column("told", Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_halls"),
    )
