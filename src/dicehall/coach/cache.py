"""Where large books lie that somebody had built on this machine: the only place outside the package that is looked at.

`dicehall.solve.workshop` puts them there. What is there can be built again, and nothing needs it.
"""

from __future__ import annotations

import os


def cache_folder() -> str:
    if chosen := os.environ.get("DICEHALL_CACHE"):
        return os.path.expanduser(chosen)
    shared = os.environ.get("XDG_CACHE_HOME", "")
    return os.path.join(shared if os.path.isabs(shared) else os.path.expanduser("~/.cache"), "dicehall")
