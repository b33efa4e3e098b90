"""Ruling 6: forces that would swap tiles."""

from tests.games.enova.builders import battles, defend, move, named, owned, position, support

SWAP = {0: [move((1, 0), (2, 0))], 1: [move((2, 0), (1, 0))]}


def test_the_moving_forces_of_two_players_meet_and_the_winner_goes_on_with_all_its_units() -> None:
    game = position(".....", land={(1, 0): (0, 9), (2, 0): (1, 2), (3, 0): (1, 0)})
    report = game.step(SWAP)
    (battle,) = battles(report)
    assert (battle["at"], battle["against"]) == ([1, 0], [2, 0])
    assert (battle["winner"], battle["parties"][1]["killed"]) == (0, 1)
    assert owned(game) == {(1, 0): (0, 0), (2, 0): (0, 9), (3, 0): (1, 1)}
    assert [event["to"] for event in named(report, "moved")] == [[2, 0]]


def test_supporters_count_next_to_the_tile_that_their_force_moves_into() -> None:
    land = {(0, 0): (1, 3), (1, 0): (0, 9), (2, 0): (1, 9), (3, 0): (0, 4)}
    game = position("....", land=land)
    (battle,) = battles(game.step({0: [*SWAP[0], support(3, 0)], 1: [*SWAP[1], support(0, 0)]}))
    assert {player: party["support"] for player, party in battle["parties"].items()} == {0: 4, 1: 3}


def test_there_is_no_defend_bonus_on_an_edge() -> None:
    land = {(0, 0): (0, 3), (1, 0): (0, 9), (2, 0): (1, 2), (3, 0): (1, 3)}
    game = position("....", land=land)
    report = game.step({0: [*SWAP[0], defend(0, 0)], 1: [*SWAP[1], defend(3, 0)]})
    (battle,) = battles(report)
    assert [party["defence"] for party in battle["parties"].values()] == [0, 0]


def test_the_loser_goes_back_to_the_tile_it_came_from_if_that_is_still_its_own() -> None:
    game = position("XX.X", "...X", land={(1, 1): (0, 9), (2, 1): (1, 40), (2, 0): (1, 1)})
    report = game.step({0: [move((1, 1), (2, 1))], 1: [move((2, 1), (1, 1), 2)]})
    edge, tile = battles(report)
    assert edge["winner"] == 0
    assert edge["parties"][1]["retreats"] == [{"to": [2, 1], "units": 1}]
    assert (tile["winner"], tile["parties"][1]["units"]) == (1, 38)
    assert owned(game) == {(1, 1): (0, 5), (2, 1): (1, 39), (2, 0): (1, 1)}


def test_a_beaten_force_whose_tile_was_taken_spreads_over_the_neighbours_of_that_tile() -> None:
    game = position("XX.X", "....", land={(1, 1): (0, 90), (2, 1): (1, 8), (2, 0): (1, 1), (3, 1): (1, 0)})
    (battle,) = battles(game.step({0: [move((1, 1), (2, 1))], 1: [move((2, 1), (1, 1))]}))
    assert battle["parties"][1]["retreats"] == [{"to": [2, 0], "units": 2}, {"to": [3, 1], "units": 2}]


def test_forces_of_one_player_just_swap() -> None:
    game = position("..X.", land={(0, 0): (0, 5), (1, 0): (0, 2), (3, 0): (1, 1)})
    report = game.step({0: [move((0, 0), (1, 0)), move((1, 0), (0, 0))]})
    assert battles(report) == []
    assert owned(game) == {(0, 0): (0, 2), (1, 0): (0, 5), (3, 0): (1, 1)}


def test_a_ring_of_four_meets_nowhere() -> None:
    game = position("..", "..", land={(0, 0): (0, 1), (1, 0): (1, 2), (1, 1): (2, 3), (0, 1): (3, 4)}, players=4)
    orders = {
        0: [move((0, 0), (1, 0))],
        1: [move((1, 0), (1, 1))],
        2: [move((1, 1), (0, 1))],
        3: [move((0, 1), (0, 0))],
    }
    assert battles(game.step(orders)) == []
    assert owned(game) == {(1, 0): (0, 1), (1, 1): (1, 2), (0, 1): (2, 3), (0, 0): (3, 4)}


def test_a_ring_of_three_meets_nowhere() -> None:
    game = position("..", ".X", land={(0, 0): (0, 1), (1, 0): (1, 2), (0, 1): (2, 3)}, players=3, diagonals=True)
    orders = {0: [move((0, 0), (1, 0))], 1: [move((1, 0), (0, 1))], 2: [move((0, 1), (0, 0))]}
    assert battles(game.step(orders)) == []
    assert owned(game) == {(1, 0): (0, 1), (0, 1): (1, 2), (0, 0): (2, 3)}


def test_after_the_edge_the_winner_fights_all_others_who_come_to_the_tile() -> None:
    game = position("....", land={(0, 0): (0, 0), (1, 0): (0, 20), (2, 0): (1, 2), (3, 0): (2, 90)}, players=3)
    report = game.step({**SWAP, 2: [move((3, 0), (2, 0))]})
    edge, tile = battles(report)
    assert edge["winner"] == 0
    assert set(tile["parties"]) == {0, 2}
    assert tile["winner"] == 2
    assert owned(game)[1, 0] == (0, 10)
