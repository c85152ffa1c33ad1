"""Files that somebody asked for: the old one or the new one, and never half of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dicehall.cli import main
from dicehall.errors import InvalidOption
from dicehall.files import append, whole
from dicehall.server.serve import signing_key
from dicehall.store.backup import back_up
from dicehall.store.engine import FILE, KEY, default_url, migrate, open_engine

LIMITED = "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
LIMITED += "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)); "


def on_a_small_disk(*arguments: str) -> subprocess.CompletedProcess[str]:
    """`dicehall`, where no file may have more than 2,000 bytes."""
    code = f"{LIMITED}from dicehall.cli import main; sys.exit(main(sys.argv[1:]))"
    return subprocess.run([sys.executable, "-B", "-c", code, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("before", ["what was there", None])
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("chart.svg", ["chart", "farkle"]),
        ("runs.jsonl", ["simulate", "farkle", "--games", "200", "--records"]),
    ],
)
def test_what_finds_no_room_leaves_what_was_there(
    name: str, arguments: list[str], before: str | None, tmp_path: Path
) -> None:
    file = tmp_path / name
    if before is not None:
        file.write_text(before)
    got = on_a_small_disk(*arguments, str(file))
    assert (got.returncode, got.stdout) == (3, "")
    assert got.stderr == f"dicehall: cannot write {str(file)[:80]!r}: File too large\n"
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == ([(name, before)] if before else [])


def test_a_record_that_finds_no_room_is_not_there_by_halves(tmp_path: Path) -> None:
    file = tmp_path / "runs.jsonl"
    file.write_text(f"{'x' * 1900}\n")
    got = on_a_small_disk("play", "farkle", "--seats", "random,random", "--seed", "1", "--save", str(file), "--json")
    assert (got.returncode, got.stderr) == (3, f"dicehall: cannot write {str(file)[:80]!r}: File too large\n")
    assert file.read_text() == f"{'x' * 1900}\n"
    append(file, "ö")
    assert file.read_text(encoding="utf-8") == f"{'x' * 1900}\nö\n"


def test_a_link_stays_a_link_and_a_mode_a_mode(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("before")
    file.chmod(0o640)
    link.symlink_to(file)
    with whole(link, "w") as out:
        out.write("after")
        assert file.read_text() == "before"
    assert link.is_symlink()
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("after", 0o640)
    with pytest.raises(TypeError), whole(file) as out:
        out.write("no bytes")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["file", "link"]
    assert file.read_text() == "after"


def test_a_pipe_and_a_device_are_written_as_they_are(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True) as cat:
        with whole(pipe, "w") as out:
            out.write("through")
        assert cat.stdout is not None
        assert cat.stdout.read() == "through"
    with pytest.raises(OSError, match="No space left"), whole("/dev/full", "w") as out:
        out.write("nowhere")
    assert Path("/dev/full").is_char_device()
    with pytest.raises(FileNotFoundError), whole("", "w"):
        pass


def test_a_backup_that_finds_no_room_can_be_tried_again(tmp_path: Path) -> None:
    data, copy = tmp_path / "hall", tmp_path / "copy"
    url = default_url(data)
    migrate(open_engine(url))
    signing_key(data)
    copy.mkdir()
    arguments = ("hall", "backup", str(copy), "--data", str(data))
    got = on_a_small_disk(*arguments)
    assert (got.returncode, got.stdout, got.stderr.count("\n")) == (3, "", 1)
    assert got.stderr.startswith(f"dicehall: cannot back up to {copy}: ")
    assert list(copy.iterdir()) == []
    assert main(arguments) == 0
    assert sorted(one.name for one in copy.iterdir()) == [KEY, FILE]
    with pytest.raises(InvalidOption, match="not empty"):
        back_up(url, data / KEY, copy)
    assert sorted(one.name for one in copy.iterdir()) == [KEY, FILE]
