"""What spectators see of a match: HTTP, WebSocket, frames, replays and forks all ask here."""

from typing import NamedTuple

from marchland.errors import Refused


class SpectatorPolicy(NamedTuple):
    """Which turns a spectator may see, and what a match hides until it is over."""

    fogged: bool
    delay: int | None
    """Turns that spectators are behind; None hides the match until it is over. Without fog nothing is delayed."""

    @property
    def is_live(self) -> bool:
        """Whether spectators see the current turn."""
        return not self.fogged or self.delay == 0

    def last_visible_turn(self, open_turn: int, *, is_over: bool) -> int:
        """The last turn that a spectator may see; negative before any is old enough."""
        if is_over or not self.fogged:
            return open_turn
        if self.delay is None:
            raise self.refusal()
        return open_turn - self.delay

    def shows_every_seat(self, *, is_over: bool) -> bool:
        """Whether the view of each seat is open to all; a fork hides as long as its origin does."""
        return is_over or not self.fogged

    def require_replay(self, *, is_over: bool) -> None:
        """Refuse the replay of a running match, fogged or not: it contains the seed of its dice."""
        if not is_over:
            raise Refused("hidden", "replay_until_over")

    @staticmethod
    def refusal() -> Refused:
        """The refusal while nothing may be seen."""
        return Refused("hidden", "hidden_until_over")
