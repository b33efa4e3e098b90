"""SQL of ownership: leases of matches, seats that are ready."""

import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, and_, delete, or_, select, update

from marchland.messages import SeatInfo
from marchland.store.database import database_now
from marchland.store.schema import leases, matches, posts, seats

SEAT_COLUMNS = tuple(seats.c[name] for name in SeatInfo.__struct_fields__)
"""The columns of a seat in the order of its message."""


def claim(connection: Connection, match: str, node: str, lease: float) -> int | None:
    """Make ``node`` the owner of a running match for ``lease`` seconds; its epoch, or None if another holds it."""
    now = database_now(connection)
    changed = connection.execute(
        update(matches)
        .where(matches.c.id == match, matches.c.state == "running", _is_free(node, now))
        .values(owner=node, epoch=matches.c.epoch + 1, lease=now + lease)
    )
    if changed.rowcount != 1:
        return None
    return int(connection.execute(select(matches.c.epoch).where(matches.c.id == match)).scalar_one())


def list_claimable(connection: Connection, node: str) -> list[str]:
    """The running matches without an owner."""
    now = database_now(connection)
    is_not_ours = matches.c.owner.is_distinct_from(node)
    query = select(matches.c.id).where(matches.c.state == "running", _is_free(node, now), is_not_ours)
    return list(connection.execute(query).scalars())


def renew(connection: Connection, node: str, lease: float) -> set[str]:
    """Renew the leases of all matches that ``node`` owns; returns those matches."""
    now = database_now(connection)
    owned = and_(matches.c.owner == node, matches.c.state == "running")
    connection.execute(update(matches).where(owned).values(lease=now + lease))
    return set(connection.execute(select(matches.c.id).where(owned)).scalars())


def release(connection: Connection, node: str) -> None:
    """Give up all leases of ``node``, so that another node can take over at once."""
    connection.execute(update(matches).where(matches.c.owner == node).values(owner=None, lease=0.0))


def release_all(connection: Connection) -> None:
    """Clear all ownership (single-node SQLite start-up)."""
    connection.execute(update(matches).values(owner=None, lease=0.0))
    connection.execute(delete(leases))


def mark_broken(connection: Connection, match: str, node: str) -> None:
    """Mark a match as broken, if ``node`` still owns it."""
    owned = and_(matches.c.id == match, matches.c.owner == node)
    connection.execute(update(matches).where(owned).values(state="broken", ended=time.time()))


def list_ready_seats(connection: Connection, matches_: Sequence[str]) -> list[tuple[str, int, int]]:
    """The seats of these matches that are ready in the open turn, on any node: match, turn, seat."""
    query = (
        select(posts.c.match, posts.c.turn, posts.c.seat)
        .join(matches, and_(matches.c.id == posts.c.match, matches.c.open_turn == posts.c.turn))
        .where(posts.c.match.in_(matches_), posts.c.ready)
    )
    return [(row.match, row.turn, row.seat) for row in connection.execute(query)]


def state_of(connection: Connection, match: str) -> str | None:
    """The state of a match; None if there is no such match."""
    return connection.execute(select(matches.c.state).where(matches.c.id == match)).scalar()


def seats_of(connection: Connection, match: str) -> list[SeatInfo]:
    """The seats of a match in order."""
    query = select(*SEAT_COLUMNS).where(seats.c.match == match).order_by(seats.c.seat)
    return [SeatInfo(*row) for row in map(tuple, connection.execute(query).all())]


def _is_free(node: str, now: float) -> Any:
    return or_(matches.c.owner.is_(None), matches.c.owner == node, matches.c.lease < now)
