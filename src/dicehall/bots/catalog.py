"""The catalog as plain data: what `dicehall games` prints and the server tells its clients."""

from __future__ import annotations

from dataclasses import fields
from inspect import cleandoc
from typing import Any

from dicehall.bots.ladder import strengths
from dicehall.bots.player import player_names
from dicehall.bots.seats import usual_seats
from dicehall.coach.protocol import find_coach
from dicehall.rules.catalog import AnyGame
from dicehall.rules.options import OptionValue


def catalog_entry(game: AnyGame) -> dict[str, Any]:
    options: list[dict[str, Any]] = [
        {
            "name": option.name,
            "values": _values(option.metadata["values"]),
            "default": option.default,
            "meaning": option.metadata["meaning"],
        }
        for option in fields(game.options)
    ]
    if game.presets:
        standing = next((name for name, values in game.presets.items() if not game.make_options(values).changed()), "")
        options.insert(
            0,
            {
                "name": "preset",
                "values": list(game.presets),
                "default": standing,
                "meaning": "several options at once; the others override it",
            },
        )
    return {
        "id": game.id,
        "title": game.title,
        "about": cleandoc(game.about),
        "rules": game.version,
        "options": options,
        "presets": {name: dict(values) for name, values in game.presets.items()},
        "seats": {"from": game.seats[0], "to": game.seats[-1]},
        "players": player_names(game),
        "usual_seats": list(usual_seats(game)),
        "target_option": coach.TARGET_OPTION if (coach := find_coach(game.id)) else None,
        "ladder": strengths(game),
    }


def _values(values: range | tuple[OptionValue, ...]) -> Any:
    return {"from": values[0], "to": values[-1]} if isinstance(values, range) else list(values)
