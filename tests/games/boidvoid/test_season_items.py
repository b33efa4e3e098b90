"""NFTs of a ledger: what is refusal, how a game learns of them, and when it releases them."""

import json
from typing import Any

import pytest

from marchland.core.orders import HOST_PLAYER
from marchland.core.season_hooks import Item
from marchland.errors import MapError
from marchland.games.boidvoid.game import BoidVoid
from marchland.games.boidvoid.season.hooks import SEASON_HOOKS
from marchland.games.boidvoid.season.items import (
    LedgerError,
    Nft,
    nft_from_asset,
    nft_from_item,
    nft_orders,
    ownership_orders,
    unused_nfts,
)
from tests.games.boidvoid.builders import STRUCTURE, act, position

HALL = Nft(id=2**40, owner="p0", kind="superstructure", template=9, modifiers={"health": 30, "build_rate": 1})
SECOND_HALL = Nft(id=2**40 + 1, owner="p0", kind="superstructure", template=9)
BOOST = Nft(id=2**41, owner="p0", kind="boost", turns=2, modifiers={"attack": 10})
HULLS = [Nft(id=2**42 + number, owner="p0", kind="spaceship", modifiers={"range": 1}) for number in range(2)]
ASSET: dict[str, Any] = {
    "asset_id": str(2**40),
    "owner": "eve",
    "collection": {"collection_name": "boidvoid"},
    "schema": {"schema_name": "superstructure"},
    "template": {"template_id": "9"},
    "template_mint": "3",
    "is_burnable": False,
    "data": {"name": "Hall", "img": "hall.png", "health": 30, "build_rate": "1"},
}


def owner_of(*nfts: Nft) -> BoidVoid:
    """A game in which player 0 owns the NFTs, with an enemy ship that can destroy what is at [1, 0]."""
    game = position([{"id": 0, "at": [1, 0]}, {"id": 1, "at": [2, 1], "battery": 20000, "ratio": 100}])
    for nft in nfts:
        for order in nft_orders(nft, 0):
            assert game.act(HOST_PLAYER, order).results[HOST_PLAYER][0].ok
    return game


def owners(game: BoidVoid) -> dict[int, int]:
    return {nft["id"]: seat for seat in range(len(game.players)) for nft in game.view(seat)["nfts"]}


def update(game: BoidVoid, owned: list[tuple[Nft, int]], held: frozenset[int] = frozenset()) -> None:
    for order in ownership_orders(game, owned, held):
        assert game.act(HOST_PLAYER, order).results[HOST_PLAYER][0].ok


# ---------------------------------------------------------------- what an NFT may be


def has_modifier(kind: Any, modifier: str) -> bool:
    try:
        Nft(id=1, owner="p0", kind=kind, modifiers={modifier: 1}).check()
    except LedgerError:
        return False
    return True


def test_a_modifier_that_the_kind_lacks_is_refused() -> None:
    with pytest.raises(LedgerError, match="no modifier 'battery'"):
        Nft(id=1, owner="p0", kind="mothership", modifiers={"battery": 1}).check()


@pytest.mark.parametrize(
    ("modifier", "kinds"),
    [
        ("attack", ["spaceship", "mothership", "superstructure"]),
        ("defense", ["spaceship", "mothership", "superstructure"]),
        ("health", ["spaceship", "mothership", "superstructure"]),
        ("cost_to_move", ["spaceship", "mothership"]),
        ("range", ["spaceship", "mothership", "superstructure"]),
        ("respawn", ["spaceship", "mothership"]),
        ("critical_chance", ["spaceship", "superstructure"]),  # its combat has one for superstructures, too
        ("swarm_join_turns", ["spaceship"]),
        ("build_rate", ["superstructure"]),
        ("battery", ["spaceship"]),
        ("battery_recovery", ["spaceship"]),
    ],
)
def test_the_seeds_list_of_modifiers_says_which_kinds_have_each(modifier: str, kinds: list[str]) -> None:
    accepted = [kind for kind in ("spaceship", "mothership", "superstructure") if has_modifier(kind, modifier)]
    assert accepted == kinds


def test_an_nft_knows_its_owner_mint_number_collection_schema_template_and_properties() -> None:
    nft = nft_from_asset({**ASSET, "is_transferable": False})
    assert nft is not None
    assert (nft.id, nft.owner, nft.mint, nft.collection) == (2**40, "eve", 3, "boidvoid")
    assert (nft.schema, nft.template, nft.transferable, nft.burnable) == ("superstructure", 9, False, False)


def test_an_id_beyond_64_bits_is_refused() -> None:
    with pytest.raises(LedgerError, match="64 bits"):
        Nft(id=2**64, owner="p0", kind="avatar").check()


@pytest.mark.parametrize(
    ("facts", "problem"),
    [
        ({"modifiers": {"attack": 1_000_001}}, "is from -1000000 to 1000000"),
        ({"modifiers": {"attack": -(10**30)}}, "is from -1000000 to 1000000"),
        ({"turns": 10_001}, "lasts 0 to 10000 turns"),
        ({"turns": -1}, "lasts 0 to 10000 turns"),
    ],
)
def test_values_that_no_game_accepts_are_refused_when_a_template_is_made(facts: dict[str, Any], problem: str) -> None:
    with pytest.raises(LedgerError, match=problem):
        SEASON_HOOKS.check_item("boost", facts)


def test_an_item_with_a_fact_that_no_nft_has_is_refused() -> None:
    with pytest.raises(LedgerError, match="cannot be so"):
        nft_from_item(Item(2**40, 0, "avatar", 0, 0, {"colour": "red"}))


def test_an_asset_of_the_game_becomes_an_nft() -> None:
    nft = nft_from_asset(ASSET)
    assert nft is not None
    assert (nft.id, nft.owner, nft.kind, nft.mint, nft.template) == (2**40, "eve", "superstructure", 3, 9)
    assert (nft.burnable, nft.modifiers, nft.sprite) == (False, {"health": 30, "build_rate": 1}, "hall.png")


def test_an_asset_whose_facts_have_other_types_is_refused() -> None:
    with pytest.raises(LedgerError, match="cannot be so"):
        nft_from_asset({**ASSET, "collection": {"collection_name": 7}})


def test_an_asset_of_another_schema_is_no_nft_of_the_game() -> None:
    assert nft_from_asset({**ASSET, "schema": {"schema_name": "song"}}) is None


# ---------------------------------------------------------------- how a game learns of it


def test_an_nft_becomes_host_orders_with_its_traits() -> None:
    nft = owner_of(HALL).view(0)["nfts"][0]
    assert (nft["template"], nft["traits"]) == (9, HALL.modifiers)


def test_a_kind_that_only_maps_use_is_not_for_players() -> None:
    assert nft_orders(Nft(id=1, owner="p0", kind="obstacle"), 0) == []


def test_an_nft_that_changes_owners_or_leaves_the_ledger_does_so_in_the_game() -> None:
    game = owner_of()
    update(game, [(HALL, 0)])
    assert owners(game) == {HALL.id: 0}
    update(game, [(HALL, 1)])
    assert owners(game) == {HALL.id: 1}
    update(game, [])
    assert owners(game) == {}


def test_an_nft_that_a_match_holds_is_not_taken_away() -> None:
    game = owner_of(HALL)
    assert ownership_orders(game, [], frozenset({HALL.id})) == []


def test_the_nfts_that_every_player_starts_with_need_no_ledger() -> None:
    game = BoidVoid.new(2, seed=1)
    assert game.view(0)["nfts"]
    assert ownership_orders(game, [], frozenset()) == []


# ---------------------------------------------------------------- when it is released


def test_a_staked_boost_is_released_when_it_is_over() -> None:
    game = owner_of(BOOST)
    act(game, 0, do="boost", target=0, nft=BOOST.id, mode="stake")
    game.step()
    assert unused_nfts(game) == set()
    assert {"event": "returned", "player": 0, "nft": BOOST.id} in game.step().events
    assert unused_nfts(game) == {BOOST.id}


def test_what_is_staked_on_a_superstructure_is_released_when_it_falls() -> None:
    game = owner_of(HALL, SECOND_HALL)
    act(game, 0, do="build", unit=0, nft=HALL.id)
    game.step()
    act(game, 0, do="stack", at=[1, 0], nft=SECOND_HALL.id, mode="stake")
    assert unused_nfts(game) == set()
    act(game, 0, do="detonate", unit=0)
    act(game, 1, do="attack", unit=1, target=STRUCTURE)
    assert unused_nfts(game) == {SECOND_HALL.id}


def test_equipment_is_released_when_it_is_changed() -> None:
    game = owner_of(*HULLS)
    act(game, 0, do="equip", unit=0, nft=HULLS[0].id)
    assert unused_nfts(game) == {HULLS[1].id}
    act(game, 0, do="equip", unit=0, nft=HULLS[1].id)
    assert unused_nfts(game) == {HULLS[0].id}


def test_after_the_match_all_that_is_not_burned_is_released() -> None:
    game = owner_of(BOOST, HULLS[0], HALL)
    act(game, 0, do="boost", target=0, nft=BOOST.id, mode="stake")
    act(game, 0, do="equip", unit=0, nft=HULLS[0].id)
    act(game, 0, do="build", unit=0, nft=HALL.id)
    assert unused_nfts(game) == set()
    game.act(HOST_PLAYER, {"do": "end_season"})
    assert unused_nfts(game) == {BOOST.id, HULLS[0].id}


# ---------------------------------------------------------------- on a map

WITH_NFTS: dict[str, Any] = {
    "width": 4,
    "height": 3,
    "tiles": ["....", "....", "...."],
    "homes": [[[0, 0]], [[3, 2]]],
    "points": [{"at": [1, 0], "nft": 11, "bonuses": {"defense": 1}}],
    "bonuses": [{"at": [2, 0], "nft": 12}],
    "npcs": [{"at": [2, 1], "nft": 13}],
    "obstacles": [{"at": [1, 1], "nft": 14}],
}
FACTS = {
    11: {"modifiers": {"attack": 30, "defense": 9}},
    12: {"modifiers": {"movement": 4}},
    13: {"modifiers": {"health": 77}},
    14: {},
}


def test_tiles_points_obstacles_and_npcs_of_a_map_have_the_modifiers_of_their_nfts() -> None:
    assert SEASON_HOOKS.items_of_map(WITH_NFTS) == {11: "point_of_importance", 12: "tile", 13: "npc", 14: "obstacle"}
    assert SEASON_HOOKS.items_of_map("duel") == {}
    game = BoidVoid.new(2, seed=1, map=SEASON_HOOKS.map_with_items(WITH_NFTS, FACTS))
    seen = game.view()
    (point,) = seen["map"]["points"]
    assert (point["bonuses"]["attack"], point["bonuses"]["defense"], point["bonuses"]["action_points"]) == (30, 1, 2)
    (tile,) = seen["map"]["bonuses"]
    assert (tile["at"], tile["bonuses"]["movement"]) == ([2, 0], 4)
    assert seen["map"]["tiles"][1] == ".#.."
    assert [unit["health"] for unit in seen["units"] if unit["kind"] == "npc"] == [7700]


def test_a_map_that_names_nfts_needs_a_ledger_and_is_drawn_with_them() -> None:
    with pytest.raises(MapError, match="names NFTs"):
        BoidVoid.new(2, seed=1, map=WITH_NFTS)
    adapter = BoidVoid.map_adapter()
    assert adapter.problems(WITH_NFTS) == []
    assert json.loads(json.dumps(adapter.from_drawing(adapter.to_drawing(WITH_NFTS)))) == WITH_NFTS
    (problem, *_) = adapter.problems({**WITH_NFTS, "obstacles": [{"at": [0, 0], "nft": 14}]})
    assert "An obstacle is at [0, 0], but so is a home" in problem.sentence
