"""The two parts of an archive, and a reader that answers like the tables of posts, entries and snapshots."""

from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import msgspec

import marchland
from marchland.core.compression import zstd
from marchland.core.replay import Replay
from marchland.errors import Refused, ReplayError
from marchland.match import Entry, EntryKind, Post, SeatTiming
from marchland.match.history import apply_entry
from marchland.match.log import packed_bytes
from marchland.messages import Receipt, ranking_of
from marchland.registry import find
from marchland.store.snapshots import StoredSnapshot


class EntryRest(msgspec.Struct, frozen=True, array_like=True):
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


class ArchivedPost(msgspec.Struct, frozen=True, array_like=True):
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
        return Post.encode(self.turn, self.seat, self.key, msgspec.json.decode(self.orders), self.ready, self.received)


class LogPart(msgspec.Struct, frozen=True, array_like=True):
    """The part ``log``: what the replay lacks."""

    entries: list[EntryRest]
    posts: list[ArchivedPost]


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
    def log(self) -> LogPart:
        """The other part, decoded."""
        try:
            return msgspec.msgpack.decode(zstd.decompress(self._archive.log), type=LogPart)
        except (msgspec.MsgspecError, zstd.ZstdError) as problem:
            raise ReplayError(f"{self._name} is damaged: {problem}.") from None

    @cached_property
    def _inputs_before(self) -> list[int]:
        """For each entry the number of turns and actions before it; the last item is for the end."""
        counts = [0]
        for rest in self.log.entries:
            counts.append(counts[-1] + (rest.kind != "join"))
        return counts

    def count_entries(self) -> int:
        """The number of entries."""
        return len(self.log.entries)

    def entries(self, first: int = 0, turn: int | None = None) -> list[Entry]:
        """The entries from number ``first`` on, up to those of ``turn``."""
        numbers = range(first, len(self.log.entries))
        return [self._entry(number) for number in numbers if turn is None or self.log.entries[number].turn <= turn]

    def _entry(self, number: int) -> Entry:
        rest, is_last = self.log.entries[number], number == len(self.log.entries) - 1
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
            raise Refused("no_such_turn", "turn_before_start", turn=turn)
        return self._state(found[-1])

    def _is_before(self, index: int, turn: int) -> bool:
        number, snapshot_turn = self._position_of(index)
        is_turn_start = number == 0 or self.log.entries[number - 1].kind == "turn"
        return snapshot_turn < turn or (snapshot_turn == turn and is_turn_start)

    def _position_of(self, index: int) -> tuple[int, int]:
        """The number of entries before a snapshot, and its turn."""
        number = self._inputs_before.index(index) if index else 0
        if number == 0:
            return 0, self.replay.first_turn
        rest = self.log.entries[number - 1]
        return number, rest.turn + (rest.kind == "turn")

    def _state(self, index: int) -> StoredSnapshot:
        return StoredSnapshot(*self._position_of(index), self.replay.saved_state(index).state)

    def posts(self, first: int, last: int, seat: int | None = None) -> list[Post]:
        """The posts of the turns from ``first`` to ``last``, of one seat or of all, in the order of arrival."""
        return [row.post() for row in self.log.posts if first <= row.turn <= last and seat in (None, row.seat)]

    def receipt(self, seat: int, key: str, first: int, last: int) -> Receipt | None:
        """The receipt of an idempotency key in these turns."""
        known = (row for row in self.log.posts if (row.seat, row.key) == (seat, key) and first <= row.turn <= last)
        return next((row.post().receipt() for row in known), None)

    def answer(self, seat: int, key: str) -> bytes | None:
        """The response to an immediate action."""
        return next(
            (rest.answer for rest in self.log.entries if rest.key and (rest.seat, rest.key) == (seat, key)), None
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
        if ranking_of(game.outcome) != ranking_of(self.replay.end.outcome):
            raise ReplayError(f"{self._name} is damaged: it ends otherwise than it says.")
