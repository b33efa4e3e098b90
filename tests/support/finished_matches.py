"""Finished matches on an application in this process, and everything that can be read of one."""

import asyncio
import random
from collections.abc import Sequence
from typing import Any

import msgspec

from marchland.registry import find
from marchland.server.matches.history import MatchHistory
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.service import MatchService
from tests.support.asgi import App
from tests.support.small_matches import SMALL

TURNS = 8
LIMITS = {"boidvoid": "turn_limit", "enova": "turn_limit"}
BAD_ORDERS = [{"do": "no such verb", "note": "as it was sent"}, "no order at all"]


def small(game: str, turns: int = TURNS) -> dict[str, Any]:
    """The settings of a small match that ends after some turns."""
    settings = SMALL[game]
    return {**settings, "config": {**settings["config"], LIMITS.get(game, "max_turn"): turns}}


async def answer(app: App, method: str, path: str, **more: Any) -> Any:
    response = await app.request(method, f"/api/v1{path}", **more)
    assert response.is_success, (path, response.text)
    return response.json()


async def begin(app: App, game: str, turns: int = TURNS) -> str:
    """A match in whose two seats the admin sits."""
    made = (await app.create_match(game, **small(game, turns))).json()
    for seat in (0, 1):
        await answer(app, "POST", f"/matches/{made['id']}/join", json={"seat": seat})
    return str(made["id"])


async def play_turn(app: App, match: str, dice: random.Random) -> None:
    """Post what a random bot would, some bad orders and, where the game has them, immediate actions."""
    playing = await app.dependency(MatchManager).match(match)
    turn, bots = playing.open_turn, find(playing.game.name).bots
    for seat in (0, 1):
        orders: Sequence[Any] = bots["random"](dice.randrange(1000)).play(playing.game.view(seat))
        if seat == 0 and orders:
            body = {"order": orders[0], "key": f"act {turn}", "seat": seat}
            await answer(app, "POST", f"/matches/{match}/act", json=body)
            if playing.is_over:
                return
        orders = [*orders, *BAD_ORDERS]
        for number, part in enumerate((orders[:1], orders[1:])):
            body = {"orders": part, "key": f"{turn}/{number}", "seat": seat, "ready": number == 1, "turn": turn}
            await answer(app, "POST", f"/matches/{match}/orders", json=body)
    while playing.game.turn == turn and not playing.is_over:
        await asyncio.sleep(0)


async def finish(app: App, match: str, seed: int = 5) -> None:
    """Play a match to its end."""
    dice = random.Random(seed)
    while (await answer(app, "GET", f"/matches/{match}"))["state"] == "running":
        await play_turn(app, match, dice)


def forget(app: App, match: str) -> None:
    """Remove a match from memory, so that the next reader loads it from the database."""
    app.dependency(MatchManager).stop(match)


async def read_everything(app: App, match: str) -> dict[str, Any]:
    """All that the API says about a match, and the digest of each of its turns."""
    path = f"/matches/{match}"
    info = await answer(app, "GET", path)
    info.pop("now")
    found = {"info": info, "legend": await answer(app, "GET", f"{path}/legend")}
    for seat in ("", "seat=0", "seat=1"):
        found[f"view {seat}"] = await answer(app, "GET", f"{path}/view?{seat}")
        for first in ("", f"from={info['turn'] // 2}", f"from={info['turn']}"):
            found[f"frames {seat} {first}"] = await answer(app, "GET", f"{path}/frames?{seat}&{first}")
    for seat in ("seat=0", "seat=1"):
        found[f"orders {seat}"] = await answer(app, "GET", f"{path}/orders?{seat}")
        for first in ("", f"from={info['turn'] // 2}"):
            found[f"log {seat} {first}"] = await answer(app, "GET", f"{path}/log?{seat}&{first}")
    found["replay"] = (await app.get(f"/api/v1{path}/replay")).content
    row = await app.dependency(MatchService).row(match)
    history = app.dependency(MatchHistory)
    first = found["frames  "][0]["turn"]
    found["digests"] = [(await history.state_at(row, turn)).digest() for turn in range(first, info["turn"] + 1)]
    found["entries"] = await history.fold(row, lambda game, entries: msgspec.json.encode(entries))
    return found
