"""What a team knows as integer arrays, and the same from a view that came over the network."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from marchland.board import Board
from marchland.games.datspulse.rules.config import DatspulseConfig
from marchland.games.datspulse.rules.state import FOODS, KINDS, TERRAINS, Ants, Cells
from marchland.games.datspulse.views import food_by_hex, look_around, view

if TYPE_CHECKING:
    from marchland.games.datspulse.game import Datspulse

__all__ = ["observation_from_view", "observe", "view"]

Numbers = npt.NDArray[Any]

OBSERVED_ANTS = ("id", "cell", "kind", "health", "food", "amount")
OBSERVED_OF_ENEMIES = ("health", "food", "amount")
OBSERVED_RULES = ("max_turn", "speed", "capacity", "dirt_cost")


def observe(game: "Datspulse", team: int) -> dict[str, Numbers]:
    """One value a hex for what lies there, three for the enemies by kind; one value a row for the team's own ants."""
    size = game.board.size
    cells: Cells = game.arrays(Cells)
    sight = look_around(game, team)
    at = sight.cells
    arrays = hidden_everywhere(size, game.slots)
    arrays["terrain"][at] = cells.terrain[at]
    for name, column in zip(("food", "amount"), food_by_hex(game), strict=True):
        arrays[name][at] = column[at]
    ants: Ants = game.arrays(Ants)
    rows = slice(team * game.slots, (team + 1) * game.slots)
    for name in OBSERVED_ANTS:
        arrays[f"ant_{name}"][:] = getattr(ants, name)[rows]
    foes = np.flatnonzero((ants.health > 0) & (ants.team != team) & (sight.seen[ants.cell] != 0))
    places = len(KINDS) * ants.cell[foes] + ants.kind[foes]
    for name in OBSERVED_OF_ENEMIES:
        arrays[f"enemy_{name}"][places] = getattr(ants, name)[foes]
    return arrays | circumstances(game.config, game.turn, game.radius, team, game.score(team), game.home(team))


def hidden_everywhere(size: int, slots: int) -> dict[str, Numbers]:
    """The arrays of a team that sees nothing."""
    shapes = {"terrain": size, "food": size, "amount": size}
    shapes |= {f"enemy_{name}": len(KINDS) * size for name in OBSERVED_OF_ENEMIES}
    shapes |= {f"ant_{name}": slots for name in OBSERVED_ANTS}
    return {name: np.zeros(count, np.int64) for name, count in shapes.items()}


def circumstances(config: Any, turn: int, radius: int, team: int, score: int, home: list[int]) -> dict[str, Numbers]:
    """The team, the turn and the rules."""
    arrays = {name: np.array(getattr(config, name), np.int64).reshape(-1) for name in OBSERVED_RULES}
    arrays["home"] = np.array(home, np.int64)
    for name, value in (("turn", turn), ("radius", radius), ("me", team), ("score", score)):
        arrays[name] = np.array([value], np.int64)
    return arrays


def observation_from_view(view: dict[str, Any]) -> dict[str, Numbers]:
    """The arrays of `observe` from a view that came over the network."""
    board = Board.hexagon(view["radius"], dialect="odd-r")
    config = DatspulseConfig.build(view["info"])
    arrays = hidden_everywhere(board.size, config.ant_limit + 1)
    for tile in view["map"]:
        arrays["terrain"][board.index(*tile["at"])] = TERRAINS.index(tile["type"])
    for pile in view["food"]:
        cell = board.index(*pile["at"])
        arrays["food"][cell], arrays["amount"][cell] = FOODS.index(pile["type"]), pile["amount"]
    for row, ant in enumerate(view["ants"]):
        for name, value in zip(OBSERVED_ANTS, _numbers(board, ant), strict=True):
            arrays[f"ant_{name}"][row] = value
    for ant in view["enemies"]:
        if ant["health"] > 0:
            _, cell, kind, *values = _numbers(board, ant)
            for name, value in zip(OBSERVED_OF_ENEMIES, values, strict=True):
                arrays[f"enemy_{name}"][len(KINDS) * cell + kind] = value
    home = [board.index(*at) for at in view["home"]]
    return arrays | circumstances(config, view["turn"], view["radius"], view["me"], view["score"], home)


def _numbers(board: Board, ant: dict[str, Any]) -> tuple[int, ...]:
    food = ant["food"] or {"type": FOODS[0], "amount": 0}
    cell, kind = board.index(*ant["at"]), KINDS.index(ant["type"])
    return ant["id"], cell, kind, ant["health"], FOODS.index(food["type"]), food["amount"]
