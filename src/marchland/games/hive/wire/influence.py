"""When influence last changed, which no state tells: a fold over the turns of a match."""

from typing import TYPE_CHECKING

import numpy as np

from marchland.games.hive.rules.state import Cells

if TYPE_CHECKING:
    from marchland.games.hive.game import Hive


class InfluenceLog:
    """Compares what could be told of every cell after each turn with what could be before."""

    def __init__(self, game: "Hive") -> None:
        self._told = _told(game)
        self.last_change = 0
        """The turn that began with another influence than the one before; 0 if none has."""

    def note(self, game: "Hive") -> None:
        """A turn was played."""
        told = _told(game)
        if told != self._told:
            self._told, self.last_change = told, game.turn


def _told(game: "Hive") -> bytes:
    """For each cell the one player who influences it, as his bit; nothing where nobody does, or several."""
    bits = game.part(Cells).influence
    return np.where(bits & (bits - 1), 0, bits).tobytes()
