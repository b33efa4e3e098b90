"""Where a match is shown: everybody who watches gets what his seat may know, encoded once for each audience."""

import time
from typing import Any

import msgspec

from marchland.core.game import Game
from marchland.core.report import Report
from marchland.core.scene import Picture, delta_frame, frozen, key_frame
from marchland.match.cropping import cells_of, cropped
from marchland.match.subscription import Subscription
from marchland.messages import Frame, MatchState, News, Raw

_encode = msgspec.json.Encoder().encode


class Stage:
    """Shows one game, as it stands, to its subscribers."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.subscribers: list[Subscription] = []
        self._before: dict[int | None, Picture] = {}
        self._keys: dict[int | None, Raw] = {}
        """Key frames of the whole board, encoded, of audiences that have wanted one since the last input."""
        self._legend: Raw | None = None
        self.alive: list[bool] = []
        self._look()

    @property
    def legend(self) -> Raw:
        """The game's legend, encoded once."""
        if self._legend is None:
            self._legend = Raw(_encode(self.game.legend()))
        return self._legend

    def subscribe(self, subscription: Subscription, state: MatchState, closes: float | None) -> None:
        """Add a reader; the first news show everything as it stands."""
        self.subscribers.append(subscription)
        audience = self._audience(subscription)
        if audience not in self._before:
            self._before[audience] = frozen(self.game.picture(audience))
        self.refresh(subscription, state, closes)

    def unsubscribe(self, subscription: Subscription) -> None:
        """Remove a reader."""
        if subscription in self.subscribers:
            self.subscribers.remove(subscription)

    def refresh(self, subscription: Subscription, state: MatchState, closes: float | None) -> None:
        """Tell one reader how the match stands, with a key frame."""
        subscription.stale = True
        subscription.offer(_encode(self._news(subscription, None, None, False, state, closes)))

    def see(self, one: Subscription, chunks: frozenset[int] | None, state: MatchState, closes: float | None) -> None:
        """Narrow a reader's frames to some chunks, or widen them to all; the cells of those new to it come at once."""
        had, one.chunks = one.chunks, chunks
        if one.stale or had is None or chunks is None:
            self.refresh(one, state, closes)
            return
        frame = Raw(_encode(cells_of(key_frame(self.game, self._audience(one), chunks=chunks - had))))
        one.offer(_encode(self._news(one, None, frame, False, state, closes)))

    def show(self, report: Report, late: set[int], state: MatchState, closes: float | None) -> None:
        """Tell everybody what one input did."""
        self._keys.clear()
        frames = {
            audience: self._delta(audience, report)
            for audience in {self._audience(one) for one in self.subscribers if one.frames}
        }
        encoded = {audience: Raw(_encode(frame)) for audience, frame in frames.items()}
        self._look()
        shared: dict[int | None, bytes] = {}
        for one in self.subscribers:
            if not one.has_room:
                one.skip()
                continue
            audience = self._audience(one)
            own = one.stale or one.views or one.results or one.chunks is not None or one.seat in late
            alike = one.frames and not own
            if alike and audience in shared:
                one.offer(shared[audience])
                continue
            frame = encoded.get(audience)
            if one.frames and one.chunks is not None and not one.stale:
                frame = Raw(_encode(cropped(frames[audience], one.chunks)))
            message = _encode(self._news(one, report, frame, one.seat in late, state, closes))
            if alike:
                shared[audience] = message
            one.offer(message)

    def restart(self, state: MatchState, closes: float | None) -> None:
        """Show everything anew, after something that no delta can tell, like a larger board."""
        self._keys.clear()
        self._legend = None
        self._look()
        for audience in self._before:
            self._before[audience] = frozen(self.game.picture(audience))
        for one in self.subscribers:
            if one.has_room:
                self.refresh(one, state, closes)
            else:
                one.skip()

    def send_away(self, seat: int, why: str) -> None:
        """Send those away who look through the eyes of one seat."""
        for one in self.subscribers:
            if one.seat == seat:
                one.close(why)

    def close(self, why: str) -> None:
        """Send every reader away, with the reason."""
        for one in self.subscribers:
            one.close(why)
        self.subscribers.clear()

    def _look(self) -> None:
        """Who still lives."""
        self.alive = self.game.alive()

    def _audience(self, subscription: Subscription) -> int | None:
        """Seats of a game without fog see what spectators see, so all of them share their frames."""
        return subscription.seat if self.game.fogged else None

    def _delta(self, audience: int | None, report: Report) -> Frame:
        after = frozen(self.game.picture(audience))
        before = self._before.get(audience, after)
        self._before[audience] = after
        return delta_frame(self.game, before, after, report.event_rows, audience)

    def _key(self, audience: int | None, chunks: frozenset[int] | None) -> Raw:
        if chunks is not None:
            return Raw(_encode(key_frame(self.game, audience, chunks=chunks)))
        if audience not in self._keys:
            self._keys[audience] = Raw(_encode(key_frame(self.game, audience)))
        return self._keys[audience]

    def _news(
        self,
        one: Subscription,
        report: Report | None,
        frame: Raw | None,
        late: bool,
        state: MatchState,
        closes: float | None,
    ) -> News:
        if one.stale and one.frames:
            frame = self._key(self._audience(one), one.chunks)
        one.stale = False
        view: Any = self.game.view(one.seat) if one.views else None
        results = report.results.get(one.seat, []) if report and one.results and one.seat is not None else None
        return News(
            turn=self.game.turn,
            seq=self.game.seq,
            state=state,
            now=time.time(),
            closes=closes,
            frame=frame if one.frames else None,
            view=Raw(_encode(view)) if one.views else None,
            results=None if results is None else Raw(_encode(results)),
            late=late,
            outcome=self.game.outcome,
        )
