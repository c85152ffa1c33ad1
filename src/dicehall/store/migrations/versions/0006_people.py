"""Seats belong to people: a table may have several, and a run belongs to everybody who played in it."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy import BigInteger, Boolean, Double, Integer

revision = "0006"
down_revision = "0005"

Text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
YOU = "you"  # the name of a person's seat


def upgrade() -> None:
    _note_seats()
    _rooms()
    _ratings()
    for old in ("player_id_finished_at_id", "player_id_game_mode_score", "player_id_day"):
        op.drop_index(f"ix_runs_{old}", "runs")
    op.drop_index("ix_tables_player_id_over", "tables")
    _drop("tables", "player_id")
    _drop("runs", "player_id", "score")
    # Only now: SQLite makes a table anew to drop such a column, and what hangs on the old one would go with it.
    _table("sitters", ["table_id", "seat"], "tables", "table_id", seat=Integer, over=Boolean)
    _table(
        "players_runs",
        ["run_id", "player_id"],
        "runs",
        "run_id",
        seat=Integer,
        game=Text,
        mode=Text,
        score=BigInteger,
        ranked=Boolean,
        day=Text,
        finished_at=BigInteger,
    )
    for name in ("sitters", "players_runs"):
        op.execute(f"INSERT INTO {name} SELECT * FROM {name}_noted")
        op.execute(f"DROP TABLE {name}_noted")
    op.create_index("ix_sitters_player_id_over", "sitters", ["player_id", "over"])
    for columns in (["player_id", "finished_at", "run_id"], ["player_id", "game", "mode", "score"]):
        op.create_index("_".join(["ix_players_runs", *columns]), "players_runs", columns)
    there = sa.text("day IS NOT NULL")
    name, days = "ix_players_runs_player_id_day", ["player_id", "day"]
    op.create_index(name, "players_runs", days, sqlite_where=there, postgresql_where=there)


def _rooms() -> None:
    op.add_column("tables", sa.Column("room_id", Text))
    for name in ("contributions", "departures"):
        op.add_column("tables", sa.Column(name, Text, nullable=False, server_default="[]"))
    op.add_column("tables", sa.Column("times", Text))
    op.create_table(
        "rooms",
        sa.Column("id", Text, nullable=False),
        sa.Column("code", Text),
        *(sa.Column(name, Text, nullable=False) for name in ("state", "agreement", "progress")),
        sa.Column("table_id", Text),
        *(sa.Column(name, BigInteger, nullable=False) for name in ("created_at", "expires_at")),
        sa.Column("version", Integer, nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("id", name="pk_rooms"),
    )
    op.create_index("ix_rooms_code", "rooms", ["code"], unique=True)
    going_on = sa.text("state <> 'closed'")
    name, columns = "ix_rooms_state_expires_at", ["state", "expires_at"]
    op.create_index(name, "rooms", columns, sqlite_where=going_on, postgresql_where=going_on)
    _table("guests", ["room_id", "place"], "rooms", "room_id", place=Integer, open=Boolean)
    op.create_index("ix_guests_player_id_open", "guests", ["player_id", "open"])


def _ratings() -> None:
    op.create_table(
        "ratings",
        sa.Column("player_id", Text, nullable=False),
        sa.Column("pool", Text, nullable=False),
        *(sa.Column(name, Double, nullable=False) for name in ("value", "deviation", "volatility")),
        sa.Column("games", Integer, nullable=False),
        sa.Column("rated_ms", BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "pool", name="pk_ratings"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_ratings_player_id", ondelete="CASCADE"),
    )
    op.create_index("ix_ratings_pool_value", "ratings", ["pool", "value"])
    op.create_table(
        "meetings",
        *(sa.Column(name, Text, nullable=False) for name in ("player_id", "run_id", "other_id", "game")),
        sa.Column("halves", Integer, nullable=False),
        sa.Column("why_not", Text),
        *(sa.Column(name, Double) for name in ("before", "after", "deviation")),
        sa.Column("ended_ms", BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "run_id", name="pk_meetings"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_meetings_player_id", ondelete="CASCADE"),
    )
    for columns in (["player_id", "other_id", "ended_ms"], ["player_id", "ended_ms"]):
        op.create_index("_".join(["ix_meetings", *columns]), "meetings", columns)


def _note_seats() -> None:
    """Every person's seat is the player's whose the table was: several people sat at one device."""
    if op.get_bind().dialect.name == "sqlite":
        seats, seat, name = "json_each(tables.seats)", "json_each.key", "json_each.value"
        first = f"SELECT min(json_each.key) FROM json_each(runs.record, '$.seats') WHERE json_each.value = '{YOU}'"
    else:
        seats = "json_array_elements_text(tables.seats::json) WITH ORDINALITY AS one(name, number)"
        seat, name = "(one.number - 1)::integer", "one.name"
        # PostgreSQL reads no JSON with \0 in it, which a seed may have; that comes after the seats
        listed = """substring(runs.record from '"seats":(\\[[^]]*\\])')::json"""
        first = (
            f"SELECT (min(one.number) - 1)::integer FROM json_array_elements_text({listed})"
            f" WITH ORDINALITY AS one(name, number) WHERE one.name = '{YOU}'"
        )
    op.execute(
        f"CREATE TEMPORARY TABLE sitters_noted AS SELECT tables.id, tables.player_id, {seat} AS seat, tables.over"
        f" FROM tables, {seats} WHERE {name} = '{YOU}'"
    )
    op.execute(
        "CREATE TEMPORARY TABLE players_runs_noted AS SELECT id, player_id,"
        f" coalesce(({first}), 0) AS seat, game, mode, score, ranked, day, finished_at FROM runs"
    )


def _drop(table: str, *columns: str) -> None:
    with op.batch_alter_table(table) as altered:
        altered.drop_constraint(f"fk_{table}_player_id", type_="foreignkey")
        for column in columns:
            altered.drop_column(column)


def _table(name: str, key: list[str], of: str, its: str, **columns: Any) -> None:
    """A table whose rows belong to a row of the table `of` and to a player, and go with either."""
    op.create_table(
        name,
        sa.Column(its, Text, nullable=False),
        sa.Column("player_id", Text, nullable=False),
        *(sa.Column(column, kind, nullable=column == "day") for column, kind in columns.items()),
        sa.PrimaryKeyConstraint(*key, name=f"pk_{name}"),
        sa.ForeignKeyConstraint([its], [f"{of}.id"], name=f"fk_{name}_{its}", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=f"fk_{name}_player_id", ondelete="CASCADE"),
    )
