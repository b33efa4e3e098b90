"""WAL checkpoints in a thread of their own: inside a commit they would delay every receipt."""

import logging
import threading

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

_POLL_SECONDS = 1.0
_MAX_PAGES = 8_000
"""Length of the WAL after which it is restarted, for which the writer has to wait briefly."""

log = logging.getLogger(__name__)


class WalCheckpointer:
    """A thread that keeps SQLite's write-ahead log short."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
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
            except SQLAlchemyError as problem:  # a full disk, for example: the WAL keeps its content
                log.warning("a checkpoint failed", extra={"error": str(problem)})

    def _checkpoint(self) -> None:
        connection = self._engine.raw_connection()
        try:
            cursor = connection.cursor()
            _, length, _ = cursor.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            if length > _MAX_PAGES:  # nearly all of it was copied by now, so the rest is quick
                cursor.execute("PRAGMA wal_checkpoint(RESTART)").fetchone()
        finally:
            connection.close()
