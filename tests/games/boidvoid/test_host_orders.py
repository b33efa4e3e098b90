"""Host orders: the lock, stakes, teams and NFTs."""

from typing import Any

import marchland
from marchland.core.orders import HOST_PLAYER
from tests.games.boidvoid.builders import (
    ME,
    MOTHER_1,
    STRUCTURE,
    SWARM,
    act,
    position,
    refusal,
    unit,
)


def test_in_the_lock_players_are_refused_until_the_next_turn() -> None:
    game = position([ME])
    act(game, HOST_PLAYER, do="lock")
    assert refusal(game, 0, do="move", unit=0, to=[2, 1]) == "LOCKED"
    assert game.legal(0) == {}
    game.step()
    act(game, 0, do="move", unit=0, to=[2, 1])


def test_a_player_cannot_give_the_hosts_orders() -> None:
    assert refusal(position([ME]), 0, do="stake", player=0, amount=10**6) == "MALFORMED"


def test_a_stake_changes_the_maximum_and_clamps_the_battery() -> None:
    game = position([ME], config={"battery_recharge": 15})
    act(game, HOST_PLAYER, do="stake", player=0, amount=60)
    assert unit(game, 0)["battery"] == 6000
    act(game, HOST_PLAYER, do="stake", player=0, amount=200)
    game.step()
    assert unit(game, 0)["battery"] == 7500
    assert refusal(game, HOST_PLAYER, do="stake", player=99, amount=1) == "BAD_VALUE"


def test_the_host_assigns_teams_and_roles() -> None:
    game = position([ME])
    assert refusal(game, HOST_PLAYER, do="assign", player=0, team=1, rank="trooper") == "NOT_WAITING"
    act(game, HOST_PLAYER, do="assign", player=2, team=1, rank="leader")
    roles = [(player["team"], player["role"]) for player in game.view()["players"]]
    assert (roles[1], roles[2]) == ((1, "trooper"), (1, "leader"))
    act(game, 2, do="spawn", unit=MOTHER_1, at=[5, 4])


def test_nfts_from_a_ledger_enter_by_host_orders() -> None:
    game = position([{**ME, "at": [1, 0]}])
    act(game, HOST_PLAYER, do="nft", nft=2**62, player=0, kind="superstructure")
    act(game, HOST_PLAYER, do="trait", nft=2**62, trait="build_rate", value=1)
    act(game, HOST_PLAYER, do="trait", nft=2**62, trait="health", value=30)
    assert refusal(game, HOST_PLAYER, do="trait", nft=5, trait="health", value=30) == "NO_SUCH_NFT"
    act(game, 0, do="build", unit=0, nft=2**62)
    act(game, HOST_PLAYER, do="burned", nft=2**62)
    assert refusal(game, HOST_PLAYER, do="nft", nft=2**62, player=1, kind="superstructure") == "NFT_IN_USE"
    game.step()
    assert unit(game, STRUCTURE)["health"] == 3000
    assert game.view(0)["nfts"][0]["mode"] == "burned"


def test_the_host_fills_the_battery_of_a_ship_that_waits_to_spawn() -> None:
    game = position([ME], config={"start_stake": 0})
    act(game, HOST_PLAYER, do="stake", player=2, amount=300)
    assert unit(game, 2)["battery"] == 0
    act(game, HOST_PLAYER, do="charge", player=2)
    assert unit(game, 2)["battery"] == 30000
    assert refusal(game, HOST_PLAYER, do="charge", player=0) == "NOT_WAITING"
    assert refusal(game, HOST_PLAYER, do="charge", player=9) == "BAD_VALUE"


def test_the_ship_of_a_player_who_left_leaves_the_map_also_out_of_a_swarm() -> None:
    swarm: Any = {"id": SWARM, "at": [3, 3], "team": 0, "name": "s"}
    game = position([ME, swarm, {"id": 2, "swarm": SWARM}, {"id": 4, "swarm": SWARM}])
    for player in (0, 2):
        act(game, HOST_PLAYER, do="retire", player=player)
        assert unit(game, player)["status"] == "waiting"
    assert unit(game, 4)["swarm"] == SWARM
    assert refusal(game, HOST_PLAYER, do="retire", player=0) == "NOT_ON_THE_MAP"
    assert refusal(game, HOST_PLAYER, do="retire", player=99) == "BAD_VALUE"


def test_many_orders_of_the_host_are_one_action_and_refused_ones_change_nothing() -> None:
    game, one_by_one = position([ME]), position([ME])
    orders = [
        {"do": "stake", "player": 2, "amount": 60},
        {"do": "stake", "player": 99, "amount": 60},
        {"do": "nft", "nft": 2**40, "player": 0, "kind": "boost"},
        {"do": "trait", "nft": 2**40, "trait": "attack", "value": 3},
    ]
    report = game.act_as_host(orders)
    assert [result.ok for result in report.results[HOST_PLAYER]] == [True, False, True, True]
    assert game.seq == 1
    for order in orders:
        one_by_one.act(HOST_PLAYER, order)
    different = {"seq": 0, "failed": []}
    assert {**game.position(), **different} == {**one_by_one.position(), **different}
    assert game.act_as_host(orders[1:2]).results[HOST_PLAYER][0].reason == "BAD_VALUE"
    assert game.seq == 1


def test_players_of_a_season_have_no_stake_and_no_nfts_of_the_house() -> None:
    game = marchland.new("boidvoid", players=2, config={"rules": "season"})
    assert [player.get("stake", 0) for player in game.view()["players"]] == [0, 0]
    assert game.view(0)["nfts"] == []
