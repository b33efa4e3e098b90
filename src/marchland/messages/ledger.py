"""The ledger: items that games read and spend, and staked power. Each game defines what its items mean."""

from typing import Annotated, Any, Literal

import msgspec

from marchland.messages.text import LINE, NAME, AccountRef

ItemState = Literal["free", "held", "spent"]
Amount = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
ItemId = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]


MOST_PICTURE_TEXT = 128 * 1024
"""The largest body of a picture that is read at all."""
ObjectNumber = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
ObjectName = Annotated[str, msgspec.Meta(min_length=1, max_length=80, pattern=LINE, extra=NAME)]
ObjectKind = Annotated[str, msgspec.Meta(max_length=40, pattern=LINE, extra=NAME)]
Wallet = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=LINE)]


class CollectionCreate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A collection of a game: what belongs together, such as all NFTs of one artist."""

    game: Annotated[str, msgspec.Meta(max_length=40)]
    name: ObjectName


class CollectionInfo(msgspec.Struct, frozen=True):
    """A collection."""

    id: int
    game: str
    name: str


class SchemaCreate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A schema of a collection: the kind of its templates, and facts that all of them share."""

    collection: ObjectNumber
    name: ObjectName
    kind: Annotated[ObjectKind, msgspec.Meta(min_length=1)]
    facts: dict[str, Any] = {}


class SchemaInfo(msgspec.Struct, frozen=True):
    """A schema."""

    id: int
    collection: int
    name: str
    kind: str
    facts: dict[str, Any]


class TemplateCreate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of item of a game, from which items can be minted; the game reads ``facts``.

    With a schema, game and kind are the schema's and may be left out, and the schema's facts are added.
    """

    name: ObjectName
    game: Annotated[str, msgspec.Meta(max_length=40)] = ""
    kind: ObjectKind = ""
    facts: dict[str, Any] = {}
    schema: ObjectNumber | None = None


class TemplateInfo(msgspec.Struct, frozen=True):
    """A template, and the number of items ever minted from it."""

    id: int
    game: str
    name: str
    kind: str
    facts: dict[str, Any]
    """With those of its schema."""
    minted: int
    schema: int | None = None


class MintRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Mint items for an account."""

    template: ObjectNumber
    owner: AccountRef
    amount: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1


class ItemInfo(msgspec.Struct, frozen=True):
    """An item: free, held by a match that uses it, or spent."""

    id: int
    template: int
    mint: int
    game: str
    name: str
    kind: str
    facts: dict[str, Any]
    owner: str
    state: ItemState
    match: str | None = None
    """The match that holds it, or for which it was spent."""
    external: bool = False
    """Whether an external ledger decides who owns it."""


class ItemUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The new owner of an item."""

    owner: AccountRef


class HolderInfo(msgspec.Struct, frozen=True):
    """An account in the ledger: its staked power and its number of items."""

    account: str
    name: str
    stake: int
    items: int


class Album(msgspec.Struct, frozen=True):
    """All items that an account owns or has spent."""

    account: str
    stake: int
    avatar: int | None
    items: list[ItemInfo]


class WalletUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name of an account at the external ledger, or none."""

    wallet: Wallet | None


class WalletConfirmation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether an account's wallet is its own."""

    confirmed: bool


class WalletInfo(msgspec.Struct, frozen=True):
    """An account's wallet; items and stakes are read only for confirmed ones."""

    account: str
    name: str
    wallet: str | None
    confirmed: bool


class SourceInfo(msgspec.Struct, frozen=True):
    """An external source of the ledger, and whether it answers."""

    name: Literal["assets", "stakes"]
    tried: float
    read: float | None
    """When it last answered for every wallet."""
    warning: str
    """What went wrong last; empty if nothing did."""


class StakeUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The new staked power of an account."""

    stake: Amount


class PictureCreate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A picture for items: a PNG file, in Base64."""

    data: Annotated[bytes, msgspec.Meta(max_length=MOST_PICTURE_TEXT)]


class PictureInfo(msgspec.Struct, frozen=True):
    """A stored picture; the fact ``sprite`` of a template names it by its id."""

    id: str
    width: int
    height: int


class AvatarUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The item that represents an account, or none."""

    avatar: ItemId | None
