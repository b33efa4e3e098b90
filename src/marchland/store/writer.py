"""Group commit: one thread writes, and all waiting jobs share a transaction, so that one flush makes many durable."""

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as SQLAlchemyTimeout

from marchland.errors import StorageUnavailable

_MAX_GROUP = 512
_SLOW_COMMIT = 10.0
"""Seconds after which a commit counts as failing."""

Work = Callable[[Connection], Any]
BulkWork = Callable[[Connection, Sequence[Any]], Sequence[Any]]
"""Takes many items at once and returns a result, or an exception, for each."""


class Lock(NamedTuple):
    """An advisory lock on a match or another name: shared by posts, exclusive to close a turn."""

    match: str
    exclusive: bool


class Transactions:
    """The writer's transactions: on one connection until it fails, or each on one that the pool has tested.

    The checkout of a connection costs more than a small commit. One to a server may have been lost since its last use,
    which the pool notices; one to a SQLite file cannot be lost.
    """

    def __init__(self, engine: Engine, *, hold_connection: bool) -> None:
        self._engine = engine
        self._hold_connection = hold_connection
        self._connection: Connection | None = None

    @contextlib.contextmanager
    def begin(self) -> Iterator[Connection]:
        """A transaction: committed at the end of the block, rolled back if it raises."""
        connection = self._connection or self._engine.connect()
        self._connection = connection if self._hold_connection else None
        try:
            with connection.begin():
                yield connection
        except Exception as problem:
            if _is_database_failure(problem):
                self._connection = None
            raise
        finally:
            if self._connection is None:
                connection.close()

    def close(self) -> None:
        """Return the connection to the pool."""
        if self._connection is not None:
            self._connection.close()


_Answer = tuple[Any, BaseException | None]


class _Job(NamedTuple):
    work: Work | None
    bulk: BulkWork | None
    item: Any
    lock: Lock | None
    loop: asyncio.AbstractEventLoop
    future: "asyncio.Future[Any]"


class GroupCommitWriter:
    """Runs write jobs in the order of their arrival, many in one transaction."""

    def __init__(self, transactions: Transactions, take_locks: Callable[[Connection, Sequence[Lock]], None]) -> None:
        self._transactions = transactions
        self._take_locks = take_locks
        self._batches: queue.SimpleQueue[list[_Job] | None] = queue.SimpleQueue()
        self._gathered: list[_Job] = []
        """The jobs of the present iteration of an event loop: one wake-up of the thread for all of them."""
        self._gathering_loop: asyncio.AbstractEventLoop | None = None
        """The loop that hands them over at the end of its iteration."""
        self._queued = 0
        self._enqueue_lock = threading.Lock()
        self._closed = False
        self._failure: str | None = None
        self._commit_began: float | None = None
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    @property
    def queued_writes(self) -> int:
        """The number of waiting jobs."""
        return self._queued

    @property
    def failure(self) -> str | None:
        """Why the last commit failed, or that the present one does not end; None if writes work."""
        began = self._commit_began
        if began is not None and (seconds := time.monotonic() - began) > _SLOW_COMMIT:
            return f"A commit has been running for {seconds:.0f} s."
        return self._failure

    def write(self, work: Work, lock: Lock | None = None) -> "asyncio.Future[Any]":
        """Run ``work`` in a transaction; it is durable when the future has its result."""
        return self._enqueue(work, None, None, lock)

    def write_bulk(self, bulk: BulkWork, item: Any, lock: Lock | None = None) -> "asyncio.Future[Any]":
        """Like `write`, for an item that one bulk statement writes together with others of its kind."""
        return self._enqueue(None, bulk, item, lock)

    def _enqueue(self, work: Work | None, bulk: BulkWork | None, item: Any, lock: Lock | None) -> "asyncio.Future[Any]":
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        with self._enqueue_lock:
            if self._closed:
                raise StorageUnavailable("The database is closed.")
            self._gathered.append(_Job(work, bulk, item, lock, loop, future))
            self._queued += 1
            if self._gathering_loop is not loop:
                self._gathering_loop = loop
                loop.call_soon(self._hand_over)
        return future

    def _hand_over(self) -> None:
        with self._enqueue_lock:
            self._batches.put(self._gathered)
            self._gathered, self._gathering_loop = [], None

    def close(self) -> None:
        """Write what is queued, then stop."""
        with self._enqueue_lock:
            self._closed = True
            self._batches.put(self._gathered)
            self._gathered = []
            self._batches.put(None)
        self._thread.join()
        self._transactions.close()

    def _run(self) -> None:
        is_open = True
        while is_open:
            jobs: list[_Job] = []
            batch = self._batches.get()
            with contextlib.suppress(queue.Empty):
                while batch is not None and len(jobs) + len(batch) < _MAX_GROUP:
                    jobs += batch
                    batch = self._batches.get_nowait()
                jobs += batch or ()
            is_open = batch is not None
            with self._enqueue_lock:
                self._queued -= len(jobs)
            for start in range(0, len(jobs), _MAX_GROUP):
                self._commit_began = time.monotonic()
                self._commit(jobs[start : start + _MAX_GROUP])
                self._commit_began = None

    def _commit(self, group: list[_Job]) -> None:
        try:
            with self._transactions.begin() as connection:
                self._take_locks(connection, _merged_locks(group))
                answers = _run_group(connection, group)
            self._failure = None
        except Exception as problem:
            if len(group) > 1 and not _is_database_failure(problem):
                for job in group:  # one of them failed the transaction: run each alone
                    self._commit([job])
                return
            failure = problem
            if _is_database_failure(problem):
                failure = unavailable("written", problem)
                self._failure = str(failure)
            answers = [(None, failure)] * len(group)
        for loop, answered in groupby(zip(group, answers, strict=True), key=lambda pair: pair[0].loop):
            with contextlib.suppress(RuntimeError):  # the callers' loop is closed
                loop.call_soon_threadsafe(_answer_all, list(answered))


def _answer_all(answered: Iterable[tuple[_Job, _Answer]]) -> None:
    """Wake the callers of a group, in their loop: one wake-up for all of them."""
    for job, (result, problem) in answered:
        if job.future.done():  # the caller was cancelled
            continue
        if problem is None:
            job.future.set_result(result)
        else:
            job.future.set_exception(problem)


def _run_group(connection: Connection, group: list[_Job]) -> list[_Answer]:
    """The answer to each job. A group of one kind needs no savepoint: if it fails, all of it is rolled back."""
    parts = [(bulk, list(jobs)) for bulk, jobs in groupby(group, key=lambda job: job.bulk)]
    bulk, jobs = parts[0]
    if len(parts) == 1 and bulk is not None:
        return _answers(bulk(connection, [job.item for job in jobs]))
    if len(group) == 1 and jobs[0].work is not None:
        return [(jobs[0].work(connection), None)]
    return [answer for bulk, jobs in parts for answer in _run_part(connection, bulk, jobs)]


def _run_part(connection: Connection, bulk: BulkWork | None, jobs: Sequence[_Job]) -> list[_Answer]:
    if bulk is None:
        return [_run_in_savepoint(connection, job.work) for job in jobs if job.work is not None]
    results, problem = _run_in_savepoint(connection, lambda connection: bulk(connection, [job.item for job in jobs]))
    if problem is None:
        return _answers(results)
    return [(None, problem)] if len(jobs) == 1 else [_run_part(connection, bulk, [job])[0] for job in jobs]


def _run_in_savepoint(connection: Connection, work: Work) -> _Answer:
    """The result or exception of a job, rolled back if it failed. Raises if the whole transaction is lost."""
    connection.exec_driver_sql("SAVEPOINT job")  # SQLAlchemy's nested transaction takes ten times as long
    try:
        result = work(connection)
    except Exception as problem:
        if _is_database_failure(problem):
            raise
        connection.exec_driver_sql("ROLLBACK TO SAVEPOINT job")
        return None, problem
    connection.exec_driver_sql("RELEASE SAVEPOINT job")
    return result, None


def _answers(results: Sequence[Any]) -> list[_Answer]:
    return [(None, item) if isinstance(item, BaseException) else (item, None) for item in results]


def _is_database_failure(problem: BaseException) -> bool:
    """Whether the database failed, as opposed to this statement."""
    refused = isinstance(problem, IntegrityError | DataError)
    return isinstance(problem, DBAPIError | SQLAlchemyTimeout | OSError) and not refused


def _merged_locks(group: Sequence[_Job]) -> list[Lock]:
    """One lock per name, in an order that is the same on every node, so that two nodes cannot deadlock."""
    merged: dict[str, bool] = {}
    for job in group:
        if job.lock is not None:
            merged[job.lock.match] = merged.get(job.lock.match, False) or job.lock.exclusive
    return [Lock(match, merged[match]) for match in sorted(merged)]


def unavailable(verb: str, problem: BaseException) -> StorageUnavailable:
    """That the database cannot be read or written, and why."""
    reason = " ".join(str(getattr(problem, "orig", None) or problem).split())
    return StorageUnavailable(f"The database cannot be {verb}: {reason.removesuffix('.')}.")
