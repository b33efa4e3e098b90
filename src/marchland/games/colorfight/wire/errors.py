"""Ruling 20: each bad command gets an entry that names it and the reason, in the public server's words."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from marchland.core.order_input import OrderInput
from marchland.core.position import failed_orders
from marchland.core.reasons import CommonReason, Reason
from marchland.games.colorfight.rules.state import Players
from marchland.games.colorfight.wire.actions import BUILDING_LETTERS, objection

if TYPE_CHECKING:
    from marchland.games.colorfight.game import Colorfight

_UNKNOWN: Final = object()

_LETTERS: Final = {name: letter for letter, name in BUILDING_LETTERS.items()}

_REASONS: Final = {
    "attack": {
        "OFF_THE_MAP": "Attack position is not in the map",
        "BAD_ENERGY": "Energy has to be positive",
        "NOT_ENOUGH_ENERGY": "Do not have enough energy to attack",
        "NO_ADJACENT_CELL": "No valid surrounding cell to attack",
    },
    "build": {
        "OFF_THE_MAP": "Build position is not in the map",
        "NOT_YOURS": "You need to build on your own cell",
        "OCCUPIED": "There is a building on this cell already",
        "NO_SUCH_BUILDING": "Not a correct building",
        "NOT_ENOUGH_GOLD": "Not enough gold",
        "ONE_HOME": "You can only have one home",
        "HOME_FIRST": "You need to have a home before build other buildings",
    },
    "upgrade": {
        "OFF_THE_MAP": "Upgrade position is not in the map",
        "NOT_YOURS": "You need to upgrade on your own cell",
        "NOTHING_TO_UPGRADE": "You can not upgrade empty cell",
        "TOP_LEVEL": "Level is already at maximum",
        "UPGRADE_HOME_FIRST": "You need to upgrade home first",
        "NOT_ENOUGH_GOLD": "Not enough gold",
        "NOT_ENOUGH_ENERGY": "Not enough energy",
    },
}


_DEAD: Final = {"attack": "NO_ADJACENT_CELL", "build": "NOT_YOURS", "upgrade": "NOT_YOURS"}
"""Why an order of a player without cells fails on the public server, which does not look whether a player is dead."""


def errors_of(game: "Colorfight", given: OrderInput | None) -> dict[int, list[str]]:
    """What went wrong last turn, for each player to whom something did.

    The state does not hold what was no command: such entries come from ``given``, the turn's orders as they were sent.
    """
    found: dict[int, list[str]] = {}
    width, height = game.config.width, game.config.height
    not_understood = iter([] if given is None else [given.raw[row] for row in given.problems])
    for player, order, reason in failed_orders(game):
        if order is not None:
            text = _text(game, player, order, reason)
        elif (sent := next(not_understood, _UNKNOWN)) is not _UNKNOWN:
            text = objection(sent, lambda x, y: 0 <= x < width and 0 <= y < height) or f"{sent} is not a command"
        else:
            continue
        found.setdefault(player, []).append(text)
    return found


def _text(game: "Colorfight", player: int, order: Mapping[str, Any], reason: Reason) -> str:
    name = _reason_of_dead(game, player, order) if reason == CommonReason.DEAD else reason.name
    why = _REASONS[order["do"]].get(name)
    return f"{_command(order)} failed, {game.explain(reason, order) if why is None else why + '.'}"


def _reason_of_dead(game: "Colorfight", player: int, order: Mapping[str, Any]) -> str:
    if game.board.index(*order["at"]) < 0:
        return "OFF_THE_MAP"
    if order["do"] == "attack" and order["energy"] <= 0:
        return "BAD_ENERGY"
    # Without cells there is neither income nor tax: the energy is what it was when the order was given.
    if order["do"] == "attack" and order["energy"] > game.arrays(Players).energy[player]:
        return "NOT_ENOUGH_ENERGY"
    return _DEAD[order["do"]]


def _command(order: Mapping[str, Any]) -> str:
    """The line that means an order."""
    x, y = order["at"]
    if order["do"] == "attack":
        return f"a {x} {y} {order['energy']}"
    return f"b {x} {y} {_LETTERS[order['building']]}" if order["do"] == "build" else f"u {x} {y}"
