"""The ledger: templates, minting, ownership, stakes and avatars. What matches do with items is in `item_use`."""

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any

from sqlalchemy import Connection

from marchland.core.season_hooks import SeasonHooks
from marchland.errors import Refused, UnknownNameError
from marchland.messages import (
    AccountInfo,
    Album,
    CollectionCreate,
    CollectionInfo,
    HolderInfo,
    ItemInfo,
    MintRequest,
    PictureCreate,
    PictureInfo,
    SchemaCreate,
    SchemaInfo,
    StakeUpdate,
    TemplateCreate,
    TemplateInfo,
)
from marchland.registry import find as find_game
from marchland.server.accounts import queries as account_queries
from marchland.server.audit import record
from marchland.server.http.auth import Caller
from marchland.server.ledger import object_queries, queries
from marchland.server.ledger.png import reencode
from marchland.store import Database


class LedgerService:
    """What admins and players do with the ledger; audited changes are one transaction with their audit entry."""

    def __init__(self, store: Database) -> None:
        self._store = store

    # ---------------------------------------------------------------- collections, schemas, templates

    async def list_collections(self) -> list[CollectionInfo]:
        """All collections, by number."""
        return await self._store.read(object_queries.list_collections)

    async def create_collection(self, caller: Caller, request: CollectionCreate) -> CollectionInfo:
        """Add a collection; refused if its game knows no items."""
        await asyncio.to_thread(_require_hooks, request.game)

        def write(connection: Connection) -> CollectionInfo:
            record(connection, caller, "create collection", request.name, request)
            return object_queries.insert_collection(connection, request)

        collection: CollectionInfo = await self._store.write(write)
        return collection

    async def list_schemas(self) -> list[SchemaInfo]:
        """All schemas, by number."""
        return await self._store.read(object_queries.list_schemas)

    async def create_schema(self, caller: Caller, request: SchemaCreate) -> SchemaInfo:
        """Add a schema to a collection; refused if its game has no such kind of item."""
        collection = await self._store.read(partial(object_queries.find_collection, number=request.collection))
        await asyncio.to_thread(_check_facts, collection.game, request.kind, request.facts)

        def write(connection: Connection) -> SchemaInfo:
            record(connection, caller, "create schema", request.name, request)
            return object_queries.insert_schema(connection, request)

        schema: SchemaInfo = await self._store.write(write)
        return schema

    async def list_templates(self) -> list[TemplateInfo]:
        """All templates, by number."""
        return await self._store.read(object_queries.list_templates)

    async def create_template(self, caller: Caller, request: TemplateCreate) -> TemplateInfo:
        """Add a template, with the facts of its schema; refused if its game has no such kind of item."""
        template = await self._store.read(partial(_with_schema, request=request))
        await asyncio.to_thread(_check_facts, template.game, template.kind, template.facts)

        def write(connection: Connection) -> TemplateInfo:
            record(connection, caller, "create template", request.name, request)
            return object_queries.insert_template(connection, template)

        created: TemplateInfo = await self._store.write(write)
        return created

    async def add_picture(self, caller: Caller, request: PictureCreate) -> PictureInfo:
        """Store a picture, with nothing of the file but its pixels."""
        picture = await asyncio.to_thread(reencode, request.data)

        def write(connection: Connection) -> PictureInfo:
            info = object_queries.insert_picture(connection, picture)
            record(connection, caller, "add picture", info.id, info)
            return info

        stored: PictureInfo = await self._store.write(write)
        return stored

    async def find_picture(self, id: str) -> bytes:
        """The PNG file of a picture."""
        return await self._store.read(partial(object_queries.find_picture, id=id))

    # ---------------------------------------------------------------- items and holders

    async def mint(self, caller: Caller, request: MintRequest) -> list[ItemInfo]:
        """Mint items for an account."""

        def write(connection: Connection) -> list[ItemInfo]:
            owner = require_account(connection, request.owner)
            template = object_queries.find_template(connection, request.template)
            record(connection, caller, "mint", f"{template.name} for {owner.name}", request)
            return queries.mint(connection, template.id, owner.id, request.amount)

        items: list[ItemInfo] = await self._store.write(write)
        return items

    async def find_item(self, item: int) -> ItemInfo:
        """One item; refused if there is none."""
        _check_item_id(item)
        return await self._store.read(partial(queries.find_item, item=item))

    async def give_item(self, caller: Caller, item: int, owner: str) -> ItemInfo:
        """Give away an item of the caller's own; refused if it is another's, in use or not transferable."""
        return await self._transfer_item(caller, item, owner, giver=caller.id)

    async def transfer_item(self, caller: Caller, item: int, owner: str) -> ItemInfo:
        """Change the owner of an item that no match uses and that is transferable."""
        return await self._transfer_item(caller, item, owner)

    async def _transfer_item(self, caller: Caller, item: int, owner: str, giver: str | None = None) -> ItemInfo:
        _check_item_id(item)

        def write(connection: Connection) -> ItemInfo:
            before, to = queries.find_item(connection, item), require_account(connection, owner)
            if giver is not None and before.owner != giver:
                raise Refused("not_yours", "item_not_yours", item=item)
            if not _require_hooks(before.game).is_transferable(before.facts):
                raise Refused("not_transferable", "item_not_transferable", item=item)
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
            lambda connection: queries.find_album(connection, require_account(connection, account).id)
        )

    async def set_stake(self, caller: Caller, account: str, request: StakeUpdate) -> Album:
        """Set the staked power of an account."""

        def write(connection: Connection) -> Album:
            holder = require_account(connection, account)
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


def _require_hooks(game: str) -> SeasonHooks:
    try:
        hooks = find_game(game).season_hooks
    except UnknownNameError as problem:
        raise Refused.of("bad_request", problem) from None
    if hooks is None:
        raise Refused("bad_request", "game_without_items", game=game)
    return hooks


def _check_facts(game: str, kind: str, facts: Mapping[str, Any]) -> None:
    hooks = _require_hooks(game)
    if kind not in hooks.item_kinds:
        raise Refused("bad_request", "no_such_item_kind", game=game, kind=kind, kinds=", ".join(hooks.item_kinds))
    hooks.check_item(kind, facts)


def _with_schema(connection: Connection, request: TemplateCreate) -> TemplateInfo:
    """The template as it is stored: with the game, kind and facts of its schema."""
    if request.schema is None:
        return TemplateInfo(0, request.game, request.name, request.kind, request.facts, 0)
    schema = object_queries.find_schema(connection, request.schema)
    game = object_queries.find_collection(connection, schema.collection).game
    for given, own, what in ((request.game, game, "game"), (request.kind, schema.kind, "kind")):
        if given not in ("", own):
            raise Refused("bad_request", "schema_differs", what=what, schema=schema.name, own=own, given=given)
    facts = _require_hooks(game).merge_facts(schema.facts, request.facts)
    return TemplateInfo(0, game, request.name, schema.kind, dict(facts), 0, schema.id)


def require_account(connection: Connection, account: str) -> AccountInfo:
    """An account, by id or name; refused if there is none."""
    found = account_queries.find(connection, account)
    if found is None:
        raise Refused("not_found", "no_such_account", account=account)
    return found


def _check_item_id(item: int) -> None:
    if not 0 <= item < 2**63:  # beyond SQL's integers
        raise Refused("not_found", "no_such_item", item=item)
