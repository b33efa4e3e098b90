"""Maps: three of our own, a generator, and a validator that says what is wrong."""

import itertools
import json
from collections.abc import Callable, Iterator

import pytest

import marchland
from marchland.board import DIALECTS
from marchland.games.boidvoid.game import BoidVoid
from marchland.games.boidvoid.maps import mapfile
from marchland.games.boidvoid.maps.generator import generate
from marchland.games.boidvoid.maps.mapfile import Pair

GOOD = {"width": 4, "height": 3, "tiles": ["....", ".#..", " ..."], "homes": [[[0, 0]], [[3, 2]]]}


@pytest.mark.parametrize("name", ["duel", "ring", "straits"])
def test_our_maps_are_playable(name: str) -> None:
    assert name in mapfile.MAPS.names()
    assert mapfile.check_map(mapfile.MAPS.read(name)) == mapfile.remarks(mapfile.MAPS.read(name)) == []
    teams = len(mapfile.find(name).homes)
    game = BoidVoid.new(2 * teams, seed=1, map=name, config={"teams": teams})
    bots = [game.bots["greedy"](seed=seat) for seat in range(2 * teams)]
    for _ in range(5):
        game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
    assert sum(team["tiles"] for team in game.view()["teams"]) > sum(len(home) for home in mapfile.find(name).homes)


def motions(start: Pair, goal: Pair) -> Iterator[Callable[[Pair], Pair]]:
    """The turns and reflections of the hex lattice that lead one tile onto another."""
    p, q = DIALECTS["odd-r"].to_frame(*start)
    to_p, to_q = DIALECTS["odd-r"].to_frame(*goal)
    for turns, is_mirrored in itertools.product(range(6), (False, True)):

        def moved(at: Pair, turns: int = turns, is_mirrored: bool = is_mirrored) -> Pair:
            x, y = DIALECTS["odd-r"].to_frame(*at)
            x, y = x - p, y - q
            x, y = (y, x) if is_mirrored else (x, y)
            for _ in range(turns):
                x, y = -y, x + y
            column, row = DIALECTS["odd-r"].from_frame(x + to_p, y + to_q)
            return int(column), int(row)

        yield moved


def is_symmetry(found: mapfile.MapText, moved: Callable[[Pair], Pair]) -> bool:
    """Whether the motion leads tiles, points, NPCs and homes onto their like."""
    tiles = all(found.letter(moved(at)) == found.letter(at) for at in found.cells())
    places = ([place.at for place in found.points], [npc.at for npc in found.npcs])
    homes = {frozenset(team) for team in found.homes}
    return (
        tiles
        and all({moved(at) for at in listed} == set(listed) for listed in places)
        and {frozenset(map(moved, team)) for team in found.homes} == homes
    )


@pytest.mark.parametrize("name", mapfile.MAPS.names())
def test_on_our_maps_every_team_has_the_same_place_but_for_a_turn_or_a_reflection(name: str) -> None:
    found = mapfile.find(name)
    first = found.homes[0][0]
    for homes in found.homes[1:]:
        assert any(is_symmetry(found, moved) for moved in motions(first, homes[0]))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"tiles": ["....", ".#.x", " ..."]}, "'x'"),
        ({"tiles": ["...."]}, "3 rows of 4"),
        ({"width": 0}, "sides of 1"),
        ({"homes": [[[0, 0]]]}, "two teams"),
        ({"homes": [[[0, 0]], []]}, "no home"),
        ({"homes": [[[0, 0]], [[1, 1]]]}, "where no unit can be"),
        ({"homes": [[[0, 0]], [[0, 0]]]}, "but so is"),
        ({"npcs": [{"at": [0, 2]}]}, "An NPC is at"),
        ({"npcs": [{"at": [1, 0], "stats": {"battery": 3}}]}, "no 'battery'"),
        ({"npcs": [{"at": [1, 0], "stats": {"health": 0}}]}, "no health"),
        ({"points": [{"at": [1, 0], "bonuses": {"atack": 3}}]}, "did you mean 'attack'"),
        ({"points": [{"at": [1, 0], "bonuses": {"attack": 9999}}]}, "out of bounds"),
        ({"moons": 3}, "cannot be read"),
    ],
)
def test_a_bad_map_is_refused_with_what_is_wrong(change: dict[str, object], problem: str) -> None:
    (said, *_) = mapfile.check_map(json.dumps({**GOOD, **change}))
    assert problem in said


def test_teams_with_different_numbers_of_homes_are_a_remark() -> None:
    text = json.dumps({**GOOD, "homes": [[[0, 0]], [[3, 2], [2, 2]]]})
    assert mapfile.check_map(text) == []
    assert ["different numbers" in remark for remark in mapfile.remarks(text)] == [True]


def test_a_map_may_be_a_name_a_text_or_its_data() -> None:
    assert BoidVoid.new(2, map=GOOD).board.size == BoidVoid.new(2, map=json.dumps(GOOD)).board.size == 11
    for bad in ("nowhere", 3, {"width": 1}):
        with pytest.raises(marchland.MapError):
            BoidVoid.new(2, map=bad)
    with pytest.raises(marchland.MapError, match="not for 3"):
        BoidVoid.new(3, map=GOOD, config={"teams": 3})


def test_a_drawn_map_for_two_is_its_own_image_and_round_trips() -> None:
    drawn = generate(20, 14, seed=9)
    rows = "".join(drawn.tiles)
    assert rows == rows[::-1]
    text = mapfile.write(generate(width=20, height=14, seed=9))
    assert mapfile.read(text) == drawn
    assert mapfile.check_map(text) == []


@pytest.mark.parametrize("teams", [2, 3, 5])
def test_drawn_maps_can_be_played(teams: int) -> None:
    assert mapfile.check_map(mapfile.write(generate(24, 24, teams, seed=teams, obstacles=30))) == []
