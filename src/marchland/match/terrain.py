"""What an audience remembers of the land: terrain stays known after it has left sight, as it was last seen."""

import numpy as np
import numpy.typing as npt

from marchland.core.game import Game
from marchland.core.scene import Picture, patches_of
from marchland.messages import Patch

_NEVER_SEEN = -1


class Remembered:
    """Every layer of a game that says what is hidden, with the value that each cell had when it was last seen."""

    def __init__(self, game: Game) -> None:
        self.cells = game.board.size
        self._hidden = {number: layer.hidden_code for number, layer in enumerate(game.layers) if layer.hidden_code >= 0}
        self._last = {number: np.full(game.board.size, _NEVER_SEEN, np.int16) for number in self._hidden}

    def see(self, picture: Picture) -> None:
        """Take in what can be seen now."""
        for number, hidden in self._hidden.items():
            seen = picture.layers[number] != hidden
            self._last[number][seen] = picture.layers[number][seen]

    def known(self, game: Game, now: Picture) -> list[Patch]:
        """All that is out of sight and was seen before."""
        return self._told(game, {number: self._veiled(now, number) for number in self._hidden})

    def lost(self, game: Game, before: Picture, now: Picture) -> list[Patch]:
        """What has left sight since the picture before."""
        return self._told(
            game, {number: self._veiled(now, number) & ~self._veiled(before, number) for number in self._hidden}
        )

    def _veiled(self, picture: Picture, number: int) -> npt.NDArray[np.bool_]:
        veiled: npt.NDArray[np.bool_] = picture.layers[number] == self._hidden[number]
        return veiled

    def _told(self, game: Game, wanted: dict[int, npt.NDArray[np.bool_]]) -> list[Patch]:
        return [
            patch
            for number, last in self._last.items()
            for patch in patches_of(game.board, number, last, np.flatnonzero(wanted[number] & (last != _NEVER_SEEN)))
        ]
