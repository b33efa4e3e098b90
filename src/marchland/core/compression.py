"""Zstandard, in the standard library since Python 3.14 and as its backport before; decompression has a limit."""

import sys

from marchland.errors import TooLargeError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["MOST_DECOMPRESSED", "decompress", "zstd"]

MOST_DECOMPRESSED = 1 << 28
"""No content has more bytes: a state of 4,096 x 4,096 cells with 16 bytes each."""


def decompress(data: bytes, limit: int = MOST_DECOMPRESSED) -> bytes:
    """The content of one frame; `TooLargeError` as soon as it exceeds ``limit`` bytes.

    A few bytes of zeros can decompress to gigabytes, so nothing beyond the limit is ever produced.
    """
    decompressor = zstd.ZstdDecompressor()
    content = decompressor.decompress(data, max_length=limit + 1)
    if len(content) > limit:
        raise TooLargeError(f"its content has more than {limit:,} bytes, the limit")
    if not decompressor.eof:
        raise zstd.ZstdError("the compressed data is incomplete")
    return content
