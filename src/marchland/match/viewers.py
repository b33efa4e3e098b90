"""All readers of a match: seats and live spectators on one broadcaster, delayed spectators on another."""

from collections.abc import Sequence

from marchland.core.game import Game
from marchland.core.report import Report
from marchland.match.broadcaster import Broadcaster
from marchland.match.delayed import DelayedSpectators
from marchland.match.spectator_policy import SpectatorPolicy
from marchland.match.subscription import Subscription
from marchland.match.views import EncodedViews, ViewEncoder
from marchland.messages import MatchState, Raw


class Viewers:
    """Routes each reader to the broadcaster that shows what it may see."""

    def __init__(self, game: Game, policy: SpectatorPolicy, encoder: ViewEncoder) -> None:
        self._game = game
        self._live = Broadcaster(game, encoder)
        self._delayed = None if policy.is_live else DelayedSpectators(game, policy.delay, encoder)

    @property
    def legend(self) -> Raw:
        """What a viewer needs once to draw every frame, as JSON."""
        return self._live.legend

    @property
    def alive(self) -> Sequence[bool]:
        """By seat, whether the player can still act."""
        return self._live.alive

    @property
    def is_idle(self) -> bool:
        """Whether a broadcast computes nothing for readers."""
        return self._live.is_idle and self._delayed is None

    def broadcast(self, report: Report, late: set[int], state: MatchState, closes: float | None) -> None:
        """Send every reader what one input did."""
        self._live.broadcast(report, late, state, closes)
        if self._delayed is not None:
            self._delayed.advance(report, state)

    def add_player(self, name: str, state: MatchState, closes: float | None) -> None:
        """Send key frames with one player more."""
        self._live.restart(state, closes)
        if self._delayed is not None:
            self._delayed.add_player(name)

    def subscribe(self, subscription: Subscription, state: MatchState, closes: float | None) -> None:
        """Add a reader; its first news is the current state."""
        if subscription.seat is None and self._delayed is not None:
            self._delayed.subscribe(subscription, state)
        else:
            self._live.subscribe(subscription, state, closes)

    def set_chunks(
        self, subscription: Subscription, chunks: Sequence[int] | None, state: MatchState, closes: float | None
    ) -> None:
        """Narrow a reader's frames to a part of the board."""
        wanted = None if chunks is None else frozenset(chunks)
        broadcaster = self._broadcaster_of(subscription)
        if broadcaster is not None:
            broadcaster.set_chunks(subscription, wanted, state, closes)
        else:
            subscription.chunks = wanted

    def refresh_if_behind(self, subscription: Subscription, state: MatchState, closes: float | None) -> None:
        """Send the current state to a slow reader that has emptied its queue: the match may be waiting for it."""
        broadcaster = self._broadcaster_of(subscription)
        if broadcaster is not None and subscription.needs_refresh:
            broadcaster.refresh(subscription, state, closes)

    def unsubscribe(self, subscription: Subscription) -> None:
        """Remove a reader."""
        self._live.unsubscribe(subscription)
        if self._delayed is not None:
            self._delayed.unsubscribe(subscription)

    def close_seat(self, seat: int, reason: str) -> None:
        """End the streams of the readers of one seat."""
        self._live.close_seat(seat, reason)

    def count_readers(self) -> int:
        """The number of subscriptions."""
        return len(self._live.subscriptions) + (self._delayed.count_readers() if self._delayed else 0)

    def close(self, reason: str) -> None:
        """End all streams."""
        self._live.close(reason)
        if self._delayed is not None:
            self._delayed.close(reason)

    async def load_views(self) -> None:
        """Compute the views that the next broadcast to seats and live spectators needs."""
        await self._live.load_views()

    def views_for(self, seat: int | None) -> EncodedViews:
        """The views of the game as a seat or a spectator may see it now."""
        if seat is not None or self._delayed is None or self._game.outcome is not None:
            return self._live.views
        if self._delayed.broadcaster is None:
            raise SpectatorPolicy.refusal()
        return self._delayed.broadcaster.views

    def _broadcaster_of(self, subscription: Subscription) -> Broadcaster | None:
        return self._live if self._delayed is None or subscription.seat is not None else self._delayed.broadcaster
