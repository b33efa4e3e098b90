"""SQLite's log is moved into the database beside the writer: inside a commit it would hold up everybody's receipts."""

import logging
import threading

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

_PAUSE = 1.0  # seconds between two looks
_LONG = 8_000  # pages after which the log is begun anew, which the writer has to wait for a moment

log = logging.getLogger(__name__)


class Checkpoints:
    """A thread that keeps the log short."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store-checkpoints", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop."""
        self._closing.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._closing.wait(_PAUSE):
            try:
                self._move()
            except SQLAlchemyError as problem:  # a full disk, perhaps: the log keeps what it holds
                log.warning("the database's log cannot be moved", extra={"why": str(problem)})

    def _move(self) -> None:
        connection = self._engine.raw_connection()
        try:
            cursor = connection.cursor()
            _, length, _ = cursor.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            if length > _LONG:  # nearly all of it has been moved by now, so what is left is quick
                cursor.execute("PRAGMA wal_checkpoint(RESTART)").fetchone()
        finally:
            connection.close()
