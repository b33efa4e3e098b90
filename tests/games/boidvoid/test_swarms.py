"""Founding, joining, leaving and losing swarms."""

from typing import Any

from tests.games.boidvoid.builders import (
    ME,
    SWARM,
    act,
    of_kind,
    position,
    refusal,
    unit,
)


def test_a_swarm_is_founded_joined_left_and_dissolved() -> None:
    game = position([ME, {"id": 2, "at": [3, 2]}, {"id": 4, "at": [5, 0]}])
    act(game, 0, do="create_swarm", unit=0, name="wasps")
    swarm = next(one["id"] for one in game.position()["units"] if one["kind"] == "swarm")
    assert refusal(game, 2, do="create_swarm", unit=2, name="wasps") == "NAME_TAKEN"
    assert refusal(game, 2, do="create_swarm", unit=2, name="") == "BAD_NAME"
    assert refusal(game, 4, do="join_swarm", unit=4, swarm=swarm) == "NOT_ADJACENT"
    act(game, 2, do="join_swarm", unit=2, swarm=swarm)
    assert refusal(game, 2, do="leave_swarm", unit=2, to=[3, 2]) == "ACTED"
    game.step()
    assert refusal(game, 2, do="leave_swarm", unit=2, to=[5, 2]) == "NOT_ADJACENT"
    act(game, 2, do="leave_swarm", unit=2, to=[3, 2])
    assert unit(game, 2).get("action_points", 0) == 0
    assert of_kind(act(game, 0, do="leave_swarm", unit=0, to=[1, 2]), "swarm_gone")
    game.step()
    act(game, 0, do="create_swarm", unit=0, name="wasps")
    ids = [one["id"] for one in game.position()["units"] if one["kind"] == "swarm" and one["status"] == "alone"]
    assert ids != [swarm]


def test_swarm_join_turns_lock_and_fail_when_the_swarm_is_gone() -> None:
    slow: Any = {"id": 2, "at": [3, 2], "stats": {"health": 40, "swarm_join_turns": 2}}
    swarm: Any = [{"id": SWARM, "at": [2, 2], "team": 0, "name": "s"}, {"id": 0, "swarm": SWARM, "action_points": 9}]
    game = position([slow, *swarm])
    act(game, 2, do="join_swarm", unit=2, swarm=SWARM)
    assert refusal(game, 2, do="move", unit=2, to=[4, 2]) == "BUSY"
    stays = game.copy()
    stays.step()
    assert of_kind(stays.step().events, "swarm_joined")
    game.step()
    act(game, 0, do="move", unit=SWARM, to=[1, 2])
    assert of_kind(game.step().events, "join_failed")
    assert unit(game, 2)["status"] == "alone"


def test_a_swarm_detonates_with_all_its_ships() -> None:
    swarm: Any = [
        {"id": SWARM, "at": [2, 2], "team": 0, "name": "s"},
        {"id": 0, "swarm": SWARM},
        {"id": 2, "swarm": SWARM},
    ]
    game = position(swarm)
    assert len(of_kind(act(game, 0, do="detonate", unit=SWARM), "destroyed")) == 2


def test_a_name_is_unique_in_its_team_only() -> None:
    game = position([ME, {"id": 1, "at": [4, 2]}])
    act(game, 0, do="create_swarm", unit=0, name="wasps")
    act(game, 1, do="create_swarm", unit=1, name="wasps")
