"""The menu of legal orders: for a verb's next parameter, what may be picked."""

from collections.abc import Sequence
from typing import Any

import msgspec

from marchland.messages.words import Phrase


class Domain(msgspec.Struct, frozen=True, tag_field="pick"):
    """What may be picked for the parameter ``param``."""

    param: str


class Forecast(Phrase, frozen=True, omit_defaults=True):
    """What an order would do if other players do nothing new, by the words' ``forecasts``."""

    hopeless: bool = False
    """It cannot succeed."""


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
    forecasts: list[Forecast | None] = []
    """For each cell what the order would do there, where that can be told; empty where it never can."""


class Pieces(Domain, frozen=True, tag="piece", omit_defaults=True):
    """Any one of these pieces, by id."""

    pieces: list[int]
    names: list[Phrase | None] = []
    """The name of each, by the words' ``phrases``, where it may be on no cell or has one of its own."""
    forecasts: list[Forecast | None] = []
    """For each piece what the order would do to it, where that can be told; empty where it never can."""


class Range(Domain, frozen=True, tag="number", omit_defaults=True):
    """Any whole number from ``least`` to ``most``."""

    least: int
    most: int
    usual: int | None = None
    """The suggested value, if it is not ``most``."""
    needed: int | None = None
    """What is enough for the order to succeed if nothing else happens; more than ``most`` if nothing is enough."""
    forecasts: list[tuple[int, Forecast]] = []
    """What the order would do with that number or more, up to the next entry."""


class Choices(Domain, frozen=True, tag="choice", omit_defaults=True):
    """Any one of these words, or of false and true for a switch; ``optional`` ones may also be left out."""

    choices: Sequence[str | bool]
    optional: bool = False
    prices: list[dict[str, int]] = []
    """For each choice what it costs, by name of a figure."""


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
    queued: list[Any] = []
    """The orders that the player gives this turn; menus offer what is possible and paid for besides them."""
    at: tuple[int, int] | None = None
    """The cell that the player has picked: prices and reasons are those of orders for it."""


class Resource(msgspec.Struct, frozen=True, omit_defaults=True):
    """A figure that orders are paid from."""

    name: str
    have: int
    left: int
    """After the queued orders."""
    income: int | None = None
    """What each turn adds, where the game says so."""


class Menus(msgspec.Struct, frozen=True):
    """The first menu of every verb, and the menus that follow partial orders; a long list of those is cut off."""

    verbs: dict[str, Menu]
    following: list[FollowingMenu]
    resources: list[Resource] = []
    prices: dict[str, dict[str, int]] = {}
    """By verb the least that an order of it costs, by name of a resource."""
    forecasts: list[Forecast | None] = []
    """For each queued order what it would do together with the others, where that can be told."""
    reasons: dict[str, Phrase] = {}
    """By verb why it is not possible now, or not for the picked cell, by the words' ``results``."""


def is_empty(domain: Menu) -> bool:
    """Whether there is nothing to pick."""
    match domain:
        case Cells():
            return not domain.cells
        case Pieces():
            return not domain.pieces
        case Choices():
            return not domain.choices
        case Paths():
            return not domain.steps
        case Range():
            return domain.least > domain.most
