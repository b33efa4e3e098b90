"""The types of values in kernels, and how a value is spread over LLVM values.

A value has a type and leaves, each an LLVM operand: one for a number, two for an array (address and length), one for
settings (their address), those of all fields for a tuple. Constants have literals as leaves.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from marchland.kernels.word import Word

Region = tuple[int, ...]
"""Memory that overlaps no other: an array argument by its number, or a field of a buffer by both numbers."""


class Scalar(NamedTuple):
    """A 64-bit integer. A natural one is known not to be negative, so that as an index it needs no adjustment."""

    is_signed: bool
    is_natural: bool = False

    def __str__(self) -> str:
        return "an integer" if self.is_signed else "a Word"


INT: Final = Scalar(True)
NATURAL: Final = Scalar(True, True)
WORD: Final = Scalar(False)


def is_integer(type_: Any) -> bool:
    """Whether values of the type are signed integers."""
    return type_ in (INT, NATURAL)


class Array(NamedTuple):
    """Integers of one width in memory: one dimension, or rows of a fixed number of columns."""

    dtype: str
    columns: int = 0
    regions: frozenset[Region] = frozenset()
    """Where the elements may lie. Arguments have none until `number_arrays` gives each its own."""
    is_writable: bool = True

    def __str__(self) -> str:
        return f"an array of {self.dtype}" + (f" with {self.columns} columns" if self.columns else "")

    @property
    def element(self) -> str:
        """The LLVM type of an element."""
        return f"i{8 * self.itemsize}"

    @property
    def itemsize(self) -> int:
        """Bytes per element."""
        return int(self.dtype.lstrip("uint")) // 8

    @property
    def is_signed(self) -> bool:
        """Whether elements are sign-extended when loaded."""
        return not self.dtype.startswith("u")


class Settings(NamedTuple):
    """Named numbers in an int64 array: of each its name, position, and count (0 for a single number)."""

    names: tuple[tuple[str, int, int], ...]
    regions: frozenset[Region]

    def __str__(self) -> str:
        return "settings"


class Tuple(NamedTuple):
    """A tuple, or a NamedTuple of class ``class_``."""

    class_: type[Any] | None
    types: tuple[Any, ...]

    def __str__(self) -> str:
        if self.class_:
            return f"a {self.class_.__name__}"
        return f"a tuple of {len(self.types)}"


class Nothing:
    """The type of ``None``."""

    def __str__(self) -> str:
        return "nothing"


class Static:
    """Something known at compile time that is not a number: a kernel, a class, a module."""

    def __init__(self, thing: Any) -> None:
        self.thing = thing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Static) and self.thing is other.thing  # things may compare in ways of their own

    def __hash__(self) -> int:
        return id(self.thing)

    def __str__(self) -> str:
        return f"{self.thing!r}".partition("\n")[0]


Type = Scalar | Array | Settings | Tuple | Nothing | Static


class Value(NamedTuple):
    """What an expression yields."""

    type: Any
    leaves: tuple[str, ...]

    @property
    def constant(self) -> int | None:
        """The number, if it is known at compile time."""
        leaf = self.leaves[0] if isinstance(self.type, Scalar) else "%"
        return None if leaf.startswith("%") else int(leaf)


NOTHING: Final = Value(Nothing(), ())


def make_int(value: int) -> Value:
    """An integer constant."""
    return Value(NATURAL if value >= 0 else INT, (str(int(value)),))


def make_word(value: int) -> Value:
    """A `Word` constant."""
    return Value(WORD, (str(int(value)),))


def make_tuple(class_: type[Any] | None, items: Sequence[Value]) -> Value:
    """A tuple of values."""
    types = tuple(item.type for item in items)
    return Value(Tuple(class_, types), tuple(leaf for item in items for leaf in item.leaves))


def split_tuple(value: Value) -> Iterator[Value]:
    """The items of a tuple."""
    start = 0
    for type_ in value.type.types:
        end = start + len(leaf_types(type_))
        yield Value(type_, value.leaves[start:end])
        start = end


def leaf_types(type_: Any) -> list[str]:
    """The LLVM types of a value's leaves."""
    match type_:
        case Scalar():
            return ["i64"]
        case Array():
            return ["ptr", "i64"]
        case Settings():
            return ["ptr"]
        case Tuple(_, types):
            return [leaf for item in types for leaf in leaf_types(item)]
    return []


def result_type(type_: Any) -> str:
    """The LLVM type that a function returning this type has."""
    leaves = leaf_types(type_)
    return "void" if not leaves else leaves[0] if len(leaves) == 1 else "{" + ", ".join(leaves) + "}"


def merge_types(one: Any, other: Any) -> Any:
    """The type of a value that may be either: arrays may lie in the regions of both. None if they differ otherwise."""
    if one == other:
        return one
    match one, other:
        case Scalar(True), Scalar(True):
            return INT
        case Array(), Array() if one._replace(regions=other.regions) == other:
            return one._replace(regions=one.regions | other.regions)
        case Settings(), Settings() if one.names == other.names:
            return one._replace(regions=one.regions | other.regions)
        case Tuple(), Tuple() if one.class_ is other.class_ and len(one.types) == len(other.types):
            items = tuple(map(merge_types, one.types, other.types))
            return None if None in items else one._replace(types=items)
    return None


def widen(type_: Any) -> Any:
    """The type without what is known of the value: arguments and results are any integers."""
    if isinstance(type_, Tuple):
        return type_._replace(types=tuple(map(widen, type_.types)))
    return INT if type_ == NATURAL else type_


def list_classes(types: tuple[Any, ...], returns: Any = None) -> list[Any]:
    """The NamedTuple classes in the arguments and the result, in the order in which the entry point refers to them."""

    def walk(type_: Any) -> Iterator[type[Any]]:
        if isinstance(type_, Tuple):
            if type_.class_:
                yield type_.class_
            for item in type_.types:
                yield from walk(item)

    return list(dict.fromkeys(class_ for type_ in (*types, returns) for class_ in walk(type_)))


def number_arrays(types: Sequence[Any]) -> tuple[Any, ...]:
    """Argument types with a region for each array, numbered in order."""
    count = 0

    def number(type_: Any) -> Any:
        nonlocal count
        if isinstance(type_, Array):
            count += 1
            return type_._replace(regions=frozenset({(count - 1,)}))
        if isinstance(type_, Tuple):
            return type_._replace(types=tuple(map(number, type_.types)))
        return type_

    return tuple(map(number, types))


def is_named_tuple(class_: Any) -> bool:
    """Whether this is a NamedTuple itself: a subclass may create its instances in another way."""
    return isinstance(class_, type) and tuple in class_.__bases__ and hasattr(class_, "_fields")


ELEMENT_TYPES: Final = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32")


def type_of(argument: Any) -> Any:
    """The type of a Python object as an argument of a kernel; a `TypeError` says why it cannot be one."""
    if type(argument) is int or isinstance(argument, bool | np.integer):
        if not -(2**63) <= int(argument) < 2**63:
            raise OverflowError(f"{int(argument)} does not fit 64 bits")
        return INT
    if isinstance(argument, Word):
        return WORD
    if isinstance(argument, np.ndarray):
        return _array_type(argument)
    if isinstance(argument, tuple):
        is_named = is_named_tuple(type(argument))
        if type(argument) is not tuple and not is_named:
            raise TypeError(f"a {type(argument).__name__} is neither a tuple nor directly a NamedTuple")
        return Tuple(type(argument) if is_named else None, tuple(map(type_of, argument)))
    raise TypeError(f"{type(argument).__name__} is not an integer, an integer array or a tuple of these")


def _array_type(array: "np.ndarray[Any, Any]") -> Array:
    if type(array) is not np.ndarray:
        raise TypeError(f"{type(array).__name__} is a subclass of ndarray; pass np.asarray(...)")
    if array.dtype.name not in ELEMENT_TYPES:
        raise TypeError(f"an array of {array.dtype.name} is none of {', '.join(ELEMENT_TYPES)}")
    if not array.dtype.isnative:
        raise TypeError(f"an array of {array.dtype.str} is not in this machine's byte order; pass array.astype(...)")
    if array.ndim not in (1, 2) or (array.ndim == 2 and not array.shape[1]):
        raise TypeError(f"an array of shape {array.shape} is neither one-dimensional nor rows of columns")
    if not array.flags.c_contiguous or not array.flags.aligned:
        raise TypeError("the array is not contiguous and aligned; pass np.ascontiguousarray(...)")
    return Array(array.dtype.name, array.shape[1] if array.ndim == 2 else 0)
