"""Combat by the seed's twenty steps and three lists, with figures computed by hand (in hundredths).

The usual ship: battery 100 at 50/50, attack 5, defense 10, health 40, range 2. So it strikes with 50 + 5 = 55 and
has 50 shields + 10 defense + 40 health.
"""

from typing import Any

import pytest

from marchland.games.boidvoid.game import BoidVoid
from tests.games.boidvoid.builders import (
    LEADER_0,
    MOTHER_1,
    NPC,
    STRUCTURE,
    SWARM,
    act,
    of_kind,
    position,
    refusal,
    unit,
)

HALL = {"id": 77, "kind": "superstructure", "player": 1, "use": "built", "target": STRUCTURE}
MINE: dict[str, Any] = {"id": 0, "at": [2, 2]}
FOE: dict[str, Any] = {"id": 1, "at": [3, 2]}


def duel(mine: dict[str, Any] | None = None, foe: dict[str, Any] | None = None, **more: Any) -> BoidVoid:
    return position([{**MINE, **(mine or {})}, {**FOE, **(foe or {})}], **more)


def swarms(count: int = 2, **config: Any) -> BoidVoid:
    """Player 0 beside a swarm of players 1 and 3, or of 1, 3 and 5."""
    units: list[dict[str, Any]] = [MINE, {"id": SWARM + 1, "at": [3, 2], "team": 1, "name": "s"}]
    return position([*units, *({"id": seat, "swarm": SWARM + 1} for seat in (1, 3, 5)[:count])], config=config)


def strike(game: BoidVoid, target: int = 1, by: int = 0) -> list[dict[str, Any]]:
    return act(game, LEADER_0, do="attack", unit=by, target=target)


# ---------------------------------------------------------------- steps 1 and 2


def test_1_and_2_beyond_its_range_a_ship_cannot_attack() -> None:
    game = duel(foe={"at": [5, 2]})
    assert refusal(game, 0, do="attack", unit=0, target=1) == "OUT_OF_RANGE"
    game = duel(foe={"at": [4, 2]})
    assert of_kind(strike(game), "attacked")[0]["range"] == 2


def test_1_a_swarms_range_is_its_greatest() -> None:
    units: Any = [{"id": SWARM, "at": [0, 2], "team": 0, "name": "s"}, {"id": 0, "swarm": SWARM}]
    far = {"id": 2, "swarm": SWARM, "stats": {"health": 40, "range": 5, "attack": 7}}
    game = position([*units, far, {"id": 1, "at": [4, 2]}])
    events = strike(game, by=SWARM)
    assert of_kind(events, "attacked")[0]["range"] == 5
    force = of_kind(events, "force")[0]  # 3, 4: only the ship whose range reaches contributes
    assert (force["main"], force["additional"]) == (5000, 700)
    assert [unit(game, name)["battery"] for name in (0, 2)] == [10000, 5000]  # and only it pays (swarm 2.2)


def test_1_tile_range_counts_only_with_range_bonus() -> None:
    land: Any = {"bonuses": [{"at": [2, 2], "bonuses": {"range": 1}}]}
    assert refusal(duel(foe={"at": [5, 2]}, land=land), 0, do="attack", unit=0, target=1) == "OUT_OF_RANGE"
    strike(duel(foe={"at": [5, 2]}, land=land, config={"range_bonus": True}))


# ---------------------------------------------------------------- steps 3 to 12, and 13 for the other side


def test_3_to_12_of_a_ship_on_plain_tiles() -> None:
    events = strike(duel({"battery": 8001, "ratio": 30}))
    mine, theirs = of_kind(events, "force")
    assert (mine["main"], mine["additional"], mine["bonus"], mine["damage"]) == (2400, 500, 0, 2900)  # floor(2400.3)
    assert (theirs["main"], theirs["additional"], theirs["damage"]) == (5000, 500, 5500)  # 13
    guard, own = of_kind(events, "guard")
    assert (guard["shields"], guard["defense"], guard["bonus"], guard["total"]) == (5000, 1000, 0, 6000)
    assert own["shields"] == 8001 - 2400


def test_5_and_10_bonuses_of_tile_point_and_superstructure() -> None:
    land: Any = {
        "bonuses": [{"at": [2, 2], "bonuses": {"attack": 10}}, {"at": [3, 2], "bonuses": {"defense": 50}}],
        "points": [{"at": [2, 2], "bonuses": {"attack": 20, "defense": 0}}],
    }
    hall: Any = {"id": STRUCTURE, "at": [2, 2], "team": 0, "nft": 77, "stats": {"health": 9, "tile_attack": 30}}
    owned = [[[2, 2]], [[5, 4]]]
    game = position([MINE, FOE, hall], land=land, nfts=[{**HALL, "player": 0}], owned=owned)
    events = strike(game)
    assert of_kind(events, "force")[0]["bonus"] == 60
    assert of_kind(events, "force")[0]["damage"] == 5500 * 160 // 100
    assert of_kind(events, "guard")[0]["total"] == 5000 + 1500
    stranger = position([MINE, FOE], land=land, owned=[[], [[5, 4]]])
    assert of_kind(strike(stranger), "force")[0]["bonus"] == 10  # a point helps only its owner's team (ruling 7)


def test_6_7_and_10_critical_values_and_defense_of_tile_point_and_superstructure_add_up() -> None:
    land: Any = {
        "bonuses": [{"at": [3, 2], "bonuses": {"defense": 10, "critical_chance": 1, "critical_value": 2}}],
        "points": [{"at": [3, 2], "bonuses": {"defense": 20, "critical_chance": 3, "critical_value": 4}}],
    }
    stats = {"health": 9, "tile_defense": 30, "tile_critical_chance": 96, "tile_critical_value": 6}
    hall: Any = {"id": STRUCTURE, "at": [3, 2], "team": 1, "nft": 77, "stats": stats}
    config = {"critical_limit": 100, "ship": (5, 10, 40, 0, 2, 0, 0, 50, 0, 0, 0, 0, 0)}
    game = position([MINE, FOE, hall], land=land, nfts=[HALL], owned=[[], [[3, 2]]], config=config)
    events = strike(game)
    guard, answer = of_kind(events, "guard")[0], of_kind(events, "chance")[1]
    assert (guard["bonus"], guard["total"]) == (60, 5000 + 1600)
    assert (answer["chance"], answer["critical"]) == (100, 50 + 2 + 4 + 6)


def test_7_critical_values_of_a_swarm_are_averaged() -> None:
    units: Any = [{"id": SWARM, "at": [2, 2], "team": 0, "name": "s"}, FOE]
    ships = [
        {
            "id": seat,
            "swarm": SWARM,
            "stats": {"health": 40, "range": 2, "critical_chance": 100, "critical_value": value},
        }
        for seat, value in ((0, 20), (2, 51))
    ]
    events = strike(position([*units, *ships], config={"critical_limit": 100}), by=SWARM)
    assert of_kind(events, "chance")[0]["critical"] == 35


def test_6_and_7_a_forced_critical_hit() -> None:
    sure = {"critical_limit": 100, "ship": (5, 10, 40, 0, 2, 0, 100, 50, 0, 0, 0, 0, 0)}
    events = strike(duel(config=sure, land={"bonuses": [{"at": [2, 2], "bonuses": {"critical_value": 30}}]}))
    chance = of_kind(events, "chance")[0]
    assert (chance["chance"], chance["critical"]) == (100, 80)
    assert of_kind(events, "force")[0]["damage"] == 5500 * 180 // 100


def test_6_the_games_limit_forbids_critical_hits() -> None:
    events = strike(duel(config={"critical_limit": 0, "ship": (5, 10, 40, 0, 2, 0, 100, 50, 0, 0, 0, 0, 0)}))
    assert [(one["chance"], one["critical"]) for one in of_kind(events, "chance")] == [(0, 0), (0, 0)]


def test_6_a_chance_is_met_as_often_as_it_says() -> None:
    config = {"critical_limit": 100, "ship": (5, 10, 40, 0, 2, 0, 25, 50, 0, 0, 0, 0, 0)}
    hits = 0
    for key in range(400):
        events = strike(position([MINE, FOE], config=config, key=f"{key:x}"))
        hits += of_kind(events, "chance")[0]["critical"] == 50
    assert 70 < hits < 130


def test_3_6_8_and_9_of_a_swarm_are_sums_and_means() -> None:
    game = position(
        [
            {"id": SWARM, "at": [2, 2], "team": 0, "name": "s"},
            {"id": 0, "swarm": SWARM, "stats": {"health": 40, "range": 2, "attack": 5, "critical_chance": 10}},
            {"id": 2, "swarm": SWARM, "stats": {"health": 40, "range": 2, "attack": 8, "defense": 3}, "battery": 3000},
            FOE,
        ],
        config={"critical_limit": 100},
    )
    events = strike(game, by=SWARM)
    assert (of_kind(events, "force")[0]["main"], of_kind(events, "force")[0]["additional"]) == (6500, 1300)
    assert of_kind(events, "chance")[0]["chance"] == 5
    assert (of_kind(events, "guard")[1]["shields"], of_kind(events, "guard")[1]["defense"]) == (6500, 300)


@pytest.mark.parametrize(("name", "kind"), [(MOTHER_1, "mothership"), (STRUCTURE, "superstructure"), (NPC, "npc")])
def test_3_8_and_13_of_units_without_a_battery(name: int, kind: str) -> None:
    stats = {"attack": 30, "defense": 20, "health": 100, "range": 2}
    other = {"id": name, "at": [3, 2], "stats": stats, **({} if kind == "npc" else {"team": 1})}
    if kind == "superstructure":
        other["nft"] = 77
    game = position([MINE, other], nfts=[HALL], npcs=1)
    events = strike(game, name)
    answer, guard = of_kind(events, "force")[1], of_kind(events, "guard")[0]
    assert (answer["main"], answer["additional"]) == (0, 0 if kind == "mothership" else 3000)
    assert (guard["shields"], guard["total"]) == (0, 2000)
    assert unit(game, name)["health"] == 10000 - (5500 - 2000)  # others 1 to 3
    if kind == "mothership":
        assert of_kind(events, "no_counter")[0]["why"] == "cannot strike"
        assert unit(game, 0)["battery"] == 5000
    else:
        assert unit(game, 0)["battery"] == 5000 - 3000  # shields 5000 bear it; the damage is deducted


def test_10_a_superstructures_bonuses_do_not_help_itself() -> None:
    stats = {"defense": 20, "health": 100, "tile_defense": 500}
    game = position([MINE, {"id": STRUCTURE, "at": [3, 2], "team": 1, "nft": 77, "stats": stats}], nfts=[HALL])
    assert of_kind(strike(game, STRUCTURE), "guard")[0]["total"] == 2000


# ---------------------------------------------------------------- steps 14 to 20


def test_15_more_than_defense_and_health_leaves_no_counterattack() -> None:
    game = duel({"ratio": 100, "battery": 9501})  # 95.01 + 5 = 100.01 against 50 + 10 + 40
    events = strike(game)
    assert of_kind(events, "no_counter")[0]["why"] == "overwhelmed"
    assert [hit["unit"] for hit in of_kind(events, "hit")] == [1]
    assert unit(game, 1)["status"] == "waiting"


def test_15_exactly_as_much_destroys_but_is_answered() -> None:
    game = duel({"ratio": 100, "battery": 9500})
    events = strike(game)
    assert [hit["unit"] for hit in of_kind(events, "hit")] == [1, 0]
    assert unit(game, 1)["status"] == "waiting"
    assert unit(game, 1)["battery"] == 0  # it struck back with 50 and lost 50 shields


def test_16_the_game_may_forbid_counterattacks() -> None:
    game = duel(config={"counterattack": False})
    assert of_kind(strike(game), "no_counter")[0]["why"] == "not allowed"
    assert unit(game, 0)["battery"] == 5000  # it paid its attack and keeps its shields (ruling 15)
    assert unit(game, 1)["battery"] == 5000  # it lost its shields and no attack


def test_17_a_target_out_of_its_own_range_does_not_answer() -> None:
    game = duel(foe={"at": [4, 2], "stats": {"health": 40, "range": 1, "attack": 5, "defense": 10}})
    assert of_kind(strike(game), "no_counter")[0]["why"] == "out of range"


def test_18_and_19_the_answer_comes_from_before_the_hit() -> None:
    game = duel()
    events = strike(game)
    assert [(hit["unit"], hit["damage"]) for hit in of_kind(events, "hit")] == [(1, 5500), (0, 5500)]
    # Both pay 50 for the attack and 50 shields, as 55 > 50; 10 defense bear the other 5.
    assert [(unit(game, name)["battery"], unit(game, name)["health"]) for name in (0, 1)] == [(0, 4000)] * 2


# ---------------------------------------------------------------- after the combat: a spaceship


def test_spaceship_2_damage_within_the_shields_is_deducted_from_the_battery() -> None:
    game = duel({"battery": 2000})  # strikes with 10 + 5 = 15
    strike(game)
    assert unit(game, 1)["battery"] == 10000 - 5000 - 1500


def test_spaceship_2_with_depletion_all_shields_go() -> None:
    game = duel({"battery": 2000}, config={"deplete_on_defense": True})
    strike(game)
    assert unit(game, 1)["battery"] == 0


def test_spaceship_3_no_damage_changes_nothing_but_the_attack() -> None:
    weak = {"battery": 0, "stats": {"health": 40, "range": 2}}
    game = duel(weak, config={"deplete_on_defense": True})  # an attack at battery 0 is legal (ruling 13)
    strike(game)
    assert unit(game, 1)["battery"] == 5000


def test_spaceship_4_to_6_defense_then_health() -> None:
    game = duel(
        {"ratio": 100}, config={"counterattack": False}
    )  # 100 + 5 = 105: 50 shields, 10 defense, 40 health, dead
    strike(game)
    assert unit(game, 1)["status"] == "waiting"
    game = duel({"ratio": 70}, config={"counterattack": False})  # 75: 50, 10, then 15 of 40
    events = strike(game)
    assert unit(game, 1)["health"] == 2500
    assert of_kind(events, "wound")[0] == {"event": "wound", "unit": 1, "blocked": 1000, "wound": 1500, "health": 2500}


# ---------------------------------------------------------------- after the combat: a swarm


def test_swarm_1_1_strong_first_cascades_and_spares_the_rest() -> None:
    game = position(
        [
            {**MINE, "ratio": 100},
            {"id": SWARM + 1, "at": [3, 2], "team": 1, "name": "s"},
            {"id": 1, "swarm": SWARM + 1, "battery": 2000},
            {"id": 3, "swarm": SWARM + 1},
        ],
        config={"damage_distribution": "strong", "counterattack": False, "deplete_on_defense": True},
    )
    strike(game, SWARM + 1)  # 105: ship 3 bears 50 + 10 + 40 and falls; 5 are left for ship 1's shields of 10
    assert unit(game, 3)["status"] == "waiting"
    assert unit(game, 1)["battery"] == 1000
    assert unit(game, 1)["health"] == 4000


def test_swarm_1_2_weak_first() -> None:
    units: Any = [
        {**MINE, "ratio": 40},
        {"id": SWARM + 1, "at": [3, 2], "team": 1, "name": "s"},
        {"id": 1, "swarm": SWARM + 1, "battery": 2000},
        {"id": 3, "swarm": SWARM + 1},
    ]
    game = position(units, config={"damage_distribution": "weak", "counterattack": False, "deplete_on_defense": True})
    strike(game, SWARM + 1)  # 45: ship 1 bears 10 + 10 and 25 of its health; ship 3 is not reached
    assert (unit(game, 1)["battery"], unit(game, 1)["health"]) == (1000, 1500)
    assert unit(game, 3)["battery"] == 10000


def test_swarm_1_equal_ships_come_by_id() -> None:
    for distribution in ("strong", "weak"):
        game = swarms(damage_distribution=distribution, counterattack=False)
        strike(game, SWARM + 1)
        assert [unit(game, name)["battery"] for name in (1, 3)] == [5000, 10000]


def test_swarm_1_3_random_hits_each_in_turn_over_many_matches() -> None:
    first = set()
    for key in range(20):
        game = position(
            [
                MINE,
                {"id": SWARM + 1, "at": [3, 2], "team": 1, "name": "s"},
                *({"id": seat, "swarm": SWARM + 1} for seat in (1, 3, 5)),
            ],
            config={"damage_distribution": "random", "counterattack": False},
            key=f"{key:x}",
        )
        strike(game, SWARM + 1)
        first |= {name for name in (1, 3, 5) if unit(game, name)["battery"] < 10000}
    assert first == {1, 3, 5}


def test_swarm_1_4_spread_gives_every_ship_the_same_and_carries_nothing_over() -> None:
    game = swarms(3, damage_distribution="spread", counterattack=False)
    strike(game, SWARM + 1)
    assert [unit(game, name)["battery"] for name in (1, 3, 5)] == [10000 - 5500 // 3] * 3


def test_swarm_2_2_all_who_struck_pay_first() -> None:
    game = swarms(damage_distribution="strong")
    strike(game, SWARM + 1)  # they strike back with 2 * 55
    assert unit(game, 0)["status"] == "waiting"
    assert [unit(game, name)["battery"] for name in (1, 3)] == [0, 5000]


def test_swarm_2_7_destroyed_ships_leave_and_an_empty_swarm_vanishes() -> None:
    game = position(
        [
            {**MINE, "ratio": 100, "battery": 10000},
            {"id": SWARM + 1, "at": [3, 2], "team": 1, "name": "s"},
            {"id": 1, "swarm": SWARM + 1, "battery": 0},
        ]
    )
    events = strike(game, SWARM + 1)
    assert of_kind(events, "swarm_gone")
    assert unit(game, 1)["status"] == "waiting"
    assert unit(game, SWARM + 1)["status"] == "gone"
    assert game.view()["teams"][0]["destroyed"] == 1


def test_only_enemies_on_the_map_can_be_attacked() -> None:
    game = position([MINE, {"id": 2, "at": [2, 3]}, {"id": 3, "wait": 1}])
    assert refusal(game, 0, do="attack", unit=0, target=2) == "OWN_TEAM"
    assert refusal(game, 0, do="attack", unit=0, target=3) == "TARGET_NOT_ON_THE_MAP"
    assert refusal(game, 0, do="attack", unit=0, target=4) == "OWN_TEAM"
    assert refusal(game, 0, do="attack", unit=0, target=12345) == "NO_SUCH_UNIT"


def test_a_unit_attacks_once_a_turn() -> None:
    game = duel()
    strike(game)
    assert refusal(game, 0, do="attack", unit=0, target=1) == "ACTED"
