"""Who owns what: items that games read and use up, and staked power. What an item means, its game says."""

from typing import Annotated, Any, Literal

import msgspec

from marchland.messages.text import Id

ItemState = Literal["free", "held", "spent"]
Amount = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
ItemId = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]


class TemplateCreate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of item of a game, of which items can be minted; ``facts`` are what the game reads of them."""

    game: Annotated[str, msgspec.Meta(max_length=40)]
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    kind: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    facts: dict[str, Any] = {}


class TemplateInfo(msgspec.Struct, frozen=True):
    """A template, and how many items were ever minted of it."""

    id: int
    game: str
    name: str
    kind: str
    facts: dict[str, Any]
    minted: int


class MintRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Make items and give them to an account."""

    template: Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
    owner: Id
    amount: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1


class ItemInfo(msgspec.Struct, frozen=True):
    """One item: free, held by a match while that uses it, or spent for good."""

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
    """Whose an item is from now on."""

    owner: Id


class HolderInfo(msgspec.Struct, frozen=True):
    """An account of which the ledger knows something: its staked power, and how many items it has."""

    account: str
    name: str
    stake: int
    items: int


class Album(msgspec.Struct, frozen=True):
    """All that an account owns or has spent."""

    account: str
    stake: int
    avatar: int | None
    items: list[ItemInfo]


class StakeUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much power an account has staked from now on."""

    stake: Amount


class AvatarUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The item that stands for an account; None for none."""

    avatar: ItemId | None
