"""What happened in a turn, as rows of integers that kernels write and Python reads.

The array's first element counts the events, also those for which there was no room; so a turn that says more than was
reserved is run again with more room, and a caller who wants no events passes an array of length 1.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from marchland.kernels import kernel

ARGUMENTS: Final = 7
_WIDTH: Final = 1 + ARGUMENTS

NO_EVENTS: Final = np.zeros(1, np.int64)


@kernel
def emit(events: Any, kind: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0, e: int = 0, f: int = 0) -> None:
    """Note an event of ``kind`` with up to six arguments."""
    row = 1 + events[0] * _WIDTH
    events[0] += 1
    if row + _WIDTH <= len(events):
        events[row] = kind
        events[row + 1] = a
        events[row + 2] = b
        events[row + 3] = c
        events[row + 4] = d
        events[row + 5] = e
        events[row + 6] = f


def room_for(count: int) -> npt.NDArray[np.int64]:
    """An empty event array with room for ``count`` events."""
    return np.zeros(1 + count * _WIDTH, np.int64)


def has_overflowed(events: npt.NDArray[np.int64]) -> bool:
    """Whether more happened than there was room for."""
    return 1 + int(events[0]) * _WIDTH > len(events)


def rows(events: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The events, one a row: the kind, then its arguments."""
    return events[1 : 1 + int(events[0]) * _WIDTH].reshape(-1, _WIDTH)
