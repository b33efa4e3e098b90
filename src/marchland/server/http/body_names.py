"""Names in the body of a request: found by their type, cleaned wherever they are."""

import functools
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from msgspec import UNSET, inspect

from marchland.messages.names import BadNameError, clean_name
from marchland.messages.text import NAME

Clean = Callable[[Any], Any]


@functools.cache
def name_cleaner(kind: Any) -> Clean | None:
    """What brings every name in a value of this type into normal form, or raises `BadNameError`; None without names."""
    return _clean_type(inspect.type_info(kind))


def _clean_type(kind: inspect.Type) -> Clean | None:
    """What cleans values of a type; None if they contain no names."""
    if isinstance(kind, inspect.Metadata):
        if kind.extra == NAME and isinstance(kind.type, inspect.StrType):
            return partial(_clean_text, max_length=kind.type.max_length)
        return _clean_type(kind.type)
    if isinstance(kind, inspect.StructType):
        return _clean_struct(kind)
    if isinstance(kind, inspect.ListType | inspect.VarTupleType):
        clean = _clean_type(kind.item_type)
        return None if clean is None else lambda items: type(items)(clean(item) for item in items)
    if isinstance(kind, inspect.UnionType):
        return _clean_union(kind)
    return None


def _clean_text(name: str, max_length: int | None) -> str:
    clean = clean_name(name)
    if max_length is not None and len(clean) > max_length:  # a few characters are two in normal form
        raise BadNameError(f"The name {name!r} is too long; the most is {max_length} characters.")
    return clean


def _clean_struct(kind: inspect.StructType) -> Clean | None:
    fields = {field.name: clean for field in kind.fields if (clean := _clean_type(field.type))}
    if not fields:
        return None

    def clean_struct(value: Any) -> Any:
        given = {name: clean(text) for name, clean in fields.items() if (text := getattr(value, name)) is not UNSET}
        return msgspec.structs.replace(value, **given)

    return clean_struct


def _clean_union(kind: inspect.UnionType) -> Clean | None:
    """Unions of messages have one text, one list and structs that differ by their class."""
    by_class = {_class_of(member): clean for member in kind.types if (clean := _clean_type(member))}

    def clean_union(value: Any) -> Any:
        clean = by_class.get(type(value))
        return value if clean is None else clean(value)

    return clean_union if by_class else None


def _class_of(kind: inspect.Type) -> type:
    if isinstance(kind, inspect.Metadata):
        return _class_of(kind.type)
    if isinstance(kind, inspect.StructType):
        return kind.cls
    return {inspect.StrType: str, inspect.ListType: list, inspect.VarTupleType: tuple}[type(kind)]
