"""The ledger: templates, minting, ownership, stakes and avatars. What matches do with items is in `item_use`."""

import asyncio
from functools import partial

from sqlalchemy import Connection

from marchland.errors import Refused, UnknownNameError
from marchland.messages import (
    AccountInfo,
    Album,
    HolderInfo,
    ItemInfo,
    MintRequest,
    StakeUpdate,
    TemplateCreate,
    TemplateInfo,
)
from marchland.registry import find as find_game
from marchland.server.accounts import queries as account_queries
from marchland.server.audit import record
from marchland.server.http.auth import Caller
from marchland.server.ledger import queries
from marchland.store import Database


class LedgerService:
    """What admins and players do with the ledger; audited changes are one transaction with their audit entry."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def list_templates(self) -> list[TemplateInfo]:
        """All templates, by number."""
        return await self._store.read(queries.list_templates)

    async def create_template(self, caller: Caller, request: TemplateCreate) -> TemplateInfo:
        """Add a template; refused if its game has no such kind of item."""
        await asyncio.to_thread(_check_template, request)

        def write(connection: Connection) -> TemplateInfo:
            record(connection, caller, "create template", request.name, request)
            return queries.insert_template(connection, request)

        template: TemplateInfo = await self._store.write(write)
        return template

    async def mint(self, caller: Caller, request: MintRequest) -> list[ItemInfo]:
        """Mint items for an account."""

        def write(connection: Connection) -> list[ItemInfo]:
            owner = _require_account(connection, request.owner)
            template = queries.find_template(connection, request.template)
            record(connection, caller, "mint", f"{template.name} for {owner.name}", request)
            return queries.mint(connection, template.id, owner.id, request.amount)

        items: list[ItemInfo] = await self._store.write(write)
        return items

    async def find_item(self, item: int) -> ItemInfo:
        """One item; refused if there is none."""
        _check_item_id(item)
        return await self._store.read(partial(queries.find_item, item=item))

    async def transfer_item(self, caller: Caller, item: int, owner: str) -> ItemInfo:
        """Change the owner of an item that no match uses."""
        _check_item_id(item)

        def write(connection: Connection) -> ItemInfo:
            before, to = queries.find_item(connection, item), _require_account(connection, owner)
            queries.transfer_item(connection, item, to.id)
            target = f"{before.name} {before.mint} to {to.name}"
            record(connection, caller, "give item", target, {"item": item, "to": to.id})
            return queries.find_item(connection, item)

        after: ItemInfo = await self._store.write(write)
        return after

    async def list_holders(self) -> list[HolderInfo]:
        """All accounts that have an item or a stake, by name."""
        return await self._store.read(queries.list_holders)

    async def find_album(self, account: str) -> Album:
        """The album of an account, by id or name; refused if there is none."""
        return await self._store.read(
            lambda connection: queries.find_album(connection, _require_account(connection, account).id)
        )

    async def set_stake(self, caller: Caller, account: str, request: StakeUpdate) -> Album:
        """Set the staked power of an account."""

        def write(connection: Connection) -> Album:
            holder = _require_account(connection, account)
            record(connection, caller, "set stake", holder.name, request)
            queries.set_stake(connection, holder.id, request.stake)
            return queries.find_album(connection, holder.id)

        album: Album = await self._store.write(write)
        return album

    async def set_avatar(self, caller: Caller, avatar: int | None) -> Album:
        """Set or clear the caller's avatar; refused if the item has another owner."""

        def write(connection: Connection) -> Album:
            queries.set_avatar(connection, caller.id, avatar)
            return queries.find_album(connection, caller.id)

        album: Album = await self._store.write(write)
        return album


def _check_template(request: TemplateCreate) -> None:
    try:
        hooks = find_game(request.game).season_hooks
    except UnknownNameError as problem:
        raise Refused("bad_request", str(problem)) from None
    if hooks is None:
        raise Refused("bad_request", f"{request.game} knows no items.")
    if request.kind not in hooks.item_kinds:
        raise Refused("bad_request", f"{request.game} has no {request.kind!r}; it has {', '.join(hooks.item_kinds)}.")
    hooks.check_item(request.kind, request.facts)


def _require_account(connection: Connection, account: str) -> AccountInfo:
    found = account_queries.find(connection, account)
    if found is None:
        raise Refused("not_found", f"There is no account {account!r}.")
    return found


def _check_item_id(item: int) -> None:
    if not 0 <= item < 2**63:  # beyond SQL's integers
        raise Refused("not_found", f"There is no item {item}.")
