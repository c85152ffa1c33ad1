"""The page goes into every package that can have it, so that whoever installs one needs no Node.js.

An sdist always carries the built page. A wheel carries it where it is built, or can be: made from an sdist, that needs
nothing. Made from a checkout without Node.js it goes without, and `dicehall` says what is missing.
"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CarryPage(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # which shows what lies in the checkout; `make page` builds it there
            return
        page = runpy.run_path(str(Path(self.root) / "web" / "build.py"))
        try:
            if page["is_current"]() or page["find_node"]() or self.target_name == "sdist":
                page["main"]()
        except SystemExit as failure:
            if self.target_name == "sdist":
                raise
            self.app.display_warning(f"without the page: {failure}")
        if page["is_current"]():  # an old page is worse than none: it may not understand this server
            build_data["artifacts"].append("src/dicehall/server/static")
