"""PATCH bodies: structs whose unset fields stay as they are."""

from typing import Any, TypeVar

import msgspec
from msgspec import UNSET

Thing = TypeVar("Thing", bound=msgspec.Struct)


def fields_set(change: msgspec.Struct) -> dict[str, Any]:
    """The fields that the body names, with their new values."""
    fields = {name: getattr(change, name) for name in change.__struct_fields__}
    return {name: value for name, value in fields.items() if value is not UNSET}


def apply_patch(thing: Thing, change: msgspec.Struct) -> Thing:
    """``thing`` with those of its fields replaced that ``change`` names."""
    changed = {name: value for name, value in fields_set(change).items() if name in thing.__struct_fields__}
    return msgspec.structs.replace(thing, **changed)
