"""Limits on the size and depth of what a request contains."""

import reprlib
from typing import Any

from marchland.errors import Refused

_MAX_DEPTH = 32
"""Lists and objects in each other; no order and no map needs half of that."""

_NESTED = (list, dict)  # a tuple: a union in isinstance is slower, and this runs for every value of every order


def check_orders(orders: list[Any], max_orders: int, max_length: int) -> None:
    """Refuse more orders, or longer ones, than a turn can need."""
    if len(orders) > max_orders:
        raise Refused("too_large", f"{len(orders):,} orders in one post; the most is {max_orders:,}.")
    nested: list[Any] = []
    for order in orders:
        for name, value in order.items() if type(order) is dict else (("The order", order),):
            is_nested = isinstance(value, _NESTED)
            if is_nested:
                nested.append(value)
            if (is_nested or type(value) is str) and len(value) > max_length:
                entries = f"{len(value):,} entries; the most is {max_length:,}."
                raise Refused("too_large", f"{reprlib.repr(name)} has {entries}")
    if nested:
        check_depth(nested)


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
