"""Compiled kernels on disk.

`objects/` holds object code under a digest of the module's text and the target. `manifests/` holds, for each kernel
called from Python and argument types, what its module was made from: the code of every kernel in it and every constant
that they read. If all of that still holds, the object is loaded without translating anything.
"""

import contextlib
import functools
import hashlib
import json
import os
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

_LARGEST: Final = 200 * 2**20
"""Bytes of object code in the cache; the least recently used is removed first."""


def _find_root() -> Path:
    if "MARCHLAND_CACHE" in os.environ:
        return Path(os.environ["MARCHLAND_CACHE"])
    from platformdirs import user_cache_path

    return user_cache_path("marchland")


@functools.cache
def cache_root() -> Path:
    """The cache's directory, or a temporary one if it cannot be written."""
    root = _find_root()
    try:
        for name in ("objects", "manifests", "locks"):
            (root / "kernels" / name).mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=root / "kernels").close()
    except OSError as problem:
        temporary = Path(tempfile.mkdtemp(prefix="marchland-"))
        warnings.warn(
            f"The kernel cache {root} cannot be written ({problem.strerror}); compiled code goes to {temporary} "
            "and is compiled again next time. Set MARCHLAND_CACHE to a writable folder to keep it.",
            stacklevel=2,
        )
        for name in ("objects", "manifests", "locks"):
            (temporary / name).mkdir()
        return temporary
    return root / "kernels"


def digest(*parts: Any) -> str:
    """A name for what ``parts`` say."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:40]


def read_object(key: str) -> bytes | None:
    """Object code by its key; None if it is missing or damaged."""
    return _read_sealed("objects", key)


def write_object(key: str, code: bytes) -> None:
    """Store object code."""
    _write_sealed(cache_root() / "objects" / key, key, code)


def read_manifest(key: str) -> dict[str, Any] | None:
    """What a module was made from, and how to load it."""
    content = _read_sealed("manifests", key)
    manifest: dict[str, Any] | None = None if content is None else json.loads(content)
    return manifest


def write_manifest(key: str, manifest: dict[str, Any]) -> None:
    """Store a manifest."""
    _write_sealed(cache_root() / "manifests" / key, key, json.dumps(manifest, separators=(",", ":")).encode())


def _read_sealed(folder: str, key: str) -> bytes | None:
    """The content of a file, unless it is damaged or another file's. A cache that cannot be written is read too."""
    for root in dict.fromkeys((cache_root(), _find_root() / "kernels")):
        path = root / folder / key
        with contextlib.suppress(OSError):
            head, _, content = path.read_bytes().partition(b"\n")
            if head == _seal(key, content):
                with contextlib.suppress(OSError):
                    os.utime(path)  # `prune` goes by last use
                return content
    return None


def _write_sealed(path: Path, key: str, content: bytes) -> None:
    """Write a whole file or none. A full disk costs a compilation next time, nothing else."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)
        try:
            with open(handle, "wb") as file:  # noqa: PTH123 - the file is open already
                file.write(_seal(key, content) + b"\n" + content)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(path)
        finally:
            Path(name).unlink(missing_ok=True)
    except OSError as problem:
        warnings.warn(f"Compiled code cannot be stored in {path.parent}: {problem.strerror}.", stacklevel=2)


def _seal(key: str, content: bytes) -> bytes:
    return f"{key} {hashlib.sha256(content).hexdigest()}".encode()


@contextlib.contextmanager
def hold_lock(key: str) -> Iterator[None]:
    """Hold the file lock of one manifest: of several processes one compiles, and the others then load its result."""
    import fcntl  # not on Windows, where nothing is compiled

    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError):  # on a full disk every process compiles for itself
            file = held.enter_context((cache_root() / "locks" / key).open("wb"))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@functools.cache
def prune_once() -> None:
    """Prune, the first time that this process has compiled something."""
    prune()


def prune(largest: int = _LARGEST) -> None:
    """Remove the least recently used object code until at most ``largest`` bytes are left."""
    found = []
    for folder in ("objects", "manifests"):
        with contextlib.suppress(OSError):
            for path in (cache_root() / folder).iterdir():
                status = path.stat()
                found.append((status.st_mtime, status.st_size, path))
    total = sum(size for _, size, _ in found)
    for _, size, path in sorted(found):
        if total <= largest:
            break
        with contextlib.suppress(OSError):
            path.unlink()
            total -= size
