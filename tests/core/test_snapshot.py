"""Snapshots that a stranger made: nothing but a match that can be is let in."""

from typing import Any

import msgspec
import numpy as np
import pytest
import xxhash

import marchland
from marchland.core.compression import zstd
from marchland.core.snapshot import _MAGIC, SnapshotData, pack, read
from marchland.games.colorfight.rules.state import Cells


def small() -> Any:
    return marchland.new("colorfight", 2, seed=1, config={"width": 8, "height": 8})


def sealed(data: Any) -> bytes:
    """Bytes with a right checksum, whatever they hold."""
    content = data if isinstance(data, bytes) else msgspec.msgpack.encode(data)
    body = zstd.compress(content)
    return _MAGIC + xxhash.xxh3_64_digest(body) + body


@pytest.mark.parametrize(
    "change",
    [
        {"rows": {}},
        {"rows": {"cells": 10**15, "players": 2, "sieges": 64, "attackers": 256, "purses": 2}},
        {"rows": {"cells": -1, "players": 2, "sieges": 64, "attackers": 256, "purses": 2}},
        {"names": ["A", "B", "C"]},
        {"board": {}},
        {"state": []},
        {"state": [b"short"]},
        {"config": {"nope": 1}},
        {"last_orders": b"123"},
    ],
)
def test_a_crafted_snapshot_is_refused(change: dict[str, Any]) -> None:
    data = msgspec.structs.replace(read(pack(small())), **change)
    with pytest.raises(marchland.MarchlandError):
        marchland.restore(sealed(data))


@pytest.mark.parametrize("content", [b"", b"garbage", msgspec.msgpack.encode([1, 2, 3])])
def test_crafted_bytes_are_refused(content: bytes) -> None:
    with pytest.raises(marchland.SnapshotError):
        marchland.restore(sealed(content))


def test_bytes_that_are_not_even_compressed_are_refused() -> None:
    with pytest.raises(marchland.SnapshotError):
        marchland.restore(_MAGIC + xxhash.xxh3_64_digest(b"plain") + b"plain")


@pytest.mark.parametrize(("name", "value"), [("owner", 30_000), ("building", 9), ("level", 7), ("friends", 3)])
def test_a_state_that_no_match_can_have_is_refused(name: str, value: int) -> None:
    game = small()
    getattr(game.arrays(Cells), name)[5] = value
    with pytest.raises(marchland.SnapshotError, match="no match that can be"):
        marchland.restore(game.snapshot())


def test_a_larger_board_than_the_state_is_refused() -> None:
    data = read(pack(small()))
    wider = {**data.board, "rectangle": [2048, 2048]}
    with pytest.raises(marchland.MarchlandError):
        marchland.restore(sealed(msgspec.structs.replace(data, board=wider)))


def test_a_trusted_snapshot_is_restored_without_a_detour() -> None:
    game = small()
    assert marchland.restore(game.snapshot(), trusted=True).digest() == game.digest()
    assert isinstance(read(game.snapshot()), SnapshotData)
    assert np.array_equal(marchland.restore(game.snapshot()).buffer, game.buffer)
