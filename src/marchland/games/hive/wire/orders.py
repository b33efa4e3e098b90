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
        given = msgspec.json.decode(body) if body.strip() else None
        if given is None or given == {}:
            return []
        return [_order(one) for one in msgspec.convert(given, list[WireOrder])]
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as problem:
        raise BadOrdersError(str(problem).replace("$", "orders", 1)) from None


def _order(one: WireOrder) -> dict[str, Any]:
    found = _COORDS.fullmatch(one.coords)
    if found is None:
        raise BadOrdersError(f'coords are written "row,col", not {one.coords!r}')
    order: dict[str, Any] = {"do": TYPES.get(one.type, one.type), "unit": [int(found[1]), int(found[2])]}
    return order if one.type in _WITHOUT_DIRECTION else order | {"dir": one.direction}


def written(order: Any, player: int, status: str, places: dict[int, list[int]]) -> dict[str, Any]:
    """An order in these words, with what became of it; ``places`` tells where units stand that are named by id."""
    told: dict[str, Any] = {"type": None, "player": player, "coords": None}
    if isinstance(order, dict):
        unit = order.get("unit")
        at = places.get(unit) if isinstance(unit, int) else unit
        told["type"] = _NAMES.get(str(order.get("do")))
        told["coords"] = None if at is None else ",".join(map(str, at))
        if "dir" in order:
            told["direction"] = order["dir"]
    return told | {"status": status}
