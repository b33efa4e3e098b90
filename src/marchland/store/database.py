"""The database: embedded SQLite for one node, PostgreSQL for several."""

import asyncio
import hashlib
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Self, TypeVar

import filelock
import sqlalchemy
from sqlalchemy import Connection, Engine, event, text
from sqlalchemy.exc import SQLAlchemyError

from marchland.errors import MarchlandError
from marchland.messages._prepare import prepare_types
from marchland.store.addresses import database_url, describe_cause, display_address
from marchland.store.integrity import IntegrityCheck, opening_error
from marchland.store.migrations.upgrade import upgrade
from marchland.store.wal import WalCheckpointer
from marchland.store.writer import BulkWork, GroupCommitWriter, Lock, Transactions, Work, unavailable

Result = TypeVar("Result")

_READERS = 4
_WAL_BYTES = 64 * 1024 * 1024
_IDLE_SECONDS = 5
"""PostgreSQL ends transactions that are idle for longer."""


class Database:
    """An open database with the newest schema."""

    def __init__(self, url: str) -> None:
        prepare_types()  # rows are read in several threads
        self.engine, self._file_lock = _open(url)
        self.is_shared = self.engine.dialect.name == "postgresql"
        """Whether several nodes may use the database."""
        try:
            self._integrity = IntegrityCheck(self.engine)
            upgrade(self.engine)
        except (SQLAlchemyError, sqlite3.Error, MarchlandError) as problem:
            self._release()
            raise opening_error(self.engine.url, problem) from None
        transactions = Transactions(self.engine, hold_connection=not self.is_shared)
        self._writer = GroupCommitWriter(
            transactions, _take_locks if self.is_shared else lambda connection, locks: None
        )
        self._checkpointer = None if self.is_shared else WalCheckpointer(self.engine)
        self._readers = ThreadPoolExecutor(_READERS, "store-reader")

    async def write(self, work: Work, lock: Lock | None = None) -> Any:
        """Run ``work`` on the writer's connection; durable when this returns, unchanged if it raises."""
        return await self._writer.write(work, lock)

    def write_bulk(self, bulk: BulkWork, item: Any, lock: Lock | None = None) -> "asyncio.Future[Any]":
        """Like `write`, for one of many items that one bulk statement can write."""
        return self._writer.write_bulk(bulk, item, lock)

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Run ``work`` on a connection of its own that sees what is committed."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self.read_now, work)

    def read_now(self, work: Callable[[Connection], Result]) -> Result:
        """Like `read`, in this thread."""
        try:
            with self.engine.connect() as connection:
                return work(connection)
        except SQLAlchemyError as problem:
            raise unavailable("read", problem) from problem

    def write_now(self, work: Callable[[Connection], Result]) -> Result:
        """Write in this thread, before the server runs."""
        try:
            with self.engine.begin() as connection:
                return work(connection)
        except SQLAlchemyError as problem:
            raise unavailable("written", problem) from problem

    @property
    def failure(self) -> str | None:
        """Why the database cannot be written, or that it is damaged; None if all is well."""
        return self._integrity.damage or self._writer.failure

    @property
    def queued_writes(self) -> int:
        """The number of queued writes."""
        return self._writer.queued_writes

    def close(self) -> None:
        """Write what is queued and close the database."""
        self._writer.close()
        if self._checkpointer is not None:
            self._checkpointer.close()
        self._readers.shutdown()
        self._integrity.close()
        self._release()

    def _release(self) -> None:
        self.engine.dispose()
        if self._file_lock is not None:
            self._file_lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def database_now(connection: Connection) -> float:
    """The time on which all nodes agree: the database's clock with PostgreSQL, this machine's with SQLite."""
    if connection.dialect.name == "postgresql":
        return float(connection.execute(text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one())
    return time.time()


def _open(address: str) -> tuple[Engine, filelock.FileLock | None]:
    url = sqlalchemy.make_url(database_url(address))
    if url.get_backend_name() == "postgresql":
        try:
            engine = sqlalchemy.create_engine(url, pool_size=_READERS + 2, max_overflow=2, pool_pre_ping=True)
        except ImportError:  # the driver, or the libpq that psycopg loads where its wheel brings none
            raise MarchlandError("PostgreSQL needs the extra: pip install 'marchland[postgres]'") from None
        event.listen(engine, "connect", _prepare_postgresql)
        try:
            engine.connect().close()
        except SQLAlchemyError as problem:
            message = f"The database {display_address(url)} cannot be opened: {describe_cause(problem)}."
            raise MarchlandError(f"{message} Is PostgreSQL running there, and is --db right?") from None
        return engine, None
    if url.get_backend_name() != "sqlite" or not url.database:
        raise MarchlandError("A database is a file for SQLite, or a URL like postgresql://user@host/name.")
    file_lock = _lock_file(Path(url.database))
    # Last in, first out: the connection that was used last has the most recent page cache.
    pool = {"pool_size": _READERS + 2, "max_overflow": 2, "pool_use_lifo": True}
    engine = sqlalchemy.create_engine(url, connect_args={"timeout": 30}, **pool)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    return engine, file_lock


def _lock_file(path: Path) -> filelock.FileLock:
    """Lock a SQLite file against a second server."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file_lock = filelock.FileLock(f"{path}.lock")
        file_lock.acquire(timeout=0)
    except filelock.Timeout:
        raise MarchlandError(
            f"Another server uses {path}. Give this one a file of its own with --db, or use PostgreSQL for several."
        ) from None
    except OSError as problem:
        raise MarchlandError(f"The database {path} cannot be opened: {problem.strerror}.") from None
    return file_lock


def _prepare_postgresql(connection: Any, record: object) -> None:
    """A node that is paused within a transaction must not block others."""
    connection.execute(f"SET idle_in_transaction_session_timeout = '{_IDLE_SECONDS}s'")
    connection.commit()


def _prepare_sqlite(connection: Any, record: object) -> None:
    connection.isolation_level = None  # SQLAlchemy begins transactions
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    if pages == 0:  # in a file that has tables it takes effect only with VACUUM, but would write all the same
        connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("PRAGMA wal_autocheckpoint=0")  # WalCheckpointer does it
    # Overwriting blocks of the log is faster than adding some: its file shrinks only after an unusual burst.
    connection.execute(f"PRAGMA journal_size_limit={_WAL_BYTES}")


def _take_locks(connection: Connection, locks: Sequence[Lock]) -> None:
    """Take advisory locks until the end of the transaction: shared or exclusive."""
    if not locks:
        return
    functions = ("pg_advisory_xact_lock" if exclusive else "pg_advisory_xact_lock_shared" for _, exclusive in locks)
    calls = (f"{function}({lock_number(lock.match)})" for function, lock in zip(functions, locks, strict=True))
    connection.exec_driver_sql(f"SELECT {', '.join(calls)}")  # one after another, in the same order on every node


def lock_number(match: str) -> int:
    """The number of an advisory lock in PostgreSQL."""
    return int.from_bytes(hashlib.blake2b(match.encode(), digest_size=8).digest(), "big", signed=True)
