"""What a board compares: the game, its options and who sat there; and which boards a day, a week and a month have."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from dicehall.bots.player import player
from dicehall.bots.seats import YOU, usual_seats
from dicehall.errors import InvalidOption
from dicehall.games import find_hall_game
from dicehall.rules.catalog import AnyGame
from dicehall.rules.options import Options, OptionValue, option_text


def mode_name(options: Options, seats: Sequence[str]) -> str:
    """What a board compares: one text for the changed `options` that decide anything and, where there are several, the
    `seats`, such as `standard`, `target=90` or `standard:you,spec`."""
    changed = options.in_force(len(seats)).changed()
    chosen = ";".join(f"{name}={option_text(value)}" for name, value in sorted(changed.items()))
    return (chosen or "standard") + (f":{','.join(seats)}" if len(seats) > 1 else "")


def daily_choice(game_id: str) -> dict[str, OptionValue]:
    """The options that everybody gets in the daily of a game, where they are not the usual ones. The seats always
    are."""
    own = find_hall_game(game_id)
    return dict(own.daily) if own else {}


def daily_options(game: AnyGame) -> Options:
    options: Options = game.make_options(daily_choice(game.id))
    return options


def daily_mode(game: AnyGame) -> str:
    return mode_name(daily_options(game), usual_seats(game))


def usual_mode(game: AnyGame) -> str:
    """What is played where nobody chooses anything."""
    return mode_name(game.make_options({}), usual_seats(game))


def lower_is_better(game: AnyGame, mode: str) -> bool:
    """Which end of a mode's board is the good one: the options in its name decide."""
    seats = mode.partition(":")[2]
    return game.rules.aim(options_of(game, mode), len(seats.split(",")) if seats else 1).lower_is_better


def options_of(game: AnyGame, mode: str) -> Options:
    """The options in a mode's name."""
    pairs = [pair.partition("=") for pair in mode.partition(":")[0].split(";") if "=" in pair]
    options: Options = game.make_options({name: game.read_option(name, value) for name, _, value in pairs})
    return options


def check_seats(game: AnyGame, seats: Sequence[str]) -> tuple[str, ...]:
    """People and bots, at least one of them a person."""
    for name in seats:
        if name != YOU:
            player(name, game, "check")
    if YOU not in seats:
        raise InvalidOption("seats", f"at least one seat is {YOU!r}")
    return tuple(seats)


def board_name(game: str, mode: str) -> str:
    return f"{game}/{mode}"


def daily_board(day: str, game: str, mode: str, which: str) -> str:
    """`which` attempts it compares: first or best."""
    return f"daily/{day}/{game}/{mode}/{which}"


def day_of(now: int) -> str:
    return datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d")


def periods_of(now: int) -> dict[str, str]:
    """The names of the boards that a run finished now belongs to."""
    moment = datetime.fromtimestamp(now, UTC)
    year, week, _ = moment.isocalendar()
    return {
        "all": "all",
        "month": moment.strftime("%Y-%m"),
        "week": f"{year}-W{week:02}",
        "day": moment.strftime("%Y-%m-%d"),
    }


def end_of_day(day: str) -> int:
    return int(datetime.fromisoformat(f"{day}T00:00:00+00:00").timestamp()) + 86_400
