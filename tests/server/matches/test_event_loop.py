"""The largest match that a player may create does not block the event loop, and a view is computed once."""

import asyncio
import os
import re
import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest

from marchland.games.colorfight.game import Colorfight
from marchland.match import Match, Subscription
from marchland.server.matches.manager import MatchManager
from tests.support.asgi import App, running_app
from tests.support.game_loading import loaded_games
from tests.support.loop_probe import LoopProbe

LONGEST_STALL = 0.25
MOST_MEMORY = 400_000_000
LARGE = {"width": 300, "height": 300}
BOTS = [{"kind": "builtin", "bot": "greedy"}] * 30
PATIENCE = 120.0


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


async def create(app: App, seats: list[dict[str, Any]], config: dict[str, Any]) -> Match:
    """A running match of Colorfight."""
    body = {"game": "colorfight", "seats": seats, "config": config, "clock": {"kind": "ready"}}
    created = await app.post("/api/v1/matches", json=body)
    assert created.is_success, created.text
    if created.json()["state"] == "lobby":
        assert (await app.post(f"/api/v1/matches/{created.json()['id']}/start")).is_success
    return await app.dependency(MatchManager).match(created.json()["id"])


async def wait_for_turn(match: Match, turn: int) -> None:
    """Read news until the match has come to a turn."""
    reader = Subscription(None, frames=False)
    await match.subscribe(reader)
    async with asyncio.timeout(PATIENCE):
        while match.logged_turn < turn:
            assert await reader.next() is not None
    match.unsubscribe(reader)


async def count_computed_views(app: App) -> int:
    text = (await app.get("/metrics")).text
    found = re.search(r"^marchland_views_computed_total ([0-9.]+)$", text, re.MULTILINE)
    assert found is not None
    return int(float(found[1]))


@pytest.mark.alone
def test_thirty_bots_on_the_largest_board_play_without_blocking_the_loop(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            before = resident_bytes()
            async with LoopProbe() as probe:
                match = await create(app, BOTS, LARGE)
                await wait_for_turn(match, match.open_turn + 5)
            assert probe.longest < LONGEST_STALL
            assert resident_bytes() - before < MOST_MEMORY

    asyncio.run(scene())


@pytest.mark.alone
def test_readers_of_the_largest_board_do_not_block_the_loop(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            match = await create(app, [{}], LARGE)
            async with LoopProbe() as probe:
                path = f"/api/v1/matches/{match.id}"
                answers = await asyncio.gather(
                    *(app.get(f"{path}/view") for _ in range(2)), *(app.get(f"{path}/frames") for _ in range(2))
                )
                assert [answer.status_code for answer in answers] == [200] * 4
                reader = Subscription(None, views=True)
                await match.subscribe(reader)
                assert await reader.next()
                await match.end_turn()
                assert await reader.next()
            assert probe.longest < LONGEST_STALL

    asyncio.run(scene())


@pytest.mark.alone
@pytest.mark.parametrize("game", ["boidvoid", "datspulse", "enova"])
def test_as_many_orders_as_the_limits_allow_do_not_block_the_loop(tmp_path: Path, game: str) -> None:
    """In these games the posts of a turn add up. A player may post forty times at once."""
    orders = [{"do": "move", "at": [number, 0], "ant": str(number)} for number in range(10_000)]
    posts = [msgspec.json.encode({"orders": orders, "key": str(key), "seat": 0, "ready": False}) for key in range(40)]

    async def scene() -> None:
        async with running_app(tmp_path, loaded_games(), rate=1e6, rate_address=1e6) as app:
            body = {"game": game, "seats": [{}, {}], "clock": {"kind": "ready"}}
            match = (await app.post("/api/v1/matches", json=body)).raise_for_status().json()["id"]
            for seat in (0, 1):
                (await app.post(f"/api/v1/matches/{match}/join", json={"seat": seat})).raise_for_status()
            running = await app.dependency(MatchManager).match(match)
            async with LoopProbe() as probe:
                answers = [await app.post(f"/api/v1/matches/{match}/orders", content=post) for post in posts]
                await running.end_turn()
            assert [answer.status_code for answer in answers] == [200] * 5 + [413] * 35
            assert probe.longest < LONGEST_STALL

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("path", "side", "queued", "is_on_loop"),
    [
        ("legal", 60, 0, True),
        ("legal", 100, 0, False),
        ("menus", 60, 0, True),
        ("menus", 100, 0, False),
        ("menus", 60, 10_000, False),
    ],
)
def test_menus_of_a_large_board_or_after_many_orders_are_computed_in_another_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, side: int, queued: int, is_on_loop: bool
) -> None:
    body = {"queued": [{"do": "attack", "at": [1, 1], "energy": 1}] * queued} if queued else {}
    compute = Colorfight.legal
    threads = set()

    def compute_and_note_thread(*arguments: Any) -> Any:
        threads.add(threading.get_ident())
        return compute(*arguments)

    async def scene() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            match = await create(app, [{}], {"width": side, "height": side})
            (await app.post(f"/api/v1/matches/{match.id}/join", json={})).raise_for_status()
            monkeypatch.setattr(Colorfight, "legal", compute_and_note_thread)
            menu = (await app.post(f"/api/v1/matches/{match.id}/{path}", json=body)).raise_for_status().json()
            assert "attack" in (menu if path == "legal" else menu["verbs"])
            assert len(threads) == 1
            assert (threads == {threading.get_ident()}) == is_on_loop

    asyncio.run(scene())


@pytest.mark.parametrize("side", [10, 60])
def test_readers_of_a_turn_share_the_computation_of_its_view(tmp_path: Path, side: int) -> None:
    async def scene() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            match = await create(app, [{"kind": "empty"}, {}], {"width": side, "height": side})
            path = f"/api/v1/matches/{match.id}/view"
            for turn in range(2):
                views = await asyncio.gather(*(app.get(f"{path}{seat}") for seat in ("", "", "?seat=0", "?seat=1")))
                assert [view.json()["me"] for view in views] == [None, None, 0, 1]
                assert await count_computed_views(app) == turn + 1
                await match.end_turn()

    asyncio.run(scene())


def test_a_view_from_another_process_equals_the_view(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            match = await create(app, [{"kind": "empty"}, {}], {"width": 60, "height": 60})
            for seat in (None, 0, 1):
                answer = await app.get(
                    f"/api/v1/matches/{match.id}/view", params={} if seat is None else {"seat": seat}
                )
                assert answer.headers["content-type"].startswith("application/json")
                assert answer.json() == match.game.public_view(seat)  # the caller has no seat

    asyncio.run(scene())
