"""The ledger over HTTP: templates, minting, stakes, everybody's album."""

import asyncio
from collections.abc import Callable
from functools import partial

from litestar import Router
from litestar.types import Scope
from sqlalchemy import Connection

from marchland.errors import Refused, UnknownNameError
from marchland.messages import (
    AccountInfo,
    Album,
    AvatarUpdate,
    HolderInfo,
    ItemInfo,
    ItemUpdate,
    MintRequest,
    StakeUpdate,
    TemplateCreate,
    TemplateInfo,
)
from marchland.registry import find as find_game
from marchland.server.accounts import queries as account_queries
from marchland.server.audit import record
from marchland.server.http.auth import require_caller, require_role
from marchland.server.http.routing import get, patch, post, put
from marchland.server.ledger import queries
from marchland.store import Store


@get("/ledger/templates")
async def list_templates(store: Store) -> list[TemplateInfo]:
    """Every kind of item."""
    return await store.read(queries.all_templates)


@post("/ledger/templates")
async def create_template(data: TemplateCreate, scope: Scope, store: Store) -> TemplateInfo:
    """Add a kind of item that a game knows. For admins."""
    caller = require_caller(scope)
    require_role(caller, "admin")
    await asyncio.to_thread(_check, data)

    def work(connection: Connection) -> TemplateInfo:
        record(connection, caller, "create template", data.name, data)
        return queries.add_template(connection, data)

    made: TemplateInfo = await store.write(work)
    return made


@post("/ledger/mint")
async def mint(data: MintRequest, scope: Scope, store: Store) -> list[ItemInfo]:
    """Make items and give them to an account. For admins."""
    caller = require_caller(scope)
    require_role(caller, "admin")

    def work(connection: Connection) -> list[ItemInfo]:
        owner = _account(connection, data.owner)
        template = queries.template(connection, data.template)
        record(connection, caller, "mint", f"{template.name} for {owner.name}", data)
        return queries.mint(connection, template.id, owner.id, data.amount)

    made: list[ItemInfo] = await store.write(work)
    return made


@get("/ledger/items/{item:int}")
async def show_item(item: int, store: Store) -> ItemInfo:
    """One item."""
    return await store.read(_bounded(item, partial(queries.find, item=item)))


@patch("/ledger/items/{item:int}")
async def give_item(item: int, data: ItemUpdate, scope: Scope, store: Store) -> ItemInfo:
    """Give an item that no match uses to another account; matches hear of it with the next maintenance. For admins."""
    caller = require_caller(scope)
    require_role(caller, "admin")

    def work(connection: Connection) -> ItemInfo:
        given, to = queries.find(connection, item), _account(connection, data.owner)
        queries.give(connection, item, to.id)
        record(connection, caller, "give item", f"{given.name} {given.mint} to {to.name}", {"item": item, "to": to.id})
        return queries.find(connection, item)

    given: ItemInfo = await store.write(_bounded(item, work))
    return given


@get("/ledger/holders")
async def list_holders(scope: Scope, store: Store) -> list[HolderInfo]:
    """Every account that has an item or a stake, by name. For organisers."""
    require_role(require_caller(scope), "organiser")
    return await store.read(queries.all_holders)


@put("/ledger/stakes/{account:str}")
async def set_stake(account: str, data: StakeUpdate, scope: Scope, store: Store) -> Album:
    """Say how much power an account has staked; its matches hear of it with the next daily maintenance. For admins."""
    caller = require_caller(scope)
    require_role(caller, "admin")

    def work(connection: Connection) -> Album:
        holder = _account(connection, account)
        record(connection, caller, "set stake", holder.name, data)
        queries.set_stake(connection, holder.id, data.stake)
        return queries.album(connection, holder.id)

    changed: Album = await store.write(work)
    return changed


@get("/ledger/albums/{account:str}")
async def show_album(account: str, store: Store) -> Album:
    """What an account owns, by id or name; albums are for everybody to see."""
    return await store.read(lambda connection: queries.album(connection, _account(connection, account).id))


@put("/ledger/avatar")
async def set_avatar(data: AvatarUpdate, scope: Scope, store: Store) -> Album:
    """Choose the item that stands for one's account."""
    caller = require_caller(scope)

    def work(connection: Connection) -> Album:
        queries.set_avatar(connection, caller.id, data.avatar)
        return queries.album(connection, caller.id)

    changed: Album = await store.write(work)
    return changed


def _check(wish: TemplateCreate) -> None:
    try:
        hooks = find_game(wish.game).season_hooks
    except UnknownNameError as problem:
        raise Refused("bad_request", str(problem)) from None
    if hooks is None:
        raise Refused("bad_request", f"{wish.game} knows no items.")
    if wish.kind not in hooks.item_kinds:
        raise Refused("bad_request", f"{wish.game} has no {wish.kind!r}; it has {', '.join(hooks.item_kinds)}.")
    hooks.check_item(wish.kind, wish.facts)


def _account(connection: Connection, account: str) -> AccountInfo:
    found = account_queries.find(connection, account)
    if found is None:
        raise Refused("not_found", f"There is no account {account!r}.")
    return found


def _bounded(item: int, work: Callable[[Connection], ItemInfo]) -> Callable[[Connection], ItemInfo]:
    if not 0 <= item < 2**63:
        raise Refused("not_found", f"There is no item {item}.")
    return work


router = Router(
    "/",
    route_handlers=[
        list_templates,
        create_template,
        mint,
        show_item,
        give_item,
        list_holders,
        set_stake,
        show_album,
        set_avatar,
    ],
    tags=["ledger"],
)
