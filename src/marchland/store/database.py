"""The database: one code base for SQLite, which is embedded, and PostgreSQL, for many nodes."""

import asyncio
import hashlib
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Self, TypeVar

import filelock
import sqlalchemy
from sqlalchemy import Connection, Engine, event, text
from sqlalchemy.exc import SQLAlchemyError

from marchland.errors import MarchlandError, StorageUnavailable
from marchland.messages.learning import learn_types
from marchland.store.migrations.upgrade import upgrade
from marchland.store.wal import Checkpoints
from marchland.store.writer import BulkWork, Lock, Work, Writer

Found = TypeVar("Found")

_READERS = 4
_IDLE = 5
"""Seconds after which PostgreSQL takes a transaction back in which nothing happens."""


class Store:
    """An open database, at the newest form of its tables."""

    def __init__(self, url: str) -> None:
        learn_types()  # rows are read in several threads
        self.engine, self._held = _opened(url)
        self.many_nodes = self.engine.dialect.name == "postgresql"
        upgrade(self.engine)
        self._writer = Writer(self.engine, _take_locks if self.many_nodes else lambda connection, locks: None)
        self._checkpoints = None if self.many_nodes else Checkpoints(self.engine)
        self._readers = ThreadPoolExecutor(_READERS, "store-reader")

    async def write(self, work: Work, lock: Lock | None = None) -> Any:
        """Run ``work`` on the writer's connection; durable when this returns, unchanged if it raises."""
        return await self._writer.write(work, lock)

    async def write_bulk(self, bulk: BulkWork, item: Any, lock: Lock | None = None) -> Any:
        """The same for one of many items of a kind."""
        return await self._writer.write_bulk(bulk, item, lock)

    async def read(self, work: Callable[[Connection], Found]) -> Found:
        """Run ``work`` on a connection of its own that sees what is committed."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self.read_now, work)

    def read_now(self, work: Callable[[Connection], Found]) -> Found:
        """The same, in this thread."""
        try:
            with self.engine.connect() as connection:
                return work(connection)
        except SQLAlchemyError as problem:
            raise StorageUnavailable(f"The database cannot be read: {problem}.") from problem

    @property
    def depth(self) -> int:
        """How much waits to be written."""
        return self._writer.depth

    def close(self) -> None:
        """Write what waits and let go of the database."""
        self._writer.close()
        if self._checkpoints is not None:
            self._checkpoints.close()
        self._readers.shutdown()
        self.engine.dispose()
        if self._held is not None:
            self._held.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def database_url(given: str) -> str:
    """A URL from what a person writes: a URL, or the path of a SQLite file."""
    if given.startswith(("postgres://", "postgresql://")):
        return "postgresql+psycopg://" + given.split("://", 1)[1]
    return given if "://" in given else f"sqlite:///{Path(given).expanduser().resolve()}"


def database_now(connection: Connection) -> float:
    """The time of the database, where several nodes must agree on it; else of this machine."""
    if connection.dialect.name == "postgresql":
        return float(connection.execute(text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one())
    return time.time()


def _opened(given: str) -> tuple[Engine, filelock.FileLock | None]:
    url = sqlalchemy.make_url(database_url(given))
    if url.get_backend_name() == "postgresql":
        try:
            engine = sqlalchemy.create_engine(url, pool_size=_READERS + 2, max_overflow=2, pool_pre_ping=True)
        except ImportError:  # the driver, or the libpq that psycopg loads where its wheel brings none
            raise MarchlandError("PostgreSQL needs the extra: pip install 'marchland[postgres]'") from None
        event.listen(engine, "connect", _prepare_postgresql)
        try:
            engine.connect().close()
        except SQLAlchemyError as problem:
            shown = url.render_as_string(hide_password=True)
            raise MarchlandError(f"The database {shown} cannot be opened: {problem.__cause__ or problem}.") from None
        return engine, None
    if url.get_backend_name() != "sqlite" or not url.database:
        raise MarchlandError("A database is a file for SQLite, or a URL like postgresql://user@host/name.")
    held = _only_one(Path(url.database))
    engine = sqlalchemy.create_engine(url, connect_args={"timeout": 30}, pool_size=_READERS + 2, max_overflow=2)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    return engine, held


def _only_one(path: Path) -> filelock.FileLock:
    """The lock that keeps a second server away from a SQLite file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        held = filelock.FileLock(f"{path}.lock")
        held.acquire(timeout=0)
    except filelock.Timeout:
        raise MarchlandError(
            f"Another server uses {path}. Give this one a file of its own with --db, or use PostgreSQL for several."
        ) from None
    except OSError as problem:
        raise MarchlandError(f"The database {path} cannot be opened: {problem.strerror}.") from None
    return held


def _prepare_postgresql(connection: Any, record: object) -> None:
    """A node that stands still in the middle of a transaction must not keep what others wait for."""
    connection.execute(f"SET idle_in_transaction_session_timeout = '{_IDLE}s'")
    connection.commit()


def _prepare_sqlite(connection: Any, record: object) -> None:
    connection.isolation_level = None  # transactions begin where SQLAlchemy says so
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("PRAGMA wal_autocheckpoint=0")  # there is a thread for it


def _take_locks(connection: Connection, locks: Sequence[Lock]) -> None:
    """Posts share a match, whoever closes a turn has it alone, until the transaction ends."""
    if not locks:
        return
    taken = ("pg_advisory_xact_lock" if alone else "pg_advisory_xact_lock_shared" for _, alone in locks)
    wanted = ", ".join(f"{function}({lock_number(lock.match)})" for function, lock in zip(taken, locks, strict=True))
    connection.exec_driver_sql(f"SELECT {wanted}")  # one after another, in the order that every node keeps


def lock_number(match: str) -> int:
    """The number by which PostgreSQL knows the lock of a match."""
    return int.from_bytes(hashlib.blake2b(match.encode(), digest_size=8).digest(), "big", signed=True)
