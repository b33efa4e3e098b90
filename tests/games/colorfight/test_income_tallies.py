"""Income is added up by packed tallies: whatever the board holds, the sums are those of plain addition."""

import numpy as np
import pytest

import marchland
from marchland.core.game import Game
from marchland.core.state import NO_PLAYER
from marchland.games.colorfight.game import Colorfight
from marchland.games.colorfight.rules.state import EMPTY, HOME, MINE, WELL, Cells, Players


def filled(side: int, players: int, seed: int) -> Game:
    """A board with the highest and other yields, a Home for each of ``players``, in random order."""
    small = marchland.new("colorfight", 2, seed=0, config={"width": side, "height": side})
    names = [str(seat) for seat in range(players)]
    game = Colorfight(small.board, small.config, names, Colorfight.layout_for(side**2, players))
    chance = np.random.default_rng(seed)
    cells: Cells = game.arrays(Cells)
    cells.owner[:] = chance.integers(NO_PLAYER, players, side**2)
    cells.building[:] = np.where(cells.owner == NO_PLAYER, EMPTY, chance.choice([EMPTY, WELL, MINE, 4], side**2))
    cells.level[:] = np.where(cells.building == EMPTY, 0, chance.integers(1, 4, side**2))
    cells.natural_gold[:] = chance.choice([0, 1, 127], side**2)
    cells.natural_energy[:] = chance.choice([0, 10, 127], side**2)
    for player in range(0, players, 2):  # every second one has a Home
        owned = np.flatnonzero(cells.owner == player)
        if len(owned):
            cells.building[owned[0]], cells.level[owned[0]] = HOME, chance.integers(1, 4)
    return game


def add_up(game: Game, player: int) -> tuple[int, ...]:
    """Energy, gold, cells, resource buildings and tech level of a player, before tax."""
    cells: Cells = game.arrays(Cells)
    energy = gold = count = resources = level = 0
    for cell in np.flatnonzero(cells.owner == player).tolist():
        building, height = int(cells.building[cell]), int(cells.level[cell])
        count += 1
        resources += building in (WELL, MINE)
        if building == HOME:
            level = height
            energy += 10 * height
            gold += 10 * height
        else:
            energy += int(cells.natural_energy[cell]) * (1 + height * (building == WELL))
            gold += int(cells.natural_gold[cell]) * (1 + height * (building == MINE))
    return energy, gold, count, resources, level


@pytest.mark.parametrize(
    ("side", "players"),
    [(8, 2), (31, 8), (32, 3), (70, 1), (100, 1), (100, 40), (8, 300)],
    ids=lambda value: str(value),
)
def test_tallies_give_the_sums_of_plain_addition(side: int, players: int) -> None:
    game = filled(side, players, seed=side + players)
    game.count_income()  # type: ignore[attr-defined]
    sums: Players = game.arrays(Players)
    for player in range(players):
        tax = int(sums.tax[player])
        found = (
            int(sums.energy_source[player]) + tax,
            int(sums.gold_source[player]) + tax,
            int(sums.cells[player]),
            int(sums.resource_buildings[player]),
            int(sums.tech_level[player]),
        )
        assert found == add_up(game, player)


@pytest.mark.parametrize("spacing", [1, 4], ids=["every cell", "every fourth cell"])
@pytest.mark.parametrize("building", [WELL, MINE], ids=["wells", "mines"])
def test_the_richest_board_overflows_no_tally(building: int, spacing: int) -> None:
    game = filled(100, 2, seed=0)
    cells: Cells = game.arrays(Cells)
    cells.owner[:], cells.building[:], cells.level[:] = NO_PLAYER, EMPTY, 0
    cells.owner[::spacing], cells.building[::spacing], cells.level[::spacing] = 1, building, 3
    cells.natural_gold[:] = cells.natural_energy[:] = 127
    game.count_income()  # type: ignore[attr-defined]
    sums: Players = game.arrays(Players)
    count, tax = 10_000 // spacing, int(sums.tax[1])
    rich, poor = 127 * 4 * count - tax, 127 * count - tax
    assert (sums.cells[1], sums.resource_buildings[1]) == (count, count)
    assert (sums.energy_source[1], sums.gold_source[1]) == ((rich, poor) if building == WELL else (poor, rich))
