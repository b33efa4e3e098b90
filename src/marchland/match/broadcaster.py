"""Broadcasts one game to its readers: frames are computed and encoded once for each audience."""

import time

import msgspec

from marchland.core.game import Game
from marchland.core.report import Report
from marchland.match.audience import Audience, crop, only_cells
from marchland.match.subscription import Subscription
from marchland.match.views import EncodedViews, ViewEncoder, ViewStamp
from marchland.messages import MatchState, News, Raw

OWN_VIEW_PRICE = 0.1
"""What a player pays for its own view of a turn, as a share of what others pay for it."""
_encode = msgspec.json.Encoder().encode


class Broadcaster:
    """The readers of one game as it stands."""

    def __init__(self, game: Game, encoder: ViewEncoder) -> None:
        self.game = game
        self.views = EncodedViews(game, encoder)
        self.subscriptions: list[Subscription] = []
        self._audiences: dict[int | None, Audience] = {}
        self._key_frames: dict[int | None, Raw] = {}
        """Encoded key frames of the whole board, computed since the last input."""
        self._seen_by_player: dict[int, ViewStamp] = {}
        """By seat, the last state whose view its player got."""
        self._legend: Raw | None = None
        self.alive: list[bool] = self.game.alive()

    @property
    def legend(self) -> Raw:
        """The game's legend, encoded once."""
        if self._legend is None:
            self._legend = Raw(_encode(self.game.legend()))
        return self._legend

    @property
    def is_idle(self) -> bool:
        """Whether a broadcast computes no pictures."""
        return not self.subscriptions and not any(audience.is_active for audience in self._audiences.values())

    def subscribe(self, subscription: Subscription, state: MatchState, closes: float | None) -> None:
        """Add a reader; its first news is a key frame, or the frames since the position at which it resumes."""
        self.subscriptions.append(subscription)
        if subscription.frames:
            self._activate(self._audience_of(subscription))
        if not self._resume(subscription, state, closes):
            self.refresh(subscription, state, closes)

    def unsubscribe(self, subscription: Subscription) -> None:
        """Remove a reader."""
        if subscription in self.subscriptions:
            self.subscriptions.remove(subscription)

    def refresh(self, subscription: Subscription, state: MatchState, closes: float | None) -> None:
        """Send one reader the current state, with a key frame."""
        subscription.needs_key_frame = True
        self._offer(subscription, self._news(subscription, None, None, False, state, closes))

    def set_chunks(
        self, subscription: Subscription, chunks: frozenset[int] | None, state: MatchState, closes: float | None
    ) -> None:
        """Narrow a reader's frames to some chunks, or widen them; cells of chunks that are new to it follow at once."""
        before, subscription.chunks = subscription.chunks, chunks
        if subscription.needs_key_frame or before is None or chunks is None:
            self.refresh(subscription, state, closes)
            return
        audience = self._activate(self._audience_of(subscription))
        frame = Raw(_encode(only_cells(audience.key_frame(chunks - before))))
        self._offer(subscription, self._news(subscription, None, frame, False, state, closes))

    def broadcast(self, report: Report, late: set[int], state: MatchState, closes: float | None) -> None:
        """Send every reader what one input did."""
        self._key_frames.clear()
        subscriptions = list(self.subscriptions)
        read = {self._audience_of(subscription) for subscription in subscriptions if subscription.frames}
        advanced = {seat: audience.advance(report, is_read=seat in read) for seat, audience in self._audiences.items()}
        frames = {seat: frame for seat, frame in advanced.items() if frame is not None and seat in read}
        encoded = {seat: Raw(_encode(frame)) for seat, frame in frames.items()}
        self.alive = self.game.alive()
        shared: dict[int | None, bytes] = {}
        for subscription in subscriptions:
            if not subscription.has_room:
                subscription.skip()
                continue
            seat = self._audience_of(subscription)
            is_late = subscription.seat in late
            is_shared = subscription.frames and not (_has_own_content(subscription) or is_late)
            if is_shared and seat in shared:
                subscription.offer(shared[seat])
                continue
            frame = encoded.get(seat)
            if subscription.frames and subscription.chunks is not None and not subscription.needs_key_frame:
                frame = Raw(_encode(crop(frames[seat], subscription.chunks)))
            message = self._offer(subscription, self._news(subscription, report, frame, is_late, state, closes))
            if is_shared:
                shared[seat] = message

    async def load_views(self) -> None:
        """Compute the views that the next broadcast needs."""
        readers = [subscription for subscription in self.subscriptions if subscription.views and subscription.has_room]
        for seat in {subscription.seat for subscription in readers}:
            await (await self.views.begin(seat))

    def restart(self, state: MatchState, closes: float | None) -> None:
        """Send key frames to all readers, after a change that a delta cannot express, like a larger board."""
        self._key_frames.clear()
        self._legend = None
        self.alive = self.game.alive()
        for audience in self._audiences.values():
            if audience.is_active:
                audience.reset()
        for subscription in list(self.subscriptions):
            if subscription.has_room:
                self.refresh(subscription, state, closes)
            else:
                subscription.skip()

    def close_seat(self, seat: int, reason: str) -> None:
        """End the streams of the readers of one seat."""
        for subscription in self.subscriptions:
            if subscription.seat == seat:
                subscription.close(reason)

    def close(self, reason: str) -> None:
        """End all streams."""
        for subscription in self.subscriptions:
            subscription.close(reason)
        self.subscriptions.clear()

    def _resume(self, subscription: Subscription, state: MatchState, closes: float | None) -> bool:
        """Send a reader the frames it has missed, if they are still there."""
        audience = self._audiences.get(self._audience_of(subscription))
        if audience is None or subscription.resume_at is None or not subscription.frames:
            return False
        missed = audience.frames_since(subscription.resume_at)
        if missed is None:
            return False
        subscription.needs_key_frame = False
        chunks = subscription.chunks
        *earlier, last = [frame if chunks is None else crop(frame, chunks) for frame in missed]
        for frame in earlier:
            news = News(turn=frame.turn, seq=frame.seq, state="running", now=time.time(), frame=Raw(_encode(frame)))
            subscription.offer(_encode(news))
        self._offer(subscription, self._news(subscription, None, Raw(_encode(last)), False, state, closes))
        return True

    def _offer(self, subscription: Subscription, news: News) -> bytes:
        """Queue news for one reader; returns them encoded."""
        message = _encode(news)
        subscription.offer(message, price=0.0 if news.view is None else self._view_price(subscription))
        return message

    def _view_price(self, subscription: Subscription) -> float:
        """Less for the first view of a state that the seat's own player gets: the match was admitted with its size."""
        seat, stamp = subscription.seat, self.views.stamp()
        if seat is None or not subscription.is_own or self._seen_by_player.get(seat) == stamp:
            return 1.0
        self._seen_by_player[seat] = stamp
        return OWN_VIEW_PRICE

    def _activate(self, seat: int | None) -> Audience:
        """The audience of a seat, or of everyone, with the game as it stands."""
        if seat not in self._audiences:
            self._audiences[seat] = Audience(self.game, seat)
        audience = self._audiences[seat]
        if not audience.is_active:
            audience.reset()
        return audience

    def _audience_of(self, subscription: Subscription) -> int | None:
        """Without fog every seat sees what spectators see, so all of them share their frames."""
        return subscription.seat if self.game.fogged else None

    def _key_frame(self, seat: int | None, chunks: frozenset[int] | None) -> Raw:
        audience = self._activate(seat)
        if chunks is not None:
            return Raw(_encode(audience.key_frame(chunks)))
        if seat not in self._key_frames:
            self._key_frames[seat] = Raw(_encode(audience.key_frame()))
        return self._key_frames[seat]

    def _news(
        self,
        subscription: Subscription,
        report: Report | None,
        frame: Raw | None,
        late: bool,
        state: MatchState,
        closes: float | None,
    ) -> News:
        if subscription.needs_key_frame and subscription.frames:
            frame = self._key_frame(self._audience_of(subscription), subscription.chunks)
        subscription.needs_key_frame = False
        seat = subscription.seat
        results = report.results.get(seat, []) if report and subscription.results and seat is not None else None
        reports = report.player_reports.get(seat) if report and subscription.results and seat is not None else None
        return News(
            turn=self.game.turn,
            seq=self.game.seq,
            state=state,
            now=time.time(),
            closes=closes,
            frame=frame if subscription.frames else None,
            view=Raw(self.views.get(seat, is_own=subscription.is_own)) if subscription.views else None,
            results=None if results is None else Raw(_encode(results)),
            reports=Raw(_encode(reports)) if reports else None,
            late=late,
            outcome=self.game.outcome,
        )


def _has_own_content(subscription: Subscription) -> bool:
    """Whether a reader's message differs from that of others in its audience."""
    return subscription.needs_key_frame or subscription.views or subscription.results or subscription.chunks is not None
