"""bench/load.py: its search, and that halls and clients still understand each other."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).parent.parent / "bench"


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(BENCH)
    return importlib.import_module("load")


@pytest.mark.parametrize("holds", [0, 1, 2, 3, 7, 49, 50, 51, 99, 100, 1234, 3999, 4000, 9999])
def test_the_search_finds_what_a_hall_holds(load: ModuleType, holds: int) -> None:
    tried: list[int] = []
    search = load.search(50, 4000)
    number = next(search)
    try:
        while len(tried) < 20:
            tried.append(number)
            number = search.send(number <= holds)
    except StopIteration:
        pass
    assert len(tried) == len(set(tried)) < 20
    found = max((one for one in tried if one <= holds), default=0)
    if holds >= 4000:
        assert found == 4000
    else:
        least_failed = min(one for one in tried if one > holds)
        assert least_failed <= max(found * load.CLOSE, found + 1)


def test_percentiles(load: ModuleType) -> None:
    hundred = list(range(1, 101))
    assert [load.percentile(hundred, share) for share in (1, 50, 99, 100)] == [1, 50, 99, 100]
    assert [load.percentile([7], share) for share in (50, 99)] == [7, 7]
    assert load.percentile([], 99) == 0


def test_every_kind_of_table_is_played(load: ModuleType) -> None:
    rooms = tuple(room for kind in load.KINDS for room in kind.rooms)
    probed = load.probe(load.SOURCE, load.Kind("all", 1, rooms), tables=8, seconds=1.0)
    assert (probed.opened, probed.refused) == (8, {})
    assert set(probed.p99_ms_of) == set(rooms)
    assert probed.moves > 0
    assert probed.resident_mib > 1


def test_what_cannot_run_says_why_in_one_line(load: ModuleType, tmp_path: Path) -> None:
    halls = importlib.import_module("halls")
    command = [sys.executable, "-c", "import no_such_module"]
    with halls.running("they", command, tmp_path / "log") as process:
        process._process.wait()  # so that there is nobody to be asked
        with pytest.raises(halls.NotRunning) as refused:
            process.ask("anything")
    assert str(refused.value) == "they: ModuleNotFoundError: No module named 'no_such_module'"
