"""A server that is killed while it archives and deletes matches: every match is whole, in its log or its archive."""

import asyncio
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select, update

from marchland.match import Entry, Post
from marchland.server.matches import queries as match_queries
from marchland.server.retention.check import check_database
from marchland.server.retention.service import RetentionService
from marchland.server.settings import Settings
from marchland.store import Database
from marchland.store.inspection import open_for_reading
from marchland.store.match_log import entries_from, posts_of
from marchland.store.schema import archives, entries, matches, posts, snapshots
from tests.support.asgi import running_app
from tests.support.finished_matches import begin, finish
from tests.support.game_loading import loaded_games

POSTS = 2_500
"""More than two transactions delete."""
COMMITS = range(1, 12, 2)
LATER = 120.0

PRUNE = """
import asyncio, os, signal, sys, time
from sqlalchemy import event
from marchland.server.retention.service import RetentionService
from marchland.server.settings import Settings
from marchland.store import Database

settings = Settings(db=sys.argv[1], days_with_people=30.0)
with Database(settings.db) as store:
    left = int(sys.argv[2])

    def count(connection):
        global left
        changes = connection.exec_driver_sql("SELECT total_changes()").scalar_one()
        if changes > connection.info.get("changes", 0):
            connection.info["changes"] = changes
            left -= 1
            if left == 0:  # before or after the commit itself
                if sys.argv[3] == "after":
                    connection.connection.dbapi_connection.commit()
                os.kill(os.getpid(), signal.SIGKILL)

    event.listen(store.engine, "commit", count)
    asyncio.run(RetentionService(store, settings).apply(time.time() + 120))
"""


class Scene:
    """A database with a finished match of thousands of posts and one that has expired."""

    def __init__(self, path: Path, match: str, expired: str) -> None:
        self.path = path
        self.match = match
        self.expired = expired

    def log(self, store: Database) -> tuple[Sequence[Entry], Sequence[Post]]:
        return store.read_now(
            lambda connection: (entries_from(connection, self.match, 0), posts_of(connection, self.match, 1))
        )


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    folder = tmp_path_factory.mktemp("retention")
    made: list[str] = []

    async def play() -> None:
        async with running_app(folder, loaded_games()) as app:
            for _ in range(2):
                made.append(await begin(app, "colorfight", turns=3))
                await finish(app, made[-1])
            await app.dependency(Database).write(add_posts)

    def add_posts(connection: Connection) -> None:
        for match in made:
            values = {"match": match, "turn": 1, "seat": 0, "orders": b"[]", "size": 0, "ready": False, "received": 1.0}
            connection.execute(insert(posts), [{**values, "key": f"more {key}", "number": key} for key in range(POSTS)])
        old = time.time() - 90 * 86_400
        connection.execute(update(matches).where(matches.c.id == made[1]).values(ended=old))

    asyncio.run(play())
    return Scene(folder / "server.db", *made)


def rows_left(connection: Connection, match: str) -> list[Any]:
    tables = (posts, entries, snapshots, archives)
    return [table.name for table in tables if connection.execute(select(table).where(table.c.match == match)).first()]


@pytest.mark.parametrize("moment", ["before", "after"])
def test_what_a_kill_interrupts_is_whole_and_finished_later(scene: Scene, tmp_path: Path, moment: str) -> None:
    with Database(str(scene.path)) as store:
        wanted = scene.log(store)
    assert len(wanted[1]) > POSTS
    killed = 0
    for number in COMMITS if moment == "after" else COMMITS[::2]:
        path = tmp_path / f"{number}.db"
        shutil.copy(scene.path, path)
        command = [sys.executable, "-c", PRUNE, str(path), str(number), moment]
        killed += subprocess.run(command, check=False, timeout=120).returncode == -signal.SIGKILL
        with Database(str(path)) as store:
            assert scene.log(store) == wanted, number
            asyncio.run(RetentionService(store, Settings(db="", days_with_people=30.0)).apply(time.time() + LATER))
            assert scene.log(store) == wanted, number
            assert store.read_now(partial(rows_left, match=scene.match)) == ["archives"], number
            assert store.read_now(partial(match_queries.find, match=scene.expired)) is None
            assert store.read_now(partial(rows_left, match=scene.expired)) == []
        engine = open_for_reading(str(path))
        assert check_database(engine).problems == []
        engine.dispose()
    assert killed >= 3
