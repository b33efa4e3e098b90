"""How much one client may ask for."""

import reprlib
import time
from collections import OrderedDict
from typing import Any

from marchland.errors import Refused

_MOST_KNOWN = 100_000
_DEEPEST = 32  # lists and objects in each other; no order and no map needs half of that


class TooMany(Refused):
    """More requests than somebody may send."""

    retry: int

    def __init__(self, waiting: float) -> None:
        super().__init__("too_many", f"Too many requests; try again in {waiting:.1f} s.")
        self.retry = int(waiting) + 1


# Made once: a union in isinstance is made anew, and slowly, at every call.
_NESTED = (list, dict)
_MEASURED = (list, dict, str)


class Buckets:
    """For each key so many requests a second, and so many at once, twice as many if nothing is said."""

    def __init__(self, rate: float, at_once: float | None = None) -> None:
        self._rate = rate
        self._full = max(1.0, 2 * rate if at_once is None else at_once)
        self._known: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, key: str, now: float | None = None) -> float:
        """Take one request out of the key's bucket; 0, or how many seconds until there is one."""
        now = time.monotonic() if now is None else now
        left, seen = self._known.pop(key, (self._full, now))
        left = min(self._full, left + (now - seen) * self._rate)
        allowed = left >= 1
        self._known[key] = (left - 1 if allowed else left, now)
        if len(self._known) > _MOST_KNOWN:  # whoever was silent for longest starts afresh
            self._known.popitem(last=False)
        return 0.0 if allowed else (1 - left) / self._rate


def check_orders(orders: list[Any], most: int, longest: int) -> None:
    """Refuse more orders, or longer ones, than a turn can need."""
    if len(orders) > most:
        raise Refused("too_large", f"{len(orders):,} orders in one post; the most is {most:,}.")
    nested: list[Any] = []
    for order in orders:
        for name, value in order.items() if type(order) is dict else (("The order", order),):
            if type(value) is not int:
                nested += _measured(name, value, longest)
    check_depth(nested)


def _measured(name: str, value: Any, longest: int) -> list[Any]:
    """What has an inside to be looked at, if it is not too long."""
    if not isinstance(value, _MEASURED):
        return []
    if len(value) > longest:
        raise Refused("too_large", f"{reprlib.repr(name)} has {len(value):,} entries; the most is {longest:,}.")
    return [] if isinstance(value, str) else [value]


def check_depth(value: Any) -> None:
    """Refuse what is nested so deeply that whoever reads it again may fail."""
    level = [value]
    for _ in range(_DEEPEST):
        level = [
            inner
            for one in level
            for inner in (one.values() if isinstance(one, dict) else one)
            if isinstance(inner, _NESTED)
        ]
        if not level:
            return
    raise Refused("too_large", f"Lists and objects are nested deeper than {_DEEPEST} times.")
