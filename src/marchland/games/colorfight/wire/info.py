"""Seed, "Communication": the message to a client."""

from collections.abc import Iterator
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from marchland.core import positions
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
        "error": errors_of(game, report),
        "game_map": views.game_map(game),
        "users": views.users(game),
    }


def errors_of(game: "Colorfight", report: Report | None) -> dict[int, list[str]]:
    """What went wrong last turn, for each player to whom something did."""
    found: dict[int, list[str]] = {}
    for entry, given in zip(positions.failures(game), _given(report), strict=False):
        if given is not _UNKNOWN or entry["order"] is not None:
            order = entry["order"] if given is _UNKNOWN else given
            found.setdefault(entry["player"], []).extend(error_texts([(order, entry["reason"], entry["sentence"])]))
    return found


def _given(report: Report | None) -> Iterator[Any]:
    """The orders that failed as they came, where that is known; decoding every order would cost more than the turn."""
    if report is None or report._given is None:
        return repeat(_UNKNOWN)
    return (report._given.raw[row] for row in np.flatnonzero(report.orders.table[-1]).tolist())
