"""A database that an earlier version left behind when it was killed: it opens, and matches of unchanged games go on.

``tests/data/previous_version.db.xz`` was written by a server before the restructuring, with the schema 0002: a running
match of every game and a room, all played by built-in bots.
"""

import asyncio
import lzma
import time
from pathlib import Path

from marchland.registry import find
from marchland.server.compile_processes import make_game_loader
from tests.support.asgi import App, running_app

DATABASE = Path(__file__).parents[1] / "data" / "previous_version.db.xz"
DEADLINE = 120.0
VERSIONS = {"boidvoid": 2, "colorfight": 1, "datspulse": 2, "enova": 1, "hive": 1}
"""The versions of the games that the database was written with."""


async def turns(app: App) -> dict[str, int]:
    """The turn of every match whose game has the same version today; the others have broken off, and only they."""
    matches = (await app.get("/api/v1/matches")).json()
    unchanged = {game for game, version in VERSIONS.items() if find(game).version == version}
    stopped = {match["name"] for match in matches if match["state"] == "broken"}
    assert stopped <= {match["name"] for match in matches if match["game"] not in unchanged}
    return {match["name"]: match["turn"] for match in matches if match["game"] in unchanged}


def test_running_matches_of_an_earlier_version_go_on_unless_their_game_has_changed(tmp_path: Path) -> None:
    (tmp_path / "server.db").write_bytes(lzma.decompress(DATABASE.read_bytes()))

    async def play() -> None:
        async with running_app(tmp_path, make_game_loader()) as app:
            before = await turns(app)
            listed = {match["name"] for match in (await app.get("/api/v1/matches")).json()}
            assert {f"old {game}" for game in VERSIONS} <= listed
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
