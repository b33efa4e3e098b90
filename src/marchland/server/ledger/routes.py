"""HTTP routes of the ledger."""

from starlette.responses import Response

from marchland.messages import (
    Album,
    AvatarUpdate,
    CollectionCreate,
    CollectionInfo,
    HolderInfo,
    ItemInfo,
    ItemUpdate,
    MintRequest,
    PictureCreate,
    PictureInfo,
    SchemaCreate,
    SchemaInfo,
    StakeUpdate,
    TemplateCreate,
    TemplateInfo,
)
from marchland.server.http.auth import Caller
from marchland.server.http.routing import api_router, get, patch, post, put
from marchland.server.ledger.service import LedgerService


@get("/ledger/collections")
async def list_collections(ledger: LedgerService) -> list[CollectionInfo]:
    """Every collection."""
    return await ledger.list_collections()


@post("/ledger/collections", role="admin")
async def create_collection(data: CollectionCreate, caller: Caller, ledger: LedgerService) -> CollectionInfo:
    """Add a collection of a game. For admins."""
    return await ledger.create_collection(caller, data)


@get("/ledger/schemas")
async def list_schemas(ledger: LedgerService) -> list[SchemaInfo]:
    """Every schema."""
    return await ledger.list_schemas()


@post("/ledger/schemas", role="admin")
async def create_schema(data: SchemaCreate, caller: Caller, ledger: LedgerService) -> SchemaInfo:
    """Add a schema to a collection; its facts count for all of its templates. For admins."""
    return await ledger.create_schema(caller, data)


@get("/ledger/templates")
async def list_templates(ledger: LedgerService) -> list[TemplateInfo]:
    """Every kind of item."""
    return await ledger.list_templates()


@post("/ledger/templates", role="admin")
async def create_template(data: TemplateCreate, caller: Caller, ledger: LedgerService) -> TemplateInfo:
    """Add a kind of item that a game knows. For admins."""
    return await ledger.create_template(caller, data)


@post("/ledger/pictures", role="admin")
async def add_picture(data: PictureCreate, caller: Caller, ledger: LedgerService) -> PictureInfo:
    """Store a picture for items: a PNG file of at most 64 kB and 256 by 256 pixels. For admins."""
    return await ledger.add_picture(caller, data)


@get("/ledger/pictures/{picture}", media_type="image/png")
async def show_picture(picture: str, ledger: LedgerService) -> Response:
    """A picture as a PNG file; it never changes."""
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(await ledger.find_picture(picture), media_type="image/png", headers=headers)


@post("/ledger/mint", role="admin")
async def mint(data: MintRequest, caller: Caller, ledger: LedgerService) -> list[ItemInfo]:
    """Make items and give them to an account. For admins."""
    return await ledger.mint(caller, data)


@get("/ledger/items/{item:int}")
async def show_item(item: int, ledger: LedgerService) -> ItemInfo:
    """One item."""
    return await ledger.find_item(item)


@patch("/ledger/items/{item:int}", role="admin")
async def give_item(item: int, data: ItemUpdate, caller: Caller, ledger: LedgerService) -> ItemInfo:
    """Give an item that no match uses to another account; matches see it after their next maintenance. For admins."""
    return await ledger.transfer_item(caller, item, data.owner)


@post("/ledger/items/{item:int}/gift", status=200, role="player")
async def gift_item(item: int, data: ItemUpdate, caller: Caller, ledger: LedgerService) -> ItemInfo:
    """Give an item of one's own to another account."""
    return await ledger.give_item(caller, item, data.owner)


@get("/ledger/holders", role="organiser")
async def list_holders(ledger: LedgerService) -> list[HolderInfo]:
    """Every account that has an item or a stake, by name. For organisers."""
    return await ledger.list_holders()


@put("/ledger/stakes/{account}", role="admin")
async def set_stake(account: str, data: StakeUpdate, caller: Caller, ledger: LedgerService) -> Album:
    """Set how much power an account has staked; its matches see it after their next daily maintenance. For admins."""
    return await ledger.set_stake(caller, account, data)


@get("/ledger/albums/{account}")
async def show_album(account: str, ledger: LedgerService) -> Album:
    """What an account owns, by id or name; albums are public."""
    return await ledger.find_album(account)


@put("/ledger/avatar", role="player")
async def set_avatar(data: AvatarUpdate, caller: Caller, ledger: LedgerService) -> Album:
    """Choose the item that represents the caller's account."""
    return await ledger.set_avatar(caller, data.avatar)


router = api_router(
    "ledger",
    list_collections,
    create_collection,
    list_schemas,
    create_schema,
    list_templates,
    create_template,
    add_picture,
    show_picture,
    mint,
    show_item,
    give_item,
    gift_item,
    list_holders,
    set_stake,
    show_album,
    set_avatar,
)
