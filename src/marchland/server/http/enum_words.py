"""Names the allowed words where a body has another one: msgspec only says which word is wrong, and where."""

import re
from collections.abc import Iterator
from typing import Any

from msgspec import inspect

_WRONG_WORD = re.compile(r"^Invalid enum value (.+) - at `\$(.*)`$", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|(\[[^\]]*\])")


def with_allowed_words(sentence: str, kind: Any) -> str:
    """A sentence of msgspec about a value of ``kind``; if it is about a wrong word, with the allowed ones."""
    wrong = _WRONG_WORD.match(sentence)
    if wrong is None:
        return sentence
    found: list[inspect.Type] = [inspect.type_info(kind)]
    for name, _ in _STEP.findall(wrong[2]):
        found = [inner for outer in found for inner in _inside(outer, name)]
    words = [repr(value) for type_ in found for alternative in _alternatives(type_) for value in _words(alternative)]
    return f"{sentence}; it is one of {', '.join(words)}" if words else sentence


def _inside(kind: inspect.Type, name: str) -> Iterator[inspect.Type]:
    """The types of the field of that name, or without a name of the elements."""
    for type_ in _alternatives(kind):
        if name and isinstance(type_, inspect.StructType):
            yield from (field.type for field in type_.fields if field.encode_name == name)
        elif not name and isinstance(type_, inspect.DictType):
            yield type_.value_type
        elif not name and isinstance(type_, inspect.ListType | inspect.VarTupleType | inspect.SetType):
            yield type_.item_type


def _alternatives(kind: inspect.Type) -> Iterator[inspect.Type]:
    if isinstance(kind, inspect.Metadata):
        yield from _alternatives(kind.type)
    elif isinstance(kind, inspect.UnionType):
        for type_ in kind.types:
            yield from _alternatives(type_)
    else:
        yield kind


def _words(kind: inspect.Type) -> list[Any]:
    return list(kind.values) if isinstance(kind, inspect.LiteralType) else []
