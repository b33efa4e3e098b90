"""Wallets: the names of accounts at the external ledger."""

from functools import partial

from sqlalchemy import Connection

from marchland.messages import SourceInfo, WalletInfo
from marchland.server.audit import record
from marchland.server.http.auth import Caller
from marchland.server.ledger import external_queries
from marchland.server.ledger.service import require_account
from marchland.store import Database


class WalletService:
    """Players name their wallets, admins confirm them."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def find_own(self, caller: Caller) -> WalletInfo:
        """The caller's wallet."""
        return await self._store.read(partial(external_queries.find_wallet, account=caller.id))

    async def set_own(self, caller: Caller, wallet: str | None) -> WalletInfo:
        """Set or clear the caller's wallet; a new one is to be confirmed."""
        info: WalletInfo = await self._store.write(
            partial(external_queries.set_wallet, account=caller.id, wallet=wallet)
        )
        return info

    async def list_wallets(self) -> list[WalletInfo]:
        """The wallets of all accounts, those to be confirmed first."""
        return await self._store.read(external_queries.list_wallets)

    async def confirm(self, caller: Caller, account: str, confirmed: bool) -> WalletInfo:
        """Confirm the wallet of an account, or remove it."""

        def write(connection: Connection) -> WalletInfo:
            found = require_account(connection, account)
            wallet = external_queries.find_wallet(connection, found.id).wallet
            record(
                connection, caller, "confirm wallet" if confirmed else "remove wallet", found.name, {"wallet": wallet}
            )
            return external_queries.confirm_wallet(connection, found.id, confirmed)

        info: WalletInfo = await self._store.write(write)
        return info

    async def list_sources(self) -> list[SourceInfo]:
        """The APIs of the external ledger that have been asked."""
        return await self._store.read(external_queries.list_sources)
