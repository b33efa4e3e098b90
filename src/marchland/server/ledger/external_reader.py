"""Copies NFTs and stakes of confirmed wallets from the external ledger into the server's own (ruling 26)."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from sqlalchemy import Connection

from marchland.errors import MarchlandError
from marchland.registry import find_all
from marchland.server.ledger import external_queries
from marchland.server.ledger.external import ExternalApi, ExternalError
from marchland.store import Database

log = logging.getLogger(__name__)

_FIRST_DELAY = 5.0

Save = Callable[[Connection], None]
"""Writes what was read for an account."""


class ExternalLedgerReader:
    """Reads wallet after wallet. If an API fails, the last known values stand, a warning is stored, and it is asked
    again after a pause that doubles up to the usual interval."""

    def __init__(self, store: Database, api: ExternalApi, interval: float) -> None:
        self._store = store
        self._interval = interval
        self._sources: dict[str, Callable[[str, str], Save]] = {}
        if api.assets_url:
            self._sources["assets"] = partial(_read_assets, api)
        if api.stakes_url:
            self._sources["stakes"] = partial(_read_stake, api)
        self._due = dict.fromkeys(self._sources, 0.0)
        self._failures = dict.fromkeys(self._sources, 0)

    async def refresh(self, now: float) -> None:
        """Ask the APIs that are due."""
        for source in self._sources:
            if now >= self._due[source]:
                await self._refresh_source(source, now)

    async def _refresh_source(self, source: str, now: float) -> None:
        wallets = await self._store.read(external_queries.list_wallets)
        warning = ""
        for wallet in wallets:
            if not wallet.confirmed or wallet.wallet is None:
                continue
            try:
                save = await asyncio.to_thread(self._sources[source], wallet.wallet, wallet.account)
            except ExternalError as problem:
                warning = f"The API of {source} is not used: {problem}. The last known values stand."
                log.warning("external ledger failed", extra={"source": source, "error": str(problem)})
                break  # the others would wait for it just as long
            await self._store.write(save)
        self._failures[source] = self._failures[source] + 1 if warning else 0
        delay = self._interval if not warning else _FIRST_DELAY * 2 ** (self._failures[source] - 1)
        self._due[source] = now + min(delay, self._interval)
        await self._store.write(partial(external_queries.save_source, name=source, tried=now, warning=warning))


def _read_assets(api: ExternalApi, wallet: str, account: str) -> Save:
    assets = [asset for asset in api.fetch_assets(wallet) if asset.get("owner") == wallet]
    listed: dict[str, list[Any]] = {}
    try:
        for name, kind in find_all().items():
            if kind.season_hooks is not None:
                found = map(kind.season_hooks.item_from_asset, assets)
                listed[name] = [item for item in found if item is not None]
    except (KeyError, TypeError, ValueError, AttributeError, MarchlandError) as problem:
        raise ExternalError(f"it sends an asset that cannot be read ({problem!r})") from None

    def save(connection: Connection) -> None:
        for game, items in listed.items():
            external_queries.save_items(connection, account, game, items)

    return save


def _read_stake(api: ExternalApi, wallet: str, account: str) -> Save:
    stake = api.fetch_stake(wallet)

    def save(connection: Connection) -> None:
        external_queries.save_stake(connection, account, stake)

    return save
