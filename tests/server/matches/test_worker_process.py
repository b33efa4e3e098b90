"""The worker processes of a server: they are restarted when they die or hang, and end with the server."""

import asyncio
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import marchland
from marchland.arena.worker import BotSeat, Play
from marchland.server.matches.worker_process import WorkerLostError, WorkerProcess
from tests.support.server import ADMIN, Person, Served

GAME = marchland.new("colorfight", 2, seed=1)
PATIENCE = 30.0


@pytest.fixture(autouse=True)
def without_jit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARCHLAND_KERNELS", "python")


def is_running(process: int) -> bool:
    """Whether a process runs; one that has ended is listed until its parent has waited for it."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def question(match: str = "m") -> Callable[[int], Play]:
    return lambda number: Play(number, match, GAME.turn, [BotSeat(0, "greedy")], [], GAME.snapshot())


async def pid_of(worker: WorkerProcess) -> int:
    await worker.start()
    assert worker.pid is not None
    return worker.pid


def test_closing_ends_the_process() -> None:
    async def scene() -> None:
        worker = WorkerProcess("test")
        process = await pid_of(worker)
        response = await worker.ask(question(), worker.generation)
        assert response.orders[0]
        await worker.close()
        assert not is_running(process)

    asyncio.run(scene())


def test_closing_before_a_start_or_twice_does_nothing() -> None:
    async def scene() -> None:
        worker = WorkerProcess("test")
        await worker.close()
        await worker.close()
        with pytest.raises(WorkerLostError):
            await worker.start()

    asyncio.run(scene())


def test_requests_to_a_process_that_is_killed_fail_and_the_next_start_makes_another() -> None:
    async def scene() -> None:
        worker = WorkerProcess("test")
        process = await pid_of(worker)
        waiting = [asyncio.create_task(worker.ask(question(str(number)), worker.generation)) for number in range(3)]
        while worker.unanswered < len(waiting):
            await asyncio.sleep(0)
        os.kill(process, signal.SIGKILL)
        lost = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(problem) for problem in lost] == [WorkerLostError] * 3
        assert await worker.start() == 2
        assert (await worker.ask(question(), 2)).orders[0]
        await worker.close()

    asyncio.run(scene())


def test_a_request_for_an_earlier_process_is_refused() -> None:
    async def scene() -> None:
        worker = WorkerProcess("test")
        generation = await worker.start()
        with pytest.raises(WorkerLostError):
            await worker.ask(question(), generation - 1)
        await worker.close()

    asyncio.run(scene())


def test_a_process_that_hangs_is_killed() -> None:
    async def scene() -> None:
        worker = WorkerProcess("test", timeout=0.5)
        process = await pid_of(worker)
        os.kill(process, signal.SIGSTOP)
        with pytest.raises(WorkerLostError):
            await worker.ask(question(), worker.generation)
        assert not is_running(process)
        await worker.close()

    asyncio.run(scene())


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_a_servers_bots_end_with_it(tmp_path: Path, how: str) -> None:
    server = Served(tmp_path)
    with Person(server, ADMIN) as admin:
        match = admin.match("colorfight", "greedy", "greedy", clock={"kind": "every", "seconds": 0.2})
        with admin.watch(match, want="none") as socket:
            socket.news_of(3)
        (bots,) = _children(server)
        getattr(server, how)()
    end = time.monotonic() + PATIENCE
    while is_running(bots):  # a worker whose server was killed notices that its input has ended
        assert time.monotonic() < end, "the worker still runs"
        time.sleep(0.05)


def test_a_match_plays_on_when_its_worker_is_killed(tmp_path: Path) -> None:
    server = Served(tmp_path)
    try:
        with Person(server, ADMIN) as admin:
            match = admin.match("colorfight", "greedy", "greedy", config={"max_turn": 5000})
            with admin.watch(match, want="none") as socket:
                socket.news_of(3)
                (bots,) = _children(server)
                os.kill(bots, signal.SIGKILL)
                socket.news_of(admin.info(match).turn + 20)
            assert bots not in _children(server)
    finally:
        server.stop()


def _children(server: Served) -> list[int]:
    own = server.pid
    return [int(one) for one in Path(f"/proc/{own}/task/{own}/children").read_text().split()]
