"""Makes the archive of a finished match, verifies it, and switches the match from its log to the archive."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

import marchland
from marchland.core.compression import zstd
from marchland.errors import OwnershipLost, ReplayError
from marchland.match import Entry
from marchland.match.history import to_recording
from marchland.store.archived_match import Archive, ArchivedMatch, ArchivedPost, EntryRest, LogPart
from marchland.store.ids import new_id
from marchland.store.post_blocks import load_rows, read_blocks
from marchland.store.schema import archives, matches
from marchland.store.snapshots import CHUNK_BYTES, StoredSnapshot

_LEVEL = 9
_encode = msgspec.msgpack.Encoder().encode


class LoggedMatch(NamedTuple):
    """The rows of a finished match."""

    state: StoredSnapshot
    entries: Sequence[Entry]
    posts: Sequence[ArchivedPost]


def load_logged_posts(connection: Connection, match: str) -> list[ArchivedPost]:
    """All posts of a match, in the order of arrival within each turn, their orders not decoded."""
    last = connection.execute(select(matches.c.open_turn).where(matches.c.id == match)).scalar_one()
    rows = load_rows(connection, match, 0, last)
    in_table = {row.turn for row in rows}  # those may be in a block, too, if they were moved since
    return [*(row for row in read_blocks(connection, match, 0, last) if row.turn not in in_table), *rows]


def make_archive(match: str, logged: LoggedMatch) -> Archive:
    """The archive of a match; `ReplayError` unless everything can be read from it and it plays to the same digests."""
    recording = to_recording(marchland.restore(logged.state.data, trusted=True), logged.entries)
    log = LogPart([_rest_of(entry) for entry in logged.entries], list(logged.posts))
    archive = Archive(recording.to_bytes(), zstd.compress(_encode(log), _LEVEL))
    archived = ArchivedMatch(match, archive)
    if archived.entries() != list(logged.entries) or archived.log != log:
        raise ReplayError(f"Match {match} cannot be archived: its archive would not hold all of its log.")
    archived.verify()
    return archive


def _rest_of(entry: Entry) -> EntryRest:
    return EntryRest(
        entry.kind,
        entry.turn,
        entry.seq,
        entry.at,
        entry.lateness,
        entry.seats,
        entry.name,
        entry.seat,
        entry.key,
        entry.answer,
        entry.digest if entry.kind == "join" else "",
    )


class ArchiveWriter:
    """Writes an archive in pieces, each a short transaction, then switches to it.

    Another node may archive the same match, if this one lost its lease: the pieces of one attempt win as a whole.
    """

    def __init__(self, match: str, archive: Archive) -> None:
        self._match = match
        self._id = new_id()
        self.pieces = [
            {
                "match": match,
                "part": part,
                "piece": piece,
                "attempt": self._id,
                "data": data[start : start + CHUNK_BYTES],
            }
            for part, data in archive._asdict().items()
            for piece, start in enumerate(range(0, len(data), CHUNK_BYTES))
        ]

    def write_piece(self, connection: Connection, piece: dict[str, Any]) -> None:
        """Write a piece; the first one removes what an earlier attempt left."""
        self._require_log(connection)
        if piece is self.pieces[0]:
            connection.execute(delete(archives).where(archives.c.match == self._match))
        connection.execute(insert(archives).values(piece))

    def switch(self, connection: Connection) -> None:
        """Read the match from its archive from now on."""
        self._require_log(connection)
        query = select(archives.c.attempt).where(archives.c.match == self._match)
        if list(connection.execute(query).scalars()) != [self._id] * len(self.pieces):
            raise OwnershipLost(self._match)
        connection.execute(update(matches).where(matches.c.id == self._match).values(storage="moving"))

    def _require_log(self, connection: Connection) -> None:
        query = select(matches.c.id).where(
            matches.c.id == self._match, matches.c.storage == "log", matches.c.state == "over"
        )
        if connection.execute(query).first() is None:
            raise OwnershipLost(self._match)
