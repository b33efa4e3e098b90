"""Orders in their packed form: five integer columns (player, verb, a, b, c) and a pool for paths.

`marchland.core.packing` makes it from JSON; kernels, Batch, training and replays use nothing else. A cell is named by
its coordinates in the board's frame, two halves of one number, so that packed orders mean the same whatever the flat
indices are.
"""

import inspect
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec
import numpy as np
import numpy.typing as npt

from marchland.board import Dialect, Tables
from marchland.board.cells import cell_at
from marchland.core.reasons import CommonReason
from marchland.errors import choices, did_you_mean
from marchland.kernels import kernel
from marchland.messages import Order, Parameter, Pick, Verb

COLUMNS: Final = 6  # player, verb, a, b, c and, after the turn, the reason
_HALF: Final = 1 << 30
_FULL: Final = 1 << 32
_FARTHEST: Final = _HALF // 2

NO_CELL: Final = -1
"""The code of coordinates that no board can have."""
LEFT_OUT: Final = -(2**53)
"""An optional parameter that the player did not give: below every number that an order can hold."""
HOST_PLAYER: Final = -1
"""Who gives, in place of a player, the orders whose role is "host": facts from outside the match."""
MALFORMED: Final = 0
"""The verb of an order that was not understood; the game's own verbs count from 1."""

_OK: Final = int(CommonReason.OK)
_MALFORMED: Final = int(CommonReason.MALFORMED)
_NO_SUCH_PLAYER: Final = int(CommonReason.NO_SUCH_PLAYER)


class Orders(NamedTuple):
    """The columns of one turn's orders, as kernels see them."""

    player: Any
    verb: Any
    a: Any
    b: Any
    c: Any
    reason: Any


@kernel
def columns(orders: Any) -> Orders:
    """The columns of the flat array in which orders enter a kernel."""
    n = len(orders) // COLUMNS
    return Orders(
        orders[:n],
        orders[n : 2 * n],
        orders[2 * n : 3 * n],
        orders[3 * n : 4 * n],
        orders[4 * n : 5 * n],
        orders[5 * n :],
    )


@kernel
def admit(orders: Orders, players: int, verbs: int) -> None:
    """Refuse the rows that name no player or no verb; the others start out as done."""
    for row in range(len(orders.player)):
        orders.reason[row] = _OK
        if not 0 <= orders.player[row] < players:
            orders.reason[row] = _NO_SUCH_PLAYER
        elif not 1 <= orders.verb[row] <= verbs:
            orders.reason[row] = _MALFORMED


@kernel
def cell_of(board: Tables, code: int) -> int:
    """The cell that ``code`` names, or -1."""
    if code < 0:
        return -1
    cell: int = cell_at(board, code // _FULL - _HALF, code % _FULL - _HALF)
    return cell


@kernel
def code_of(board: Tables, cell: int) -> int:
    """The code of ``cell``, as events and orders name it."""
    code: int = (board.frame[2 * cell] + _HALF) * _FULL + board.frame[2 * cell + 1] + _HALF
    return code


@kernel
def frame_of(code: int) -> tuple[int, int]:
    """The frame coordinates (p, r) that ``code`` names, on the board or off it."""
    return code // _FULL - _HALF, code % _FULL - _HALF


def piece_at(code: int) -> int:
    """How a piece is named by the cell it stands on: a number below every id. Its own inverse."""
    return -3 - code


def encode_cell(dialect: Dialect, first: int, second: int) -> int:
    """The code of a user's coordinates; `NO_CELL` if no board can have them."""
    if not (-_FARTHEST < first < _FARTHEST and -_FARTHEST < second < _FARTHEST and dialect.valid(first, second)):
        return NO_CELL
    p, r = dialect.to_frame(first, second)
    return (p + _HALF) * _FULL + r + _HALF


def encode_cells(
    dialect: Dialect, first: npt.NDArray[np.int64], second: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """The codes of many cells that exist."""
    p, r = dialect.to_frame(first, second)
    return (p + _HALF) * _FULL + r + _HALF


def decode_cell(dialect: Dialect, code: int) -> list[int] | None:
    """The user's coordinates behind a code."""
    if code < 0:
        return None
    first, second = dialect.from_frame(code // _FULL - _HALF, code % _FULL - _HALF)
    return [int(first), int(second)]


_NO_POOL: Final = np.zeros(0, np.int64)


class Packed:
    """The orders of one turn: rows in the order in which they were given, and after the turn what became of each."""

    def __init__(self, table: npt.NDArray[np.int64], pool: npt.NDArray[np.int64] | None = None) -> None:
        if table.ndim != 2 or len(table) != COLUMNS:
            raise ValueError(f"Packed orders are {COLUMNS} rows (player, verb, a, b, c, reason), not {table.shape}.")
        self.table = np.ascontiguousarray(table, np.int64)
        self.pool = _NO_POOL if pool is None else np.ascontiguousarray(pool, np.int64).reshape(-1)

    def copy(self) -> "Packed":
        """The same orders, of which nothing has become yet."""
        return Packed(self.table.copy(), self.pool)

    def __len__(self) -> int:
        return len(self.table[0])

    @classmethod
    def of_rows(cls, rows: Sequence[Sequence[int]], pool: Sequence[int] = ()) -> "Packed":
        """From rows of (player, verb, a, b, c)."""
        table = np.zeros((COLUMNS, len(rows)), np.int64)
        if rows:
            table[:5] = np.array(rows, np.int64).T
        return cls(table, np.array(pool, np.int64))

    def same_orders(self, other: "Packed") -> bool:
        """Whether both hold the same orders, whatever became of them."""
        return bool(np.array_equal(self.table[:5], other.table[:5]) and np.array_equal(self.pool, other.pool))


SWITCH: Final = ("false", "true")
"""The choices of a parameter that is a bool in JSON."""


class Slot(NamedTuple):
    """How one parameter is packed into its column."""

    name: str
    pick: str
    choices: tuple[str, ...]
    optional: bool


class Codec:
    """Parses and unpacks a game's orders; made from its order classes alone."""

    def __init__(self, game: str, verbs: Sequence[type[Order]]) -> None:
        self.game = game
        self.verbs = tuple(verbs)
        self.names = tuple(str(verb.__struct_config__.tag) for verb in verbs)
        self._named = dict(zip(self.names, self.verbs, strict=True))
        self.slots = [_slots_of(verb) for verb in verbs]
        self._verbs = frozenset(verbs)
        self.player_names = tuple(name for name, verb in self._named.items() if verb.role != "host")

    def parse(self, raw: Any, host: bool = False) -> Order | str:
        """The order of a player, or of the host, or a sentence on why it is none."""
        try:
            plain = msgspec.to_builtins(raw) if type(raw) in self._verbs else raw
            order = msgspec.convert(plain, self._named[plain["do"]])
        except Exception as problem:  # a user-defined object may raise anything
            return self._explain_refusal(raw, problem)
        if (order.role == "host") != host:
            return "This order is the host's." if order.role == "host" else "This order is a player's."
        return order

    def _explain_refusal(self, raw: Any, problem: Exception) -> str:
        have = f"{self.game} has {choices(self.player_names)}"
        if type(raw) is not dict:
            return f'An order is an object such as {{"do": "{self.names[0]}", ...}}, not {reprlib.repr(raw)}.'
        if "do" not in raw:
            return f'The order has no "do"; {have}.'
        if raw["do"] not in self.names:
            return f"There is no order {reprlib.repr(raw['do'])}; {have}."
        return f"Not a valid {raw['do']}: {problem}.".replace("$.", "")

    def takes_effect_at_once(self, verb: str) -> bool:
        """Whether an order of that verb does not wait for the turn."""
        return self._named[verb].when == "now"

    def objection(self, verb: str, given: Mapping[str, Any]) -> str | None:
        """What is wrong with the parameters that a partial order has so far."""
        types = {field.encode_name: field.type for field in msgspec.structs.fields(self._named[verb])}
        for name, value in given.items():
            if name not in types:
                return f"{verb} has no {reprlib.repr(name)}; {did_you_mean(str(name), types)}"
            try:
                msgspec.convert(value, types[name])
            except Exception as problem:
                return f"The {name} of {verb} cannot be {reprlib.repr(value)}: {problem}."
        return None

    def unpack(
        self, verb: int, values: Sequence[int], dialect: Dialect, pool: npt.NDArray[np.int64]
    ) -> dict[str, Any] | None:
        """The order of a packed row as plain data; None for one that was not understood."""
        if not 1 <= verb <= len(self.verbs):
            return None
        order: dict[str, Any] = {"do": self.names[verb - 1]}
        for slot, value in zip(self.slots[verb - 1], values, strict=False):
            decoded = _decode(slot, int(value), dialect, pool)
            if not (slot.optional and decoded is None):
                order[slot.name] = decoded
        return order

    def legend(self) -> list[Verb]:
        """The verbs as buttons."""
        return [
            Verb(
                do=name,
                params=[Parameter(slot.name, slot.pick, slot.optional, list(slot.choices)) for slot in slots],  # type: ignore[arg-type]
                help=inspect.getdoc(verb) or "",
                key=verb.key,
                when=verb.when,
                role=verb.role,
                harms=verb.harms,
            )
            for name, verb, slots in zip(self.names, self.verbs, self.slots, strict=True)
        ]


def _slots_of(verb: type[Order]) -> list[Slot]:
    hints = get_type_hints(verb, include_extras=True)
    slots = []
    for field in msgspec.structs.fields(verb):
        kinds = list(_leaves(hints[field.name]))
        words = tuple(word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind))
        words = SWITCH if bool in kinds else words
        pick = next(
            (
                part.kind
                for kind in kinds
                if get_origin(kind) is Annotated
                for part in get_args(kind)
                if isinstance(part, Pick)
            ),
            "choice",
        )
        slots.append(Slot(field.encode_name, pick, words, not field.required))
    return slots


def _leaves(hint: Any) -> Iterable[Any]:
    yield hint
    if get_origin(hint) in (Union, Annotated, type(int | str)):
        for part in get_args(hint):
            yield from _leaves(part)


def _decode(slot: Slot, value: int, dialect: Dialect, pool: npt.NDArray[np.int64]) -> Any:
    if slot.optional and value == LEFT_OUT:
        return None
    if slot.pick == "cell":
        return _place(dialect, value)
    if slot.pick in ("path", "text"):
        if not 0 <= value < len(pool):
            return None
        content = pool[value + 1 : value + 1 + max(int(pool[value]), 0)]
        if slot.pick == "text":
            return bytes(int(byte) & 0xFF for byte in content).decode("utf-8", "replace")
        return [_place(dialect, int(code)) for code in content]
    if slot.choices == SWITCH:
        return None if value == LEFT_OUT else bool(value)
    if slot.choices:
        return slot.choices[value] if 0 <= value < len(slot.choices) else None
    if slot.pick == "piece" and value < NO_CELL and value != LEFT_OUT:
        return _place(dialect, piece_at(value))
    return value


def _place(dialect: Dialect, code: int) -> list[int]:
    """The coordinates behind a code; for no cell, some that name none either, so that the order can be read again."""
    return decode_cell(dialect, code) or [_FARTHEST, _FARTHEST]
