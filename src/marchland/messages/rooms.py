"""Rooms: one match after another."""

import msgspec
from msgspec import UNSET, UnsetType

from marchland.messages.matches import MatchCreate
from marchland.messages.text import Duration, Name


class RoomCreate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place in which a new match of the same kind starts whenever one has ended."""

    name: Name
    template: MatchCreate
    pause: Duration = 10.0
    """Between two matches."""


class RoomInfo(msgspec.Struct, frozen=True):
    """A room and the match that is on in it."""

    name: str
    template: MatchCreate
    pause: float
    open: bool
    match: str | None


class RoomUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be different in a room; the match that is on goes on as it is."""

    template: MatchCreate | UnsetType = UNSET
    pause: Duration | UnsetType = UNSET
    open: bool | UnsetType = UNSET
    """A room that is not open starts no further match."""
