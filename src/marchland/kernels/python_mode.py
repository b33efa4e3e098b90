"""Python mode: kernels run as they are."""

import functools
import threading
from collections.abc import Callable
from typing import Any

import numpy as np


class _Running(threading.local):
    """Whether a kernel runs in this thread."""

    inside = False


class Elements:
    """An array in Python mode: a load is a Python int; an index below 0 and a store that does not fit raise."""

    __slots__ = ("_memory",)

    def __init__(self, memory: memoryview) -> None:
        self._memory = memory

    def __len__(self) -> int:
        return len(self._memory)

    def __getitem__(self, index: Any) -> Any:
        if type(index) is slice:
            return Elements(self._memory[index])
        self._refuse_negative(index)
        return self._memory[index]

    def __setitem__(self, index: Any, value: int) -> None:
        self._refuse_negative(index)
        self._memory[index] = value

    def cast(self, form: str, shape: tuple[int, ...] | None = None) -> "Elements":
        """The same bytes as elements of another type."""
        return Elements(self._memory.cast(form, shape) if shape else self._memory.cast(form))  # type: ignore[call-overload]

    @staticmethod
    def _refuse_negative(index: Any) -> None:
        if (min(index) if type(index) is tuple else index) < 0:
            raise IndexError(f"index {index} is below 0")


class PythonKernel:
    """A function that runs as it is."""

    _running = _Running()

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.function = function

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Run the function; the outermost call wraps arrays."""
        running = self._running
        if running.inside:
            return self.function(*arguments, **keywords)
        running.inside = True
        try:
            return self.function(*map(_wrap_arrays, arguments), **keywords)
        finally:
            running.inside = False


def _wrap_arrays(argument: Any) -> Any:
    if isinstance(argument, np.ndarray):
        return Elements(argument.data)
    if isinstance(argument, np.integer):
        return int(argument)
    if isinstance(argument, tuple):
        items = [_wrap_arrays(item) for item in argument]
        return type(argument)(*items) if hasattr(argument, "_fields") else tuple(items)
    return argument
