"""SQL of retention: what is to be archived, what has expired, deletion in slices."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Table, and_, case, delete, exists, func, or_, select, tuple_, update

from marchland.server.settings import Settings
from marchland.store.schema import (
    archives,
    entries,
    matches,
    post_blocks,
    posts,
    rooms,
    season_games,
    seats,
    snapshots,
    wire_rooms,
)

_DAY = 86_400.0
_FINISHED = ("over", "broken")
_OFFICIAL = or_(*(matches.c.room.startswith(slot) for slot in ("round/", "season/", "tournament/")))
"""Matches of rounds, seasons and tournaments; a room's name has no slash."""
_SLICE_ROWS = 1_000
_SLICE_PIECES = 8
"""Rows that one transaction deletes, so that turns need not wait long for it; pieces have 256 kB each."""


class Expired(msgspec.Struct, frozen=True):
    """A match that the policy deletes, wholly or only its replay, and the reason."""

    match: str
    room: str | None
    ended: float | None
    what: str
    """``match`` or ``replay``."""
    why: str


class Unarchived(NamedTuple):
    """A finished match that is still in its log."""

    match: str
    game: str


def list_unarchived(connection: Connection, before: float, but: Sequence[str], limit: int | None) -> list[Unarchived]:
    """Matches that ended before that time and are not archived, the oldest first."""
    query = select(matches.c.id, matches.c.game).where(
        matches.c.storage == "log", matches.c.state == "over", matches.c.ended < before, matches.c.id.not_in(but)
    )
    return [Unarchived(*row) for row in connection.execute(query.order_by(matches.c.ended).limit(limit))]


def list_interrupted(connection: Connection) -> list[tuple[str, str]]:
    """Matches of which rows are being deleted, with their storage: a crash may have stopped that."""
    query = select(matches.c.id, matches.c.storage).where(matches.c.storage.in_(("moving", "dropping", "deleting")))
    return [(row.id, row.storage) for row in connection.execute(query)]


# ---------------------------------------------------------------- policy


def list_expired(connection: Connection, settings: Settings, now: float, limit: int | None = None) -> list[Expired]:
    """What the policy deletes now, the oldest first."""
    found = [
        *_beyond_room_limit(connection, settings, limit),
        *_too_old_without_people(connection, now, settings.days_without_people, limit),
        *_too_old_with_people(connection, now, settings.days_with_people, limit),
        *_replays_too_old(connection, now, settings.round_replay_days, limit),
    ]
    return sorted(found, key=lambda expired: expired.ended or 0.0)[:limit]


def _beyond_room_limit(connection: Connection, settings: Settings, limit: int | None) -> list[Expired]:
    """A room's own limit counts all its matches, the server's only those without people."""
    counted = (
        select(
            matches.c.id,
            matches.c.room,
            matches.c.ended,
            func.coalesce(rooms.c.keep, settings.room_matches).label("keep"),
            func.row_number().over(partition_by=matches.c.room, order_by=matches.c.created.desc()).label("rank"),
        )
        .join(rooms, rooms.c.name == matches.c.room, isouter=True)
        .where(_is_in_room(), _is_deletable(), or_(rooms.c.keep.is_not(None), ~_has_people()))
        .subquery()
    )
    query = select(counted).where(counted.c.rank > counted.c.keep).order_by(counted.c.ended).limit(limit)
    return [
        Expired(row.id, row.room, row.ended, "match", f"its room keeps {row.keep}") for row in connection.execute(query)
    ]


def _too_old_without_people(connection: Connection, now: float, days: float | None, limit: int | None) -> list[Expired]:
    if days is None:
        return []
    which = and_(_is_deletable(), matches.c.room.is_(None), ~_has_people())
    return _older(connection, now, days, limit, which, "match", "without people")


def _too_old_with_people(connection: Connection, now: float, days: float | None, limit: int | None) -> list[Expired]:
    """Matches with people, in a room or not; a room that has a limit of its own decides itself."""
    if days is None:
        return []
    limited = exists().where(rooms.c.name == matches.c.room, rooms.c.keep.is_not(None))
    which = and_(_is_deletable(), or_(matches.c.room.is_(None), _is_in_room()), ~limited, _has_people())
    return _older(connection, now, days, limit, which, "match", "with people")


def _replays_too_old(connection: Connection, now: float, days: float | None, limit: int | None) -> list[Expired]:
    if days is None:
        return []
    which = and_(_OFFICIAL, matches.c.state == "over", matches.c.storage == "archive", ~_has_unfinished_fork())
    return _older(connection, now, days, limit, which, "replay", "of a round, season or tournament")


def _older(
    connection: Connection, now: float, days: float, limit: int | None, which: Any, what: str, why: str
) -> list[Expired]:
    query = select(matches.c.id, matches.c.room, matches.c.ended).where(matches.c.ended < now - days * _DAY, which)
    rows = connection.execute(query.order_by(matches.c.ended).limit(limit))
    return [Expired(row.id, row.room, row.ended, what, f"{why}, older than {days:g} days") for row in rows]


def _is_in_room() -> Any:
    return and_(matches.c.room.is_not(None), ~_OFFICIAL)


def _is_deletable() -> Any:
    """Finished, in no slot, and not the origin of a match that is still played."""
    slots = [table.alias() for table in (rooms, wire_rooms, season_games)]  # not those of an outer query
    in_slot = or_(*(exists().where(slot.c.match == matches.c.id) for slot in slots))
    stored = matches.c.storage.in_(("log", "archive", "dropped"))
    return and_(matches.c.state.in_(_FINISHED), stored, ~in_slot, ~_has_unfinished_fork())


def _has_unfinished_fork() -> Any:
    fork = matches.alias("fork")
    return exists().where(fork.c.forked_from == matches.c.id, fork.c.state.not_in(_FINISHED))


def _has_people() -> Any:
    return exists().where(seats.c.match == matches.c.id, seats.c.kind.in_(("human", "bot")))


# ---------------------------------------------------------------- deletion


def mark(connection: Connection, match: str, storage: str) -> bool:
    """Begin the deletion of a match or its replay; False if that is not allowed any more."""
    changed = connection.execute(
        update(matches)
        .where(matches.c.id == match, matches.c.storage.in_(("log", "archive", "dropped")))
        .where(matches.c.state.in_(_FINISHED), ~_has_unfinished_fork())
        .values(storage=storage)
    )
    return changed.rowcount == 1


def delete_log_slice(connection: Connection, match: str) -> bool:
    """Delete some rows of a match's log; True when none is left."""
    return all(
        _delete_slice(connection, table, match, limit)
        for table, limit in (
            (posts, _SLICE_ROWS),
            (post_blocks, _SLICE_PIECES),
            (entries, _SLICE_ROWS),
            (snapshots, _SLICE_PIECES),
        )
    )


def delete_archive_slice(connection: Connection, match: str) -> bool:
    """Delete some pieces of a match's archive; True when none is left."""
    return _delete_slice(connection, archives, match, _SLICE_PIECES)


def _delete_slice(connection: Connection, table: Table, match: str, limit: int) -> bool:
    key = list(table.primary_key.columns)
    some = table.alias()
    first = select(*(some.c[column.name] for column in key)).where(some.c.match == match).limit(limit)
    deleted = connection.execute(delete(table).where(table.c.match == match, tuple_(*key).in_(first)))
    return deleted.rowcount < limit


def finish_storage(connection: Connection, match: str, before: str, storage: str) -> None:
    """Set the storage after the last slice."""
    which = matches.c.id == match, matches.c.storage == before
    connection.execute(update(matches).where(*which).values(storage=storage))


# ---------------------------------------------------------------- figures


def oldest_match(connection: Connection) -> float | None:
    """When the oldest match was created."""
    states = (matches.c.state == state for state in ("lobby", "running", *_FINISHED))  # each by the index
    times = [connection.execute(select(func.min(matches.c.created)).where(state)).scalar() for state in states]
    return min((time for time in times if time is not None), default=None)


def archive_bytes(connection: Connection) -> int:
    """The size of all archives."""
    return int(connection.execute(select(func.coalesce(func.sum(func.length(archives.c.data)), 0))).scalar_one())


class MatchCount(msgspec.Struct, frozen=True):
    """Matches of one slot in one state."""

    room: str | None
    state: str
    storage: str
    matches: int
    oldest: float
    """Seconds since 1970."""


def count_matches(connection: Connection) -> list[MatchCount]:
    """Matches by room, state and storage; those of rounds and seasons together."""
    slot = case((_OFFICIAL, "rounds and seasons"), else_=matches.c.room).label("slot")
    query = select(slot, matches.c.state, matches.c.storage, func.count(), func.min(matches.c.created))
    rows = connection.execute(query.group_by(slot, matches.c.state, matches.c.storage))
    found = [MatchCount(*row) for row in rows]
    return sorted(found, key=lambda count: (count.room or "", count.state, count.storage))
