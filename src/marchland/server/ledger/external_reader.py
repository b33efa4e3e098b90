"""Copies NFTs and stakes of confirmed wallets from the external ledger into the server's own."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence, Set
from functools import partial

from sqlalchemy import Connection

from marchland.core.season_hooks import ExternalItem
from marchland.errors import MarchlandError
from marchland.messages import WalletInfo
from marchland.registry import find_all
from marchland.server.ledger import external_queries, object_queries
from marchland.server.ledger.external import ApiDownError, ApiSession, Asset, ExternalApi, ExternalError, collection_of
from marchland.store import Database
from marchland.store.batches import batches

log = logging.getLogger(__name__)

_FIRST_DELAY = 5.0
_ITEMS_A_WRITE = 1_000
"""New items in one transaction: turns of matches wait for it."""

Collections = Mapping[str, Set[str]]
"""By game the names of its collections in the ledger. Any account may mint assets there; only these count."""


class ExternalLedgerReader:
    """Reads wallet after wallet. Where an answer cannot be used, the last known values of that wallet stand and a
    warning is stored; the API is asked again after a pause that doubles up to the usual interval."""

    def __init__(self, store: Database, api: ExternalApi, interval: float) -> None:
        self._store = store
        self._api = api
        self._interval = interval
        self._sources: dict[str, Callable[[Sequence[WalletInfo]], Awaitable[str]]] = {}
        if api.assets_url:
            self._sources["assets"] = self._copy_assets
        if api.stakes_url:
            self._sources["stakes"] = self._copy_stakes
        self._due = dict.fromkeys(self._sources, 0.0)
        self._failures = dict.fromkeys(self._sources, 0)

    async def refresh(self, now: float) -> None:
        """Ask the APIs that are due."""
        for source in self._sources:
            if now >= self._due[source]:
                await self._refresh_source(source, now)

    async def _refresh_source(self, source: str, now: float) -> None:
        wallets = [wallet for wallet in await self._store.read(external_queries.list_wallets) if wallet.confirmed]
        warning = await self._sources[source](wallets)
        if warning:
            log.warning("external ledger failed", extra={"source": source, "error": warning})
        self._failures[source] = self._failures[source] + 1 if warning else 0
        delay = self._interval if not warning else _FIRST_DELAY * 2 ** (self._failures[source] - 1)
        self._due[source] = now + min(delay, self._interval)
        await self._store.write(partial(external_queries.save_source, name=source, tried=now, warning=warning))

    async def _copy_assets(self, wallets: Sequence[WalletInfo]) -> str:
        collections = await self._store.read(_list_collections)
        if not collections:
            return "The ledger has no collection: add those whose NFTs count, under their names there."
        return await self._for_each("assets", wallets, partial(self._copy_assets_of, collections))

    async def _copy_assets_of(self, collections: Collections, session: ApiSession, wallet: WalletInfo) -> None:
        assets = await session.fetch_assets(str(wallet.wallet), set().union(*collections.values()))
        for game, items in (await asyncio.to_thread(_items_by_game, assets, collections)).items():
            save = partial(external_queries.save_items, account=wallet.account, game=game)
            for some in batches(items, _ITEMS_A_WRITE):
                await self._store.write(partial(save, listed=some))
            remove = partial(external_queries.remove_unlisted_items, account=wallet.account, game=game)
            await self._store.write(partial(remove, listed={item.id for item in items}))

    async def _copy_stakes(self, wallets: Sequence[WalletInfo]) -> str:
        return await self._for_each("stakes", wallets, self._copy_stake_of)

    async def _copy_stake_of(self, session: ApiSession, wallet: WalletInfo) -> None:
        stake = await session.fetch_stake(str(wallet.wallet))
        await self._store.write(partial(external_queries.save_stake, account=wallet.account, stake=stake))

    async def _for_each(
        self, source: str, wallets: Sequence[WalletInfo], copy: Callable[[ApiSession, WalletInfo], Awaitable[None]]
    ) -> str:
        """Copy wallet by wallet; returns a warning if not all could be read. One of them stops no other."""
        unread: list[str] = []
        async with self._api.session() as session:
            for wallet in wallets:
                try:
                    await copy(session, wallet)
                except ApiDownError as problem:  # the other wallets would wait for it just as long
                    return f"The API of {source} is not used: {problem}. The last known values stand."
                except ExternalError as problem:
                    unread.append(f"{wallet.wallet}: {problem}")
        if not unread:
            return ""
        return (
            f"The API of {source} is not used for {len(unread)} of {len(wallets)} wallets ({unread[0]}). "
            "Their last known values stand."
        )


def _list_collections(connection: Connection) -> Collections:
    found: dict[str, set[str]] = {}
    for collection in object_queries.list_collections(connection):
        found.setdefault(collection.game, set()).add(collection.name)
    return found


def _items_by_game(assets: Sequence[Asset], collections: Collections) -> dict[str, list[ExternalItem]]:
    """The items that the assets are, for every game that has items, also those that have none here."""
    try:
        return {
            name: [
                item
                for asset in assets
                if collection_of(asset) in collections.get(name, ())
                and (item := kind.season_hooks.item_from_asset(asset)) is not None
            ]
            for name, kind in find_all().items()
            if kind.season_hooks is not None
        }
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError, MarchlandError) as problem:
        raise ExternalError(f"it sends an asset that cannot be read ({problem!r})") from None
