"""Every table of the seed is the default."""

import pytest

import marchland
from marchland.games.datspulse.rules.config import DatspulseConfig
from marchland.games.datspulse.rules.state import FOODS, KINDS, TERRAINS

USUAL = DatspulseConfig()


@pytest.mark.parametrize(
    ("kind", "constant", "health", "attack", "capacity", "vision", "speed", "chance"),
    [("scout", 2, 80, 20, 2, 4, 7, 10), ("soldier", 1, 180, 70, 2, 1, 4, 30), ("worker", 0, 130, 30, 8, 1, 5, 60)],
)
def test_table_1_the_ants(
    kind: str, constant: int, health: int, attack: int, capacity: int, vision: int, speed: int, chance: int
) -> None:
    assert KINDS.index(kind) == constant
    columns = (USUAL.health, USUAL.attack, USUAL.capacity, USUAL.vision, USUAL.speed, USUAL.spawn)
    assert [column[constant] for column in columns] == [health, attack, capacity, vision, speed, chance]


def test_table_2_the_bonuses() -> None:
    assert (USUAL.support_percent, USUAL.nest_percent, USUAL.nest_bonus_radius) == (50, 25, 2)


@pytest.mark.parametrize(("food", "constant", "calories"), [("apple", 1, 10), ("bread", 2, 20), ("nectar", 3, 60)])
def test_table_3_the_food(food: str, constant: int, calories: int) -> None:
    assert FOODS.index(food) == constant
    assert USUAL.calories[constant - 1] == calories


@pytest.mark.parametrize(("terrain", "constant"), [("anthill", 1), ("empty", 2), ("dirt", 3), ("acid", 4), ("rock", 5)])
def test_table_4_the_hexes(terrain: str, constant: int) -> None:
    assert TERRAINS.index(terrain) == constant


def test_the_other_numbers_of_the_seed_and_its_rulings() -> None:
    assert (USUAL.dirt_cost, USUAL.rock_cost, USUAL.acid_damage) == (2, 30, 20)
    assert (USUAL.nest_damage, USUAL.nest_range, USUAL.nest_view, USUAL.ant_limit) == (20, 2, 2, 100)
    assert (USUAL.food_percent, USUAL.pile_most, USUAL.growth_percent, USUAL.piles_per_team) == (10, 15, 30, 40)
    assert (USUAL.hexes_per_team, USUAL.least_radius, USUAL.nest_spacing) == (400, 20, 20)
    assert (USUAL.max_turn, USUAL.log_lines) == (300, 1000)


@pytest.mark.parametrize(
    "name", ["turn_milliseconds", "lobby_seconds", "break_seconds", "requests_per_second", "place_points"]
)
def test_what_the_announcement_of_a_round_sets_is_no_setting_of_the_game(name: str) -> None:
    with pytest.raises(marchland.ConfigError, match=f"no setting '{name}'"):
        DatspulseConfig.build({name: 1})


def test_upstream_differs_in_fire_and_growth_only() -> None:
    usual, upstream = USUAL.values(), DatspulseConfig.build({"rules": "upstream"}).values()
    assert {name for name, value in usual.items() if upstream[name] != value} == {
        "rules",
        "fire_from",
        "growth_percent",
    }
    assert (upstream["fire_from"], upstream["growth_percent"]) == ("spot", 0)


@pytest.mark.parametrize("config", [{"spawn": [0, 0, 0]}, {"dirt_percent": 40, "acid_percent": 40}, {"pile_most": 0}])
def test_settings_that_make_no_game_are_refused(config: dict[str, object]) -> None:
    with pytest.raises(marchland.ConfigError, match="datspulse's settings"):
        marchland.new("datspulse", 2, seed=0, config=config)
