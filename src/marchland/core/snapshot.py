"""A whole match as bytes: small, checked, and tied to the game's version."""

from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import xxhash

from marchland.board import Board
from marchland.core.compression import zstd
from marchland.core.orders import COLUMNS, Packed
from marchland.core.state import PLAYERS
from marchland.errors import SnapshotError

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


def read(data: bytes) -> SnapshotData:
    """What a snapshot holds, or `SnapshotError`."""
    if not isinstance(data, bytes | bytearray | memoryview) or bytes(data[: len(_MAGIC)]) != _MAGIC:
        raise SnapshotError("These bytes are no snapshot of a match.")
    check, body = bytes(data[len(_MAGIC) : len(_MAGIC) + 8]), bytes(data[len(_MAGIC) + 8 :])
    if xxhash.xxh3_64_digest(body) != check:
        raise SnapshotError("The snapshot is damaged: its bytes do not match their checksum.")
    try:
        return msgspec.msgpack.decode(zstd.decompress(body), type=SnapshotData)
    except (msgspec.MsgspecError, zstd.ZstdError) as problem:
        raise SnapshotError(f"These bytes are no snapshot of a match: {problem}.") from None


def unpack(kind: type["Game"], stored: SnapshotData) -> "Game":
    """The match of a snapshot; refused if the game has changed since."""
    if (stored.version, stored.schema) != (kind.version, kind.schema.hash):
        raise SnapshotError(
            f"The snapshot is of {stored.game} version {stored.version}, this is version {kind.version}; "
            "carry a match over an upgrade by its position."
        )
    try:
        return _restore(kind, stored)
    except (ValueError, LookupError, TypeError, OverflowError, MemoryError) as problem:
        raise SnapshotError(f"The snapshot holds no match that can be: {problem}.") from None


def unpack_untrusted(kind: type["Game"], stored: SnapshotData) -> "Game":
    """The same for bytes from an untrusted source: they must describe a match that can be written down and read.

    Kernels trust the state that they are given, so one that a stranger made is checked through its position.
    """
    game = unpack(kind, stored)
    try:
        read_back = kind.from_position(game.position())
        sound = (read_back.digest(), read_back.board) == (game.digest(), game.board)
    except Exception as problem:
        raise SnapshotError(f"The snapshot holds no match that can be: {problem}") from None
    if not sound:
        raise SnapshotError("The snapshot holds no match that can be: its parts contradict each other.")
    return game


def _restore(kind: type["Game"], stored: SnapshotData) -> "Game":
    rows = {name: count for name, count in stored.rows.items() if name != "head"}
    if any(not 0 <= count <= _MOST_ROWS for count in rows.values()):
        raise ValueError("a part of it is too large")
    layout = kind.schema.layout(**rows)
    game = kind(Board.from_spec(stored.board), kind.config_type.build(stored.config), stored.names, layout)
    fixed, *tables = stored.state
    game.buffer[: layout.fixed] = np.frombuffer(fixed, np.uint8)
    if game.head[PLAYERS] != len(stored.names):
        raise ValueError("it has other players than names")
    for part, content in zip(layout.live(game.buffer)[1:], tables, strict=True):
        part[:] = np.frombuffer(content, np.uint8)
    table = np.frombuffer(stored.last_orders, np.int64).reshape(COLUMNS, -1)
    game._last = Packed(table.copy(), np.frombuffer(stored.last_pool, np.int64).copy())
    return game
