"""A match's journal in the database. Whatever its owner writes counts only as long as it owns the match."""

import asyncio
import itertools
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, and_, insert, select, text, update

from marchland.errors import OwnershipLost
from marchland.match import Entry, ExtraWrite, Post, TooLate
from marchland.messages import Outcome, Receipt
from marchland.store.database import Store
from marchland.store.notify import notify
from marchland.store.schema import entries, matches, posts, results, seats
from marchland.store.snapshots import insert_chunk, split
from marchland.store.writer import Lock

_encode = msgspec.json.Encoder().encode
_encode_entry = msgspec.msgpack.Encoder().encode

_numbers = itertools.count(time.time_ns())
"""For posts, in the order in which this node keeps them; later than those of a process before it."""


class SqlMatchLog:
    """The log of one match for the node that owns it under ``epoch``; -1 reads only."""

    def __init__(self, store: Store, match: str, epoch: int) -> None:
        self._store = store
        self._match = match
        self._epoch = epoch
        self._saving: set[asyncio.Future[Any]] = set()
        self._at_hand: dict[tuple[int, str], Post] = {}
        """Posts of the open turn that arrived at the owner, which saves reading them again."""

    async def add_post(self, post: Post) -> Receipt:
        """Insert a post, in one group commit with other writes."""
        receipt = await insert_post(self._store, self._match, post)
        if self._epoch >= 0 and receipt == post.receipt():  # and not that of an earlier post with this key
            self._at_hand[post.seat, post.key] = post
        return receipt

    async def receipt(self, seat: int, key: str, first: int, last: int) -> Receipt | None:
        """The receipt that was given for a key in these turns."""
        return await self._store.read(lambda connection: receipt_of(connection, self._match, seat, key, first, last))

    async def answer(self, seat: int, key: str) -> bytes | None:
        """The answer that was given to an immediate action."""
        query = select(entries.c.body).where(
            entries.c.match == self._match, entries.c.seat == seat, entries.c.key == key
        )
        body = await self._store.read(lambda connection: connection.execute(query).scalar())
        return None if body is None else entry_of(body).answer

    async def close_turn(self, turn: int, closes: float | None) -> list[Post]:
        """Fix the posts of a turn: none can be added once this is committed."""
        at_hand, self._at_hand = self._at_hand, {}

        def work(connection: Connection) -> list[Post]:
            changed = connection.execute(
                update(matches)
                .where(self._mine(), matches.c.open_turn == turn)
                .values(open_turn=turn + 1, closes=closes)
            )
            if changed.rowcount != 1:
                raise OwnershipLost(self._match)
            known = [at_hand.get(key) for key in keys_of(connection, self._match, turn)]
            whole = [post for post in known if post is not None and post.turn == turn]
            return whole if len(whole) == len(known) else posts_of(connection, self._match, turn)

        found: list[Post] = await self._store.write(work, Lock(self._match, alone=True))
        return found

    async def posts(self, turn: int, seat: int | None = None) -> list[Post]:
        """The posts of a turn so far, of one seat or of all."""
        return await self._store.read(lambda connection: posts_of(connection, self._match, turn, seat))

    async def append(self, entry: Entry, snapshot: bytes | None = None, extra: ExtraWrite | None = None) -> None:
        """Insert an entry; the snapshot after it follows in chunks, so that a large one blocks nothing."""

        def work(connection: Connection) -> None:
            self._insert(connection, entry)
            if extra is not None:
                extra(connection)

        # Other nodes read and change the seats under this lock.
        await self._store.write(work, None if extra is None else Lock(self._match, alone=True))
        if snapshot is not None:
            self._save(entry, snapshot)

    def _insert(self, connection: Connection, entry: Entry) -> None:
        over = {"state": "over", "ended": entry.at, "outcome": _encode(entry.outcome)} if entry.outcome else {}
        changed = connection.execute(
            update(matches)
            .where(self._mine(), matches.c.entries == entry.index)
            .values(entries=entry.index + 1, **over)
        )
        if changed.rowcount != 1:
            raise OwnershipLost(self._match)
        connection.execute(
            insert(entries).values(
                match=self._match,
                number=entry.index,
                turn=entry.turn,
                seat=entry.seat,
                key=entry.key,
                body=_encode_entry(entry),
            )
        )
        late = [seat for seat, one in enumerate(entry.seats) if one.late]
        if late:
            connection.execute(
                update(seats)
                .where(seats.c.match == self._match, seats.c.seat.in_(late))
                .values(missed=seats.c.missed + 1)
            )
        if entry.outcome is not None:
            _save_results(connection, self._match, entry.outcome)
        notify(connection, self._match)

    def _mine(self) -> Any:
        return and_(matches.c.id == self._match, matches.c.epoch == self._epoch)

    def _save(self, entry: Entry, snapshot: bytes) -> None:
        turn = entry.turn + (entry.kind == "turn")
        for piece in split(self._match, entry.index + 1, turn, snapshot):
            saving = asyncio.ensure_future(self._store.write(insert_chunk(piece)))
            self._saving.add(saving)
            saving.add_done_callback(self._saved)

    def _saved(self, saving: "asyncio.Future[Any]") -> None:
        self._saving.discard(saving)
        if not saving.cancelled():
            saving.exception()  # without the snapshot a restart only has more turns to play again


async def insert_post(store: Store, match: str, post: Post) -> Receipt:
    """Keep a post from any node; `TooLate` if its turn is closed by then."""
    receipt: Receipt = await store.write_bulk(accept_posts, (match, post), Lock(match, alone=False))
    return receipt


_ACCEPT = text(
    "INSERT INTO posts (match, turn, seat, key, number, orders, size, ready, received) "
    "SELECT CAST(:match AS VARCHAR), :turn, :seat, CAST(:key AS VARCHAR), :number, :orders, :size, :ready, :received "
    "WHERE EXISTS (SELECT 1 FROM matches "
    "WHERE id = CAST(:match AS VARCHAR) AND open_turn = :turn AND state = 'running') ON CONFLICT DO NOTHING"
)


def accept_posts(connection: Connection, items: Sequence[tuple[str, Post]]) -> list[Receipt | Exception]:
    """Keep many posts at once: a known key gets its first receipt, a closed turn is too late."""
    written = connection.execute(_ACCEPT, [_row(match, post) for match, post in items])
    if written.rowcount == len(items):
        return [post.receipt() for _, post in items]
    return [_receipt_or_refusal(connection, match, post) for match, post in items]


def _receipt_or_refusal(connection: Connection, match: str, post: Post) -> Receipt | TooLate:
    known = receipt_of(connection, match, post.seat, post.key, post.turn, post.turn)
    if known is not None:
        return known
    query = select(matches.c.open_turn).where(matches.c.id == match, matches.c.state == "running")
    return TooLate(post.turn, connection.execute(query).scalar() or post.turn + 1)


def receipt_of(connection: Connection, match: str, seat: int, key: str, first: int, last: int) -> Receipt | None:
    """The receipt that was given for a key in the turns from ``first`` to ``last``."""
    query = select(posts.c.turn, posts.c.size, posts.c.received).where(
        posts.c.match == match, posts.c.turn.between(first, last), posts.c.seat == seat, posts.c.key == key
    )
    row = connection.execute(query).first()
    return None if row is None else Receipt(*row)


def keys_of(connection: Connection, match: str, turn: int) -> list[tuple[int, str]]:
    """Seat and key of the posts of a turn, in the order in which they were kept."""
    query = select(posts.c.seat, posts.c.key).where(posts.c.match == match, posts.c.turn == turn)
    return [(row.seat, row.key) for row in connection.execute(query.order_by(posts.c.number))]


def posts_of(connection: Connection, match: str, turn: int, seat: int | None = None) -> list[Post]:
    """The posts of a turn, of one seat or of all, in the order in which they were kept."""
    which = [posts.c.match == match, posts.c.turn == turn]
    return list(_posts(connection, *which, *([] if seat is None else [posts.c.seat == seat])))


def posts_between(connection: Connection, match: str, seat: int, first: int, last: int) -> dict[int, list[Post]]:
    """The posts of a seat in the turns from ``first`` to before ``last``, by turn."""
    found: dict[int, list[Post]] = {}
    which = posts.c.match == match, posts.c.seat == seat, posts.c.turn >= first, posts.c.turn < last
    for post in _posts(connection, *which):
        found.setdefault(post.turn, []).append(post)
    return found


def _posts(connection: Connection, *which: Any) -> Iterator[Post]:
    """Posts in the order in which they were kept."""
    query = select(posts.c.turn, posts.c.seat, posts.c.key, posts.c.orders, posts.c.ready, posts.c.received)
    for row in connection.execute(query.where(*which).order_by(posts.c.number)):
        yield Post(row.turn, row.seat, row.key, msgspec.json.decode(row.orders), row.ready, row.received)


class OpenTurn(NamedTuple):
    """The open turn of a match, as every node can know it."""

    turn: int
    closes: float | None
    """In seconds since 1970; None in the first turn, and where it waits for everybody."""
    posts: Sequence[Post]
    """What one seat has posted for it."""


def open_turn(connection: Connection, match: str, seat: int) -> OpenTurn:
    """How the open turn stands for a seat, in a match that another node runs."""
    turn, closes = connection.execute(select(matches.c.open_turn, matches.c.closes).where(matches.c.id == match)).one()
    return OpenTurn(turn, closes, posts_of(connection, match, turn, seat))


def entry_of(body: bytes) -> Entry:
    """An entry as it was kept."""
    return msgspec.msgpack.decode(body, type=Entry)


def _row(match: str, post: Post) -> dict[str, Any]:
    return {
        "match": match,
        "turn": post.turn,
        "seat": post.seat,
        "key": post.key,
        "number": next(_numbers),
        "orders": _encode(post.orders),
        "size": len(post.orders),
        "ready": post.ready,
        "received": post.received,
    }


def _save_results(connection: Connection, match: str, outcome: Outcome) -> None:
    sitting = {
        row.seat: row.account
        for row in connection.execute(select(seats.c.seat, seats.c.account).where(seats.c.match == match))
    }
    connection.execute(
        insert(results),
        [
            {
                "match": match,
                "seat": one.player,
                "name": one.name,
                "account": sitting.get(one.player),
                "place": one.place,
                "figures": _encode(one.figures).decode(),
            }
            for one in outcome.ranking
        ],
    )


def entries_from(connection: Connection, match: str, first: int) -> list[Entry]:
    """The entries of a match from number ``first`` on."""
    return entries_until(connection, match, first, None)


def entries_until(connection: Connection, match: str, first: int, turn: int | None) -> list[Entry]:
    """The entries of a match from number ``first`` on, up to those of ``turn``."""
    query = select(entries.c.body).where(entries.c.match == match, entries.c.number >= first)
    if turn is not None:
        query = query.where(entries.c.turn <= turn)
    query = query.order_by(entries.c.number)
    return [entry_of(body) for body in connection.execute(query).scalars()]
