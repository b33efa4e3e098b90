"""Automode: always or in daily periods."""

from typing import Any

import pytest

from marchland.core.orders import HOST_PLAYER
from tests.games.boidvoid.builders import MOTHER_0, SWARM, TROOPER_0, act, of_kind, position, refusal, unit


def test_automode_heads_for_the_nearest_swarm_and_joins_it() -> None:
    swarm: Any = [{"id": SWARM, "at": [5, 2], "team": 0, "name": "s"}, {"id": 0, "swarm": SWARM}]
    game = position([*swarm, {"id": 4, "at": [0, 2], "action_points": 9}])
    act(game, TROOPER_0, do="automode", on=True)
    game.step()
    assert unit(game, 4)["at"] == [3, 2]
    game.step()
    assert unit(game, 4)["swarm"] == SWARM


def test_automode_founds_a_swarm_where_there_is_none_and_the_next_ship_joins() -> None:
    game = position([{"id": 0, "at": [2, 2]}, {"id": 2, "at": [3, 2]}])
    act(game, 0, do="automode", on=True)
    act(game, 2, do="automode", on=True)
    events = game.step().events
    assert len(of_kind(events, "swarm_created")) == 1
    assert unit(game, 0)["swarm"] == unit(game, 2)["swarm"] == SWARM
    assert unit(game, SWARM)["name"] == "auto0"


def test_automode_goes_round_obstacles_and_units_and_rests_while_busy() -> None:
    swarm: Any = [{"id": SWARM, "at": [4, 1], "team": 0, "name": "s"}, {"id": 0, "swarm": SWARM}]
    tiles = ["......", ".#....", "......", "......", "......"]
    game = position([*swarm, {"id": 4, "at": [0, 1], "action_points": 6}, {"id": MOTHER_0, "at": [5, 4]}], tiles=tiles)
    act(game, 4, do="automode", on=True)
    busy = position([*swarm, {"id": 4, "at": [2, 2]}, {"id": MOTHER_0, "at": [0, 0]}])
    act(busy, 4, do="automode", on=True)
    act(busy, 4, do="capture", unit=4)
    busy.step()
    assert unit(busy, 4)["at"] == [2, 2]
    game.step()
    assert unit(game, 4)["at"] not in ([0, 1], [1, 1])


@pytest.mark.parametrize(("minute", "moves"), [(None, False), (60, True), (12 * 60, False), (23 * 60, True)])
def test_automode_in_daily_periods(minute: int | None, moves: bool) -> None:
    game = position([{"id": 4, "at": [2, 2]}])
    act(game, 4, do="automode", on=True, periods="22:00-06:00,13:00-14:30")
    assert game.view()["players"][4]["periods"] == ["22:00-06:00", "13:00-14:30"]
    if minute is not None:
        act(game, HOST_PLAYER, do="clock", minute=minute)
    assert bool(of_kind(game.step().events, "swarm_created")) == moves


@pytest.mark.parametrize(
    "periods", ["", "22:00", "25:00-01:00", "22:00-06:00;", "1:00-2:00", "22:00-06:00," * 5, "x" * 11]
)
def test_periods_that_are_none(periods: str) -> None:
    assert refusal(position([]), 0, do="automode", on=True, periods=periods) == "BAD_PERIODS"


def test_a_ship_that_no_way_leads_to_a_swarm_founds_one_and_its_neighbour_joins() -> None:
    swarm: Any = [{"id": SWARM, "at": [5, 2], "team": 0, "name": "s"}, {"id": 0, "swarm": SWARM}]
    wall = ["..#...", "..#...", "..#...", "..#...", "..#..."]
    game = position([*swarm, {"id": 2, "at": [0, 2]}, {"id": 4, "at": [1, 2]}], tiles=wall)
    act(game, 2, do="automode", on=True)
    act(game, 4, do="automode", on=True)
    assert len(of_kind(game.step().events, "swarm_created")) == 1
    assert unit(game, 2)["swarm"] == unit(game, 4)["swarm"] != SWARM
