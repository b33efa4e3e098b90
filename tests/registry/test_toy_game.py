"""A game from outside the package: it passes the conformance checks and is played everywhere."""

import asyncio
import json
from pathlib import Path

import pytest

from marchland import maps
from marchland.conformance import CHECKS, Check, GameUnderTest
from marchland.conformance.replays import check_golden, write_goldens
from tests.cli.conftest import Run, run  # noqa: F401 - a fixture
from tests.support.asgi import running_app
from tests.support.game_loading import loaded_games


@pytest.fixture
def compiled(toy: GameUnderTest) -> None:
    """The toy's kernels: what is said of compiling must not turn up in the middle of a test."""
    toy.kind.load()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_the_toy_game_conforms(check: Check, toy: GameUnderTest) -> None:
    check(toy)


def test_goldens_of_the_toy_game_are_written_and_checked(toy: GameUnderTest, tmp_path: Path) -> None:
    write_goldens(tmp_path, toy)
    check_golden(tmp_path, toy, "")


def test_a_game_without_a_map_adapter_has_no_maps_to_draw(toy: GameUnderTest) -> None:
    report = maps.check_map("toy", {})
    assert not report.playable
    assert report.problems[0].sentence == "toy has no maps that can be drawn or saved."


def test_the_command_line_lists_and_plays_it(toy: GameUnderTest, run: Run, tmp_path: Path) -> None:  # noqa: F811
    listed = json.loads(run("games", "--json").out)
    assert [game["bots"] for game in listed if game["name"] == "toy"] == [["idle", "greedy", "normal", "hard"]]
    replay = tmp_path / "toy.march"
    played = run("play", "toy", "--bots", "greedy,idle", "--seed", 1, "--json", "--save", replay)
    assert played.code == 0, played.err
    assert run("replay", "verify", replay).code == 0


def test_the_command_line_knows_that_it_has_no_map_files(toy: GameUnderTest, run: Run) -> None:  # noqa: F811
    done = run("map", "new", "toy")
    assert done.code == 2
    assert "toy has no map files" in done.err


def test_a_server_hosts_it(toy: GameUnderTest, tmp_path: Path) -> None:
    async def host_a_match() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            info = (await app.get("/api/v1/games/toy")).raise_for_status().json()
            assert [verb["do"] for verb in info["verbs"]] == ["claim", "build"]
            assert info["maps"]["generators"] == []
            assert not (await app.get("/api/v1/maps?game=toy")).raise_for_status().json()
            made = (await app.create_match("toy", seats=1, config={"max_turn": 1})).raise_for_status().json()
            path = f"/api/v1/matches/{made['id']}"
            (await app.post(f"{path}/join", json={})).raise_for_status()
            orders = [{"do": "claim", "at": [1, 0]}]
            (await app.post(f"{path}/orders", json={"orders": orders, "key": "1", "ready": True})).raise_for_status()
            async with asyncio.timeout(30):
                while (await app.get(path)).json()["state"] != "over":
                    await asyncio.sleep(0.01)

    asyncio.run(host_a_match())
