"""The one buffer that holds all that changes in a match, and how it is laid out.

A game declares its arrays once, as NamedTuples whose annotations are the element types:

    class Cells(NamedTuple):
        owner: Int16s
        force_field: Int16s

    SCHEMA = Schema(Cells, Players, tables={Pieces: PIECES}, work=(Tally,))
    cells_of = SCHEMA.opener(Cells)
    state_of = SCHEMA.state_opener()

`Schema.layout` fixes the sizes for one match. Python code reads ``layout.arrays(buffer, Cells)``; kernels call
``cells_of(state, at)`` and get the same NamedTuple of views into the same bytes, or ``state_of(state, at)`` and get
all of them.
"""

import functools
import hashlib
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, NamedTuple, TypeVar, get_type_hints

import numpy as np
import numpy.typing as npt
import xxhash

from marchland import kernels

Bytes = npt.NDArray[np.uint8]
Int8s = Annotated[npt.NDArray[np.int8], "int8"]
Int16s = Annotated[npt.NDArray[np.int16], "int16"]
Int32s = Annotated[npt.NDArray[np.int32], "int32"]
Int64s = Annotated[npt.NDArray[np.int64], "int64"]

Part = TypeVar("Part", bound=tuple[Any, ...])

# The head of every match. Games use the slots from GAME on.
TURN: Final = 0
SEQ: Final = 1  # immediate actions so far this turn
OVER: Final = 2  # 0 while the match runs, else why it ended
PLAYERS: Final = 3
KEY0: Final = 4
KEY1: Final = 5
GAME: Final = 6
HEAD_SLOTS: Final = 32

NO_PLAYER: Final = -1
"""In place of a player's seat: the owner of what has none."""

_ALIGNMENT: Final = 64


class Head(NamedTuple):
    """What every match has: turn, key and counters, by the slots above."""

    slots: Int64s


class Field(NamedTuple):
    """One array of the state."""

    part: type[Any]
    name: str
    dtype: np.dtype[Any]


class Schema:
    """Which arrays every match of a game has."""

    def __init__(
        self, *parts: type[Any], tables: Mapping[type[Any], int] | None = None, work: tuple[type[Any], ...] = ()
    ) -> None:
        self.tables = dict(tables or {})
        self.work = work
        self.parts: tuple[type[Any], ...] = (Head, *parts, *self.tables, *work)
        self.fields = tuple(
            Field(part, name, np.dtype(hint.__metadata__[0]))
            for part in self.parts
            for name, hint in get_type_hints(part, include_extras=True).items()
        )
        self.hash = hashlib.sha256(
            repr([(field.part.__name__, field.name, field.dtype.str) for field in self.fields]).encode()
        ).hexdigest()[:16]

    def layout(self, **rows: int) -> "Layout":
        """The layout with the given number of rows for each part, by its name in lower case."""
        return _layout(self, tuple(sorted(rows.items())))

    def first_field(self, part: type[Any]) -> int:
        """The index of the first array of ``part``."""
        return next(index for index, field in enumerate(self.fields) if field.part is part)

    def opener(self, part: type[Any]) -> kernels.FieldsOpener:
        """A kernel ``(buffer, at) -> part`` that makes the views of ``part``'s arrays."""
        fields = [kernels.Field(field.dtype.name) for field in self.fields if field.part is part]
        return kernels.FieldsOpener(part, self.first_field(part), fields)

    def state_opener(self) -> kernels.PartsOpener:
        """A kernel ``(state, at) -> parts``: all parts of the state but the head, in the order of the schema."""
        return kernels.PartsOpener([self.opener(part) for part in self.parts[1:] if part not in self.work])

    def work_opener(self) -> kernels.PartsOpener:
        """A kernel ``(work, at) -> parts``: all parts of the workspace, in the order of the schema."""
        return kernels.PartsOpener([self.opener(part) for part in self.work])

    def rows_opener(self, part: type[Any], columns: int) -> Callable[[Any, Any], Any]:
        """A kernel ``(buffer, at) -> table`` for a part of one array, as rows of ``columns`` elements."""
        first = self.first_field(part)
        return kernels.FieldsOpener(None, first, [kernels.Field(self.fields[first].dtype.name, columns)])


class Layout:
    """Where each array lies, for one size of match. Made by `Schema.layout`; equal sizes share one."""

    def __init__(self, schema: Schema, rows: tuple[tuple[str, int], ...]) -> None:
        self.schema = schema
        self.rows = {"head": HEAD_SLOTS, **dict(rows)}
        bounds: list[int] = []
        end = {False: 0, True: 0}
        self.fixed = 0
        for field in schema.fields:
            scratch = field.part in schema.work
            begin = -(-end[scratch] // _ALIGNMENT) * _ALIGNMENT
            end[scratch] = begin + self.rows[field.part.__name__.lower()] * field.dtype.itemsize
            bounds += [begin, end[scratch]]
            if not scratch and field.part not in schema.tables:
                self.fixed = end[False]
        self.size = -(-end[False] // _ALIGNMENT) * _ALIGNMENT
        self.work_size = end[True]
        self.at = np.array(bounds, np.int64)
        """First byte and end of each array, two numbers each."""
        self._spans: dict[type[Any], list[tuple[slice, np.dtype[Any]]]] = {}

    def buffer(self) -> Bytes:
        """A new state with every value 0."""
        return np.zeros(self.size, np.uint8)

    def workspace(self) -> Bytes:
        """Scratch memory for one running turn; its values mean nothing between turns."""
        return np.zeros(self.work_size, np.uint8)

    def arrays(self, buffer: Bytes, part: type[Part]) -> Part:
        """The arrays of ``part`` as views into ``buffer``."""
        spans = self._spans.get(part)
        if spans is None:
            bounds = self.at.tolist()
            fields = [(index, field.dtype) for index, field in enumerate(self.schema.fields) if field.part is part]
            spans = [(slice(bounds[2 * index], bounds[2 * index + 1]), dtype) for index, dtype in fields]
            self._spans[part] = spans
        return part(*[buffer[span].view(dtype) for span, dtype in spans])

    def head(self, buffer: Bytes) -> npt.NDArray[np.int64]:
        """The head's slots."""
        return np.frombuffer(buffer, np.int64, HEAD_SLOTS)

    def live(self, buffer: Bytes) -> list[Bytes]:
        """The parts of ``buffer`` that mean something: the fixed arrays and the live rows of the tables."""
        pieces = [buffer[: self.fixed]]
        head = self.head(buffer)
        for index, field in enumerate(self.schema.fields):
            if field.part in self.schema.tables:
                begin = self.at[2 * index]
                count = int(head[self.schema.tables[field.part]])
                pieces.append(buffer[begin : begin + count * field.dtype.itemsize])
        return pieces

    def digest(self, buffer: Bytes) -> str:
        """XXH3-128 over the live parts: equal states have equal digests."""
        hasher = xxhash.xxh3_128()
        for piece in self.live(buffer):
            hasher.update(piece.data)
        return hasher.hexdigest()

    def copy_to(self, buffer: Bytes, other: "Layout") -> Bytes:
        """The same state laid out as ``other``, whose parts have at least as many rows; parts of its own are 0."""
        target = other.buffer()
        for part in self.schema.parts:
            if part not in self.schema.work:
                for old, new in zip(self.arrays(buffer, part), other.arrays(target, part), strict=True):
                    new[: len(old)] = old
        return target


@functools.lru_cache(maxsize=64)
def _layout(schema: Schema, rows: tuple[tuple[str, int], ...]) -> Layout:
    return Layout(schema, rows)


head_of: Final = kernels.FieldsOpener(None, 0, [kernels.Field("int64")])
"""A kernel ``(buffer, at) -> slots`` for the head of every game."""
