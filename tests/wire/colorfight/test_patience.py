"""Clients that wait two seconds for their registration and then give up, on a server with default settings."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from marchland.server.compile_processes import make_game_loader
from marchland.server.settings import Settings
from tests.support.asgi import App, running_app

LIMITS = ("rate", "rate_address", "round_rate", "accounts_per_hour", "wire_turn")
DEFAULTS: Any = {name: getattr(Settings, name) for name in LIMITS}
SMALL = {"preset": "duel", "width": 8, "height": 8, "round_time": 20}


async def new_room(app: App, name: str) -> str:
    """Create a room that starts when two players have registered; the address of its action channel."""
    body = {"gameroom_id": name, "admin_password": "boss", "config": SMALL}
    assert (await app.post("/colorfight/creategameroom", json=body)).json() == {"success": True}
    return f"/colorfight/gameroom/{name}/action_channel"


def registration(name: str) -> dict[str, str]:
    return {"action": "register", "username": name, "password": "x"}


async def room_state(app: App, name: str) -> tuple[int, int]:
    """Players and turn of a room."""
    rooms = (await app.get("/colorfight/get_gameroom_list")).json()
    room = next(room for room in rooms if room["name"] == name)
    return room["player_number"], room["turn"]


@pytest.mark.alone
def test_the_first_registration_after_a_start_answers_within_a_second(tmp_path: Path) -> None:
    async def run() -> tuple[Any, float]:
        games = make_game_loader()
        await games.load_cached()
        async with running_app(tmp_path, games, **DEFAULTS) as app:
            await games.require("colorfight")
            began = time.perf_counter()
            async with app.websocket("/colorfight/gameroom/public/action_channel") as socket:
                await socket.send(registration("anna"))
                return await socket.receive(), time.perf_counter() - began

    answer, seconds = asyncio.run(run())
    assert answer == {"success": True, "uid": 1}
    assert seconds < 1.0


def test_a_room_does_not_start_for_a_player_who_has_given_up(tmp_path: Path) -> None:
    async def run() -> list[tuple[int, int]]:
        async with running_app(tmp_path, make_game_loader(), **DEFAULTS) as app:
            channel = await new_room(app, "duel")
            async with app.websocket(channel) as anna:
                await anna.send(registration("anna"))
                assert await anna.receive() == {"success": True, "uid": 1}
                async with app.websocket(channel) as bert:
                    await bert.send(registration("bert"))  # and disconnects before the answer
                waiting = await room_state(app, "duel")
                async with app.websocket(channel) as carl:
                    await carl.send(registration("carl"))
                    assert await carl.receive() == {"success": True, "uid": 2}
                    return [waiting, await room_state(app, "duel")]

    assert asyncio.run(run()) == [(1, 0), (2, 1)]


def test_the_seat_of_a_player_who_leaves_before_the_start_is_free_again(tmp_path: Path) -> None:
    async def run() -> tuple[int, int]:
        async with running_app(tmp_path, make_game_loader(), **DEFAULTS) as app:
            channel = await new_room(app, "duel")
            async with app.websocket(channel) as anna:
                await anna.send(registration("anna"))
                assert await anna.receive() == {"success": True, "uid": 1}
            return await room_state(app, "duel")

    assert asyncio.run(run()) == (0, 0)
