"""One's own play in figures: what the store has added up, put together for the screen that shows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Any, Final, NamedTuple

from dicehall.bots.ladder import strengths
from dicehall.bots.seats import PERSON, YOU
from dicehall.coach.benchmark import ranked_by
from dicehall.coach.distribution import Distribution
from dicehall.coach.objective import Objective
from dicehall.coach.percentile import find_distribution
from dicehall.coach.protocol import read_objective
from dicehall.errors import DicehallError, InvalidOption
from dicehall.rules.catalog import GAMES, find_game
from dicehall.server import modes
from dicehall.server.figures import RATES
from dicehall.server.models.statistics import (
    DayPlayed,
    Opposition,
    Rate,
    ScoreBin,
    Statistics,
    VariantScores,
    VariantStatistics,
)
from dicehall.store.figures import Group

MOST_VARIANTS: Final = 60  # that are told apart; the most played of them
MOST_OPPONENTS: Final = 20  # of a variant
CALENDAR: Final = 70  # days
MOST_BINS: Final = 24  # more bars than that are too thin for a phone
RARE: Final = Fraction(1, 2000)  # the share of perfect runs at either end that is left out of the picture


class Variant(NamedTuple):
    """What is compared: a game with its options, and how many sat there."""

    game: str
    name: str  # a mode without its seats
    seats: int


def variant_of(game: str, mode: str) -> Variant:
    name, _, seats = mode.partition(":")
    return Variant(game, name, len(seats.split(",")) if seats else 1)


def others_in(mode: str) -> tuple[str, ...]:
    """Who else sat there, in no order; other people are a `person` each."""
    seats = [PERSON if name == YOU else name for name in mode.partition(":")[2].split(",") if name]
    if PERSON in seats:
        seats.remove(PERSON)  # that is oneself
    return tuple(sorted(seats))


def statistics(
    groups: Sequence[Group],
    kind: str,
    uncounted: int,
    streak: tuple[int, int],
    today: str,
    days: Mapping[str, int],
) -> Statistics:
    """The runs of that `kind` among all `groups` of a player's runs. `streak` is the current and the longest one;
    `days` has the number of dailies that were finished on each."""
    counts: Counter[str] = Counter()
    found: dict[Variant, list[Group]] = {}
    for group in groups:
        counts[group.kind] += group.runs
        if group.kind == kind:
            found.setdefault(variant_of(group.game, group.mode), []).append(group)
    told = [_variant(variant, alike) for variant, alike in found.items()]
    told.sort(key=lambda one: (-one.runs, one.game, one.variant, one.seats))
    return Statistics(
        kind=kind,  # type: ignore[arg-type]  # one of those that a request may ask for
        ranked=counts["ranked"],
        practice=counts["practice"],
        people=counts["people"],
        together=counts["together"],
        uncounted=uncounted,
        variants=told[:MOST_VARIANTS],
        streak=streak[0],
        longest_streak=streak[1],
        today=today,
        days=[DayPlayed(day=day, games=games) for day, games in sorted(days.items())],
    )


def calendar_start(today: str) -> str:
    """The first day that the calendar shows."""
    return str(date.fromisoformat(today) - timedelta(CALENDAR - 1))


def _variant(variant: Variant, groups: Sequence[Group]) -> VariantStatistics:
    runs, lower = sum(group.runs for group in groups), groups[0].lower_is_better
    game = GAMES.get(variant.game) if variant.seats == 2 else None
    measured = next((one for one in strengths(game) if one["seats"] == 2), None) if game else None
    opponents = _opponents(groups, measured) if variant.seats > 1 else []
    beaten = [one for one in opponents if one.won and one.strength is not None]
    alone, told = variant.seats == 1, RATES.get(variant.game)
    parts = sum(group.parts for group in groups)
    return VariantStatistics(
        game=variant.game,
        variant=variant.name,
        seats=variant.seats,
        aim=groups[0].aim,
        lower_is_better=lower,
        runs=runs,
        first_at=min(group.first_at for group in groups),
        last_at=max(group.last_at for group in groups),
        average=sum(group.total for group in groups) / runs,
        best=min(group.lowest for group in groups) if lower else max(group.highest for group in groups),
        met=_runs(groups, "won") if alone else 0,
        missed=_runs(groups, "lost") if alone else 0,
        opponents=opponents[:MOST_OPPONENTS],
        strongest=max(beaten, key=lambda one: one.strength or 0, default=None),
        against=measured["against"] if measured else None,
        rate=Rate(hit=told.hit, times=sum(group.hits for group in groups), of=parts) if told and parts else None,
    )


def _opponents(groups: Sequence[Group], measured: Mapping[str, Any] | None) -> list[Opposition]:
    found: dict[tuple[str, ...], list[Group]] = {}
    for group in groups:
        found.setdefault(others_in(group.mode), []).append(group)
    told = [
        Opposition(
            players=list(others),
            won=_runs(alike, "won"),
            drawn=_runs(alike, "drawn", "shared"),
            lost=_runs(alike, "lost"),
            strength=_strength(others[0], measured) if measured else None,
        )
        for others, alike in found.items()
    ]
    return sorted(told, key=lambda one: (-(one.won + one.drawn + one.lost), one.players))


def _strength(player: str, measured: Mapping[str, Any]) -> float | None:
    """Its share of wins, a draw counting one half, against whom all were measured."""
    if player == measured["against"]:
        return 0.5
    return next((one["value"] for one in (*measured["levels"], *measured["by_rule"]) if one["player"] == player), None)


def _runs(groups: Iterable[Group], *outcomes: str) -> int:
    return sum(group.runs for group in groups if group.outcome in outcomes)


# -- beside perfect play; asked in the processes of a crew


def compare_scores(variant: Variant, scores: Mapping[int, int]) -> VariantScores:
    """How often one's runs ended with each score, in bins; and how often perfect play's do, where that is known."""
    known = _perfect(variant)
    if not scores:
        return VariantScores(bins=[], perfect=None)
    low, high = min(scores), max(scores)
    if known is not None:
        least, most = _usual(known)
        low, high = min(low, least), max(high, most)
    width, runs = _width(high - low + 1), sum(scores.values())
    mine = _in_bins(scores, width)
    perfect = None if known is None else _in_bins(known.ways, width)
    bins = [
        ScoreBin(
            low=number * width,
            high=number * width + width - 1,
            runs=mine[number],
            share=mine[number] / runs,
            perfect=None if perfect is None or known is None else perfect[number] / known.of,
        )
        for number in range(low // width, high // width + 1)
    ]
    return VariantScores(bins=bins, perfect=None if known is None else float(known.mean))


def objective_of(variant: Variant, text: str) -> Objective | None:
    """What the coach's `text` stands for; None where nobody coaches that game, or not any more."""
    game = GAMES.get(variant.game)
    try:
        return None if game is None else read_objective(game, text)
    except DicehallError:
        return None


def _perfect(variant: Variant) -> Distribution | None:
    """What perfect play of one seat ends with, for what boards compare."""
    if variant.seats > 1 or variant.game not in GAMES:
        return None
    try:
        game = find_game(variant.game)
        options = modes.options_of(game, variant.name)
        ranking = ranked_by(game, options, 1)
        return ranking and find_distribution(game, options, 1, ranking.objective)
    except InvalidOption:
        return None


def _usual(known: Distribution) -> tuple[int, int]:
    """The results between which nearly all perfect runs end."""
    few, so_far, usual = RARE * known.of, 0, []
    for result, ways in known.ways.items():
        if so_far + ways > few and so_far < known.of - few:
            usual.append(result)
        so_far += ways
    return usual[0], usual[-1]


def _in_bins(ways: Mapping[int, int], width: int) -> Counter[int]:
    found: Counter[int] = Counter()
    for result, number in ways.items():
        found[result // width] += number
    return found


def _width(results: int) -> int:
    """Of a bin: 1, 2 or 5, or ten times as much, so that there are not too many of them."""
    ten = 1
    while True:
        for step in (1, 2, 5):
            if results <= step * ten * (MOST_BINS - 1):
                return step * ten
        ten *= 10
