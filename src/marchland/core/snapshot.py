"""A whole match as bytes: small, checked, and tied to the game's version."""

from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import xxhash

from marchland.board import Board
from marchland.core.compression import MOST_DECOMPRESSED, decompress, zstd
from marchland.core.orders import COLUMNS, Packed
from marchland.core.position import rebuild_match
from marchland.core.state import PLAYERS, Schema
from marchland.errors import SnapshotError, TooLargeError

if TYPE_CHECKING:
    from marchland.core.game import Game

_MAGIC = b"march-snapshot\n"
_MOST_ROWS = 1 << 28


class SnapshotData(msgspec.Struct, frozen=True, array_like=True):
    """What a snapshot holds."""

    game: str
    version: int
    schema: str
    config: dict[str, Any]
    board: dict[str, Any]
    names: list[str]
    rows: dict[str, int]
    state: list[bytes]
    last_orders: bytes
    last_pool: bytes


def pack(game: "Game") -> bytes:
    """The match as bytes."""
    stored = SnapshotData(
        game=game.name,
        version=game.version,
        schema=game.schema.hash,
        config=game.config.values(),
        board=game.board.spec(),
        names=game.names,
        rows=game.layout.rows,
        state=[piece.tobytes() for piece in game.layout.live(game.buffer)],
        last_orders=game._last.table.tobytes(),
        last_pool=game._last.pool.tobytes(),
    )
    body = zstd.compress(msgspec.msgpack.encode(stored), level=3)
    return _MAGIC + xxhash.xxh3_64_digest(body) + body


def read(data: bytes, limit: int = MOST_DECOMPRESSED) -> SnapshotData:
    """What a snapshot of at most ``limit`` bytes holds, or `SnapshotError`."""
    if not isinstance(data, bytes | bytearray | memoryview) or bytes(data[: len(_MAGIC)]) != _MAGIC:
        raise SnapshotError("These bytes are no snapshot of a match.")
    check, body = bytes(data[len(_MAGIC) : len(_MAGIC) + 8]), bytes(data[len(_MAGIC) + 8 :])
    if xxhash.xxh3_64_digest(body) != check:
        raise SnapshotError("The snapshot is damaged: its bytes do not match their checksum.")
    try:
        return msgspec.msgpack.decode(decompress(body, limit), type=SnapshotData)
    except (msgspec.MsgspecError, zstd.ZstdError, TooLargeError) as problem:
        raise SnapshotError(f"These bytes are no snapshot of a match: {problem}.") from None


def can_continue(kind: type["Game"], stored: SnapshotData) -> bool:
    """Whether a match is played by the rules of this version of its game, and its state can be read."""
    return stored.version == kind.version and _schema_of(kind, stored) is not None


def _schema_of(kind: type["Game"], stored: SnapshotData) -> Schema | None:
    return next((known for known in (kind.schema, *kind.earlier_schemas) if known.hash == stored.schema), None)


def unpack(kind: type["Game"], stored: SnapshotData) -> "Game":
    """The match of a snapshot; refused if the game has changed since."""
    schema = _schema_of(kind, stored)
    if schema is None or not can_continue(kind, stored):
        raise SnapshotError(
            f"The snapshot is of {stored.game} version {stored.version}, this is version {kind.version}; "
            "carry a match over an upgrade by its position."
        )
    try:
        return _restore(kind, stored, schema)
    except (ValueError, LookupError, TypeError, OverflowError, MemoryError) as problem:
        raise SnapshotError(f"The snapshot holds no match that can be: {problem}.") from None


def unpack_untrusted(kind: type["Game"], stored: SnapshotData) -> "Game":
    """The same for bytes from an untrusted source: they must describe a match that can be written down and read.

    Kernels trust the state and the layout that they are given. So the match is built again from the values that its
    position holds, and only the new one is returned; the sizes of its arrays do not come from the snapshot.
    """
    try:
        game = unpack(kind, stored)
        again = rebuild_match(game)
        sound = (again.digest(), again.board) == (game.digest(), game.board)
    except SnapshotError:
        raise
    except Exception as problem:
        raise SnapshotError(f"The snapshot holds no match that can be: {problem}") from None
    if not sound:
        raise SnapshotError("The snapshot holds no match that can be: its parts contradict each other.")
    return again


def _restore(kind: type["Game"], stored: SnapshotData, schema: Schema) -> "Game":
    rows = {name: count for name, count in stored.rows.items() if name != "head"}
    if any(not 0 <= count <= _MOST_ROWS for count in rows.values()):
        raise ValueError("a part of it is too large")
    layout = schema.layout(**rows)
    fixed, *tables = stored.state
    if len(fixed) != layout.fixed:  # before memory is allocated for it
        raise ValueError("its state has another size than it says")
    # Parts that an earlier schema lacks get a row for each player.
    added = {part.__name__.lower(): len(stored.names) for part in kind.schema.parts if part not in schema.parts}
    config, current = kind.config_type.build(stored.config), kind.schema.layout(**rows, **added)
    game = kind(Board.from_spec(stored.board), config, stored.names, current)
    buffer = game.buffer if schema is kind.schema else layout.buffer()
    buffer[: layout.fixed] = np.frombuffer(fixed, np.uint8)
    if layout.head(buffer)[PLAYERS] != len(stored.names):
        raise ValueError("it has other players than names")
    for part, content in zip(layout.live(buffer)[1:], tables, strict=True):
        part[:] = np.frombuffer(content, np.uint8)
    if schema is not kind.schema:
        game.buffer[:] = layout.copy_to(buffer, current)
    table = np.frombuffer(stored.last_orders, np.int64).reshape(COLUMNS, -1)
    game._last = Packed(table.copy(), np.frombuffer(stored.last_pool, np.int64).copy())
    return game
