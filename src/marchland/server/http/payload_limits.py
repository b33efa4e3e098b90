"""Limits on the size and depth of what a request contains."""

import reprlib
from typing import Any

from marchland.errors import Refused

_MAX_DEPTH = 32
"""Lists and objects in each other; no order and no map needs half of that."""

# Tuples: a union in isinstance is slower, and these run for every value of every order.
_NESTED = (list, dict)
_SIZED = (list, dict, str)


def check_orders(orders: list[Any], max_orders: int, max_length: int) -> None:
    """Refuse more orders, or longer ones, than a turn can need."""
    if len(orders) > max_orders:
        raise Refused("too_large", f"{len(orders):,} orders in one post; the most is {max_orders:,}.")
    nested: list[Any] = []
    for order in orders:
        for name, value in order.items() if type(order) is dict else (("The order", order),):
            if type(value) is not int:
                nested += _check_length(name, value, max_length)
    check_depth(nested)


def _check_length(name: str, value: Any, max_length: int) -> list[Any]:
    """The value in a list if it is nested; refused if it is too long."""
    if not isinstance(value, _SIZED):
        return []
    if len(value) > max_length:
        raise Refused("too_large", f"{reprlib.repr(name)} has {len(value):,} entries; the most is {max_length:,}.")
    return [] if isinstance(value, str) else [value]


def check_depth(value: Any) -> None:
    """Refuse what is nested so deeply that a later reader may fail."""
    level = [value]
    for _ in range(_MAX_DEPTH):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, _NESTED)
        ]
        if not level:
            return
    raise Refused("too_large", f"Lists and objects are nested deeper than {_MAX_DEPTH} times.")
