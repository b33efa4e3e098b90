"""Enova's orders: one for each tile that a player owns."""

from typing import ClassVar

import msgspec

from marchland.messages import Cell, Number, Order


class Move(Order, frozen=True, tag="move"):
    """March units to a neighbouring tile, all of them unless you say how many; into foreign land it is an attack."""

    key: ClassVar[str] = "m"

    from_: Cell = msgspec.field(name="from")
    to: Cell
    units: Number | None = None


class Defend(Order, frozen=True, tag="defend"):
    """Dig in: if the tile is attacked, the units on it count twice."""

    key: ClassVar[str] = "d"

    at: Cell


class Support(Order, frozen=True, tag="support"):
    """Lend the units on a tile to every battle of yours on the tiles next to it."""

    key: ClassVar[str] = "s"

    at: Cell


MOVE, DEFEND, SUPPORT = 1, 2, 3
VERBS: tuple[type[Order], ...] = (Move, Defend, Support)
