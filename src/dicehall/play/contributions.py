"""What each seat has added to the dice, so that nobody could choose them: is it as it should be?

Each contribution was sealed before any was opened, and each seal names what the house had committed to by then. The
house was bound before the first seal, and every seat by its own before it saw another's seed: whoever keeps to that
once, house or seat, makes the dice what nobody could foresee when the last of them was bound.

In a duel several play the same dice, each a run of one seat. There the contributions are those of its parties, which
count as seats do elsewhere: every run of the duel has all of them. Where one may come to it later, only the first has
added one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dicehall.dice import contribution_seal, joint_seed
from dicehall.play.record import YOU, Contribution, Origin


def among_people(record: Mapping[str, Any]) -> bool:
    """Whether several played the run of this record, each at their own device: they have added to its dice."""
    return bool(record["dice"].get("contributions"))


def seed_of(contributions: Sequence[Contribution]) -> str:
    """What they make together: the order of the seats counts there, not that of the seals."""
    return joint_seed([one.seed for one in sorted(contributions)])


def is_duel(contributions: Sequence[Contribution], seats: int) -> bool:
    """Whether a run of so many seats is one of several on the same dice: whoever plays alone has nobody to seal for."""
    return seats == 1 and len(contributions) > 0


def wrong_contributions(origin: Origin, seats: Sequence[str]) -> tuple[str, str] | None:
    """The first thing that is wrong with what these seats, by name, are said to have added: a code and a sentence."""
    given, house = origin.contributions, origin.commitment
    if not given:
        return None
    if house is None:
        return "contribution-house", "there are contributions, and no commitment of the house that they were sealed to"
    contributors = [one.seat for one in given]
    parties = len(given) if is_duel(given, len(seats)) else len(seats)
    for seat in contributors:
        if not 0 <= seat < parties:
            return "contribution-seat", f"a seat {seat} has contributed, and there is none at this table"
        if contributors.count(seat) > 1:
            return "contribution-twice", f"seat {seat} has contributed more than once"
    for seat, name in enumerate(seats):
        if name == YOU and seat not in contributors:
            return "contribution-missing", f"the person on seat {seat} has not contributed, and others have"
    for one in given:
        if contribution_seal(house, one.seat, one.seed) != one.commitment:
            if _is_anothers(one, given, house):
                return "contribution-swapped", f"what stands for seat {one.seat} is the contribution of another seat"
            return "contribution-seal", f"the seed of seat {one.seat} does not open its seal"
    if origin.seed != seed_of(given):
        return "contribution-joint", "the joint seed does not follow from the contributions"
    return None


def _is_anothers(wrong: Contribution, given: Sequence[Contribution], house: str) -> bool:
    """Whether the seed opens another seat's seal, or its own seal was another seat's."""
    return any(contribution_seal(house, one.seat, wrong.seed) in (one.commitment, wrong.commitment) for one in given)
