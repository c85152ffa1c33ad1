"""A run does not say which attempt it was, and no question asks for all runs of a daily."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.drop_index("ix_runs_day_game_mode", "runs")
    op.drop_column("runs", "attempt")
