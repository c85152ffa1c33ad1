"""What is installed has everything: the page, the texts, the books; and nothing of the workshop."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[2]


def test_the_wheel_carries_the_built_page(tmp_path: Path) -> None:
    build = ["pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(tmp_path), str(ROOT)]
    subprocess.run([sys.executable, "-m", *build], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with ZipFile(wheel) as archive:
        names = archive.namelist()
        front = archive.read("dicehall/server/static/index.html").decode()
        books = {one.filename: one.compress_size for one in archive.infolist() if "/coach/books/" in one.filename}
    assert 'src="./assets/hall-' in front
    for packed in ("index.html.br", "index.html.gz", "favicon.svg"):
        assert f"dicehall/server/static/{packed}" in names
    assert any(name.startswith("dicehall/server/static/assets/Farkle-") for name in names)
    assert {"dicehall/texts/en/common.json", "dicehall/texts/de/farkle.json"} <= set(names)
    for book in ("lite-solo-score-targets.bin", "lite-versus.bin", "farkle-tables.bin", "puzzles/shut-the-box.jsonl"):
        assert f"dicehall/coach/books/{book}" in books
    assert sum(books.values()) < 5_000_000
    assert "dicehall/bots/ladder.json" in names
    assert not [name for name in names if "node_modules" in name or name.endswith(".ts") or name.startswith("web/")]
