"""Crews: long work in processes of their own, in fair turns, bounded in time and number."""

from __future__ import annotations

import asyncio
import gc
import os
import pickle
import signal
import time
import warnings
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from dicehall.errors import IllegalMove
from dicehall.server import worker
from dicehall.server.crew import Busy, Crew, TooLong
from tests.server.running import Server, run_apart
from tests.soak import times

HERE = "127.0.0.1"


def crew(**changes: Any) -> Crew:
    usual = {"name": "test", "count": 1, "seconds": 60, "waiting": 100, "waiting_each": 100, "budget": 1e6}
    return Crew(**{**usual, "niceness": 0, **changes})


def run(talk: Callable[[Crew], Coroutine[Any, Any, None]], **changes: Any) -> None:
    async def whole() -> None:
        one = crew(**changes)
        try:
            await talk(one)
        finally:
            one.close()

    run_apart(whole())


def sleep_and_tell(seconds: float, what: str) -> tuple[str, int]:
    time.sleep(seconds)
    return what, os.getpid()


def refuse(code: str) -> None:
    raise IllegalMove(code, "not like this")


def break_off() -> None:
    raise RuntimeError("a fault")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def untold() -> Callable[[], int]:
    return lambda: 1


class Unreadable(Exception):
    """It travels, and cannot be put together again: one argument is missing then."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(one)


def raise_unreadable() -> None:
    raise Unreadable("a", "b")


def take(size: int) -> tuple[int, int]:
    return len(b"x" * size), os.getpid()


def test_what_comes_back() -> None:
    async def talk(one: Crew) -> None:
        assert await one.ask(HERE, len, "four") == 4
        told, process = await one.ask(HERE, sleep_and_tell, 0, "hello")
        assert (told, process != os.getpid()) == ("hello", True)
        with pytest.raises(IllegalMove) as refused:
            await one.ask(HERE, refuse, "why")
        assert refused.value.code == "why"
        with pytest.raises(RuntimeError, match="a fault"):
            await one.ask(HERE, break_off)
        with pytest.raises(RuntimeError, match="untold gave"):
            await one.ask(HERE, untold)
        assert await one.ask(HERE, sleep_and_tell, 0, "again") == ("again", process), "none of that ends the process"

    run(talk)


def test_an_answer_that_cannot_be_read_costs_no_worker() -> None:
    async def talk(one: Crew) -> None:
        for _ in range(3):
            with pytest.raises(TypeError):
                await one.ask(HERE, raise_unreadable)
        assert await one.ask(HERE, len, "four") == 4

    run(talk)


def test_a_refusal_travels_whole() -> None:
    again = pickle.loads(pickle.dumps(Busy("come later", 7)))
    assert (again.code, str(again), again.retry_after) == ("busy", "come later", 7)


def test_a_job_that_takes_too_long_is_ended_with_its_process() -> None:
    async def talk(one: Crew) -> None:
        _, process = await one.ask(HERE, sleep_and_tell, 0, "quick")
        with pytest.raises(TooLong):
            await one.ask(HERE, sleep_and_tell, 100, "slow")
        told, other = await one.ask(HERE, sleep_and_tell, 0, "quick")
        assert (told, other != process) == ("quick", True)
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)

    run(talk, seconds=10)


def test_a_process_that_dies_is_replaced() -> None:
    async def talk(one: Crew) -> None:
        with pytest.raises(Busy):
            await one.ask(HERE, die)
        assert await one.ask(HERE, len, "four") == 4

    run(talk)


def test_a_process_that_has_grown_large_is_replaced() -> None:
    async def talk(one: Crew) -> None:
        _, process = await one.ask(HERE, take, 10)
        assert (await one.ask(HERE, take, worker.LARGEST))[1] == process
        assert (await one.ask(HERE, take, 10))[1] != process

    run(talk)


def test_a_hall_that_has_grown_large_keeps_its_processes() -> None:
    async def talk(one: Crew) -> None:
        ballast = b"x" * worker.LARGEST
        _, process = await one.ask(HERE, take, 10)
        del ballast
        assert (await one.ask(HERE, take, 10))[1] == process

    run(talk)


def test_networks_take_turns() -> None:
    """Ten jobs of one network wait when another asks once: it comes after the one that runs and one more."""

    async def talk(one: Crew) -> None:
        order: list[str] = []

        async def ask(who: str, name: str) -> None:
            order.append((await one.ask(who, sleep_and_tell, 0.05, name))[0])

        crowd = [asyncio.create_task(ask("crowd", f"crowd {n}")) for n in range(10)]
        await asyncio.sleep(0)
        other = asyncio.create_task(ask("other", "other"))
        await asyncio.gather(*crowd, other)
        assert order.index("other") <= 2
        assert [name for name in order if name != "other"] == [f"crowd {n}" for n in range(10)]

    run(talk)


def test_more_than_can_wait_is_refused_at_once() -> None:
    async def talk(one: Crew) -> None:
        running = [asyncio.create_task(one.ask("a", sleep_and_tell, 0.5, "a")) for _ in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await one.ask("a", len, "fourth to wait")
        running += [asyncio.create_task(one.ask("b", sleep_and_tell, 0, "b")) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await one.ask("c", len, "sixth to wait")
        await asyncio.gather(*running)
        assert await one.ask("c", len, "four") == 4

    run(talk, waiting=5, waiting_each=3)


def test_a_network_that_has_had_much_waits_and_is_told_how_long() -> None:
    async def talk(one: Crew) -> None:
        await one.ask("greedy", sleep_and_tell, 0.6, "long")
        with pytest.raises(Busy) as refused:
            await one.ask("greedy", len, "four")
        assert refused.value.retry_after >= 1
        assert await one.ask("other", len, "four") == 4

    run(talk, budget=0.5)


def test_whoever_has_gone_is_not_worked_for() -> None:
    async def talk(one: Crew) -> None:
        first = asyncio.create_task(one.ask(HERE, sleep_and_tell, 0.3, "first"))
        await asyncio.sleep(0)
        gone = asyncio.create_task(one.ask(HERE, sleep_and_tell, 100, "gone"))
        await asyncio.sleep(0)
        gone.cancel()
        assert (await first)[0] == "first"
        assert await one.ask(HERE, len, "four") == 4

    run(talk)


@pytest.mark.parametrize("started", [True, False])
def test_a_hall_that_closes_in_the_middle_of_a_job_leaves_nothing_open(started: bool) -> None:
    async def leave() -> None:
        one = crew()
        if started:
            await one.ask(HERE, len, "four")
        asked = asyncio.create_task(one.ask(HERE, sleep_and_tell, 100, "too late"))
        await asyncio.sleep(0.05)
        assert not asked.done()
        one.close()

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        run_apart(leave())
        gc.collect()
    assert [str(one.message) for one in told] == []


def test_records_to_check_do_not_starve_the_lobby(server: Server) -> None:
    """Sixty heavy questions at once: some are refused with a word, and everybody else is answered meanwhile."""
    line = "dicehall1/knucklebones.1//a;b/1;seed=x/" + "-".join(["d1-1"] * 900) + "/0:0;;x//0123456789abcdef"
    asking = [server.stranger() for _ in range(times(60, 200))]
    other = server.guest()
    with ThreadPoolExecutor(len(asking)) as threads:
        answers = [threads.submit(one.ask, "POST", "/api/records/check", json={"record": line}) for one in asking]
        while not all(answer.done() for answer in answers):
            other.get("/api/lobby")
    for answer in [one.result() for one in answers]:
        assert answer.status_code in (200, 503), answer.text
        if answer.status_code == 503:
            assert answer.json()["code"] == "busy"
            assert int(answer.headers["retry-after"]) >= 1
