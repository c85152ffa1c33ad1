"""The same dice for several: how far a board is shown, and who is ahead."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from dicehall.dice import commitment, contribution_seal
from dicehall.errors import InvalidOption
from dicehall.people import duels
from dicehall.people.duels import Mark
from dicehall.play.plain import Plain
from dicehall.play.protocol import find_play
from dicehall.play.record import Contribution, Record
from dicehall.play.table import Table
from dicehall.rules.catalog import GAMES
from tests.soak import times
from tests.walks import random_options

SECRET = "c0ffee00" * 8
PARTIES = tuple(
    Contribution(party, contribution_seal(commitment(SECRET), party, f"{party}a" * 32), f"{party}a" * 32)
    for party in range(3)
)
ALONE = ["lite-solo", "farkle", "shut-the-box"]


def board(game: str, options: dict[str, Any]) -> Table:
    return Table(game, options=options, seats=["you"], secret=SECRET, contributions=PARTIES)


def marks_of(table: Table) -> list[Mark]:
    found: list[Mark] = []
    begun = table.game.begin(table.options, 1)
    duels.follow(found, table.game, begun, table.steps, table.states)
    return found


def by_hand(table: Table, dice: int) -> tuple[str, ...]:
    """The steps of the table that used no more dice."""
    used = 0
    for number, step in enumerate(table.steps):
        used += len(step) - 1 if step[0] == "d" else 0
        if used > dice:
            return table.steps[:number]
    return table.steps


@pytest.mark.parametrize("game", ALONE)
def test_nobody_is_shown_more_than_they_have_come_to_themselves(game: str) -> None:
    """Two boards of the same dice, in any order of moves: what one is shown of the other follows from the dice that one
    has used, and from nothing that comes after."""
    random = Random(f"duels {game}")
    for _ in range(times(40, 2000)):
        options = random_options(GAMES[game], random)
        if 1 not in GAMES[game].make_options(options).seats(GAMES[game].seats):
            continue
        mine, theirs = board(game, options), board(game, options)
        kept: list[Mark] = []
        for _ in range(60):
            mover = random.choice([mine, theirs])
            if not mover.is_over:
                mover.play(random.choice(mover.legal()))
            begun = theirs.game.begin(theirs.options, 1)
            duels.follow(kept, theirs.game, begun, theirs.steps, theirs.states)
            shown = duels.seen(kept, mine.dice_used)
            assert shown.dice <= mine.dice_used
            known = len(by_hand(theirs, mine.dice_used))
            state = theirs.states[known - 1] if known else begun
            assert shown[1:] == find_play(theirs.game).standing(state)
        assert kept == marks_of(theirs)
        assert duels.seen(kept, None) == kept[-1]


@pytest.mark.parametrize("game", ALONE)
def test_who_is_ahead_at_the_end_is_ahead_by_the_result(game: str) -> None:
    """Of runs that are over, as boards compare them."""
    random = Random(f"ends {game}")
    for _ in range(times(12, 300)):
        options = random_options(GAMES[game], random)
        if 1 not in GAMES[game].make_options(options).seats(GAMES[game].seats):
            continue
        tables = [board(game, options) for _ in range(3)]
        for table in tables:
            for _ in range(400):
                if not table.is_over:
                    table.play(random.choice(table.legal()))
        done = [table for table in tables if table.is_over]
        worths = [marks_of(table)[-1].worth for table in done]
        aim = tables[0].game.rules.aim(tables[0].options, 1)
        scores = [table.result.scores[0] * (-1 if aim.lower_is_better else 1) for table in done if table.result]
        assert duels.ranks(worths) == duels.ranks(scores)
        assert all(mark.worth <= max(worths) for table in done for mark in marks_of(table) if aim.unit != "points"), (
            "who is done has reached what the others have not"
        )


@pytest.mark.parametrize("options", [{"goal": 0}, {"rounds": 3}, {"rounds": 3, "per_round_scoring": False}], ids=str)
def test_whoever_shuts_a_tile_is_never_behind_for_it(options: dict[str, Any]) -> None:
    """Also from round to round: what is not played yet counts as it would."""
    random = Random(3)
    for _ in range(times(20, 200)):
        table = board("shut-the-box", options)
        while not table.is_over:
            table.play(random.choice(table.legal()))
        worths = [mark.worth for mark in marks_of(table)]
        assert worths == sorted(worths)


def test_a_board_that_ends_as_it_stands_is_true_and_proved() -> None:
    table = board("farkle", {"target": 500})
    table.play(table.legal()[0])
    table.depart(0, "time")
    assert table.is_over
    record: Record = table.record()
    assert record.result is not None
    assert (record.result.winners, record.result.why) == ((), "time")
    assert duels.seen(marks_of(table), None).worth == 0


def test_ranks() -> None:
    assert duels.ranks([]) == ()
    assert duels.ranks([5, 7, 5, None, -1, None]) == (2, 1, 2, 5, 4, 5)


def test_whoever_watches_sees_as_much_as_the_slowest() -> None:
    assert duels.horizon([5, None, 3]) == 3
    assert duels.horizon([0, 4]) == 0
    assert duels.horizon([None, None]) is None


@pytest.mark.parametrize("wrong", [1, 11])
def test_how_many_play_the_same_dice(wrong: int) -> None:
    with pytest.raises(InvalidOption):
        duels.check_parties(wrong)
    duels.check_parties(2)
    duels.check_parties(10)


@pytest.mark.parametrize("wrong", [-1, 181])
def test_how_long_it_may_last(wrong: int) -> None:
    with pytest.raises(InvalidOption):
        duels.check_minutes(wrong)
    for right in (0, 1, 180):
        duels.check_minutes(right)


def test_games_for_two_and_of_other_packages_have_a_standing_too() -> None:
    for game in GAMES.values():
        seats = game.seats[0]
        begun = game.begin({}, seats)
        assert find_play(game).standing(begun).score == (45 if game.id == "shut-the-box" else 0)
        plain = Plain(game.rules).standing(begun)
        assert plain.worth == (-plain.score if game.rules.aim(begun.options, 1).lower_is_better else plain.score)
