"""How the posts of one turn become its orders."""

from collections.abc import Iterable, Sequence
from typing import Any

from marchland.core.game import Game
from marchland.match.journal import Post


def merged(kind: type[Game], posts: Iterable[Post]) -> dict[int, list[Any]]:
    """The orders of every seat that posted, by seat; what a second post does, the game says."""
    orders: dict[int, list[Any]] = {}
    for post in posts:
        orders[post.seat] = _joined(kind, orders.get(post.seat, []), post.orders)
    return dict(sorted(orders.items()))


def _joined(kind: type[Game], earlier: list[Any], later: list[Any]) -> list[Any]:
    if kind.merging == "replace" or not earlier:
        return later
    if kind.merging == "append":
        return earlier + later
    again = {_unit(order, kind.unit_parameters) for order in later} - {None}
    return [order for order in earlier if _unit(order, kind.unit_parameters) not in again] + later


def _unit(order: Any, parameters: Sequence[str]) -> str | None:
    """What names the unit of an order; None for an order that names none."""
    if not isinstance(order, dict):
        return None
    return next((repr(order[name]) for name in parameters if name in order), None)
