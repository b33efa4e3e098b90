"""Every order that the menu offers is accepted, alone and at the turn's start."""

import random
from typing import Any

from marchland.conformance.playing import Check, GameUnderTest, expect_error, pick_all_orders, pick_orders
from marchland.errors import MarchlandError


def check_orders_from_the_menu_are_accepted(tested: GameUnderTest) -> None:
    """Play 400 turns; each order that follows the menu is accepted."""
    chance = random.Random(11)
    game = tested.new(5)
    accepted = 0
    for turn in range(400):
        if game.outcome:
            game = tested.new(turn)
        player = turn % len(game.players)
        for order in pick_orders(game, player, chance):
            report = game.copy().step({player: [order]})
            (result,) = report.results[player]
            assert result.ok, result
            accepted += 1
        game.step(pick_all_orders(game, chance))
    assert accepted > 100


def check_partial_orders_need_a_verb(tested: GameUnderTest) -> None:
    """A partial order with an unknown verb is refused with the verbs that exist."""
    game = tested.new()
    with expect_error(MarchlandError, game.codec.names[0]):
        game.legal(0, {"do": "nonsense"})


def check_unknown_players_see_nothing(tested: GameUnderTest) -> None:
    """Views, menus, frames and observations of a player who does not exist are refused."""
    game = tested.new()
    methods: list[Any] = [game.view, game.legal, game.scene, game.observe]
    for method in methods:
        for player in (-1, 99, "0", True):
            with expect_error(MarchlandError, "no player"):
                method(player)


CHECKS: tuple[Check, ...] = (
    check_orders_from_the_menu_are_accepted,
    check_partial_orders_need_a_verb,
    check_unknown_players_see_nothing,
)
