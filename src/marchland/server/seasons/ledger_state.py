"""The ledger's entries for the players of a match."""

from sqlalchemy import Connection

from marchland.core.season_hooks import Item, LedgerState
from marchland.match import Match
from marchland.server.ledger import queries
from marchland.store import Database


async def load_ledger_state(store: Database, match: Match) -> LedgerState:
    """Free items and staked power of the accounts in a match's seats; an account that staked nothing has 0."""
    seats = {seat.account: seat.seat for seat in match.seats if seat.account is not None}

    def read(connection: Connection) -> LedgerState:
        items = [
            Item(item.id, seats[item.owner], item.kind, item.template, item.mint, item.facts)
            for item in queries.free_items(connection, list(seats), match.game.name)
        ]
        stakes = queries.stakes_of(connection, list(seats))
        held = frozenset(hold.item for hold in queries.list_holds(connection))
        return LedgerState(items, {seat: stakes.get(account, 0) for account, seat in seats.items()}, held)

    return await store.read(read)
