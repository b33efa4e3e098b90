"""How large the matches of an account and of a node may be."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from marchland.server.matches.manager import MatchManager
from tests.support.asgi import App, running_app
from tests.support.game_loading import loaded_games

CELLS = 100
Scene = Callable[[App], Awaitable[None]]


def play_scene(folder: Path, scene: Scene, **settings: Any) -> None:
    async def run() -> None:
        async with running_app(folder, loaded_games(), **settings) as app:
            await scene(app)

    asyncio.run(run())


async def register(app: App, name: str = "ann") -> dict[str, str]:
    """The headers of a new player."""
    created = await app.post("/api/v1/accounts", json={"name": name})
    return {"Authorization": f"Bearer {created.json()['token']}"}


async def create(app: App, headers: dict[str, str] | None = None, seats: int = 2) -> httpx.Response:
    """A match of 100 cells that starts at once; without headers, of the admin."""
    body = {"game": "colorfight", "seats": [{"kind": "empty"}] * seats, "config": {"width": 10, "height": 10}}
    return await app.post("/api/v1/matches", json={**body, "clock": {"kind": "ready"}}, headers=headers)


def error_of(response: httpx.Response) -> str:
    assert response.status_code in (409, 429), response.text
    return str(response.json()["error"])


def test_a_players_match_is_refused_beyond_its_size(tmp_path: Path) -> None:
    async def scene(app: App) -> None:
        ann = await register(app)
        assert (await create(app, ann, seats=3)).is_success
        refused = await create(app, ann, seats=4)
        assert error_of(refused) == "match_too_large"
        assert "100 cells times 4 seats is 400" in refused.json()["sentence"]
        assert (await create(app, seats=4)).is_success, "an organiser may"

    play_scene(tmp_path, scene, match_size=3 * CELLS)


def test_the_matches_of_a_player_are_limited_together(tmp_path: Path) -> None:
    async def scene(app: App) -> None:
        ann, bob = await register(app), await register(app, "bob")
        assert (await create(app, ann)).is_success
        assert error_of(await create(app, ann)) == "account_too_large"
        assert (await create(app, bob)).is_success
        assert (await create(app)).is_success
        assert (await create(app)).is_success, "an organiser may have more"

    play_scene(tmp_path, scene, account_size=3 * CELLS)


def test_a_match_that_is_deleted_makes_room(tmp_path: Path) -> None:
    async def scene(app: App) -> None:
        ann = await register(app)
        first = (await create(app, ann)).json()["id"]
        assert error_of(await create(app, ann)) == "account_too_large"
        assert (await app.delete(f"/api/v1/matches/{first}")).is_success
        assert (await create(app, ann)).is_success

    play_scene(tmp_path, scene, account_size=3 * CELLS)


def test_a_full_node_starts_no_match_of_anyone(tmp_path: Path) -> None:
    async def scene(app: App) -> None:
        assert (await create(app)).is_success
        assert error_of(await create(app)) == "node_full"
        assert app.dependency(MatchManager).capacity.total == 2 * CELLS

    play_scene(tmp_path, scene, node_size=3 * CELLS)


def test_matches_of_the_database_count_after_a_restart(tmp_path: Path) -> None:
    async def first(app: App) -> None:
        assert (await create(app)).is_success

    async def second(app: App) -> None:
        manager = app.dependency(MatchManager)
        (info,) = (await app.get("/api/v1/matches")).json()
        await manager.match(info["id"])
        assert manager.capacity.total == 2 * CELLS

    play_scene(tmp_path, first)
    play_scene(tmp_path, second)


def test_a_match_that_is_over_does_not_count(tmp_path: Path) -> None:
    async def scene(app: App) -> None:
        match_id = (await create(app)).json()["id"]
        manager = app.dependency(MatchManager)
        match = await manager.match(match_id)
        while not match.is_over:
            match.end_turn_now()
            await asyncio.sleep(0)
        while manager.capacity.total:
            await asyncio.sleep(0.01)

    play_scene(tmp_path, scene)


def test_an_address_creates_only_so_many_accounts(tmp_path: Path) -> None:
    async def scene(app: App) -> None:
        no_token = {"Authorization": ""}
        answers = [await app.post("/api/v1/accounts", json={"name": name}, headers=no_token) for name in "abc"]
        assert [answer.status_code for answer in answers] == [201, 201, 429]
        assert error_of(answers[-1]) == "too_many_accounts"
        assert int(answers[-1].headers["retry-after"]) > 1000
        assert (await app.post("/api/v1/accounts", json={"name": "d"})).is_success, "an admin may"

    play_scene(tmp_path, scene, accounts_per_hour=2.0)


def test_a_view_of_a_large_board_is_paid_off_before_the_next_request(tmp_path: Path) -> None:
    async def scene(app: App) -> None:
        body = {"game": "colorfight", "seats": [{"kind": "empty"}] * 2, "config": {"width": 300, "height": 300}}
        match = (await app.post("/api/v1/matches", json=body)).json()["id"]
        assert (await app.get(f"/api/v1/matches/{match}/view")).status_code == 200
        refused = await app.get("/api/v1/me")
        assert error_of(refused) == "too_many"
        assert int(refused.headers["retry-after"]) > 2

    play_scene(tmp_path, scene, rate=2.0)


@pytest.mark.parametrize("path", ["legal", "menus"])
def test_a_menu_of_a_large_board_costs_a_tenth_of_its_view(tmp_path: Path, path: str) -> None:
    async def scene(app: App) -> None:
        body = {"game": "colorfight", "seats": [{}], "config": {"width": 600, "height": 600}}
        match = (await app.post("/api/v1/matches", json=body)).json()["id"]
        (await app.post(f"/api/v1/matches/{match}/join", json={})).raise_for_status()
        assert (await app.post(f"/api/v1/matches/{match}/{path}", json={})).status_code == 200
        refused = await app.get("/api/v1/me")
        assert error_of(refused) == "too_many"
        assert 2 <= int(refused.headers["retry-after"]) <= 9  # 36 tokens at 4 a second, less those of the burst

    play_scene(tmp_path, scene, rate=4.0)


def test_a_large_body_is_paid_off_before_the_next_request(tmp_path: Path) -> None:
    async def scene(app: App) -> None:
        ann = await register(app)
        large = {"orders": ["x" * 100] * 5_000, "key": "k"}
        assert (await app.post("/api/v1/matches/none/orders", json=large, headers=ann)).status_code == 404
        refused = await app.get("/api/v1/me", headers=ann)
        assert error_of(refused) == "too_many"
        assert int(refused.headers["retry-after"]) > 5
        assert (await app.get("/api/v1/me")).is_success, "others do not pay"

    play_scene(tmp_path, scene, rate=2.0)


def test_a_large_message_on_a_socket_is_paid_off_before_the_next(tmp_path: Path) -> None:
    async def scene(app: App) -> None:
        ann = await app.player("ann")
        match = (await app.create_match("colorfight", seats=1)).json()["id"]
        await ann.must("POST", f"/matches/{match}/join", {})
        async with app.websocket(f"/api/v1/matches/{match}/live?seat=0&want=none", ann.token) as socket:
            for key, orders in (("large", ["x" * 100] * 8_000), ("small", [])):
                await socket.send({"type": "orders", "orders": orders, "key": key})
            answers = [await socket.receive_type("answer") for _ in range(2)]
        assert {answer["key"]: answer.get("error") for answer in answers} == {"large": None, "small": "too_many"}
        assert (await app.get("/api/v1/me")).is_success, "others do not pay"

    play_scene(tmp_path, scene, rate=10.0)


def test_a_large_message_over_colorfights_protocol_is_paid_off_by_its_address(tmp_path: Path) -> None:
    async def scene(app: App) -> None:
        async with app.websocket("/colorfight/gameroom/public/action_channel", None) as socket:
            answers = []
            for padding in (0, 900_000, 20_000):
                await socket.send({"action": "fly", "padding": "x" * padding})
                answers.append((await socket.receive())["err_msg"])
        assert answers[:2] == ["Not a valid action"] * 2
        assert answers[2].startswith("Too many requests")

    play_scene(tmp_path, scene, rate_address=12.0)


def test_guessed_passwords_are_paid_like_ten_requests(tmp_path: Path) -> None:
    async def scene(app: App) -> None:
        body = {"game": "colorfight", "seats": [{}] * 2, "password": "secret"}
        match = (await app.post("/api/v1/matches", json=body)).json()["id"]
        ann = await register(app)
        guesses = [
            await app.post(f"/api/v1/matches/{match}/join", json={"password": str(guess)}, headers=ann)
            for guess in range(3)
        ]
        assert [guess.status_code for guess in guesses] == [403, 403, 429]
        join = await app.post(f"/api/v1/matches/{match}/join", json={"password": "secret"})
        assert join.is_success, "others do not pay"

    play_scene(tmp_path, scene, rate=12.0)


def test_registrations_over_colorfights_protocol_are_paid_by_their_address(tmp_path: Path) -> None:
    async def scene(app: App) -> None:
        answers = []
        async with app.websocket("/colorfight/gameroom/public/action_channel", None) as socket:
            for number in range(3):
                await socket.send({"action": "register", "username": f"p{number}", "password": "p"})
                answers.append(await socket.receive())
        assert [answer["success"] for answer in answers] == [True, True, False]
        assert answers[-1]["err_msg"].startswith("Too many requests")

    play_scene(tmp_path, scene, rate_address=12.0)


async def create_enova(app: App, seats: int, headers: dict[str, str] | None = None, **more: Any) -> httpx.Response:
    body = {"game": "enova", "seats": [{}] * seats, "clock": {"kind": "ready"}, **more}
    return await app.post("/api/v1/matches", json=body, headers=headers)


def test_the_description_of_a_game_says_how_many_seats_a_players_match_may_have(tmp_path: Path) -> None:
    async def scene(app: App) -> None:
        info = (await app.get("/api/v1/games/enova")).json()
        assert info["players"] == [1, 100_000]
        most = info["most_seats"]
        ann = await register(app)
        assert (await create_enova(app, most, ann)).is_success
        refused = await create_enova(app, most + 1, ann)  # before anyone has joined
        assert error_of(refused) == "match_too_large"
        assert (await app.get("/api/v1/games/hive")).json()["most_seats"] == 6

    play_scene(tmp_path, scene, match_size=50_000)


def test_a_person_plays_turns_against_999_bots(tmp_path: Path) -> None:
    async def scene(app: App) -> None:
        bots = [{"kind": "builtin", "bot": "greedy"}] * 999
        body = {"game": "enova", "seats": [{}, *bots], "clock": {"kind": "ready"}}
        match = (await app.post("/api/v1/matches", json=body)).raise_for_status().json()["id"]
        path = f"/api/v1/matches/{match}"
        (await app.post(f"{path}/join", json={})).raise_for_status()
        async with asyncio.timeout(120):
            for turn in (1, 2):
                orders: dict[str, Any] = {"orders": [], "turn": turn, "key": str(turn)}
                (await app.post(f"{path}/orders", json=orders)).raise_for_status()
                while (await app.get(path)).json()["turn"] == turn:
                    await asyncio.sleep(0.02)
        seats = (await app.get(path)).json()["seats"]
        assert [seat.get("missed", 0) for seat in seats] == [0] * 1_000

    play_scene(tmp_path, scene)


def test_an_organisers_match_has_as_many_seats_as_the_game_takes_players(tmp_path: Path) -> None:
    async def scene(app: App) -> None:
        created = await create_enova(app, 1_001)
        assert created.is_success
        assert len(created.json()["seats"]) == 1_001
        refused = await app.post("/api/v1/matches", json={"game": "hive", "seats": [{}] * 7})
        assert "hive takes 1 to 6 players, not 7" in refused.json()["sentence"]

    play_scene(tmp_path, scene)
