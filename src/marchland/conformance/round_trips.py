"""A match can be copied, saved and restored at any moment, and continues unchanged."""

import json
import random
from collections.abc import Callable

import msgspec

import marchland
from marchland.conformance.playing import Check, GameUnderTest, expect_error, hostile_order, pick_all_orders
from marchland.core.game import Game


def check_copies_play_on(tested: GameUnderTest) -> None:
    """A copy at any moment is equal and plays on equally."""
    _check_round_trip(tested, Game.copy)


def check_snapshots_play_on(tested: GameUnderTest) -> None:
    """A match restored from its snapshot is equal and plays on equally."""
    _check_round_trip(tested, lambda game: marchland.restore(game.snapshot()))


def check_positions_play_on(tested: GameUnderTest) -> None:
    """A match read from its position as JSON is equal and plays on equally."""
    _check_round_trip(tested, lambda game: marchland.from_position(json.loads(json.dumps(game.position()))))


def _check_round_trip(tested: GameUnderTest, convert: Callable[[Game], Game]) -> None:
    chance = random.Random(7)
    game = tested.new(3)
    for turn in range(150):
        if game.outcome:
            game = tested.new(turn)
        if chance.random() < 0.3:
            twin = convert(game)
            assert twin.digest() == game.digest()
            assert twin.position() == game.position()
            assert twin.players == game.players
            assert [twin.view(player) for player in (None, 0)] == [game.view(player) for player in (None, 0)]
            game = twin
        orders = pick_all_orders(game, chance)
        game.step({player: [*good, hostile_order(game, chance)] for player, good in orders.items()})


def check_a_copy_is_independent(tested: GameUnderTest) -> None:
    """Turns of a copy leave the match as it is."""
    chance = random.Random(8)
    game = tested.new()
    before = game.digest()
    twin = game.copy()
    for _ in range(5):
        twin.step(pick_all_orders(twin, chance))
    assert game.digest() == before
    assert twin.turn == game.turn + 5


def check_a_fork_has_other_dice(tested: GameUnderTest) -> None:
    """A fork looks the same and has dice of its own."""
    game = tested.new()
    fork = game.fork()
    assert fork.digest() != game.digest()
    assert fork.view() == game.view()


def check_views_and_positions_are_json(tested: GameUnderTest) -> None:
    """Views and positions survive JSON unchanged."""
    game = tested.new()
    for data in (game.view(), game.view(0), game.position()):
        assert json.loads(json.dumps(data, allow_nan=False)) == data


def check_encoded_views_equal_the_encoded_view(tested: GameUnderTest) -> None:
    """The JSON of a view is byte for byte that of its data, however a game writes it."""
    for seed in range(3):
        chance = random.Random(seed)
        game = tested.new(seed)
        game.names[0] = 'a "quoted" \\ né'[:9]
        for _ in range(12):
            for audience in [None, *range(len(game.players))]:
                assert game.encode_view(audience) == msgspec.json.encode(game.view(audience))
            game.step(
                {
                    player: [*orders, hostile_order(game, chance)]
                    for player, orders in pick_all_orders(game, chance).items()
                }
            )


def check_damaged_snapshots_are_refused(tested: GameUnderTest) -> None:
    """A snapshot with one changed bit is refused."""
    data = bytearray(tested.new().snapshot())
    data[len(data) // 2] ^= 1
    with expect_error(marchland.SnapshotError, "damaged"):
        marchland.restore(bytes(data))


def check_snapshots_of_other_versions_are_refused(tested: GameUnderTest) -> None:
    """A snapshot of another version of the game is refused."""
    data = tested.new().snapshot()
    kind, version = tested.kind, tested.kind.version
    kind.version = 10_000
    try:
        with expect_error(marchland.SnapshotError, "version"):
            marchland.restore(data)
    finally:
        kind.version = version


CHECKS: tuple[Check, ...] = (
    check_copies_play_on,
    check_snapshots_play_on,
    check_positions_play_on,
    check_a_copy_is_independent,
    check_a_fork_has_other_dice,
    check_views_and_positions_are_json,
    check_encoded_views_equal_the_encoded_view,
    check_damaged_snapshots_are_refused,
    check_snapshots_of_other_versions_are_refused,
)
