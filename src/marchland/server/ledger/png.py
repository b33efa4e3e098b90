"""Reads and writes PNG files of pictures that users upload, so that only pixels are stored and sent to others.

Written by hand, because a library for pictures would add 20 MB to an installation for one small format. Read are files
of 8 bits a channel that are not interlaced, which is what browsers write.
"""

import struct
import zlib
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from marchland.errors import Refused

MOST_BYTES: Final = 64 * 1024
MOST_SIDE: Final = 256

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_HEADER: Final = struct.Struct(">IIBBBBB")
_CHUNK: Final = struct.Struct(">I4s")
_GREY, _COLOUR, _PALETTE, _GREY_ALPHA, _COLOUR_ALPHA = 0, 2, 3, 4, 6
_CHANNELS: Final = {_GREY: 1, _COLOUR: 3, _PALETTE: 1, _GREY_ALPHA: 2, _COLOUR_ALPHA: 4}
_NONE, _SUB, _UP, _AVERAGE, _PAETH = range(5)

Bytes = npt.NDArray[np.uint8]


class Picture(NamedTuple):
    """A picture as it is stored."""

    width: int
    height: int
    data: bytes
    """A PNG file."""


def reencode(data: bytes) -> Picture:
    """Decode a PNG file and write it with nothing but its pixels; refused if it is none or too large."""
    if len(data) > MOST_BYTES:
        raise Refused("bad_request", "picture_too_large", bytes=len(data), most=MOST_BYTES)
    try:
        pixels = _decode(data)
    except Refused:
        raise
    except (ValueError, IndexError, struct.error, zlib.error):
        raise Refused("bad_request", "picture_not_read") from None
    height, width, _ = pixels.shape
    return Picture(width, height, _encode(pixels))


def _decode(data: bytes) -> Bytes:
    """The pixels: rows of red, green, blue and alpha."""
    chunks = [*_chunks(data)]
    width, height, depth, kind, *methods = _HEADER.unpack(chunks[0][1])
    if chunks[0][0] != b"IHDR" or depth != 8 or kind not in _CHANNELS or any(methods):
        raise ValueError("not a form of PNG that is read")
    if not (1 <= width <= MOST_SIDE and 1 <= height <= MOST_SIDE):
        raise Refused("bad_request", "picture_sides", width=width, height=height, most=MOST_SIDE)
    channels = _CHANNELS[kind]
    size = height * (1 + width * channels)
    unpacked = zlib.decompressobj().decompress(b"".join(part for name, part in chunks if name == b"IDAT"), size)
    rows = np.frombuffer(unpacked, np.uint8).reshape(height, 1 + width * channels)
    values = _unfilter(rows, channels).reshape(height, width, channels)
    return _to_colour_and_alpha(values, kind, dict(chunks))


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    if not data.startswith(_SIGNATURE):
        raise ValueError("no PNG")
    at, name = len(_SIGNATURE), b""
    while name != b"IEND":
        length, name = _CHUNK.unpack_from(data, at)
        part = data[at + 8 : at + 8 + length]
        (checksum,) = struct.unpack_from(">I", data, at + 8 + length)
        if checksum != zlib.crc32(name + part):
            raise ValueError("damaged")
        yield name, part
        at += 12 + length


def _unfilter(rows: Bytes, channels: int) -> Bytes:
    """The bytes of the rows as they were before each was filtered by the row above or the pixel to the left."""
    found = np.zeros((len(rows), rows.shape[1] - 1), np.uint8)
    above = np.zeros(rows.shape[1] - 1, np.uint8)
    for number, row in enumerate(rows):
        kind, values = int(row[0]), row[1:]
        if kind == _NONE:
            above = values
        elif kind == _SUB:
            above = np.add.accumulate(values.reshape(-1, channels), axis=0, dtype=np.uint8).reshape(-1)
        elif kind == _UP:
            above = values + above
        elif kind in (_AVERAGE, _PAETH):
            above = _unfilter_by_neighbours(values.tolist(), above.tolist(), channels, kind)
        else:
            raise ValueError("no such filter")
        found[number] = above
    return found


def _unfilter_by_neighbours(values: list[int], above: list[int], channels: int, kind: int) -> Bytes:
    found: list[int] = []
    for place, value in enumerate(values):
        left = found[place - channels] if place >= channels else 0
        up = above[place]
        corner = above[place - channels] if place >= channels else 0
        guess = (left + up) // 2 if kind == _AVERAGE else _paeth(left, up, corner)
        found.append((value + guess) & 255)
    return np.array(found, np.uint8)


def _paeth(left: int, up: int, corner: int) -> int:
    """Which of the neighbours is nearest to their plane; ties in this order."""
    return min((left, up, corner), key=lambda value: abs(left + up - corner - value))


def _to_colour_and_alpha(values: Bytes, kind: int, chunks: dict[bytes, bytes]) -> Bytes:
    height, width, _ = values.shape
    found = np.full((height, width, 4), 255, np.uint8)
    if kind == _PALETTE:
        colours = np.frombuffer(chunks[b"PLTE"], np.uint8).reshape(-1, 3)
        alpha = np.full(len(colours), 255, np.uint8)
        given = np.frombuffer(chunks.get(b"tRNS", b""), np.uint8)[: len(colours)]
        alpha[: len(given)] = given
        found[..., :3], found[..., 3] = colours[values[..., 0]], alpha[values[..., 0]]
    elif kind in (_GREY, _GREY_ALPHA):
        found[..., :3] = values[..., :1]
    else:
        found[..., :3] = values[..., :3]
    if kind in (_GREY_ALPHA, _COLOUR_ALPHA):
        found[..., 3] = values[..., -1]
    return found


def _encode(pixels: Bytes) -> bytes:
    height, width, channels = pixels.shape
    rows = pixels.reshape(height, -1)
    header = _HEADER.pack(width, height, 8, _COLOUR_ALPHA, 0, 0, 0)
    packed = zlib.compress(_filter(rows, channels).tobytes(), 9)
    parts = ((b"IHDR", header), (b"IDAT", packed), (b"IEND", b""))
    return _SIGNATURE + b"".join(
        _CHUNK.pack(len(part), name) + part + struct.pack(">I", zlib.crc32(name + part)) for name, part in parts
    )


def _filter(rows: Bytes, channels: int) -> Bytes:
    """Each row by the filter that leaves the smallest differences, which compress best."""
    left = np.zeros_like(rows)
    left[:, channels:] = rows[:, :-channels]
    above = np.zeros_like(rows)
    above[1:] = rows[:-1]
    choices = np.stack([rows, rows - left, rows - above])
    costs = np.abs(choices.astype(np.int8).astype(np.int64)).sum(axis=2)
    best = costs.argmin(axis=0)
    filtered = choices[best, np.arange(len(rows))]
    return np.concatenate([best.astype(np.uint8)[:, None], filtered], axis=1)
