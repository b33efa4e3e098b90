"""Everybody who looks at a match: seats and spectators, each at what he may see, when he may see it."""

from collections.abc import Sequence

from marchland.core.game import Game
from marchland.core.report import Report
from marchland.match.refusals import Refused
from marchland.match.spectators import Spectators
from marchland.match.stage import Stage
from marchland.match.subscription import Subscription
from marchland.messages import MatchState, Raw


class House:
    """The stage on which a game is shown, and another one for spectators where they see it later."""

    def __init__(self, game: Game, spectator_delay: int | None) -> None:
        self._game = game
        self._stage = Stage(game)
        self._spectators = Spectators(game, spectator_delay) if game.fogged and spectator_delay != 0 else None

    @property
    def legend(self) -> Raw:
        """What a viewer must know once to draw every frame, as JSON."""
        return self._stage.legend

    @property
    def alive(self) -> Sequence[bool]:
        """Who still lives."""
        return self._stage.alive

    def show(self, report: Report, late: set[int], state: MatchState, closes: float | None) -> None:
        """Tell everybody what one input did."""
        self._stage.show(report, late, state, closes)
        if self._spectators is not None:
            self._spectators.follow(report, state)

    def show_joiner(self, name: str, state: MatchState, closes: float | None) -> None:
        """Show everything anew, with one player more."""
        self._stage.restart(state, closes)
        if self._spectators is not None:
            self._spectators.joined(name)

    def subscribe(self, one: Subscription, state: MatchState, closes: float | None) -> None:
        """Send news to a reader from now on, beginning with how the match stands."""
        if one.seat is None and self._spectators is not None:
            self._spectators.subscribe(one, state)
        else:
            self._stage.subscribe(one, state, closes)

    def see(self, one: Subscription, chunks: Sequence[int] | None, state: MatchState, closes: float | None) -> None:
        """Narrow a reader's frames to what it looks at."""
        wanted = None if chunks is None else frozenset(chunks)
        stage = self._stage_of(one)
        if stage is not None:
            stage.see(one, wanted, state, closes)
        else:
            one.chunks = wanted

    def catch_up(self, one: Subscription, state: MatchState, closes: float | None) -> None:
        """Show a reader who was too slow, and has read all that waited, how the match stands: it may wait for him."""
        stage = self._stage_of(one)
        if stage is not None and one.behind:
            stage.refresh(one, state, closes)

    def unsubscribe(self, one: Subscription) -> None:
        """Send nothing more to a reader."""
        self._stage.unsubscribe(one)
        if self._spectators is not None:
            self._spectators.unsubscribe(one)

    def send_away(self, seat: int, why: str) -> None:
        """Send those away who look through the eyes of one seat."""
        self._stage.send_away(seat, why)

    def readers(self) -> int:
        """How many readers there are."""
        return len(self._stage.subscribers) + (self._spectators.readers() if self._spectators else 0)

    def close(self, why: str) -> None:
        """Send every reader away."""
        self._stage.close(why)
        if self._spectators is not None:
            self._spectators.close(why)

    def shown_to(self, seat: int | None) -> Game:
        """The game as a seat or a spectator may see it now."""
        if seat is not None or self._spectators is None or self._game.outcome is not None:
            return self._game
        if self._spectators.stage is None:
            raise Refused("hidden", "Spectators see this match when it is over.")
        return self._spectators.stage.game

    def _stage_of(self, one: Subscription) -> Stage | None:
        return self._stage if self._spectators is None or one.seat is not None else self._spectators.stage
