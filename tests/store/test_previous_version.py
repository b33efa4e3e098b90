"""A database that an earlier version left behind when it was killed: it opens, and its matches go on.

``tests/data/previous_version.db.xz`` was written by a server before the restructuring, with the schema 0002: a running
match of every game and a room, all played by built-in bots.
"""

import asyncio
import lzma
import time
from pathlib import Path

import marchland
from marchland.server.compile_processes import make_game_loader
from tests.support.asgi import App, running_app

DATABASE = Path(__file__).parents[1] / "data" / "previous_version.db.xz"
VERSIONS = {"boidvoid": 2, "colorfight": 1, "datspulse": 2, "enova": 1, "hive": 1}
"""The versions of the games that wrote it. A match cannot go on in a version with other outcomes."""
DEADLINE = 120.0


async def turns(app: App) -> dict[str, int]:
    """The turn of every match whose game has the same version; none has broken off."""
    found = (await app.get("/api/v1/matches")).json()
    matches = [match for match in found if marchland.find(match["game"]).version == VERSIONS[match["game"]]]
    assert "broken" not in {match["state"] for match in matches}
    return {match["name"]: match["turn"] for match in matches}


def test_running_matches_of_an_earlier_version_go_on(tmp_path: Path) -> None:
    (tmp_path / "server.db").write_bytes(lzma.decompress(DATABASE.read_bytes()))

    async def play() -> None:
        async with running_app(tmp_path, make_game_loader()) as app:
            before = await turns(app)
            same = {game for game, version in VERSIONS.items() if marchland.find(game).version == version}
            assert {f"old {game}" for game in same} <= set(before)
            end = time.monotonic() + DEADLINE
            while time.monotonic() < end:
                after = await turns(app)
                if all(after[name] > turn for name, turn in before.items()):
                    break
                await asyncio.sleep(0.1)
            assert {name: after[name] > turn for name, turn in before.items()} == dict.fromkeys(before, True)
            room = (await app.get("/api/v1/rooms/den")).json()
            assert room["match"] is not None

    asyncio.run(play())
