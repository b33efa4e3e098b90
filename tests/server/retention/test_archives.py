"""A match reads the same from its archive as from its log."""

import asyncio
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, func, select, update

import marchland
from marchland.errors import Refused
from marchland.server.matches import queries as match_queries
from marchland.server.scheduler import Scheduler
from marchland.store import Database
from marchland.store.schema import archives, entries, matches, posts, snapshots
from tests.support.asgi import App, running_app
from tests.support.finished_matches import answer, begin, finish, forget, read_everything
from tests.support.game_loading import loaded_games
from tests.support.small_matches import SMALL

LATER = 120.0
"""Seconds after which a finished match is archived."""


def rows_of(connection: Connection, match: str) -> dict[str, int]:
    """How many rows each table has of a match's turns."""
    return {
        table.name: connection.execute(select(func.count()).where(table.c.match == match)).scalar_one()
        for table in (posts, entries, snapshots, archives)
    }


async def archive(app: App, match: str) -> None:
    await app.dependency(Scheduler).retention.apply(time.time() + LATER)
    row = await app.dependency(Database).read(partial(match_queries.find, match=match))
    assert row is not None and row.storage == "archive"
    forget(app, match)


@pytest.mark.parametrize("game", sorted(SMALL))
def test_everything_of_a_match_reads_the_same_from_its_archive(tmp_path: Path, game: str) -> None:
    async def scene() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            match = await begin(app, game)
            await finish(app, match)
            forget(app, match)
            before = await read_everything(app, match)
            await archive(app, match)
            rows = await app.dependency(Database).read(partial(rows_of, match=match))
            assert rows.pop("archives") == 2 and set(rows.values()) == {0}
            after = await read_everything(app, match)
            assert [part for part in before if before[part] != after[part]] == []
            path = tmp_path / "match.march"
            path.write_bytes(after["replay"])
            marchland.open_replay(path).verify()

    asyncio.run(scene())


def test_a_late_joiner_is_in_the_archive(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            config = {"width": 12, "height": 12, "max_turn": 4, "late_join": True}
            match = (await app.create_match("colorfight", seats=1, config=config, late_joiners=True)).json()["id"]
            await answer(app, "POST", f"/matches/{match}/join", json={"seat": 0})
            await answer(app, "POST", f"/matches/{match}/orders", json={"orders": [], "key": "a", "seat": 0, "turn": 1})
            guest = await answer(app, "POST", "/accounts", json={"name": "late"})
            late = {"Authorization": f"Bearer {guest['token']}"}
            await answer(app, "POST", f"/matches/{match}/join", json={}, headers=late)
            while (await answer(app, "GET", f"/matches/{match}"))["state"] == "running":
                await app.post(f"/api/v1/matches/{match}/end-turn")
                await asyncio.sleep(0.01)
            forget(app, match)
            wanted = (await app.get(f"/api/v1/matches/{match}/frames")).json()
            assert {frame["turn"] for frame in wanted} > {1}
            await archive(app, match)
            assert (await app.get(f"/api/v1/matches/{match}/frames")).json() == wanted
            assert [len(frame["players"]) for frame in (wanted[0], wanted[-1])] == [1, 2]

    asyncio.run(scene())


def test_a_repeated_post_gets_its_first_receipt_from_the_archive(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            match = await begin(app, "colorfight", turns=3)
            body: dict[str, Any] = {"orders": [{"do": "nothing"}], "key": "once", "seat": 0, "turn": 1, "ready": False}
            receipt = await answer(app, "POST", f"/matches/{match}/orders", json=body)
            await finish(app, match)
            await archive(app, match)
            assert await answer(app, "POST", f"/matches/{match}/orders", json=body) == receipt
            again = await app.post(f"/api/v1/matches/{match}/orders", json={**body, "key": "other"})
            assert (again.status_code, again.json()["error"]) == (409, "over")

    asyncio.run(scene())


def test_an_archived_match_is_forked_and_played_again(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            match = await begin(app, "colorfight")
            await finish(app, match)
            await archive(app, match)
            fork = await answer(app, "POST", f"/matches/{match}/fork", json={"turn": 3})
            assert (fork["turn"], fork["forked_from"], fork["state"]) == (3, match, "running")
            rematch = await answer(app, "POST", f"/matches/{match}/again")
            assert rematch["config"] == fork["config"]

    asyncio.run(scene())


def test_a_match_that_cannot_be_replayed_stays_in_its_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            match = await begin(app, "colorfight", turns=3)
            await finish(app, match)
            forget(app, match)
            kind = type(marchland.new("colorfight"))
            with monkeypatch.context() as newer:
                newer.setattr(kind, "version", kind.version + 1)  # as after an upgrade of the game
                done = await app.dependency(Scheduler).retention.apply(time.time() + LATER)
            assert done.archived == 0
            rows = await app.dependency(Database).read(partial(rows_of, match=match))
            assert rows["entries"] == 2 and rows["archives"] == 0
            assert (await app.get(f"/api/v1/matches/{match}/replay")).status_code == 200

    asyncio.run(scene())


def test_a_deleted_replay_leaves_the_result(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running_app(tmp_path, loaded_games(), round_replay_days=1.0) as app:
            match = await begin(app, "colorfight", turns=3)
            await finish(app, match)
            store = app.dependency(Database)
            into_round = update(matches).where(matches.c.id == match).values(room="round/x")
            await store.write(lambda connection: connection.execute(into_round))
            info = await answer(app, "GET", f"/matches/{match}")
            done = await app.dependency(Scheduler).retention.apply(time.time() + 2 * 86_400)
            assert done == (1, 0, 1)
            forget(app, match)
            for part in ("replay", "view", "frames", "log?seat=0"):
                refused = await app.get(f"/api/v1/matches/{match}/{part}")
                assert (refused.status_code, refused.json()["error"]) == (404, "replay_deleted"), part
            assert (await answer(app, "GET", f"/matches/{match}"))["outcome"] == info["outcome"] is not None
            with pytest.raises(Refused):
                await store.read(partial(match_queries.load, match=match))

    asyncio.run(scene())
