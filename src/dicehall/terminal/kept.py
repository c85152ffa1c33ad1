"""Unfinished runs: each is kept in a file of its own after every move, until it is over, so that a closed terminal or
a killed process loses nothing.

The file holds the run's record, which brings its own check digits, and whether the run is practice. A run of the
terminal has a seed and no secret, so its record is all that its dice need.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

from dicehall.bots.player import player
from dicehall.bots.seats import YOU
from dicehall.errors import DicehallError, InvalidOption
from dicehall.play.record import from_json, is_roll, load_json
from dicehall.play.replay import LONGEST, replay
from dicehall.play.table import Table

if sys.platform != "win32":
    import fcntl

FORMAT: Final = 1
ENDING: Final = ".run.json"
MOST: Final = 50  # unfinished runs; another one is played without being kept, and says so


def runs_folder() -> Path:
    """Where the runs lie. It need not exist."""
    if chosen := os.environ.get("DICEHALL_STATE"):
        return Path(chosen).expanduser() / "runs"
    shared = Path(os.environ.get("XDG_STATE_HOME", ""))
    return (shared if shared.is_absolute() else Path.home() / ".local" / "state") / "dicehall" / "runs"


class KeptRun:
    """The file of one run. Until it is closed or forgotten no other process can take the run up."""

    def __init__(self, path: Path, held: IO[str] | None = None) -> None:
        self.path, self._held = path, held

    def save(self, table: Table) -> None:
        """The run as it is now: when this returns, neither the end of the process nor of the power undoes it. Raises
        OSError where it cannot be written; what was kept before is then kept still."""
        kept = {"format": FORMAT, "practice": table.practice, "record": table.record().to_json()}
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = self.path.with_name(f".{self.path.name}.new")
        file = open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8")  # noqa: SIM115
        try:
            _lock(file)
            file.write(json.dumps(kept, separators=(",", ":")))
            file.flush()
            os.fsync(file.fileno())
            if sys.platform == "win32":  # where what is open cannot be moved, nor replaced
                file.close()
                self.close()
            new.replace(self.path)
        except BaseException:
            file.close()
            new.unlink(missing_ok=True)
            raise
        self.close()
        self._held = file
        if sys.platform != "win32":
            folder = os.open(self.path.parent, os.O_RDONLY)
            os.fsync(folder)
            os.close(folder)

    def forget(self) -> None:
        """There is nothing to go on with any more."""
        with suppress(OSError):  # what cannot be written cannot be removed either
            self.path.unlink()
        self.close()

    def close(self) -> None:
        """Let others take the run up."""
        if self._held is not None:
            self._held.close()
            self._held = None


def new_run(game_id: str) -> KeptRun | None:
    """A file for another run, which is there from the first `save` on; None when enough runs are kept already."""
    if len(kept_files()) >= MOST:
        return None
    return KeptRun(runs_folder() / f"{game_id}-{secrets.token_hex(4)}{ENDING}")


def kept_files(game_id: str | None = None) -> list[Path]:
    """Those of all games or of one, the run that was played last first."""
    found = []
    for path in runs_folder().glob(f"*{ENDING}"):
        if game_id in (None, game_of(path)):
            with suppress(FileNotFoundError):  # a run that has just ended
                found.append((path.lstat().st_mtime_ns, path))
    return [path for _, path in sorted(found, reverse=True)]


def game_of(path: Path) -> str:
    """The id of the game that a kept run is of."""
    return path.name.removesuffix(ENDING).rpartition("-")[0]


def waiting(game_id: str | None = None) -> list[Path]:
    """The kept runs that nobody is playing just now."""
    return [path for path in kept_files(game_id) if _is_free(path)]


def resume(game_id: str | None = None) -> tuple[KeptRun, Table]:
    """The run that was played last and that nobody is playing just now, of any game or of one; InvalidOption where
    there is none, or where its file is damaged or not one of ours."""
    what = "run" if game_id is None else f"run of {game_id}"
    for path in (files := kept_files(game_id)):
        held = _take(path)
        if held is not None:
            try:
                return KeptRun(path, held), _read(held)
            except (DicehallError, OSError, UnicodeDecodeError) as error:
                held.close()
                why = f"cannot go on with {path}: {error}. Move that file away to play without it"
                raise InvalidOption("kept", why) from None
    if files:
        raise InvalidOption("kept", f"every unfinished {what} is being played in another terminal")
    raise InvalidOption("kept", f"no unfinished {what} is kept in {runs_folder()}")


def _read(file: IO[str]) -> Table:
    """The table of a kept run, as it was. Only whether the last thing done there was an undo is not known any more."""
    text = file.read(LONGEST + 1)
    if len(text) > LONGEST:
        raise InvalidOption("kept", f"it has more than {LONGEST} characters")
    kept: Any = load_json(text, "a kept run")
    if type(kept) is not dict or kept.keys() != {"format", "practice", "record"} or type(kept["practice"]) is not bool:
        raise InvalidOption("kept", "it is not a kept run of Dicehall")
    if kept["format"] != FORMAT:
        raise InvalidOption("kept", f"its format is not {FORMAT}; another version of Dicehall has written it")
    record = from_json(kept["record"])
    replay(record)
    seed = record.origin.seed
    if seed is None or record.origin.commitment is not None or record.origin.lost_at is not None:
        raise InvalidOption("kept", "its dice do not come from a seed alone")
    for name in record.seats:
        if name != YOU:
            player(name, record.find_game(), seed)  # which says so when there is no such player any more
    table = Table(record.find_game(), options=record.options, seats=record.seats, seed=seed, practice=kept["practice"])
    for step in record.steps:
        if not is_roll(step):
            table.play(step)
    table.unranked = record.unranked
    if table.steps != record.steps:
        raise InvalidOption("kept", "what was played there cannot be played again")
    return table


def _take(path: Path) -> IO[str] | None:
    """The file, open, and closed to all others; None while somebody else plays the run, or has just ended it."""
    try:
        if not path.is_file():  # a pipe would wait for ever
            raise InvalidOption("kept", f"cannot go on with {path}: it is no file")
        file = path.open(encoding="utf-8")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InvalidOption("kept", f"cannot read {path}: {error.strerror}") from None
    # Every save puts another file in this one's place; who has locked an old one holds nothing.
    if _lock(file) and path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat()):
        return file
    file.close()
    return None


def _is_free(path: Path) -> bool:
    """Whether nobody plays the run; whoever wants to will be told if its file cannot be read."""
    try:
        held = _take(path)
    except InvalidOption:
        return True
    if held is not None:
        held.close()
    return held is not None


def _lock(file: IO[str]) -> bool:
    """Whether the file is ours now. Where there are no such locks, it is."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True
