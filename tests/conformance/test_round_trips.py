"""A match can be copied, kept and written down at any moment, and goes on as if nothing had happened."""

import json
import random

import pytest

import marchland
from marchland.core.game import Game
from tests.conformance.playing import hostile_order, orders_from_the_menu, small_match

GAMES = marchland.games()


def through_json(game: Game) -> Game:
    return marchland.from_position(json.loads(json.dumps(game.position())))


def through_bytes(game: Game) -> Game:
    return marchland.restore(game.snapshot())


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("way", [Game.copy, through_bytes, through_json], ids=["copy", "snapshot", "position"])
def test_a_round_trip_at_random_moments_leaves_everything_equal(name: str, way: object) -> None:
    chance = random.Random(7)
    game = small_match(name, seed=3)
    for turn in range(150):
        if game.outcome:
            game = small_match(name, seed=turn)
        if chance.random() < 0.3:
            twin = way(game)  # type: ignore[operator]
            assert twin.digest() == game.digest()
            assert twin.position() == game.position()
            assert twin.players == game.players
            assert [twin.view(player) for player in (None, 0)] == [game.view(player) for player in (None, 0)]
            game = twin
        orders = {player: orders_from_the_menu(game, player, chance) for player in range(len(game.players))}
        game.step({player: [*good, hostile_order(game, chance)] for player, good in orders.items()})


@pytest.mark.parametrize("name", GAMES)
def test_a_copy_is_independent(name: str) -> None:
    chance = random.Random(8)
    game = small_match(name)
    before = game.digest()
    twin = game.copy()
    for _ in range(5):
        twin.step({player: orders_from_the_menu(twin, player, chance) for player in range(len(game.players))})
    assert game.digest() == before
    assert twin.turn == game.turn + 5


@pytest.mark.parametrize("name", GAMES)
def test_a_fork_has_other_dice_and_the_same_board(name: str) -> None:
    game = small_match(name)
    fork = game.fork()
    assert fork.digest() != game.digest()
    assert fork.view() == game.view()


@pytest.mark.parametrize("name", GAMES)
def test_views_and_positions_are_plain_json(name: str) -> None:
    game = small_match(name)
    for data in (game.view(), game.view(0), game.position()):
        assert json.loads(json.dumps(data, allow_nan=False)) == data


@pytest.mark.parametrize("name", GAMES)
def test_a_damaged_snapshot_is_refused(name: str) -> None:
    data = bytearray(small_match(name).snapshot())
    data[len(data) // 2] ^= 1
    with pytest.raises(marchland.SnapshotError, match="damaged"):
        marchland.restore(bytes(data))


@pytest.mark.parametrize("name", GAMES)
def test_a_snapshot_of_another_version_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = small_match(name).snapshot()
    monkeypatch.setattr(marchland.find(name), "version", 10_000)
    with pytest.raises(marchland.SnapshotError, match="version"):
        marchland.restore(data)
