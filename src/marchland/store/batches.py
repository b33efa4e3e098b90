"""Long lists in pieces."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

MOST_VARIABLES = 10_000
"""Values in one SQL statement; SQLite and PostgreSQL take about 32,000."""

Value = TypeVar("Value")


def batches(values: Sequence[Value], size: int = MOST_VARIABLES) -> Iterator[Sequence[Value]]:
    """The values in order, at most ``size`` at a time."""
    return (values[start : start + size] for start in range(0, len(values), size))
