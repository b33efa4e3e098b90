"""Actions that use an item of the ledger's: item and action together, or neither, whatever dies between.

1. The item is held under the action's key. 2. The action goes into the match: from here on it counts. 3. What burns is
spent; what is only used stays held until the game frees it. `reconcile` finishes what was cut short: it spends for
actions that the journal knows and gives back the rest.
"""

from functools import partial
from typing import Any

import msgspec

from marchland.core.orders import HOST_PLAYER
from marchland.core.season_hooks import SeasonHooks
from marchland.errors import Refused
from marchland.match import Match
from marchland.messages import ActResult
from marchland.server.ledger import queries
from marchland.server.ledger.queries import Hold
from marchland.store import SqlMatchLog, Store


def season_hooks_of(match: Match) -> SeasonHooks | None:
    """What the match's game asks of its host, if it asks for anything."""
    return match.game.season_hooks


class ItemSpending:
    """Does the actions of matches on this node that may use items."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._busy: set[tuple[str, int, str]] = set()

    async def act(self, match: Match, seat: int, order: Any, key: str) -> ActResult:
        """`Match.act`, with what the ledger must do for it."""
        hooks = season_hooks_of(match)
        use = hooks.item_used_by(order) if hooks else None
        if hooks is None or use is None:
            return await match.act(seat, order, key)
        owner = match.seats[seat].account or ""
        self._busy.add((match.id, seat, key))
        try:
            await self._hold(match, seat, key, use.item, owner)
            acted = await match.act(seat, order, key)
            if not acted.result.ok:
                await self._store.write(partial(queries.release, match=match.id, seat=seat, key=key))
            elif use.burned:
                await self._burn(hooks, match, Hold(match.id, seat, key, use.item, "held"))
        finally:
            self._busy.discard((match.id, seat, key))
        return acted

    def check_queued(self, match: Match, orders: list[Any]) -> None:
        """Refuse items in orders that wait for the turn's end: only an action at once can hold its item."""
        hooks = season_hooks_of(match)
        if hooks is not None and any(hooks.item_used_by(order) is not None for order in orders):
            raise Refused("immediate_only", "An item of the ledger's can be used by an immediate action only.")

    async def _hold(self, match: Match, seat: int, key: str, item: int, owner: str) -> None:
        hold = partial(queries.hold, match=match.id, seat=seat, key=key, item=item, owner=owner)
        try:
            await self._store.write(hold)
        except Refused:
            await self.reconcile(match)  # the game may have freed it a moment ago
            await self._store.write(hold)

    async def _burn(self, hooks: SeasonHooks, match: Match, hold: Hold) -> None:
        """The game is told first: as long as the item is held, the next `reconcile` does both again."""
        if not match.is_over and not match.is_replica:
            await match.act(HOST_PLAYER, hooks.burned_order(hold.item), f"burned {hold.item}")
        await self._store.write(partial(queries.spend, match=hold.match, seat=hold.seat, key=hold.key))

    async def reconcile(self, match: Match) -> None:
        """Settle what is held for a match: spent for what counts, given back where nothing does or the game is done."""
        hooks = season_hooks_of(match)
        if hooks is None:
            return
        found = await self._store.read(partial(queries.list_holds, match=match.id))
        held = [one for one in found if (one.match, one.seat, one.key) not in self._busy]
        if not held:
            return
        journal = SqlMatchLog(self._store, match.id, -1)
        freed = hooks.released_items(match.game, {one.item for one in held})
        for one in held:
            answer = await journal.answer(one.seat, one.key)
            use = (
                None if answer is None else hooks.item_used_by(msgspec.json.decode(answer, type=ActResult).result.order)
            )
            if use is not None and use.burned:
                await self._burn(hooks, match, one)
            elif use is None or one.item in freed:
                await self._store.write(partial(queries.release, match=one.match, seat=one.seat, key=one.key))
