"""Seed, "Communication": the message to a client."""

from typing import TYPE_CHECKING, Any, Final

from marchland.core.order_input import OrderInput
from marchland.core.position import list_failures
from marchland.core.report import Report
from marchland.games.colorfight import views
from marchland.games.colorfight.wire.errors import error_texts

if TYPE_CHECKING:
    from marchland.games.colorfight.game import Colorfight

_UNKNOWN: Final = object()


def get_game_info(game: "Colorfight", report: Report | None = None) -> dict[str, Any]:
    """The seed's "Format of game info". Players count from 0; a cell without an owner has none.

    With the last turn's report, what was no command at all is among the errors as well.
    """
    return {
        "turn": game.turn,
        "info": {"max_turn": game.config.max_turn, "width": game.config.width, "height": game.config.height},
        "error": errors_of(game, None if report is None else report.order_input),
        "game_map": views.game_map(game),
        "users": views.users(game),
    }


def errors_of(game: "Colorfight", given: OrderInput | None) -> dict[int, list[str]]:
    """What went wrong last turn, for each player to whom something did.

    The state does not hold what was no command: such entries come from ``given``, the turn's orders as they were sent.
    """
    found: dict[int, list[str]] = {}
    not_understood = iter([] if given is None else [given.raw[row] for row in given.problems])
    for entry in list_failures(game):
        order = next(not_understood, _UNKNOWN) if entry["order"] is None else entry["order"]
        if order is not _UNKNOWN:
            found.setdefault(entry["player"], []).extend(error_texts([(order, entry["reason"], entry["sentence"])]))
    return found
