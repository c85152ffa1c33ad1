"""Which games between people are rated, and if one is not, why: a code, for which screens have a sentence.

Ratings are worth something only while nobody can make them by other means than playing well. So nobody plays against
themselves or from the same network for points, and the same two do not play a hundred games a day. A game that one of
them never began says nothing of either; but whoever has moved, or has seen the other one play, has lost by going: else
one could keep the good starts, and lose none of the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from dicehall.people.glicko import DAY_MS, POOLS
from dicehall.rules.options import OptionValue

WhyNot = Literal["unrated", "pool", "house", "same-player", "same-network", "ended", "hardly-begun", "often"]
TAKEN_BACK: Final = "taken-back"  # it was rated, until whoever runs the hall took that back
MOST_A_DAY: Final = 10  # rated games between the same two
LEAST_MOVES: Final = 2  # of one, before the other can lose by not moving at all


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game between people. What is said of seats is in their order."""

    rated: bool  # what those in the room had agreed on
    pool: str | None  # see `pool_of`
    players: Sequence[str | None]  # the account of each; None for a player of the house
    networks: Sequence[str | None]  # from where each played; None where nobody knows
    moves: Sequence[int]  # how many moves each has made
    ended: bool  # by the hall, without winners
    gone: int | None  # the seat that departed, and ended it by that
    earlier_today: int  # rated games of these two on this day (`day_of`), in all pools, before this one


def pool_of(game: str, changed: Mapping[str, OptionValue], seats: int) -> str | None:
    """In which pool a game is rated: only with its usual rules, between two. `changed` are the options that are not the
    usual ones."""
    return game if game in POOLS and not changed and seats == 2 else None


def pair_of(one: str, other: str) -> tuple[str, str]:
    """The same two, whoever sat where: what games of a day are counted by."""
    return (one, other) if one <= other else (other, one)


def day_of(now_ms: int) -> int:
    """The day that caps are about, in UTC; counted from the epoch. A game belongs to the day on which it ended."""
    return now_ms // DAY_MS


def why_not_rated(played: Played) -> WhyNot | None:
    """None where the game is rated; of several reasons, the one that those who played could have known first."""
    if not played.rated:
        return "unrated"
    if played.pool not in POOLS or len(played.players) != 2:
        return "pool"
    one, other = played.players
    if one is None or other is None:
        return "house"
    if one == other:
        return "same-player"
    if None in played.networks or played.networks[0] == played.networks[1]:  # whoever can hide it could choose to
        return "same-network"
    if played.ended:
        return "ended"
    if played.gone is not None and not played.moves[played.gone] and played.moves[1 - played.gone] < LEAST_MOVES:
        return "hardly-begun"
    return "often" if played.earlier_today >= MOST_A_DAY else None
