"""Orders on their way in: from what players send to packed columns. Nothing they send can raise."""

import reprlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from marchland.board import Dialect
from marchland.core.orders import Codec, Packed
from marchland.core.packing import packer_for

Orders = Mapping[int, Sequence[Any]] | Packed | None
"""For each player a list of orders; or the same, packed."""


class OrderInput(NamedTuple):
    """A turn's orders as they were given, beside their packed rows."""

    raw: list[Any]
    """For each row the order itself."""
    problems: dict[int, str]
    """For each row that was not understood, why."""
    unknown_players: dict[Any, str]
    """For each player who is not in the match, why the orders were not even read."""


def parse_orders(
    codec: Codec, dialect: Dialect, seats: int, orders: Orders, host: bool
) -> tuple[Packed, OrderInput | None]:
    """Orders in packed form, beside them as they were given."""
    if isinstance(orders, Packed):
        return orders.copy(), None
    if orders is None:
        orders = {}
    if not isinstance(orders, Mapping):
        raise TypeError(f"step takes a dict from player to a list of orders, not {type(orders).__name__}.")
    raw: list[Any] = []
    players: list[int] = []
    unknown_players: dict[Any, str] = {}
    for player, listed in orders.items():
        if type(player) is not int or not 0 <= player < seats:
            if not _is_player(player, seats, host):
                unknown_players[player] = f"There is no player {reprlib.repr(player)}; seats are 0 to {seats - 1}."
                continue
            player = int(player)
        entries = listed if type(listed) is list else _as_list(listed)
        raw += entries
        players += [player] * len(entries)
    packer = packer_for(codec, dialect)
    rows, problems = packer.decode(raw, host)
    return packer.pack(players, rows), OrderInput(raw, problems, unknown_players)


def _is_player(player: Any, seats: int, host: bool) -> bool:
    """Whether a key of the orders names a seat; for the host any integer does."""
    if isinstance(player, bool) or not isinstance(player, int | np.integer):
        return False
    return host or bool(0 <= player < seats)


def _as_list(orders: Any) -> list[Any]:
    """One player's orders as a list; what is no list is one order, and not a valid one."""
    if orders is None:
        return []
    if not isinstance(orders, list | tuple):
        return [orders]
    try:
        return list(orders)
    except Exception:  # a user-defined sequence may do anything
        return [orders]
