"""WAL checkpoints in a thread of their own: inside a commit they would delay every receipt.

A PASSIVE checkpoint copies pages while the writer goes on. If it ends with nothing left to copy, the next commit begins
the log again at its start, and nothing has waited. So a long log is copied in quick succession until that happens. Only
a log that is longer than the hard limit is restarted by force, which holds the writer up for two flushes.
"""

import logging
import sqlite3
import threading

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

_POLL_SECONDS = 1.0
_TRIES, _TRY_SECONDS = 10, 0.02
_LONG_PAGES = 4_000
"""Length of the log from which it is worth several tries to copy all of it."""
_MAX_PAGES = 64_000
"""Length of the log at which it is restarted by force: a quarter of a gigabyte."""

log = logging.getLogger(__name__)


class WalCheckpointer:
    """A thread that keeps SQLite's write-ahead log short."""

    def __init__(self, engine: Engine, long_pages: int = _LONG_PAGES, max_pages: int = _MAX_PAGES) -> None:
        self._engine = engine
        self._long_pages = long_pages
        self._max_pages = max_pages
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store-checkpoints", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop the thread."""
        self._closing.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._closing.wait(_POLL_SECONDS):
            try:
                self._checkpoint()
            except (SQLAlchemyError, sqlite3.Error) as problem:  # a full disk, for example: the WAL keeps its content
                log.warning("a checkpoint failed", extra={"error": str(problem)})

    def _checkpoint(self) -> None:
        connection = self._engine.raw_connection()
        try:
            cursor = connection.cursor()
            for _ in range(_TRIES):
                _, length, copied = cursor.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
                if length > self._max_pages:
                    cursor.execute("PRAGMA wal_checkpoint(RESTART)").fetchone()
                    return
                if length <= self._long_pages or copied == length or self._closing.wait(_TRY_SECONDS):
                    return
        finally:
            connection.close()
