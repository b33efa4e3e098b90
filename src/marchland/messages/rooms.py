"""Rooms: one match after another."""

from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from marchland.messages.matches import MatchCreate
from marchland.messages.text import Duration, Name

Keep = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class RoomCreate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A room to be created: whenever its match has ended, the next one starts from the template."""

    name: Name
    template: MatchCreate
    pause: Duration = 10.0
    """Seconds between two matches."""
    keep: Keep | None = None
    """Finished matches that stay, with people or without; None: the server's limit, which spares those with people."""


class RoomInfo(msgspec.Struct, frozen=True):
    """A room and its current match."""

    name: str
    template: MatchCreate
    pause: float
    open: bool
    match: str | None
    keep: int | None = None


class RoomUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Changes to a room; its current match is not affected."""

    template: MatchCreate | UnsetType = UNSET
    pause: Duration | UnsetType = UNSET
    keep: Keep | UnsetType | None = UNSET
    open: bool | UnsetType = UNSET
    """A closed room starts no further match."""
