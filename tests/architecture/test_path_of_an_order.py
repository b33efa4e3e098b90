"""An order's way from the HTTP body to the broadcast: which files of ours it passes through."""

import asyncio
import re
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import marchland
from marchland.match import Subscription
from marchland.server.matches.manager import MatchManager
from tests.support.asgi import running_app
from tests.support.game_loading import loaded_games

SOURCE = Path(marchland.__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"
LIMIT = 40
TURNS_BEFORE = 20


class FileTracer:
    """The files of the package in which a function was called while `is_on`, in every thread."""

    def __init__(self) -> None:
        self.is_on = False
        self.files: set[str] = set()

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        if self.is_on and event == "call" and frame.f_code.co_filename.startswith(str(SOURCE)):
            self.files.add(Path(frame.f_code.co_filename).relative_to(SOURCE).as_posix())


class TracedReader(Subscription):
    """A spectator; tracing ends with the broadcast that reaches it."""

    def __init__(self, tracer: FileTracer) -> None:
        super().__init__(None)
        self._tracer = tracer

    def offer(self, message: bytes, *, is_news: bool = True, price: float = 0.0) -> None:
        super().offer(message, is_news=is_news, price=price)
        self._tracer.is_on = False


async def post_an_order(folder: Path, tracer: FileTracer) -> None:
    """A turn of Colorfight that ends with the orders of its last player; a spectator reads the news."""
    async with running_app(folder, loaded_games()) as app:
        match_id = (await app.create_match("colorfight", seats=1)).json()["id"]
        await app.post(f"/api/v1/matches/{match_id}/join", json={"name": "ann"})
        manager = app.dependency(MatchManager)
        match = await manager.match(match_id)
        reader = TracedReader(tracer)
        await match.subscribe(reader)
        await reader.next()
        for turn in range(TURNS_BEFORE + 1):  # in the first ones the server still starts its background tasks
            order = {"do": "build", "at": [0, 0], "what": "energy_well"}
            tracer.is_on = turn == TURNS_BEFORE
            body = {"orders": [order], "key": str(turn), "ready": True}
            response = await app.post(f"/api/v1/matches/{match_id}/orders", json=body)
            assert response.status_code in (200, 201), response.text
            news = await asyncio.wait_for(reader.next(), 30)
            assert news is not None and b'"turn"' in news
            await asyncio.sleep(0)


def trace(folder: Path) -> list[str]:
    tracer = FileTracer()
    threading.setprofile(tracer)
    sys.setprofile(tracer)
    try:
        asyncio.run(post_an_order(folder, tracer))
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return sorted(tracer.files)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The files of every one of three orders: background tasks that happen to run beside one of them do not count."""
    traces = [set(trace(tmp_path_factory.mktemp("traced"))) for _ in range(3)]
    return sorted(set.intersection(*traces))


def test_an_order_passes_through_at_most_forty_files(files: list[str]) -> None:
    assert len(files) <= LIMIT, files


def test_the_page_on_architecture_lists_those_files(files: list[str]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    listed = page[page.index("Every file of ours") :].partition("\n## ")[0]
    assert re.findall(r"`([^`]+)`", listed) == files
    assert f"({len(files)} files" in listed
