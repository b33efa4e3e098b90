"""A match as it is looked at: how it stands, and what its readers are told."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any, TypeVar

from marchland.core.game import Game
from marchland.match.clock import Deadlines
from marchland.match.house import House
from marchland.match.record import Record
from marchland.match.refusals import BrokenOff, MatchOver, Unavailable
from marchland.match.subscription import Subscription
from marchland.messages import MatchState, Menu, Raw

Shown = TypeVar("Shown")


class Showing:
    """Shows a game that somebody plays. Nobody sees what is not kept yet, or may be another node's by now."""

    def __init__(
        self,
        id: str,
        game: Game,
        record: Record,
        house: House,
        deadlines: Deadlines,
        *,
        following: bool,
        broken: bool,
        is_ours: Callable[[], bool],
    ) -> None:
        self.id = id
        self.game = game
        self.deadlines = deadlines
        self.following = following
        """Whether another node runs the match, and this object only shows it."""
        self.broken = broken
        """Whether it has broken off, and is only to be looked at."""
        self.is_ours = is_ours
        self.dropped = False
        self._record = record
        self._house = house
        self._settled = asyncio.Lock()

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.game.outcome is not None

    @property
    def closes(self) -> float | None:
        """When the open turn ends, in seconds since 1970; None where it waits for everybody, or is not ours to end."""
        return None if self.following or self.over else self.deadlines.closes

    @property
    def next_index(self) -> int:
        """How many inputs there were."""
        return self._record.next_index

    @property
    def state(self) -> MatchState:
        """The word for how it stands."""
        return "broken" if self.broken else "over" if self.over else "running"

    def check_running(self) -> None:
        """Refuse what can be done only while the match goes on."""
        if self.broken:
            raise BrokenOff
        if self.over:
            raise MatchOver

    @contextlib.asynccontextmanager
    async def _unspoiled(self) -> AsyncIterator[None]:
        """The game, settled, as it was kept."""
        async with self._settled:
            if self._record.spoiled or not self.is_ours():
                raise Unavailable("The match is being taken up again.")
            yield

    async def view(self, seat: int | None) -> dict[str, Any]:
        """What a seat may know, or a spectator."""
        async with self._unspoiled():
            return self._house.shown_to(seat).view(seat)

    async def look(self, show: Callable[[Game], Shown]) -> Shown:
        """What ``show`` makes of the game as it stands and is kept; it must not show anybody what others know."""
        async with self._unspoiled():
            return show(self.game)

    async def legal(self, seat: int, partial: Mapping[str, Any] | None) -> dict[str, Menu] | Menu | None:
        """The menu of a seat's orders."""
        async with self._unspoiled():
            return self.game.legal(seat, partial)

    def legend(self) -> Raw:
        """What a viewer must know once to draw every frame, as JSON."""
        return self._house.legend

    async def subscribe(self, subscription: Subscription) -> None:
        """Send news to a reader from now on, beginning with how the match stands."""
        async with self._unspoiled():
            self._house.subscribe(subscription, self.state, self.closes)

    async def see(self, subscription: Subscription, chunks: Sequence[int] | None) -> None:
        """Narrow a reader's frames to what it looks at."""
        async with self._unspoiled():
            self._house.see(subscription, chunks, self.state, self.closes)

    async def catch_up(self, subscription: Subscription) -> None:
        """Show a reader who was too slow, and has read all that waited, how the match stands."""
        async with self._unspoiled():
            self._house.catch_up(subscription, self.state, self.closes)

    def unsubscribe(self, subscription: Subscription) -> None:
        """Send nothing more to a reader."""
        self._house.unsubscribe(subscription)

    def readers(self) -> int:
        """How many readers there are."""
        return self._house.readers()

    def drop(self, why: str) -> None:
        """Send every reader away: this object is not the match any more."""
        self.dropped = True
        self._house.close(why)
