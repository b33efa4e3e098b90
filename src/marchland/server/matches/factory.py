"""Matches that the server itself opens: in rooms, rounds and seasons. Whatever dies meanwhile, each is opened once."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence

import msgspec
from sqlalchemy import Connection

from marchland.errors import Refused
from marchland.messages import NewMatch, SeatInfo
from marchland.server.game_loader import GameLoader
from marchland.server.matches import queries
from marchland.server.matches.service import Lobby
from marchland.server.matches.setup import checked
from marchland.server.matches.slot_queries import orphans
from marchland.store import Store
from marchland.store.writer import Lock


class Opener:
    """Makes a match, has its place claimed in one transaction, then starts it."""

    def __init__(self, store: Store, lobby: Lobby, games: GameLoader) -> None:
        self.store = store
        self.games = games
        self._lobby = lobby

    async def check(self, wish: NewMatch) -> None:
        """Refuse what no match can be made of, now or for good."""
        await asyncio.to_thread(checked, await self._lobby.with_map(wish))
        await self.games.require(wish.game)

    async def open(
        self,
        wish: NewMatch,
        place: str,
        claim: Callable[[Connection, str], bool],
        seats: Sequence[SeatInfo] = (),
        lock: Lock | None = None,
    ) -> str | None:
        """A new match, started unless it waits for players; None if its place was taken meanwhile."""
        waits = any(seat.kind == "open" for seat in wish.seats) and not seats
        row = await self._lobby.create(msgspec.structs.replace(wish, auto_start=waits and wish.auto_start), None, place)

        def work(connection: Connection) -> bool:
            if not claim(connection, row.id):
                return False
            if seats:
                queries.save_seats(connection, row.id, seats)
            return True

        if not await self.store.write(work, lock):
            await self._lobby.remove(row.id)
            return None
        if not waits:
            await self.begin(row.id)
        return row.id

    async def begin(self, match: str) -> None:
        """Start a match that has its place; one that has started already stays as it is."""
        try:
            await self._lobby.start(match)
        except Refused as problem:
            if problem.error != "started":
                raise

    async def clear_away(self, before: float) -> None:
        """Remove matches that were made for a place and never got it, because the end came between."""
        for orphan in await self.store.read(lambda connection: orphans(connection, before)):
            with contextlib.suppress(Refused):
                await self._lobby.remove(orphan)
