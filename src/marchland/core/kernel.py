"""The one decorator under which rules are compiled, and where the compiled code is kept.

A kernel is plain Python over flat integer arrays. Numba compiles it; with ``NUMBA_DISABLE_JIT=1`` the
same function runs as it stands and gives the same results, a thousand times slower.

Numba's own cache notices a change in a kernel's file but not in the files of the kernels it calls. So
each kernel is kept in a directory named by the content of everything it may depend on: all of
``board`` and ``core``, the files of its own game, and the versions of the tools.
"""

import functools
import hashlib
import inspect
import os
import platform
import sys
import tempfile
import time
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from filelock import FileLock, Timeout
from numba.core import cgutils
from numba.core.caching import _CacheLocator
from numba.extending import intrinsic
from platformdirs import user_cache_path

JIT: bool = not numba.config.DISABLE_JIT
"""Whether kernels are compiled; False under ``NUMBA_DISABLE_JIT=1``."""

Function = TypeVar("Function", bound=Callable[..., Any])

_PACKAGE = Path(__file__).parent.parent


def kernel(function: Function) -> Function:
    """Compile ``function`` on first use, keep the result on disk, and let other threads run meanwhile."""
    previous = numba.config.CACHE_LOCATOR_CLASSES
    numba.config.CACHE_LOCATOR_CLASSES = f"{__name__}.{KernelLocator.__name__}"
    try:
        return numba.njit(cache=True, nogil=True)(function)  # type: ignore[no-any-return]
    finally:
        numba.config.CACHE_LOCATOR_CLASSES = previous


def inlined(function: Function) -> Function:
    """A kernel that is only ever called by kernels: it lives in their compiled code and has none of its own."""
    return numba.njit(nogil=True, forceinline=True)(function)  # type: ignore[no-any-return]


if JIT:

    @intrinsic  # type: ignore[untyped-decorator]
    def borrowed(typing_context: Any, array: Any) -> Any:
        """The same array without a share in its ownership.

        The caller of a kernel holds every array that it passes, so counting references to them inside only costs
        time: hundreds of atomic operations a turn, more than the turn itself.
        """

        def without_owner(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            view = context.make_array(signature.args[0])(context, builder, arguments[0])
            view.meminfo = cgutils.get_null_value(view.meminfo.type)
            return view._getvalue()

        return array(array), without_owner

else:

    def borrowed(array: Any) -> Any:
        """The same array; counting references is Python's own affair here."""
        return array


class KernelLocator(_CacheLocator):  # type: ignore[misc]
    """Tells Numba where a kernel's compiled code lies; the directory's name vouches for its freshness."""

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        self._py_file = py_file
        self._directory = cache_directory(getattr(py_func, "__home__", py_file))
        self._place = f"{Path(py_file).parent.name}-{py_func.__code__.co_firstlineno}"

    def get_cache_path(self) -> str:
        """The directory."""
        return str(self._directory)

    def get_source_stamp(self) -> str:
        """The directory's name, which changes with the sources."""
        return self._directory.name

    def get_disambiguator(self) -> str:
        """What tells kernels of the same name apart."""
        return self._place

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> "KernelLocator":
        """Numba's way to ask for a locator."""
        return cls(py_func, py_file)


def cache_directory(source: str) -> Path:
    """Where kernels written in the file ``source`` are kept."""
    folder = Path(source).resolve().parent
    inside_a_game = folder.is_relative_to(_PACKAGE / "games") and folder != _PACKAGE / "games"
    foreign = not folder.is_relative_to(_PACKAGE)
    return _directory_of(folder if inside_a_game or foreign else None)


@functools.cache
def _directory_of(game_folder: Path | None) -> Path:
    folders = [_PACKAGE / "board", _PACKAGE / "core"] + ([game_folder] if game_folder else [])
    fingerprint = hashlib.sha256(
        repr(
            (sys.version_info[:3], numba.__version__, np.__version__, platform.machine(), numba.config.BOUNDSCHECK)
        ).encode()
    )
    for folder in folders:
        for path in sorted(folder.glob("*.py")):
            fingerprint.update(path.name.encode() + b"\0" + path.read_bytes())
    return _cache_root() / f"{game_folder.name if game_folder else 'core'}-{fingerprint.hexdigest()[:20]}"


@functools.cache
def _cache_root() -> Path:
    root = Path(os.environ["MARCHLAND_CACHE"]) if "MARCHLAND_CACHE" in os.environ else user_cache_path("marchland")
    try:
        root.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=root).close()
    except OSError as problem:
        temporary = Path(tempfile.mkdtemp(prefix="marchland-"))
        warnings.warn(
            f"The kernel cache {root} cannot be written ({problem.strerror}); compiled code goes to {temporary} "
            "and is compiled again next time. Set MARCHLAND_CACHE to a writable folder to keep it.",
            stacklevel=2,
        )
        return temporary
    return root


def is_compiled(name: str, source: str) -> bool:
    """Whether the cache holds the compiled kernels of ``name``; always true if kernels are not compiled."""
    return not JIT or (cache_directory(source) / f"{name}.ready").exists()


@contextmanager
def first_compile(name: str, source: str, *, announce: bool = True) -> Iterator[bool]:
    """Yield whether ``name`` still has to be compiled on this machine; if so, alone and with a line of progress.

    The first process compiles under a file lock; others wait for it and then find the work done. ``announce=False``
    leaves the line of progress to the caller.
    """
    if not JIT:
        yield False
        return
    directory = cache_directory(source)
    done = directory / f"{name}.ready"
    if done.exists():
        yield False
        return
    directory.mkdir(parents=True, exist_ok=True)
    with _alone(directory / f"{name}.lock", name, announce):
        if done.exists():
            yield False
            return
        start = time.perf_counter()
        if announce:
            print(f"Compiling {name}, once on this machine ...", end="", file=sys.stderr, flush=True)
        try:
            yield True
            done.touch()
        finally:
            if announce:
                print(f" {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)


@contextmanager
def _alone(lock_file: Path, name: str, announce: bool) -> Iterator[None]:
    """Hold the lock; say so if another process has it."""
    lock = FileLock(lock_file)
    try:
        lock.acquire(timeout=0.1)
    except Timeout:
        if announce:
            print(f"Waiting for another process that compiles {name} ...", file=sys.stderr, flush=True)
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def rebound(template: Function, turn: Callable[..., Any]) -> Function:
    """``template`` compiled around ``turn``, as a kernel of the file that ``turn`` stands in.

    A closure would do the same, but Numba cannot keep a closure over a kernel on disk.
    """
    function = types.FunctionType(template.__code__, {**template.__globals__, "turn": turn}, template.__name__)
    function.__home__ = inspect.getfile(getattr(turn, "py_func", turn))  # type: ignore[attr-defined]
    return kernel(function)  # type: ignore[return-value]
