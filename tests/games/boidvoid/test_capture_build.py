"""Capturing and building: how long they take, what interrupts them, what is refused."""

from typing import Any

from marchland.games.boidvoid.game import BoidVoid
from tests.games.boidvoid.builders import (
    HALL,
    LEADER_0,
    ME,
    MOTHER,
    MOTHER_0,
    STRUCTURE,
    SWARM,
    act,
    of_kind,
    position,
    refusal,
    unit,
)


def owner(game: BoidVoid, at: list[int]) -> int | None:
    return next((team["team"] for team in game.view()["teams"] if at in team["owned"]), None)


def test_a_capture_takes_the_games_turns_and_locks_all_else() -> None:
    game = position([MOTHER, ME], config={"capture_turns": 2})
    act(game, 0, do="capture", unit=0)
    for order in ({"do": "move", "unit": 0, "to": [2, 1]}, {"do": "detonate", "unit": 0}, {"do": "capture", "unit": 0}):
        assert refusal(game, 0, **order) == "BUSY"
    game.step()
    assert owner(game, [2, 2]) is None
    assert of_kind(game.step().events, "captured")[0]["team"] == 0
    assert owner(game, [2, 2]) == 0


def test_a_capture_counts_tile_and_point_and_takes_the_point_with_it() -> None:
    land: Any = {
        "bonuses": [{"at": [2, 2], "bonuses": {"capture": 3}}],
        "points": [{"at": [2, 2], "bonuses": {"capture": -1}}],
    }
    game = position([MOTHER, ME], land=land)
    assert of_kind(act(game, 0, do="capture", unit=0), "capture_begun")[0]["turns"] == 4
    for _ in range(4):
        game.step()
    assert game.view()["teams"][0]["points"] == 1


def test_another_teams_tile_takes_twice_as_long() -> None:
    game = position([MOTHER, {**ME, "at": [5, 3]}])
    assert of_kind(act(game, 0, do="capture", unit=0), "capture_begun")[0]["turns"] == 4
    for _ in range(4):
        game.step()
    assert [team["tiles"] for team in game.view()["teams"]] == [4, 2]


def test_captures_that_are_refused() -> None:
    assert refusal(position([ME]), 0, do="capture", unit=0) == "MOTHERSHIP_MISSING"
    assert refusal(position([MOTHER, {**ME, "at": [1, 0]}]), 0, do="capture", unit=0) == "OWN_TILE"
    swarm: Any = {"id": SWARM, "at": [2, 2], "team": 0, "name": "s"}
    game = position([MOTHER, swarm, {"id": 0, "swarm": SWARM}])
    assert refusal(game, 0, do="capture", unit=0) == "IN_A_SWARM"
    assert refusal(game, 0, do="capture", unit=SWARM) == "WRONG_KIND"
    assert refusal(game, 0, do="capture", unit=MOTHER_0) == "WRONG_KIND"


def test_neither_motherships_nor_swarms_build() -> None:
    swarm: Any = [{"id": SWARM, "at": [1, 0], "team": 0, "name": "s"}, {"id": 2, "swarm": SWARM}]
    game = position([MOTHER, *swarm], nfts=[HALL])
    assert refusal(game, LEADER_0, do="build", unit=MOTHER_0, nft=7) == "WRONG_KIND"
    assert refusal(game, LEADER_0, do="build", unit=SWARM, nft=7) == "WRONG_KIND"


def test_a_capture_freezes_without_the_mothership_and_is_lost_when_cancelled() -> None:
    game = position([MOTHER, ME])
    act(game, 0, do="capture", unit=0)
    act(game, LEADER_0, do="detonate", unit=MOTHER_0)
    for _ in range(5):
        game.step()
    assert unit(game, 0)["wait"] == 2
    act(game, 0, do="cancel", unit=0)
    assert refusal(game, 0, do="cancel", unit=0) == "NOTHING_TO_CANCEL"


def test_a_captor_that_is_hit_goes_on_and_strikes_back_and_one_that_falls_loses_all() -> None:
    foe = {"id": 1, "at": [3, 2]}
    game = position([MOTHER, ME, foe])
    act(game, 0, do="capture", unit=0)
    assert len(of_kind(act(game, 1, do="attack", unit=1, target=0), "hit")) == 2
    game.step()
    game.step()
    assert owner(game, [2, 2]) == 0
    game = position([MOTHER, ME, {**foe, "battery": 20000, "ratio": 100}])
    act(game, 0, do="capture", unit=0)
    act(game, 1, do="attack", unit=1, target=0)
    for _ in range(3):
        game.step()
    assert owner(game, [2, 2]) is None


def test_a_capture_is_an_action_and_none_other_follows_in_its_turn() -> None:
    game = position([MOTHER, ME])
    act(game, 0, do="capture", unit=0)
    act(game, 0, do="cancel", unit=0)
    assert refusal(game, 0, do="capture", unit=0) == "ACTED"
    act(game, 0, do="move", unit=0, to=[2, 1])


def test_a_superstructure_gives_its_team_action_points_and_quickens_captures() -> None:
    stats = {"health": 50, "tile_action_points": 3, "tile_capture": 2}
    built: Any = {"id": STRUCTURE, "at": [2, 2], "team": 0, "nft": 7, "stats": stats}
    hall: Any = {**HALL, "use": "built", "target": STRUCTURE}
    game = position([MOTHER, {**ME, "action_points": 0}, built], nfts=[hall], config={"capture_turns": 2})
    assert of_kind(act(game, 0, do="capture", unit=0), "capture_begun")[0]["turns"] == 4
    game.step()
    assert unit(game, 0)["action_points"] == 9 + 3


def test_a_building_that_is_given_up_or_lost_has_burned_its_nft() -> None:
    game = position([{**ME, "at": [1, 0]}], nfts=[HALL])
    act(game, 0, do="build", unit=0, nft=7)
    lost = game.copy()
    act(game, 0, do="cancel", unit=0)
    assert game.view(0)["nfts"][0]["use"] == "spent"
    foe = position([{**ME, "at": [1, 0]}, {"id": 1, "at": [2, 0], "battery": 20000, "ratio": 100}], nfts=[HALL])
    act(foe, 0, do="build", unit=0, nft=7)
    act(foe, 1, do="attack", unit=1, target=0)
    assert foe.view(0)["nfts"][0]["use"] == "spent"
    for match in (foe, lost):
        for _ in range(3):
            match.step()
    assert lost.view()["teams"][0]["structures"] == 1
    assert foe.view()["teams"][0]["structures"] == 0


def test_an_nft_with_modifiers_that_no_superstructure_has_founds_none() -> None:
    odd: Any = {**HALL, "traits": {"health": 50, "battery": 3}}
    assert refusal(position([{**ME, "at": [1, 0]}], nfts=[odd]), 0, do="build", unit=0, nft=7) == "WRONG_NFT"


def test_building_burns_the_nft_at_once_and_takes_its_turns() -> None:
    game = position([{**ME, "at": [1, 0]}], nfts=[HALL])
    act(game, 0, do="build", unit=0, nft=7)
    assert game.view(0)["nfts"][0]["use"] == "building"
    game.step()
    assert of_kind(game.step().events, "built")[0]["unit"] == STRUCTURE
    built = unit(game, STRUCTURE)
    assert (built["health"], built["team"], built["aim"]) == (5000, 0, 1)
    assert unit(game, 0)["action_points"] == 9 + 9  # the second recharge: 9, and 3 more, up to 18


def test_builds_that_are_refused_cost_nothing() -> None:
    game = position([ME], nfts=[HALL, {**HALL, "id": 8, "burnable": False}, {"id": 9, "kind": "boost", "player": 0}])
    assert refusal(game, 0, do="build", unit=0, nft=7) == "NOT_OWN_TILE"
    foreign = position([{**ME, "at": [5, 3]}], nfts=[HALL])
    assert refusal(foreign, 0, do="build", unit=0, nft=7) == "NOT_OWN_TILE"
    assert refusal(foreign, 0, do="build", unit=MOTHER_0, nft=7) == "NOT_ON_THE_MAP"
    game = position(
        [{**ME, "at": [1, 0]}],
        nfts=[
            HALL,
            {**HALL, "id": 8, "burnable": False},
            {"id": 9, "kind": "boost", "player": 0},
            {**HALL, "id": 10, "player": 1},
        ],
    )
    assert refusal(game, 0, do="build", unit=0, nft=8) == "NOT_BURNABLE"
    assert refusal(game, 0, do="build", unit=0, nft=9) == "WRONG_NFT"
    assert refusal(game, 0, do="build", unit=0, nft=10) == "NOT_YOUR_NFT"
    assert refusal(game, 0, do="build", unit=0, nft=11) == "NOT_YOUR_NFT"
