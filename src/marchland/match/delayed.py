"""Spectators of a match with fog: they see it some turns late, or when it is over."""

import time
from collections import deque

import msgspec

from marchland.core.game import Game
from marchland.core.orders import Packed
from marchland.core.report import Report
from marchland.match.broadcaster import Broadcaster
from marchland.match.subscription import Subscription
from marchland.match.views import ViewEncoder
from marchland.messages import MatchState, News


class DelayedSpectators:
    """Broadcasts a second copy of the game, ``delay`` turns behind; without a delay nothing before the end."""

    def __init__(self, game: Game, delay: int | None, encoder: ViewEncoder) -> None:
        self._game = game
        self._encoder = encoder
        self._delay = delay
        self._copy = None if delay is None else game.copy()
        self._backlog: deque[tuple[Packed | str, bool]] = deque()
        """Inputs that are not shown yet, and whether each is a turn."""
        self._backlog_turns = 0
        self._waiting: list[Subscription] = []
        """Readers while nothing may be shown."""
        self.broadcaster: Broadcaster | None = None
        """None as long as nothing is old enough, also after a restart."""

    def advance(self, report: Report, state: MatchState) -> None:
        """Record one more input, and broadcast what is old enough."""
        self._record(report.orders.copy(), is_turn=report.turn < self._game.turn)
        if state == "over":
            self._catch_up_to_end()
        elif self._copy is not None and self._delay is not None:
            if self.broadcaster is None and self._backlog_turns >= self._delay:
                self._open(self._copy, state)
            while self._backlog_turns > self._delay:
                self._broadcast_next(state)
        for subscription in self._waiting:
            subscription.offer(_bare_news(self._game.turn, state))

    def add_player(self, name: str) -> None:
        """Record a late joiner."""
        self._record(name, is_turn=False)

    def subscribe(self, subscription: Subscription, state: MatchState) -> None:
        """Add a reader, which may have to wait."""
        if state == "over":
            self._catch_up_to_end()
        if self.broadcaster is not None:
            self.broadcaster.subscribe(subscription, state, None)
        else:
            self._waiting.append(subscription)
            subscription.offer(_bare_news(self._game.turn, state))

    def unsubscribe(self, subscription: Subscription) -> None:
        """Remove a reader."""
        if subscription in self._waiting:
            self._waiting.remove(subscription)
        if self.broadcaster is not None:
            self.broadcaster.unsubscribe(subscription)

    def count_readers(self) -> int:
        """The number of subscriptions."""
        return len(self._waiting) + (len(self.broadcaster.subscriptions) if self.broadcaster else 0)

    def close(self, reason: str) -> None:
        """End all streams."""
        for subscription in self._waiting:
            subscription.close(reason)
        self._waiting.clear()
        if self.broadcaster is not None:
            self.broadcaster.close(reason)

    def _record(self, orders: Packed | str, *, is_turn: bool) -> None:
        if self._copy is not None:
            self._backlog.append((orders, is_turn))
            self._backlog_turns += is_turn

    def _broadcast_next(self, state: MatchState) -> None:
        assert self.broadcaster is not None
        orders, is_turn = self._backlog.popleft()
        self._backlog_turns -= is_turn
        if isinstance(orders, str):
            self.broadcaster.game.join(orders)
            self.broadcaster.restart(state, None)
            return
        game = self.broadcaster.game
        self.broadcaster.broadcast(
            game.step(orders) if is_turn else game.apply_packed_action(orders), set(), state, None
        )

    def _catch_up_to_end(self) -> None:
        """Show everything: the match is over."""
        if self.broadcaster is None:
            self._backlog.clear()
            self._open(self._game, "over")
        while self._backlog:
            self._broadcast_next("over")

    def _open(self, game: Game, state: MatchState) -> None:
        self.broadcaster = Broadcaster(game, self._encoder)
        waiting, self._waiting = self._waiting, []
        for subscription in waiting:
            self.broadcaster.subscribe(subscription, state, None)


def _bare_news(turn: int, state: MatchState) -> bytes:
    """News without content."""
    return msgspec.json.encode(News(turn=turn, seq=0, state=state, now=time.time()))
