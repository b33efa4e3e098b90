"""Pack a turn's orders from plain data into integer columns.

Each verb has a row struct: a msgspec struct that decodes the same JSON as the order class, with fields named by column
(a, b, c) instead of by parameter. One `msgspec.convert` call decodes all orders of a turn, and one pass over the row
structs makes each column, whatever the verbs. If a turn contains anything but valid plain dicts, it is decoded in
blocks, and the blocks concerned order by order with `Codec.parse`, which decides what is refused and why.
"""

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Final, Union

import msgspec
import numpy as np

from marchland.board import Dialect
from marchland.core.orders import (
    COLUMNS,
    LEFT_OUT,
    MALFORMED,
    NO_CELL,
    SWITCH,
    Codec,
    Packed,
    Slot,
    encode_cell,
    piece_at,
)
from marchland.messages import Order

_BLOCK: Final = 16
"""Orders per `msgspec.convert` call in a turn with invalid orders: limits how many valid ones take the slow path."""
_MOST_CODES: Final = 1 << 16
"""Size limit of a table of cell codes: clients may send any number of distinct coordinates."""
_FIELDS: Final = ("a", "b", "c")

Codes = Mapping[Any, int]
"""Maps each non-integer value of a parameter to its number in the column."""
Column = Callable[[Sequence["Row"]], Iterable[int]]
"""Reads the numbers of one column from the rows."""

_NO_VALUE: Final[dict[Any, int]] = {None: LEFT_OUT, 0: 0}
"""Codes of an optional parameter that is left out, and of a column that the verb does not use."""


class Row(msgspec.Struct, gc=False):
    """Base class of the row structs, which override these defaults; an instance of it stands for a malformed order."""

    verb: ClassVar[int] = MALFORMED
    codes: ClassVar[tuple[Codes, ...]] = ()
    """The codes of each parameter."""
    pooled: ClassVar[tuple[str, ...]] = ()
    """The fields whose content goes into the pool."""
    a: ClassVar[Any] = 0
    b: ClassVar[Any] = 0
    c: ClassVar[Any] = 0


_MALFORMED_ROW: Final = Row()
_VERB: Final = attrgetter("verb")


class _Impossible(msgspec.Struct, tag_field="do", tag="", forbid_unknown_fields=True):
    """Matches nothing. Second member of every union, because msgspec does not require the tag of a lone struct."""

    never: Annotated[int, msgspec.Meta(ge=1, le=0)]


class CellCodes(dict[Any, int]):
    """Memoised codes of cells, or of pieces named by their cell, by user coordinates."""

    def __init__(self, dialect: Dialect, *, pieces: bool = False) -> None:
        super().__init__(_NO_VALUE)
        self._dialect = dialect
        self._pieces = pieces

    def __missing__(self, pair: Any) -> int:
        if pair in _NO_VALUE:  # another thread is clearing the table
            return _NO_VALUE[pair]
        cell = encode_cell(self._dialect, *pair)
        code = piece_at(cell) if self._pieces else cell
        if cell != NO_CELL:  # does not store integers of arbitrary size
            if len(self) >= _MOST_CODES:
                self.clear()
                self.update(_NO_VALUE)
            self[pair] = code
        return code


class Packer:
    """Decodes and packs the orders of one game in one dialect. Created by `packer_for`; thread-safe."""

    def __init__(self, codec: Codec, dialect: Dialect) -> None:
        self._codec = codec
        self._cells = CellCodes(dialect)
        self._pieces = CellCodes(dialect, pieces=True)
        self._words: dict[tuple[str, ...], Codes] = {}
        self._structs = {
            verb: _row_struct(number, verb, slots, tuple(map(self._codes_of, slots)))
            for number, (verb, slots) in enumerate(zip(codec.verbs, codec.slots, strict=True), 1)
        }
        self._blocks = {host: self._block_type(host) for host in (False, True)}
        widest = max(map(len, codec.slots))
        self._columns = [_column(place, codec.slots, self._structs.values()) for place in range(widest)]
        self._has_pool = any(struct.pooled for struct in self._structs.values())

    def decode(self, raw: list[Any], host: bool) -> tuple[list[Row], dict[int, str]]:
        """Return a row for each order, and for each malformed one the sentence of its refusal, by row index."""
        decoded = self._decode_valid(raw, host)
        if decoded is not None:
            return decoded, {}
        rows: list[Row] = []
        problems: dict[int, str] = {}
        for start in range(0, len(raw), _BLOCK):
            block = raw[start : start + _BLOCK]
            decoded = self._decode_valid(block, host)
            if decoded is None:
                self._decode_each(block, host, rows, problems)
            else:
                rows += decoded
        return rows, problems

    def _decode_valid(self, raw: list[Any], host: bool) -> list[Row] | None:
        """Decode all orders in one call; None if any is not a valid plain dict."""
        if [*map(type, raw)].count(dict) < len(raw):  # subclasses may override item access
            return None
        try:
            orders: list[Row] = msgspec.convert((raw,), self._blocks[host]).orders
        except Exception:  # the caller falls back to `Codec.parse`, which words the refusal
            return None
        return orders

    def _decode_each(self, raw: Iterable[Any], host: bool, rows: list[Row], problems: dict[int, str]) -> None:
        """Decode order by order, appending to ``rows`` and ``problems``."""
        for order in raw:
            parsed = self._codec.parse(order, host)
            if isinstance(parsed, str):
                problems[len(rows)] = parsed
                rows.append(_MALFORMED_ROW)
            else:
                values = zip(_FIELDS, msgspec.structs.astuple(parsed), strict=False)
                rows.append(self._structs[type(parsed)](**dict(values)))

    def pack(self, players: list[int], rows: Sequence[Row]) -> Packed:
        """Pack decoded rows, given the player of each. Consumes the rows."""
        count = len(rows)
        table = np.zeros((COLUMNS, count), np.int64)
        if not count:
            return Packed(table)
        pool = self._fill_pool(rows) if self._has_pool else None
        columns = [players, map(_VERB, rows), *[column(rows) for column in self._columns]]
        used = len(columns)
        table[:used] = np.fromiter(chain.from_iterable(columns), np.int64, used * count).reshape(used, count)
        return Packed(table, np.fromiter(pool, np.int64, len(pool)) if pool else None)

    def _fill_pool(self, rows: Sequence[Row]) -> list[int]:
        """Move paths and texts into a pool, each prefixed by its length; the rows hold the offsets."""
        pool: list[int] = []
        code_of = self._cells.__getitem__
        for row in rows:
            for field in row.pooled:
                value = getattr(row, field)
                if value is None:
                    continue
                content = _encode_text(value) if isinstance(value, str) else [*map(code_of, value)]
                setattr(row, field, len(pool))
                pool.append(len(content))
                pool += content
        return pool

    def _block_type(self, host: bool) -> Any:
        """A struct around the list of orders that the host, or a player, may give.

        msgspec caches how to decode a struct, but analyses a bare ``list[...]`` again in every call.
        """
        verbs = [
            struct
            for verb, struct in self._structs.items()
            if (verb.role == "host") == host and not hasattr(verb, "__post_init__")  # run by `parse` only
        ]
        orders = list[Union[(*verbs, _Impossible)]]  # type: ignore[valid-type]
        return msgspec.defstruct("Block", [("orders", orders)], array_like=True, gc=False)

    def _codes_of(self, slot: Slot) -> Codes:
        """The codes of a parameter's values. Equal lists of choices share a table."""
        if slot.pick == "cell":
            return self._cells
        if slot.choices == SWITCH:
            return self._words.setdefault(SWITCH, {False: 0, True: 1} | _NO_VALUE)
        if slot.choices:
            codes = {word: index for index, word in enumerate(slot.choices)}
            return self._words.setdefault(slot.choices, codes | _NO_VALUE)
        return self._pieces if slot.pick == "piece" else _NO_VALUE


@functools.lru_cache(maxsize=64)
def packer_for(codec: Codec, dialect: Dialect) -> Packer:
    """The shared packer of a game's orders in ``dialect``."""
    return Packer(codec, dialect)


def _encode_text(text: str) -> bytes:
    return str.encode(text, "utf-8", "replace")  # subclasses may override `encode`


def _row_struct(number: int, verb: type[Order], slots: Sequence[Slot], codes: tuple[Codes, ...]) -> type[Row]:
    """Create the struct that decodes what ``verb`` decodes, with fields named by column."""
    if len(slots) > len(_FIELDS):
        raise ValueError(f"{verb.__name__} has {len(slots)} parameters, but a packed order has at most {len(_FIELDS)}.")
    fields = [
        (column, field.type, msgspec.field(name=field.encode_name, **_default_of(field)))
        for column, field in zip(_FIELDS, msgspec.structs.fields(verb), strict=False)
    ]
    pooled = tuple(column for column, slot in zip(_FIELDS, slots, strict=False) if slot.pick in ("path", "text"))
    struct: Any = msgspec.defstruct(
        verb.__name__,
        fields,
        bases=(Row,),
        namespace={"verb": number, "codes": codes, "pooled": pooled},
        tag_field="do",
        tag=verb.__struct_config__.tag,
        forbid_unknown_fields=verb.__struct_config__.forbid_unknown_fields,
        kw_only=True,
        gc=False,
    )
    return struct  # type: ignore[no-any-return]


def _default_of(field: msgspec.structs.FieldInfo) -> dict[str, Any]:
    if field.default_factory is not msgspec.NODEFAULT:
        return {"default_factory": field.default_factory}
    return {"default": field.default}


def _column(place: int, verbs: Sequence[Sequence[Slot]], structs: Iterable[type[Row]]) -> Column:
    """Create the function that reads one column; the cheapest one that is correct for all verbs."""
    fetch = attrgetter(_FIELDS[place])
    has_numbers = any(slot.pick != "cell" and not slot.choices for slots in verbs for slot in slots[place : place + 1])
    tables = {id(table): table for struct in structs for table in struct.codes[place : place + 1]}
    if len(tables) > 1:
        tables.pop(id(_NO_VALUE), None)  # the other tables include it
    if len(tables) > 1:
        return lambda rows: [value if type(value := fetch(row)) is int else row.codes[place][value] for row in rows]
    (codes,) = tables.values()
    if has_numbers:
        return lambda rows: [value if type(value) is int else codes[value] for value in map(fetch, rows)]
    return lambda rows: map(codes.__getitem__, map(fetch, rows))
