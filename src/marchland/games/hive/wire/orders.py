"""Orders as agents of the public competition write them."""

import re
from typing import Any, Final

import msgspec

from marchland.errors import MarchlandError

TYPES: Final = {
    "MOVE": "move",
    "ATTACK": "attack",
    "BUILD_WALL": "build_wall",
    "SPAWN": "spawn",
    "BUILD_HIVE": "build_hive",
    "FORAGE": "forage",
}
_NAMES: Final = {verb: type_ for type_, verb in TYPES.items()}
_WITHOUT_DIRECTION: Final = ("BUILD_HIVE", "FORAGE")
_COORDS: Final = re.compile(r"\s*(-?[0-9]{1,9})\s*,\s*(-?[0-9]{1,9})\s*")


class BadOrdersError(MarchlandError):
    """A body that is no list of orders."""


class WireOrder(msgspec.Struct, frozen=True):
    """One order. Agents also send what the server would fill in, and an empty direction where none is needed."""

    type: str
    coords: str
    direction: str | None = None


def read_orders(body: bytes) -> list[dict[str, Any]]:
    """The orders in a body; ``null``, ``{}``, ``[]`` and nothing at all are none.

    An order of no known type or without its direction is one all the same: it is refused in the turn, the others are
    not.
    """
    try:
        decoded = msgspec.json.decode(body) if body.strip() else None
        if decoded is None or decoded == {}:
            return []
        return [_order(sent) for sent in msgspec.convert(decoded, list[WireOrder])]
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as problem:
        raise BadOrdersError(str(problem).replace("$", "orders", 1)) from None


def _order(sent: WireOrder) -> dict[str, Any]:
    found = _COORDS.fullmatch(sent.coords)
    if found is None:
        raise BadOrdersError(f'coords are written "row,col", not {sent.coords!r}')
    order: dict[str, Any] = {"do": TYPES.get(sent.type, sent.type), "unit": [int(found[1]), int(found[2])]}
    return order if sent.type in _WITHOUT_DIRECTION else order | {"dir": sent.direction}


def write_order(order: Any, player: int, status: str, places: dict[int, list[int]]) -> dict[str, Any]:
    """An order as the wire names it, with its result; ``places`` has the coordinates of units named by id."""
    entry: dict[str, Any] = {"type": None, "player": player, "coords": None}
    if isinstance(order, dict):
        unit = order.get("unit")
        at = places.get(unit) if isinstance(unit, int) else unit
        entry["type"] = _NAMES.get(str(order.get("do")))
        entry["coords"] = None if at is None else ",".join(map(str, at))
        if "dir" in order:
            entry["direction"] = order["dir"]
    return entry | {"status": status}
