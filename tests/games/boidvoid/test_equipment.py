"""What NFTs do in a game: stacks, boosts, equipment."""

from typing import Any

import pytest

from marchland.core.orders import HOST_PLAYER
from marchland.games.boidvoid.season.items import MODIFIERS
from tests.games.boidvoid.builders import (
    HALL,
    ME,
    MOTHER,
    MOTHER_0,
    STRUCTURE,
    SWARM,
    TROOPER_0,
    act,
    of_kind,
    position,
    refusal,
    unit,
)


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
    assert refusal(game, 0, do="stack", at=[1, 0], nft=6, mode=mode) == "WRONG_NFT"
    assert refusal(game, 0, do="stack", at=[1, 1], nft=8, mode=mode) == "NO_STRUCTURE"
    act(game, 0, do="stack", at=[1, 0], nft=8, mode=mode)
    raised = unit(game, STRUCTURE)
    assert (raised["aim"], raised["health"], raised["stats"]["attack"]) == (2, 10000, 20)
    assert refusal(game, 0, do="stack", at=[1, 0], nft=9, mode=mode) == "LEVEL_LIMIT"
    assert of_kind(act(game, 1, do="attack", unit=1, target=STRUCTURE), "destroyed")
    uses = {nft["id"]: nft.get("use", "free") for nft in game.view(0)["nfts"]}
    assert (uses[7], uses[8]) == ("spent", after)


def test_an_nft_that_was_staked_once_is_burned_all_the_same_when_it_founds() -> None:
    stats = {"health": 1, "build_rate": 1}
    hall: Any = {**HALL, "traits": stats, "use": "built", "target": STRUCTURE}
    fallen: Any = {"id": STRUCTURE, "at": [0, 1], "team": 0, "nft": 7, "stats": stats}
    foe = {"id": 1, "at": [1, 1], "ratio": 100, "stats": {"health": 900, "attack": 99, "range": 3}}
    game = position([fallen, foe, {**ME, "at": [1, 0]}], nfts=[hall, {**HALL, "id": 8, "traits": stats}])
    act(game, 0, do="stack", at=[0, 1], nft=8, mode="stake")
    act(game, 1, do="attack", unit=1, target=STRUCTURE)
    act(game, 0, do="build", unit=0, nft=8)
    act(game, HOST_PLAYER, do="burned", nft=8)
    game.step()
    assert of_kind(act(game, 1, do="attack", unit=1, target=STRUCTURE + 1), "destroyed")
    assert [nft["use"] for nft in game.view(0)["nfts"]] == ["spent", "spent"]


def test_a_boost_lasts_its_turns_and_a_staked_one_returns() -> None:
    boost: Any = {"id": 3, "kind": "boost", "player": 0, "turns": 2, "traits": {"attack": 10}}
    game = position([ME], nfts=[boost])
    act(game, 0, do="boost", target=0, nft=3, mode="stake")
    assert unit(game, 0)["stats"]["attack"] == 15
    assert refusal(game, 0, do="boost", target=0, nft=3, mode="stake") == "NFT_IN_USE"
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
    act(game, 0, do="boost", target=SWARM, nft=3, mode="burn")
    assert of_kind(act(game, 0, do="attack", unit=SWARM, target=1), "force")[0]["additional"] == 3000


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
    assert refusal(game, 0, do="boost", target=target, nft=4, mode="burn") == "WRONG_NFT"
    act(game, 0, do="boost", target=target, nft=3, mode="burn")
    assert unit(game, target)["stats"][trait] == before + 10
    game.step()
    game.step()
    assert unit(game, target)["stats"].get(trait, 0) == before
    assert {nft["id"]: nft.get("use", "free") for nft in game.view(0)["nfts"]}[3] == "spent"


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
    act(game, 0, do="equip", unit=0, nft=3)
    act(game, 0, do="equip", unit=0, nft=4)
    act(game, 0, do="equip", unit=0, nft=5)
    assert (unit(game, 0)["stats"]["health"], unit(game, 0)["stats"]["range"]) == (40, 3)
    assert [nft.get("use", "free") for nft in game.view(0)["nfts"]] == ["free", "equipped", "equipped", "free", "free"]
    assert game.view(0)["players"][0]["avatar"] == 5
    assert game.view(0)["album"] == [6]
    assert refusal(game, 0, do="equip", unit=0, nft=6) == "WRONG_NFT"
    assert refusal(game, 0, do="equip", unit=0, nft=8) == "WRONG_NFT"
    assert refusal(game, TROOPER_0, do="equip", unit=0, nft=3) == "NOT_YOUR_UNIT"


@pytest.mark.parametrize(
    ("kind", "modifier"), [(kind, name) for kind in ("spaceship", "mothership") for name in MODIFIERS[kind]]
)
def test_every_modifier_of_a_hull_adds_to_that_of_its_ship(kind: str, modifier: str) -> None:
    game = position([ME, MOTHER], nfts=[{"id": 3, "kind": kind, "player": 0, "traits": {modifier: 2}}])
    name = 0 if kind == "spaceship" else MOTHER_0
    before = unit(game, name)["stats"].get(modifier, 0)
    act(game, 0, do="equip", unit=name, nft=3)
    assert unit(game, name)["stats"][modifier] == before + 2


@pytest.mark.parametrize("modifier", MODIFIERS["superstructure"])
def test_a_superstructure_has_every_modifier_of_its_nft(modifier: str) -> None:
    hall = {"id": 7, "kind": "superstructure", "player": 0, "traits": {"health": 50, modifier: 2}}
    game = position([{**ME, "at": [1, 0]}], nfts=[hall])
    act(game, 0, do="build", unit=0, nft=7)
    while not of_kind(game.step().events, "built"):
        assert game.turn < 5
    assert unit(game, STRUCTURE)["stats"][modifier] == 2


def test_a_mothership_takes_equipment_from_its_leaders_only() -> None:
    hull: Any = {"id": 3, "kind": "mothership", "traits": {"defense": 5}}
    game = position([MOTHER], nfts=[{**hull, "player": 0}, {**hull, "id": 4, "player": TROOPER_0}])
    assert refusal(game, TROOPER_0, do="equip", unit=MOTHER_0, nft=4) == "LEADERS_ONLY"
    assert refusal(game, 0, do="equip", unit=0, nft=3) == "WRONG_NFT"
    act(game, 0, do="equip", unit=MOTHER_0, nft=3)
    assert unit(game, MOTHER_0)["stats"]["defense"] == 30


def test_a_unit_has_at_most_so_many_boosts_at_a_time() -> None:
    boosts: Any = [
        {"id": number, "kind": "boost", "player": 0, "turns": 1, "traits": {"attack": 10}} for number in (3, 4, 5)
    ]
    game = position([ME], nfts=boosts, config={"boost_limit": 2})
    for nft in (3, 4):
        act(game, 0, do="boost", target=0, nft=nft, mode="burn")
    assert refusal(game, 0, do="boost", target=0, nft=5, mode="burn") == "BOOST_LIMIT"
    act(game, 0, do="boost", target=MOTHER_0, nft=5, mode="burn")
    game.step()
    assert unit(game, 0)["stats"]["attack"] == 5
