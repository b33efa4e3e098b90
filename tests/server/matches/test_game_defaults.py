"""Defaults that the game decides: last turn, longest name, scoring and maps of rounds. Each has one home."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import marchland
from marchland.messages import Scoring
from tests.support.asgi import App, running_app
from tests.support.game_loading import loaded_games


def in_app(folder: Path, scene: Any) -> Any:
    async def run() -> Any:
        async with running_app(folder, loaded_games()) as app:
            return await scene(app)

    return asyncio.run(run())


@pytest.mark.parametrize("game", marchland.games())
def test_a_match_in_its_lobby_names_the_games_own_last_turn(tmp_path: Path, game: str) -> None:
    async def scene(app: App) -> Any:
        return (await app.create_match(game)).json()["last_turn"]

    kind = marchland.find(game)
    assert in_app(tmp_path, scene) == kind.last_turn_of(kind.config_type.build())


@pytest.mark.parametrize(("game", "longest"), [("boidvoid", 40), ("colorfight", 14), ("hive", 40)])
def test_a_players_name_is_as_long_as_the_game_allows(tmp_path: Path, game: str, longest: int) -> None:
    async def scene(app: App) -> Any:
        match = (await app.create_match(game)).json()["id"]
        return (await app.post(f"/api/v1/matches/{match}/join", json={"name": "n" * 40})).json()["name"]

    assert in_app(tmp_path, scene) == "n" * longest


@pytest.mark.parametrize("game", ["datspulse", "colorfight"])
def test_a_round_without_a_scoring_has_the_games_own(tmp_path: Path, game: str) -> None:
    async def scene(app: App) -> Any:
        body = {"name": "cup", "template": {"game": game, "seats": [{}]}, "starts": 4_000_000_000}
        return (await app.post("/api/v1/rounds", json=body)).json()["scoring"]

    expected = marchland.find(game).default_scoring()
    found = in_app(tmp_path, scene)
    assert Scoring(**{**found, "points": tuple(found["points"]), "ties": tuple(found["ties"])}) == expected


def test_final_rounds_of_datspulse_use_its_generators_in_turn(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        template = {"game": "datspulse", "seats": [{}]}
        body = {"name": "cup", "kind": "final", "template": template, "starts": 4_000_000_000}
        return (await app.post("/api/v1/rounds", json=body)).json()["maps"]

    assert in_app(tmp_path, scene) == ["lattice", "jitter", "biomes"]


def test_an_unknown_token_gets_the_same_refusal_on_every_path(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        headers = {"Authorization": "Bearer ml_revoked"}
        paths = ("/api/v1/rooms", "/api/v1/seasons/none/games", "/api/v1/me")
        return [(await app.get(path, headers=headers)).json() for path in paths]

    first, *others = in_app(tmp_path, scene)
    assert (first["error"], first["sentence"]) == ("bad_token", "This token is not known; it may have been revoked.")
    assert others == [first] * len(others)
