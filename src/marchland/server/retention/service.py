"""Retention: finished matches move into archives, posts of closed turns into blocks, expired matches are deleted.

Free space is returned to the file system. One node at a time does all this, one match at a time. Every step is a short
transaction, and what a crash interrupts is found by its ``storage`` and finished.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection

from marchland.errors import MarchlandError, OwnershipLost
from marchland.server.matches import queries as match_queries
from marchland.server.retention import queries
from marchland.server.retention.queries import Expired, Unarchived
from marchland.server.settings import Settings
from marchland.store import Database, post_blocks
from marchland.store.archive_writer import ArchiveWriter, LoggedMatch, load_logged_posts, make_archive
from marchland.store.match_log import entries_from
from marchland.store.snapshots import earliest
from marchland.store.space import database_bytes, has_returnable_pages, vacuum_step
from marchland.store.writer import Lock

_SETTLE = 60.0
"""Seconds between the end of a match and its archive: replicas catch up, clients repeat their last request."""
_ARCHIVES_PER_TICK = 1
_BLOCKS_PER_TICK = 20
_DELETIONS_PER_TICK = 20
_VACUUM_STEPS_PER_TICK = 20
_IDLE_SECONDS = 5.0
"""Between two passes while nothing is archived, and before the first one."""
_FIGURES_AGE = 15.0

log = logging.getLogger(__name__)


class StorageFigures(NamedTuple):
    """What the metrics say about the database."""

    database_bytes: int
    archive_bytes: int
    oldest_match: float | None
    """When it was created, in seconds since 1970."""


class Work(NamedTuple):
    """What one pass has done."""

    archived: int
    deleted: int
    replays_deleted: int


class RetentionService:
    """Applies the policy of the settings.

    ``is_loaded`` says whether a game can be replayed, ``is_read`` whether a match has readers on this node.
    ``on_deleted`` is called with each deleted match.
    """

    def __init__(
        self,
        store: Database,
        settings: Settings,
        is_loaded: Callable[[str], bool] = lambda game: True,
        is_read: Callable[[str], bool] = lambda match: False,
        on_deleted: Callable[[str], None] = lambda match: None,
    ) -> None:
        self._store = store
        self._settings = settings
        self._is_loaded = is_loaded
        self._is_read = is_read
        self._on_deleted = on_deleted
        self._unarchivable: set[str] = set()
        self._next_pass = time.monotonic() + _IDLE_SECONDS
        self._figures: StorageFigures | None = None
        self._figures_until = 0.0

    async def tick(self, now: float) -> None:
        """One bounded pass, as a background task."""
        if time.monotonic() < self._next_pass:
            return
        await self._finish_interrupted()
        archived = await self._archive(now, _ARCHIVES_PER_TICK)
        compacted = await self._compact_posts(_BLOCKS_PER_TICK)
        await self._delete_expired(now, _DELETIONS_PER_TICK)
        await self._return_space(_VACUUM_STEPS_PER_TICK)
        self._next_pass = time.monotonic() + (0.0 if archived or compacted else _IDLE_SECONDS)

    async def apply(self, now: float) -> Work:
        """Do everything that is due at once."""
        await self._finish_interrupted()
        archived = await self._archive(now, None)
        while await self._compact_posts(_BLOCKS_PER_TICK):
            pass
        done = Work(archived, *await self._delete_expired(now, None))
        await self._return_space(None)
        return done

    async def figures(self) -> StorageFigures:
        """Figures that are at most some seconds old."""
        if self._figures is None or time.monotonic() >= self._figures_until:
            self._figures = await self._store.read(_read_figures)
            self._figures_until = time.monotonic() + _FIGURES_AGE
        return self._figures

    # ---------------------------------------------------------------- archives

    async def _archive(self, now: float, limit: int | None) -> int:
        """Archive matches that are over, the oldest first; returns how many."""
        done = 0
        skipped: set[str] = set()
        while limit is None or done < limit:
            but = [*self._unarchivable, *skipped]
            due = await self._store.read(partial(queries.list_unarchived, before=now - _SETTLE, but=but, limit=1))
            if not due:
                break
            if not self._is_loaded(due[0].game):
                skipped.add(due[0].match)
                continue
            if await self._archive_one(due[0]):
                done += 1
        return done

    async def _archive_one(self, due: Unarchived) -> bool:
        logged = await self._store.read(partial(_load_logged, match=due.match))
        try:
            if logged is None:
                raise MarchlandError("It has no first state.")
            archive = await asyncio.to_thread(make_archive, due.match, logged)
        except MarchlandError as problem:  # of a game that has changed since, for example: it stays in its log
            log.error("a match cannot be archived", extra={"match": due.match, "error": str(problem)})
            self._unarchivable.add(due.match)
            return False
        writer, lock = ArchiveWriter(due.match, archive), Lock(due.match, exclusive=True)
        try:
            for piece in writer.pieces:
                await self._store.write(partial(writer.write_piece, piece=piece), lock)
            await self._store.write(partial(_switch, writer=writer, match=due.match), lock)
        except OwnershipLost:  # deleted, or archived by another node
            return False
        await self._finish_moving(due.match)
        log.info("match archived", extra={"match": due.match, "bytes": sum(map(len, archive))})
        return True

    async def _finish_moving(self, match: str) -> None:
        while not await self._store.write(partial(_delete_log, match=match)):
            pass

    async def _compact_posts(self, limit: int) -> int:
        """Compress posts of closed turns of running matches; returns the number of blocks."""
        done = 0
        for match in await self._store.read(partial(post_blocks.list_uncompacted, limit=limit)):
            block = await self._store.read(partial(post_blocks.make_block, match=match))
            if block is not None:
                move = partial(post_blocks.move_to_block, match=match, block=block)
                with contextlib.suppress(OwnershipLost):
                    await self._store.write(move, Lock(match, exclusive=True))
                    done += 1
        return done

    # ---------------------------------------------------------------- deletion

    async def _delete_expired(self, now: float, limit: int | None) -> tuple[int, int]:
        """Delete what has expired; returns the numbers of matches and of replays."""
        read = partial(queries.list_expired, settings=self._settings, now=now, limit=limit)
        counts = {"match": 0, "replay": 0}
        for expired in await self._store.read(read):
            if not self._is_read(expired.match) and await self._delete(expired):
                counts[expired.what] += 1
        return counts["match"], counts["replay"]

    async def _delete(self, expired: Expired) -> bool:
        storage = "deleting" if expired.what == "match" else "dropping"
        marked = partial(queries.mark, match=expired.match, storage=storage)
        if not await self._store.write(marked, Lock(expired.match, exclusive=True)):
            return False
        await self._finish(expired.match, storage)
        log.info(f"{expired.what} deleted", extra={"match": expired.match, "why": expired.why})
        return True

    async def _finish_interrupted(self) -> None:
        for match, storage in await self._store.read(queries.list_interrupted):
            await self._finish(match, storage)

    async def _finish(self, match: str, storage: str) -> None:
        if storage == "moving":
            await self._finish_moving(match)
            return
        for delete_slice in (queries.delete_log_slice, queries.delete_archive_slice):
            while not await self._store.write(partial(delete_slice, match=match)):
                pass
        if storage == "dropping":
            finish = partial(queries.finish_storage, match=match, before="dropping", storage="dropped")
            await self._store.write(finish)
            return
        if await self._store.write(partial(match_queries.delete_match, match=match), Lock(match, exclusive=True)):
            self._on_deleted(match)

    async def _return_space(self, limit: int | None) -> None:
        """Return free pages of a SQLite file in small steps."""
        steps = 0
        while (limit is None or steps < limit) and await self._store.read(has_returnable_pages):
            await self._store.write(vacuum_step)
            steps += 1


def _load_logged(connection: Connection, match: str) -> LoggedMatch | None:
    state = earliest(connection, match)
    if state is None:
        return None
    return LoggedMatch(state, entries_from(connection, match, 0), load_logged_posts(connection, match))


def _switch(connection: Connection, writer: ArchiveWriter, match: str) -> None:
    """Switch to the archive; a log of few rows is deleted in the same transaction."""
    writer.switch(connection)
    _delete_log(connection, match)


def _delete_log(connection: Connection, match: str) -> bool:
    is_empty = queries.delete_log_slice(connection, match)
    if is_empty:
        queries.finish_storage(connection, match, "moving", "archive")
    return is_empty


def _read_figures(connection: Connection) -> StorageFigures:
    return StorageFigures(
        database_bytes(connection), queries.archive_bytes(connection), queries.oldest_match(connection)
    )
