"""What an attack would do, as its menu says, and why other actions are not possible."""

from typing import Any

from marchland.core.menus import list_menus
from marchland.messages import Forecast, MenusRequest, Pieces
from tests.games.boidvoid.builders import MOTHER, MOTHER_1, SWARM, act, of_kind, position

MINE: dict[str, Any] = {"id": 0, "at": [2, 2]}
FOE: dict[str, Any] = {"id": 1, "at": [3, 2]}


def forecast_of(game: Any, target: int, unit: int = 0) -> Forecast:
    menu = game.legal(0, {"do": "attack", "unit": unit})
    assert isinstance(menu, Pieces)
    found = menu.forecasts[menu.pieces.index(target)]
    assert found is not None
    return found


def test_the_damage_is_what_the_attack_then_does() -> None:
    game = position([MINE, FOE])
    expected = {"damage": "55", "critical": 0, "defense": 60, "health": 40, "answer": "55"}
    assert forecast_of(game, 1) == Forecast("ATTACK", expected, hopeless=True)
    hits = of_kind(act(game, 0, do="attack", unit=0, target=1), "hit")
    assert [hit["damage"] for hit in hits] == [5500, 5500]


def test_a_critical_hit_is_the_upper_end_and_has_its_chance() -> None:
    game = position([{**MINE, "ratio": 100}, FOE], config={"critical_limit": 100})
    arguments = forecast_of(game, 1).arguments
    assert (arguments["damage"], arguments["critical"]) == ("105-157.5", 10)
    assert forecast_of(game, 1).hopeless is False
    before = game.digest()
    damages = {
        of_kind(act(game.fork(seed), 0, do="attack", unit=0, target=1), "hit")[0]["damage"] for seed in range(60)
    }
    assert damages == {10500, 15750}
    assert game.digest() == before


def test_a_mothership_and_a_unit_out_of_its_own_range_do_not_answer() -> None:
    game = position([MINE, {"id": MOTHER_1, "at": [3, 2]}, {**FOE, "at": [3, 3], "stats": {"health": 40, "range": 0}}])
    assert forecast_of(game, MOTHER_1).arguments["answer"] is None
    assert forecast_of(game, 1).arguments["answer"] is None


def test_a_swarm_strikes_with_its_ships_in_range() -> None:
    swarm: Any = [
        {"id": SWARM, "at": [2, 2], "team": 0, "name": "s"},
        {"id": 0, "swarm": SWARM},
        {"id": 2, "swarm": SWARM},
    ]
    game = position([*swarm, FOE])
    assert forecast_of(game, 1, SWARM).arguments["damage"] == "110"
    assert of_kind(act(game, 0, do="attack", unit=SWARM, target=1), "hit")[0]["damage"] == 11000


def test_a_verb_that_is_not_possible_says_why() -> None:
    waiting = list_menus(position([{"id": 0}, MOTHER]), 0, MenusRequest())
    assert waiting.reasons["move"].code == waiting.reasons["attack"].code == "NOT_ON_THE_MAP"
    assert "spawn" not in waiting.reasons
    there = list_menus(position([MINE]), 0, MenusRequest())
    assert there.reasons["capture"].code == "MOTHERSHIP_MISSING"
    assert there.reasons["leave_swarm"].code == "NOT_IN_A_SWARM"


def test_action_points_and_battery_are_listed_once_the_ship_is_on_the_map() -> None:
    assert list_menus(position([{"id": 0}, MOTHER]), 0, MenusRequest()).resources == []
    points, battery = list_menus(position([{**MINE, "action_points": 9}]), 0, MenusRequest()).resources
    assert (points.name, points.have, points.left) == ("action_points", 9, 9)
    assert (battery.name, battery.have) == ("battery", 100)
