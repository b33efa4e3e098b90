"""Matches made from positions, and players who join later."""

import pytest

import marchland
from tests.games.boidvoid.builders import SWARM, act, position, unit


def test_a_late_joiner_gets_a_waiting_ship_in_the_smallest_team() -> None:
    game = position(
        [
            {"id": 0, "at": [2, 2]},
            {"id": SWARM + 1, "at": [4, 2], "team": 1, "name": "s"},
            {"id": 1, "swarm": SWARM + 1},
        ],
        players=5,
    )
    key = game.position()["key"]
    assert game.join("late") == 5
    assert (unit(game, 5)["team"], unit(game, 5)["status"]) == (1, "waiting")
    assert unit(game, 1)["swarm"] == SWARM + 1
    assert game.position()["key"] == key
    act(game, 5, do="spawn", unit=5, at=[5, 3])


def test_a_position_of_nonsense_is_refused() -> None:
    with pytest.raises(marchland.PositionError, match="cannot be at"):
        position([{"id": 0, "at": [2, 2]}, {"id": 1, "at": [2, 2]}])
    with pytest.raises(marchland.PositionError):
        position([{"id": 99, "at": [2, 2]}])
