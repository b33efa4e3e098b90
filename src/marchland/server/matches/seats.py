"""Who sits where: players sit down before a match starts or later, and get up."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import msgspec
from sqlalchemy import Connection

from marchland.errors import Refused, StorageUnavailable
from marchland.match import Match
from marchland.messages import Joined, JoinRequest, SeatInfo
from marchland.server.accounts import passwords
from marchland.server.cluster import queries as cluster_queries
from marchland.server.http.auth import Caller
from marchland.server.matches import queries
from marchland.server.matches.loader import no_such_match
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.queries import MatchRow
from marchland.server.matches.setup import Also, max_name_length, no_extra_writes, unique_name
from marchland.server.matches.visibility import Visibility
from marchland.store.writer import Lock

_TRIES = 20

Done = TypeVar("Done")


class ConcurrentUpdate(Exception):  # noqa: N818 - it says what happened
    """The seats have changed since they were read; nothing was written."""


class _Locks:
    """A lock for each match, there as long as somebody holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def of(self, match: str) -> asyncio.Lock:
        """The lock of one match."""
        return self._locks.setdefault(match, asyncio.Lock())


class SeatService:
    """Gives seats and takes them back, in each match one change at a time; a match that is full is started."""

    def __init__(self, manager: MatchManager, visibility: Visibility, start: Callable[[str], Awaitable[None]]) -> None:
        self._manager = manager
        self._store = manager.store
        self._visibility = visibility
        self._start = start
        self.change_locks = _Locks()
        """Held by whoever changes who sits where in a match from this node, also while another node is asked."""
        self._join_locks = _Locks()
        """Held by whoever lets somebody into a match that runs here: two nodes that ask each other need not wait."""
        manager.owner_calls.register("join", self._join_here)
        manager.owner_calls.register("reseat", self._reseat_here)

    async def row(self, id: str) -> MatchRow:
        """A match; refused if there is none."""
        found = await self._store.read(partial(queries.find, match=id))
        if found is None:
            raise no_such_match(id)
        return found

    async def join(self, id: str, caller: Caller, joining: JoinRequest) -> Joined:
        """Give the caller a seat; whoever has one gets the same again."""
        row = await self.row(id)
        if mine := _seat_of(row, caller, joining):
            await self._tell_owner(row, row.seats)  # who died before it was told, or got no answer, asks again
            return mine
        if row.state in ("over", "broken"):
            raise Refused("over", "The match is over.")
        if row.request.seed is not None and row.creator == caller.id:
            raise Refused("not_allowed", "Who has set the dice cannot play with them.")
        await self._visibility.require_fork_visible(id, row.game, caller)
        if not await asyncio.to_thread(passwords.fits, joining.password, row.password):
            raise Refused("wrong_password", "This is not the match's password.")
        await self._manager.games.require(row.game)  # before anything is written: the last one to join starts the match
        return await retry_on_conflict(partial(self._join, id, caller, joining))

    async def _join(self, id: str, caller: Caller, joining: JoinRequest) -> Joined:
        async with self.change_locks.of(id):
            row = await self.row(id)
            if mine := _seat_of(row, caller, joining):  # somebody who asks twice at once still has one seat
                return mine
            taken = {seat.name for seat in row.seats}
            name = unique_name(joining.name or caller.account.name, taken, max_name_length(row))
            seat = await self._seated(row, caller.id, joining, name)
        await self._start_if_full(row, seat)
        return Joined(id, seat.seat, seat.name)

    async def sit(self, id: str, name: str, also: Also = no_extra_writes) -> SeatInfo:
        """Give a seat to a program that has no account; what it is known by is kept together with the seat."""
        await self._manager.games.require((await self.row(id)).game)
        return await retry_on_conflict(partial(self._sit, id, name, also))

    async def _sit(self, id: str, name: str, also: Also) -> SeatInfo:
        async with self.change_locks.of(id):
            row = await self.row(id)
            if row.state in ("over", "broken"):
                raise Refused("over", "The match is over.")
            await self._visibility.require_fork_visible(id, row.game, None)
            _check_name(name, {seat.name for seat in row.seats})
            seat = await self._seated(row, None, JoinRequest(), name, also)
        await self._start_if_full(row, seat)
        return seat

    async def vacate(self, id: str, number: int, also: Also = no_extra_writes) -> None:
        """Give such a seat back; once the match runs it stays taken."""
        await retry_on_conflict(partial(self._vacate, id, number, also))

    async def _vacate(self, id: str, number: int, also: Also) -> None:
        async with self.change_locks.of(id):
            row = await self.row(id)
            if row.state == "lobby":
                free = SeatInfo(number, "open")
                await self._save(row, [free if one.seat == number else one for one in row.seats], free, also)

    async def _start_if_full(self, row: MatchRow, seat: SeatInfo) -> None:
        if row.state == "lobby" and row.request.auto_start:
            left = [one for one in row.seats if one.kind == "open" and one.seat != seat.seat]
            if not left:
                await self._start(row.id)

    async def _seated(
        self, row: MatchRow, account: str | None, joining: JoinRequest, name: str, also: Also = no_extra_writes
    ) -> SeatInfo:
        open_seats = [seat for seat in row.seats if seat.kind == "open" and joining.seat in (None, seat.seat)]
        if not open_seats:
            if joining.seat is not None or row.state == "lobby":
                raise Refused("no_seat", "There is no such open seat." if joining.seat is not None else "It is full.")
            return await self._late(row, SeatInfo(0, joining.kind, name, account), also)
        seat = msgspec.structs.replace(open_seats[0], kind=joining.kind, account=account)
        if row.state == "lobby":
            seat = msgspec.structs.replace(seat, name=seat.name or name)
        await self._save(row, [seat if one.seat == seat.seat else one for one in row.seats], seat, also)
        return seat

    async def _late(self, row: MatchRow, joiner: SeatInfo, also: Also) -> SeatInfo:
        """A seat that was not there when the match began, if the game's rules allow it."""
        match = await self._manager.match(row.id)
        if match.is_replica and not match.is_over and also is no_extra_writes:
            told = await self._manager.call_owner("join", match, joiner)
            return msgspec.convert(told, SeatInfo)
        return await self._let_in(match, row, joiner, also)

    async def _let_in(self, match: Match, row: MatchRow, joiner: SeatInfo, also: Also = no_extra_writes) -> SeatInfo:
        def work(connection: Connection, seat: SeatInfo) -> None:
            queries.add_seat(connection, match.id, seat)
            also(connection, seat)

        async with self._join_locks.of(match.id):
            taken = {seat.name for seat in match.seats}
            if joiner.account is None:
                _check_name(joiner.name, taken)
                return await match.join(joiner, work)
            has = next((seat for seat in match.seats if seat.account == joiner.account), None)
            name = unique_name(joiner.name, taken, max_name_length(row))
            return has or await match.join(msgspec.structs.replace(joiner, name=name), work)

    async def _join_here(self, id: str, asked: Any) -> SeatInfo:
        joiner = msgspec.convert(asked, SeatInfo)
        return await self._let_in(await self._manager.owned(id), await self.row(id), joiner)

    async def leave(self, id: str, caller: Caller) -> None:
        """Get up: the seat is free again, or empty for good if the match runs."""
        row = await self.row(id)
        if row.state == "running":  # the node that runs it must be told
            await self._manager.games.require(row.game)
        await retry_on_conflict(partial(self._leave, id, caller))

    async def _leave(self, id: str, caller: Caller) -> None:
        async with self.change_locks.of(id):
            await self._leave_seat(await self.row(id), caller)

    async def _leave_seat(self, row: MatchRow, caller: Caller) -> None:
        if not any(seat.account == caller.id for seat in row.seats):
            await self._tell_owner(row, row.seats)
            raise Refused("no_seat", "You have no seat in this match.")
        if row.state in ("over", "broken"):
            raise Refused("over", "The match is over; who played in it stays known.")
        after = SeatInfo(0, "empty" if row.state == "running" else "open")
        changed = [
            msgspec.structs.replace(seat, kind=after.kind, account=None, name=seat.name if row.started else "")
            if seat.account == caller.id
            else seat
            for seat in row.seats
        ]
        await self._save(row, changed)

    async def _save(
        self,
        row: MatchRow,
        sitting: Sequence[SeatInfo],
        changed: SeatInfo | None = None,
        also: Also = no_extra_writes,
    ) -> None:
        def work(connection: Connection) -> None:
            require_unchanged(connection, row)
            queries.save_seats(connection, row.id, sitting)
            if changed is not None:
                also(connection, changed)

        await self._store.write(work, Lock(row.id, alone=True))
        await self._tell_owner(row, sitting)

    async def _tell_owner(self, row: MatchRow, sitting: Sequence[SeatInfo]) -> None:
        """Have the node that runs a match know who sits where."""
        match = await self._manager.loaded_or_loading(row.id)
        if match is None and row.state == "running" and self._store.many_nodes:  # another node runs it and must hear
            match = await self._manager.match(row.id)
        if match is not None and match.is_replica and not match.is_over:
            await self._manager.call_owner("reseat", match, None)
        elif match is not None:
            match.set_seats(sitting)

    async def _reseat_here(self, id: str, asked: None) -> None:
        match = await self._manager.owned(id)
        match.set_seats(await self._store.read(partial(cluster_queries.seats_of, match=id)))


def _seat_of(row: MatchRow, caller: Caller, joining: JoinRequest) -> Joined | None:
    """The seat that the caller has already, if he does not ask for another."""
    mine = next((seat for seat in row.seats if seat.account == caller.id), None)
    return Joined(row.id, mine.seat, mine.name) if mine is not None and joining.seat in (None, mine.seat) else None


def _check_name(name: str, taken: set[str]) -> None:
    if name in taken:
        raise Refused("name_taken", f"There is a player named {name!r} already.")


def require_unchanged(connection: Connection, row: MatchRow) -> None:
    """Raise `ConcurrentUpdate` if a match has started, or somebody has sat down or got up, since the row was read."""
    now = queries.find(connection, row.id)
    if now is None or now.state != row.state or _sitting(now) != _sitting(row):
        raise ConcurrentUpdate(row.id)


def _sitting(row: MatchRow) -> list[tuple[int, str, str | None]]:
    return [(seat.seat, seat.kind, seat.account) for seat in row.seats]


async def retry_on_conflict(change: Callable[[], Awaitable[Done]]) -> Done:
    """Make a change from what is so now, until no other node comes between."""
    for _ in range(_TRIES):
        try:
            return await change()
        except ConcurrentUpdate:
            continue
    raise StorageUnavailable("Too many sit down at the same time.")
