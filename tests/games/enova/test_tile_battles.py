"""Ruling 7: battles on tiles."""

from tests.games.enova.builders import battles, defend, move, named, owned, position, support


def test_one_party_walks_in() -> None:
    game = position("..X.", land={(0, 0): (0, 2), (1, 0): (1, 0), (3, 0): (1, 1)})
    report = game.step({0: [move((0, 0), (1, 0))]})
    assert battles(report) == []
    assert named(report, "captured") == [{"event": "captured", "at": [1, 0], "by": 0, "from": 1}]
    assert owned(game)[1, 0] == (0, 2)


def test_a_players_arrivals_from_several_tiles_are_one_force() -> None:
    game = position("...", ".X.", land={(0, 0): (0, 3), (2, 0): (0, 4), (1, 0): (1, 2)})
    (battle,) = battles(game.step({0: [move((0, 0), (1, 0)), move((2, 0), (1, 0))]}))
    assert battle["parties"][0]["units"] == 7
    assert owned(game)[1, 0] == (0, 7)


def test_arrivals_strengthen_the_units_that_are_there() -> None:
    game = position("....", land={(0, 0): (0, 3), (1, 0): (0, 4), (3, 0): (1, 2)})
    report = game.step({0: [move((0, 0), (1, 0)), defend(1, 0)]})
    assert battles(report) == []
    assert owned(game)[1, 0] == (0, 7)


def test_an_enemy_tile_without_units_is_defended_by_adjacent_support_only() -> None:
    game = position("...", land={(0, 0): (0, 2), (1, 0): (1, 0), (2, 0): (1, 50)})
    (battle,) = battles(game.step({0: [move((0, 0), (1, 0))], 1: [support(2, 0)]}))
    party = battle["parties"][1]
    assert (party["units"], party["support"], battle["winner"]) == (0, 50, 1)
    assert owned(game) == {(0, 0): (0, 1), (1, 0): (1, 0), (2, 0): (1, 50)}


def test_support_that_loses_an_empty_tile_loses_nothing_else() -> None:
    game = position("...", land={(0, 0): (0, 50), (1, 0): (1, 0), (2, 0): (1, 2)})
    (battle,) = battles(game.step({0: [move((0, 0), (1, 0))], 1: [support(2, 0)]}))
    assert (battle["winner"], battle["parties"][1]["killed"], battle["parties"][1]["retreats"]) == (0, 0, [])
    assert owned(game) == {(0, 0): (0, 0), (1, 0): (0, 50), (2, 0): (1, 2)}


def test_support_next_to_an_unowned_tile_makes_no_player_a_party() -> None:
    game = position("...", land={(0, 0): (0, 2), (2, 0): (1, 50)})
    assert battles(game.step({0: [move((0, 0), (1, 0))], 1: [support(2, 0)]})) == []
    assert owned(game)[1, 0] == (0, 2)


def test_units_that_left_do_not_defend() -> None:
    game = position("....", land={(0, 0): (0, 2), (1, 0): (1, 50), (3, 0): (1, 1)})
    report = game.step({0: [move((0, 0), (1, 0))], 1: [move((1, 0), (2, 0))]})
    assert battles(report) == []
    assert owned(game) == {(0, 0): (0, 0), (1, 0): (0, 2), (2, 0): (1, 50), (3, 0): (1, 1)}


def test_units_that_stay_behind_defend() -> None:
    game = position("....", land={(0, 0): (0, 2), (1, 0): (1, 50), (3, 0): (1, 1)})
    (battle,) = battles(game.step({0: [move((0, 0), (1, 0))], 1: [move((1, 0), (2, 0), 9)]}))
    assert (battle["winner"], battle["parties"][1]["units"]) == (1, 41)


def test_many_parties_fight_one_battle_and_the_strongest_may_win_it_all() -> None:
    rows = (".....", "XX.XX", "XX.XX")
    land = {(1, 0): (0, 100), (2, 0): (1, 3), (3, 0): (2, 4), (2, 1): (3, 5), (4, 0): (2, 0)}
    game = position(*rows, land=land, players=4)
    orders = {0: [move((1, 0), (2, 0))], 2: [move((3, 0), (2, 0))], 3: [move((2, 1), (2, 0))]}
    (battle,) = battles(game.step(orders))
    assert {player: party["strength"] for player, party in battle["parties"].items()} == {0: 100, 1: 3, 2: 4, 3: 5}
    assert (battle["winner"], battle["variance"]) == (0, 28)
    assert owned(game)[2, 0] == (0, 100)
    assert [battle["parties"][player]["killed"] for player in (1, 2, 3)] == [1, 2, 2]


def test_two_attackers_of_an_undefended_tile_fight_each_other() -> None:
    game = position("...X.", land={(0, 0): (0, 90), (1, 0): (1, 0), (2, 0): (2, 3), (4, 0): (1, 1)}, players=3)
    (battle,) = battles(game.step({0: [move((0, 0), (1, 0))], 2: [move((2, 0), (1, 0))]}))
    assert set(battle["parties"]) == {0, 2}
    assert owned(game)[1, 0] == (0, 90)


def test_with_diagonals_nine_parties_can_meet() -> None:
    land = {(x, y): (3 * y + x, 4) for x in range(3) for y in range(3)}
    game = position("...", "...", "...", land=land, players=9, diagonals=True)
    orders = {3 * y + x: [move((x, y), (1, 1))] for x, y in land if (x, y) != (1, 1)}
    (battle,) = battles(game.step(orders))
    assert len(battle["parties"]) == 9
    assert battle["variance"] == 9
