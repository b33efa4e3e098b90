"""Spawning, detonating and respawning."""

from marchland.games.boidvoid.game import BoidVoid
from tests.games.boidvoid.builders import (
    LEADER_1,
    ME,
    MOTHER,
    MOTHER_0,
    TROOPER_0,
    act,
    position,
    refusal,
    unit,
)


def test_at_the_start_everything_waits_with_a_full_battery() -> None:
    game = BoidVoid.new(4, seed=1)
    assert {one["status"] for one in game.position()["units"] if one["kind"] != "npc"} == {"waiting"}
    assert unit(game, 3)["battery"] == 10000
    act(game, 0, do="spawn", unit=0, at=list(game.view()["teams"][0]["owned"][0]))
    assert (unit(game, 0)["health"], unit(game, 0).get("action_points", 0)) == (4000, 0)


def test_spawns_that_are_refused() -> None:
    game = position([{"id": 2, "at": [1, 0]}, {"id": 4, "wait": 2}])
    assert refusal(game, 0, do="spawn", unit=0, at=[5, 4]) == "NOT_OWN_TILE"
    assert refusal(game, 0, do="spawn", unit=0, at=[2, 2]) == "NOT_OWN_TILE"
    assert refusal(game, 0, do="spawn", unit=0, at=[1, 0]) == "BLOCKED"
    assert refusal(game, 0, do="spawn", unit=0, at=[9, 9]) == "OFF_THE_MAP"
    assert refusal(game, 2, do="spawn", unit=2, at=[0, 0]) == "ALREADY_SPAWNED"
    assert refusal(game, 4, do="spawn", unit=4, at=[0, 0]) == "RESPAWNING"
    assert refusal(game, TROOPER_0, do="spawn", unit=MOTHER_0, at=[0, 0]) == "LEADERS_ONLY"
    assert refusal(game, LEADER_1, do="spawn", unit=MOTHER_0, at=[0, 0]) == "OTHER_TEAM"
    act(game, 2, do="spawn", unit=MOTHER_0, at=[0, 0])


def test_a_team_without_tiles_spawns_at_the_nearest_unowned_one() -> None:
    game = position([], owned=[[], [[5, 4], [0, 0], [1, 0]]])
    assert refusal(game, 0, do="spawn", unit=0, at=[2, 2]) == "NOT_OWN_TILE"
    act(game, 0, do="spawn", unit=0, at=[0, 1])


def test_a_destroyed_ship_waits_and_not_in_the_turn_that_set_it() -> None:
    game = position([{**ME, "stats": {"health": 40, "respawn": 1}}], config={"respawn_ship": 2})
    act(game, 0, do="detonate", unit=0)
    waits = []
    for _ in range(4):
        waits.append(unit(game, 0).get("wait", 0))
        game.step()
    assert waits == [3, 3, 2, 1]
    act(game, 0, do="spawn", unit=0, at=[0, 0])
    assert unit(game, 0)["battery"] == 10000


def test_a_destroyed_mothership_comes_back_after_its_turns() -> None:
    game = position([MOTHER], config={"respawn_mothership": 1})
    act(game, 0, do="detonate", unit=MOTHER_0)
    game.step()
    assert refusal(game, 0, do="spawn", unit=MOTHER_0, at=[0, 0]) == "RESPAWNING"
    game.step()
    act(game, 0, do="spawn", unit=MOTHER_0, at=[0, 0])


def test_waiting_units_do_not_recharge() -> None:
    game = position([{"id": 0, "battery": 100}])
    game.step()
    assert unit(game, 0)["battery"] == 100


def test_a_destroyed_unit_waits_at_least_one_turn_and_a_mothership_by_its_own_setting() -> None:
    game = position([{**ME, "stats": {"health": 40, "respawn": -9}}, MOTHER], config={"respawn_mothership": 3})
    act(game, 0, do="detonate", unit=0)
    act(game, 0, do="detonate", unit=MOTHER_0)
    assert (unit(game, 0)["wait"], unit(game, MOTHER_0)["wait"]) == (1, 3)


def test_a_team_without_tiles_spawns_at_the_nearest_foreign_one_where_all_are_owned() -> None:
    everywhere = [[x, y] for x in range(6) for y in range(5)]
    game = position([{"id": 1, "at": [0, 0]}], owned=[[], everywhere])
    assert refusal(game, 0, do="spawn", unit=0, at=[5, 4]) == "NOT_OWN_TILE"
    act(game, 0, do="spawn", unit=0, at=[1, 0])
