"""The container of a ``.march`` file: a magic line, then blocks, each with its kind, its length and a checksum."""

import io
import os
import struct
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

import xxhash

from marchland.core.compression import decompress, zstd
from marchland.errors import ReplayError

MAGIC = b"march 1\n"
_HEADER = struct.Struct("<4sIQ")
END = b"LAST"


class Block(NamedTuple):
    """One block, still compressed."""

    kind: bytes
    body: bytes

    def content(self, limit: int) -> bytes:
        """The block's bytes; `TooLargeError` if there are more than ``limit``."""
        return decompress(self.body, limit)


def block(kind: bytes, content: bytes, level: int = 19) -> Block:
    """A block of ``content``, compressed."""
    return Block(kind, zstd.compress(content, level))


def encode(blocks: Iterable[Block]) -> bytes:
    """The content of a whole file."""
    content = io.BytesIO()
    _write_all(content, blocks)
    return content.getvalue()


def write(path: Path, blocks: Iterable[Block]) -> None:
    """Write a whole file, or leave what was there: it appears under its name only when it is complete."""
    path = path.resolve()  # a link stays a link
    if path.exists() and not path.is_file():  # a pipe or a device cannot be replaced, only written to
        with path.open("wb") as file:
            _write_all(file, blocks)
        return
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    unfinished = Path(name)
    try:
        with open(handle, "wb") as file:  # noqa: PTH123 - the file is open already
            _write_all(file, blocks)
        unfinished.chmod(0o666 & ~_umask())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _write_all(file: BinaryIO, blocks: Iterable[Block]) -> None:
    file.write(MAGIC)
    for kind, body in blocks:
        file.write(_HEADER.pack(kind, len(body), _checksum(kind, body)) + body)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def read(path: Path) -> list[Block]:
    """The blocks of a file; `ReplayError` if it is none or a byte of it is wrong."""
    try:
        data = path.read_bytes()
    except OSError as problem:
        raise ReplayError(f"{path} cannot be read: {problem.strerror}.") from None
    return decode(path, data)


def decode(path: Path, data: bytes) -> list[Block]:
    """The blocks of a file's content; ``path`` names it in errors."""
    if not data.startswith(MAGIC):
        raise ReplayError(f"{path} is no Marchland replay.")
    blocks = list(_blocks(path, memoryview(data)))
    if not blocks or blocks[-1].kind != END:
        raise ReplayError(f"{path} is damaged: it breaks off before its end.")
    return blocks


def _checksum(kind: bytes, body: bytes) -> int:
    return xxhash.xxh3_64_intdigest(kind + body)


def _blocks(path: Path, data: memoryview) -> Iterator[Block]:
    place = len(MAGIC)
    while place < len(data):
        if place + _HEADER.size > len(data):
            raise ReplayError(f"{path} is damaged: it breaks off at byte {place}.")
        kind, length, checksum = _HEADER.unpack_from(data, place)
        body = bytes(data[place + _HEADER.size : place + _HEADER.size + length])
        if len(body) < length:
            raise ReplayError(f"{path} is damaged: it breaks off inside the block at byte {place}.")
        if _checksum(kind, body) != checksum:
            raise ReplayError(f"{path} is damaged: the block at byte {place} does not match its checksum.")
        yield Block(kind, body)
        place += _HEADER.size + length
