"""Ids of players, tables and runs."""

from __future__ import annotations

import secrets


def new_id() -> str:
    """128 random bits, in letters of an address. No dash comes first: a command line would take that for an option."""
    found = "-"
    while found.startswith("-"):
        found = secrets.token_urlsafe(16)
    return found
