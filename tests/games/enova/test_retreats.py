"""Rulings 9 and 10: what becomes of the losers."""

from collections import Counter

import pytest

from marchland.core.game import Game
from marchland.ratings.significance import uniform_test
from tests.games.enova.builders import battles, move, named, owned, position

# The middle of a cross of tiles; 0 comes from the south with far too many.
CROSS = ("X.X", "...", "X.X", "X.X")
NORTH, EAST, WEST, MIDDLE, SOUTH = (1, 0), (2, 1), (0, 1), (1, 1), (1, 2)
ATTACK = {0: [move(SOUTH, MIDDLE)]}


@pytest.mark.parametrize(("units", "killed"), [(1, 0), (2, 1), (3, 1), (4, 2), (9, 4)])
def test_half_of_a_losing_party_rounded_down_is_killed_and_the_rest_retreat(units: int, killed: int) -> None:
    game = position(*CROSS, land={SOUTH: (0, 500), MIDDLE: (1, units), NORTH: (1, 1)})
    report = game.step(ATTACK)
    (battle,) = battles(report)
    loser = battle["parties"][1]
    assert loser["killed"] == killed
    assert sum(retreat["units"] for retreat in loser["retreats"]) == units - killed


def test_winners_lose_nothing() -> None:
    game = position(*CROSS, land={SOUTH: (0, 500), MIDDLE: (1, 100)})
    (battle,) = battles(game.step(ATTACK))
    assert battle["parties"][0] | {"dice": [], "score": 0} == {
        "units": 500,
        "support": 0,
        "defence": 0,
        "strength": 500,
        "dice": [],
        "score": 0,
        "killed": 0,
        "routed": 0,
        "retreats": [],
    }


def test_the_rest_retreats_evenly_and_unowned_tiles_become_its_own() -> None:
    game = position(*CROSS, land={SOUTH: (0, 500), MIDDLE: (1, 12)})
    game.step(ATTACK)
    assert owned(game) == {SOUTH: (0, 0), MIDDLE: (0, 500), NORTH: (1, 2), EAST: (1, 2), WEST: (1, 2)}


@pytest.mark.parametrize(
    ("units", "friendly", "shares"),
    [
        (2, [WEST], {WEST: [1]}),
        (4, [EAST, WEST], {EAST: [1], WEST: [1]}),
        (4, [WEST], {WEST: [1], NORTH: [0, 1], EAST: [0, 1]}),
        (14, [], {NORTH: [2, 3], EAST: [2, 3], WEST: [2, 3]}),
        (16, [WEST], {WEST: [3], NORTH: [2, 3], EAST: [2, 3]}),
    ],
)
def test_the_remainder_goes_one_each_to_friendly_before_unowned_tiles(
    units: int, friendly: list[tuple[int, int]], shares: dict[tuple[int, int], list[int]]
) -> None:
    game = position(*CROSS, land={SOUTH: (0, 500), MIDDLE: (1, units)} | dict.fromkeys(friendly, (1, 0)))
    retreats = [retreated(game, seed) for seed in range(40)]
    assert {sum(sent.values()) for sent in retreats} == {units // 2}
    assert {tile: sorted({sent[tile] for sent in retreats}) for tile in shares} == shares


@pytest.mark.parametrize("units", [1, 2])
def test_a_draw_decides_which_of_equal_tiles_get_the_remainder(units: int) -> None:
    game = position(*CROSS, land={SOUTH: (0, 500), MIDDLE: (1, 2 * units)})
    drawn = Counter(tuple(sorted(retreated(game, seed).elements())) for seed in range(600))
    assert len(drawn) == 3  # one of three tiles, or all but one
    assert uniform_test(list(drawn.values())).p > 0.01


def retreated(game: Game, seed: int) -> Counter[tuple[int, int]]:
    """How many of player 1's units go where after the attack."""
    (battle,) = battles(game.fork(seed=seed).step(ATTACK))
    return Counter({tuple(retreat["to"]): retreat["units"] for retreat in battle["parties"][1]["retreats"]})


def test_foreign_tiles_are_not_safe_even_if_they_are_empty() -> None:
    land = {SOUTH: (0, 500), MIDDLE: (1, 12), NORTH: (0, 0), EAST: (0, 1)}
    game = position(*CROSS, land=land)
    game.step(ATTACK)
    assert owned(game)[WEST] == (1, 6)


def test_without_a_safe_tile_all_are_routed_and_lost() -> None:
    land = {SOUTH: (0, 500), MIDDLE: (1, 7), NORTH: (0, 0), EAST: (0, 1), WEST: (0, 0)}
    game = position(*CROSS, land=land)
    report = game.step(ATTACK)
    (battle,) = battles(report)
    assert (battle["parties"][1]["killed"], battle["parties"][1]["routed"]) == (3, 4)
    assert named(report, "eliminated") == [{"event": "eliminated", "player": 1}]


def test_attackers_retreat_to_the_tile_they_came_from() -> None:
    game = position("X.X", "XXX", "...", land={(0, 2): (0, 5), (1, 2): (1, 500)})
    game.step({0: [move((0, 2), (1, 2))]})
    assert owned(game) == {(0, 2): (0, 2), (1, 2): (1, 500), (2, 2): (0, 1)}


def test_a_tile_that_was_taken_in_the_same_turn_is_not_safe() -> None:
    game = position("....", land={(0, 0): (2, 3), (1, 0): (0, 5), (2, 0): (1, 500), (3, 0): (1, 0)}, players=3)
    report = game.step({0: [move((1, 0), (2, 0))], 2: [move((0, 0), (1, 0))]})
    (battle,) = battles(report)
    assert battle["parties"][0]["routed"] == 3
    assert owned(game)[1, 0] == (2, 3)


def test_a_tile_that_was_won_in_the_same_turn_is_safe() -> None:
    land = {(0, 0): (0, 500), (1, 0): (1, 4), (2, 0): (2, 1), (2, 1): (1, 90)}
    game = position("...X", "XX.X", land=land, players=3)
    game.step({0: [move((0, 0), (1, 0))], 1: [move((2, 1), (2, 0))]})
    assert owned(game)[2, 0] == (1, 90 + 2)


def test_an_unowned_tile_that_groups_of_two_players_would_take_is_safe_for_neither() -> None:
    # Both middles are lost; the tile between them is the only one left for player 1, and one of two for player 2.
    rows = ("XX.XX", ".....", "X.X.X")
    land = {(1, 2): (0, 500), (3, 2): (0, 500), (1, 1): (1, 4), (3, 1): (2, 8), (0, 1): (0, 0)}
    game = position(*rows, land=land, players=3)
    report = game.step({0: [move((1, 2), (1, 1)), move((3, 2), (3, 1))]})
    assert (2, 1) not in owned(game)
    assert named(report, "routed") == [{"event": "routed", "battle": 1, "player": 1, "at": [1, 1], "units": 2}]
    assert owned(game)[4, 1] == (2, 4)


def test_two_groups_of_one_player_may_share_a_tile() -> None:
    rows = ("XX.XX", ".....", "X.X.X")
    land = {(1, 2): (0, 500), (3, 2): (0, 500), (1, 1): (1, 4), (3, 1): (1, 8), (0, 1): (0, 0), (4, 1): (0, 0)}
    game = position(*rows, land=land)
    game.step({0: [move((1, 2), (1, 1)), move((3, 2), (3, 1))]})
    assert owned(game)[2, 1] == (1, 2 + 4)


def test_a_tile_counts_as_unowned_for_all_groups_even_if_one_of_them_takes_it() -> None:
    # The unit from (1, 1) can only go to (2, 1); if that were friendly for the one from (3, 1), both would go there.
    rows = ("XXXXX", ".....", "X.X.X")
    land = {(1, 2): (0, 500), (3, 2): (0, 500), (1, 1): (1, 2), (3, 1): (1, 2), (0, 1): (0, 0)}
    game = position(*rows, land=land)
    ends = []
    for seed in range(10):
        fork = game.fork(seed=seed)
        fork.step({0: [move((1, 2), (1, 1)), move((3, 2), (3, 1))]})
        ends.append((owned(fork)[2, 1], owned(fork).get((4, 1))))
    assert set(ends) == {((1, 2), None), ((1, 1), (1, 1))}


def test_with_diagonals_the_remainder_goes_to_all_eight_sides() -> None:
    game = position("...", "...", "...", land={(1, 2): (0, 500), (1, 1): (1, 2)}, diagonals=True)
    drawn = Counter(tile for seed in range(700) for tile in retreated(game, seed))
    assert len(drawn) == 7
    assert uniform_test(list(drawn.values())).p > 0.01


def test_the_share_that_is_killed_can_be_set() -> None:
    game = position(*CROSS, land={SOUTH: (0, 500), MIDDLE: (1, 10), NORTH: (1, 1)}, killed_percent=100)
    (battle,) = battles(game.step(ATTACK))
    assert battle["parties"][1]["killed"] == 10
