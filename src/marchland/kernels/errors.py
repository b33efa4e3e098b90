"""What can be wrong with a kernel: its source, its arguments, or what happens while it runs."""

import zlib
from typing import Any, NoReturn


class KernelError(Exception):
    """A kernel uses something outside the kernel language. Raised before any of it runs."""


class NotCompiledError(Exception):
    """A kernel is not in the cache, and `forbid_compiling` forbids compiling it."""


class ArgumentMismatchError(Exception):
    """Raised by an entry point whose arguments have other types than those it was compiled for."""


def raise_fault(site: str, kind: int, first: int, second: int) -> NoReturn:
    """Raise what the same kernel raises in Python mode, with kernel, line and values. Entry points call this."""
    key, offset = site.rsplit(":", 1)
    module, function, _ = key.split(":")
    error, message = _FAULTS[kind]
    where = f"{function} in {module}, line {_first_lines[key] + int(offset)}"
    raise error(f"{message.format(first, second)} ({where})")


INDEX, OVERFLOW, STORE, SHIFT, DIVISION, STEP, FIELD = range(7)
"""Kinds of faults."""

_FAULTS: dict[int, tuple[type[Exception], str]] = {
    INDEX: (IndexError, "index {0} is out of range for length {1}"),
    OVERFLOW: (OverflowError, "result of an operation on {0} and {1} does not fit 64 bits"),
    STORE: (ValueError, "{0} does not fit an element of {1} bits"),
    SHIFT: (ValueError, "shift count {1} is outside 0 to 63"),
    DIVISION: (ZeroDivisionError, "{0} is divided by zero"),
    STEP: (ValueError, "range() step is zero"),
    FIELD: (IndexError, "the bytes from {0} to {1} are no such field of the buffer"),
}

_first_lines: dict[str, int] = {}


def register_function(function: Any) -> None:
    """Remember where a kernel begins, so that a fault can be reported by line."""
    _first_lines[name_site(function)] = function.__code__.co_firstlineno


def name_site(function: Any) -> str:
    """A name for a kernel that holds when the lines above it change; functions of one name have different ones."""
    code = function.__code__
    return f"{function.__module__}:{function.__qualname__}:{zlib.crc32(code.co_code + code.co_linetable):x}"
