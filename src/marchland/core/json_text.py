"""JSON as text: kernels that write it into an array of bytes, from numbers and prepared pieces, and joined objects.

Pieces are copied in blocks of 16 bytes, which takes one instruction each, and what follows overwrites the rest of the
last block. So texts are padded, and an array that is written to needs `SLACK` bytes beyond its text. Most numbers are
small; they are pieces too.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from marchland.core.state import Bytes, Int32s
from marchland.kernels import kernel

MOST_DIGITS: Final = 20
"""Characters of the longest number."""
SLACK: Final = 16
"""Bytes beyond the end of a text that may be overwritten."""
_COMMA, _MINUS, _ZERO = 44, 45, 48
_NUMBERS: Final = 4096
_NOT_NEGATIVE: Final = (1 << 62) - 1
"""A mask that says so to the compiler: an index that may be negative is adjusted, byte by byte."""


class Pieces(NamedTuple):
    """Prepared texts, one after the other, and where each starts."""

    texts: Bytes
    starts: Int32s


def make_pieces(texts: Sequence[bytes]) -> Pieces:
    """Pieces for `put_piece`."""
    starts = np.cumsum([0, *map(len, texts)]).astype(np.int32)
    return Pieces(np.frombuffer(b"".join(texts) + bytes(SLACK), np.uint8), starts)


NUMBERS: Final = make_pieces([b"%d," % number for number in range(_NUMBERS)])
"""The pieces of `put_listed`."""


def join_objects(first: bytes, second: bytes) -> bytes:
    """Two encoded JSON objects without common members as one."""
    if first == b"{}" or second == b"{}":
        return second if first == b"{}" else first
    return b",".join((memoryview(first)[:-1], memoryview(second)[1:]))


@kernel
def put_piece(out: Bytes, end: int, pieces: Pieces, piece: int) -> int:
    """Write a piece; returns where the text ends."""
    texts = pieces.texts
    first = pieces.starts[piece] & _NOT_NEGATIVE
    length = (pieces.starts[piece + 1] - first) & _NOT_NEGATIVE
    for block in range(0, length, SLACK):
        source = (first + block) & _NOT_NEGATIVE
        target = (end + block) & _NOT_NEGATIVE
        for place in range(SLACK):
            out[target + place] = texts[source + place]
    return int(end + length) & _NOT_NEGATIVE


@kernel
def put_listed(out: Bytes, end: int, numbers: Pieces, number: int) -> int:
    """Write a number and a comma; ``numbers`` are `NUMBERS`."""
    if number < 0 or number >= _NUMBERS:
        end = put_number(out, end, number)
        out[end] = _COMMA
        return end + 1
    return put_piece(out, end, numbers, number)


@kernel
def put_number(out: Bytes, end: int, number: int) -> int:
    """Write a number; returns where the text ends."""
    if number < 0:
        out[end] = _MINUS
        end += 1
        number = -number
    digits = 1
    rest = number // 10
    while rest > 0:
        rest //= 10
        digits += 1
    for place in range(end + digits - 1, end - 1, -1):
        out[place] = _ZERO + number % 10
        number //= 10
    return end + digits
