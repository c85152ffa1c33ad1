"""The audit log: numbered, in order, and never two acts at once."""

from __future__ import annotations

import threading

from sqlalchemy import Connection, Engine, delete

from dicehall.store import audit
from dicehall.store.audit import Act
from dicehall.store.engine import reader
from dicehall.store.schema import audit as rows


def test_acts_are_told_in_their_order(connection: Connection) -> None:
    assert audit.newest(connection) == 0
    assert audit.latest(connection, 5) == audit.since(connection, 0) == []
    acts = [audit.write(connection, n, "root", "hide", f"p{n}", "why") for n in range(5)]
    assert acts[1] == Act(acts[0].id + 1, 1, "root", "hide", "p1", "why")
    assert audit.newest(connection) == acts[-1].id
    assert audit.since(connection, acts[2].id) == acts[3:]
    assert audit.latest(connection, 2) == acts[3:]
    assert audit.latest(connection, 9) == acts


def test_numbers_become_visible_in_their_order(engine: Engine) -> None:
    """Whoever follows the log by its numbers misses none: an act waits for the one before it to be committed."""
    numbers, before = [0], []

    def act() -> None:
        for _ in range(10):
            with engine.begin() as connection:
                audit.begin(connection)
                number = audit.write(connection, 0, "root", "hide", "p", "").id
                with reader(engine).connect() as other:
                    before.append(audit.newest(other))
                numbers.append(number)

    threads = [threading.Thread(target=act) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    with engine.begin() as connection:
        connection.execute(delete(rows))
    assert numbers == sorted(set(numbers))
    assert before == numbers[:30]
