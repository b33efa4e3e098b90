"""Pictures of items: read from PNG files, and written again with nothing but their pixels."""

import base64
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from marchland.errors import Refused
from marchland.server.ledger.png import MOST_BYTES, _decode, _filter, reencode
from tests.support.asgi import App, Player
from tests.support.ledger_app import in_app

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width: int, height: int, kind: int, rows: bytes, *more: bytes, depth: int = 8, interlace: int = 0) -> bytes:
    """A file with the given filtered rows."""
    header = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, interlace)
    return b"".join(
        [SIGNATURE, chunk(b"IHDR", header), *more, chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")]
    )


def colours(data: bytes) -> list[tuple[int, ...]]:
    return [tuple(pixel) for row in _decode(data).tolist() for pixel in row]


def test_only_pixels_survive() -> None:
    text = chunk(b"tEXt", b"Comment\0<script>alert(1)</script>")
    given = png(2, 1, 6, b"\0" + bytes([255, 0, 0, 255, 0, 0, 255, 128]), text)
    picture = reencode(given + b"trailing bytes")
    assert (picture.width, picture.height) == (2, 1)
    assert b"script" not in picture.data and not picture.data.endswith(b"bytes")
    assert colours(picture.data) == [(255, 0, 0, 255), (0, 0, 255, 128)]


@pytest.mark.parametrize("filter_kind", range(5))
def test_every_filter_is_undone(filter_kind: int) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (5, 7, 3), np.uint8)
    rows = bytearray()
    flat = pixels.reshape(5, -1).astype(int)
    for y in range(5):
        rows.append(filter_kind)
        for x in range(21):
            left = flat[y, x - 3] if x >= 3 else 0
            up = flat[y - 1, x] if y else 0
            corner = flat[y - 1, x - 3] if y and x >= 3 else 0
            guess = left + up - corner
            nearest = min((left, up, corner), key=lambda value: abs(guess - value))
            rows.append(int(flat[y, x] - [0, left, up, (left + up) // 2, nearest][filter_kind]) % 256)
    decoded = _decode(png(7, 5, 2, bytes(rows)))
    assert (decoded[..., :3] == pixels).all() and (decoded[..., 3] == 255).all()


def test_grey_and_palettes_become_colours() -> None:
    assert colours(png(2, 1, 0, b"\0\x00\x80")) == [(0, 0, 0, 255), (128, 128, 128, 255)]
    assert colours(png(1, 1, 4, b"\0\x40\x20")) == [(64, 64, 64, 32)]
    palette = chunk(b"PLTE", bytes([1, 2, 3, 4, 5, 6])), chunk(b"tRNS", b"\x07")
    assert colours(png(2, 1, 3, b"\0\0\1", *palette)) == [(1, 2, 3, 7), (4, 5, 6, 255)]


def test_what_is_written_can_be_read_and_is_small() -> None:
    slope = np.add.outer(np.arange(256), np.arange(256)).astype(np.uint8)
    pixels = np.stack([slope, slope, slope, np.full_like(slope, 255)], axis=2)
    filtered = _filter(pixels.reshape(256, -1), 4)
    picture = reencode(png(256, 256, 6, filtered.tobytes()))
    assert (_decode(picture.data) == pixels).all()
    assert len(picture.data) < 4000


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "picture_not_read"),
        (b"GIF89a", "picture_not_read"),
        (SIGNATURE + b"\0" * 40, "picture_not_read"),
        (png(2, 2, 6, b"\0" * 5), "picture_not_read"),
        (png(1, 1, 6, b"\0" * 8, depth=16), "picture_not_read"),
        (png(1, 1, 6, b"\0" * 5, interlace=1), "picture_not_read"),
        (png(1, 1, 3, b"\0\x05", chunk(b"PLTE", bytes(3))), "picture_not_read"),
        (png(1, 1, 6, b"\0\1\2\3\4")[:-20], "picture_not_read"),
        (png(257, 1, 0, b"\0" * 258), "picture_sides"),
        (png(0, 1, 0, b"\0"), "picture_sides"),
        (b"\0" * (MOST_BYTES + 1), "picture_too_large"),
    ],
)
def test_other_files_are_refused(data: bytes, code: str) -> None:
    with pytest.raises(Refused) as refused:
        reencode(data)
    assert refused.value.code == code


def test_a_file_that_unpacks_to_more_than_its_pixels_is_not_unpacked() -> None:
    bomb = png(1, 1, 0, b"\0" * 50_000_000)
    assert len(bomb) < MOST_BYTES
    assert reencode(bomb).width == 1


def test_an_admin_stores_a_picture_that_all_can_see(tmp_path: Path) -> None:
    async def work(app: App, admin: Player) -> None:
        body = {"data": base64.b64encode(png(1, 1, 2, b"\0\1\2\3")).decode()}
        stored = await admin.must("POST", "/ledger/pictures", body)
        assert (stored["width"], stored["height"]) == (1, 1)
        assert await admin.must("POST", "/ledger/pictures", body) == stored
        shown = await app.get(f"/api/v1/ledger/pictures/{stored['id']}")
        assert (shown.headers["content-type"], "immutable" in shown.headers["cache-control"]) == ("image/png", True)
        assert colours(shown.content) == [(1, 2, 3, 255)]
        refused = await admin.request("POST", "/ledger/pictures", {"data": "AAAA"})
        assert (refused.status_code, refused.json()["code"]) == (400, "picture_not_read")

    in_app(tmp_path, work)
