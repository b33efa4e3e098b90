"""WAL checkpoints in their own thread: the log restarts although the writer never stops."""

import asyncio
import time
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from marchland.store import Database
from marchland.store.match_log import insert_post
from marchland.store.wal import WalCheckpointer
from tests.support.match_rows import post, started

LONG = 20


def restarts(path: Path) -> int:
    """How often the log began again, as its header counts it."""
    return int.from_bytes(Path(f"{path}-wal").read_bytes()[12:16], "big")


@pytest.mark.parametrize("max_pages", [1_000_000, LONG], ids=["when all is copied", "by force"])
def test_a_log_is_restarted_while_posts_are_written(tmp_path: Path, max_pages: int) -> None:
    path = tmp_path / "march.db"

    async def scene(store: Database) -> None:
        match = await started(store)
        before, number = restarts(path), 0
        while restarts(path) == before:
            number += 1
            await insert_post(store, match, post(1, f"k{number}", orders=["x" * 1_000]))

    with Database(str(path)) as store:
        checkpointer = WalCheckpointer(store.engine, LONG, max_pages)
        try:
            asyncio.run(asyncio.wait_for(scene(store), 60))
        finally:
            checkpointer.close()


def test_a_checkpoint_that_fails_is_logged_and_tried_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "march.db"
    path.write_bytes(b"no database" * 1_000)
    engine = create_engine(f"sqlite:///{path}")
    checkpointer = WalCheckpointer(engine)
    try:
        until = time.monotonic() + 60
        while len(caplog.records) < 2 and time.monotonic() < until:
            time.sleep(0.01)
    finally:
        checkpointer.close()
        engine.dispose()
    assert [record.message for record in caplog.records[:2]] == ["a checkpoint failed"] * 2


def test_every_commit_is_flushed_and_checkpoints_nothing(tmp_path: Path) -> None:
    def pragma(store: Database, name: str) -> object:
        return store.read_now(lambda connection: connection.exec_driver_sql(f"PRAGMA {name}").scalar())

    full = 2
    with Database(str(tmp_path / "march.db")) as store:
        assert pragma(store, "journal_mode") == "wal"
        assert pragma(store, "synchronous") == full
        assert pragma(store, "wal_autocheckpoint") == 0
