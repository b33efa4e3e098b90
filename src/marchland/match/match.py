"""One running match: seats, clock, inbox, log. The same class runs a match on a laptop and in the server.

A turn goes: close (its orders are fixed, the next turn is open) → step → the turn is durable → news. Nobody can look at
a state that is not durable yet: whoever wants to, waits for the commit. Where that fails the match is spoiled: it is
dropped, and taken up again from what was kept.
"""

import asyncio
import contextlib
import math
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec

from marchland.core.game import Game
from marchland.core.orders import HOST
from marchland.core.report import Report
from marchland.match.clock import Deadlines
from marchland.match.history import redo
from marchland.match.house import House
from marchland.match.inbox import merged
from marchland.match.journal import Also, Entry, EntryKind, Journal, Post
from marchland.match.mailbox import REMEMBERED, Mailbox
from marchland.match.record import Record, beside, punctuality
from marchland.match.refusals import Lost, MatchOver, Refused, TooLate
from marchland.match.showing import Showing
from marchland.messages import Acted, Clock, Pending, Receipt, Result, SeatInfo, WhenReady

GRACE = 0.01
"""Seconds after a deadline in which orders that arrived in time may still be on their way."""

OnTurn = Callable[["Match", Report], None]
OnJoin = Callable[["Match"], None]


class Match(Showing):
    """Runs one game for its seats. ``next_index`` counts the inputs that the journal holds already.

    Where it ``tells``, the game learns from the clock on the wall what its rules want of it. It shows nothing while it
    may be another node's, of which ``is_ours`` knows.
    """

    def __init__(
        self,
        id: str,
        game: Game,
        seats: Sequence[SeatInfo],
        journal: Journal,
        clock: Clock | None = None,
        *,
        next_index: int = 0,
        following: bool = False,
        broken: bool = False,
        tells: bool = False,
        spectator_delay: int | None = 0,
        is_fork: bool = False,
        posts_limit: float = math.inf,
        is_ours: Callable[[], bool] = lambda: True,
        on_turn: OnTurn = lambda match, report: None,
        on_join: OnJoin = lambda match: None,
    ) -> None:
        super().__init__(
            id,
            game,
            Record(game, journal, next_index),
            House(game, spectator_delay),
            Deadlines(clock or WhenReady()),
            following=following,
            broken=broken,
            is_ours=is_ours,
        )
        self.seats = list(seats)
        self.is_fork = is_fork
        self.open_turn = game.turn
        self._tells = tells
        self.lateness = 0.0
        self.late: set[int] = set()
        """The seats that the last turn had to go without."""
        self._journal = journal
        self._on_turn = on_turn
        self._on_join = on_join
        self._mailbox = Mailbox(journal, posts_limit)
        self.played_at: float | None = None
        """When the last turn was kept, in seconds since 1970; None if another object of this match saw it."""
        self._hurry = asyncio.Event()

    # ---------------------------------------------------------------- what seats send

    async def post(
        self, seat: int, orders: list[Any], key: str, *, turn: int | None = None, ready: bool = True
    ) -> Receipt:
        """Keep orders for ``turn``, or for the open one; whoever gets the receipt can rely on it."""
        arrived = time.monotonic()
        if turn is None and (known := await self._remembered(seat, key)) is not None:
            return known
        wanted = self.open_turn if turn is None else turn
        if self.broken:
            return await self._receipt_of_old(seat, key, wanted)
        if self.following:
            return await self._mailbox.keep(Post(wanted, seat, key, orders, ready, time.time()), self.closes)
        if wanted > self.open_turn:
            raise Refused("too_early", f"Turn {wanted} is not open yet; turn {self.open_turn} is.")
        deadline = self.deadlines.deadline
        if self.over or wanted < self.open_turn or (deadline is not None and arrived > deadline):
            return await self._receipt_of_old(seat, key, wanted)
        post = Post(wanted, seat, key, orders, ready, time.time())
        receipt = await self._mailbox.keep(post, self.closes)
        self._mailbox.note(post, receipt, is_open=receipt.turn == self.open_turn)
        if ready and receipt.turn == self.open_turn:
            self._note_ready(seat)
        return receipt

    async def recall(self) -> None:
        """Learn what was posted before this object was made: for the open turn, and which keys lately."""
        await self._mailbox.recall(self.open_turn)

    async def _remembered(self, seat: int, key: str) -> Receipt | None:
        """The receipt of a post that named no turn: a repetition must not become orders for a later one."""
        if self.following:
            return await self._journal.receipt(seat, key, self.open_turn - REMEMBERED, self.open_turn)
        return self._mailbox.known(seat, key)

    def given(self, seat: int) -> Sequence[Post]:
        """What a seat has posted for the open turn, as far as this node knows."""
        return self._mailbox.given(seat)

    async def pending(self, seat: int) -> Pending:
        """What a seat's orders for the open turn come to."""
        turn = self.open_turn
        own = await self._journal.posts(turn, seat)  # also those that came to other nodes
        orders = merged(type(self.game), own).get(seat, [])
        return Pending(turn, orders, any(post.ready for post in own))

    async def _receipt_of_old(self, seat: int, key: str, turn: int) -> Receipt:
        known = await self._journal.receipt(seat, key, turn, turn)
        if known is not None:
            return known
        self.check_running()
        raise TooLate(turn, max(self.open_turn, turn + 1))

    async def act(self, seat: int, order: Any, key: str) -> Acted:
        """One immediate action of a seat, or of the host; durable before it is answered."""
        self._only_the_owner()
        # Whoever asked may go away meanwhile; what has begun is finished.
        return await asyncio.shield(asyncio.ensure_future(self._act(seat, order, key)))

    async def _act(self, seat: int, order: Any, key: str) -> Acted:
        async with self._unspoiled():
            known = await self._record.answer(seat, key)
            if known is not None:
                return known
            report = self.game.act(seat, order)
            (result,) = report.results.get(seat) or [Result(order, False, "MALFORMED", "There is no such seat.")]
            acted = Acted(self.open_turn, self.game.seq, result, report.events if result.ok else [])
            if result.ok:
                await self._keep("act", report, seat=seat, key=key, answer=msgspec.json.encode(acted))
                self._tell(report, set())
                if self.over:
                    self._hurry.set()
            self._record.remember(seat, key, acted)
            return acted

    async def join(self, joiner: SeatInfo, also: Callable[[Any, SeatInfo], None] | None = None) -> SeatInfo:
        """Let somebody in between two turns; the seat, with its number, is ``also`` written together with the entry."""
        self._only_the_owner()
        return await asyncio.shield(asyncio.ensure_future(self._join(joiner, also)))

    async def _join(self, joiner: SeatInfo, also: Callable[[Any, SeatInfo], None] | None) -> SeatInfo:
        async with self._unspoiled():
            seat = msgspec.structs.replace(joiner, seat=self.game.join(joiner.name))
            written = None if also is None else lambda connection: also(connection, seat)
            await self._keep("join", None, written, name=joiner.name)
            self.seats.append(seat)
            self._show_joiner(joiner.name)
            return seat

    def _only_the_owner(self) -> None:
        if self.following:
            self.check_running()
            raise Refused("other_node", "Another node runs this match; ask there.")

    def _show_joiner(self, name: str) -> None:
        self._house.show_joiner(name, self.state, self.closes)
        self._on_join(self)

    # ---------------------------------------------------------------- turns

    async def follow(self, entry: Entry) -> None:
        """Put in what the owner of the match, on another node, has kept."""
        async with self._settled:
            if entry.index != self._record.next_index:  # somebody else has put it in by now
                return
            report = redo(self.game, entry)
            self._record.next_index = entry.index + 1
            self.played_at = entry.at
            self.open_turn = max(self.open_turn, self.game.turn)
            self._mailbox.close(self.open_turn - 1)
            if report is None:
                self.seats.append(SeatInfo(len(self.seats), "bot", entry.name))
                self._show_joiner(entry.name)
            else:
                self._tell(report, {seat for seat, one in enumerate(entry.seats) if one.late})

    async def run(self) -> None:
        """Play turn after turn, each at its time, until the match is over."""
        if self.open_turn > self.game.turn:  # closed before the end came, and not played yet
            async with self._settled:
                await self._play(await self._journal.posts(self.game.turn))
        for post in await self._journal.posts(self.open_turn):
            if post.ready:
                self._note_ready(post.seat)
        if self._record.next_index == 0:
            self.deadlines.begin()
        else:
            self.deadlines.restart()
        self._hurry_if_all_are_ready()
        while not self.over:
            await self._turn_is_due()
            with contextlib.suppress(MatchOver):
                await self.end_turn()

    async def _turn_is_due(self) -> None:
        locks = self.deadlines.locks(self.game.lock_percent) if self._tells else None
        if locks is not None and not await self._hurried_before(locks):
            await self._tell_the_game("lock")
        if not await self._hurried_before(self.deadlines.deadline):
            await asyncio.sleep(GRACE)
        await self._tell_the_game("end")

    async def _hurried_before(self, moment: float | None) -> bool:
        """Wait until a moment; whether somebody was in a hurry before it."""
        try:
            async with asyncio.timeout(None if moment is None else max(0.0, moment - time.monotonic())):
                await self._hurry.wait()
        except TimeoutError:
            return False
        return True

    async def _tell_the_game(self, moment: Literal["lock", "end"]) -> None:
        if self._tells:
            for number, order in enumerate(self.game.host_orders_at(moment, datetime.now(UTC))):
                await self.act(HOST, order, f"{moment}/{self.open_turn}/{number}")

    async def end_turn(self) -> Report:
        """End the open turn now."""
        async with self._unspoiled():
            if self.over:  # an action may have ended the match a moment ago
                raise MatchOver
            turn = self.open_turn
            self.lateness = self.deadlines.lateness()
            punctual_from = time.time() - (time.monotonic() - self.deadlines.opened)
            self.deadlines.next()
            self.open_turn = turn + 1
            self._mailbox.close(turn)
            self._hurry.clear()
            posts = await self._journal.close(turn, self.deadlines.closes)
            return await self._play(posts, punctual_from)

    async def _play(self, posts: Sequence[Post], opened: float | None = None) -> Report:
        """Step the game with the posts of a closed turn. The caller holds the lock."""
        report: Report = await beside(self.game, self.game.step, merged(type(self.game), posts))
        seats = punctuality([self.awaits(seat) for seat in range(len(self.seats))], posts, opened)
        await self._keep("turn", report, seats=seats)
        self.open_turn = max(self.open_turn, self.game.turn)
        self._tell(report, {seat for seat, one in enumerate(seats) if one.late})
        self._hurry_if_all_are_ready()
        return report

    async def _keep(self, kind: EntryKind, report: Report | None, also: Also | None = None, **more: Any) -> None:
        try:
            entry = await self._record.keep(kind, report, also, self.lateness if kind == "turn" else 0.0, **more)
            if not self.is_ours():  # it is kept, and another node may have gone on from there
                self._record.spoiled = True
                raise Lost(self.id)
        except BaseException:
            self._hurry.set()  # so that whoever runs the match notices
            raise
        self.played_at = entry.at
        for seat, one in enumerate(entry.seats):
            if one.late:
                seen = self.seats[seat]
                self.seats[seat] = msgspec.structs.replace(seen, missed=seen.missed + 1)

    def _tell(self, report: Report, late: set[int]) -> None:
        self.late = late
        self._house.show(report, late, self.state, self.closes)
        self._on_turn(self, report)

    # ---------------------------------------------------------------- seats

    def reseat(self, seats: Sequence[SeatInfo]) -> None:
        """Say who sits where; what each has missed is the match's own count.

        Where somebody joins at the same moment there may be a seat more or less than the match knows: that stays.
        """
        known = list(zip(self.seats, seats, strict=False))
        for before, after in known:
            if before.account != after.account:
                self._house.send_away(before.seat, "reseated")
        self.seats[: len(known)] = [msgspec.structs.replace(after, missed=before.missed) for before, after in known]
        self._hurry_if_all_are_ready()

    def hurry(self) -> None:
        """End the turn without waiting for anybody."""
        self._hurry.set()

    @property
    def waits_for_somebody(self) -> bool:
        """Whether the open turn would end if only everybody were ready."""
        return not self.following and not self.over and self.deadlines.early and not self._hurry.is_set()

    def heard_ready(self, turn: int, seat: int) -> None:
        """A seat is ready whose orders have come to another node."""
        if turn == self.open_turn and self.waits_for_somebody and seat < len(self.seats):
            self._note_ready(seat)

    def _note_ready(self, seat: int) -> None:
        self._mailbox.ready.add(seat)
        self._hurry_if_all_are_ready()

    def _hurry_if_all_are_ready(self) -> None:
        awaited = [seat for seat in range(len(self.seats)) if self.awaits(seat)]
        if self.deadlines.early and awaited and self._mailbox.ready.issuperset(awaited):
            self._hurry.set()

    def awaits(self, seat: int) -> bool:
        """Whether somebody sits there who can still give orders."""
        return self.seats[seat].kind not in ("empty", "open") and self._house.alive[seat]


__all__ = ["GRACE", "HOST", "Match", "OnJoin", "OnTurn"]
