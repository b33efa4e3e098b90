"""Where a match is shown: everybody who watches gets what his seat may know, encoded once for each audience."""

import time
from typing import Any

import msgspec

from marchland.core.game import Game
from marchland.core.report import Report
from marchland.match.audience import Audience
from marchland.match.cropping import cells_of, cropped
from marchland.match.subscription import Subscription
from marchland.messages import MatchState, News, Raw

_encode = msgspec.json.Encoder().encode


class Stage:
    """Shows one game, as it stands, to its subscribers."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.subscribers: list[Subscription] = []
        self._audiences: dict[int | None, Audience] = {}
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
        """Add a reader; the first news show everything as it stands, or what happened since he was here."""
        self.subscribers.append(subscription)
        if subscription.frames:
            self._gather(self._seat_of(subscription))
        if not self._resume(subscription, state, closes):
            self.refresh(subscription, state, closes)

    def _resume(self, one: Subscription, state: MatchState, closes: float | None) -> bool:
        """Send a reader what he has missed; whether that was possible."""
        audience = self._audiences.get(self._seat_of(one))
        missed = audience.since(one.since) if audience is not None and one.since is not None and one.frames else None
        if missed is None:
            return False
        one.stale = False
        *earlier, last = [frame if one.chunks is None else cropped(frame, one.chunks) for frame in missed]
        for frame in earlier:
            news = News(turn=frame.turn, seq=frame.seq, state="running", now=time.time(), frame=Raw(_encode(frame)))
            one.offer(_encode(news))
        one.offer(_encode(self._news(one, None, Raw(_encode(last)), False, state, closes)))
        return True

    def _gather(self, seat: int | None) -> Audience:
        """The audience of a seat, or of everybody, with eyes that see the game as it stands."""
        if seat not in self._audiences:
            self._audiences[seat] = Audience(self.game, seat)
        audience = self._audiences[seat]
        if not audience.is_awake:
            audience.wake()
        return audience

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
        frame = Raw(_encode(cells_of(self._gather(self._seat_of(one)).key(chunks - had))))
        one.offer(_encode(self._news(one, None, frame, False, state, closes)))

    def show(self, report: Report, late: set[int], state: MatchState, closes: float | None) -> None:
        """Tell everybody what one input did."""
        self._keys.clear()
        read = {self._seat_of(one) for one in self.subscribers if one.frames}
        moved = {seat: one.move_on(report, is_read=seat in read) for seat, one in self._audiences.items()}
        frames = {seat: frame for seat, frame in moved.items() if frame is not None and seat in read}
        encoded = {seat: Raw(_encode(frame)) for seat, frame in frames.items()}
        self._look()
        shared: dict[int | None, bytes] = {}
        for one in self.subscribers:
            if not one.has_room:
                one.skip()
                continue
            seat = self._seat_of(one)
            own = one.stale or one.views or one.results or one.chunks is not None or one.seat in late
            alike = one.frames and not own
            if alike and seat in shared:
                one.offer(shared[seat])
                continue
            frame = encoded.get(seat)
            if one.frames and one.chunks is not None and not one.stale:
                frame = Raw(_encode(cropped(frames[seat], one.chunks)))
            message = _encode(self._news(one, report, frame, one.seat in late, state, closes))
            if alike:
                shared[seat] = message
            one.offer(message)

    def restart(self, state: MatchState, closes: float | None) -> None:
        """Show everything anew, after something that no delta can tell, like a larger board."""
        self._keys.clear()
        self._legend = None
        self._look()
        for audience in self._audiences.values():
            if audience.is_awake:
                audience.wake()
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

    def _seat_of(self, subscription: Subscription) -> int | None:
        """Seats of a game without fog see what spectators see, so all of them share their frames."""
        return subscription.seat if self.game.fogged else None

    def _key(self, seat: int | None, chunks: frozenset[int] | None) -> Raw:
        audience = self._gather(seat)
        if chunks is not None:
            return Raw(_encode(audience.key(chunks)))
        if seat not in self._keys:
            self._keys[seat] = Raw(_encode(audience.key()))
        return self._keys[seat]

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
            frame = self._key(self._seat_of(one), one.chunks)
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
