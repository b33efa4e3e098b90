"""The process in which a server's own bots think is gone when the server is."""

import asyncio
import time
from pathlib import Path

import msgspec
import pytest

import marchland
from marchland.server.matches.bot_pool import BotWorker
from tests.support.server import ADMIN, Person, Served

VIEW = msgspec.json.encode(marchland.new("colorfight", 2, seed=1).view(0))
PATIENCE = 30.0


@pytest.fixture(autouse=True)
def without_jit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARCHLAND_KERNELS", "python")


def is_there(process: int) -> bool:
    """Whether a process runs; one that has ended is listed until its parent reads its exit status."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


async def process_of(worker: BotWorker) -> int:
    return (await worker._ensure_running()).pid


def test_closing_ends_the_process() -> None:
    async def scene() -> None:
        worker = BotWorker()
        assert await worker.orders("colorfight", "greedy", 1, 1, VIEW)
        process = await process_of(worker)
        assert is_there(process)
        await worker.close()
        assert not is_there(process)

    asyncio.run(scene())


def test_whoever_waits_for_a_bot_then_gets_no_orders_and_the_process_is_gone() -> None:
    async def scene() -> None:
        worker = BotWorker()
        process = await process_of(worker)
        waiting = [asyncio.create_task(worker.orders("colorfight", "greedy", seed, 1, VIEW)) for seed in range(5)]
        while len(worker._waiting) < len(waiting):
            await asyncio.sleep(0)
        await worker.close()
        assert await asyncio.gather(*waiting) == [[]] * len(waiting)
        assert not is_there(process)

    asyncio.run(scene())


def test_closing_before_anything_was_asked_or_twice_does_nothing() -> None:
    async def scene() -> None:
        worker = BotWorker()
        await worker.close()
        process = await process_of(worker)
        await worker.close()
        await worker.close()
        assert not is_there(process)

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
    while is_there(bots):  # its input ends with the killed server
        assert time.monotonic() < end, "the bots are still there"
        time.sleep(0.05)


def _children(server: Served) -> list[int]:
    own = server.pid
    return [int(one) for one in Path(f"/proc/{own}/task/{own}/children").read_text().split()]
