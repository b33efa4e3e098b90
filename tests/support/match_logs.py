"""Comparison of match logs in a database with what their players were promised."""

from collections import Counter
from collections.abc import Iterable, Sequence

from sqlalchemy import Connection

import marchland
from marchland.match import Entry
from marchland.match.orders import merge_posts
from marchland.store.archive_writer import load_logged_posts
from marchland.store.match_log import entries_from, posts_of, receipt_of
from marchland.store.snapshots import earliest
from tests.support.posting_players import PostingPlayer


def check_promises(connection: Connection, players: Sequence[PostingPlayer]) -> None:
    """Every acknowledged post is stored once, in the turn of its receipt; nothing refused or unknown is stored."""
    for player in players:
        for key, receipt in player.receipts.items():
            stored = receipt_of(connection, player.match, player.seat, key, receipt.turn, receipt.turn)
            assert stored == receipt, f"{player.match} seat {player.seat} {key}: {stored} is stored, not {receipt}"
        keys = Counter(stored_keys(connection, player))
        assert [key for key, times in keys.items() if times > 1] == []
        assert keys.keys() & player.refused == set()
        assert keys.keys() - player.receipts.keys() <= player.unanswered.keys()


def stored_keys(connection: Connection, player: PostingPlayer) -> Iterable[str]:
    """The keys of a seat's posts in all turns."""
    return [post.key for post in load_logged_posts(connection, player.match) if post.seat == player.seat]


def replay_log(connection: Connection, match: str) -> list[Entry]:
    """Play a match's posts again on its first snapshot: every turn once, each with the digest of its entry."""
    began = earliest(connection, match)
    assert began is not None
    entries = entries_from(connection, match, 0)
    assert [entry.turn for entry in entries] == list(range(began.turn, began.turn + len(entries)))
    game = marchland.restore(began.data)
    for entry in entries:
        turn_posts = posts_of(connection, match, entry.turn)
        game.step(merge_posts(type(game), turn_posts))
        assert game.digest() == entry.digest, f"turn {entry.turn} of {match}"
        last = {post.seat: len(post.orders) for post in turn_posts}  # a later post of a turn replaces the earlier ones
        played = Counter(int(seat) for seat in entry.decode_orders().table[0])
        assert {seat: played[seat] for seat in last} == last
    return entries
