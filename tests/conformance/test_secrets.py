"""What one player keeps secret changes nothing in what another sees."""

import json
import random

import pytest

import marchland
from tests.conformance.playing import hostile_order, orders_from_the_menu, small_match

GAMES = marchland.games()


@pytest.mark.parametrize("name", GAMES)
def test_failed_orders_show_in_their_owners_view_only(name: str) -> None:
    chance = random.Random(13)
    game = small_match(name)
    quiet, noisy = game.copy(), game.copy()
    bad = [
        order for order in (hostile_order(game, chance) for _ in range(30)) if isinstance(game.codec.parse(order), str)
    ]
    quiet.step({0: []})
    noisy.step({0: bad})
    assert bad
    for other in [None, *range(1, len(game.players))]:
        assert noisy.view(other) == quiet.view(other)


@pytest.mark.parametrize("name", GAMES)
def test_the_dice_are_in_no_view_and_no_scene(name: str) -> None:
    chance = random.Random(14)
    game = small_match(name)
    for _ in range(10):
        game.step({player: orders_from_the_menu(game, player, chance) for player in range(len(game.players))})
        fork = game.fork()
        for audience in [None, *range(len(game.players))]:
            assert game.view(audience) == fork.view(audience)
            assert game.scene(audience) == fork.scene(audience)


@pytest.mark.parametrize("name", GAMES)
def test_views_hold_neither_key_nor_digest(name: str) -> None:
    game = small_match(name)
    key, digest = game.position()["key"], game.digest()
    for audience in [None, *range(len(game.players))]:
        text = json.dumps(game.view(audience))
        assert key not in text
        assert digest not in text
