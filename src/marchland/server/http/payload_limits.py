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
        raise Refused("too_large", "too_many_orders", orders=len(orders), most=max_orders)
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
                named = reprlib.repr(name)
                raise Refused("too_large", "value_too_long", name=named, entries=len(value), most=max_length)
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
    raise Refused("too_large", "nested_too_deep", most=_MAX_DEPTH)
