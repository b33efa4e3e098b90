"""Posts of the open turn: limits, receipts, readiness, and how they merge into the turn's orders."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from marchland.core.game import Game
from marchland.match.errors import TooManyPosts
from marchland.match.log import MatchLog, Post
from marchland.messages import Receipt

REMEMBERED_TURNS = 10
"""Turns for which the idempotency key of a post that names no turn is known."""


def merge_posts(kind: type[Game], posts: Iterable[Post]) -> dict[int, list[Any]]:
    """The orders of every seat that posted, by seat; `Game.merging` says what a second post does to the first."""
    if kind.merging == "replace":
        last = {post.seat: post for post in posts}
        return {seat: last[seat].orders for seat in sorted(last)}
    orders: dict[int, list[Any]] = {}
    for post in posts:
        orders[post.seat] = _merge(kind, orders.get(post.seat, []), post.orders)
    return dict(sorted(orders.items()))


def _merge(kind: type[Game], earlier: list[Any], later: list[Any]) -> list[Any]:
    if not earlier:
        return later
    if kind.merging == "append":
        return earlier + later
    replaced = {_unit(order, kind.unit_parameters) for order in later} - {None}
    return [order for order in earlier if _unit(order, kind.unit_parameters) not in replaced] + later


def _unit(order: Any, parameters: Sequence[str]) -> str | None:
    """What names the unit of an order; None for an order that names none."""
    if not isinstance(order, dict):
        return None
    return next((repr(order[name]) for name in parameters if name in order), None)


class PendingOrders:
    """The posts of the open turn, the seats that are ready, and the receipts of the last turns."""

    def __init__(self, log: MatchLog, limit: float = math.inf) -> None:
        self.ready: set[int] = set()
        self.bot_posts: dict[int, Post] = {}
        """Orders of built-in bots for the open turn, by seat: not in the log before the turn ends."""
        self._log = log
        self._limit = limit
        """Posts of one seat in one turn."""
        self._counts: dict[tuple[int, int], int] = {}
        """By turn and seat: posts that are stored or being stored."""
        self._posts: dict[int, list[Post]] = {}
        self._receipts: dict[int, dict[tuple[int, str], Receipt]] = {}

    async def store(self, post: Post, closes: float | None) -> Receipt:
        """Write a post to the log. Beyond the limit, only a repetition of an earlier post is answered."""
        if self._counts.get((post.turn, post.seat), 0) >= self._limit:
            known = await self._log.receipt(post.seat, post.key, post.turn, post.turn)
            if known is None:
                raise TooManyPosts(post.seat, post.turn, self._limit, closes)
            return known
        self._reserve(post)
        try:
            receipt = await self._log.add_post(post)
        except Exception:  # not on cancellation: then the write may have happened
            self._release(post)
            raise
        if receipt != post.receipt():
            self._release(post)
        return receipt

    def note(self, post: Post, receipt: Receipt, *, is_open: bool) -> None:
        """Remember a stored post; in the open turn its orders count, unless it repeats an earlier post."""
        self._receipts.setdefault(receipt.turn, {})[post.seat, post.key] = receipt
        if is_open and receipt == post.receipt():
            self._posts.setdefault(post.seat, []).append(post)

    async def load(self, open_turn: int) -> None:
        """Read what was stored before this object existed: posts of the open turn, keys of the last turns."""
        for turn in range(open_turn - REMEMBERED_TURNS, open_turn + 1):
            for post in await self._log.posts(turn):
                if turn == open_turn:
                    self._reserve(post)
                self.note(post, post.receipt(), is_open=turn == open_turn)

    def receipt_for(self, seat: int, key: str) -> Receipt | None:
        """The receipt of a post of the last turns."""
        identity = (seat, key)
        for known in self._receipts.values():
            if identity in known:
                return known[identity]
        return None

    def posts_of(self, seat: int) -> Sequence[Post]:
        """A seat's posts for the open turn."""
        return self._posts.get(seat, ())

    def close(self, turn: int) -> None:
        """Forget the posts of a turn that has ended."""
        self.ready.clear()
        self.bot_posts.clear()
        self._posts.clear()
        self._counts = {key: count for key, count in self._counts.items() if key[0] > turn}
        self._receipts.pop(turn - REMEMBERED_TURNS, None)

    def _reserve(self, post: Post) -> None:
        """Count a post before it is written, so that parallel posts cannot exceed the limit."""
        self._counts[post.turn, post.seat] = self._counts.get((post.turn, post.seat), 0) + 1

    def _release(self, post: Post) -> None:
        """Undo `_reserve` for a post that was not written."""
        left = self._counts.pop((post.turn, post.seat), 1) - 1
        if left > 0:
            self._counts[post.turn, post.seat] = left
