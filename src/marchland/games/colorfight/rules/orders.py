"""Colorfight's orders."""

from typing import ClassVar, Literal

from marchland.messages import Cell, Number, Order

BuildingName = Literal["home", "energy_well", "gold_mine", "fortress"]


class Attack(Order, frozen=True, tag="attack"):
    """Spend energy on a cell next to one of yours: take it, or shield your own."""

    key: ClassVar[str] = "a"

    at: Cell
    energy: Number


class Build(Order, frozen=True, tag="build"):
    """Put a building on an empty cell of yours."""

    key: ClassVar[str] = "b"

    at: Cell
    building: BuildingName


class Upgrade(Order, frozen=True, tag="upgrade"):
    """Raise a building of yours by one level."""

    key: ClassVar[str] = "u"

    at: Cell


ATTACK, BUILD, UPGRADE = 1, 2, 3
VERBS: tuple[type[Order], ...] = (Attack, Build, Upgrade)
