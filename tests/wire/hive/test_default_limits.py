"""Agents that answer at once, on a server with default settings."""

import asyncio
import time
from pathlib import Path
from typing import Any

from marchland.server.compile_processes import make_game_loader
from marchland.server.settings import Settings
from marchland.server.wire.hive.games import LEAST_TURN
from tests.support.asgi import App, running_app

LIMITS = ("rate", "rate_address", "round_rate", "accounts_per_hour", "wire_turn")
DEFAULTS: Any = {name: getattr(Settings, name) for name in LIMITS}
TURNS = 4


Played = list[tuple[int, float, list[int]]]


async def play(app: App, game: str, name: str) -> Played:
    """Join and play like the public agents: two requests as soon as a turn is announced.

    Returns each turn with the time of its announcement and the statuses of the requests.
    """
    token = (await app.get(f"/hive/join?id={game}&name={name}")).json()["token"]
    played: Played = []
    async with app.websocket(f"/hive/ws?id={game}") as turns:
        while not played or played[-1][0] < TURNS:
            turn, now = (await turns.receive())["turn"], time.monotonic()
            query = {"id": game, "token": token}
            state = await app.get("/hive/game", params=query)
            posted = await app.post("/hive/orders", params=query, json=[])
            played.append((turn, now, [state.status_code, posted.status_code]))
    return played


def test_agents_that_answer_at_once_are_not_refused_and_play_at_the_public_servers_pace(tmp_path: Path) -> None:
    async def run() -> tuple[float, list[Played]]:
        async with running_app(tmp_path, make_game_loader(), **DEFAULTS) as app:
            game = (await app.get("/hive/newgame?map=tiny&players=2")).json()["id"]
            start = time.monotonic()
            return start, await asyncio.gather(*(play(app, game, name) for name in ("anna", "bert")))

    start, agents = asyncio.run(run())
    for played in agents:
        assert [statuses for _, _, statuses in played] == [[200, 200]] * len(played)
        began = {turn: now for turn, now, _ in played}
        # A turn may be announced late, so that only the time from before the first turn to the last has a least length.
        assert began[TURNS] - start >= 0.5 * (TURNS - 1)


def test_the_requests_of_the_shortest_turn_are_within_the_limits_of_token_and_address() -> None:
    requests_a_second = 2 / LEAST_TURN
    assert requests_a_second <= Settings.rate / 5
    assert 50 * requests_a_second <= Settings.rate_address
