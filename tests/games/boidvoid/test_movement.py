"""Moving: "A player can move as many times as needed if they have enough action points." """

import pytest

from tests.games.boidvoid.builders import (
    LEADER_0,
    LEADER_1,
    MOTHER_0,
    NPC,
    STRUCTURE,
    SWARM,
    TROOPER_0,
    act,
    position,
    refusal,
    unit,
)

HALL = {"id": 77, "kind": "superstructure", "player": 0, "use": "built", "target": STRUCTURE}


def ship(at: list[int], points: int = 18, **more: object) -> dict[str, object]:
    return {"id": 0, "at": at, "action_points": points, **more}


def test_the_seeds_example_totals_nine() -> None:
    game = position(
        [
            ship([1, 2], 9, stats={"health": 40, "cost_to_move": 1}),
            {"id": STRUCTURE, "at": [3, 2], "team": 0, "nft": 77, "stats": {"health": 1, "tile_movement": -1}},
        ],
        land={"points": [{"at": [2, 2], "bonuses": {"movement": 2}}]},
        nfts=[HALL],
        config={"base_move_cost": 3},
    )
    (moved,) = act(game, 0, do="move", unit=0, path=[[2, 2], [3, 2]])
    assert moved["cost"] == 9
    assert unit(game, 0)["at"] == [3, 2]
    assert "action_points" not in unit(game, 0)


def test_a_target_takes_the_cheapest_way() -> None:
    game = position([ship([0, 2])], tiles=["......", "......", ".a.a..", "......", "......"])
    (moved,) = act(game, 0, do="move", unit=0, to=[2, 2])
    assert moved["cost"] == 8  # past the asteroid field it would be 5 + 3 as well, in fewer steps


def test_moves_add_up_until_the_points_are_gone() -> None:
    game = position([ship([0, 2], 6)])
    act(game, 0, do="move", unit=0, to=[1, 2])
    act(game, 0, do="move", unit=0, to=[2, 2])
    assert refusal(game, 0, do="move", unit=0, to=[3, 2]) == "NO_WAY"
    assert refusal(game, 0, do="move", unit=0, path=[[3, 2]]) == "TOO_FAR_TO_PAY"


def test_a_step_never_costs_less_than_the_minimum() -> None:
    game = position([ship([0, 2], stats={"health": 40, "cost_to_move": -50})], config={"min_move_cost": 2})
    assert act(game, 0, do="move", unit=0, to=[1, 2])[0]["cost"] == 2


@pytest.mark.parametrize("in_the_way", [{"id": 1, "at": [1, 2]}, {"id": NPC, "at": [1, 2]}])
def test_units_of_others_block(in_the_way: dict[str, object]) -> None:
    game = position([ship([0, 2]), in_the_way], npcs=1)
    assert refusal(game, 0, do="move", unit=0, to=[1, 2]) == "BLOCKED"
    assert refusal(game, 0, do="move", unit=0, path=[[1, 2], [2, 2]]) == "BLOCKED"


def test_own_units_may_be_passed_but_not_stopped_on() -> None:
    game = position([ship([0, 2]), {"id": 2, "at": [1, 2]}])
    assert refusal(game, 0, do="move", unit=0, to=[1, 2]) == "BLOCKED"
    assert act(game, 0, do="move", unit=0, path=[[1, 2], [2, 2]])[0]["cost"] == 6


def test_obstacles_holes_and_foreign_superstructures_block() -> None:
    hall = {"id": STRUCTURE, "at": [1, 3], "team": 1, "nft": 77, "stats": {"health": 1}}
    game = position(
        [ship([0, 2]), hall],
        tiles=["......", "# ....", ".#....", "......", "......"],
        nfts=[HALL],
        homes=[[[5, 0]], [[5, 4]]],
    )
    for goal in ([1, 2], [1, 3], [0, 1]):
        assert refusal(game, 0, do="move", unit=0, to=goal) == "BLOCKED"
    assert refusal(game, 0, do="move", unit=0, to=[1, 1]) == "OFF_THE_MAP"
    assert refusal(game, 0, do="move", unit=0, path=[[2, 2]]) == "NOT_ADJACENT"
    assert refusal(game, 0, do="move", unit=0) == "NO_TARGET"


def test_a_swarm_moves_by_its_least_points_and_greatest_modifier_and_every_ship_pays() -> None:
    game = position(
        [
            {"id": SWARM, "at": [0, 2], "team": 0, "name": "s"},
            {"id": 0, "swarm": SWARM, "action_points": 12},
            {"id": 2, "swarm": SWARM, "action_points": 7, "stats": {"health": 40, "cost_to_move": 1}},
        ]
    )
    assert refusal(game, LEADER_0, do="move", unit=SWARM, to=[2, 2]) == "NO_WAY"
    act(game, LEADER_0, do="move", unit=SWARM, to=[1, 2])
    assert [unit(game, name).get("action_points", 0) for name in (0, 2)] == [8, 3]


def test_roles_decide_who_moves_what() -> None:
    game = position(
        [
            {"id": MOTHER_0, "at": [3, 3], "action_points": 9},
            {"id": SWARM, "at": [0, 2], "team": 0, "name": "s"},
            {"id": 2, "swarm": SWARM, "action_points": 9},
            {"id": 4, "at": [0, 4], "action_points": 9},
            ship([2, 0], 9),
        ]
    )
    assert refusal(game, TROOPER_0, do="move", unit=MOTHER_0, to=[3, 2]) == "LEADERS_ONLY"
    assert refusal(game, TROOPER_0, do="move", unit=SWARM, to=[1, 2]) == "LEADERS_ONLY"
    assert refusal(game, LEADER_1, do="move", unit=SWARM, to=[1, 2]) == "OTHER_TEAM"
    assert refusal(game, LEADER_1, do="move", unit=MOTHER_0, to=[3, 2]) == "OTHER_TEAM"
    assert refusal(game, LEADER_0, do="move", unit=4, to=[1, 4]) == "NOT_YOUR_UNIT"
    assert refusal(game, 2, do="move", unit=2, to=[1, 2]) == "IN_A_SWARM"
    assert refusal(game, 2, do="move", unit=99, to=[1, 2]) == "NO_SUCH_UNIT"
    act(game, LEADER_0, do="move", unit=MOTHER_0, to=[3, 2])
    act(game, 2, do="move", unit=SWARM, to=[1, 2])  # the vice-leader has the same rights
