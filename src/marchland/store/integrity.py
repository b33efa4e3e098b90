"""A database that cannot be used: what is wrong with it, and what to do about it."""

import contextlib
import logging
import sqlite3
import threading
from pathlib import Path

from sqlalchemy import URL, Engine

from marchland.errors import MarchlandError
from marchland.store.addresses import describe_cause, display_address

_CHECKED_AT_START = 16_000_000
"""Bytes of a file that is checked before the server starts, within 0.1 s; a larger one is checked meanwhile."""
_BACKUP = "Stop all servers and restore a backup (docs/operations.md), or name another database with --db."

log = logging.getLogger(__name__)


class IntegrityCheck:
    """SQLite's ``quick_check`` when a file is opened. PostgreSQL checks its pages by itself."""

    def __init__(self, engine: Engine) -> None:
        self.damage: str | None = None
        self._path = Path(engine.url.database or "") if engine.dialect.name == "sqlite" else None
        self._connection: sqlite3.Connection | None = None
        self._thread: threading.Thread | None = None
        if self._path is None or not self._path.is_file():
            return
        if self._path.stat().st_size > _CHECKED_AT_START:
            self._thread = threading.Thread(target=self._check_and_log, name="store-check", daemon=True)
            self._thread.start()
        elif found := self._check():
            raise MarchlandError(f"The database {self._path} is damaged: {found}. {_BACKUP}")

    def close(self) -> None:
        """Interrupt the check."""
        if self._thread is not None:
            while self._thread.is_alive():
                if (connection := self._connection) is not None:
                    with contextlib.suppress(sqlite3.ProgrammingError):  # it has just been closed
                        connection.interrupt()
                self._thread.join(0.05)

    def _check(self) -> str | None:
        """The first fault that SQLite finds."""
        with contextlib.closing(sqlite3.connect(f"file:{self._path}", uri=True, check_same_thread=False)) as connection:
            self._connection = connection
            try:
                (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            finally:
                self._connection = None
        return None if found == "ok" else str(found)

    def _check_and_log(self) -> None:
        try:
            found = self._check()
        except sqlite3.OperationalError as problem:  # interrupted, or a file that cannot be read now
            log.warning("the database was not checked", extra={"error": str(problem)})
            return
        except sqlite3.DatabaseError as problem:
            found = str(problem)
        if found is not None:
            self.damage = f"The database is damaged: {found}."
            log.error("the database is damaged", extra={"found": found, "advice": _BACKUP})


def opening_error(url: URL, problem: Exception) -> MarchlandError:
    """One message for a database that cannot be opened: what is wrong, and what to do."""
    if isinstance(problem, MarchlandError):
        return problem
    reason = describe_cause(problem)
    if url.get_backend_name() == "postgresql":
        shown = display_address(url)
        return MarchlandError(f"The database {shown} refuses: {reason}. Its user needs the right to create tables.")
    if "not a database" in reason:
        return MarchlandError(f"{url.database} is no SQLite database. Name another file with --db.")
    if "malformed" in reason:
        return MarchlandError(f"The database {url.database} is damaged: {reason}. {_BACKUP}")
    return MarchlandError(f"The database {url.database} cannot be opened: {reason}. Check its folder and permissions.")
