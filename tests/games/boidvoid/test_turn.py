"""A turn: teams, queued orders in rounds, and what recharges at turn start."""

from collections import Counter
from typing import Any

import pytest

from marchland.games.boidvoid.game import BoidVoid
from tests.games.boidvoid.builders import LEADER_0, ME, MOTHER, MOTHER_0, SWARM, VICE_0, act, position, refusal, unit


def test_teams_are_dealt_in_turn_with_a_leader_and_a_vice_each() -> None:
    roles = [(player["team"], player["role"]) for player in BoidVoid.new(6, seed=1).view()["players"]]
    assert roles == [(0, "leader"), (1, "leader"), (0, "vice"), (1, "vice"), (0, "trooper"), (1, "trooper")]


def test_a_team_has_any_number_of_players_and_one_leader_and_vice_leader() -> None:
    players = BoidVoid.new(61, seed=1).view()["players"]
    assert Counter(player["team"] for player in players) == {0: 31, 1: 30}
    assert Counter((player["team"], player["role"]) for player in players if player["role"] != "trooper") == {
        (0, "leader"): 1,
        (0, "vice"): 1,
        (1, "leader"): 1,
        (1, "vice"): 1,
    }


def test_every_player_has_a_ship_and_all_ships_start_alike() -> None:
    units = BoidVoid.new(5, seed=1).view()["units"]
    ships = {one["id"]: (one["battery"], one["stats"]) for one in units if one["kind"] == "ship"}
    assert sorted(ships) == [0, 1, 2, 3, 4]
    assert all(ship == ships[0] for ship in ships.values())


@pytest.mark.parametrize("commander", [LEADER_0, VICE_0])
def test_leader_and_vice_leader_command_mothership_and_swarms_alike(commander: int) -> None:
    swarm: Any = [{"id": SWARM, "at": [2, 2], "team": 0, "name": "s"}, {"id": 4, "swarm": SWARM, "action_points": 9}]
    game = position([*swarm, {"id": 1, "at": [4, 2]}])
    act(game, commander, do="spawn", unit=MOTHER_0, at=[0, 0])
    act(game, commander, do="move", unit=SWARM, to=[3, 2])
    act(game, commander, do="attack", unit=SWARM, target=1)
    game.step()
    act(game, commander, do="move", unit=MOTHER_0, to=[1, 1])
    act(game, commander, do="detonate", unit=SWARM)
    act(game, commander, do="detonate", unit=MOTHER_0)


def test_every_player_sees_what_a_tile_holds() -> None:
    land: Any = {
        "bonuses": [{"at": [2, 2], "bonuses": {"movement": 3, "capture": 4}}],
        "points": [{"at": [2, 2], "bonuses": {"attack": 7}}],
    }
    game = position([MOTHER, ME], tiles=["......", "......", "...#..", "......", "......"], land=land)
    act(game, 0, do="capture", unit=0)
    view = game.view(1)
    (bonuses,), (point,) = view["map"]["bonuses"], view["map"]["points"]
    assert (bonuses["at"], bonuses["bonuses"]["movement"], bonuses["bonuses"]["capture"]) == ([2, 2], 3, 4)
    assert (point["at"], point["bonuses"]["attack"]) == ([2, 2], 7)
    assert view["map"]["tiles"][2] == "...#.."
    (ship,) = [one for one in view["units"] if one.get("at") == [2, 2]]
    assert (ship["id"], ship["task"], ship["wait"]) == (0, "capture", 2 + 4 + 1)
    assert view["teams"][0]["owned"] == [[0, 0], [1, 0], [0, 1]]


def test_in_round_n_the_nth_action_of_every_player_runs() -> None:
    race: Any = [{"id": 0, "at": [1, 2], "action_points": 9}, {"id": 1, "at": [3, 2], "action_points": 9}]
    firsts = set()
    for key in range(20):
        game = position(race, key=f"{key:x}")
        report = game.step({0: [{"do": "move", "unit": 0, "to": [2, 2]}], 1: [{"do": "move", "unit": 1, "to": [2, 2]}]})
        firsts |= {seat for seat in (0, 1) if report.results[seat][0].ok}
        late = position(race, key=f"{key:x}")
        orders = [{"do": "battery", "attack": 50}, {"do": "move", "unit": 0, "to": [2, 2]}]
        report = late.step({0: orders, 1: [{"do": "move", "unit": 1, "to": [2, 2]}]})
        assert [report.results[0][1].ok, report.results[1][0].ok] == [False, True]
    assert firsts == {0, 1}


def test_only_so_many_actions_are_read() -> None:
    game = position([], config={"orders_limit": 2})
    report = game.step({0: [{"do": "battery", "attack": 1}] * 3})
    assert [result.reason for result in report.results[0]] == ["OK", "OK", "TOO_MANY_ORDERS"]


def test_action_points_come_from_game_unit_tile_point_and_superstructure_up_to_the_maximum() -> None:
    land: Any = {
        "bonuses": [{"at": [2, 2], "bonuses": {"action_points": 2}}],
        "points": [{"at": [2, 2], "bonuses": {"action_points": 3}}],
    }
    ship = {"id": 0, "at": [2, 2], "stats": {"health": 40, "action_points": 1}}
    game = position([ship], land=land, owned=[[[2, 2]], [[5, 4]]], config={"action_points": 4, "action_points_max": 12})
    game.step()
    assert unit(game, 0)["action_points"] == 10
    game.step()
    assert unit(game, 0)["action_points"] == 12
    foreign = position([ship], land=land, owned=[[], [[2, 2]]], config={"action_points": 4})
    foreign.step()
    assert unit(foreign, 0)["action_points"] == 7


def test_the_battery_recharges_by_the_game_and_the_nft_up_to_its_maximum() -> None:
    ship = {"id": 0, "at": [2, 2], "battery": 7000, "stats": {"health": 40, "battery_recovery": 5, "battery": 2}}
    game = position([ship], config={"battery_recharge": 15})
    game.step()
    assert unit(game, 0)["battery"] == 9000
    game.step()
    assert unit(game, 0)["battery"] == 10200


def test_the_battery_ratio_is_free_and_in_whole_percents() -> None:
    game = position([ME])
    act(game, 0, do="battery", attack=100)
    assert unit(game, 0)["ratio"] == 100
    assert refusal(game, 0, do="battery", attack=101) == "BAD_RATIO"


def test_damage_is_shown_to_viewers_in_points() -> None:
    game = position([{"id": 0, "at": [2, 2]}, {"id": 1, "at": [3, 2]}])
    act(game, 0, do="attack", unit=0, target=1)
    names, players = game.legend().figures, game.picture().players
    assert players[0][1 + names.index("attack")] == players[1][1 + names.index("defense")] == 55
