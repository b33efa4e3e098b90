"""Python mode: kernels run as they are."""

import functools
import threading
from collections.abc import Callable
from typing import Any

import numpy as np


class _Running(threading.local):
    """Whether a kernel runs in this thread."""

    inside = False


class PythonKernel:
    """A function that runs as it is, over memoryviews: a load is a Python int, and a store that does not fit raises."""

    _running = _Running()

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.function = function

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Run the function; the outermost call turns arrays into memoryviews."""
        running = self._running
        if running.inside:
            return self.function(*arguments, **keywords)
        running.inside = True
        try:
            return self.function(*map(_to_memoryview, arguments), **keywords)
        finally:
            running.inside = False


def _to_memoryview(argument: Any) -> Any:
    if isinstance(argument, np.ndarray):
        return argument.data
    if isinstance(argument, np.integer):
        return int(argument)
    if isinstance(argument, tuple):
        items = [_to_memoryview(item) for item in argument]
        return type(argument)(*items) if hasattr(argument, "_fields") else tuple(items)
    return argument
