"""Write the perft tables: python -m tests.perft.make_tables

The slow twins count, one process a core; the same cases give the same files. A minute or two.
"""

from __future__ import annotations

from multiprocessing import Pool

from dicehall.rules.catalog import find_game
from tests.perft.by_twins import count_by_twins
from tests.perft.cases import CASES, Case
from tests.perft.tables import FOLDER, Table, path, write


def make_table(case: Case) -> Table:
    return Table(case.position, count_by_twins(case.position, case.depth))


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    every_case = [case for cases in CASES.values() for case in cases]
    with Pool() as pool:
        tables = pool.map(make_table, every_case, chunksize=1)  # in order; one by one, for some take much longer
    for game_id in CASES:
        own = [table for table in tables if table.position.game == game_id]
        path(game_id).write_text(write(find_game(game_id), own), encoding="utf-8")


if __name__ == "__main__":
    main()
