"""Ruling 1: the board."""

import numpy as np
import pytest

import marchland
from marchland.core.state import NO_PLAYER
from marchland.games.enova.rules.state import Cells
from marchland.games.enova.rules.terrain import CASTLE, IMPASSABLE

SEED_BOARD = ["C...C", ".X.X.", ".....", ".X.X.", "C...C"]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_up_to_four_players_have_exactly_the_board_of_the_seed(players: int) -> None:
    assert marchland.new("enova", players, seed=1).view()["map"] == SEED_BOARD


@pytest.mark.parametrize(("players", "size"), [(5, [9, 5]), (6, [9, 5]), (7, [9, 9]), (9, [9, 9]), (10, [13, 9])])
def test_the_size_of_the_board_grows_with_the_number_of_players(players: int, size: list[int]) -> None:
    assert marchland.new("enova", players, seed=1).view()["size"] == size


@pytest.mark.parametrize("players", [2, 7, 30])
def test_castles_lie_on_a_lattice_of_period_four_with_walls_where_both_coordinates_are_odd(players: int) -> None:
    game = marchland.new("enova", players, seed=1)
    terrain = game.arrays(Cells).terrain
    x, y = game.board.coords.T
    assert np.array_equal(terrain == CASTLE, (x % 4 == 0) & (y % 4 == 0))
    assert np.array_equal(terrain == IMPASSABLE, (x % 4 % 2 == 1) & (y % 4 % 2 == 1))


@pytest.mark.parametrize("map", ["lattice", "torus"])
def test_every_player_starts_on_a_castle_of_its_own_and_spare_castles_are_unowned(map: str) -> None:
    cells: Cells = marchland.new("enova", 7, seed=1, map=map).arrays(Cells)
    seats = np.flatnonzero(cells.owner != NO_PLAYER)
    assert sorted(cells.owner[seats].tolist()) == list(range(7))
    assert (cells.terrain[seats] == CASTLE).all()
    assert (cells.units[cells.owner == NO_PLAYER] == 0).all()


def test_start_seats_are_drawn_by_the_seed() -> None:
    seats = [marchland.new("enova", 4, seed=seed).view()["owner"] for seed in [1, 1, *range(2, 12)]]
    assert seats[0] == seats[1]
    assert len({str(seat) for seat in seats}) > 3


def test_a_torus_gives_every_castle_the_same_surroundings() -> None:
    game = marchland.new("enova", 9, seed=1, map="torus")
    assert game.view()["size"] == [12, 12]
    assert game.board.wrap
    terrain = game.arrays(Cells).terrain.reshape(12, 12)
    for x in range(0, 12, 4):
        for y in range(0, 12, 4):
            assert np.array_equal(np.roll(terrain, (-y, -x), (0, 1)), terrain)


def test_with_diagonals_a_tile_has_eight_neighbours() -> None:
    game = marchland.new("enova", 2, seed=1, config={"diagonals": True})
    assert len(game.board.neighbours(game.board.index(2, 2))) == 8
    assert game.board.directions[:3] == ("N", "NE", "E")


def test_a_hundred_players_share_a_board_and_a_turn() -> None:
    game = marchland.new("enova", 100, seed=1)
    bots = [game.bots["random"](seed=seat) for seat in range(100)]
    for _ in range(3):
        report = game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
        assert all(result.ok for results in report.results.values() for result in results)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"castle_spacing": 5}, "even"),
        ({"least_castles": 1}, "least_castles"),
        ({"variance_percent": 101}, "variance_percent"),
        ({"diagonal": True}, "diagonals"),
    ],
)
def test_settings_that_make_no_game_are_refused(settings: dict[str, int], words: str) -> None:
    with pytest.raises(marchland.ConfigError, match=words):
        marchland.new("enova", 2, config=settings)


def test_castles_may_lie_further_apart_and_be_more() -> None:
    game = marchland.new("enova", 2, seed=1, config={"castle_spacing": 6, "least_castles": 3})
    assert game.view()["size"] == [13, 13]
