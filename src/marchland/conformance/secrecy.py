"""What one player keeps secret changes nothing in what another sees."""

import json
import random

from marchland.conformance.playing import Check, GameUnderTest, hostile_order, pick_all_orders


def check_failed_orders_show_in_their_owners_view_only(tested: GameUnderTest) -> None:
    """Orders that are not understood change no view but that of the player who gave them, and no public view."""
    chance = random.Random(13)
    game = tested.new()
    quiet, noisy = game.copy(), game.copy()
    bad = [
        order for order in (hostile_order(game, chance) for _ in range(30)) if isinstance(game.codec.parse(order), str)
    ]
    quiet.step({0: []})
    noisy.step({0: bad})
    assert bad
    for other in [None, *range(1, len(game.players))]:
        assert noisy.view(other) == quiet.view(other)
    assert noisy.public_view(0) == quiet.public_view(0)


def check_the_dice_are_in_no_view(tested: GameUnderTest) -> None:
    """Views and frames are the same whatever the dice of the turns to come."""
    chance = random.Random(14)
    game = tested.new()
    for _ in range(10):
        game.step(pick_all_orders(game, chance))
        fork = game.fork()
        for audience in [None, *range(len(game.players))]:
            assert game.view(audience) == fork.view(audience)
            assert game.scene(audience) == fork.scene(audience)


def check_views_have_neither_key_nor_digest(tested: GameUnderTest) -> None:
    """No view contains the key of the dice or the digest of the state."""
    game = tested.new()
    key, digest = game.position()["key"], game.digest()
    for audience in [None, *range(len(game.players))]:
        text = json.dumps(game.view(audience))
        assert key not in text
        assert digest not in text


def check_shared_views_differ_in_their_own_members_only(tested: GameUnderTest) -> None:
    """Where the game says that views are shared, a view is the shared part and the player's own members."""
    chance = random.Random(15)
    game = tested.new()
    for _ in range(5):
        game.step(pick_all_orders(game, chance))
        for audience in [None, *range(len(game.players))]:
            whole = json.loads(game.encode_view(audience))
            if game.shares_views:
                shared, own = json.loads(game.encode_shared_view()), json.loads(game.encode_own_view(audience))
                assert not shared.keys() & own.keys()
                assert shared | own == whole


CHECKS: tuple[Check, ...] = (
    check_failed_orders_show_in_their_owners_view_only,
    check_the_dice_are_in_no_view,
    check_views_have_neither_key_nor_digest,
    check_shared_views_differ_in_their_own_members_only,
)
