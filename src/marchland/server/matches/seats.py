"""Seat assignment with optimistic concurrency: join, leave, assign, vacate."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import msgspec
from sqlalchemy import Connection

from marchland.errors import Refused, StorageUnavailable
from marchland.match import Match
from marchland.messages import Joined, JoinRequest, SeatInfo
from marchland.server.accounts import passwords
from marchland.server.audit import record
from marchland.server.cluster import queries as cluster_queries
from marchland.server.http.auth import Caller
from marchland.server.matches import queries
from marchland.server.matches.admission import Admission, check_guest, exclude
from marchland.server.matches.loader import no_such_match
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.queries import MatchRow
from marchland.server.matches.setup import SeatWrite, max_name_length, no_extra_writes, unique_name
from marchland.server.matches.visibility import Visibility
from marchland.server.names import check_distinct
from marchland.store.writer import Lock

_MAX_ATTEMPTS = 20
_MAX_LOBBIES = 100

Done = TypeVar("Done")


class ConcurrentUpdate(Exception):  # noqa: N818 - it says what happened
    """The seats have changed since they were read; nothing was written."""


class _Locks:
    """A lock for each match, which exists while it is held or awaited."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def of(self, match: str) -> asyncio.Lock:
        """The lock of a match."""
        return self._locks.setdefault(match, asyncio.Lock())


class SeatService:
    """Assigns and releases seats, one change at a time in each match; starts a match that is full."""

    def __init__(self, manager: MatchManager, visibility: Visibility, start: Callable[[str], Awaitable[None]]) -> None:
        self._manager = manager
        self._store = manager.store
        self._visibility = visibility
        self._start = start
        self.admission = Admission()
        self.change_locks = _Locks()
        """Held during a change of a match's seats from this node, also while its owner is called."""
        self._join_locks = _Locks()
        """Held while a late joiner is added here. Not `change_locks`: two nodes that call each other would deadlock."""
        self._lobbies: OrderedDict[str, MatchRow] = OrderedDict()
        """Lobbies as this node last wrote them: reading a thousand seats for each of a thousand joins would take long.

        A change on another node is noticed when the next seat is written, and the row is read again."""
        manager.owner_calls.register("join", self._join_here)
        manager.owner_calls.register("reseat", self._reload_seats_here)

    async def row(self, id: str) -> MatchRow:
        """The row of a match; refused if there is none."""
        row = await self._store.read(partial(queries.find, match=id))
        if row is None:
            raise no_such_match(id)
        return row

    async def join(self, id: str, caller: Caller, joining: JoinRequest) -> Joined:
        """Give the caller a seat; idempotent for a caller that has one."""
        row, own = await self._store.read(partial(self._find_own_seat, id=id, caller=caller, joining=joining))
        if own is not None:  # a retry: the first attempt may have failed before this
            await self._update_owner(row, (await self.row(id)).seats)
            return own
        await self._visibility.require_fork_visible(id, row.spectator_policy, caller)
        if row.password and not await passwords.verify_in_thread(joining.password, row.password):
            raise Refused("wrong_password", "wrong_match_password")
        await self._manager.games.require(
            row.game
        )  # before anything is written: the last player to join starts the match
        return await retry_on_conflict(partial(self._join, id, caller, joining))

    def _find_own_seat(
        self, connection: Connection, id: str, caller: Caller, joining: JoinRequest
    ) -> tuple[MatchRow, Joined | None]:
        """The match, with the caller's seats only, and the seat that the caller has; refused if it may take none."""
        row = queries.find_for_account(connection, id, caller.id)
        if row is None:
            raise no_such_match(id)
        own = _seat_of(row, caller, joining)
        if own is None and row.state in ("over", "broken"):
            raise Refused("over", "match_over")
        if own is None:
            self.admission.check(connection, row, caller.id)
        return row, own

    async def _join(self, id: str, caller: Caller, joining: JoinRequest) -> Joined:
        async with self.change_locks.of(id):
            row = self._lobbies.pop(id, None)
            if row is None or not any(seat.kind == "open" and joining.seat in (None, seat.seat) for seat in row.seats):
                row = await self.row(id)
            if own := _seat_of(row, caller, joining):  # a concurrent request of the same caller
                return own
            taken = {seat.name for seat in row.seats}
            name = unique_name(joining.name or caller.account.name, taken, max_name_length(row))
            seat = await self._take_seat(row, caller.id, joining, name)
        await self._start_if_full(row, seat)
        return Joined(id, seat.seat, seat.name)

    async def assign(
        self, id: str, name: str, extra: SeatWrite = no_extra_writes, *, has_account: bool = False
    ) -> SeatInfo:
        """Give a seat to a client of a wire; ``extra`` stores its identity in the same transaction."""
        check_guest(self._manager.settings, has_account=has_account)
        await self._manager.games.require((await self.row(id)).game)
        return await retry_on_conflict(partial(self._assign, id, name, extra))

    async def _assign(self, id: str, name: str, extra: SeatWrite) -> SeatInfo:
        async with self.change_locks.of(id):
            row = await self.row(id)
            if row.state in ("over", "broken"):
                raise Refused("over", "match_over")
            await self._visibility.require_fork_visible(id, row.spectator_policy, None)
            _check_name(name, {seat.name for seat in row.seats})
            seat = await self._take_seat(row, None, JoinRequest(), name, extra)
        await self._start_if_full(row, seat)
        return seat

    async def vacate(self, id: str, number: int, extra: SeatWrite = no_extra_writes) -> None:
        """Release a seat of a client without an account; in a running match it stays taken."""
        await retry_on_conflict(partial(self._vacate, id, number, extra))

    async def _vacate(self, id: str, number: int, extra: SeatWrite) -> None:
        async with self.change_locks.of(id):
            row = await self.row(id)
            if row.state == "lobby":
                free = SeatInfo(number, "open")
                await self._save(row, [free if seat.seat == number else seat for seat in row.seats], free, extra)

    async def _start_if_full(self, row: MatchRow, seat: SeatInfo) -> None:
        if row.state == "lobby" and row.request.auto_start:
            others = [other for other in row.seats if other.kind == "open" and other.seat != seat.seat]
            if not others:
                await self._start(row.id)

    async def _take_seat(
        self, row: MatchRow, account: str | None, joining: JoinRequest, name: str, extra: SeatWrite = no_extra_writes
    ) -> SeatInfo:
        reserved = None
        if self.admission.is_reserved(row):
            reserved = await self._store.read(partial(self._check_admission, row=row, account=account))
        open_seats = [seat for seat in _open_seats(row, account, reserved) if joining.seat in (None, seat.seat)]
        if not open_seats:
            if joining.seat is not None or row.state == "lobby":
                raise Refused("no_seat", "seat_not_open" if joining.seat is not None else "match_full")
            if reserved is not None:
                raise Refused("no_seat", "seat_assigned")
            return await self._join_running(row, SeatInfo(0, joining.kind, name, account), extra)
        seat = msgspec.structs.replace(open_seats[0], kind=joining.kind, account=account)
        if row.state == "lobby":
            seat = msgspec.structs.replace(seat, name=seat.name or name)

        def admit(connection: Connection, taken: SeatInfo) -> None:
            self.admission.check(connection, row, account)
            extra(connection, taken)

        await self._save(row, [seat if other.seat == seat.seat else other for other in row.seats], seat, admit)
        return seat

    def _check_admission(self, connection: Connection, row: MatchRow, account: str | None) -> Mapping[str, str] | None:
        """Refuse an account that may not take a seat; the accounts that the seats are reserved for."""
        self.admission.check(connection, row, account)
        return self.admission.reserved_seats(connection, row)

    async def _join_running(self, row: MatchRow, joiner: SeatInfo, extra: SeatWrite) -> SeatInfo:
        """Add a seat to a match that runs, if the game's rules allow it."""
        match = await self._manager.match(row.id)
        if match.is_replica and not match.is_over and extra is no_extra_writes:
            result = await self._manager.call_owner("join", match, joiner)
            return msgspec.convert(result, SeatInfo)
        return await self._add_joiner(match, row, joiner, extra)

    async def _add_joiner(
        self, match: Match, row: MatchRow, joiner: SeatInfo, extra: SeatWrite = no_extra_writes
    ) -> SeatInfo:
        def work(connection: Connection, seat: SeatInfo) -> None:
            self.admission.check(connection, row, joiner.account)  # again: it may have read the seed meanwhile
            queries.add_seat(connection, match.id, seat)
            extra(connection, seat)

        async with self._join_locks.of(match.id):
            await self._store.read(partial(self.admission.check, row=row, account=joiner.account))
            taken = {seat.name for seat in match.seats}
            if joiner.account is None:
                _check_name(joiner.name, taken)
                return await match.join(joiner, work)
            existing = next((seat for seat in match.seats if seat.account == joiner.account), None)
            name = unique_name(joiner.name, taken, max_name_length(row))
            return existing or await match.join(msgspec.structs.replace(joiner, name=name), work)

    async def _join_here(self, id: str, body: Any) -> SeatInfo:
        joiner = msgspec.convert(body, SeatInfo)
        return await self._add_joiner(await self._manager.require_owned(id), await self.row(id), joiner)

    async def leave(self, id: str, caller: Caller) -> None:
        """Release the caller's seat: it is open again, or stays empty if the match runs."""
        row = await self.row(id)
        if row.state == "running":  # its owner node must be notified
            await self._manager.games.require(row.game)
        await retry_on_conflict(partial(self._leave, id, caller))

    async def _leave(self, id: str, caller: Caller) -> None:
        async with self.change_locks.of(id):
            await self._leave_seat(await self.row(id), caller)

    async def _leave_seat(self, row: MatchRow, caller: Caller) -> None:
        if not any(seat.account == caller.id for seat in row.seats):
            await self._update_owner(row, row.seats)
            raise Refused("no_seat", "no_seat_of_yours")
        if row.state in ("over", "broken"):
            raise Refused("over", "players_stay")
        await self._save(row, [_release_seat(row, seat) if seat.account == caller.id else seat for seat in row.seats])

    async def remove(self, id: str, number: int, caller: Caller) -> None:
        """Release another account's seat; that account cannot take a seat in the match again."""
        row = await self.row(id)
        if row.state == "running":  # its owner node must be notified
            await self._manager.games.require(row.game)
        await retry_on_conflict(partial(self._remove, id, number, caller))

    async def _remove(self, id: str, number: int, caller: Caller) -> None:
        async with self.change_locks.of(id):
            row = await self.row(id)
            if row.state in ("over", "broken"):
                raise Refused("over", "players_stay")
            seat = next((seat for seat in row.seats if seat.seat == number and seat.account is not None), None)
            if seat is None or seat.account is None:
                raise Refused("no_seat", "seat_without_account", seat=number)
            account = seat.account

            def write(connection: Connection, released: SeatInfo) -> None:
                exclude(connection, id, account, "removed")
                record(connection, caller, "remove seat", id, {"seat": number, "account": account})

            released = _release_seat(row, seat)
            await self._save(row, [released if other is seat else other for other in row.seats], released, write)

    async def _save(
        self,
        row: MatchRow,
        seats: Sequence[SeatInfo],
        changed: SeatInfo | None = None,
        extra: SeatWrite = no_extra_writes,
    ) -> None:
        def work(connection: Connection) -> None:
            # One row is written, and few are read: joins of a thousand players must not cost a million rows.
            free = sum(seat.kind == "open" for seat in row.seats)
            if queries.count_open_seats(connection, row.id) != (row.state, len(row.seats), free):
                raise ConcurrentUpdate(row.id)
            for before, after in zip(row.seats, seats, strict=True):
                if after != before and not queries.replace_seat(connection, row.id, before, after):
                    raise ConcurrentUpdate(row.id)
            if changed is not None:
                extra(connection, changed)

        self._lobbies.pop(row.id, None)
        await self._store.write(work, Lock(row.id, exclusive=True))
        if row.state == "lobby":
            self._lobbies[row.id] = msgspec.structs.replace(row, seats=list(seats))
            if len(self._lobbies) > _MAX_LOBBIES:
                self._lobbies.popitem(last=False)
        await self._update_owner(row, seats)

    async def _update_owner(self, row: MatchRow, seats: Sequence[SeatInfo]) -> None:
        """Pass the seats to the node that runs the match."""
        match = await self._manager.loaded_or_loading(row.id)
        if match is None and row.state == "running" and self._store.is_shared:  # another node runs it
            match = await self._manager.match(row.id)
        if match is not None and match.is_replica and not match.is_over:
            await self._manager.call_owner("reseat", match, None)
        elif match is not None:
            match.set_seats(seats)

    async def _reload_seats_here(self, id: str, body: None) -> None:
        match = await self._manager.require_owned(id)
        match.set_seats(await self._store.read(partial(cluster_queries.seats_of, match=id)))


def _seat_of(row: MatchRow, caller: Caller, joining: JoinRequest) -> Joined | None:
    """The seat that the caller has already, unless another one is requested."""
    account = caller.id
    own = next((seat for seat in row.seats if seat.account == account), None)
    return Joined(row.id, own.seat, own.name) if own is not None and joining.seat in (None, own.seat) else None


def _release_seat(row: MatchRow, seat: SeatInfo) -> SeatInfo:
    """The seat without its player: open again, or empty if the match runs."""
    kind: Any = "empty" if row.state == "running" else "open"
    return msgspec.structs.replace(seat, kind=kind, account=None, name=seat.name if row.started else "")


def _open_seats(row: MatchRow, account: str | None, reserved: Mapping[str, str] | None) -> list[SeatInfo]:
    """The seats that an account may take; of reserved ones its own, also if it has left that before."""
    if reserved is None:
        return [seat for seat in row.seats if seat.kind == "open"]
    name = reserved[account or ""][: max_name_length(row)]
    return [seat for seat in row.seats if seat.kind in ("open", "empty") and seat.name == name]


def _check_name(name: str, taken: set[str]) -> None:
    check_distinct(name, taken, "player named")


def require_unchanged(connection: Connection, row: MatchRow) -> None:
    """Raise `ConcurrentUpdate` if the state or the seats of a match have changed since the row was read."""
    before = [(seat.seat, seat.kind, seat.account) for seat in row.seats]
    if queries.read_occupancy(connection, row.id) != (row.state, before):
        raise ConcurrentUpdate(row.id)


async def retry_on_conflict(change: Callable[[], Awaitable[Done]]) -> Done:
    """Retry a change, each time from newly read rows, while concurrent updates conflict with it."""
    for _ in range(_MAX_ATTEMPTS):
        try:
            return await change()
        except ConcurrentUpdate:
            continue
    raise StorageUnavailable("Too many sit down at the same time.")
