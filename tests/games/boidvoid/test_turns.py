"""Queued rounds, turn end and turn start, automode, NPCs, and how a match ends."""

import random
from pathlib import Path
from typing import Any

import pytest

import marchland
from marchland.core.orders import HOST
from marchland.core.replay import Recording, Replay
from marchland.games.boidvoid.game import BoidVoid
from tests.games.boidvoid.arena import MOTHER_0, NPC, SWARM, TROOPER_0, done, position, refused, told, unit


def test_teams_are_dealt_in_turn_with_a_leader_and_a_vice_each() -> None:
    roles = [(player["team"], player["role"]) for player in BoidVoid.new(6, seed=1).view()["players"]]
    assert roles == [(0, "leader"), (1, "leader"), (0, "vice"), (1, "vice"), (0, "trooper"), (1, "trooper")]


def test_in_round_n_everybodys_nth_action_runs() -> None:
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


# ---------------------------------------------------------------- automode


def test_automode_heads_for_the_nearest_swarm_and_joins_it() -> None:
    swarm: Any = [{"id": SWARM, "at": [5, 2], "team": 0, "name": "s"}, {"id": 0, "swarm": SWARM}]
    game = position([*swarm, {"id": 4, "at": [0, 2], "action_points": 9}])
    done(game, TROOPER_0, do="automode", on=True)
    game.step()
    assert unit(game, 4)["at"] == [3, 2]
    game.step()
    assert unit(game, 4)["swarm"] == SWARM


def test_automode_founds_a_swarm_where_there_is_none_and_the_next_ship_joins() -> None:
    game = position([{"id": 0, "at": [2, 2]}, {"id": 2, "at": [3, 2]}])
    done(game, 0, do="automode", on=True)
    done(game, 2, do="automode", on=True)
    events = game.step().events
    assert len(told(events, "swarm_created")) == 1
    assert unit(game, 0)["swarm"] == unit(game, 2)["swarm"] == SWARM
    assert unit(game, SWARM)["name"] == "auto0"


def test_automode_goes_round_obstacles_and_units_and_rests_while_busy() -> None:
    swarm: Any = [{"id": SWARM, "at": [4, 1], "team": 0, "name": "s"}, {"id": 0, "swarm": SWARM}]
    tiles = ["......", ".#....", "......", "......", "......"]
    game = position([*swarm, {"id": 4, "at": [0, 1], "action_points": 6}, {"id": MOTHER_0, "at": [5, 4]}], tiles=tiles)
    done(game, 4, do="automode", on=True)
    busy = position([*swarm, {"id": 4, "at": [2, 2]}, {"id": MOTHER_0, "at": [0, 0]}])
    done(busy, 4, do="automode", on=True)
    done(busy, 4, do="capture", unit=4)
    busy.step()
    assert unit(busy, 4)["at"] == [2, 2]
    game.step()
    assert unit(game, 4)["at"] not in ([0, 1], [1, 1])


@pytest.mark.parametrize(("minute", "moves"), [(None, False), (60, True), (12 * 60, False), (23 * 60, True)])
def test_automode_in_daily_periods(minute: int | None, moves: bool) -> None:
    game = position([{"id": 4, "at": [2, 2]}])
    done(game, 4, do="automode", on=True, periods="22:00-06:00,13:00-14:30")
    assert game.view()["players"][4]["periods"] == ["22:00-06:00", "13:00-14:30"]
    if minute is not None:
        done(game, HOST, do="clock", minute=minute)
    assert bool(told(game.step().events, "swarm_created")) == moves


@pytest.mark.parametrize(
    "periods", ["", "22:00", "25:00-01:00", "22:00-06:00;", "1:00-2:00", "22:00-06:00," * 5, "x" * 11]
)
def test_periods_that_are_none(periods: str) -> None:
    assert refused(position([]), 0, do="automode", on=True, periods=periods) == "BAD_PERIODS"


# ---------------------------------------------------------------- NPCs


def test_an_npc_attacks_the_nearest_unit_in_range_the_weakest_of_equals() -> None:
    game = position(
        [{"id": NPC, "at": [2, 2]}, {"id": 0, "at": [1, 2]}, {"id": 1, "at": [3, 2], "health": 100}], npcs=1
    )
    events = game.step().events
    assert told(events, "attacked")[0]["target"] == 1


def test_an_npc_steps_toward_what_it_sees_and_wanders_otherwise() -> None:
    game = position([{"id": NPC, "at": [0, 2]}, {"id": 0, "at": [4, 2]}], npcs=1)
    game.step()
    assert unit(game, NPC)["at"] == [1, 2]
    places = set()
    for key in range(30):
        alone = position([{"id": NPC, "at": [2, 2]}], npcs=1, key=f"{key:x}")
        alone.step()
        places.add(tuple(unit(alone, NPC)["at"]))
    assert len(places) == 6


def test_an_npc_that_falls_does_not_come_back() -> None:
    game = position([{"id": NPC, "at": [2, 2], "health": 100}, {"id": 0, "at": [1, 2]}], npcs=1)
    done(game, 0, do="attack", unit=0, target=NPC)
    assert NPC not in [one["id"] for one in game.view()["units"]]
    for _ in range(6):
        game.step()
    assert refused(game, 0, do="attack", unit=0, target=NPC) == "NO_SUCH_UNIT"


# ---------------------------------------------------------------- the end


def test_the_game_ends_by_domination_by_its_last_turn_or_with_its_season() -> None:
    everything = [[x, y] for y in range(5) for x in range(6)]
    game = position([], owned=[everything, []])
    game.step()
    assert game.outcome is not None
    assert (game.outcome.reason, game.outcome.winners) == ("One team owns every tile.", [0, 2, 4])
    short = position([], config={"turn_limit": 2})
    short.step()
    running = short.outcome
    short.step()
    assert (running, short.outcome is None) == (None, False)
    season = position([], owned=[everything, []], config={"rules": "season"})
    season.step()
    assert not season.outcome
    done(season, HOST, do="end_season")
    assert season.outcome is not None


def test_a_late_joiner_gets_a_waiting_ship_in_the_smallest_team() -> None:
    game = position(
        [
            {"id": 0, "at": [2, 2]},
            {"id": SWARM + 1, "at": [4, 2], "team": 1, "name": "s"},
            {"id": 1, "swarm": SWARM + 1},
        ],
        players=5,
    )
    key = game.position()["key"]
    assert game.join("late") == 5
    assert (unit(game, 5)["team"], unit(game, 5)["status"]) == (1, "waiting")
    assert unit(game, 1)["swarm"] == SWARM + 1
    assert game.position()["key"] == key
    done(game, 5, do="spawn", unit=5, at=[5, 3])


def test_a_replay_with_immediate_actions_verifies(tmp_path: Path) -> None:
    game = BoidVoid.new(4, seed=5, map="duel")
    recording = Recording(game)
    chance = random.Random(1)
    for turn in range(6):
        for player in range(4):
            for verb in ("spawn", "move", "capture"):
                menu = game.legal(player, {"do": verb})
                pieces = getattr(menu, "pieces", [])
                if pieces:
                    order = {"do": verb, "unit": pieces[0]}
                    following = game.legal(player, order)
                    if following is not None:
                        order[following.param] = list(chance.choice(following.cells))  # type: ignore[union-attr]
                    recording.note_act(game, game.act(player, order))
        recording.note_act(game, game.act(HOST, {"do": "clock", "minute": turn}))
        recording.note(game, game.step().orders)
    recording.save(tmp_path / "acts.march")
    Replay(tmp_path / "acts.march", lambda name: BoidVoid).verify()


def test_a_position_of_nonsense_is_refused() -> None:
    with pytest.raises(marchland.PositionError, match="cannot be at"):
        position([{"id": 0, "at": [2, 2]}, {"id": 1, "at": [2, 2]}])
    with pytest.raises(marchland.PositionError):
        position([{"id": 99, "at": [2, 2]}])
