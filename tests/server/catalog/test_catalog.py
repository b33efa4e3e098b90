"""What the server says about a game: settings, presets, bots, items and jobs."""

import msgspec
import pytest

import marchland
from marchland.messages import GameInfo
from tests.support.api import Api
from tests.support.server import Person

GAMES = marchland.games()


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_described_with_its_settings(anonymous: Person, game: str) -> None:
    info = msgspec.convert(anonymous.must("GET", f"/games/{game}"), GameInfo)
    assert info.name == game
    assert info.bots == list(marchland.find(game).bots)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_explains_its_settings(admin: Api, game: str) -> None:
    info = admin.get(f"/games/{game}")
    (schema,) = info["config_schema"]["$defs"].values()
    assert {one.get("x-group", "") for one in schema["properties"].values()} > {""}
    assert info["preset_field"] in schema["properties"]
    assert sorted(info["preset_values"]) == sorted(info["presets"])
    assert all(name in schema["properties"] for values in info["preset_values"].values() for name in values)


def test_a_game_of_seasons_explains_its_items_and_jobs(admin: Api) -> None:
    info = admin.get("/games/boidvoid")
    assert "attack" in info["items"]["boost"]["properties"]["modifiers"]["properties"]
    assert "modifiers" not in info["items"]["avatar"]["properties"]
    assert all(words.endswith(".") for words in info["jobs"].values()) and "turn_end" in info["jobs"]
    assert admin.get("/games/hive")["jobs"] == {}
