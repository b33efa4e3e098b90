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
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

import marchland
from marchland.core.compression import zstd
from marchland.core.replay import Replay
from marchland.errors import OwnershipLost, Refused, ReplayError
from marchland.match import Entry, EntryKind, Post, SeatTiming
from marchland.match.history import apply_entry, to_recording
from marchland.match.log import packed_bytes
from marchland.messages import Receipt
from marchland.registry import find
from marchland.store.ids import new_id
from marchland.store.schema import archives, matches, posts
from marchland.store.snapshots import CHUNK_BYTES, StoredSnapshot, earliest, latest

_LEVEL = 9
_MAX_CACHED, _MAX_CACHED_BYTES = 8, 1_000_000
"""Number and size of archives that stay open, since a viewer reads one many times."""
_encode = msgspec.msgpack.Encoder().encode


_cache: "OrderedDict[str, ArchivedMatch]" = OrderedDict()
_cache_lock = threading.Lock()


class _EntryRest(msgspec.Struct, frozen=True, array_like=True):
    """What the replay does not hold of an entry."""

    kind: EntryKind
    turn: int
    seq: int
    at: float
    lateness: float
    seats: list[SeatTiming]
    name: str
    seat: int
    key: str
    answer: bytes
    digest: str
    """Of a late joiner; the replay has those of turns and actions."""


class _ArchivedPost(msgspec.Struct, frozen=True, array_like=True):
    """A row of the table of posts, in the order of arrival."""

    turn: int
    seat: int
    key: str
    orders: bytes
    """JSON, as it was stored."""
    ready: bool
    received: float

    def post(self) -> Post:
        """The post itself."""
        return Post(self.turn, self.seat, self.key, msgspec.json.decode(self.orders), self.ready, self.received)


class _Log(msgspec.Struct, frozen=True, array_like=True):
    entries: list[_EntryRest]
    posts: list[_ArchivedPost]


class Archive(NamedTuple):
    """The two parts of an archive as bytes."""

    replay: bytes
    log: bytes


class ArchivedMatch:
    """Reads an archive like the tables that it replaces."""

    def __init__(self, match: str, archive: Archive) -> None:
        self._name = f"The archive of match {match}"
        self._archive = archive

    @cached_property
    def replay(self) -> Replay:
        """The ``.march`` file, opened."""
        return Replay(Path(self._name), find, self._archive.replay)

    @cached_property
    def _log(self) -> _Log:
        try:
            return msgspec.msgpack.decode(zstd.decompress(self._archive.log), type=_Log)
        except (msgspec.MsgspecError, zstd.ZstdError) as problem:
            raise ReplayError(f"{self._name} is damaged: {problem}.") from None

    @cached_property
    def _inputs_before(self) -> list[int]:
        """For each entry the number of turns and actions before it; the last item is for the end."""
        counts = [0]
        for rest in self._log.entries:
            counts.append(counts[-1] + (rest.kind != "join"))
        return counts

    def count_entries(self) -> int:
        """The number of entries."""
        return len(self._log.entries)

    def entries(self, first: int = 0, turn: int | None = None) -> list[Entry]:
        """The entries from number ``first`` on, up to those of ``turn``."""
        numbers = range(first, len(self._log.entries))
        return [self._entry(number) for number in numbers if turn is None or self._log.entries[number].turn <= turn]

    def _entry(self, number: int) -> Entry:
        rest, is_last = self._log.entries[number], number == len(self._log.entries) - 1
        joined = rest.kind == "join"
        inputs = self.replay.inputs
        place = self._inputs_before[number]
        if not joined and place >= len(inputs):
            raise ReplayError(f"{self._name} is damaged: its replay lacks entry {number}.")
        return Entry(
            index=number,
            kind=rest.kind,
            turn=rest.turn,
            seq=rest.seq,
            orders=b"" if joined else packed_bytes(inputs[place].orders),
            digest=rest.digest if joined else inputs[place].digest,
            at=rest.at,
            lateness=rest.lateness,
            seats=rest.seats,
            name=rest.name,
            seat=rest.seat,
            key=rest.key,
            answer=rest.answer,
            outcome=self.replay.end.outcome if is_last else None,
        )

    def states(self) -> list[StoredSnapshot]:
        """The snapshots, in order."""
        return [self._state(index) for index in self.replay.snapshot_indexes]

    def state_before(self, turn: int | None) -> StoredSnapshot:
        """The last snapshot, or the last one at or before the start of ``turn``."""
        found = [index for index in self.replay.snapshot_indexes if turn is None or self._is_before(index, turn)]
        if not found:
            raise Refused("no_such_turn", f"The match has no turn {turn}; it began later.")
        return self._state(found[-1])

    def _is_before(self, index: int, turn: int) -> bool:
        number, snapshot_turn = self._position_of(index)
        is_turn_start = number == 0 or self._log.entries[number - 1].kind == "turn"
        return snapshot_turn < turn or (snapshot_turn == turn and is_turn_start)

    def _position_of(self, index: int) -> tuple[int, int]:
        """The number of entries before a snapshot, and its turn."""
        number = self._inputs_before.index(index) if index else 0
        if number == 0:
            return 0, self.replay.first_turn
        rest = self._log.entries[number - 1]
        return number, rest.turn + (rest.kind == "turn")

    def _state(self, index: int) -> StoredSnapshot:
        return StoredSnapshot(*self._position_of(index), self.replay.saved_state(index).state)

    def posts(self, first: int, last: int, seat: int | None = None) -> list[Post]:
        """The posts of the turns from ``first`` to ``last``, of one seat or of all, in the order of arrival."""
        return [row.post() for row in self._log.posts if first <= row.turn <= last and seat in (None, row.seat)]

    def receipt(self, seat: int, key: str, first: int, last: int) -> Receipt | None:
        """The receipt of an idempotency key in these turns."""
        known = (row for row in self._log.posts if (row.seat, row.key) == (seat, key) and first <= row.turn <= last)
        return next((row.post().receipt() for row in known), None)

    def answer(self, seat: int, key: str) -> bytes | None:
        """The response to an immediate action."""
        return next(
            (rest.answer for rest in self._log.entries if rest.key and (rest.seat, rest.key) == (seat, key)), None
        )

    def verify(self) -> None:
        """Play the match again from its first state; `ReplayError` where a digest or a snapshot differs."""
        states = {state.number: state.data for state in self.states()}
        game = marchland.restore(states[0], trusted=True)
        for entry in self.entries():
            apply_entry(game, entry)
            saved = states.get(entry.index + 1)
            if saved is not None and marchland.restore(saved, trusted=True).digest() != entry.digest:
                raise ReplayError(f"{self._name} is damaged: its snapshot after entry {entry.index} is another state.")
        if game.outcome != self.replay.end.outcome:
            raise ReplayError(f"{self._name} is damaged: it ends otherwise than it says.")


# ---------------------------------------------------------------- making archives


class LoggedMatch(NamedTuple):
    """The rows of a finished match."""

    state: StoredSnapshot
    entries: Sequence[Entry]
    posts: Sequence[_ArchivedPost]


def load_logged_posts(connection: Connection, match: str) -> list[_ArchivedPost]:
    """All posts of a match, in the order of arrival, their orders not decoded."""
    query = select(posts.c.turn, posts.c.seat, posts.c.key, posts.c.orders, posts.c.ready, posts.c.received)
    rows = connection.execute(query.where(posts.c.match == match).order_by(posts.c.number))
    return [_ArchivedPost(row.turn, row.seat, row.key, row.orders, row.ready, row.received) for row in rows]


def make_archive(match: str, logged: LoggedMatch) -> Archive:
    """The archive of a match; `ReplayError` unless everything can be read from it and it plays to the same digests."""
    recording = to_recording(marchland.restore(logged.state.data, trusted=True), logged.entries)
    log = _Log([_rest_of(entry) for entry in logged.entries], list(logged.posts))
    archive = Archive(recording.to_bytes(), zstd.compress(_encode(log), _LEVEL))
    archived = ArchivedMatch(match, archive)
    if archived.entries() != list(logged.entries) or archived._log != log:
        raise ReplayError(f"Match {match} cannot be archived: its archive would not hold all of its log.")
    archived.verify()
    return archive


def _rest_of(entry: Entry) -> _EntryRest:
    return _EntryRest(
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


class Attempt:
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


# ---------------------------------------------------------------- reading


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
        raise Refused("not_found", f"There is no match {match!r}.")
    if storage in ("dropping", "dropped", "deleting"):
        raise Refused("replay_deleted", "The replay of this match was deleted; its result remains.")
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
