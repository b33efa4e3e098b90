"""Limits on the size and depth of what a request contains."""

import reprlib
from typing import Any

from marchland.errors import Refused

_MAX_DEPTH = 32
"""Lists and objects in each other; no order and no map needs half of that."""

_NESTED = frozenset((list, dict))


def check_orders(orders: list[Any], max_orders: int, max_length: int) -> None:
    """Refuse more orders, or longer ones, than a turn can need."""
    if len(orders) > max_orders:
        raise Refused("too_large", f"{len(orders):,} orders in one post; the most is {max_orders:,}.")
    nested: list[Any] = []
    for order in orders:
        for name, value in order.items() if type(order) is dict else (("The order", order),):
            kind = type(value)  # compared one by one: this runs for every value of every order
            if kind is int:
                continue
            if kind is list or kind is dict:
                nested.append(value)
            elif kind is not str:
                continue
            if len(value) > max_length:
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
            for inner in (outer.values() if type(outer) is dict else outer)
            if type(inner) in _NESTED
        ]
        if not level:
            return
    raise Refused("too_large", f"Lists and objects are nested deeper than {_MAX_DEPTH} times.")
