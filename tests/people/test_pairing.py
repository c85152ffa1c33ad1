"""Quick match: who meets whom, and how long it takes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicehall.people.pairing import (
    FORGOTTEN,
    GATHERING,
    PENALTIES,
    REMEMBERED,
    UNBOUNDED,
    Outcome,
    Ticket,
    forming,
    gatherings,
    may_meet,
    offer_level,
    offered_at,
    pairs,
    penalty_seconds,
    window,
)
from tests.soak import times

NOW = 1_700_000_000_000


def ticket(player: str, rating: int = 1500, waited_s: int = 0, pool: str = "farkle", avoid: str = "") -> Ticket:
    """Of somebody who has waited for so many seconds at NOW."""
    return Ticket(player, pool, rating, 80, NOW - waited_s * 1000, frozenset(avoid))


def names(groups: Sequence[Sequence[Ticket]]) -> list[str]:
    return ["".join(one.player for one in group) for group in groups]


# -- windows


@pytest.mark.parametrize(("waited_s", "width"), [(0, 100), (1, 112), (10, 220), (29, 448)])
def test_a_window_grows_with_every_second(waited_s: int, width: int) -> None:
    assert window(ticket("a", 1500, waited_s), NOW) == (1500 - width, 1500 + width)


def test_a_window_grows_until_any_rating_will_do() -> None:
    assert window(ticket("a", waited_s=29), NOW + 999) == (1500 - 459, 1500 + 459)
    assert window(ticket("a", waited_s=30), NOW) is None
    assert window(ticket("a"), NOW - 5_000) == (1400, 1600), "a clock that was set back narrows nothing"


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        (ticket("a", 1500), ticket("b", 1600), True),
        (ticket("a", 1500), ticket("b", 1601), False),
        (ticket("a", 1500, 30), ticket("b", 1601), False),  # for the second it is too far
        (ticket("a", 1500, 30), ticket("b", 1601, 1), True),
        (ticket("a", 1500, 30), ticket("b", 2900, 30), True),
        (ticket("a", 1500), ticket("a", 1500), False),
        (ticket("a", avoid="b"), ticket("b"), False),
        (ticket("a"), ticket("b", avoid="a"), False),
        (ticket("a"), ticket("b", avoid="c"), True),
        (ticket("a"), ticket("b", pool="lite"), False),
    ],
)
def test_who_may_meet(one: Ticket, other: Ticket, meet: bool) -> None:
    assert may_meet(one, other, NOW) == may_meet(other, one, NOW) == meet
    assert len(pairs([one, other], NOW)) == len(pairs([other, one], NOW)) == meet


# -- pairs


def test_the_nearest_are_paired_first() -> None:
    waiting = [ticket("a", 1500), ticket("b", 1560), ticket("c", 1570), ticket("d", 1640)]
    assert names(pairs(waiting, NOW)) == ["bc"]
    waiting = [ticket("a", 1500), ticket("b", 1530), ticket("c", 1570), ticket("d", 1580)]
    assert names(pairs(waiting, NOW)) == ["cd", "ab"]


def test_whoever_waits_comes_before_who_has_only_just_come() -> None:
    fresh = [ticket("b", 1560), ticket("c", 1570)]
    assert names(pairs([ticket("a", 1500, 4), *fresh], NOW)) == ["bc"], "48 points are not enough"
    assert names(pairs([ticket("a", 1500, 5), *fresh], NOW)) == ["ab"], "60 points are"


def test_whoever_came_first_is_in_front() -> None:
    assert names(pairs([ticket("a", 1500), ticket("z", 1510, 1)], NOW)) == ["za"]


def test_nobody_is_paired_twice_in_whatever_pools_they_wait() -> None:
    waiting = [ticket("a"), ticket("a", pool="lite"), ticket("b", pool="lite"), ticket("c")]
    assert len(pairs(waiting, NOW)) == 1
    assert names(pairs([*waiting, ticket("d")], NOW)) in (["ac"], ["ad"], ["cd", "ab"])
    assert pairs([ticket("a"), ticket("a", 1510, 3)], NOW) == []
    assert pairs([], NOW) == []


TICKETS = st.lists(
    st.builds(
        Ticket,
        st.sampled_from("abcdefghij"),
        st.sampled_from(["farkle", "lite"]),
        st.integers(1000, 2000),
        st.integers(30, 350),
        st.integers(NOW - 40_000, NOW),
        st.frozensets(st.sampled_from("abcdefghij"), max_size=2),
    ),
    max_size=14,
)


@settings(max_examples=times(200, 5000))
@given(TICKETS, st.randoms(use_true_random=False))
def test_pairs_may_meet_and_nobody_is_left_who_could(waiting: list[Ticket], shuffler: random.Random) -> None:
    found = pairs(waiting, NOW)
    taken = [one.player for pair in found for one in pair]
    assert len(taken) == len(set(taken))
    assert all(may_meet(one, other, NOW) and one in waiting and other in waiting for one, other in found)
    left = [one for one in waiting if one.player not in taken]
    assert not [1 for one, other in combinations(left, 2) if may_meet(one, other, NOW)]
    shuffler.shuffle(waiting)
    assert pairs(waiting, NOW) == found, "in whatever order they are given"


# -- a crowd


class Crowd:
    """So many people who come at random within ten minutes, and are paired every second."""

    def __init__(self, size: int, seed: int) -> None:
        chance = random.Random(seed)
        self.all = [
            Ticket(f"player {n}", "farkle", round(chance.gauss(1500, 250)), 80, NOW + chance.randrange(600_000))
            for n in range(size)
        ]
        self.paired: dict[Ticket, int] = {}
        self.distances: list[int] = []
        for now in range(NOW, NOW + 800_000, 1000):
            waiting = [one for one in self.all if one.joined_ms <= now and one not in self.paired]
            for one, other in pairs(waiting, now):
                self.paired |= {one: now, other: now}
                self.distances.append(abs(one.rating - other.rating))
            patient = [one for one in waiting if one not in self.paired and now - one.joined_ms >= UNBOUNDED * 1000]
            assert len(patient) <= 1, "two who have waited for long always find each other"

    def neighbours(self, one: Ticket) -> int:
        """How many come within 100 points of somebody, and about when they do."""
        near = [other for other in self.all if other is not one and abs(other.rating - one.rating) <= 100]
        return sum(-10_000 <= other.joined_ms - one.joined_ms <= 35_000 for other in near)

    def waited(self, one: Ticket) -> int:
        return self.paired[one] - one.joined_ms


@pytest.mark.parametrize("seed", range(times(3, 50)))
def test_in_a_crowd_everybody_with_neighbours_is_paired_soon_and_nobody_starves(seed: int) -> None:
    crowd = Crowd(200, seed)
    with_neighbours = [one for one in crowd.all if crowd.neighbours(one) >= 4]
    assert len(with_neighbours) > 50
    assert max(map(crowd.waited, with_neighbours)) <= 40_000
    assert set(crowd.paired) == set(crowd.all)
    assert max(map(crowd.waited, crowd.all)) < 300_000, "and whoever is far from everybody meets one of them too"


def test_the_larger_the_crowd_the_nearer_are_those_who_meet() -> None:
    means = []
    for size in (20, 60, 200, 600):
        distances = Crowd(size, 0).distances
        means.append(sum(distances) / len(distances))
    assert means == sorted(means, reverse=True)
    assert means[-1] < 80 < 150 < means[0]


# -- larger tables


def test_a_table_begins_when_it_is_full() -> None:
    waiting = [ticket(name, 1000 * n, waited_s=10 - n) for n, name in enumerate("abc")]
    assert gatherings(waiting, NOW, 4) == []
    assert names(gatherings([*waiting, ticket("d")], NOW, 4)) == ["abcd"]
    assert names(gatherings([*waiting, ticket("d"), ticket("e")], NOW, 4)) == ["abcd"]
    assert names(gatherings([*waiting, ticket("d")], NOW, 2)) == ["ab", "cd"]


def test_a_table_begins_twenty_seconds_after_the_second_has_come() -> None:
    waiting = [ticket("a", waited_s=300), ticket("b", waited_s=19), ticket("c", waited_s=1)]
    [table] = forming(waiting, 6)
    assert table.starts_ms == NOW + 1_000
    assert gatherings(waiting, NOW + 999, 6) == []
    assert names(gatherings(waiting, NOW + 1_000, 6)) == ["abc"]


def test_nobody_begins_alone() -> None:
    [table] = forming([ticket("a", waited_s=300)], 6)
    assert table.starts_ms is None
    assert gatherings([ticket("a", waited_s=300)], NOW, 6) == []


def test_whoever_is_to_be_avoided_sits_at_another_table() -> None:
    waiting = [ticket("a", waited_s=40), ticket("b", waited_s=39, avoid="a"), ticket("c", waited_s=38)]
    assert names([table.tickets for table in forming(waiting, 6)]) == ["ac", "b"]
    waiting.append(ticket("d", waited_s=37, pool="shut-the-box"))
    assert names([table.tickets for table in forming(waiting, 6)]) == ["ac", "b", "d"]


def test_whoever_has_several_tickets_sits_down_with_the_oldest() -> None:
    waiting = [ticket("a", waited_s=40), ticket("a", pool="shut-the-box", waited_s=41), ticket("b", waited_s=39)]
    assert names([table.tickets for table in forming(waiting, 6)]) == ["a", "b"]


@settings(max_examples=times(200, 5000))
@given(TICKETS, st.integers(2, 6), st.integers(0, 40_000), st.randoms(use_true_random=False))
def test_tables_fill_in_the_order_in_which_people_came(
    waiting: list[Ticket], most: int, later: int, shuffler: random.Random
) -> None:
    now = NOW + later
    tables = forming(waiting, most)
    seated = [one for table in tables for one in table.tickets]
    assert sorted(one.player for one in seated) == sorted({one.player for one in waiting})
    for table in tables:
        assert len(table.tickets) <= most
        assert len({one.pool for one in table.tickets}) == 1
        assert list(table.tickets) == sorted(table.tickets, key=lambda one: one.joined_ms)
        assert not [1 for one, other in combinations(table.tickets, 2) if one.player in other.avoid]
        assert not [1 for one, other in combinations(table.tickets, 2) if other.player in one.avoid]
        assert (table.starts_ms is None) == (len(table.tickets) == 1)
        assert table.starts_ms is None or table.starts_ms <= table.tickets[1].joined_ms + GATHERING * 1000
    begun = gatherings(waiting, now, most)
    assert set(begun) == {table.tickets for table in tables if table.starts_ms is not None and table.starts_ms <= now}
    shuffler.shuffle(waiting)
    assert forming(waiting, most) == tables
    # whoever comes later changes nothing for those who sit together, and makes nobody wait for longer
    more = forming([*waiting, Ticket("z", "farkle", 1500, 80, now)], most)
    for before, after in zip(tables, more, strict=False):
        assert after.tickets[: len(before.tickets)] == before.tickets
        if before.starts_ms is not None:
            assert after.starts_ms is not None
            assert after.starts_ms <= max(now, before.starts_ms)


# -- a player of the house instead


def test_who_is_offered_instead_and_when() -> None:
    assert offered_at(ticket("a")) == NOW + 10_000
    levels = {"level:1": 900, "level:2": 1200, "level:3": 1500, "perfect": 1900}
    for rating, name in [(0, "level:1"), (1200, "level:2"), (1050, "level:1"), (1351, "level:3"), (3000, "perfect")]:
        assert offer_level(rating, levels) == name
    assert offer_level(1500, {}) is None


# -- who leaves again and again


def after_leaves(count: int, ago_s: int = 0) -> list[Outcome]:
    return [Outcome(NOW - (ago_s + count - 1 - n) * 1000, left=True) for n in range(count)]


@pytest.mark.parametrize(
    ("leaves", "minutes"),
    [(0, 0), (1, 0), (2, 0), (3, 1), (4, 5), (5, 15), (6, 60), (7, 240), (8, 720), (9, 1440), (30, 1440)],
)
def test_who_leaves_again_and_again_waits_for_longer(leaves: int, minutes: int) -> None:
    outcomes = after_leaves(leaves)
    assert penalty_seconds(outcomes, NOW) == minutes * 60
    if minutes:
        assert penalty_seconds(outcomes, NOW + 1) == minutes * 60, "whole seconds, none too few"
        assert penalty_seconds(outcomes, NOW + 1000) == minutes * 60 - 1
        assert penalty_seconds(outcomes, NOW + minutes * 60_000 - 1) == 1
        assert penalty_seconds(outcomes, NOW + minutes * 60_000) == 0


def test_games_that_are_finished_make_up_for_it() -> None:
    outcomes = after_leaves(4, ago_s=60)
    finished = [Outcome(NOW, left=False)]
    assert penalty_seconds(outcomes + finished, NOW) == 240, "the wait goes on from the last leave"
    assert penalty_seconds(outcomes + finished * (REMEMBERED - 4) + after_leaves(1), NOW) == 300
    assert penalty_seconds(outcomes + finished * (REMEMBERED - 2) + after_leaves(1), NOW) == 0


def test_leaves_are_forgotten_after_a_week() -> None:
    old = [Outcome(NOW - FORGOTTEN * 1000 + 1, left=True)] * 3
    assert penalty_seconds(old + after_leaves(1), NOW) == 300
    assert penalty_seconds(old + after_leaves(1), NOW + 1) == 0


@given(st.lists(st.tuples(st.integers(0, FORGOTTEN * 300), st.booleans()), max_size=40), st.integers(0, 10**9))
def test_a_wait_passes_with_time_and_finishing_a_game_makes_none_longer(
    pauses: list[tuple[int, bool]], later: int
) -> None:
    now, outcomes = NOW, []
    for pause, left in pauses:
        now += pause
        outcomes.append(Outcome(now, left))
    wait = penalty_seconds(outcomes, now)
    assert 0 <= wait <= max(PENALTIES)
    assert penalty_seconds(outcomes, now + later) <= max(0, wait - later // 1000)
    assert penalty_seconds([*outcomes, Outcome(now, left=False)], now) <= wait
    assert penalty_seconds([*outcomes[-REMEMBERED + 1 :], Outcome(now, left=True)], now) >= wait
