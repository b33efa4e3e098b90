"""The chances of an attack if the enemy stays, and if it defends; other orders of the player count."""

from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from marchland.core.state import NO_PLAYER
from marchland.games.enova.rules.state import MOVING, SUPPORTING, Cells, Ordered, Plans
from marchland.messages import Forecast

if TYPE_CHECKING:
    from marchland.games.enova.game import Enova

Longs = npt.NDArray[np.int64]

CERTAIN: Final = 100


def forecasts(game: "Enova", player: int, source: int, target: int, units: Longs) -> list[Forecast | None]:
    """What would become of moves of so many units from one tile to the next."""
    cells: Cells = game.arrays(Cells)
    if cells.owner[target] in (player, NO_PLAYER):
        return [None] * len(units)
    held = int(cells.units[target])
    if held == 0:
        return [Forecast("UNDEFENDED")] * len(units)
    strength = units + others_strength(game, player, source, target)
    percent = game.config.variance_percent
    chances = zip(
        win_chances(strength, held, percent).tolist(), win_chances(strength, 2 * held, percent).tolist(), strict=True
    )
    return [
        Forecast("BATTLE", {"chance": chance, "defended": defended, "held": held}, hopeless=chance == 0)
        for chance, defended in chances
    ]


def others_strength(game: "Enova", player: int, source: int, target: int) -> int:
    """The units on other tiles that the player's planned orders bring into the battle: they enter or support."""
    cells: Cells = game.arrays(Cells)
    plans: Plans = game.layout.arrays(game.workspace, Plans)
    ordered: Ordered = game.layout.arrays(game.workspace, Ordered)
    board, total = game.board, 0
    for neighbour in set(board.neighbours(target)) - {source}:
        if cells.owner[neighbour] != player:
            continue
        doing = int(plans.doing[neighbour])
        if doing == SUPPORTING:
            total += int(cells.units[neighbour])
        elif doing >= MOVING and board.tables.neighbours[neighbour * board.degree + doing - MOVING] == target:
            total += int(ordered.going[plans.order[neighbour] - 1])
    return total


def win_chances(strength: Longs, held: int, variance_percent: int) -> Longs:
    """In percent the chance of each strength against a tile's owner (rulings 8, 16); 0 and 100 are certain.

    Each party adds a die of as many sides as the variance. Equal scores are drawn again, but without variance the owner
    holds.
    """
    sides = np.maximum(1, (strength + held) * variance_percent // 100)
    lead = strength - held
    margin = np.clip(np.abs(lead), 0, sides)
    ties = np.maximum(sides - margin, 0)
    behind = np.maximum(sides - margin - 1, 0)
    worse = behind * (behind + 1) // 2  # throws in which the weaker party still wins
    better = sides * sides - ties - worse
    wins = np.where(lead >= 0, better, worse)
    decided = np.maximum(sides * sides - ties, 1)
    chance = np.where(sides == 1, CERTAIN * (lead > 0), np.rint(CERTAIN * wins / decided)).astype(np.int64)
    is_open = (sides > 1) & (wins > 0) & (wins < decided)
    found: Longs = np.where(is_open, np.clip(chance, 1, CERTAIN - 1), chance)
    return found
