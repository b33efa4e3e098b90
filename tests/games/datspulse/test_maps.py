"""Seed: "Map", "Anthill"; rulings 1 and 2."""

import numpy as np
import pytest

import marchland
from marchland.games.datspulse.game import Datspulse
from marchland.games.datspulse.maps.generator import BIOMES, nearest, nest_of, radius_for
from marchland.games.datspulse.rules.config import GENERATORS
from marchland.games.datspulse.rules.state import ACID, ANTHILL, DIRT, EMPTY, ROCK, Cells
from tests.support.datspulse_arena_checks import disk, neighbours


def made(generator: str, teams: int, seed: int = 1, **config: int) -> Datspulse:
    game = marchland.new("datspulse", teams, seed=seed, map=generator, config=config)
    assert isinstance(game, Datspulse)
    return game


@pytest.mark.parametrize(("teams", "radius"), [(1, 20), (3, 20), (4, 23), (8, 33), (100, 115), (533, 267)])
def test_the_map_grows_with_the_teams_about_four_hundred_hexes_each(teams: int, radius: int) -> None:
    config = marchland.find("datspulse").config_type.build()
    assert radius_for(config, teams) == radius  # type: ignore[arg-type]


def test_the_board_is_a_hexagon_round_the_centre_in_odd_r_coordinates() -> None:
    game = made("lattice", 2)
    assert {tuple(at) for at in game.board.coords.tolist()} == disk((0, 0), 20)
    for cell in range(0, game.board.size, 37):
        beside = {game.board.at(other) for other in game.board.neighbours(cell)}
        assert beside == {at for at in neighbours(game.board.at(cell)) if game.board.index(*at) >= 0}


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("teams", [1, 2, 3, 8, 40])
def test_every_generator_gives_each_team_a_nest_far_from_the_others(generator: str, teams: int) -> None:
    game = made(generator, teams)
    spots = [game.home(team)[0] for team in range(teams)]
    least = 20 if generator == "lattice" else 20 - 2 * 3
    apart = [game.board.distance(a, b) for a in spots for b in spots if a != b]
    assert not apart or min(apart) >= least
    cells: Cells = game.arrays(Cells)
    for team, spot in enumerate(spots):
        assert tuple(game.home(team)) == nest_of(game.board, spot)
        assert (cells.terrain[game.home(team)] == ANTHILL).all()
        assert (cells.nest[game.home(team)] == team).all()
    assert np.count_nonzero(cells.terrain == ANTHILL) == 3 * teams


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("seed", range(3))
def test_terrain_has_the_recorded_shares(generator: str, seed: int) -> None:
    terrain = made(generator, 12, seed).arrays(Cells).terrain
    shares = {kind: (terrain == kind).mean() for kind in (EMPTY, DIRT, ACID, ROCK)}
    assert 0.61 <= shares[EMPTY] <= 0.78
    assert 0.04 <= shares[DIRT] <= 0.25
    assert 0.03 <= shares[ACID] <= 0.12
    assert 0.04 <= shares[ROCK] <= 0.10


@pytest.mark.parametrize("generator", GENERATORS)
def test_dirt_acid_and_rock_have_on_average_the_shares_of_recorded_finals(generator: str) -> None:
    maps = [made(generator, 40, seed).arrays(Cells).terrain for seed in range(4)]
    shares = [100 * np.mean([(terrain == kind).mean() for terrain in maps]) for kind in (DIRT, ACID, ROCK)]
    assert np.abs(np.array(shares) - (9.0, 9.6, 6.8)).max() < 2


def test_every_biome_has_the_recorded_shares() -> None:
    for dirt, acid, rock in BIOMES:
        assert 61 <= 100 - dirt - acid - rock <= 78
        assert 4 <= dirt <= 25
        assert 3 <= acid <= 12
        assert 4 <= rock <= 10


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("rock", [7, 20])
def test_every_nest_can_reach_every_other(generator: str, rock: int) -> None:
    game = made(generator, 12, rock_percent=rock)
    terrain = game.arrays(Cells).terrain
    fares = np.where((terrain == ROCK) | (terrain == ANTHILL), -1, 1)
    field = game.board.field(game.home(0), fares)
    for team in range(1, 12):
        assert max(field[other] for cell in game.home(team) for other in game.board.neighbours(cell)) >= 0


@pytest.mark.parametrize("teams", [3, 4, 7, 8, 20, 100, 533])
def test_on_a_lattice_every_team_has_the_same_land_and_food_round_its_nest(teams: int) -> None:
    game = made("lattice", teams)
    cells: Cells = game.arrays(Cells)

    def around(team: int) -> list[tuple[int, ...]]:
        near = game.board.disk(game.home(team)[0], 7)
        frame = np.asarray(game.board.tables.frame).reshape(-1, 2)
        offsets = frame[near] - frame[game.home(team)[0]]
        columns = (*offsets.T, cells.terrain[near], cells.food[near], cells.amount[near])
        return sorted(zip(*(column.tolist() for column in columns), strict=True))

    assert all(around(team) == around(0) for team in range(teams))


def distances(game: Datspulse) -> list[list[int]]:
    """For each team how far the other nests and the edge of the map are from its spot."""
    spots = [game.home(team)[0] for team in range(len(game.players))]
    centre = game.board.index(0, 0)
    return [
        [*sorted(game.board.distance(spot, other) for other in spots), game.board.distance(spot, centre)]
        for spot in spots
    ]


def test_four_nests_are_equally_far_from_each_other_and_from_the_edge() -> None:
    assert distances(made("lattice", 4)) == [[0, 20, 20, 30, 15]] * 4


@pytest.mark.parametrize("radius", [12, 15, 20, 24])
def test_four_nests_stand_alike_on_a_map_of_any_radius(radius: int) -> None:
    first, *others = distances(made("lattice", 4, radius=radius))
    assert others == [first] * 3


@pytest.mark.parametrize("generator", ["jitter", "biomes"])
def test_four_nests_stray_alike_so_that_none_is_nearer_to_the_others(generator: str) -> None:
    layouts = [distances(made(generator, 4, seed)) for seed in range(10)]
    assert all(others == [first] * 3 for first, *others in layouts)
    assert len({tuple(first) for first, *_ in layouts}) > 3


@pytest.mark.parametrize("generator", ["jitter", "biomes"])
def test_four_nests_stray_no_farther_than_on_other_maps(generator: str) -> None:
    for seed in range(10):
        assert all(least >= 14 and most <= 36 for _, least, _, most, _ in distances(made(generator, 4, seed)))


@pytest.mark.parametrize("generator", ["jitter", "biomes"])
@pytest.mark.parametrize("teams", [8, 100])
def test_no_team_has_much_less_land_than_the_others(generator: str, teams: int) -> None:
    game = made(generator, teams)
    spots = [game.home(team)[0] for team in range(teams)]
    land = np.bincount(nearest(game.board, spots), minlength=teams)
    assert land.min() > 0.6 * np.median(land)
    assert land.max() < 2 * np.median(land)


@pytest.mark.parametrize("teams", [8, 100, 533])
def test_the_edge_cuts_no_nests_surroundings_off(teams: int) -> None:
    game = made("jitter", teams)
    assert {len(game.board.disk(game.home(team)[0], 4)) for team in range(teams)} == {61}


def test_biomes_differ_from_team_to_team() -> None:
    game = made("biomes", 12)
    cells: Cells = game.arrays(Cells)
    dirt = [float((cells.terrain[game.board.disk(game.home(team)[0], 8)] == DIRT).mean()) for team in range(12)]
    assert max(dirt) > min(dirt) + 0.08


def test_the_seed_decides_which_team_starts_where() -> None:
    assert len({made("lattice", 3, seed).home(0)[0] for seed in range(12)}) == 3


def test_a_given_radius_is_used_and_one_that_is_too_small_is_refused() -> None:
    assert made("jitter", 533, radius=207).board.size == 129_169
    with pytest.raises(marchland.MapError, match="no room for 50 nests"):
        made("jitter", 50, radius=20)


def test_a_map_can_be_given_as_text() -> None:
    rows = ["." * (9 - abs(row)) for row in range(-4, 5)]
    drawn = {"map": rows, "spots": [[-3, 0], [3, 0]], "food": [{"at": [0, 0], "type": "bread", "amount": 3}]}
    game = marchland.new("datspulse", 2, seed=0, map=drawn)
    assert game.view(0)["spot"] == [-3, 0]
    for broken in ({"map": rows[1:], "spots": [[-3, 0], [3, 0]]}, {"map": rows, "spots": [[-3, 0]]}, "nowhere"):
        with pytest.raises(marchland.MapError):
            marchland.new("datspulse", 2, seed=0, map=broken)
