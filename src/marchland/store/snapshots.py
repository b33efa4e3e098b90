"""Snapshots of matches, stored in chunks so that a large one does not block other writes."""

from collections.abc import Callable
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select

from marchland.store.schema import snapshots
from marchland.store.upsert import insert_or_ignore

CHUNK_BYTES = 256 * 1024


class StoredSnapshot(NamedTuple):
    """A snapshot: the number of entries before it, and the turn that was open."""

    number: int
    turn: int
    data: bytes


def split(match: str, number: int, turn: int, data: bytes) -> list[dict[str, Any]]:
    """The rows of a snapshot."""
    parts = [data[start : start + CHUNK_BYTES] for start in range(0, len(data), CHUNK_BYTES)]
    return [
        {"match": match, "number": number, "piece": piece, "pieces": len(parts), "turn": turn, "data": part}
        for piece, part in enumerate(parts)
    ]


def insert_chunk(row: dict[str, Any]) -> Callable[[Connection], None]:
    """A write of one chunk; an existing one stays, since equal inputs give equal snapshots."""

    def work(connection: Connection) -> None:
        insert_or_ignore(connection, snapshots, row)

    return work


def latest(connection: Connection, match: str, *, turn: int | None = None) -> StoredSnapshot | None:
    """The last complete snapshot, or the last one at or before the start of ``turn``."""
    query = (
        select(snapshots.c.number)
        .where(snapshots.c.match == match)
        .group_by(snapshots.c.number, snapshots.c.pieces)
        .having(func.count() == snapshots.c.pieces)
        .order_by(snapshots.c.number.desc())
        .limit(1)
    )
    if turn is not None:
        query = query.where(snapshots.c.turn <= turn)
    number = connection.execute(query).scalar()
    return None if number is None else _load(connection, match, number)


def earliest(connection: Connection, match: str) -> StoredSnapshot | None:
    """The snapshot of the start."""
    return _load(connection, match, 0)


def _load(connection: Connection, match: str, number: int) -> StoredSnapshot | None:
    rows = connection.execute(
        select(snapshots.c.turn, snapshots.c.data)
        .where(snapshots.c.match == match, snapshots.c.number == number)
        .order_by(snapshots.c.piece)
    ).all()
    return StoredSnapshot(number, rows[0].turn, b"".join(row.data for row in rows)) if rows else None
