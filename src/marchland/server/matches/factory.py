"""Creates the match of a slot in a room, round or season: exactly once, also if a node dies half-way."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence

import msgspec
from sqlalchemy import Connection

from marchland.errors import Refused
from marchland.messages import MatchCreate, SeatInfo
from marchland.server.game_loader import GameLoader
from marchland.server.matches import queries
from marchland.server.matches.service import MatchService
from marchland.server.matches.setup import validate_request
from marchland.server.matches.slot_queries import orphaned_matches
from marchland.store import Database
from marchland.store.writer import Lock


class MatchFactory:
    """Creates a match, claims its slot in one transaction, then starts it."""

    def __init__(self, store: Database, service: MatchService, games: GameLoader) -> None:
        self.store = store
        self.games = games
        self._service = service

    async def validate(self, request: MatchCreate) -> None:
        """Refuse a request from which no match can be created, or whose game is loading."""
        await asyncio.to_thread(validate_request, await self._service.with_map(request))
        await self.games.require(request.game)

    async def create_for_slot(
        self,
        request: MatchCreate,
        slot: str,
        claim: Callable[[Connection, str], bool],
        seats: Sequence[SeatInfo] = (),
        lock: Lock | None = None,
    ) -> str | None:
        """A new match, started unless it waits for players; None if its slot was taken meanwhile."""
        waits = any(seat.kind == "open" for seat in request.seats) and not seats
        row = await self._service.create(
            msgspec.structs.replace(request, auto_start=waits and request.auto_start), None, slot
        )

        def work(connection: Connection) -> bool:
            if not claim(connection, row.id):
                return False
            if seats:
                queries.save_seats(connection, row.id, seats)
            return True

        if not await self.store.write(work, lock):
            await self._service.remove(row.id)
            return None
        if not waits:
            await self.start(row.id)
        return row.id

    async def start(self, match: str) -> None:
        """Start a match that has its slot; idempotent."""
        try:
            await self._service.start(match)
        except Refused as problem:
            if problem.error != "started":
                raise

    async def delete_orphans(self, before: float) -> None:
        """Delete matches that were created for a slot and never got it, because a node died between."""
        for orphan in await self.store.read(lambda connection: orphaned_matches(connection, before)):
            with contextlib.suppress(Refused):
                await self._service.remove(orphan)
