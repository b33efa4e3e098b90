"""Matches made from positions, and players who join later."""

from typing import Any

import pytest

import marchland
from tests.games.boidvoid.builders import HALL, NPC, STRUCTURE, SWARM, act, position, unit


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


def test_a_late_joiner_changes_nothing_else() -> None:
    hall: dict[str, Any] = {**HALL, "use": "built", "target": STRUCTURE}
    boost = {"id": 3, "kind": "boost", "player": 0, "turns": 5, "left": 5, "use": "boosting", "target": SWARM}
    game = position(
        [
            {"id": SWARM, "at": [2, 2], "team": 0, "name": "s", "stats": {"attack": 4}},
            {"id": 0, "swarm": SWARM},
            {"id": 2, "swarm": SWARM, "battery": 700},
            {"id": STRUCTURE, "at": [1, 0], "team": 0, "nft": 7, "stats": {"health": 50}},
            {"id": NPC, "at": [4, 1]},
            {"id": 1, "at": [5, 4], "task": "join_swarm", "wait": 2, "aim": SWARM},
        ],
        nfts=[hall, {**boost, "traits": {"attack": 4}}],
        npcs=1,
    )
    before = game.position()
    game.join("late")
    after = game.position()
    assert [one for one in after["units"] if one["id"] != 6] == before["units"]
    assert after["players"][:-1] == before["players"]
    assert {**after, "units": 0, "players": 0} == {**before, "units": 0, "players": 0}
    assert marchland.from_position(after).digest() == game.digest()
    assert game.step().turn == 1
