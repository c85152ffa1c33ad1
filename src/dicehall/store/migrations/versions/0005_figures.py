"""What replays of runs say of how somebody plays, for the page of one's own play."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Double, Integer

revision = "0005"
down_revision = "0004"

Text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "figures",
        sa.Column("player_id", Text, nullable=False),
        sa.Column("run_id", Text, nullable=False),
        sa.Column("kind", Text, nullable=False),
        sa.Column("outcome", Text),
        sa.Column("parts", Integer, nullable=False),
        sa.Column("hits", Integer, nullable=False),
        sa.Column("objective", Text),
        sa.Column("accuracy", Double),
        sa.Column("luck", Double),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_figures_player_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player_id", "run_id", name="pk_figures"),
    )
