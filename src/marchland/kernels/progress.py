"""What compiling reports, and when it is forbidden."""

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Final

Progress = Callable[[int, int], None]
"""Called with the number of kernels that are ready, and of all kernels that this process has imported."""

_PATIENCE: Final = 0.5
"""Seconds of compiling before a message is printed."""
_is_forbidden: ContextVar[bool] = ContextVar("is_forbidden", default=False)
_listeners: list[Progress] = []
_defined: set[str] = set()
_ready: set[str] = set()


@contextlib.contextmanager
def forbid_compiling() -> Iterator[None]:
    """Within this context a kernel that is not in the cache raises `NotCompiledError` instead of being compiled."""
    token = _is_forbidden.set(True)
    try:
        yield
    finally:
        _is_forbidden.reset(token)


@contextlib.contextmanager
def compile_progress(listener: Progress) -> Iterator[None]:
    """Within this context ``listener`` is called as kernels are compiled."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def is_compiling_forbidden() -> bool:
    """Whether this is within `forbid_compiling`."""
    return _is_forbidden.get()


def add_kernel(name: str) -> None:
    """Count a kernel that may have to be compiled."""
    _defined.add(name)


def report_ready(names: set[str]) -> None:
    """Tell listeners that these kernels are ready."""
    _ready.update(names)
    for listener in list(_listeners):
        listener(len(_ready & _defined), len(_defined))


@contextlib.contextmanager
def announce(name: str) -> Iterator[None]:
    """Say on stderr what is being compiled if it takes long and nothing else reports progress."""
    text = f"Compiling {name.removeprefix('marchland.')}, once on this machine ..."
    timer = threading.Timer(_PATIENCE, lambda: print(text, file=sys.stderr, flush=True))
    timer.daemon = True
    if not _listeners:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
