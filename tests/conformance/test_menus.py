"""Every order that the menu offers is accepted, alone and at the turn's start."""

import random

import pytest

import marchland
from tests.conformance.playing import orders_from_the_menu, small_match

GAMES = marchland.games()


@pytest.mark.parametrize("name", GAMES)
def test_every_order_built_from_the_menu_is_accepted(name: str) -> None:
    chance = random.Random(11)
    game = small_match(name, seed=5)
    accepted = 0
    for turn in range(400):
        if game.outcome:
            game = small_match(name, seed=turn)
        player = turn % len(game.players)
        for order in orders_from_the_menu(game, player, chance):
            report = game.copy().step({player: [order]})
            (result,) = report.results[player]
            assert result.ok, result
            accepted += 1
        game.step({seat: orders_from_the_menu(game, seat, chance) for seat in range(len(game.players))})
    assert accepted > 100


@pytest.mark.parametrize("name", GAMES)
def test_a_partial_order_without_a_verb_is_refused_with_the_verbs(name: str) -> None:
    game = small_match(name)
    with pytest.raises(marchland.MarchlandError, match=game.codec.names[0]):
        game.legal(0, {"do": "nonsense"})


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("method", ["view", "legal", "scene", "observe"])
@pytest.mark.parametrize("player", [-1, 99, "0", True])
def test_a_player_who_is_not_there_sees_nothing(name: str, method: str, player: object) -> None:
    with pytest.raises(marchland.MarchlandError, match="no player"):
        getattr(small_match(name), method)(player)
