"""The menus of a partial order and of everything that can be picked after it, up to a bound."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from marchland.core.game import Game
from marchland.messages import Cells, Choices, FollowingMenu, Menu, Menus, MenusRequest, Paths, Pieces, Range

MAX_FOLLOWING: Final = 64
"""The menus of one answer, in breadth-first order."""
MAX_ENTRIES: Final = 4096
"""The cells, steps, pieces and choices in them."""


def list_menus(game: Game, player: int, request: MenusRequest) -> Menus:
    """What the player may order now: the first menu of every verb, and the menus of the partial orders."""
    verbs: Any = game.legal(player)
    return Menus(verbs, following_menus(game, player, request.orders))


def following_menus(game: Game, player: int, partials: Iterable[Mapping[str, Any]]) -> list[FollowingMenu]:
    """The menus of partial orders, then those of what may be picked from them, until they are too many."""
    waiting = deque(dict(partial) for partial in partials)
    found: list[FollowingMenu] = []
    entries = 0
    while waiting and len(found) < MAX_FOLLOWING and entries < MAX_ENTRIES:
        order = waiting.popleft()
        menu: Any = game.legal(player, order)
        found.append(FollowingMenu(order, menu))
        values = _values(menu)
        entries += len(menu.steps) if isinstance(menu, Paths) else len(values)
        waiting.extend({**order, menu.param: value} for value in values)
    return found


def _values(menu: Menu | None) -> Sequence[Any]:
    """What may be picked from a menu, where it can be listed; the end of a path or a number is the last pick."""
    match menu:
        case Cells():
            return menu.cells
        case Pieces():
            return menu.pieces
        case Choices():
            return menu.choices
        case Range() | Paths() | None:
            return ()
