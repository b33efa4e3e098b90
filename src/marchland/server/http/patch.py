"""What a PATCH says: only the fields that it names."""

from typing import Any, TypeVar

import msgspec
from msgspec import UNSET

Thing = TypeVar("Thing", bound=msgspec.Struct)


def named(change: msgspec.Struct) -> dict[str, Any]:
    """The fields that a change names, with their new values."""
    fields = {name: getattr(change, name) for name in change.__struct_fields__}
    return {name: value for name, value in fields.items() if value is not UNSET}


def changed(thing: Thing, change: msgspec.Struct) -> Thing:
    """``thing`` with those of its fields replaced that ``change`` names."""
    mine = {name: value for name, value in named(change).items() if name in thing.__struct_fields__}
    return msgspec.structs.replace(thing, **mine)
