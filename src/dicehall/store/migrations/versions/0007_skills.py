"""What the coach says of rated games, the skill that follows from it, and who may know of a game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Boolean, Double, Integer

revision = "0007"
down_revision = "0006"

Text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
# Where the room is forgotten nobody knows any more, so nobody is told.
WATCHED = """
UPDATE meetings SET watched = TRUE WHERE run_id IN (
    SELECT runs.id FROM runs JOIN tables ON tables.id = runs.table_id JOIN rooms ON rooms.id = tables.room_id
    WHERE rooms.agreement LIKE '%"watched"\\:true%'
)"""


def upgrade() -> None:
    op.add_column("meetings", sa.Column("watched", Boolean, nullable=False, server_default=sa.false()))
    op.execute(WATCHED)
    op.add_column("meetings", sa.Column("choices", Integer))
    for name in ("lost", "squares"):
        op.add_column("meetings", sa.Column(name, Double))
    waiting = sa.text("why_not IS NULL AND choices IS NULL")
    op.create_index("ix_meetings_ended_ms", "meetings", ["ended_ms"], sqlite_where=waiting, postgresql_where=waiting)
    op.create_table(
        "skills",
        *(sa.Column(name, Text, nullable=False) for name in ("player_id", "pool")),
        *(sa.Column(name, Double, nullable=False) for name in ("value", "low", "high")),
        sa.Column("provisional", Boolean, nullable=False),
        sa.Column("runs", Integer, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "pool", name="pk_skills"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_skills_player_id", ondelete="CASCADE"),
    )
    op.create_index("ix_skills_pool_value", "skills", ["pool", "value"])
