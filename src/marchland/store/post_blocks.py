"""Posts of closed turns of running matches, in compressed blocks of whole turns.

A match may run for months, and its players may post many times in a turn. Every acknowledged post stays readable, but
after its turn it is hardly ever read: one compressed row holds the posts of many turns in a tenth of the space. A turn
is either in the table of posts or in a block, never in both: one transaction moves it.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, delete, func, insert, or_, select

from marchland.core.compression import decompress, zstd
from marchland.errors import OwnershipLost
from marchland.store.archived_match import ArchivedPost
from marchland.store.schema import matches, post_blocks, posts

RECENT_TURNS = 20
"""Closed turns that stay in the table: clients repeat posts that were not answered, and nodes load the last turns."""
_MIN_POSTS, _MIN_BYTES = 256, 65_536
"""What a match has in the table before it is worth a block."""
_MAX_POSTS = 1_024
"""Posts of a block, unless one turn alone has more: the transaction that moves them holds other writes up."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[ArchivedPost]).decode


class Block(NamedTuple):
    """Posts of whole turns, and their compressed form."""

    first: int
    last: int
    posts: int
    data: bytes


def list_uncompacted(connection: Connection, limit: int) -> list[str]:
    """Running matches with enough posts of closed turns for a block."""
    query = (
        select(posts.c.match)
        .join(matches, matches.c.id == posts.c.match)
        .where(matches.c.state == "running", posts.c.turn < matches.c.open_turn - RECENT_TURNS)
        .group_by(posts.c.match)
        .having(or_(func.count() >= _MIN_POSTS, func.sum(func.length(posts.c.orders)) >= _MIN_BYTES))
        .limit(limit)
    )
    return list(connection.execute(query).scalars())


def make_block(connection: Connection, match: str) -> Block | None:
    """A block of the oldest posts in the table; None if no turn is old enough."""
    open_turn = connection.execute(select(matches.c.open_turn).where(matches.c.id == match)).scalar_one()
    per_turn = select(posts.c.turn, func.count()).where(posts.c.match == match, posts.c.turn < open_turn - RECENT_TURNS)
    first, last, count = None, 0, 0
    for turn, in_turn in connection.execute(per_turn.group_by(posts.c.turn).order_by(posts.c.turn)):
        if first is not None and count + in_turn > _MAX_POSTS:
            break
        first, last, count = turn if first is None else first, turn, count + in_turn
    if first is None:
        return None
    moved = load_rows(connection, match, first, last)
    return Block(first, last, len(moved), zstd.compress(_encode(moved)))


def move_to_block(connection: Connection, match: str, block: Block) -> None:
    """Replace the posts of closed turns by their block."""
    moved = connection.execute(
        delete(posts).where(posts.c.match == match, posts.c.turn.between(block.first, block.last))
    )
    if moved.rowcount != block.posts:  # deleted meanwhile, or moved by another node
        raise OwnershipLost(match)
    connection.execute(
        insert(post_blocks).values(match=match, first_turn=block.first, last_turn=block.last, data=block.data)
    )


def load_rows(connection: Connection, match: str, first: int, last: int) -> list[ArchivedPost]:
    """The posts of these turns that are in the table, in the order of arrival, their orders not decoded."""
    columns = (posts.c.turn, posts.c.seat, posts.c.key, posts.c.orders, posts.c.ready, posts.c.received)
    which = posts.c.match == match, posts.c.turn.between(first, last)
    return [ArchivedPost(*row) for row in connection.execute(select(*columns).where(*which).order_by(posts.c.number))]


def read_blocks(connection: Connection, match: str, first: int, last: int) -> Sequence[ArchivedPost]:
    """The posts of these turns that are in blocks, in the order of arrival within each turn."""
    query = select(post_blocks.c.data).where(
        post_blocks.c.match == match, post_blocks.c.first_turn <= last, post_blocks.c.last_turn >= first
    )
    found = connection.execute(query.order_by(post_blocks.c.first_turn)).scalars()
    return [post for data in found for post in _decode(decompress(data)) if first <= post.turn <= last]
