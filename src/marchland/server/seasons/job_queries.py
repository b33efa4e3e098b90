"""SQL of finished jobs. A job has an idempotency key: its orders are in the match under it, so that it runs once."""

import time
from typing import Any

from sqlalchemy import Connection, Row, select

from marchland.messages import JobRun
from marchland.store.schema import jobs
from marchland.store.upsert import insert_or_ignore


def finished_keys(connection: Connection, match: str) -> frozenset[str]:
    """The keys of the finished jobs of a match."""
    return frozenset(connection.execute(select(jobs.c.key).where(jobs.c.match == match)).scalars())


def mark_finished(connection: Connection, match: str, name: str, key: str, node: str, done: int) -> None:
    """Store that a job has run; idempotent."""
    values = {"match": match, "key": key, "name": name, "at": time.time(), "node": node, "done": done}
    insert_or_ignore(connection, jobs, values)


def find_job(connection: Connection, match: str, key: str) -> JobRun | None:
    """The finished job of a key."""
    row = connection.execute(select(jobs).where(jobs.c.match == match, jobs.c.key == key)).first()
    return None if row is None else _run(row)


def list_jobs(connection: Connection, *, match: str | None = None, limit: int = 100) -> list[JobRun]:
    """Finished jobs, the latest first."""
    query = select(jobs).order_by(jobs.c.at.desc(), jobs.c.key).limit(limit)
    if match is not None:
        query = query.where(jobs.c.match == match)
    return [_run(row) for row in connection.execute(query)]


def _run(row: Row[Any]) -> JobRun:
    return JobRun(row.match, row.name, row.key, row.at, row.node, row.done)
