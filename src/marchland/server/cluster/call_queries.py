"""Requests that reach a node which does not run their match: its owner finds them here, and leaves the answer."""

import time
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from marchland.store.notify import ring
from marchland.store.schema import errands, matches

BELL = "errands"
"""What nodes are woken with when there is something to do."""
_FORGOTTEN = 300.0  # seconds after which whoever asked has gone without clearing up


class Errand(NamedTuple):
    """One request: what should be done for which match."""

    id: str
    match: str
    what: str
    body: bytes


def ask(connection: Connection, errand: Errand) -> None:
    """Leave a request for a match's owner, whoever that is by then."""
    now = time.time()
    connection.execute(delete(errands).where(errands.c.at < now - _FORGOTTEN))
    connection.execute(insert(errands).values(**errand._asdict(), at=now))
    ring(connection, BELL)


def waiting(connection: Connection, node: str) -> list[Errand]:
    """What was asked of the matches that ``node`` owns, the oldest first."""
    query = (
        select(errands.c.id, errands.c.match, errands.c.what, errands.c.body)
        .join(matches, matches.c.id == errands.c.match)
        .where(errands.c.answer.is_(None), matches.c.owner == node)
        .order_by(errands.c.at)
    )
    return [Errand(*row) for row in connection.execute(query)]


def answer(connection: Connection, id: str, told: bytes) -> None:
    """Leave the answer, if somebody still waits for it."""
    connection.execute(update(errands).where(errands.c.id == id).values(answer=told))
    ring(connection, bell_of(id))


def answered(connection: Connection, id: str) -> bytes | None:
    """The answer, once there is one."""
    return connection.execute(select(errands.c.answer).where(errands.c.id == id)).scalar()


def forget(connection: Connection, id: str) -> None:
    """Nobody waits any more; what nobody has begun will not be done."""
    connection.execute(delete(errands).where(errands.c.id == id))


def bell_of(id: str) -> str:
    """What whoever waits for an answer is woken with."""
    return f"errand {id}"
