"""How Alembic runs here: on the connection that `engine.migrate` hands over, inside its transaction."""

from __future__ import annotations

from alembic import context

from dicehall.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
