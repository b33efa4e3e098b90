"""Capture, build, spawn, swarms, battery, automode, NFTs and the lock: what each does and when it is refused."""

from typing import Any

import pytest

from marchland.core.orders import HOST
from marchland.games.boidvoid.game import BoidVoid
from marchland.messages import Cells, Pieces
from tests.games.boidvoid.arena import (
    LEADER_0,
    LEADER_1,
    MOTHER_0,
    MOTHER_1,
    STRUCTURE,
    SWARM,
    TROOPER_0,
    done,
    position,
    refused,
    told,
    unit,
)

HALL = {
    "id": 7,
    "kind": "superstructure",
    "player": 0,
    "template": 5,
    "traits": {"health": 50, "build_rate": 2, "attack": 10, "tile_action_points": 3},
}
MOTHER = {"id": MOTHER_0, "at": [0, 0]}
ME = {"id": 0, "at": [2, 2], "action_points": 9}


def owner(game: BoidVoid, at: list[int]) -> int | None:
    return next((team["team"] for team in game.view()["teams"] if at in team["owned"]), None)


# ---------------------------------------------------------------- capture


def test_a_capture_takes_the_games_turns_and_locks_all_else() -> None:
    game = position([MOTHER, ME], config={"capture_turns": 2})
    done(game, 0, do="capture", unit=0)
    for order in ({"do": "move", "unit": 0, "to": [2, 1]}, {"do": "detonate", "unit": 0}, {"do": "capture", "unit": 0}):
        assert refused(game, 0, **order) == "BUSY"
    game.step()
    assert owner(game, [2, 2]) is None
    assert told(game.step().events, "captured")[0]["team"] == 0
    assert owner(game, [2, 2]) == 0


def test_a_capture_counts_tile_and_point_and_takes_the_point_with_it() -> None:
    land: Any = {
        "bonuses": [{"at": [2, 2], "bonuses": {"capture": 3}}],
        "points": [{"at": [2, 2], "bonuses": {"capture": -1}}],
    }
    game = position([MOTHER, ME], land=land)
    assert told(done(game, 0, do="capture", unit=0), "capture_begun")[0]["turns"] == 4
    for _ in range(4):
        game.step()
    assert game.view()["teams"][0]["points"] == 1


def test_another_teams_tile_takes_twice_as_long() -> None:
    game = position([MOTHER, {**ME, "at": [5, 3]}])
    assert told(done(game, 0, do="capture", unit=0), "capture_begun")[0]["turns"] == 4
    for _ in range(4):
        game.step()
    assert [team["tiles"] for team in game.view()["teams"]] == [4, 2]


def test_captures_that_are_refused() -> None:
    assert refused(position([ME]), 0, do="capture", unit=0) == "MOTHERSHIP_MISSING"
    assert refused(position([MOTHER, {**ME, "at": [1, 0]}]), 0, do="capture", unit=0) == "OWN_TILE"
    swarm: Any = {"id": SWARM, "at": [2, 2], "team": 0, "name": "s"}
    game = position([MOTHER, swarm, {"id": 0, "swarm": SWARM}])
    assert refused(game, 0, do="capture", unit=0) == "IN_A_SWARM"
    assert refused(game, 0, do="capture", unit=SWARM) == "WRONG_KIND"
    assert refused(game, 0, do="capture", unit=MOTHER_0) == "WRONG_KIND"


def test_a_capture_freezes_without_the_mothership_and_is_lost_when_cancelled() -> None:
    game = position([MOTHER, ME])
    done(game, 0, do="capture", unit=0)
    done(game, LEADER_0, do="detonate", unit=MOTHER_0)
    for _ in range(5):
        game.step()
    assert unit(game, 0)["wait"] == 2
    done(game, 0, do="cancel", unit=0)
    assert refused(game, 0, do="cancel", unit=0) == "NOTHING_TO_CANCEL"


def test_a_captor_that_is_hit_goes_on_and_strikes_back_and_one_that_falls_loses_all() -> None:
    foe = {"id": 1, "at": [3, 2]}
    game = position([MOTHER, ME, foe])
    done(game, 0, do="capture", unit=0)
    assert len(told(done(game, 1, do="attack", unit=1, target=0), "hit")) == 2
    game.step()
    game.step()
    assert owner(game, [2, 2]) == 0
    game = position([MOTHER, ME, {**foe, "battery": 20000, "ratio": 100}])
    done(game, 0, do="capture", unit=0)
    done(game, 1, do="attack", unit=1, target=0)
    for _ in range(3):
        game.step()
    assert owner(game, [2, 2]) is None


def test_a_capture_is_an_action_and_none_other_follows_in_its_turn() -> None:
    game = position([MOTHER, ME])
    done(game, 0, do="capture", unit=0)
    done(game, 0, do="cancel", unit=0)
    assert refused(game, 0, do="capture", unit=0) == "ACTED"
    done(game, 0, do="move", unit=0, to=[2, 1])


# ---------------------------------------------------------------- build and stack


def test_a_building_that_is_given_up_or_lost_has_burned_its_nft() -> None:
    game = position([{**ME, "at": [1, 0]}], nfts=[HALL])
    done(game, 0, do="build", unit=0, nft=7)
    lost = game.copy()
    done(game, 0, do="cancel", unit=0)
    assert game.view(0)["nfts"][0]["use"] == "spent"
    foe = position([{**ME, "at": [1, 0]}, {"id": 1, "at": [2, 0], "battery": 20000, "ratio": 100}], nfts=[HALL])
    done(foe, 0, do="build", unit=0, nft=7)
    done(foe, 1, do="attack", unit=1, target=0)
    assert foe.view(0)["nfts"][0]["use"] == "spent"
    for match in (foe, lost):
        for _ in range(3):
            match.step()
    assert lost.view()["teams"][0]["structures"] == 1
    assert foe.view()["teams"][0]["structures"] == 0


def test_an_nft_with_modifiers_that_no_superstructure_has_founds_none() -> None:
    odd: Any = {**HALL, "traits": {"health": 50, "battery": 3}}
    assert refused(position([{**ME, "at": [1, 0]}], nfts=[odd]), 0, do="build", unit=0, nft=7) == "WRONG_NFT"


def test_building_burns_the_nft_at_once_and_takes_its_turns() -> None:
    game = position([{**ME, "at": [1, 0]}], nfts=[HALL])
    done(game, 0, do="build", unit=0, nft=7)
    assert game.view(0)["nfts"][0]["use"] == "building"
    game.step()
    assert told(game.step().events, "built")[0]["unit"] == STRUCTURE
    built = unit(game, STRUCTURE)
    assert (built["health"], built["team"], built["aim"]) == (5000, 0, 1)
    assert unit(game, 0)["action_points"] == 9 + 9  # the second recharge: 9, and 3 more, up to 18


def test_builds_that_are_refused_cost_nothing() -> None:
    game = position([ME], nfts=[HALL, {**HALL, "id": 8, "burnable": False}, {"id": 9, "kind": "boost", "player": 0}])
    assert refused(game, 0, do="build", unit=0, nft=7) == "NOT_OWN_TILE"
    foreign = position([{**ME, "at": [5, 3]}], nfts=[HALL])
    assert refused(foreign, 0, do="build", unit=0, nft=7) == "NOT_OWN_TILE"
    assert refused(foreign, 0, do="build", unit=MOTHER_0, nft=7) == "NOT_ON_THE_MAP"
    game = position(
        [{**ME, "at": [1, 0]}],
        nfts=[
            HALL,
            {**HALL, "id": 8, "burnable": False},
            {"id": 9, "kind": "boost", "player": 0},
            {**HALL, "id": 10, "player": 1},
        ],
    )
    assert refused(game, 0, do="build", unit=0, nft=8) == "NOT_BURNABLE"
    assert refused(game, 0, do="build", unit=0, nft=9) == "WRONG_NFT"
    assert refused(game, 0, do="build", unit=0, nft=10) == "NOT_YOUR_NFT"
    assert refused(game, 0, do="build", unit=0, nft=11) == "NOT_YOUR_NFT"


@pytest.mark.parametrize(("mode", "after"), [("burn", "spent"), ("stake", "free")])
def test_stacking_multiplies_the_modifiers_up_to_the_limit(mode: str, after: str) -> None:
    stats = {"health": 50, "build_rate": 2, "attack": 10, "tile_action_points": 3}
    built = {"id": STRUCTURE, "at": [1, 0], "team": 0, "nft": 7, "stats": stats}
    hall: Any = {**HALL, "use": "built", "target": STRUCTURE}
    game = position(
        [built, {"id": 1, "at": [2, 0], "ratio": 100, "battery": 200000}],
        nfts=[hall, {**HALL, "id": 8}, {**HALL, "id": 9}, {**HALL, "id": 6, "template": 4}],
        config={"level_limit": 2},
    )
    assert refused(game, 0, do="stack", at=[1, 0], nft=6, mode=mode) == "WRONG_NFT"
    assert refused(game, 0, do="stack", at=[1, 1], nft=8, mode=mode) == "NO_STRUCTURE"
    done(game, 0, do="stack", at=[1, 0], nft=8, mode=mode)
    raised = unit(game, STRUCTURE)
    assert (raised["aim"], raised["health"], raised["stats"]["attack"]) == (2, 10000, 20)
    assert refused(game, 0, do="stack", at=[1, 0], nft=9, mode=mode) == "LEVEL_LIMIT"
    assert told(done(game, 1, do="attack", unit=1, target=STRUCTURE), "destroyed")
    uses = {nft["id"]: nft.get("use", "free") for nft in game.view(0)["nfts"]}
    assert (uses[7], uses[8]) == ("spent", after)


def test_an_nft_that_was_staked_once_is_burned_all_the_same_when_it_founds() -> None:
    stats = {"health": 1, "build_rate": 1}
    hall: Any = {**HALL, "traits": stats, "use": "built", "target": STRUCTURE}
    fallen: Any = {"id": STRUCTURE, "at": [0, 1], "team": 0, "nft": 7, "stats": stats}
    foe = {"id": 1, "at": [1, 1], "ratio": 100, "stats": {"health": 900, "attack": 99, "range": 3}}
    game = position([fallen, foe, {**ME, "at": [1, 0]}], nfts=[hall, {**HALL, "id": 8, "traits": stats}])
    done(game, 0, do="stack", at=[0, 1], nft=8, mode="stake")
    done(game, 1, do="attack", unit=1, target=STRUCTURE)
    done(game, 0, do="build", unit=0, nft=8)
    done(game, HOST, do="burned", nft=8)
    game.step()
    assert told(done(game, 1, do="attack", unit=1, target=STRUCTURE + 1), "destroyed")
    assert [nft["use"] for nft in game.view(0)["nfts"]] == ["spent", "spent"]


# ---------------------------------------------------------------- spawn, detonate, respawn


def test_at_the_start_everything_waits_with_a_full_battery() -> None:
    game = BoidVoid.new(4, seed=1)
    assert {one["status"] for one in game.position()["units"] if one["kind"] != "npc"} == {"waiting"}
    assert unit(game, 3)["battery"] == 10000
    done(game, 0, do="spawn", unit=0, at=list(game.view()["teams"][0]["owned"][0]))
    assert (unit(game, 0)["health"], unit(game, 0).get("action_points", 0)) == (4000, 0)


def test_spawns_that_are_refused() -> None:
    game = position([{"id": 2, "at": [1, 0]}, {"id": 4, "wait": 2}])
    assert refused(game, 0, do="spawn", unit=0, at=[5, 4]) == "NOT_OWN_TILE"
    assert refused(game, 0, do="spawn", unit=0, at=[2, 2]) == "NOT_OWN_TILE"
    assert refused(game, 0, do="spawn", unit=0, at=[1, 0]) == "BLOCKED"
    assert refused(game, 0, do="spawn", unit=0, at=[9, 9]) == "OFF_THE_MAP"
    assert refused(game, 2, do="spawn", unit=2, at=[0, 0]) == "ALREADY_SPAWNED"
    assert refused(game, 4, do="spawn", unit=4, at=[0, 0]) == "RESPAWNING"
    assert refused(game, TROOPER_0, do="spawn", unit=MOTHER_0, at=[0, 0]) == "LEADERS_ONLY"
    assert refused(game, LEADER_1, do="spawn", unit=MOTHER_0, at=[0, 0]) == "OTHER_TEAM"
    done(game, 2, do="spawn", unit=MOTHER_0, at=[0, 0])


def test_a_team_without_tiles_spawns_at_the_nearest_unowned_one() -> None:
    game = position([], owned=[[], [[5, 4], [0, 0], [1, 0]]])
    assert refused(game, 0, do="spawn", unit=0, at=[2, 2]) == "NOT_OWN_TILE"
    done(game, 0, do="spawn", unit=0, at=[0, 1])


def test_a_destroyed_ship_waits_and_not_in_the_turn_that_set_it() -> None:
    game = position([{**ME, "stats": {"health": 40, "respawn": 1}}], config={"respawn_ship": 2})
    done(game, 0, do="detonate", unit=0)
    waits = []
    for _ in range(4):
        waits.append(unit(game, 0).get("wait", 0))
        game.step()
    assert waits == [3, 3, 2, 1]
    done(game, 0, do="spawn", unit=0, at=[0, 0])
    assert unit(game, 0)["battery"] == 10000


def test_waiting_units_do_not_recharge() -> None:
    game = position([{"id": 0, "battery": 100}])
    game.step()
    assert unit(game, 0)["battery"] == 100


# ---------------------------------------------------------------- swarms


def test_a_swarm_is_founded_joined_left_and_dissolved() -> None:
    game = position([ME, {"id": 2, "at": [3, 2]}, {"id": 4, "at": [5, 0]}])
    done(game, 0, do="create_swarm", unit=0, name="wasps")
    swarm = next(one["id"] for one in game.position()["units"] if one["kind"] == "swarm")
    assert refused(game, 2, do="create_swarm", unit=2, name="wasps") == "NAME_TAKEN"
    assert refused(game, 2, do="create_swarm", unit=2, name="") == "BAD_NAME"
    assert refused(game, 4, do="join_swarm", unit=4, swarm=swarm) == "NOT_ADJACENT"
    done(game, 2, do="join_swarm", unit=2, swarm=swarm)
    assert refused(game, 2, do="leave_swarm", unit=2, to=[3, 2]) == "ACTED"
    game.step()
    assert refused(game, 2, do="leave_swarm", unit=2, to=[5, 2]) == "NOT_ADJACENT"
    done(game, 2, do="leave_swarm", unit=2, to=[3, 2])
    assert unit(game, 2).get("action_points", 0) == 0
    assert told(done(game, 0, do="leave_swarm", unit=0, to=[1, 2]), "swarm_gone")
    game.step()
    done(game, 0, do="create_swarm", unit=0, name="wasps")
    ids = [one["id"] for one in game.position()["units"] if one["kind"] == "swarm" and one["status"] == "alone"]
    assert ids != [swarm]


def test_swarm_join_turns_lock_and_fail_when_the_swarm_is_gone() -> None:
    slow: Any = {"id": 2, "at": [3, 2], "stats": {"health": 40, "swarm_join_turns": 2}}
    swarm: Any = [{"id": SWARM, "at": [2, 2], "team": 0, "name": "s"}, {"id": 0, "swarm": SWARM, "action_points": 9}]
    game = position([slow, *swarm])
    done(game, 2, do="join_swarm", unit=2, swarm=SWARM)
    assert refused(game, 2, do="move", unit=2, to=[4, 2]) == "BUSY"
    stays = game.copy()
    stays.step()
    assert told(stays.step().events, "swarm_joined")
    game.step()
    done(game, 0, do="move", unit=SWARM, to=[1, 2])
    assert told(game.step().events, "join_failed")
    assert unit(game, 2)["status"] == "alone"


def test_a_swarm_detonates_with_all_its_ships() -> None:
    swarm: Any = [
        {"id": SWARM, "at": [2, 2], "team": 0, "name": "s"},
        {"id": 0, "swarm": SWARM},
        {"id": 2, "swarm": SWARM},
    ]
    game = position(swarm)
    assert len(told(done(game, 0, do="detonate", unit=SWARM), "destroyed")) == 2


# ---------------------------------------------------------------- battery, lock, host


def test_the_battery_ratio_is_free_and_in_whole_percents() -> None:
    game = position([ME])
    done(game, 0, do="battery", attack=100)
    assert unit(game, 0)["ratio"] == 100
    assert refused(game, 0, do="battery", attack=101) == "BAD_RATIO"


def test_in_the_lock_players_are_refused_until_the_next_turn() -> None:
    game = position([ME])
    done(game, HOST, do="lock")
    assert refused(game, 0, do="move", unit=0, to=[2, 1]) == "LOCKED"
    assert game.legal(0) == {}
    game.step()
    done(game, 0, do="move", unit=0, to=[2, 1])


def test_a_player_cannot_give_the_hosts_orders() -> None:
    assert refused(position([ME]), 0, do="stake", player=0, amount=10**6) == "MALFORMED"


def test_a_stake_changes_the_maximum_and_clamps_the_battery() -> None:
    game = position([ME], config={"battery_recharge": 15})
    done(game, HOST, do="stake", player=0, amount=60)
    assert unit(game, 0)["battery"] == 6000
    done(game, HOST, do="stake", player=0, amount=200)
    game.step()
    assert unit(game, 0)["battery"] == 7500
    assert refused(game, HOST, do="stake", player=99, amount=1) == "BAD_VALUE"


def test_the_host_assigns_teams_and_roles() -> None:
    game = position([ME])
    assert refused(game, HOST, do="assign", player=0, team=1, rank="trooper") == "NOT_WAITING"
    done(game, HOST, do="assign", player=2, team=1, rank="leader")
    roles = [(player["team"], player["role"]) for player in game.view()["players"]]
    assert (roles[1], roles[2]) == ((1, "trooper"), (1, "leader"))
    done(game, 2, do="spawn", unit=MOTHER_1, at=[5, 4])


def test_a_boost_lasts_its_turns_and_a_staked_one_returns() -> None:
    boost: Any = {"id": 3, "kind": "boost", "player": 0, "turns": 2, "traits": {"attack": 10}}
    game = position([ME], nfts=[boost])
    done(game, 0, do="boost", target=0, nft=3, mode="stake")
    assert unit(game, 0)["stats"]["attack"] == 15
    assert refused(game, 0, do="boost", target=0, nft=3, mode="stake") == "NFT_IN_USE"
    game.step()
    game.step()
    assert unit(game, 0)["stats"]["attack"] == 5
    assert "use" not in game.view(0)["nfts"][0]


def test_a_boost_on_a_swarm_is_a_boost_on_each_of_its_ships() -> None:
    boost: Any = {"id": 3, "kind": "boost", "player": 0, "turns": 2, "traits": {"attack": 10}}
    swarm: Any = [
        {"id": SWARM, "at": [2, 2], "team": 0, "name": "s"},
        {"id": 0, "swarm": SWARM},
        {"id": 2, "swarm": SWARM},
    ]
    game = position([*swarm, {"id": 1, "at": [3, 2]}], nfts=[boost])
    done(game, 0, do="boost", target=SWARM, nft=3, mode="burn")
    assert told(done(game, 0, do="attack", unit=SWARM, target=1), "force")[0]["additional"] == 3000


def test_equipment_changes_a_ship_and_gives_back_what_it_had() -> None:
    hulls: Any = [
        {"id": 3, "kind": "spaceship", "player": 0, "traits": {"health": 20}},
        {"id": 4, "kind": "spaceship", "player": 0, "traits": {"range": 1}},
    ]
    game = position(
        [ME],
        nfts=[
            *hulls,
            {"id": 5, "kind": "avatar", "player": 0},
            {"id": 6, "kind": "collectible", "player": 0},
            {"id": 8, "kind": "spaceship", "player": 0, "traits": {"build_rate": 1}},
        ],
    )
    done(game, 0, do="equip", unit=0, nft=3)
    done(game, 0, do="equip", unit=0, nft=4)
    done(game, 0, do="equip", unit=0, nft=5)
    assert (unit(game, 0)["stats"]["health"], unit(game, 0)["stats"]["range"]) == (40, 3)
    assert [nft.get("use", "free") for nft in game.view(0)["nfts"]] == ["free", "equipped", "equipped", "free", "free"]
    assert game.view(0)["players"][0]["avatar"] == 5
    assert game.view(0)["album"] == [6]
    assert refused(game, 0, do="equip", unit=0, nft=6) == "WRONG_NFT"
    assert refused(game, 0, do="equip", unit=0, nft=8) == "WRONG_NFT"
    assert refused(game, TROOPER_0, do="equip", unit=0, nft=3) == "NOT_YOUR_UNIT"


def test_nfts_from_a_ledger_enter_by_host_orders() -> None:
    game = position([{**ME, "at": [1, 0]}])
    done(game, HOST, do="nft", nft=2**62, player=0, kind="superstructure")
    done(game, HOST, do="trait", nft=2**62, trait="build_rate", value=1)
    done(game, HOST, do="trait", nft=2**62, trait="health", value=30)
    assert refused(game, HOST, do="trait", nft=5, trait="health", value=30) == "NO_SUCH_NFT"
    done(game, 0, do="build", unit=0, nft=2**62)
    done(game, HOST, do="burned", nft=2**62)
    assert refused(game, HOST, do="nft", nft=2**62, player=1, kind="superstructure") == "NFT_IN_USE"
    game.step()
    assert unit(game, STRUCTURE)["health"] == 3000
    assert game.view(0)["nfts"][0]["mode"] == "burned"


@pytest.mark.parametrize(
    ("kind", "target", "trait"),
    [
        ("mothership", MOTHER_0, "defense"),
        ("superstructure", STRUCTURE, "tile_defense"),
        ("superstructure", STRUCTURE, "attack"),
    ],
)
def test_a_boost_also_helps_motherships_and_superstructures_with_the_stats_that_they_have(
    kind: str, target: int, trait: str
) -> None:
    boosts: Any = [
        {"id": 3, "kind": "boost", "player": 0, "turns": 2, "traits": {trait: 10}},
        {"id": 4, "kind": "boost", "player": 0, "turns": 2, "traits": {"battery_recovery": 10}},
    ]
    built: Any = {"id": STRUCTURE, "at": [1, 0], "team": 0, "nft": 7, "stats": {"health": 50}}
    game = position([MOTHER, built], nfts=[{**HALL, "use": "built", "target": STRUCTURE}, *boosts])
    before = unit(game, target)["stats"].get(trait, 0)
    assert refused(game, 0, do="boost", target=target, nft=4, mode="burn") == "WRONG_NFT"
    done(game, 0, do="boost", target=target, nft=3, mode="burn")
    assert unit(game, target)["stats"][trait] == before + 10
    game.step()
    game.step()
    assert unit(game, target)["stats"].get(trait, 0) == before
    assert {nft["id"]: nft.get("use", "free") for nft in game.view(0)["nfts"]}[3] == "spent"


def test_a_mothership_takes_equipment_from_its_leaders_only() -> None:
    hull: Any = {"id": 3, "kind": "mothership", "traits": {"defense": 5}}
    game = position([MOTHER], nfts=[{**hull, "player": 0}, {**hull, "id": 4, "player": TROOPER_0}])
    assert refused(game, TROOPER_0, do="equip", unit=MOTHER_0, nft=4) == "LEADERS_ONLY"
    assert refused(game, 0, do="equip", unit=0, nft=3) == "WRONG_NFT"
    done(game, 0, do="equip", unit=MOTHER_0, nft=3)
    assert unit(game, MOTHER_0)["stats"]["defense"] == 30


def test_a_name_is_unique_in_its_team_only() -> None:
    game = position([ME, {"id": 1, "at": [4, 2]}])
    done(game, 0, do="create_swarm", unit=0, name="wasps")
    done(game, 1, do="create_swarm", unit=1, name="wasps")


def test_a_destroyed_unit_waits_at_least_one_turn_and_a_mothership_by_its_own_setting() -> None:
    game = position([{**ME, "stats": {"health": 40, "respawn": -9}}, MOTHER], config={"respawn_mothership": 3})
    done(game, 0, do="detonate", unit=0)
    done(game, 0, do="detonate", unit=MOTHER_0)
    assert (unit(game, 0)["wait"], unit(game, MOTHER_0)["wait"]) == (1, 3)


def test_a_superstructure_gives_its_team_action_points_and_quickens_captures() -> None:
    stats = {"health": 50, "tile_action_points": 3, "tile_capture": 2}
    built: Any = {"id": STRUCTURE, "at": [2, 2], "team": 0, "nft": 7, "stats": stats}
    hall: Any = {**HALL, "use": "built", "target": STRUCTURE}
    game = position([MOTHER, {**ME, "action_points": 0}, built], nfts=[hall], config={"capture_turns": 2})
    assert told(done(game, 0, do="capture", unit=0), "capture_begun")[0]["turns"] == 4
    game.step()
    assert unit(game, 0)["action_points"] == 9 + 3


def test_the_menu_offers_no_tile_for_somebody_elses_unit() -> None:
    game = position([{"id": 1, "at": [3, 2], "action_points": 9}, {"id": 3}])
    for verb, other, param in (("spawn", 3, "at"), ("move", 1, "to")):
        assert game.legal(0, {"do": verb, "unit": other}) == Cells(param, [])
    assert game.legal(0, {"do": "spawn", "unit": 0}) == Cells("at", [(0, 0), (1, 0), (0, 1)])


def test_the_menu_tells_ways_and_what_each_costs() -> None:
    game = position([MOTHER, {**ME, "action_points": 6}])
    menu = game.legal(0, {"do": "move", "unit": 0})
    assert isinstance(menu, Cells)
    steps = {step.cell: step for step in menu.steps}
    assert set(menu.cells) <= set(steps)
    for step in menu.steps:
        before = 0 if step.parent is None else steps[step.parent].cost
        assert before < step.cost <= 6
    target = max(menu.steps, key=lambda step: (step.cell in menu.cells, step.cost))
    assert told(done(game, 0, do="move", unit=0, to=list(target.cell)), "moved")[0]["cost"] == target.cost


def test_the_menu_calls_units_and_nfts_by_name() -> None:
    waiting = position([{"id": 0}, MOTHER]).legal(0, {"do": "spawn"})
    building = position([{**ME, "at": [1, 0]}], nfts=[HALL]).legal(0, {"do": "build", "unit": 0})
    assert waiting == Pieces("unit", [0], ["your ship"])
    assert building == Pieces("nft", [7], ["superstructure NFT 7"])
