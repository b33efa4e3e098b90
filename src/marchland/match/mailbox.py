"""What seats have posted: for the open turn, and which keys were used lately."""

import math
from collections.abc import Sequence

from marchland.match.journal import Journal, Post
from marchland.match.refusals import TooManyPosts
from marchland.messages import Receipt

REMEMBERED = 10
"""Turns for which the key of a post that names no turn is known."""


class Mailbox:
    """Posts of the open turn, at most so many of each seat, who is ready in it, and the receipts of the last turns."""

    def __init__(self, journal: Journal, most: float = math.inf) -> None:
        self.ready: set[int] = set()
        self._journal = journal
        self._most = most
        self._counts: dict[tuple[int, int], int] = {}
        """By turn and seat how many posts were kept, or are being kept."""
        self._given: dict[int, list[Post]] = {}
        self._receipts: dict[int, dict[tuple[int, str], Receipt]] = {}

    async def keep(self, post: Post, closes: float | None) -> Receipt:
        """Have a post kept; from a seat that has posted too often, only what repeats an earlier one."""
        if self._counts.get((post.turn, post.seat), 0) >= self._most:
            known = await self._journal.receipt(post.seat, post.key, post.turn, post.turn)
            if known is None:
                raise TooManyPosts(post, self._most, closes)
            return known
        self._expect(post)
        try:
            receipt = await self._journal.accept(post)
        except Exception:  # who goes away meanwhile may have been heard: that still counts
            self._expect_no_more(post)
            raise
        if receipt != post.receipt():
            self._expect_no_more(post)
        return receipt

    def note(self, post: Post, receipt: Receipt, *, is_open: bool) -> None:
        """A post was kept, as its receipt says; in the open turn its orders count, unless it repeats an earlier one."""
        self._receipts.setdefault(receipt.turn, {})[post.seat, post.key] = receipt
        if is_open and receipt == post.receipt():
            self._given.setdefault(post.seat, []).append(post)

    async def recall(self, open_turn: int) -> None:
        """Note what was posted before this object was made: for the open turn, and which keys lately."""
        for turn in range(open_turn - REMEMBERED, open_turn + 1):
            for post in await self._journal.posts(turn):
                if turn == open_turn:
                    self._expect(post)
                self.note(post, post.receipt(), is_open=turn == open_turn)

    def known(self, seat: int, key: str) -> Receipt | None:
        """The receipt of a post of the last turns."""
        return next((known[seat, key] for known in self._receipts.values() if (seat, key) in known), None)

    def given(self, seat: int) -> Sequence[Post]:
        """What a seat has posted for the open turn."""
        return self._given.get(seat, ())

    def close(self, turn: int) -> None:
        """The turn is over: another one opens."""
        self.ready.clear()
        self._given.clear()
        self._counts = {key: count for key, count in self._counts.items() if key[0] > turn}
        self._receipts.pop(turn - REMEMBERED, None)

    def _expect(self, post: Post) -> None:
        """A post is about to be kept: it counts from now on."""
        self._counts[post.turn, post.seat] = self._counts.get((post.turn, post.seat), 0) + 1

    def _expect_no_more(self, post: Post) -> None:
        """A post was not kept, or was kept before."""
        left = self._counts.pop((post.turn, post.seat), 1) - 1
        if left > 0:
            self._counts[post.turn, post.seat] = left
