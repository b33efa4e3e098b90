"""Ruling 20: each bad command gets an entry that names it and the reason, in the public server's words."""

from collections.abc import Iterable
from typing import Any, Final

from marchland.games.colorfight.wire.actions import BUILDING_LETTERS, objection

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


def error_texts(failed: Iterable[tuple[Any, str, str]]) -> list[str]:
    """The entries for failed orders: each as it was sent, the reason's name and its sentence."""
    return [_text(order, reason, sentence) for order, reason, sentence in failed]


def _text(order: Any, reason: str, sentence: str) -> str:
    command = _command(order)
    if command is None:
        return objection(order) or f"{order} is not a command"
    why = _REASONS[order["do"]].get(reason)
    return f"{command} failed, {sentence if why is None else why + '.'}"


def _command(order: Any) -> str | None:
    """The line that means an order; None for something that is none, or that came over another way and is malformed."""
    try:
        verb, (x, y) = order["do"], order["at"]
        if verb == "attack":
            return f"a {x} {y} {order['energy']}"
        return f"b {x} {y} {_LETTERS[order['building']]}" if verb == "build" else f"u {x} {y}"
    except (TypeError, KeyError, ValueError):
        return None
