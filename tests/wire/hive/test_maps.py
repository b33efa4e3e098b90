"""The maps that a new game may name: those that come with Hive, and those that are saved on the server."""

import asyncio
from pathlib import Path
from typing import Any

from tests.support.asgi import App, running_app
from tests.support.game_loading import loaded_games

PUBLIC = ("tiny", "scarce", "queenofthehill", "balanced", "inverted", "pure", "pure3")
STRIP = "H0  F   .   F   H3\n"


async def _create(app: App, map_name: str, players: int = 2) -> tuple[int, Any]:
    answer = await app.get("/hive/newgame", params={"map": map_name, "players": str(players)})
    return answer.status_code, answer.json()


def test_every_public_map_can_be_named(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            for name in PUBLIC:
                for players in (2, 6):
                    status, game = await _create(app, name, players)
                    assert (status, game["map"], game["numPlayers"]) == (200, name, players)

    asyncio.run(scene())


def test_a_map_saved_on_the_server_can_be_named_by_its_name_or_id(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            saved = {"game": "hive", "name": "My strip", "data": STRIP}
            map_id = (await app.post("/api/v1/maps", json=saved)).json()["id"]
            for name in ("My strip", map_id):
                status, game = await _create(app, name)
                assert (status, game["map"]) == (200, name)
            token = (await app.get("/hive/join", params={"id": game["id"], "name": "anna"})).json()["token"]
            await app.get("/hive/join", params={"id": game["id"], "name": "bert"})
            state = (await app.get("/hive/game", params={"id": game["id"], "token": token})).json()
            assert state["hexes"]["0,2"]["terrain"] == "FIELD"
            assert await _create(app, "My strip", 3) == (400, "Invalid number of players: 3")

    asyncio.run(scene())


def test_maps_of_other_games_and_unknown_names_are_not_found(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            island = {"game": "enova", "name": "island", "data": "0..1\n"}
            (await app.post("/api/v1/maps", json=island)).raise_for_status()
            for name in ("island", "nowhere", "H0  F", "\0"):
                assert await _create(app, name) == (400, f"Map not found: {name}")

    asyncio.run(scene())
