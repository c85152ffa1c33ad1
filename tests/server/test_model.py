"""Tables on a real server against a model: a table in this process, with the same dice, players and moves.

Tabs come and go, moves are repeated, sent to positions that are past, taken back and refused; lines are cut and the
server forgets what it had in memory. After every step each tab shows exactly what the model has.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from random import Random
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from dicehall.bots.player import Player, play_on, player
from dicehall.dice import mixed
from dicehall.errors import DicehallError
from dicehall.play.record import from_json
from dicehall.play.replay import prove
from dicehall.play.table import Table
from dicehall.rules.catalog import GAMES, find_game
from tests.server.running import Server, Tab
from tests.soak import times

OPTIONS: dict[str, dict[str, Any]] = {"farkle": {"target": 500}, "shut-the-box": {"rounds": 1}}
SEATS: dict[str, list[list[str]]] = {
    "lite-solo": [["you"]],
    "lite-versus": [["you", "random"], ["random", "you"], ["you", "you"], ["you", "lookahead"]],
    "farkle": [["you"], ["random", "you"], ["you", "you", "bank:200"]],
    "shut-the-box": [["you"], ["random", "you"], ["you", "you"]],
    "knucklebones": [["you", "random"], ["spec", "you"], ["you", "you"]],
}
NONSENSE = (
    "",
    "d1",
    "zz",
    "a1",
    "b2",
    "c3",
    "1",
    "2",
    "3",
    "5",
    "bank",
    "roll",
    "one",
    "two",
    "reroll",
    "9",
    "1+5",
    "111",
)


class TableMachine(RuleBasedStateMachine):
    server: Server  # set for each database

    @initialize(
        game=st.sampled_from(list(GAMES)),
        kind=st.sampled_from(["practice", "practice", "ranked"]),
        seats=st.integers(0, 3),
        seed=st.integers(0, 10**6),
        bold=st.booleans(),
    )
    def sit_down(self, game: str, kind: str, seats: int, seed: int, bold: bool) -> None:
        self.guest = self.server.guest()
        self.seats = SEATS[game][seats % len(SEATS[game])]
        options = {"reroll": True} if bold and game.startswith("lite") else OPTIONS.get(game, {})
        asked = {"options": options, "seats": self.seats, "seed": str(seed)}
        self.id = self.guest.open(game, kind=kind, **asked)
        secret = self.server.saved(self.id).secret
        self.dice: dict[str, Any] = {
            "seed": str(seed),
            "secret": secret,
            "practice": secret is None,
            "undo_allowed": secret is None,
        }
        self.bot_seed = str(seed) if secret is None else mixed(secret, str(seed))
        self.game, self.options, self.random = find_game(game), options, Random(seed)
        self.model, self.bots = self.fresh_model()
        play_on(self.model, self.bots)
        self.tabs: list[tuple[Tab, ExitStack]] = []
        self.open_tab()

    def fresh_model(self) -> tuple[Table, dict[int, Player]]:
        bots = {
            seat: player(name, self.game, self.bot_seed, seat) for seat, name in enumerate(self.seats) if name != "you"
        }
        return Table(self.game, options=self.options, seats=self.seats, **self.dice), bots

    def rewind(self) -> None:
        """The model again from its start: the bots' streams stand where they should."""
        steps, unranked = self.model.steps, self.model.unranked
        self.model, self.bots = self.fresh_model()
        for step in steps:
            if not step.startswith("d"):
                if self.model.actor in self.bots:
                    self.bots[self.model.actor](self.model.state)
                self.model.play(step)
        self.model.unranked = unranked
        assert self.model.steps == steps

    def teardown(self) -> None:
        for _, stack in getattr(self, "tabs", ()):
            stack.close()

    # -- tabs

    def open_tab(self) -> None:
        stack = ExitStack()
        self.tabs.append((stack.enter_context(self.guest.sit(self.id)), stack))

    def everybody_hears(self) -> None:
        for tab, _ in self.tabs:
            tab.table()

    @precondition(lambda self: len(self.tabs) < 3)
    @rule()
    def another_tab(self) -> None:
        self.open_tab()

    @precondition(lambda self: len(self.tabs) > 1)
    @rule(which=st.integers(0, 2))
    def close_a_tab(self, which: int) -> None:
        self.tabs.pop(which % len(self.tabs))[1].close()

    @rule(which=st.integers(0, 2))
    def cut_a_line(self, which: int) -> None:
        tab, stack = self.tabs.pop(which % len(self.tabs))
        tab.connection.socket.close()
        stack.close()
        self.open_tab()

    @rule()
    def leave_and_be_forgotten(self) -> None:
        """Nobody watches, memory is needed for others, and the table comes back from the store."""
        while self.tabs:
            self.tabs.pop()[1].close()
        live = self.server.app.state.hall._live
        while (found := live.get(self.id)) is not None and found.watchers:
            time.sleep(0.001)  # the server is still saying goodbye
        live.pop(self.id, None)
        self.rewind()
        self.open_tab()

    # -- moves

    @precondition(lambda self: not self.model.is_over)
    @rule(which=st.integers(0, 2), choice=st.integers(0, 10**6))
    def move(self, which: int, choice: int) -> None:
        legal = self.model.legal()
        move = legal[choice % len(legal)]
        tab = self.tabs[which % len(self.tabs)][0]
        tab.send(type="move", seen=len(self.model.steps), move=move)
        self.model.play(move)
        play_on(self.model, self.bots)
        self.everybody_hears()

    @precondition(lambda self: not self.model.is_over)
    @rule(moves=st.integers(2, 60))
    def play_on(self, moves: int) -> None:
        for _ in range(moves):
            if not self.model.is_over:
                self.move(0, self.random.randrange(10**6))

    @rule(which=st.integers(0, 2), back=st.integers(1, 50))
    def repeat(self, which: int, back: int) -> None:
        made = [n for n, step in enumerate(self.model.steps) if not step.startswith("d")][-back:]
        if made:
            tab = self.tabs[which % len(self.tabs)][0]
            tab.move(self.model.steps[made[0]], seen=made[0])

    @rule(
        which=st.integers(0, 2),
        off=st.sampled_from([-1, 1, -2, 2, -3, 7, -100, 10**20]),
        choice=st.integers(0, 10**6),
    )
    def move_on_another_position(self, which: int, off: int, choice: int) -> None:
        steps, legal = self.model.steps, self.model.legal() or ("a1",)
        seen, move = len(steps) + off, legal[choice % len(legal)]
        if not (0 <= seen < len(steps) and steps[seen] == move):
            assert self.tabs[which % len(self.tabs)][0].try_move(move, seen=seen) in ("stale", "message")

    @rule(which=st.integers(0, 2), move=st.sampled_from(NONSENSE))
    def move_against_the_rules(self, which: int, move: str) -> None:
        if why := self.why_not(move):
            assert self.tabs[which % len(self.tabs)][0].try_move(move) == why

    def why_not(self, move: str) -> str:
        """The code of the refusal; empty: the move is legal."""
        try:
            self.game.apply(self.model.state, self.game.rules.read_move(move))
        except DicehallError as error:
            return error.code
        return ""

    @precondition(lambda self: not self.model.is_over)
    @rule(which=st.integers(0, 2), moves=st.lists(st.integers(0, 10**6), min_size=1, max_size=6))
    def move_and_take_it_back(self, which: int, moves: list[int]) -> None:
        for choice in moves:
            if not self.model.is_over:
                self.move(which, choice)
        self.undo(which, late=False)
        self.undo(which, late=False)  # one step, and no second
        if not self.model.is_over:
            self.move(which, moves[0] + 1)

    @rule(which=st.integers(0, 2), late=st.booleans())
    def undo(self, which: int, late: bool) -> None:
        tab, steps = self.tabs[which % len(self.tabs)][0], self.model.steps
        tab.send(type="undo", seen=len(steps) - late)
        people = [seat for seat in range(len(self.seats)) if seat not in self.bots]
        seat = people[0] if len(people) == 1 else None
        if late:
            assert tab.refusal() == "stale"
        elif self.model.is_over:
            assert tab.refusal() in ("game-over", "undo-off")
        elif not self.model.can_undo(seat):
            assert tab.refusal() in ("undo-off", "undo-nothing")
        else:
            self.model.undo(seat)
            taken_back = self.model
            self.rewind()
            self.model = taken_back  # which remembers that a move was taken back
            self.everybody_hears()

    @rule(which=st.integers(0, 2))
    def look(self, which: int) -> None:
        assert self.tabs[which % len(self.tabs)][0].look()["news"] == []

    # -- what is always so

    @invariant()
    def every_tab_shows_the_model(self) -> None:
        for tab, _ in getattr(self, "tabs", ()):
            shown = tab.shown
            people = self.model.actor if self.model.actor >= 0 else None
            assert tab.steps == list(self.model.steps)
            assert shown["count"] == len(self.model.steps)
            assert shown["view"]["state"] == self.model.view()["state"]
            assert shown["view"]["you"] == people
            assert shown["view"]["result"] == self.model.view()["result"]
            assert shown["unranked"] == list(self.model.unranked)
            assert shown["commitment"] == self.model.commitment
            assert (shown["run"] is not None) == self.model.is_over

    @invariant()
    def the_store_has_it(self) -> None:
        if hasattr(self, "tabs"):
            assert self.server.saved(self.id).steps == " ".join(self.model.steps)

    @invariant()
    def a_finished_run_is_true_and_there_once(self) -> None:
        if hasattr(self, "tabs") and self.model.is_over:
            (run,) = self.guest.get("/api/runs")["runs"]
            assert run["id"] == self.tabs[0][0].shown["run"]
            record = from_json(run["record"])
            assert record.steps == self.model.steps
            assert record.result == self.model.result
            assert prove(record)
            assert run["ranked"] == (self.model.commitment is not None and self.seats.count("you") == 1)


def test_every_tab_shows_what_the_model_has(server: Server) -> None:
    class OnThisServer(TableMachine):
        pass

    OnThisServer.server = server
    run_state_machine_as_test(
        OnThisServer,
        settings=settings(
            max_examples=times(40, 2000),
            stateful_step_count=times(20, 60),
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
