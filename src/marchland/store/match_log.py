"""A match's log in the database. Writes of the owner are fenced by its epoch; posts may come from any node."""

import asyncio
import functools
import itertools
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, and_, delete, insert, select, update

from marchland.errors import OwnershipLost, Refused
from marchland.match import Closing, Entry, ExtraWrite, Post, TooEarly, TooLate
from marchland.messages import Outcome, Receipt
from marchland.store.archives import find_archive
from marchland.store.database import Database
from marchland.store.notify import notify
from marchland.store.post_blocks import RECENT_TURNS, read_blocks
from marchland.store.schema import entries, matches, posts, results, seats
from marchland.store.snapshots import insert_chunk, split
from marchland.store.writer import Lock

_encode = msgspec.json.Encoder().encode
_encode_entry = msgspec.msgpack.Encoder().encode

_MAX_SEATS = 1_000_000
_numbers = itertools.count(time.time_ns())
"""Numbers of posts, in the order in which this node inserts them; greater than those of earlier processes."""


class SqlMatchLog:
    """The log of one match for the node that owns it under ``epoch``; -1 reads only."""

    def __init__(self, store: Database, match: str, epoch: int) -> None:
        self.is_shared = store.is_shared
        self._store = store
        self._match = match
        self._epoch = epoch
        self._saving: set[asyncio.Future[Any]] = set()
        self._queued_posts: dict[tuple[int, int, str], Post] = {}
        """By turn, seat and key: posts of open turns that arrived at the owner, in the order in which they were queued.

        They are written in that order. A failed one is removed; one that a cancelled caller left behind may stay.
        """
        self._complete_from: int | None = None
        """The first turn whose posts all passed through this object, if the database is not shared."""

    async def add_post(self, post: Post) -> Receipt:
        """Insert a post, in one group commit with other writes."""
        identity = (post.turn, post.seat, post.key)
        is_first = self._epoch >= 0 and self._queued_posts.setdefault(identity, post) is post
        try:
            receipt = await insert_post(self._store, self._match, post)
        except Exception:  # not on cancellation: then the write happens
            if is_first:
                self._queued_posts.pop(identity, None)
            raise
        if is_first and receipt != post.receipt():  # it repeats a post from before this object existed
            self._queued_posts.pop(identity, None)
        return receipt

    async def receipt(self, seat: int, key: str, first: int, last: int) -> Receipt | None:
        """The receipt of an idempotency key in these turns."""

        def read(connection: Connection) -> Receipt | None:
            receipt = receipt_of(connection, self._match, seat, key, first, last)
            archive = None if receipt is not None else find_archive(connection, self._match)
            return receipt if archive is None else archive.receipt(seat, key, first, last)

        return await self._store.read(read)

    async def answer(self, seat: int, key: str) -> bytes | None:
        """The stored response to an immediate action."""
        query = select(entries.c.body).where(
            entries.c.match == self._match, entries.c.seat == seat, entries.c.key == key
        )

        def read(connection: Connection) -> bytes | None:
            body = connection.execute(query).scalar()
            if body is not None:
                return decode_entry(body).answer
            archive = find_archive(connection, self._match)
            return None if archive is None else archive.answer(seat, key)

        return await self._store.read(read)

    async def acting_seats(self, turn: int) -> set[int]:
        """The seats with an immediate action in a turn."""
        query = select(entries.c.seat).where(
            entries.c.match == self._match, entries.c.key != "", entries.c.turn == turn, entries.c.seat >= 0
        )
        return await self._store.read(lambda connection: set(connection.execute(query).scalars()))

    def known_posts(self, turn: int) -> list[Post] | None:
        """All posts of a turn, in the order in which they were queued; None if others may have come another way."""
        if self._complete_from is None or turn < self._complete_from:
            return None
        return [post for post in self._queued_posts.values() if post.turn == turn]

    async def close_turn(self, turn: int, closes: float | None, bot_posts: Sequence[Post] = ()) -> list[Post]:
        """Fix the posts of a turn: none can be added once this is committed."""
        queued_posts = self._queued_posts
        self._forget_posts(turn)
        if not self._store.is_shared:
            self._complete_from = turn + 1

        def work(connection: Connection) -> list[Post]:
            changed = connection.execute(
                update(matches)
                .where(self._is_owner(), matches.c.open_turn == turn)
                .values(open_turn=turn + 1, closes=closes)
            )
            if changed.rowcount != 1:
                raise OwnershipLost(self._match)
            stored = identities_of(connection, self._match, turn)
            found = (queued_posts.get((turn, seat, key)) for seat, key, _ in stored)
            known = [post for post in found if post is not None]
            fixed = known
            if identities(known) != stored:
                fixed = list(_posts(connection, posts.c.match == self._match, posts.c.turn == turn))
            if bot_posts:
                insert_bot_posts(connection, self._match, bot_posts)
            return [*bot_posts, *fixed]

        closed: list[Post] = await self._store.write(work, Lock(self._match, exclusive=True))
        return closed

    async def posts(self, turn: int, seat: int | None = None) -> list[Post]:
        """The posts of a turn so far, of one seat or of all."""
        return await self._store.read(lambda connection: posts_of(connection, self._match, turn, seat))

    async def append(
        self,
        entry: Entry,
        snapshot: bytes | None = None,
        extra: ExtraWrite | None = None,
        closing: Closing | None = None,
    ) -> None:
        """Insert an entry; the snapshot after it follows in chunks, so that a large one blocks nothing."""
        if closing is not None:
            self._forget_posts(entry.turn)

        def work(connection: Connection) -> None:
            self._insert(connection, entry, closing)
            if extra is not None:
                extra(connection)

        # Other nodes read and change the seats under this lock.
        await self._store.write(work, None if extra is None else Lock(self._match, exclusive=True))
        if snapshot is not None:
            self._save(entry, snapshot)

    def _forget_posts(self, turn: int) -> None:
        """Drop the queued posts of a turn that is being closed, and of earlier ones."""
        self._queued_posts = {key: post for key, post in self._queued_posts.items() if post.turn > turn}

    def _insert(self, connection: Connection, entry: Entry, closing: Closing | None) -> None:
        change = update(matches).where(self._is_owner(), matches.c.entries == entry.index)
        values: dict[str, Any] = {"entries": entry.index + 1}
        if closing is not None:
            change = change.where(matches.c.open_turn == entry.turn)
            values |= {"open_turn": entry.turn + 1, "closes": closing.closes}
        if entry.outcome:
            values |= {"state": "over", "ended": entry.at, "outcome": _encode(entry.outcome)}
        if connection.execute(change.values(values)).rowcount != 1:
            raise OwnershipLost(self._match)
        if closing is not None and identities_of(connection, self._match, entry.turn) != identities(closing.posts):
            raise OwnershipLost(self._match)  # a post failed, or came another way: the log decides after a reload
        if closing is None and entry.kind == "turn":
            delete_bot_posts(connection, self._match, entry.turn)
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
        late = [seat for seat, timing in enumerate(entry.seats) if timing.late]
        if late:
            connection.execute(
                update(seats)
                .where(seats.c.match == self._match, seats.c.seat.in_(late))
                .values(missed=seats.c.missed + 1)
            )
        if entry.outcome is not None:
            insert_results(connection, self._match, entry.outcome)
        notify(connection, self._match)

    def _is_owner(self) -> Any:
        return and_(matches.c.id == self._match, matches.c.epoch == self._epoch)

    def _save(self, entry: Entry, snapshot: bytes) -> None:
        turn = entry.turn + (entry.kind == "turn")
        for chunk in split(self._match, entry.index + 1, turn, snapshot):
            saving = asyncio.ensure_future(self._store.write(insert_chunk(chunk)))
            self._saving.add(saving)
            saving.add_done_callback(self._on_saved)

    def _on_saved(self, saving: "asyncio.Future[Any]") -> None:
        self._saving.discard(saving)
        if not saving.cancelled():
            saving.exception()  # retrieved and ignored: without the snapshot a restart only replays more entries


def insert_post(store: Database, match: str, post: Post) -> "asyncio.Future[Receipt]":
    """Insert a post from any node; `TooLate` if its turn is closed by then."""
    return store.write_bulk(insert_posts, (match, post), Lock(match, exclusive=False))


_COLUMNS = ("match", "turn", "seat", "key", "number", "orders", "size", "ready", "received")
_ROWS = 8
"""Rows of one statement: SQLite holds what it needs to undo that many in memory, for more it writes a file."""


@functools.cache
def _insert_if_open(rows: int, mark: str) -> str:
    """Inserts rows whose match and turn, the first two columns, are open."""
    values = ", ".join([f"({', '.join([mark] * len(_COLUMNS))})"] * rows)
    is_open = "SELECT 1 FROM matches WHERE id = column1 AND open_turn = column2 AND state = 'running'"
    return (
        f"INSERT INTO posts ({', '.join(_COLUMNS)}) "
        f"SELECT * FROM (VALUES {values}) AS new WHERE EXISTS ({is_open}) ON CONFLICT DO NOTHING"
    )


def insert_posts(connection: Connection, items: Sequence[tuple[str, Post]]) -> list[Receipt | Exception]:
    """Insert many posts at once: a repeated key gets its first receipt, a closed turn is too late.

    In the driver's own form: for rows as small as these, SQLAlchemy's parameters cost more than the insert. With a
    statement for each row, the writer's thread would wait for the interpreter's lock as often.
    """
    mark = "?" if connection.dialect.paramstyle == "qmark" else "%s"
    written = 0
    for first in range(0, len(items), _ROWS):
        some = items[first : first + _ROWS]
        values = tuple(value for match, post in some for value in _row(match, post, next(_numbers)))
        written += connection.exec_driver_sql(_insert_if_open(len(some), mark), values).rowcount
    if written == len(items):
        return [post.receipt() for _, post in items]
    return [_receipt_or_refusal(connection, match, post) for match, post in items]


def _receipt_or_refusal(connection: Connection, match: str, post: Post) -> Receipt | Refused:
    known = _receipt_in_table(connection, match, post.seat, post.key, post.turn, post.turn)
    if known is not None:
        return known
    query = select(matches.c.open_turn).where(matches.c.id == match, matches.c.state == "running")
    open_turn = connection.execute(query).scalar()
    if open_turn is None or post.turn < open_turn - RECENT_TURNS:
        known = _receipt_in_blocks(connection, match, post.seat, post.key, post.turn, post.turn)
        if known is not None:
            return known
    if open_turn is not None and open_turn < post.turn:  # the close of the turn before could not be written
        return TooEarly(post.turn, open_turn)
    return TooLate(post.turn, open_turn or post.turn + 1)


def insert_bot_posts(connection: Connection, match: str, bot_posts: Iterable[Post]) -> None:
    """Insert the orders of built-in bots for the turn that is being closed, before all others.

    Their numbers are negative: no other post has such a number.
    """
    rows = [_row(match, post, post.seat - _MAX_SEATS) for post in bot_posts]
    connection.execute(insert(posts), [dict(zip(_COLUMNS, row, strict=True)) for row in rows])


def delete_bot_posts(connection: Connection, match: str, turn: int) -> None:
    """Delete the orders of built-in bots: the entry of the turn has them."""
    connection.execute(delete(posts).where(posts.c.match == match, posts.c.turn == turn, posts.c.number < 0))


def receipt_of(connection: Connection, match: str, seat: int, key: str, first: int, last: int) -> Receipt | None:
    """The receipt of an idempotency key in the turns from ``first`` to ``last``."""
    given = connection, match, seat, key, first, last
    return _receipt_in_table(*given) or _receipt_in_blocks(*given)


def _receipt_in_table(connection: Connection, match: str, seat: int, key: str, first: int, last: int) -> Receipt | None:
    query = select(posts.c.turn, posts.c.size, posts.c.received).where(
        posts.c.match == match, posts.c.turn.between(first, last), posts.c.seat == seat, posts.c.key == key
    )
    row = connection.execute(query).first()
    return None if row is None else Receipt(*row)


def _receipt_in_blocks(
    connection: Connection, match: str, seat: int, key: str, first: int, last: int
) -> Receipt | None:
    known = (post for post in read_blocks(connection, match, first, last) if (post.seat, post.key) == (seat, key))
    return next((post.post().receipt() for post in known), None)


_Identity = tuple[int, str, float]
"""Seat, key and time of a post: what two posts of a turn with the same key differ in."""


def identities_of(connection: Connection, match: str, turn: int) -> list[_Identity]:
    """The identities of a turn's posts, in the order in which they were inserted."""
    query = select(posts.c.seat, posts.c.key, posts.c.received).where(posts.c.match == match, posts.c.turn == turn)
    return [(row.seat, row.key, row.received) for row in connection.execute(query.order_by(posts.c.number))]


def identities(some: Iterable[Post]) -> list[_Identity]:
    """The identities of posts."""
    return [(post.seat, post.key, post.received) for post in some]


def posts_of(connection: Connection, match: str, turn: int, seat: int | None = None) -> list[Post]:
    """The posts of a turn, of one seat or of all, in the order in which they were inserted."""
    which = [posts.c.match == match, posts.c.turn == turn]
    found = list(_posts(connection, *which, *([] if seat is None else [posts.c.seat == seat])))
    if not found:
        found = [row.post() for row in read_blocks(connection, match, turn, turn) if seat in (None, row.seat)]
    archive = find_archive(connection, match)
    return found if archive is None else archive.posts(turn, turn, seat)


def posts_between(connection: Connection, match: str, seat: int, first: int, last: int) -> dict[int, list[Post]]:
    """The posts of a seat in the turns from ``first`` to before ``last``, by turn."""
    by_turn: dict[int, list[Post]] = {}
    which = posts.c.match == match, posts.c.seat == seat, posts.c.turn >= first, posts.c.turn < last
    found = list(_posts(connection, *which))
    in_table = {post.turn for post in found}
    in_blocks = (row for row in read_blocks(connection, match, first, last - 1) if row.seat == seat)
    found = [*(row.post() for row in in_blocks if row.turn not in in_table), *found]
    archive = find_archive(connection, match)
    for post in found if archive is None else archive.posts(first, last - 1, seat):
        by_turn.setdefault(post.turn, []).append(post)
    return by_turn


def _posts(connection: Connection, *which: Any) -> Iterator[Post]:
    """Posts in the order in which they were inserted."""
    columns = (posts.c.turn, posts.c.seat, posts.c.key, posts.c.orders, posts.c.size, posts.c.ready, posts.c.received)
    for row in connection.execute(select(*columns).where(*which).order_by(posts.c.number)):
        yield Post(*row)


class OpenTurn(NamedTuple):
    """The open turn of a match, as any node can read it."""

    turn: int
    closes: float | None
    """In seconds since 1970; None in the first turn, and where it ends when all seats are ready."""
    posts: Sequence[Post]
    """The posts of one seat."""


def open_turn(connection: Connection, match: str, seat: int) -> OpenTurn:
    """The open turn for a seat, in a match that another node owns."""
    turn, closes = connection.execute(select(matches.c.open_turn, matches.c.closes).where(matches.c.id == match)).one()
    return OpenTurn(turn, closes, posts_of(connection, match, turn, seat))


def decode_entry(body: bytes) -> Entry:
    """Decode an entry."""
    return msgspec.msgpack.decode(body, type=Entry)


def _row(match: str, post: Post, number: int) -> tuple[Any, ...]:
    """The values of `_COLUMNS`."""
    return match, post.turn, post.seat, post.key, number, post.encoded, post.size, post.ready, post.received


def insert_results(connection: Connection, match: str, outcome: Outcome) -> None:
    """Insert the place and figures of every seat; the rows of the seats are there."""
    accounts = {
        row.seat: row.account
        for row in connection.execute(select(seats.c.seat, seats.c.account).where(seats.c.match == match))
    }
    connection.execute(
        insert(results),
        [
            {
                "match": match,
                "seat": standing.player,
                "name": standing.name,
                "account": accounts.get(standing.player),
                "place": standing.place,
                "figures": _encode(standing.figures).decode(),
            }
            for standing in outcome.ranking
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
    found = [decode_entry(body) for body in connection.execute(query).scalars()]
    archive = find_archive(connection, match)
    return found if archive is None else archive.entries(first, turn)
