"""Views on a WebSocket are charged by size: a reader that cannot pay for them gets fewer."""

import asyncio
from pathlib import Path
from typing import NamedTuple

from marchland.server.matches.manager import MatchManager
from tests.support.asgi import App, Socket, running_app
from tests.support.game_loading import loaded_games

CONFIG = {"width": 31, "height": 31, "max_turn": 1000}
"""A view costs 0.96 requests: a burst of 4 pays for the connection and three views."""
RATE = 2.0
TURNS = 12


class Seen(NamedTuple):
    """What one reader received."""

    turns: list[int]
    skipped: int


async def register(app: App, name: str) -> str:
    """The token of a new account."""
    return str((await app.request_as(None, "POST", "/accounts", {"name": name})).json()["token"])


async def read_until(socket: Socket, turn: int) -> Seen:
    """The turns of all views up to that of a turn, and how many news were skipped."""
    turns: list[int] = []
    skipped = 0
    while not turns or turns[-1] < turn:
        message = await socket.receive()
        if message["type"] == "news":
            assert message["view"]["turn"] == message["turn"]
            turns.append(message["turn"])
        elif message["type"] == "skipped":
            skipped += message["count"]
    return Seen(turns, skipped)


async def watch(folder: Path, seat: str) -> tuple[list[int], Seen]:
    """The turns of a match with one player, and what a reader of views saw; Anna plays, Eve watches."""
    async with running_app(folder, loaded_games(), rate=RATE) as app:
        made = (await app.create_match("colorfight", seats=1, config=CONFIG, auto_start=False)).json()["id"]
        tokens = {name: await register(app, name) for name in ("anna", "eve")}
        assert (await app.request_as(tokens["anna"], "POST", f"/matches/{made}/join", {})).is_success
        assert (await app.post(f"/api/v1/matches/{made}/start")).is_success
        match = await app.dependency(MatchManager).match(made)
        token = tokens["anna" if seat else "eve"]
        async with app.websocket(f"/api/v1/matches/{made}/live?want=views{seat}", token) as reader:
            first = (await reader.receive_type("news"))["turn"]
            for _ in range(TURNS):
                await match.end_turn()
            return list(range(first + 1, first + TURNS + 1)), await read_until(reader, first + TURNS)


def test_a_reader_who_cannot_pay_loses_views_and_then_sees_the_current_state(tmp_path: Path) -> None:
    turns, seen = asyncio.run(watch(tmp_path, seat=""))
    assert set(seen.turns) < set(turns)
    assert len(seen.turns) + seen.skipped >= len(turns)


def test_the_player_of_a_seat_pays_less_and_gets_the_view_of_every_turn(tmp_path: Path) -> None:
    turns, seen = asyncio.run(watch(tmp_path, seat="&seat=0"))
    assert seen == (turns, 0)
