"""A run does not say which attempt it was, no question asks for all runs of a daily, and a code knows its device."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

Text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.drop_index("ix_runs_day_game_mode", "runs")
    op.drop_column("runs", "attempt")
    op.add_column("transfers", sa.Column("device", Text))
