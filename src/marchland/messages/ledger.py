"""The ledger: items that games read and spend, and staked power. Each game defines what its items mean."""

from typing import Annotated, Any, Literal

import msgspec

from marchland.messages.text import Id

ItemState = Literal["free", "held", "spent"]
Amount = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
ItemId = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]


class TemplateCreate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of item of a game, from which items can be minted; the game reads ``facts``."""

    game: Annotated[str, msgspec.Meta(max_length=40)]
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    kind: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    facts: dict[str, Any] = {}


class TemplateInfo(msgspec.Struct, frozen=True):
    """A template, and the number of items ever minted from it."""

    id: int
    game: str
    name: str
    kind: str
    facts: dict[str, Any]
    minted: int


class MintRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Mint items for an account."""

    template: Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
    owner: Id
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


class ItemUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The new owner of an item."""

    owner: Id


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


class StakeUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The new staked power of an account."""

    stake: Amount


class AvatarUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The item that represents an account, or none."""

    avatar: ItemId | None
