"""Programs of others, for Node.js, that a benchmark compares us with or measures with: the folders of bench/peers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

from checks import say
from halls import NotRunning

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT))

from web.build import find_node  # noqa: E402


def install_peer(folder: Path) -> str:
    """Node's path, once what the folder's lock file names is installed there. The Node.js of the page does."""
    found = find_node()
    if found is None:
        raise NotRunning(f"{folder.name} needs Node.js; `make` has an environment with one")
    node, npm = found
    lock, installed = folder / "package-lock.json", folder / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        say(f"installing {folder.name} ...")
        try:
            install = [*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
            subprocess.run(install, cwd=folder, check=True, stdout=sys.stderr)
        except (OSError, subprocess.CalledProcessError) as error:
            raise NotRunning(f"{folder.name} could not be installed") from error
        installed.touch()
    return node
