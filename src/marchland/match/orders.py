"""Posts of the open turn: limits, receipts, readiness, and how they merge into the turn's orders."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from marchland.core.game import Game
from marchland.errors import Refused
from marchland.match.errors import TooManyPosts, TooMuchPosted
from marchland.match.log import MatchLog, Post
from marchland.messages import Receipt

REMEMBERED_TURNS = 10
"""Turns for which the idempotency key of a post that names no turn is known."""


def merge_posts(kind: type[Game], posts: Iterable[Post]) -> dict[int, list[Any]]:
    """The orders of every seat that posted, by seat; `Game.merging` says what a second post does to the first."""
    by_seat: dict[int, list[Post]] = {}
    for post in posts:
        by_seat.setdefault(post.seat, []).append(post)
    return {seat: _merge(kind, by_seat[seat]) for seat in sorted(by_seat)}


def _merge(kind: type[Game], posts: Sequence[Post]) -> list[Any]:
    """The orders of one seat; from the last post to the first, so that each order is looked at once."""
    if kind.merging == "replace":
        return posts[-1].orders
    merged: list[list[Any]] = []
    replaced: set[str | None] = set()
    for post in reversed(posts):
        orders = post.orders
        if kind.merging == "unit":
            units = [_unit(order, kind.unit_parameters) for order in orders]
            orders = [order for order, unit in zip(orders, units, strict=True) if unit not in replaced]
            replaced.update(unit for unit in units if unit is not None)
        merged.append(orders)
    return [order for orders in reversed(merged) for order in orders]


def _unit(order: Any, parameters: Sequence[str]) -> str | None:
    """What names the unit of an order; None for an order that names none."""
    if not isinstance(order, dict):
        return None
    return next((repr(order[name]) for name in parameters if name in order), None)


class PostLimits(NamedTuple):
    """The most that one seat may post for one turn."""

    posts: float = math.inf
    orders: float = math.inf
    """In games where the posts of a turn add up; otherwise only the last one is played."""
    bytes: float = math.inf


NO_LIMITS = PostLimits()


class _Posted(NamedTuple):
    """What one seat has posted for one turn."""

    posts: int = 0
    orders: int = 0
    bytes: int = 0

    def add(self, post: Post, sign: int = 1) -> "_Posted":
        return _Posted(self.posts + sign, self.orders + sign * post.size, self.bytes + sign * len(post.encoded))


_NOTHING = _Posted()


class PendingOrders:
    """The posts of the open turn, the seats that are ready, and the receipts of the last turns."""

    def __init__(self, log: MatchLog, kind: type[Game], limits: PostLimits) -> None:
        self.ready: set[int] = set()
        self.bot_posts: dict[int, Post] = {}
        """Orders of built-in bots for the open turn, by seat: not in the log before the turn ends."""
        self._log = log
        self._limits = limits._replace(orders=math.inf) if kind.merging == "replace" else limits
        self._posted: dict[tuple[int, int], _Posted] = {}
        """By turn and seat: posts that are stored or being stored."""
        self._posts: dict[int, list[Post]] = {}
        self._receipts: dict[int, dict[tuple[int, str], Receipt]] = {}

    async def store(self, post: Post, closes: float | None) -> Receipt:
        """Write a post to the log. Beyond the limits, only a repetition of an earlier post is answered."""
        if (refusal := self._check_limits(post, closes)) is not None:
            known = await self._log.receipt(post.seat, post.key, post.turn, post.turn)
            if known is None:
                raise refusal
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
        self._posted = {key: posted for key, posted in self._posted.items() if key[0] > turn}
        self._receipts.pop(turn - REMEMBERED_TURNS, None)

    def _check_limits(self, post: Post, closes: float | None) -> Refused | None:
        """The refusal of a post that is beyond a limit."""
        before, limits = self._posted.get((post.turn, post.seat), _NOTHING), self._limits
        if before.posts >= limits.posts:
            return TooManyPosts(post.seat, post.turn, limits.posts, closes)
        if before.orders + post.size > limits.orders:
            return TooMuchPosted(post.seat, post.turn, before.orders, post.size, limits.orders, "orders")
        if before.bytes + len(post.encoded) > limits.bytes:
            return TooMuchPosted(post.seat, post.turn, before.bytes, len(post.encoded), limits.bytes, "bytes")
        return None

    def _reserve(self, post: Post) -> None:
        """Count a post before it is written, so that parallel posts cannot exceed the limits."""
        self._posted[post.turn, post.seat] = self._posted.get((post.turn, post.seat), _NOTHING).add(post)

    def _release(self, post: Post) -> None:
        """Undo `_reserve` for a post that was not written."""
        before = self._posted.pop((post.turn, post.seat), _NOTHING)
        if before.posts > 1:
            self._posted[post.turn, post.seat] = before.add(post, sign=-1)
