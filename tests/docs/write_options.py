"""Writes the option tables of the game pages from the catalog: `python -m tests.docs.write_options`."""

from __future__ import annotations

from dataclasses import fields

from dicehall.rules.catalog import GAMES, AnyGame
from dicehall.rules.options import option_text
from tests.docs.pages import GAME_PAGES, read, section

HEAD = "| name | values | default | meaning |\n|---|---|---|---|\n"
PRESET_HEAD = "| preset | sets |\n|---|---|\n"


def options_table(game: AnyGame) -> str:
    """One row for every option, in the catalog's order and words."""
    rows = []
    for option in fields(game.options):
        values, default = option.metadata["values"], option_text(getattr(game.options(), option.name))
        shown = f"{values[0]} to {values[-1]}" if isinstance(values, range) else ", ".join(map(option_text, values))
        rows.append(f"| `{option.name}` | {shown} | {default} | {option.metadata['meaning']} |\n")
    return HEAD + "".join(rows)


def presets_table(game: AnyGame) -> str:
    """One row for every preset; nothing where the game has none."""
    if not game.presets:
        return ""
    rows = []
    for preset, values in game.presets.items():
        shown = ", ".join(f"`{name}={option_text(value)}`" for name, value in values.items()) or "the defaults"
        rows.append(f"| `{preset}` | {shown} |\n")
    return PRESET_HEAD + "".join(rows)


def with_new_tables(game: AnyGame, text: str) -> str:
    """The page with the tables of its options written afresh; the sentences around them stay."""
    old = section(text, "Options")
    new = []
    lines = old.splitlines(keepends=True)
    for line in lines:
        if line == HEAD.splitlines(keepends=True)[0]:
            new.append(options_table(game))
        elif line == PRESET_HEAD.splitlines(keepends=True)[0]:
            new.append(presets_table(game))
        elif not line.startswith("|"):
            new.append(line)
    return text.replace(old, "".join(new))


if __name__ == "__main__":
    for game in GAMES.values():
        page = GAME_PAGES / f"{game.id}.md"
        page.write_text(with_new_tables(game, read(page)), encoding="utf-8")
