"""Orders of many turns in columns, split into byte planes: what repeats lies together and compresses away."""

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from marchland.core.orders import COLUMNS, Packed

_MOST_ROWS = 1 << 22
"""The most orders of the turns that are stored together: empty planes announce rows without a byte for each."""
_GIVEN = COLUMNS - 1  # all columns but the reason, which the turn recomputes


class Columns(msgspec.Struct, frozen=True, array_like=True):
    """The orders of consecutive turns."""

    counts: list[int]
    planes: list[list[bytes]]
    pool_counts: list[int]
    pool_planes: list[bytes]


def encode_columns(turns: Sequence[Packed]) -> Columns:
    """The orders of ``turns`` as columns."""
    table = (
        np.concatenate([packed.table[:_GIVEN] for packed in turns], axis=1)
        if turns
        else np.zeros((_GIVEN, 0), np.int64)
    )
    pool = np.concatenate([packed.pool for packed in turns]) if turns else np.zeros(0, np.int64)
    return Columns(
        counts=[len(packed) for packed in turns],
        planes=[_split(column) for column in table],
        pool_counts=[len(packed.pool) for packed in turns],
        pool_planes=_split(pool),
    )


def decode_columns(columns: Columns) -> list[Packed]:
    """The orders of each turn again."""
    total = sum(columns.counts)
    if min(*columns.counts, *columns.pool_counts, 0, 0) < 0 or max(total, sum(columns.pool_counts)) > _MOST_ROWS:
        raise ValueError("the numbers of its orders cannot be")
    table = np.zeros((COLUMNS, total), np.int64)
    for number, planes in enumerate(columns.planes):
        table[number] = _join_planes(planes, total)
    pool = _join_planes(columns.pool_planes, sum(columns.pool_counts))
    turns = []
    row = place = 0
    for count, length in zip(columns.counts, columns.pool_counts, strict=True):
        turns.append(Packed(np.ascontiguousarray(table[:, row : row + count]), pool[place : place + length].copy()))
        row, place = row + count, place + length
    return turns


def _split(values: npt.NDArray[Any]) -> list[bytes]:
    """Byte planes, lowest first, of the values folded so that small negative ones stay small; empty ones left out."""
    folded = ((values << 1) ^ (values >> 63)).astype("<u8")
    planes = folded.view(np.uint8).reshape(-1, 8)
    used = (int(folded.max()).bit_length() + 7) // 8 if len(folded) else 0
    return [planes[:, plane].tobytes() for plane in range(used)]


def _join_planes(planes: Sequence[bytes], count: int) -> npt.NDArray[np.int64]:
    folded = np.zeros((count, 8), np.uint8)
    for number, plane in enumerate(planes):
        folded[:, number] = np.frombuffer(plane, np.uint8)
    values = folded.view("<u8").reshape(-1)
    return (values >> np.uint64(1)).astype(np.int64) ^ -(values & np.uint64(1)).astype(np.int64)
