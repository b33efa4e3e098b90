"""The menus of a partial order and of everything that can be picked after it, up to a bound."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from marchland.core.game import Game
from marchland.messages import Cells, Choices, FollowingMenu, Menu, Menus, MenusRequest, Paths, Pieces, Range, Resource

MAX_FOLLOWING: Final = 64
"""The menus of one answer, in breadth-first order."""
MAX_ENTRIES: Final = 4096
"""The cells, steps, pieces and choices in them."""


def list_menus(game: Game, player: int, request: MenusRequest) -> Menus:
    """What the player may order besides the queued orders: menus of every verb and of the partial orders."""
    planned = game.plan(player, request.queued)
    verbs: Any = planned.legal(player)
    following = following_menus(planned, player, request.orders)
    cell = None if request.at is None else game.board.index(*request.at)
    doubtful = [verb for verb in game.codec.player_names if cell is not None or verb not in verbs]
    return Menus(
        verbs,
        following,
        list_resources(game, planned, player),
        game.prices(player, cell),
        game.forecasts(player, request.queued),
        planned.objections(player, doubtful, cell),
    )


def list_resources(game: Game, planned: Game, player: int) -> list[Resource]:
    """What the player has of each resource, before and after the queued orders."""
    both = zip(game.resources(player), planned.resources(player), strict=True)
    return [Resource(before.name, before.have, after.have, before.income) for before, after in both]


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
