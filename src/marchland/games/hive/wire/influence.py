"""The turn in which influence last changed, which no state holds: a fold over the turns of a match."""

from typing import TYPE_CHECKING

import numpy as np

from marchland.games.hive.rules.state import Cells

if TYPE_CHECKING:
    from marchland.games.hive.game import Hive


class InfluenceLog:
    """Compares the influence on every cell after each turn with the one before."""

    def __init__(self, game: "Hive") -> None:
        self._influence = _influence(game)
        self.last_change = 0
        """The turn that began with another influence than the one before; 0 if none has."""

    def note(self, game: "Hive") -> None:
        """A turn was played."""
        influence = _influence(game)
        if influence != self._influence:
            self._influence, self.last_change = influence, game.turn


def _influence(game: "Hive") -> bytes:
    """For each cell the bit of the one player who influences it; 0 for none or several."""
    bits = game.arrays(Cells).influence
    return np.where(bits & (bits - 1), 0, bits).tobytes()
