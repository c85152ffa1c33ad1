"""What is kept of who leaves games, who is silenced, and who is there."""

from __future__ import annotations

from sqlalchemy import Connection

from dicehall.people.glicko import DAY_MS
from dicehall.people.pairing import FORGOTTEN, REMEMBERED, Outcome
from dicehall.people.rated import MOST_A_DAY
from dicehall.store import halls, outcomes, players, ratings
from tests.store.test_rerating import play


def test_the_last_games_of_a_player_are_remembered(connection: Connection) -> None:
    ada, bea = (players.create(connection, 1)[0] for _ in range(2))
    for at in range(REMEMBERED + 3):
        outcomes.note(connection, f"room {at}", at, {ada: at % 2 == 0, bea: False})
    outcomes.note(connection, "another room", REMEMBERED + 2, {bea: True})
    assert outcomes.of(connection, ada) == [Outcome(at, at % 2 == 0) for at in range(3, REMEMBERED + 3)]
    assert sum(one.left for one in outcomes.of(connection, bea)) == 1
    assert len(players.export(connection, ada)["outcomes"]) == REMEMBERED + 3
    outcomes.forget(connection, FORGOTTEN * 1000 + REMEMBERED + 1)
    assert outcomes.of(connection, ada) == [Outcome(REMEMBERED + 2, (REMEMBERED + 2) % 2 == 0)]
    players.delete(connection, bea)
    assert outcomes.of(connection, bea) == []


def test_whom_one_has_met_often_enough_today(connection: Connection) -> None:
    ada, bea, cleo = (players.create(connection, 1)[0] for _ in range(3))
    noon = 10 * DAY_MS + DAY_MS // 2
    play(connection, 99, (ada, bea), 1, noon - DAY_MS)
    for number in range(MOST_A_DAY):
        assert ratings.met_enough(connection, ada, noon) == frozenset()
        play(connection, number, (ada, bea), 1, noon + number * 1000)
    play(connection, 100, (cleo, ada), 1, noon)
    assert ratings.met_enough(connection, ada, noon) == {bea}
    assert ratings.met_enough(connection, bea, noon) == {ada}
    assert ratings.met_enough(connection, ada, noon + DAY_MS) == frozenset()
    asked = [(ada, "farkle"), (bea, "knucklebones"), (cleo, "farkle")]
    assert set(ratings.values(connection, asked)) == {(ada, "farkle"), (cleo, "farkle")}


def test_who_is_silenced(connection: Connection) -> None:
    ada = players.create(connection, 1)[0]
    assert not players.is_silenced(connection, ada, 5)
    players.silence(connection, ada, 100)
    assert [players.is_silenced(connection, ada, now) for now in (99, 100)] == [True, False]
    players.silence(connection, ada, None)
    assert not players.is_silenced(connection, ada, 5)
    assert not players.is_silenced(connection, "nobody", 5)


def test_halls_tell_who_is_there(connection: Connection) -> None:
    halls.tell(connection, "one", 100, {"players": ["p"]})
    halls.tell(connection, "other", 200, {"players": []})
    halls.tell(connection, "one", 150, {"players": ["q"]})
    assert halls.told(connection, 150) == [{"players": ["q"]}, {"players": []}]
    assert halls.told(connection, 151) == [{"players": []}]
    halls.forget(connection, "other", 150)
    assert halls.told(connection, 0) == [{"players": ["q"]}]
    halls.forget(connection, "other", 151)
    assert halls.told(connection, 0) == []
