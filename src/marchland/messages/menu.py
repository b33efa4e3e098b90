"""The menu of legal orders: for a verb's next parameter, what may be picked."""

from collections.abc import Sequence
from typing import Any

import msgspec


class Domain(msgspec.Struct, frozen=True, tag_field="pick"):
    """What may be picked for the parameter ``param``."""

    param: str


class Step(msgspec.Struct, frozen=True):
    """A cell that can be reached, at what cost and from where; ``parent`` is None next to the start."""

    cell: tuple[int, int]
    cost: int
    parent: tuple[int, int] | None


class Cells(Domain, frozen=True, tag="cell", omit_defaults=True):
    """Any one of these cells."""

    cells: list[tuple[int, int]]
    steps: list[Step] = []
    """For moves: the cheapest paths, also through cells that cannot be picked themselves."""


class Pieces(Domain, frozen=True, tag="piece", omit_defaults=True):
    """Any one of these pieces, by id."""

    pieces: list[int]
    names: list[str] = []
    """The name of each, where some may not be on the board."""


class Range(Domain, frozen=True, tag="number", omit_defaults=True):
    """Any whole number from ``least`` to ``most``."""

    least: int
    most: int
    usual: int | None = None
    """The suggested value, if it is not ``most``."""


class Choices(Domain, frozen=True, tag="choice"):
    """Any one of these words, or of false and true for a switch; ``optional`` ones may also be left out."""

    choices: Sequence[str | bool]
    optional: bool = False


class Paths(Domain, frozen=True, tag="path"):
    """Any path through these cells, following parents back to the piece."""

    steps: list[Step]


Menu = Cells | Pieces | Range | Choices | Paths


class FollowingMenu(msgspec.Struct, frozen=True):
    """What may be picked next in a partial order; None where nothing is missing."""

    order: dict[str, Any]
    menu: Menu | None


class MenusRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Partial orders whose menus are wanted, with the menus that follow what is picked from them."""

    orders: list[dict[str, Any]] = []


class Menus(msgspec.Struct, frozen=True):
    """The first menu of every verb, and the menus that follow partial orders; a long list of those is cut off."""

    verbs: dict[str, Menu]
    following: list[FollowingMenu]
