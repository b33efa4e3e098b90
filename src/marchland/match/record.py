"""How what a match has done becomes durable: entry after entry, with a state now and then."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from marchland.core.game import Game
from marchland.core.report import Report
from marchland.match.journal import Also, Entry, EntryKind, Journal, Post, Punctuality, packed_bytes
from marchland.messages import Acted

_SNAPSHOT_BUDGET = 20_000_000  # nanoseconds of stepping that a restart may cost
_LARGE_BOARD = 5_000  # cells from which a turn is played beside the event loop
_ANSWERS = 1_000


class Record:
    """Writes a game's inputs into a journal. Until that has succeeded, the game is not what was kept: it is spoiled."""

    def __init__(self, game: Game, journal: Journal, next_index: int) -> None:
        self._game = game
        self._journal = journal
        self._since_snapshot = 0
        self._answers: OrderedDict[tuple[int, str], Acted] = OrderedDict()
        self.next_index = next_index
        self.spoiled = False

    async def keep(
        self, kind: EntryKind, report: Report | None, also: Also | None = None, lateness: float = 0.0, **more: Any
    ) -> Entry:
        """Make what the game has just done durable."""
        self.spoiled = True
        snapshot = await beside(self._game, self._game.snapshot) if self._should_save() else None
        entry = Entry(
            index=self.next_index,
            kind=kind,
            turn=report.turn if report else self._game.turn,
            seq=self._game.seq,
            orders=packed_bytes(report.orders) if report else b"",
            digest=self._game.digest(),
            at=time.time(),
            lateness=round(lateness, 6),
            outcome=self._game.outcome,
            **more,
        )
        await self._journal.keep(entry, snapshot, also)
        self.next_index += 1
        self.spoiled = False
        return entry

    def _should_save(self) -> bool:
        """Whether a restart would have to play too much again without the state as it is now."""
        self._since_snapshot += 10_000 + self._game.layout.size
        if self._since_snapshot <= _SNAPSHOT_BUDGET and self._game.outcome is None:
            return False
        self._since_snapshot = 0
        return True

    async def answer(self, seat: int, key: str) -> Acted | None:
        """What was answered to an immediate action, if it was done."""
        if (seat, key) in self._answers:
            return self._answers[seat, key]
        kept = await self._journal.answer(seat, key)
        return None if kept is None else msgspec.json.decode(kept, type=Acted)

    def remember(self, seat: int, key: str, acted: Acted) -> None:
        """Note an answer, so that it need not be looked up."""
        self._answers[seat, key] = acted
        if len(self._answers) > _ANSWERS:
            self._answers.popitem(last=False)


async def beside(game: Game, work: Callable[..., Any], *given: Any) -> Any:
    """Do what may take long on a large board beside the event loop."""
    return await asyncio.to_thread(work, *given) if game.board.size > _LARGE_BOARD else work(*given)


def punctuality(awaited: Sequence[bool], posts: Sequence[Post], opened: float | None) -> list[Punctuality]:
    """For each seat whether the turn had to go without it, and how long after the opening its last post came."""
    last = {post.seat: post.received for post in posts}
    found = []
    for seat, is_awaited in enumerate(awaited):
        latency = None if opened is None or seat not in last else round(max(0.0, last[seat] - opened), 4)
        found.append(Punctuality(is_awaited and seat not in last, latency))
    return found
