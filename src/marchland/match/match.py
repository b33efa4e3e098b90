"""One running match: seats, clock, orders, log, readers.

A turn goes: close (its orders are fixed, the next turn is open) → step → append to the log → broadcast. Close and entry
share one commit if the log knows all posts and the step runs on the loop: then nothing can come between them, and posts
for the next turn are queued behind the entry. Otherwise the close is committed first. Reads wait for the commit and
fail if the lease may have expired. If an append fails, memory is ahead of the log: the match is dropped and loaded
again.
"""

import asyncio
import contextlib
import math
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence, Set
from datetime import UTC, datetime
from functools import partial
from itertools import chain, islice
from typing import Any, Literal, TypeVar

import msgspec

from marchland.core.game import Game
from marchland.core.menus import list_menus
from marchland.core.orders import HOST_PLAYER
from marchland.core.reasons import CommonReason
from marchland.core.report import Report
from marchland.errors import OwnershipLost, Refused
from marchland.match.errors import MatchBroken, MatchOver, MatchReloading, TooEarly, TooLate, TurnLocked
from marchland.match.history import apply_entry
from marchland.match.log import BOT_KEY, Closing, Entry, EntryKind, ExtraWrite, MatchLog, Post
from marchland.match.orders import NO_LIMITS, REMEMBERED_TURNS, PendingOrders, PostLimits, merge_posts
from marchland.match.spectator_policy import SpectatorPolicy
from marchland.match.subscription import Subscription
from marchland.match.turn_clock import TurnClock
from marchland.match.viewers import Viewers
from marchland.match.views import LARGE_VIEW, ViewEncoder
from marchland.match.writer import LogWriter, run_in_thread, run_off_loop_if_large, runs_off_loop, seat_timings
from marchland.messages import (
    ActResult,
    Clock,
    MatchState,
    Menu,
    Menus,
    MenusRequest,
    Pending,
    Raw,
    Receipt,
    Result,
    SeatInfo,
    WhenReady,
)

GRACE = 0.01
"""Seconds after a deadline in which orders that arrived in time at another node may still be on their way.

Those that arrived here are queued without a pause, so none of them is on its way when the deadline has passed.
"""
_ABANDONED_SECONDS = 1.0
"""The least length of a turn that only built-in bots play because everyone else has left: no one waits for it."""
_TIMER_SECONDS = 0.001
"""The resolution of the event loop's timers, which may fire that much too early."""

_MAX_AWAITED = 8
"""The most seats that a page names as awaited."""

OnTurn = Callable[["Match", Report], None]
OnJoin = Callable[["Match"], None]
Answer = TypeVar("Answer")


class Match:
    """Runs one game for its seats. ``next_index`` is the number of entries that the log has already.

    ``sends_host_orders``: the wall clock triggers the host orders of the game's rules. ``is_owned`` says whether this
    node still holds the match's lease; a replica shows a match that another node owns.
    """

    def __init__(
        self,
        id: str,
        game: Game,
        seats: Sequence[SeatInfo],
        log: MatchLog,
        clock: Clock | None = None,
        *,
        next_index: int = 0,
        is_replica: bool = False,
        is_broken: bool = False,
        sends_host_orders: bool = False,
        spectator_delay: int | None = 0,
        is_fork: bool = False,
        creator: str | None = None,
        post_limits: PostLimits = NO_LIMITS,
        view_encoder: ViewEncoder | None = None,
        is_owned: Callable[[], bool] = lambda: True,
        on_turn: OnTurn = lambda match, report: None,
        on_join: OnJoin = lambda match: None,
    ) -> None:
        self.id = id
        self.game = game
        self.seats = list(seats)
        self.clock = TurnClock(clock or WhenReady())
        self.is_replica = is_replica
        self.is_broken = is_broken
        """Whether it has failed, and can only be viewed."""
        self.is_fork = is_fork
        self.creator = creator
        """The account that has created it."""
        self.is_owned = is_owned
        self.is_closed = False
        self.successor: Match | None = None
        """The object that owns the match in this process, once it has replaced this replica."""
        self.open_turn = game.turn
        self.logged_turn = game.turn
        """The turn of the game as the log has it: less than `open_turn` while a turn is being played."""
        self.lateness = 0.0
        self.late_seats: set[int] = set()
        """Seats whose orders were missing in the last turn."""
        self.last_entry: Entry | None = None
        """The last entry that was appended or applied; None if this object has seen none."""
        self._log = log
        self._writer = LogWriter(game, log, next_index)
        self._orders = PendingOrders(log, type(game), post_limits)
        self.spectator_policy = SpectatorPolicy(game.fogged, spectator_delay)
        self._viewers = Viewers(game, self.spectator_policy, view_encoder or ViewEncoder())
        self._is_showing = False
        """Whether another thread computes something for the readers."""
        self._reader_changes: list[Callable[[], None]] = []
        """Changes of the readers that wait for that thread."""
        self._acted: set[int] = set()
        """Seats with an immediate action in the open turn: they have played it, with or without a post."""
        self._sends_host_orders = sends_host_orders
        self._on_turn = on_turn
        self._on_join = on_join
        self._lock = asyncio.Lock()
        self._end_now = asyncio.Event()
        self._last_awaited = 0
        """The last seat that was found not to be ready."""

    # ---------------------------------------------------------------- state

    @property
    def is_over(self) -> bool:
        """Whether the game has an outcome."""
        return self.game.outcome is not None

    @property
    def closes(self) -> float | None:
        """When the open turn ends, in seconds since 1970; None without a deadline, and on a replica."""
        return None if self.is_replica or self.is_over else self.clock.closes

    @property
    def next_index(self) -> int:
        """The number of entries in the log."""
        return self._writer.next_index

    @property
    def state(self) -> MatchState:
        """The state as the API names it."""
        return "broken" if self.is_broken else "over" if self.is_over else "running"

    def require_running(self) -> None:
        """Raise unless the match is running."""
        if self.is_broken:
            raise MatchBroken
        if self.is_over:
            raise MatchOver

    # ---------------------------------------------------------------- reading

    @contextlib.asynccontextmanager
    async def _consistent(self) -> AsyncIterator[None]:
        """Hold the lock on a game that equals its log and is owned by this node."""
        async with self._lock:
            if self._writer.dirty or not self.is_owned():
                raise MatchReloading
            yield

    async def view(self, seat: int | None, *, is_own: bool = True) -> bytes:
        """What a seat may know, or a spectator, as JSON; without the private part if the seat is not the reader's own.

        A large view is computed after the lock was released.
        """
        async with self._consistent():
            view = await self._viewers.views_for(seat).begin(seat, is_own=is_own)
        encoded = await view
        if not self.is_owned():
            raise MatchReloading
        return encoded

    async def read(self, function: Callable[[Game], Answer]) -> Answer:
        """Run a function on the consistent game; its result may contain what is hidden from players."""
        async with self._consistent():
            return function(self.game)

    async def legal(self, seat: int, partial: Mapping[str, Any] | None) -> dict[str, Menu] | Menu | None:
        """The menu of a seat's orders."""
        async with self._consistent():
            menu: dict[str, Menu] | Menu | None = await run_off_loop_if_large(self.game, self.game.legal, seat, partial)
            return menu

    async def menus(self, seat: int, request: MenusRequest) -> Menus:
        """The menus of every verb, and those that follow partial orders."""
        async with self._consistent():
            if not runs_off_loop(self.game, len(request.queued)):
                return list_menus(self.game, seat, request)
            menus: Menus = await run_in_thread(list_menus, self.game, seat, request)
            return menus

    async def snapshot(self) -> tuple[int, bytes]:
        """The number of entries in the log, and the game after them."""
        async with self._consistent():
            return self._writer.next_index, await run_off_loop_if_large(self.game, self.game.snapshot)

    def legend(self) -> Raw:
        """What a viewer needs once to draw every frame, as JSON."""
        return self._viewers.legend

    async def subscribe(self, subscription: Subscription) -> None:
        """Add a reader; its first news is the current state."""
        async with self._consistent():
            await self._load_view(subscription)
            await self._show(self._viewers.subscribe, subscription, self.state, self.closes)

    async def set_chunks(self, subscription: Subscription, chunks: Sequence[int] | None) -> None:
        """Narrow a reader's frames to a part of the board."""
        async with self._consistent():
            await self._load_view(subscription)
            await self._show(self._viewers.set_chunks, subscription, chunks, self.state, self.closes)

    async def refresh_if_behind(self, subscription: Subscription) -> None:
        """Send the current state to a slow reader that has emptied its queue."""
        async with self._consistent():
            await self._load_view(subscription)
            await self._show(self._viewers.refresh_if_behind, subscription, self.state, self.closes)

    def unsubscribe(self, subscription: Subscription) -> None:
        """Remove a reader."""
        self._change_readers(partial(self._viewers.unsubscribe, subscription))

    def count_readers(self) -> int:
        """The number of subscriptions."""
        return self._viewers.count_readers()

    def close(self, reason: str) -> None:
        """End all streams: this object no longer stands for the match."""
        self.is_closed = True
        self._change_readers(partial(self._viewers.close, reason))

    async def _load_view(self, subscription: Subscription) -> None:
        """Compute the view that a reader gets with its next news. The caller holds the lock."""
        if subscription.views:
            with contextlib.suppress(Refused):  # hidden: the reader gets news without content
                await (await self._viewers.views_for(subscription.seat).begin(subscription.seat))

    async def _show(self, work: Callable[..., None], *arguments: Any) -> None:
        """Compute and send what readers see; in a thread if the board is large. The caller holds the lock."""
        if self.game.board.size <= LARGE_VIEW:
            work(*arguments)
            return
        self._is_showing = True
        try:
            await run_in_thread(work, *arguments)
        finally:
            self._is_showing = False
            changes, self._reader_changes = self._reader_changes, []
            for change in changes:
                change()

    def _change_readers(self, change: Callable[[], None]) -> None:
        """Change the readers now, or when the thread that uses them has finished."""
        if self._is_showing:
            self._reader_changes.append(change)
        else:
            change()

    # ---------------------------------------------------------------- orders

    async def post(
        self, seat: int, orders: list[Any], key: str, *, turn: int | None = None, ready: bool = True
    ) -> Receipt:
        """Store orders for ``turn``, or for the open one. The receipt is durable; a repeated key gets the first one."""
        arrived = time.monotonic()
        if turn is None and (known := await self._recent_receipt(seat, key)) is not None:
            return known
        wanted = self.open_turn if turn is None else turn
        if self.is_broken or (self.is_replica and self.is_over):
            return await self._receipt_of_closed_turn(seat, key, wanted)
        if orders and self.game.is_locked and wanted == self.game.turn:
            return await self._receipt_of_locked_turn(seat, key, wanted)
        if self.is_replica:
            receipt = await self._orders.store(Post.encode(wanted, seat, key, orders, ready, time.time()), self.closes)
            if ready and self.successor is not None:  # it may have read the posts before this one was stored
                self.successor.note_ready(receipt.turn, seat)
            return receipt
        if wanted > self.open_turn:
            raise TooEarly(wanted, self.open_turn)
        deadline = self.clock.deadline
        if self.is_over or wanted < self.open_turn or (deadline is not None and arrived > deadline):
            return await self._receipt_of_closed_turn(seat, key, wanted)
        post = Post.encode(wanted, seat, key, orders, ready, time.time())
        receipt = await self._orders.store(post, self.closes)
        self._orders.note(post, receipt, is_open=receipt.turn == self.open_turn)
        if ready and receipt.turn == self.open_turn:
            self._add_ready(seat)
        return receipt

    def set_bot_orders(self, seat: int, orders: list[Any], turn: int) -> None:
        """Take the orders of a built-in bot, if the turn is still open. Only the turn's entry stores them.

        Until then a crash loses them: nothing of the turn was visible, and the bot is asked again.
        """
        deadline = self.clock.deadline
        is_late = deadline is not None and time.monotonic() > deadline
        is_bot = seat < len(self.seats) and self.seats[seat].kind == "builtin"
        if turn == self.open_turn and is_bot and not (is_late or self.is_over or self.is_replica or self.is_closed):
            self._orders.bot_posts.setdefault(seat, Post.encode(turn, seat, BOT_KEY, orders, True, time.time()))
            self._add_ready(seat)

    async def load_posts(self) -> None:
        """Read the posts and actions of the open turn that were stored before this object existed."""
        await self._orders.load(self.open_turn)
        self._acted = await self._log.acting_seats(self.open_turn)

    async def _recent_receipt(self, seat: int, key: str) -> Receipt | None:
        """The receipt of a post that named no turn: its repetition must not become orders for a later one."""
        if self.is_replica:
            return await self._log.receipt(seat, key, self.open_turn - REMEMBERED_TURNS, self.open_turn)
        return self._orders.receipt_for(seat, key)

    def posts_of(self, seat: int) -> Sequence[Post]:
        """A seat's posts for the open turn that arrived at this node."""
        return self._orders.posts_of(seat)

    async def pending(self, seat: int) -> Pending:
        """A seat's merged orders for the open turn."""
        turn = self.open_turn
        posts = await self._log.posts(turn, seat)  # also those that arrived at other nodes
        orders = merge_posts(type(self.game), posts).get(seat, [])
        return Pending(turn, orders, any(post.ready for post in posts), self._awaited_seats())

    async def _receipt_of_closed_turn(self, seat: int, key: str, turn: int) -> Receipt:
        known = await self._log.receipt(seat, key, turn, turn)
        if known is not None:
            return known
        self.require_running()
        raise TooLate(turn, max(self.open_turn, turn + 1))

    async def _receipt_of_locked_turn(self, seat: int, key: str, turn: int) -> Receipt:
        known = await self._log.receipt(seat, key, turn, turn)
        if known is None:
            raise TurnLocked(turn)
        return known

    # ---------------------------------------------------------------- immediate actions and late joiners

    async def act(self, seat: int, order: Any, key: str) -> ActResult:
        """Apply one immediate action of a seat, or of the host; durable before it is answered."""
        self._require_owner()
        # Shielded: a caller that disconnects must not interrupt what has begun.
        return await asyncio.shield(asyncio.ensure_future(self._act(seat, order, key)))

    async def _act(self, seat: int, order: Any, key: str) -> ActResult:
        async with self._consistent():
            known = await self._writer.answer(seat, key)
            if known is not None:
                return known
            report = self.game.act(seat, order)
            no_seat = Result(order, False, "MALFORMED", "There is no such seat.", "refused", "MALFORMED")
            (result,) = report.results.get(seat) or [no_seat]
            acted = ActResult(self.open_turn, self.game.seq, result, report.events if result.ok else [])
            if result.ok:
                await self._append_action(report, seat, key, acted)
                self._acted.add(seat)
            self._writer.cache_answer(seat, key, acted)
            return acted

    async def act_as_host(self, orders: Sequence[Any], key: str) -> int:
        """Apply orders of the host as one immediate action; returns how many the game accepted."""
        self._require_owner()
        return await asyncio.shield(asyncio.ensure_future(self._act_as_host(orders, key)))

    async def _act_as_host(self, orders: Sequence[Any], key: str) -> int:
        async with self._consistent():
            known = await self._writer.answer(HOST_PLAYER, key)
            if known is not None:
                return int(known.result.order["accepted"])
            report: Report = await run_off_loop_if_large(self.game, self.game.act_as_host, orders)
            accepted = int((report.orders.table[-1] == CommonReason.OK).sum())
            if accepted:
                result = Result({"orders": len(orders), "accepted": accepted}, True, "OK", "")
                await self._append_action(
                    report, HOST_PLAYER, key, ActResult(self.open_turn, self.game.seq, result, [])
                )
            return accepted

    async def _append_action(self, report: Report, seat: int, key: str, acted: ActResult) -> None:
        await self._append("act", report, seat=seat, key=key, answer=msgspec.json.encode(acted))
        await self._broadcast(report, set())
        if self.is_over:
            self._end_now.set()

    async def join(self, joiner: SeatInfo, extra: Callable[[Any, SeatInfo], None] | None = None) -> SeatInfo:
        """Add a player between two turns; ``extra`` writes the seat, with its number, in the entry's transaction."""
        self._require_owner()
        return await asyncio.shield(asyncio.ensure_future(self._join(joiner, extra)))

    async def _join(self, joiner: SeatInfo, extra: Callable[[Any, SeatInfo], None] | None) -> SeatInfo:
        async with self._consistent():
            seat = msgspec.structs.replace(joiner, seat=self.game.join(joiner.name))
            write = None if extra is None else lambda connection: extra(connection, seat)
            await self._append("join", None, write, name=joiner.name)
            self.seats.append(seat)
            await self._broadcast_joiner(joiner.name)
            return seat

    def _require_owner(self) -> None:
        if self.is_replica:
            self.require_running()
            raise Refused("other_node", "other_node")

    # ---------------------------------------------------------------- turns

    async def apply_entry(self, entry: Entry) -> None:
        """Apply an entry of the owner's log to this replica."""
        async with self._lock:
            if entry.index != self._writer.next_index:  # applied already
                return
            report = apply_entry(self.game, entry)
            self._writer.next_index = entry.index + 1
            self.last_entry, self.logged_turn = entry, self.game.turn
            self.open_turn = max(self.open_turn, self.game.turn)
            self._orders.close(self.open_turn - 1)
            if report is None:
                self.seats.append(SeatInfo(len(self.seats), "bot", entry.name))
                await self._broadcast_joiner(entry.name)
            else:
                await self._broadcast(report, {seat for seat, timing in enumerate(entry.seats) if timing.late})

    async def run(self) -> None:
        """Play turn after turn, each at its time, until the match is over."""
        if self.open_turn > self.game.turn:  # closed before a crash, but not played
            async with self._lock:
                acted = await self._log.acting_seats(self.game.turn)
                await self._play(await self._log.posts(self.game.turn), acted=acted)
        for post in await self._log.posts(self.open_turn):
            if post.ready:
                self._add_ready(post.seat)
        if self._writer.next_index == 0:
            self.clock.begin()
        else:
            self.clock.restart()
        self._end_if_all_ready()
        while not self.is_over:
            await self._wait_for_turn_end()
            with contextlib.suppress(MatchOver):
                await self.end_turn()

    async def _wait_for_turn_end(self) -> None:
        lock_time = self.clock.lock_time(self.game.lock_percent) if self._sends_host_orders else None
        if lock_time is not None and not await self._ended_early_before(lock_time):
            await self._send_host_orders("lock")
        if not await self._ended_early_before(self.clock.deadline):
            if self._log.is_shared:
                await asyncio.sleep(GRACE + _TIMER_SECONDS)
        elif not self.is_over:
            earliest = max(self.clock.earliest, self.clock.opened + (_ABANDONED_SECONDS if self._is_abandoned else 0))
            await asyncio.sleep(min(earliest, self.clock.deadline) - time.monotonic())
        await self._send_host_orders("end")

    async def _ended_early_before(self, moment: float | None) -> bool:
        """Wait until a moment; True as soon as the turn is to end before it."""
        while not self._end_now.is_set():
            left = math.inf if moment is None else moment - time.monotonic()
            if left <= 0:
                return False
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(None if moment is None else max(left, _TIMER_SECONDS)):
                    await self._end_now.wait()
        return True

    async def _send_host_orders(self, moment: Literal["lock", "end"]) -> None:
        if self._sends_host_orders:
            for number, order in enumerate(self.game.host_orders_at(moment, datetime.now(UTC))):
                await self.act(HOST_PLAYER, order, f"{moment}/{self.open_turn}/{number}")

    async def end_turn(self) -> Report:
        """End the open turn now."""
        async with self._consistent():
            if self.is_over:  # by an immediate action
                raise MatchOver
            turn = self.open_turn
            self.lateness = self.clock.lateness()
            opened = time.time() - (time.monotonic() - self.clock.opened)
            self.clock.next()
            self.open_turn = turn + 1
            bot_posts = list(self._orders.bot_posts.values())
            acted, self._acted = self._acted, set()
            self._orders.close(turn)
            self._end_now.clear()
            known = self._log.known_posts(turn)
            if known is None or self._is_long([*bot_posts, *known]):
                posts = await self._log.close_turn(turn, self.clock.closes, bot_posts)
                return await self._play(posts, opened, acted=acted)
            # Nothing suspends before the entry is queued: a post for the next turn cannot overtake it.
            return await self._play([*bot_posts, *known], opened, Closing(known, self.clock.closes), acted)

    async def _play(
        self,
        posts: Sequence[Post],
        opened: float | None = None,
        closing: Closing | None = None,
        acted: Set[int] = frozenset(),
    ) -> Report:
        """Step the game with the posts of a closed turn, or of one that its entry closes. The caller holds the lock."""
        report = await run_in_thread(self._step, posts) if self._is_long(posts) else self._step(posts)
        is_short = self._writer.next_index == 0 and self.clock.has_short_first_turn
        expected = [not is_short and self.expects_orders(seat) for seat in range(len(self.seats))]
        timings = seat_timings(expected, posts, opened, acted)
        await self._append("turn", report, closing=closing, seats=timings)
        self.open_turn = max(self.open_turn, self.game.turn)
        await self._broadcast(report, {seat for seat, timing in enumerate(timings) if timing.late})
        self._end_if_all_ready()
        return report

    def _is_long(self, posts: Sequence[Post]) -> bool:
        """Whether playing these posts takes too long for the event loop."""
        return runs_off_loop(self.game, sum(post.size for post in posts))

    def _step(self, posts: Sequence[Post]) -> Report:
        return self.game.step(merge_posts(type(self.game), posts))

    async def _append(
        self, kind: EntryKind, report: Report | None, extra: ExtraWrite | None = None, **fields: Any
    ) -> None:
        try:
            entry = await self._writer.append(kind, report, extra, self.lateness if kind == "turn" else 0.0, **fields)
            if not self.is_owned():  # it is stored, and another node may have continued from there
                self._writer.dirty = True
                raise OwnershipLost(self.id)
        except BaseException:
            self._end_now.set()  # wakes `run`, which then fails on the dirty match
            raise
        self.last_entry, self.logged_turn = entry, self.game.turn
        for seat, timing in enumerate(entry.seats):
            if timing.late:
                info = self.seats[seat]
                self.seats[seat] = msgspec.structs.replace(info, missed=info.missed + 1)

    async def _broadcast(self, report: Report, late: set[int]) -> None:
        self.late_seats = late
        if self._viewers.is_idle:
            self._viewers.broadcast(report, late, self.state, self.closes)
        else:
            await self._viewers.load_views()
            await self._show(self._viewers.broadcast, report, late, self.state, self.closes)
        self._on_turn(self, report)

    async def _broadcast_joiner(self, name: str) -> None:
        await self._viewers.load_views()
        await self._show(self._viewers.add_player, name, self.state, self.closes)
        self._on_join(self)

    # ---------------------------------------------------------------- seats

    def set_seats(self, seats: Sequence[SeatInfo]) -> None:
        """Replace the seats; the counts of missed turns stay.

        A concurrent join may make the lists differ in length: seats beyond the shorter one stay as they are.
        """
        pairs = list(zip(self.seats, seats, strict=False))
        for before, after in pairs:
            if before.account != after.account:
                self._change_readers(partial(self._viewers.close_seat, before.seat, "reseated"))
        self.seats[: len(pairs)] = [msgspec.structs.replace(after, missed=before.missed) for before, after in pairs]
        self._end_if_all_ready()

    def end_turn_now(self) -> None:
        """Let the open turn end without waiting for its deadline or for players."""
        self._end_now.set()

    @property
    def is_waiting_for_ready(self) -> bool:
        """Whether the open turn ends as soon as every player is ready."""
        return not self.is_replica and not self.is_over and self.clock.early and not self._end_now.is_set()

    def note_ready(self, turn: int, seat: int) -> None:
        """Record that a seat is ready whose orders arrived at another node, or at a replica."""
        if turn == self.open_turn and self.is_waiting_for_ready and seat < len(self.seats):
            self._add_ready(seat)

    def _add_ready(self, seat: int) -> None:
        self._orders.ready.add(seat)
        self._end_if_all_ready()

    def _end_if_all_ready(self) -> None:
        """End the turn if no seat is awaited."""
        if not self.clock.early:
            return
        # It starts at the seat that was awaited last, so that a thousand posts cost a thousand checks.
        ready, count = self._orders.ready, len(self.seats)
        for seat in chain(range(self._last_awaited, count), range(min(self._last_awaited, count))):
            if seat not in ready and self.expects_orders(seat):
                self._last_awaited = seat
                return
        if any(self.expects_orders(seat) for seat in range(count)):
            self._end_now.set()

    @property
    def _is_abandoned(self) -> bool:
        kinds = {seat.kind for seat in self.seats}
        return {"empty", "builtin"} <= kinds <= {"empty", "open", "builtin"}

    def _awaited_seats(self) -> list[int]:
        """The first seats for which the open turn waits."""
        if not self.is_waiting_for_ready:
            return []
        awaited = (
            seat for seat in range(len(self.seats)) if seat not in self._orders.ready and self.expects_orders(seat)
        )
        return list(islice(awaited, _MAX_AWAITED))

    def expects_orders(self, seat: int) -> bool:
        """Whether the seat is taken and its player can still give orders."""
        return self.seats[seat].kind not in ("empty", "open") and self._viewers.alive[seat]
