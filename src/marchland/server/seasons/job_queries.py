"""Jobs that were done. Each has a key under which its orders went into the match, so that none is done twice."""

import time
from typing import Any

from sqlalchemy import Connection, Row, select

from marchland.messages import JobRun
from marchland.store.schema import jobs
from marchland.store.upsert import insert_or_ignore


def settled(connection: Connection, match: str) -> frozenset[str]:
    """The keys of the jobs that were done for a match."""
    return frozenset(connection.execute(select(jobs.c.key).where(jobs.c.match == match)).scalars())


def settle(connection: Connection, match: str, name: str, key: str, node: str, done: int) -> None:
    """Write down that a job was done; to do so again changes nothing."""
    values = {"match": match, "key": key, "name": name, "at": time.time(), "node": node, "done": done}
    insert_or_ignore(connection, jobs, values)


def find(connection: Connection, match: str, key: str) -> JobRun | None:
    """The job that was done under a key."""
    row = connection.execute(select(jobs).where(jobs.c.match == match, jobs.c.key == key)).first()
    return None if row is None else _run(row)


def listed(connection: Connection, *, match: str | None = None, limit: int = 100) -> list[JobRun]:
    """Jobs that were done, the latest first."""
    query = select(jobs).order_by(jobs.c.at.desc(), jobs.c.key).limit(limit)
    if match is not None:
        query = query.where(jobs.c.match == match)
    return [_run(row) for row in connection.execute(query)]


def _run(row: Row[Any]) -> JobRun:
    return JobRun(row.match, row.name, row.key, row.at, row.node, row.done)
