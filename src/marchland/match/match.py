"""One running match: seats, clock, inbox, log. The same class runs a match on a laptop and in the server.

A turn goes: close (its orders are fixed, the next turn is open) → step → the turn is durable → news. Nobody can look at
a state that is not durable yet: whoever wants to, waits for the commit. Where that fails the match is spoiled: it is
dropped, and taken up again from what was kept.
"""

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, TypeVar

import msgspec

from marchland.core.game import Game
from marchland.core.orders import HOST
from marchland.core.report import Report
from marchland.match.clock import Deadlines
from marchland.match.history import redo
from marchland.match.inbox import merged
from marchland.match.journal import Also, Entry, EntryKind, Journal, Post, Punctuality, packed_bytes
from marchland.match.refusals import MatchOver, Refused, TooLate, Unavailable
from marchland.match.spectators import Spectators
from marchland.match.stage import Stage
from marchland.match.subscription import Subscription
from marchland.messages import Acted, Clock, MatchState, Menu, Pending, Raw, Receipt, Result, SeatInfo, WhenReady

GRACE = 0.01
"""Seconds after a deadline in which orders that arrived in time may still be on their way."""
_SNAPSHOT_BUDGET = 20_000_000  # nanoseconds of stepping that a restart may cost
_LARGE_BOARD = 5_000  # cells from which a turn is played beside the event loop
_ANSWERS = 1_000
_REMEMBERED = 10
"""Turns for which the key of a post that names no turn is known."""

OnTurn = Callable[["Match", Report], None]
OnJoin = Callable[["Match"], None]
Shown = TypeVar("Shown")


class Match:
    """Runs one game for its seats. ``next_index`` counts the inputs that the journal holds already.

    Where it ``tells``, the game learns from the clock on the wall what its rules want of it.
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
        tells: bool = False,
        spectator_delay: int | None = 0,
        on_turn: OnTurn = lambda match, report: None,
        on_join: OnJoin = lambda match: None,
    ) -> None:
        self.id = id
        self.game = game
        self.seats = list(seats)
        self.deadlines = Deadlines(clock or WhenReady())
        self.open_turn = game.turn
        self._tells = tells
        self.following = following
        """Whether another node runs the match, and this object only shows it."""
        self.lateness = 0.0
        self.late: set[int] = set()
        """The seats that the last turn had to go without."""
        self._journal = journal
        self._next_index = next_index
        self._since_snapshot = 0
        self._on_turn = on_turn
        self._on_join = on_join
        self._ready: set[int] = set()
        self._given: dict[int, list[Post]] = {}
        self._receipts: dict[int, dict[tuple[int, str], Receipt]] = {}
        self.played_at: float | None = None
        """When the last turn was kept, in seconds since 1970; None if another object of this match saw it."""
        self._hurry = asyncio.Event()
        self._settled = asyncio.Lock()
        self._spoiled = False
        self._answers: OrderedDict[tuple[int, str], Acted] = OrderedDict()
        self._stage = Stage(game)
        self._spectators = Spectators(game, spectator_delay) if game.fogged and spectator_delay != 0 else None

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
        return self._next_index

    @property
    def state(self) -> MatchState:
        """The word for how it stands."""
        return "over" if self.over else "running"

    # ---------------------------------------------------------------- what seats send

    async def post(
        self, seat: int, orders: list[Any], key: str, *, turn: int | None = None, ready: bool = True
    ) -> Receipt:
        """Keep orders for ``turn``, or for the open one; whoever gets the receipt can rely on it."""
        arrived = time.monotonic()
        if turn is None and (known := await self._remembered(seat, key)) is not None:
            return known
        wanted = self.open_turn if turn is None else turn
        if self.following:
            return await self._journal.accept(Post(wanted, seat, key, orders, ready, time.time()))
        if wanted > self.open_turn:
            raise Refused("too_early", f"Turn {wanted} is not open yet; turn {self.open_turn} is.")
        deadline = self.deadlines.deadline
        if self.over or wanted < self.open_turn or (deadline is not None and arrived > deadline):
            return await self._receipt_of_old(seat, key, wanted)
        post = Post(wanted, seat, key, orders, ready, time.time())
        receipt = await self._journal.accept(post)
        self._receipts.setdefault(receipt.turn, {})[seat, key] = receipt
        if receipt.turn == self.open_turn:
            self._given.setdefault(seat, []).append(post)
            if ready:
                self._note_ready(seat)
        return receipt

    async def recall(self) -> None:
        """Learn what was posted before this object was made: for the open turn, and which keys lately."""
        for turn in range(self.open_turn - _REMEMBERED, self.open_turn + 1):
            for post in await self._journal.posts(turn):
                self._receipts.setdefault(turn, {})[post.seat, post.key] = post.receipt()
                if turn == self.open_turn:
                    self._given.setdefault(post.seat, []).append(post)

    async def _remembered(self, seat: int, key: str) -> Receipt | None:
        """The receipt of a post that named no turn: a repetition must not become orders for a later one."""
        if self.following:
            return await self._journal.receipt(seat, key, self.open_turn - _REMEMBERED, self.open_turn)
        return next((known[seat, key] for known in self._receipts.values() if (seat, key) in known), None)

    def given(self, seat: int) -> Sequence[Post]:
        """What a seat has posted for the open turn, as far as this node knows; what it repeated may be there twice."""
        return self._given.get(seat, ())

    async def pending(self, seat: int) -> Pending:
        """What a seat's orders for the open turn come to."""
        turn = self.open_turn
        posts = await self._journal.posts(turn) if self.following else self._given.get(seat, [])
        own = {post.key: post for post in posts if post.seat == seat}.values()
        orders = merged(type(self.game), own).get(seat, [])
        return Pending(turn, orders, any(post.ready for post in own))

    async def _receipt_of_old(self, seat: int, key: str, turn: int) -> Receipt:
        known = await self._journal.receipt(seat, key, turn, turn)
        if known is not None:
            return known
        if self.over:
            raise MatchOver
        raise TooLate(turn, max(self.open_turn, turn + 1))

    async def act(self, seat: int, order: Any, key: str) -> Acted:
        """One immediate action of a seat, or of the host; durable before it is answered."""
        self._only_the_owner()
        # Whoever asked may go away meanwhile; what has begun is finished.
        return await asyncio.shield(asyncio.ensure_future(self._act(seat, order, key)))

    async def _act(self, seat: int, order: Any, key: str) -> Acted:
        async with self._unspoiled():
            known = await self._answered(seat, key)
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
            self._answers[seat, key] = acted
            if len(self._answers) > _ANSWERS:
                self._answers.popitem(last=False)
            return acted

    async def _answered(self, seat: int, key: str) -> Acted | None:
        if (seat, key) in self._answers:
            return self._answers[seat, key]
        kept = await self._journal.answer(seat, key)
        return None if kept is None else msgspec.json.decode(kept, type=Acted)

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
        if self.following and self.over:
            raise MatchOver
        if self.following:
            raise Refused("other_node", "Another node runs this match; ask there.")

    def _show_joiner(self, name: str) -> None:
        self._stage.restart(self.state, self.closes)
        if self._spectators is not None:
            self._spectators.joined(name)
        self._on_join(self)

    @contextlib.asynccontextmanager
    async def _unspoiled(self) -> AsyncIterator[None]:
        """The game, settled, as it was kept."""
        async with self._settled:
            if self._spoiled:
                raise Unavailable("The match is being taken up again.")
            yield

    # ---------------------------------------------------------------- turns

    async def follow(self, entry: Entry) -> None:
        """Put in what the owner of the match, on another node, has kept."""
        async with self._settled:
            if entry.index != self._next_index:  # somebody else has put it in by now
                return
            report = redo(self.game, entry)
            self._next_index = entry.index + 1
            self.played_at = entry.at
            self.open_turn = max(self.open_turn, self.game.turn)
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
        if self._next_index == 0:
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
            for number, order in enumerate(self.game.told(moment, datetime.now(UTC))):
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
            self._ready.clear()
            self._given.clear()
            self._receipts.pop(turn - _REMEMBERED, None)
            self._hurry.clear()
            posts = await self._journal.close(turn, self.deadlines.closes)
            return await self._play(posts, punctual_from)

    async def _play(self, posts: Sequence[Post], opened: float | None = None) -> Report:
        """Step the game with the posts of a closed turn. The caller holds the lock."""
        report: Report = await self._beside(self.game.step, merged(type(self.game), posts))
        seats = self._punctuality(posts, opened)
        await self._keep("turn", report, seats=seats)
        self.open_turn = max(self.open_turn, self.game.turn)
        self._tell(report, {seat for seat, one in enumerate(seats) if one.late})
        self._hurry_if_all_are_ready()
        return report

    def _punctuality(self, posts: Sequence[Post], opened: float | None) -> list[Punctuality]:
        last = {post.seat: post.received for post in posts}
        found = []
        for seat in range(len(self.seats)):
            latency = None if opened is None or seat not in last else round(max(0.0, last[seat] - opened), 4)
            found.append(Punctuality(self.awaits(seat) and seat not in last, latency))
        return found

    async def _keep(self, kind: EntryKind, report: Report | None, also: Also | None = None, **more: Any) -> None:
        """Make what the game has just done durable. Until that has succeeded, the game is not what was kept."""
        self._spoiled = True
        try:
            snapshot = await self._beside(self.game.snapshot) if self._should_save() else None
            entry = self._entry(kind, report, more)
            await self._journal.keep(entry, snapshot, also)
        except BaseException:
            self._hurry.set()  # so that whoever runs the match notices
            raise
        self._spoiled = False
        self.played_at = entry.at
        self._next_index += 1
        for seat, one in enumerate(entry.seats):
            if one.late:
                seen = self.seats[seat]
                self.seats[seat] = msgspec.structs.replace(seen, missed=seen.missed + 1)

    def _entry(self, kind: EntryKind, report: Report | None, more: dict[str, Any]) -> Entry:
        return Entry(
            index=self._next_index,
            kind=kind,
            turn=report.turn if report else self.game.turn,
            seq=self.game.seq,
            orders=packed_bytes(report.orders) if report else b"",
            digest=self.game.digest(),
            at=time.time(),
            lateness=round(self.lateness, 6) if kind == "turn" else 0.0,
            outcome=self.game.outcome,
            **more,
        )

    def _should_save(self) -> bool:
        """Whether a restart would have to play too much again without the state as it is now."""
        self._since_snapshot += 10_000 + self.game.layout.size
        if self._since_snapshot <= _SNAPSHOT_BUDGET and not self.over:
            return False
        self._since_snapshot = 0
        return True

    async def _beside(self, work: Callable[..., Any], *given: Any) -> Any:
        """Do what may take long on a large board beside the event loop."""
        return await asyncio.to_thread(work, *given) if self.game.board.size > _LARGE_BOARD else work(*given)

    def _tell(self, report: Report, late: set[int]) -> None:
        self.late = late
        self._stage.show(report, late, self.state, self.closes)
        if self._spectators is not None:
            self._spectators.follow(report, self.state)
        self._on_turn(self, report)

    # ---------------------------------------------------------------- seats

    def reseat(self, seats: Sequence[SeatInfo]) -> None:
        """Say who sits where; what each has missed is the match's own count."""
        missed = [seat.missed for seat in self.seats]
        for before, after in zip(self.seats, seats, strict=False):
            if before.account != after.account:
                self._stage.send_away(before.seat, "reseated")
        self.seats = [msgspec.structs.replace(seat, missed=missed[seat.seat]) for seat in seats]
        self._hurry_if_all_are_ready()

    def hurry(self) -> None:
        """End the turn without waiting for anybody."""
        self._hurry.set()

    def _note_ready(self, seat: int) -> None:
        self._ready.add(seat)
        self._hurry_if_all_are_ready()

    def _hurry_if_all_are_ready(self) -> None:
        awaited = [seat for seat in range(len(self.seats)) if self.awaits(seat)]
        if self.deadlines.early and awaited and self._ready.issuperset(awaited):
            self._hurry.set()

    def awaits(self, seat: int) -> bool:
        """Whether somebody sits there who can still give orders."""
        if self.seats[seat].kind in ("empty", "open"):
            return False
        return self._stage.alive[seat] or self.game.act_kernel is not None  # in BoidVoid a ship comes back by an order

    # ---------------------------------------------------------------- looking

    async def view(self, seat: int | None) -> dict[str, Any]:
        """What a seat may know, or a spectator."""
        async with self._unspoiled():
            return self._shown_to(seat).view(seat)

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
        return self._stage.legend

    async def subscribe(self, subscription: Subscription) -> None:
        """Send news to a reader from now on, beginning with how the match stands."""
        async with self._unspoiled():
            if subscription.seat is None and self._spectators is not None:
                self._spectators.subscribe(subscription, self.state)
            else:
                self._stage.subscribe(subscription, self.state, self.closes)

    async def see(self, subscription: Subscription, chunks: Sequence[int] | None) -> None:
        """Narrow a reader's frames to what it looks at."""
        async with self._unspoiled():
            wanted = None if chunks is None else frozenset(chunks)
            stage = self._stage_of(subscription)
            if stage is not None:
                stage.see(subscription, wanted, self.state, self.closes)
            else:
                subscription.chunks = wanted

    async def catch_up(self, subscription: Subscription) -> None:
        """Show a reader who was too slow, and has read all that waited, how the match stands: it may wait for him."""
        async with self._unspoiled():
            stage = self._stage_of(subscription)
            if stage is not None and subscription.behind:
                stage.refresh(subscription, self.state, self.closes)

    def _stage_of(self, subscription: Subscription) -> Stage | None:
        return self._stage if self._spectators is None or subscription.seat is not None else self._spectators.stage

    def unsubscribe(self, subscription: Subscription) -> None:
        """Send nothing more to a reader."""
        self._stage.unsubscribe(subscription)
        if self._spectators is not None:
            self._spectators.unsubscribe(subscription)

    def readers(self) -> int:
        """How many readers there are."""
        return len(self._stage.subscribers) + (self._spectators.readers() if self._spectators else 0)

    def drop(self, why: str) -> None:
        """Send every reader away."""
        self._stage.close(why)
        if self._spectators is not None:
            self._spectators.close(why)

    def _shown_to(self, seat: int | None) -> Game:
        if seat is not None or self._spectators is None or self.over:
            return self.game
        if self._spectators.stage is None:
            raise Refused("hidden", "Spectators see this match when it is over.")
        return self._spectators.stage.game


__all__ = ["GRACE", "HOST", "Match", "OnJoin", "OnTurn"]
