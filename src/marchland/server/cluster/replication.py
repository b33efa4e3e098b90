"""Replicas: matches that another node owns, shown here from their log."""

import logging
from functools import partial

from marchland.errors import OwnershipLost, StorageUnavailable
from marchland.match import Match
from marchland.server.cluster import queries
from marchland.server.cluster.notifications import PgListener, subscribe, wait_for
from marchland.store import Database
from marchland.store.match_log import entries_from

POLL = 1.0
"""Seconds between queries without a notification."""

log = logging.getLogger(__name__)


async def replicate(store: Database, listener: PgListener | None, match: Match) -> None:
    """Apply the entries of a match as its owner appends them, until it is over."""
    with subscribe(listener, match.id) as woken:
        while not match.is_over:
            await wait_for(woken, POLL)
            try:
                await catch_up(store, match)
            except StorageUnavailable as problem:
                log.error("a replica waits for the database", extra={"match": match.id, "error": str(problem)})


async def catch_up(store: Database, match: Match) -> None:
    """Apply new entries and seats; `OwnershipLost` if the match was deleted or is broken."""
    if await store.read(partial(queries.state_of, match=match.id)) is None:
        raise OwnershipLost(match.id)
    for entry in await store.read(partial(entries_from, match=match.id, first=match.next_index)):
        await match.apply_entry(entry)
    state, seats = await store.read(
        lambda connection: (queries.state_of(connection, match.id), queries.seats_of(connection, match.id))
    )
    if state in (None, "broken"):
        raise OwnershipLost(match.id)
    if [(seat.kind, seat.account) for seat in seats] != [(seat.kind, seat.account) for seat in match.seats]:
        match.set_seats(seats)
