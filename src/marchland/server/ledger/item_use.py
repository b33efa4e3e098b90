"""Two-phase use of ledger items by actions: both happen or neither, whichever process crashes in between.

1. Reserve: the item is held under the action's key. 2. Commit: the action is appended to the match log. 3. An item that
burns is spent; any other stays held until the game frees it. `reconcile` finishes interrupted uses: it spends the items
of actions in the match log and releases the others.
"""

from functools import partial
from typing import Any

import msgspec

from marchland.core.orders import HOST_PLAYER
from marchland.core.season_hooks import Item, SeasonHooks
from marchland.errors import Refused
from marchland.match import Match
from marchland.messages import ActResult
from marchland.server.ledger import queries
from marchland.server.ledger.queries import Hold
from marchland.store import Database, SqlMatchLog


def season_hooks_of(match: Match) -> SeasonHooks | None:
    """The season hooks of the match's game, if it has any."""
    return match.game.season_hooks


class ItemSpending:
    """Runs the actions of this node's matches that may use items."""

    def __init__(self, store: Database) -> None:
        self._store = store
        self._busy: set[tuple[str, int, str]] = set()

    async def act(self, match: Match, seat: int, order: Any, key: str) -> ActResult:
        """`Match.act`, with the item that the order uses reserved before and spent or released after."""
        hooks = season_hooks_of(match)
        use = hooks.item_used_by(order) if hooks else None
        if hooks is None or use is None:
            return await match.act(seat, order, key)
        owner = match.seats[seat].account or ""
        self._busy.add((match.id, seat, key))
        try:
            await self._hold(match, seat, key, use.item, owner)
            await self._introduce(hooks, match, seat, use.item)
            acted = await match.act(seat, order, key)
            if not acted.result.ok:
                await self._store.write(partial(queries.release, match=match.id, seat=seat, key=key))
            elif use.burned:
                await self._burn(hooks, match, Hold(match.id, seat, key, use.item, "held"))
        finally:
            self._busy.discard((match.id, seat, key))
        return acted

    def check_queued(self, match: Match, orders: list[Any]) -> None:
        """Refuse items in queued orders: only an immediate action can hold its item."""
        hooks = season_hooks_of(match)
        if hooks is not None and any(hooks.item_used_by(order) is not None for order in orders):
            raise Refused("immediate_only", "immediate_only")

    async def _introduce(self, hooks: SeasonHooks, match: Match, seat: int, number: int) -> None:
        """Let the game learn of an item that its owner got after the last daily maintenance."""
        found = await self._store.read(partial(queries.find_item, item=number))
        item = Item(found.id, seat, found.kind, found.template, found.mint, found.facts)
        orders = hooks.item_orders(match.game, item)
        if orders:
            await match.act_as_host(orders, f"item {number}/{match.next_index}")

    async def _hold(self, match: Match, seat: int, key: str, item: int, owner: str) -> None:
        hold = partial(queries.hold, match=match.id, seat=seat, key=key, item=item, owner=owner)
        try:
            await self._store.write(hold)
        except Refused:
            await self.reconcile(match)  # the game may have freed it a moment ago
            await self._store.write(hold)

    async def _burn(self, hooks: SeasonHooks, match: Match, hold: Hold) -> None:
        """Spend an item. The host order comes first: while the item is held, `reconcile` repeats both steps."""
        if not match.is_over and not match.is_replica:
            await match.act(HOST_PLAYER, hooks.burned_order(hold.item), f"burned {hold.item}")
        await self._store.write(partial(queries.spend, match=hold.match, seat=hold.seat, key=hold.key))

    async def reconcile(self, match: Match) -> None:
        """Spend the held items of logged actions; release those of others and those that the game has freed."""
        hooks = season_hooks_of(match)
        if hooks is None:
            return
        found = await self._store.read(partial(queries.list_holds, match=match.id))
        holds = [hold for hold in found if (hold.match, hold.seat, hold.key) not in self._busy]
        if not holds:
            return
        match_log = SqlMatchLog(self._store, match.id, -1)
        freed = hooks.released_items(match.game, {hold.item for hold in holds})
        for hold in holds:
            answer = await match_log.answer(hold.seat, hold.key)
            use = (
                None if answer is None else hooks.item_used_by(msgspec.json.decode(answer, type=ActResult).result.order)
            )
            if use is not None and use.burned:
                await self._burn(hooks, match, hold)
            elif use is None or hold.item in freed:
                await self._store.write(partial(queries.release, match=hold.match, seat=hold.seat, key=hold.key))
