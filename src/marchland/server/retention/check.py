"""Checks a database: its pages, every archive, and that each match agrees with its log."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, Engine, func, select

from marchland.errors import MarchlandError
from marchland.messages import Outcome
from marchland.server.matches.outdated import OutdatedMatch, list_outdated
from marchland.store.archived_match import ArchivedMatch
from marchland.store.archives import load_archive
from marchland.store.inspection import has_older_schema
from marchland.store.schema import entries, matches, snapshots


class Checked(NamedTuple):
    """What a check has found."""

    matches: int
    archives: int
    unverifiable: list[str]
    """Archives of an earlier version of their game: intact, but they cannot be replayed."""
    problems: list[str]
    breaking_off: list[OutdatedMatch]
    """Running matches of another version of their game: this version cannot continue them."""


def check_database(engine: Engine, progress: Callable[[int, int], None] = lambda done, total: None) -> Checked:
    """Check everything, one match at a time, so that a running server is not delayed.

    Of a database with an older schema, only the pages are checked, and which matches an upgrade breaks off.
    """
    unverifiable: list[str] = []
    if has_older_schema(engine):  # only what an upgrade would do to it
        with engine.connect() as connection:
            count = connection.execute(select(func.count()).select_from(matches)).scalar_one()
            return Checked(count, 0, [], list(_damaged_pages(connection)), list_outdated(connection))
    with engine.connect() as connection:
        problems = list(_damaged_pages(connection))
        outdated = list_outdated(connection)
        rows = connection.execute(select(matches.c.id, matches.c.storage).order_by(matches.c.created)).all()
    archives = [row for row in rows if row.storage in ("moving", "archive")]
    for done, row in enumerate(rows):
        progress(done, len(rows))
        with engine.connect() as connection:
            try:
                if not _check_match(connection, row.id):
                    unverifiable.append(row.id)
            except MarchlandError as problem:
                if _still_exists(connection, row.id):  # a running server may have deleted it
                    problems.append(f"Match {row.id}: {problem}")
    return Checked(len(rows), len(archives), unverifiable, problems, outdated)


def _damaged_pages(connection: Connection) -> Iterator[str]:
    if connection.dialect.name == "sqlite":
        for (line,) in connection.exec_driver_sql("PRAGMA quick_check").all():
            if line != "ok":
                yield f"SQLite: {line}"


def _still_exists(connection: Connection, match: str) -> bool:
    storage = connection.execute(select(matches.c.storage).where(matches.c.id == match)).scalar()
    return storage not in (None, "deleting", "dropping", "dropped")


def _check_match(connection: Connection, match: str) -> bool:
    """Check one match; False if its archive is intact but of an earlier version of its game."""
    columns = matches.c.storage, matches.c.state, matches.c.entries, matches.c.outcome
    row = connection.execute(select(*columns).where(matches.c.id == match)).first()
    if row is None or row.storage in ("dropping", "dropped", "deleting"):
        return True
    if row.storage == "log":
        _check_log(connection, match, row.entries, has_started=row.state != "lobby")
        return True
    archive = load_archive(connection, match)
    if archive is None:
        raise MarchlandError("its archive is missing.")
    archived = ArchivedMatch(match, archive)
    outcome = msgspec.json.decode(row.outcome, type=Outcome) if row.outcome else None
    if archived.count_entries() != row.entries:
        raise MarchlandError(f"it has {row.entries} entries, its archive {archived.count_entries()}.")
    if archived.replay.end.outcome != outcome:
        raise MarchlandError("its archive ends otherwise than it did.")
    archived.entries()
    try:
        _ = archived.replay.kind
    except MarchlandError:
        return False
    archived.verify()
    return True


def _check_log(connection: Connection, match: str, expected: int, *, has_started: bool) -> None:
    numbers = select(func.count(), func.coalesce(func.max(entries.c.number), -1)).where(entries.c.match == match)
    count, last = connection.execute(numbers).one()
    again = connection.execute(select(matches.c.entries, matches.c.storage).where(matches.c.id == match)).first()
    if again is None or again.storage != "log":  # archived meanwhile
        return
    if not (expected <= count <= again.entries and last == count - 1):
        raise MarchlandError(f"it has {expected} entries, its log {count}, the last with number {last}.")
    first = select(snapshots.c.piece).where(snapshots.c.match == match, snapshots.c.number == 0).limit(1)
    if has_started and connection.execute(first).first() is None:
        raise MarchlandError("its first state is missing.")
