"""Archives of finished matches: the ``.march`` file, and compressed what the API promises beyond it.

``matches.storage`` says where a match is:

* ``log``: in the tables of posts, entries and snapshots.
* ``moving``: in its archive, which is complete; the rows in those tables are being deleted.
* ``archive``: in its archive only.
* ``dropping``, ``dropped``: the replay is being deleted, or was; the result stays.
* ``deleting``: everything is being deleted.

An archive is in the database, not in files beside it, so that one backup has everything and the switch from the log to
the archive is one transaction. The ``.march`` file has the packed orders, digests and snapshots. It lacks what only the
server knows: the orders in the words of their sender, idempotency keys with receipts and answers, times and latencies.
Those are in the part ``log``, which is never served.
"""

import threading
from collections import OrderedDict

from sqlalchemy import Connection, select

from marchland.errors import Refused
from marchland.store.archived_match import Archive, ArchivedMatch
from marchland.store.schema import archives, matches
from marchland.store.snapshots import StoredSnapshot, earliest, latest

_MAX_CACHED, _MAX_CACHED_BYTES = 8, 1_000_000
"""Number and size of archives that stay open, since a viewer reads one many times."""
_cache: OrderedDict[str, ArchivedMatch] = OrderedDict()
_cache_lock = threading.Lock()


def find_archive(connection: Connection, match: str) -> ArchivedMatch | None:
    """The archive of a match; None while it is in its log. Call it after reading the log.

    Rows of the log are deleted only after the switch, so what was read before it is complete. Refused if the replay was
    deleted.
    """
    if not is_archived(connection, match):
        return None
    attempt = connection.execute(select(archives.c.attempt).where(archives.c.match == match).limit(1)).scalar() or ""
    with _cache_lock:
        if attempt in _cache:
            return _cache[attempt]
    archive = load_archive(connection, match)
    if archive is None:
        return None
    archived = ArchivedMatch(match, archive)
    if len(archive.replay) + len(archive.log) <= _MAX_CACHED_BYTES:
        with _cache_lock:
            _cache[attempt] = archived
            while len(_cache) > _MAX_CACHED:
                _cache.popitem(last=False)
    return archived


def is_archived(connection: Connection, match: str) -> bool:
    """Whether a match is read from its archive; refused if its replay was deleted."""
    storage = connection.execute(select(matches.c.storage).where(matches.c.id == match)).scalar()
    if storage is None:
        raise Refused("not_found", "no_such_match", match=match)
    if storage in ("dropping", "dropped", "deleting"):
        raise Refused("replay_deleted", "replay_deleted")
    return storage in ("moving", "archive")


def load_archive(connection: Connection, match: str) -> Archive | None:
    """The bytes of a match's archive, if it has one."""
    if not is_archived(connection, match):
        return None
    parts: dict[str, list[bytes]] = {"replay": [], "log": []}
    pieces = select(archives.c.part, archives.c.data).where(archives.c.match == match)
    for row in connection.execute(pieces.order_by(archives.c.part, archives.c.piece)):
        parts[row.part].append(row.data)
    return Archive(*(b"".join(data) for data in (parts["replay"], parts["log"])))


def latest_state(connection: Connection, match: str, *, turn: int | None = None) -> StoredSnapshot | None:
    """The last snapshot of a match, or the last one at or before the start of ``turn``."""
    state = latest(connection, match, turn=turn)
    archive = find_archive(connection, match)
    return state if archive is None else archive.state_before(turn)


def first_state(connection: Connection, match: str) -> StoredSnapshot | None:
    """The snapshot of the start."""
    state = earliest(connection, match)
    archive = find_archive(connection, match)
    return state if archive is None else archive.states()[0]
