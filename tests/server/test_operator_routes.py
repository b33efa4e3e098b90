"""What ``/metrics`` reports about the database, also while it cannot be read."""

import asyncio
import re
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.support.asgi import App, running_app
from tests.support.game_loading import loaded_games


async def read_metric(app: App, name: str) -> float:
    answer = await app.get("/metrics")
    assert answer.status_code == 200
    found = re.search(rf"^{name} (\S+)$", answer.text, re.MULTILINE)
    assert found is not None, name
    return float(found[1])


def test_metrics_report_the_size_of_the_database_and_the_age_of_the_oldest_match(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            assert (await app.create_match("colorfight")).is_success
            size = (tmp_path / "server.db").stat().st_size
            assert await read_metric(app, "marchland_database_bytes") >= size > 0
            assert 0 < await read_metric(app, "marchland_oldest_match_seconds") < 60
            assert await read_metric(app, "marchland_archive_bytes") == 0

    asyncio.run(scene())


def test_metrics_are_there_while_the_database_cannot_be_read(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            with closing(sqlite3.connect(tmp_path / "server.db")) as connection, connection:
                connection.execute("ALTER TABLE matches RENAME TO gone")
            assert (await app.get("/api/v1/matches")).status_code == 503
            assert await read_metric(app, "marchland_store_queue_depth") >= 0

    asyncio.run(scene())
