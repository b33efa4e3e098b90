"""States of matches, in pieces small enough that nobody waits for one."""

from collections.abc import Callable
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select

from marchland.store.schema import snapshots
from marchland.store.upsert import insert_or_ignore

PIECE = 256 * 1024


class Found(NamedTuple):
    """A state: so many entries came before it, and ``turn`` awaited its orders."""

    number: int
    turn: int
    data: bytes


def split(match: str, number: int, turn: int, data: bytes) -> list[dict[str, Any]]:
    """The rows of a state."""
    parts = [data[start : start + PIECE] for start in range(0, len(data), PIECE)]
    return [
        {"match": match, "number": number, "piece": piece, "pieces": len(parts), "turn": turn, "data": part}
        for piece, part in enumerate(parts)
    ]


def save_piece(row: dict[str, Any]) -> Callable[[Connection], None]:
    """The writing of one piece; a piece that is there already stays, since equal inputs give equal states."""

    def work(connection: Connection) -> None:
        insert_or_ignore(connection, snapshots, row)

    return work


def latest(connection: Connection, match: str, *, turn: int | None = None) -> Found | None:
    """The last whole state, or the last one that was not after the beginning of ``turn``."""
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
    return None if number is None else _whole(connection, match, number)


def earliest(connection: Connection, match: str) -> Found | None:
    """The state in which the match began."""
    return _whole(connection, match, 0)


def _whole(connection: Connection, match: str, number: int) -> Found | None:
    rows = connection.execute(
        select(snapshots.c.turn, snapshots.c.data)
        .where(snapshots.c.match == match, snapshots.c.number == number)
        .order_by(snapshots.c.piece)
    ).all()
    return Found(number, rows[0].turn, b"".join(row.data for row in rows)) if rows else None
