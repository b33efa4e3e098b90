"""Ruling 5: what a player's combat strength is made of."""

from typing import Any

from marchland.core.game import Game
from tests.games.enova.builders import Order, battles, defend, move, owned, position, support


def parties(game: Game, orders: dict[int, list[Order]]) -> dict[int, tuple[int, int, int]]:
    (battle,) = battles(game.step(orders))
    split: dict[int, dict[str, Any]] = battle["parties"]
    return {player: (party["units"], party["support"], party["defence"]) for player, party in split.items()}


def test_idle_units_count_plainly() -> None:
    game = position("..", land={(0, 0): (0, 5), (1, 0): (1, 3)})
    assert parties(game, {0: [move((0, 0), (1, 0))]}) == {0: (5, 0, 0), 1: (3, 0, 0)}


def test_defending_units_count_twice_if_they_are_attacked() -> None:
    game = position("..", land={(0, 0): (0, 5), (1, 0): (1, 3)})
    assert parties(game, {0: [move((0, 0), (1, 0))], 1: [defend(1, 0)]}) == {0: (5, 0, 0), 1: (3, 0, 3)}


def test_units_that_arrive_at_a_defended_tile_count_plainly() -> None:
    game = position("...", land={(0, 0): (0, 5), (1, 0): (1, 3), (2, 0): (1, 2)})
    orders = {0: [move((0, 0), (1, 0))], 1: [defend(1, 0), move((2, 0), (1, 0))]}
    assert parties(game, orders) == {0: (5, 0, 0), 1: (5, 0, 3)}


def test_support_is_for_attack_and_defence_alike() -> None:
    rows = ("XXX.", "....", "X..X")
    land = {(0, 1): (0, 5), (1, 1): (1, 3), (1, 2): (0, 4), (2, 1): (1, 2), (3, 0): (1, 7), (2, 2): (1, 1)}
    orders = {0: [move((0, 1), (1, 1)), support(1, 2)], 1: [support(2, 1), support(3, 0), defend(2, 2)]}
    assert parties(position(*rows, land=land), orders) == {0: (5, 4, 0), 1: (3, 2, 0)}


def test_support_goes_undivided_to_every_battle_next_to_it() -> None:
    land = {(0, 0): (0, 5), (1, 0): (1, 3), (2, 0): (1, 4), (3, 0): (1, 3), (4, 0): (0, 5)}
    game = position(".....", land=land)
    report = game.step({0: [move((0, 0), (1, 0)), move((4, 0), (3, 0))], 1: [support(2, 0)]})
    assert [battle["parties"][1]["support"] for battle in battles(report)] == [4, 4]


def test_support_is_not_cut_by_being_attacked_and_a_supporter_counts_plainly_on_its_own_tile() -> None:
    land = {(0, 0): (0, 5), (1, 0): (1, 3), (2, 0): (1, 4), (3, 0): (0, 5)}
    game = position("....", land=land)
    report = game.step({0: [move((0, 0), (1, 0)), move((3, 0), (2, 0))], 1: [support(2, 0)]})
    split = {tuple(battle["at"]): battle["parties"][1] for battle in battles(report)}
    assert (split[1, 0]["units"], split[1, 0]["support"]) == (3, 4)
    assert (split[2, 0]["units"], split[2, 0]["support"], split[2, 0]["defence"]) == (4, 0, 0)


def test_supporters_elsewhere_take_no_losses() -> None:
    game = position("...", land={(0, 0): (0, 90), (1, 0): (1, 3), (2, 0): (1, 4)})
    game.step({0: [move((0, 0), (1, 0))], 1: [support(2, 0)]})
    assert owned(game)[2, 0] == (1, 4 + 2)


def test_a_strangers_support_does_not_help() -> None:
    game = position("...", land={(0, 0): (0, 5), (1, 0): (1, 3), (2, 0): (2, 4)}, players=3)
    assert parties(game, {0: [move((0, 0), (1, 0))], 2: [support(2, 0)]}) == {0: (5, 0, 0), 1: (3, 0, 0)}


def test_support_reaches_across_corners_only_with_diagonals() -> None:
    land = {(0, 0): (0, 5), (1, 0): (1, 3), (0, 1): (1, 4)}
    orders = {0: [move((0, 0), (1, 0))], 1: [support(0, 1)]}
    assert parties(position("..", "..", land=land), orders)[1] == (3, 0, 0)
    assert parties(position("..", "..", land=land, diagonals=True), orders)[1] == (3, 4, 0)


def test_support_reaches_over_the_edge_of_a_torus() -> None:
    land = {(0, 0): (0, 5), (1, 0): (1, 3), (1, 2): (1, 4)}
    game = position("...", "...", "...", land=land, torus=True)
    assert parties(game, {0: [move((0, 0), (1, 0))], 1: [support(1, 2)]})[1] == (3, 4, 0)
