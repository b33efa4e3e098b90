"""Named background tasks: single-flight, exponential backoff, every failure logged."""

import asyncio
import contextlib
import logging

import pytest

from marchland.errors import Refused, StorageUnavailable
from marchland.server import tasks
from marchland.server.tasks import FIRST_DELAY, MAX_DELAY, RetryingTasks


class Trouble:
    """Work that fails as long as it should."""

    def __init__(self, problem: Exception | None) -> None:
        self.problem = problem
        self.tries = 0

    async def work(self) -> None:
        self.tries += 1
        if self.problem is not None:
            raise self.problem


class Clock:
    """A clock that moves only when a test sets it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(tasks, "time", made)
    return made


async def tick(does: RetryingTasks, trouble: Trouble, name: str = "room") -> bool:
    """Whether the work was tried."""
    before = trouble.tries
    does.start(name, trouble.work)
    while does._tasks:
        await asyncio.gather(*does._tasks.values())
    return trouble.tries > before


@pytest.mark.parametrize("problem", [Refused("cannot_start", "It cannot be."), ValueError("a mistake of ours")])
def test_what_fails_is_tried_after_pauses_that_double_up_to_the_longest(
    clock: Clock, caplog: pytest.LogCaptureFixture, problem: Exception
) -> None:
    async def scene() -> None:
        does, trouble = RetryingTasks(), Trouble(problem)
        assert await tick(does, trouble)
        expected = FIRST_DELAY
        for _ in range(10):
            clock.now += expected - 0.01
            assert not await tick(does, trouble)
            clock.now += 0.02
            assert await tick(does, trouble)
            expected = min(2 * expected, MAX_DELAY)
        assert expected == MAX_DELAY
        said = [record for record in caplog.records if record.levelno >= logging.ERROR]
        assert len(said) == trouble.tries == 11
        assert [getattr(record, "retry_in", None) for record in said[:3]] == [1.0, 2.0, 4.0]

    asyncio.run(scene())


def test_what_succeeds_again_has_no_pause_left(clock: Clock) -> None:
    async def scene() -> None:
        does, trouble = RetryingTasks(), Trouble(Refused("x", "No."))
        for _ in range(4):
            await tick(does, trouble)
            clock.now += MAX_DELAY
        trouble.problem = None
        assert await tick(does, trouble)
        assert await tick(does, trouble)
        trouble.problem = Refused("x", "No.")
        await tick(does, trouble)
        clock.now += FIRST_DELAY
        assert await tick(does, trouble)

    asyncio.run(scene())


def test_a_task_that_fails_does_not_delay_others(clock: Clock) -> None:
    async def scene() -> None:
        does, trouble, fine = RetryingTasks(), Trouble(Refused("x", "No.")), Trouble(None)
        await tick(does, trouble)
        assert not await tick(does, trouble)
        assert await tick(does, fine, "another room")

    asyncio.run(scene())


def test_after_a_change_everything_is_tried_at_once(clock: Clock) -> None:
    async def scene() -> None:
        does, trouble = RetryingTasks(), Trouble(Refused("x", "No."))
        await tick(does, trouble)
        assert not await tick(does, trouble)
        does.reset_backoff()
        assert await tick(does, trouble)

    asyncio.run(scene())


def test_a_task_that_waits_for_the_database_is_retried_without_backoff(clock: Clock) -> None:
    async def scene() -> None:
        does, trouble = RetryingTasks(), Trouble(StorageUnavailable("The database is away."))
        assert await tick(does, trouble)
        assert await tick(does, trouble)

    asyncio.run(scene())


def test_closing_stops_what_is_being_done() -> None:
    async def scene() -> None:
        does, begun, stopped = RetryingTasks(), asyncio.Event(), asyncio.Event()

        async def work() -> None:
            begun.set()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.get_running_loop().create_future()
            stopped.set()

        does.start("long", work)
        await begun.wait()
        await does.close()
        assert stopped.is_set()

    asyncio.run(scene())
