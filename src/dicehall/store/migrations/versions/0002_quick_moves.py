"""A move changes no index, a table has at most one run, and a run is in no index that it does not need."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.drop_index("ix_tables_player_id_over_updated_at_id", "tables")
    op.create_index("ix_tables_player_id_over", "tables", ["player_id", "over"])
    op.create_index("ix_runs_table_id", "runs", ["table_id"], unique=True)
    for old in ("player_id_day", "day_game_mode", "ranked_finished_at_id"):
        op.drop_index(f"ix_runs_{old}", "runs")
    index_where("day IS NOT NULL", "day IS NOT NULL", "player_id", "day")
    index_where("day IS NOT NULL", "day IS NOT NULL", "day", "game", "mode")
    index_where("ranked = 1", "ranked", "finished_at", "id")


def index_where(sqlite: str, postgresql: str, *columns: str) -> None:
    name = "_".join(["ix_runs", *columns])
    op.create_index(name, "runs", columns, sqlite_where=sa.text(sqlite), postgresql_where=sa.text(postgresql))
