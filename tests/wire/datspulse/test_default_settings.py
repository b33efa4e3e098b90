"""What public bots rely on, from a server with its default settings: turns, breaks between rounds, late requests."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import httpx

from marchland.server.matches.manager import MatchManager
from marchland.server.rounds import queries as round_queries
from marchland.server.rounds.service import RoundService
from marchland.server.settings import Settings
from tests.support.asgi import PATIENCE, App, Player, running_app
from tests.support.game_loading import loaded_games

Found = TypeVar("Found")

EMPTY = {
    "ants": [],
    "enemies": [],
    "map": [],
    "food": [],
    "turnNo": 0,
    "nextTurnIn": 0,
    "home": [],
    "score": 0,
    "spot": {"q": 0, "r": 0},
}
_DEFAULTS = Settings(db="")
_LIMITS = {name: getattr(_DEFAULTS, name) for name in ("rate", "rate_address", "round_rate", "accounts_per_hour")}
_LOBBY = 600.0


def with_default_settings(folder: Path, scene: Callable[[App], Awaitable[None]]) -> None:
    async def run() -> None:
        async with running_app(folder, loaded_games(), **_LIMITS) as app:
            await scene(app)

    asyncio.run(run())


async def send(team: Player, method: str, path: str, body: Any = None) -> httpx.Response:
    """A team's request on the base of final rounds."""
    headers = {"X-Auth-Token": team.token}
    return await team.app.request(method, f"/datspulse/final/api/{path}", json=body, headers=headers)


async def ask(team: Player, method: str, path: str, body: Any = None) -> httpx.Response:
    """A request at a pace that the limit allows."""
    await asyncio.sleep(1 / _DEFAULTS.round_rate)
    return await send(team, method, path, body)


async def message(team: Player, method: str, path: str) -> str:
    """The message of a request that is refused with 400."""
    answer = await ask(team, method, path)
    assert answer.status_code == 400, answer.text
    return str(answer.json()["message"])


async def announce(app: App, name: str, *, turns: int, seconds: float | None = None) -> str:
    """Announce a final round whose lobby is open; its id. Turns last that long, or until all teams have moved."""
    clock = {"kind": "every", "seconds": seconds or 60.0, "early": seconds is None}
    config = {"radius": 12, "ant_limit": 12, "max_turn": turns}
    template = {"game": "datspulse", "rules": "upstream", "config": config, "seats": [{}], "clock": clock}
    body = {"name": name, "kind": "final", "starts": time.time() + _LOBBY, "lobby": _LOBBY, "template": template}
    return str((await app.post("/api/v1/rounds", json=body)).raise_for_status().json()["id"])


async def tick_until(app: App, read: Callable[[], Awaitable[Found | None]]) -> Found:
    """Run the rounds' jobs as if their lobbies had ended, until ``read`` finds something."""
    async with asyncio.timeout(PATIENCE):
        while True:
            await app.dependency(RoundService).tick(time.time() + _LOBBY)
            if (found := await read()) is not None:
                return found
            await asyncio.sleep(0.01)


async def start_match(app: App, round: str) -> str:
    """End the lobby of a round; its match, which runs."""

    async def find() -> str | None:
        run = (await app.get(f"/api/v1/rounds/{round}")).json()["current"]
        if run["match"] is None:
            return None
        state = (await app.get(f"/api/v1/matches/{run['match']}")).json()["state"]
        return str(run["match"]) if state == "running" else None

    return await tick_until(app, find)


async def play_by_sleeping(app: App, seconds: float) -> list[tuple[int, int, bool]]:
    """What a bot that sleeps ``nextTurnIn`` sees: its turns, those of its moves, and whether time was left in each."""
    reds = await app.player("reds")
    cup = await announce(app, "cup", turns=2, seconds=seconds)
    await send(reds, "POST", "register")
    await start_match(app, cup)
    seen = []
    for _ in range(2):
        arena = (await send(reds, "GET", "arena")).raise_for_status().json()
        answer = (await send(reds, "POST", "move", {"moves": []})).raise_for_status().json()
        seen.append((arena["turnNo"], answer["turnNo"], arena["nextTurnIn"] > 0))
        await asyncio.sleep(answer["nextTurnIn"])
    arena = (await send(reds, "GET", "arena")).json()
    return [*seen, (0, 0, False)] if arena == EMPTY else seen


def test_a_bot_that_sleeps_next_turn_in_and_asks_again_sees_every_turn(tmp_path: Path) -> None:
    seen: list[list[tuple[int, int, bool]]] = []

    for seconds in (0.8, 4.0):  # a busy machine may be late for short turns
        folder = tmp_path / str(seconds)
        folder.mkdir()

        async def scene(app: App, seconds: float = seconds) -> None:
            seen.append(await play_by_sleeping(app, seconds))

        with_default_settings(folder, scene)
        if seen[-1] == [(1, 1, True), (2, 2, True), (0, 0, False)]:
            return
    raise AssertionError(seen)


def test_a_team_survives_the_break_between_two_rounds(tmp_path: Path) -> None:
    async def scene(app: App) -> None:
        reds, blues = await app.player("reds"), await app.player("blues")
        spring = await announce(app, "spring", turns=1)
        await ask(reds, "POST", "register")
        await start_match(app, spring)
        await ask(reds, "POST", "move", {"moves": []})

        async def has_ended() -> bool | None:
            return (await app.get(f"/api/v1/rounds/{spring}")).json()["current"] is None or None

        await tick_until(app, has_ended)
        assert (await ask(reds, "GET", "arena")).json() == EMPTY
        assert (await ask(reds, "POST", "move", {"moves": []})).json() == {**EMPTY, "errors": []}
        assert "no active game" in await message(blues, "GET", "arena")
        await announce(app, "autumn", turns=1)
        assert "not registered in the game" in await message(reds, "GET", "arena")
        assert (await ask(reds, "POST", "register")).json()["realm"] == "autumn 1"
        assert (await ask(reds, "GET", "arena")).json() == EMPTY

    with_default_settings(tmp_path, scene)


def test_the_log_is_empty_between_the_lobby_and_turn_1(tmp_path: Path) -> None:
    async def scene(app: App) -> None:
        reds = await app.player("reds")
        cup = await announce(app, "cup", turns=1)
        await send(reds, "POST", "register")
        match = (await app.create_match("datspulse")).json()["id"]  # waits for its players
        store = app.dependency(MatchManager).store
        run = await store.read(partial(round_queries.last_run, round=cup))
        assert run is not None
        assert await store.write(lambda connection: round_queries.update_run(connection, run, "running", match))
        answer = await send(reds, "GET", "logs")
        assert (answer.status_code, answer.json()) == (200, [])

    with_default_settings(tmp_path, scene)


def test_a_registration_for_a_lobby_that_has_just_ended_is_too_late(tmp_path: Path) -> None:
    async def scene(app: App) -> None:
        reds, blues = await app.player("reds"), await app.player("blues")
        cup = await announce(app, "cup", turns=1)
        await send(reds, "POST", "register")
        (await app.delete(f"/api/v1/rounds/{cup}")).raise_for_status()
        answer = await send(blues, "POST", "register")
        expected = {"code": 2, "message": "you are too late, cup 1 lobby ended, next rounds: []"}
        assert (answer.status_code, answer.json()) == (400, expected)

    with_default_settings(tmp_path, scene)


def test_a_round_that_is_closed_in_its_lobby_is_played_by_those_who_have_registered(tmp_path: Path) -> None:
    async def scene(app: App) -> None:
        reds = await app.player("reds")
        cup = await announce(app, "cup", turns=1)
        await send(reds, "POST", "register")
        (await app.delete(f"/api/v1/rounds/{cup}")).raise_for_status()
        await start_match(app, cup)
        assert (await send(reds, "GET", "arena")).json()["turnNo"] == 1

    with_default_settings(tmp_path, scene)
