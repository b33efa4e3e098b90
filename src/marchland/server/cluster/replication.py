"""Matches that another node runs: shown here, a moment later, from what that node has kept."""

import logging
from functools import partial

from marchland.errors import OwnershipLost, StorageUnavailable
from marchland.match import Match
from marchland.server.cluster.notifications import Listener, expecting, wait
from marchland.server.matches import queries as match_queries
from marchland.store import Store

POLL = 1.0
"""Seconds after which a match is looked at without a call."""

log = logging.getLogger(__name__)


async def follow(store: Store, listener: Listener | None, match: Match) -> None:
    """Show what happens in a match until it is over."""
    with expecting(listener, match.id) as rung:
        while not match.is_over:
            await wait(rung, POLL)
            try:
                await catch_up(store, match)
            except StorageUnavailable as problem:
                log.error("a match cannot be followed now", extra={"match": match.id, "why": str(problem)})


async def catch_up(store: Store, match: Match) -> None:
    """Apply new entries and seats; `OwnershipLost` if the match was deleted or is broken."""
    for entry in await store.read(partial(match_queries.entries_from, match=match.id, first=match.next_index)):
        await match.apply_entry(entry)
    state, sitting = await store.read(
        lambda connection: (match_queries.state_of(connection, match.id), match_queries.seats_of(connection, match.id))
    )
    if state in (None, "broken"):
        raise OwnershipLost(match.id)
    if [(one.kind, one.account) for one in sitting] != [(one.kind, one.account) for one in match.seats]:
        match.set_seats(sitting)
