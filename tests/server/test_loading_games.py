"""A server whose games are still loading: what waits, what is refused in which form, and what goes on."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from marchland.registry import games
from marchland.server.game_loader import RETRY_AFTER, GameLoader
from tests.support.asgi import App, running_app
from tests.support.game_loading import FakeBackend, loaded_games

ALL = games()
SMALL = {"width": 12, "height": 12}
PATIENCE = 60.0


@asynccontextmanager
async def loading_app(
    folder: Path, backend: FakeBackend, *, hold: float = 0, **settings: Any
) -> AsyncIterator[tuple[App, GameLoader]]:
    """An application whose games are loaded when ``backend`` says so."""
    loader = GameLoader(backend, ALL, hold=hold, first_delay=0, parallel=len(ALL))
    async with running_app(folder, loader, **settings) as app:
        yield app, loader


def sentence(game: str) -> str:
    rules = "compiling its rules, once on this machine (0% done)"
    return f"The game {game} is loading: {rules}. Try again in {RETRY_AFTER} seconds."


def is_refused(answer: httpx.Response, body: Any) -> bool:
    """Whether an answer is 503 with Retry-After and that body."""
    return (answer.status_code, answer.headers.get("retry-after"), answer.json()) == (503, str(RETRY_AFTER), body)


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not await condition():
            await asyncio.sleep(0.02)


# ---------------------------------------------------------------- wires


LOADING = {
    "error": "loading",
    "sentence": sentence("colorfight"),
    "code": "game_loading",
    "arguments": {"game": "colorfight", "percent": 0, "seconds": RETRY_AFTER},
}
COLORFIGHT = {"success": False, "err_msg": sentence("colorfight")}
DATSPULSE = {"code": 503, "message": sentence("datspulse")}


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/colorfight/creategameroom", COLORFIGHT),
        ("POST", "/colorfight/start", COLORFIGHT),
        ("GET", "/hive/newgame?map=tiny&players=2", sentence("hive")),
        ("GET", "/hive/join?id=x&name=anna", sentence("hive")),
        ("GET", "/newgame?map=tiny&players=2", sentence("hive")),
        ("GET", "/datspulse/test/api/arena", DATSPULSE),
        ("POST", "/datspulse/test/api/register", DATSPULSE),
        ("POST", "/datspulse/final/api/move", DATSPULSE),
    ],
)
def test_a_wire_refuses_requests_in_its_own_form(tmp_path: Path, method: str, path: str, body: Any) -> None:
    async def scene() -> None:
        async with loading_app(tmp_path, FakeBackend(), root_wire="hive") as (app, _):
            assert is_refused(await app.request(method, path), body)

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/colorfight/gameroom/public/game_channel", COLORFIGHT),
        ("/colorfight/gameroom/public/action_channel", COLORFIGHT),
        ("/hive/ws?id=x", sentence("hive")),
    ],
)
def test_a_wire_refuses_websocket_handshakes_in_its_own_form(tmp_path: Path, path: str, body: Any) -> None:
    async def scene() -> None:
        async with loading_app(tmp_path, FakeBackend()) as (app, _):
            denied = await app.open_websocket(path)
            assert denied is not None
            assert (denied.status, denied.headers["retry-after"], denied.body) == (503, str(RETRY_AFTER), body)

    asyncio.run(scene())


def test_a_wire_works_as_soon_as_its_game_is_loaded(tmp_path: Path) -> None:
    async def scene() -> None:
        backend = FakeBackend(("colorfight", "hive"))
        async with loading_app(tmp_path, backend) as (app, _):
            assert (await app.get("/hive/newgame?map=tiny&players=2")).status_code == 200
            assert await app.open_websocket("/colorfight/gameroom/public/game_channel") is None
            assert is_refused(await app.get("/datspulse/test/api/arena"), DATSPULSE)

    asyncio.run(scene())


@pytest.mark.parametrize(
    "path", ["/hive/status", "/hive/history", "/colorfight/get_gameroom_list", "/datspulse/test/api/rounds"]
)
def test_lists_of_a_wire_are_there_while_its_game_loads(tmp_path: Path, path: str) -> None:
    async def scene() -> None:
        async with loading_app(tmp_path, FakeBackend()) as (app, _):
            assert (await app.get(path)).status_code == 200

    asyncio.run(scene())


# ---------------------------------------------------------------- our own API


TEMPLATE = {"game": "colorfight", "seats": [{}, {}], "clock": {"kind": "ready"}}
ROUND = {"name": "cup", "template": TEMPLATE, "starts": 2_000_000_000.0}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/matches", TEMPLATE),
        ("/rooms", {"name": "arena", "template": TEMPLATE}),
        ("/rounds", ROUND),
        ("/maps/draw", {"game": "colorfight", "generator": "random", "settings": {}}),
    ],
)
def test_what_needs_a_game_is_refused_while_it_loads(tmp_path: Path, path: str, body: Any) -> None:
    async def scene() -> None:
        async with loading_app(tmp_path, FakeBackend()) as (app, _):
            answer = await app.post(f"/api/v1{path}", json=body)
            assert is_refused(answer, LOADING)
            assert (await app.get("/api/v1/matches")).json() == []

    asyncio.run(scene())


def test_a_match_that_cannot_be_is_refused_at_once(tmp_path: Path) -> None:
    async def scene() -> None:
        async with loading_app(tmp_path, FakeBackend(), hold=3600) as (app, _):
            assert (await app.create_match("chess")).status_code == 400
            assert (await app.create_match("colorfight", config={"width": -1})).status_code == 400

    asyncio.run(scene())


@pytest.mark.parametrize("path", ["/games", "/games/hive", "/matches", "/rooms", "/rounds", "/seasons", "/maps", "/me"])
def test_what_needs_no_kernel_goes_on_while_games_load(tmp_path: Path, path: str) -> None:
    async def scene() -> None:
        async with loading_app(tmp_path, FakeBackend(), hold=3600) as (app, _):
            assert (await app.get(f"/api/v1{path}")).status_code == 200
            assert (await app.get("/healthz")).text == "ok"

    asyncio.run(scene())


def test_a_request_that_is_held_is_answered_when_its_game_is_loaded(tmp_path: Path) -> None:
    async def scene() -> None:
        backend = FakeBackend()
        async with loading_app(tmp_path, backend, hold=3600) as (app, _):
            api = asyncio.create_task(app.create_match("colorfight", config=SMALL))
            wire = asyncio.create_task(app.get("/hive/newgame?map=tiny&players=2"))
            await until(lambda: _answers(app))
            assert not api.done() and not wire.done()
            backend.finish.set()
            assert (await api).status_code == 201
            assert (await wire).status_code == 200

    asyncio.run(scene())


async def _answers(app: App) -> bool:
    return (await app.get("/healthz")).status_code == 200


def test_a_join_while_the_game_loads_takes_no_seat_and_can_be_repeated(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            match = (await app.create_match("colorfight", seats=1, config=SMALL)).json()["id"]
        backend = FakeBackend()
        async with loading_app(tmp_path, backend) as (app, loader):
            join = f"/api/v1/matches/{match}/join"
            assert is_refused(await app.post(join, json={}), LOADING)
            assert (await app.get(f"/api/v1/matches/{match}")).json()["seats"][0]["kind"] == "open"
            backend.finish.set()
            await loader.wait_until_loaded("colorfight")
            assert (await app.post(join, json={})).json()["seat"] == 0
            assert (await app.get(f"/api/v1/matches/{match}")).json()["state"] == "running"

    asyncio.run(scene())


def test_a_match_from_before_the_restart_waits_for_its_game_and_goes_on(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            match = (await app.create_match("colorfight", seats=1, config=SMALL)).json()["id"]
            await app.post(f"/api/v1/matches/{match}/join", json={})
        backend = FakeBackend()
        async with loading_app(tmp_path, backend) as (app, _):
            path = f"/api/v1/matches/{match}"
            for reading in ("view", "legend", "frames"):
                answer = await app.get(f"{path}/{reading}")
                assert is_refused(answer, LOADING), reading
            for order, body in (("orders", {"orders": [], "key": "1"}), ("fork", {"turn": 1}), ("leave", None)):
                answer = await app.post(f"{path}/{order}", json=body)
                assert is_refused(answer, LOADING), order
            assert (await app.get(path)).json()["state"] == "running"
            backend.finish.set()
            await until(lambda: _can_be_seen(app, match))
            played = await app.post(f"{path}/orders", json={"orders": [], "key": "2", "turn": 1})
            assert played.status_code == 200
            assert (await app.get(path)).json()["state"] == "running"

    asyncio.run(scene())


async def _can_be_seen(app: App, match: str) -> bool:
    return (await app.get(f"/api/v1/matches/{match}/view")).status_code == 200


def test_a_demo_room_starts_when_its_game_is_loaded(tmp_path: Path) -> None:
    async def scene() -> None:
        backend = FakeBackend(("hive",))
        async with loading_app(tmp_path, backend, demo=True) as (app, _):

            async def played() -> set[str]:
                return {match["game"] for match in (await app.get("/api/v1/matches?state=running")).json()}

            async def all_are_played() -> bool:
                return await played() == set(ALL)

            async def hive_is_played() -> bool:
                return "hive" in await played()

            await until(hive_is_played)
            assert await played() == {"hive"}
            backend.finish.set()
            await until(all_are_played)

    asyncio.run(scene())


# ---------------------------------------------------------------- readiness


def test_readyz_tells_how_far_every_game_is_until_all_are_loaded(tmp_path: Path) -> None:
    async def scene() -> None:
        backend = FakeBackend(("enova", "hive"))
        async with loading_app(tmp_path, backend) as (app, loader):
            await until(lambda: _compiles(backend, "boidvoid"))
            backend.progress["boidvoid"](0.5)
            answer = await app.get("/readyz")
            assert (answer.status_code, answer.headers["retry-after"]) == (503, str(RETRY_AFTER))
            response = {one["game"]: (one["state"], one["progress"]) for one in answer.json()["games"]}
            assert (response["boidvoid"], response["hive"]) == (("compiling", 0.5), ("loaded", 1.0))
            assert answer.json()["ready"] is False
            assert (await app.get("/api/v1/loading")).json() == answer.json()["games"]
            backend.finish.set()
            for game in ALL:
                await loader.wait_until_loaded(game)
            answer = await app.get("/readyz")
            assert (answer.status_code, answer.json()["ready"]) == (200, True)
            assert "retry-after" not in answer.headers

    asyncio.run(scene())


async def _compiles(backend: FakeBackend, game: str) -> bool:
    return game in backend.progress


def test_a_game_that_fails_for_good_is_named_and_refused_and_the_others_work(tmp_path: Path) -> None:
    async def scene() -> None:
        others = [game for game in ALL if game != "hive"]
        async with loading_app(tmp_path, FakeBackend(others, failures=99), hold=3600) as (app, _):
            refused = await app.create_match("hive")
            assert (refused.status_code, refused.json()["error"]) == (503, "game_failed")
            assert "The server's log says why" in refused.json()["sentence"]
            assert "retry-after" not in refused.headers
            assert (await app.get("/hive/newgame?map=tiny&players=2")).json() == refused.json()["sentence"]
            assert (await app.create_match("colorfight", config=SMALL)).status_code == 201
            ready = await app.get("/readyz")
            assert ready.status_code == 503
            response = next(one for one in ready.json()["games"] if one["game"] == "hive")
            assert (response["state"], response["error"]) == ("failed", "hive does not compile")

    asyncio.run(scene())
