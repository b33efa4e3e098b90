"""Seed, "Commands" and "Hardcoded values"; rulings 8 to 12."""

import pytest

from marchland.games.hive.rules.config import HiveConfig
from marchland.games.hive.rules.orders import DIRECTIONS
from tests.games.hive.builders import at, entity, give, kind_at, left, match, order, purse


def test_the_table_of_costs_and_starting_hit_points() -> None:
    config = HiveConfig.build()
    assert (config.bee_cost, config.bee_hp) == (12, 2)
    assert (config.hive_cost, config.hive_hp) == (24, 12)
    assert (config.wall_cost, config.wall_hp) == (6, 6)


def test_a_field_starts_with_120_flowers() -> None:
    assert left(match("B0  F   B1"), 0, 2) == 120


# Drawn with row 0 even, so that (1, 3) is the middle of a rose.
MIDDLE = """
    .   .
  .   B0  .
    .   .       B1
"""


@pytest.mark.parametrize(
    ("way", "row", "column"),
    [("E", 1, 5), ("SE", 2, 4), ("SW", 2, 2), ("W", 1, 1), ("NW", 0, 2), ("NE", 0, 4)],
)
def test_move_goes_one_step_in_a_given_direction(way: str, row: int, column: int) -> None:
    game = match(MIDDLE)
    assert give(game, order("move", (1, 3), way)) == ["OK"]
    assert kind_at(game, row, column) == "bee"
    assert at(game, 1, 3) is None


def test_the_directions_are_those_of_the_board() -> None:
    assert match(MIDDLE).board.directions == DIRECTIONS


@pytest.mark.parametrize("obstacle", ["R", "B0", "W1", "H1"])
@pytest.mark.parametrize("verb", ["move", "build_wall"])
def test_a_blocked_cell_makes_the_command_fail(verb: str, obstacle: str) -> None:
    game = match(f"B0  {obstacle:4}B1", (100, 0))
    assert give(game, order(verb, (0, 0), "E")) == ["BLOCKED"]
    assert purse(game) == 100  # a blocked build costs nothing, ruling 8


@pytest.mark.parametrize("obstacle", ["R", "B0", "W1", "H1"])
def test_a_hive_cannot_spawn_into_a_blocked_cell(obstacle: str) -> None:
    game = match(f"H0  {obstacle:4}B1", (100, 0))
    assert give(game, order("spawn", (0, 0), "E")) == ["BLOCKED"]
    assert purse(game) == 100


@pytest.mark.parametrize("verb", ["move", "build_wall", "attack", "spawn"])
def test_off_the_map_is_an_invalid_target_and_nothing_else_changes(verb: str) -> None:
    unit = "H0" if verb == "spawn" else "B0"
    game = match(f"{unit}  .   B1", (100, 0))
    before = game.view()["entities"]
    assert give(game, order(verb, (0, 0), "W")) == ["INVALID_TARGET"]
    assert (game.view()["entities"], purse(game)) == (before, 100)


def test_forage_moves_one_flower_from_the_field_to_the_reserve_at_once() -> None:
    game = match(".   F   B1\n  B0")
    give(game, order("move", (1, 1), "NE"))
    assert give(game, order("forage", (0, 2))) == ["OK"]
    assert (left(game, 0, 2), purse(game)) == (119, 1)


def test_a_gathered_flower_pays_in_a_later_round_of_the_same_turn() -> None:
    game = match("F   .   B0  .   B1\n  B0", (5, 0))
    give(game, order("move", (1, 1), "NW"))
    assert give(game, order("build_wall", (0, 4), "E"), order("forage", (0, 0))) == ["NOT_ENOUGH_RESOURCES", "OK"]
    game = match("F   .   B0  .   B1\n  B0", (5, 0))
    give(game, order("move", (1, 1), "NW"))
    assert give(game, order("forage", (0, 0)), order("build_wall", (0, 4), "E")) == ["OK", "OK"]
    assert purse(game) == 0


def test_forage_fails_outside_a_field() -> None:
    assert give(match("B0  F   B1"), order("forage", (0, 0))) == ["CANNOT_FORAGE"]


def test_forage_fails_in_a_field_that_is_empty() -> None:
    game = match("F   B1\n  B0", field_flowers=1)
    give(game, order("move", (1, 1), "NW"))
    assert give(game, order("forage", (0, 0))) == ["OK"]
    assert give(game, order("forage", (0, 0))) == ["CANNOT_FORAGE"]
    assert (left(game, 0, 0), purse(game)) == (0, 1)


def test_build_wall_creates_a_wax_wall_for_6() -> None:
    game = match("B0  .   B1", (6, 0))
    assert give(game, order("build_wall", (0, 0), "E")) == ["OK"]
    wall = at(game, 0, 2)
    assert wall is not None
    assert (wall["kind"], wall["owner"], wall["hp"]) == ("wall", 0, 6)
    assert purse(game) == 0


def test_build_hive_replaces_the_bee_with_a_new_hive_of_full_hit_points_for_24() -> None:
    game = match("B0  B1", (24, 0))
    give(game, order("attack", (0, 2), "W"), player=1)
    assert give(game, order("build_hive", (0, 0))) == ["OK"]
    hive = at(game, 0, 0)
    assert hive is not None
    assert (hive["id"], hive["kind"], hive["hp"]) == (6, "hive", 12)  # rulings 9 and 11
    assert entity(game, 0) is None
    assert purse(game) == 0
    assert game.view()["players"][0] == {"name": "A", "flowers": 0, "influence": 2, "bees": 0, "hives": 1, "walls": 0}


def test_spawn_creates_a_new_bee_for_12() -> None:
    game = match("H0  .   B1", (12, 0))
    assert give(game, order("spawn", (0, 0), "E")) == ["OK"]
    bee = at(game, 0, 2)
    assert bee is not None
    assert (bee["id"], bee["kind"], bee["owner"], bee["hp"]) == (6, "bee", 0, 2)
    assert purse(game) == 0


@pytest.mark.parametrize(
    ("unit", "verb", "way", "cost"),
    [("B0", "build_wall", "E", 6), ("B0", "build_hive", "", 24), ("H0", "spawn", "E", 12)],
)
def test_an_order_that_cannot_be_paid_fails_and_costs_nothing(unit: str, verb: str, way: str, cost: int) -> None:
    game = match(f"{unit}  .   B1", (cost - 1, 0))
    assert give(game, order(verb, (0, 0), way)) == ["NOT_ENOUGH_RESOURCES"]
    assert purse(game) == cost - 1
    assert len(game.view()["entities"]) == 2


def test_the_target_is_judged_before_the_price_ruling_8() -> None:
    assert give(match("B0  R   B1"), order("build_wall", (0, 0), "E")) == ["BLOCKED"]


def test_a_reserve_pays_for_what_it_can_in_the_order_of_the_list() -> None:
    game = match("H0  .   H0  .   B1", (12, 0))
    assert give(game, order("spawn", (0, 4), "E"), order("spawn", (0, 0), "E")) == ["OK", "NOT_ENOUGH_RESOURCES"]


def test_an_attack_takes_one_hit_point() -> None:
    game = match("B0  H1")
    assert give(game, order("attack", (0, 0), "E")) == ["OK"]
    hive = at(game, 0, 2)
    assert hive is not None
    assert hive["hp"] == 11


@pytest.mark.parametrize(("victim", "hits"), [("B1", 2), ("W1", 6), ("H1", 12)])
def test_an_entity_is_destroyed_when_its_hit_points_reach_zero(victim: str, hits: int) -> None:
    game = match(f"B0  {victim}")
    for _ in range(hits - 1):
        give(game, order("attack", (0, 0), "E"))
        assert at(game, 0, 2) is not None
    give(game, order("attack", (0, 0), "E"))
    assert at(game, 0, 2) is None


def test_nothing_heals_ruling_10() -> None:
    game = match("B0  B1")
    give(game, order("attack", (0, 0), "E"))
    for _ in range(20):
        game.step()
    bee = at(game, 0, 2)
    assert bee is not None
    assert bee["hp"] == 1


@pytest.mark.parametrize("target", [".", "F", "R"])
def test_an_attack_on_an_empty_cell_or_stone_does_nothing_and_uses_the_action(target: str) -> None:
    game = match(f".   B0  {target}   B1")
    given = give(game, order("attack", (0, 2), "E"), order("move", (0, 2), "W"))
    assert given == ["INVALID_TARGET", "UNIT_ALREADY_ACTED"]


def test_friendly_fire_is_allowed_ruling_10() -> None:
    game = match("B0  W0  B1")
    assert give(game, order("attack", (0, 0), "E")) == ["OK"]
    wall = at(game, 0, 2)
    assert wall is not None
    assert wall["hp"] == 5


def test_a_field_can_be_built_on_and_its_flowers_stay_ruling_11() -> None:
    game = match("B0  F   B1", (6, 0), wall_hp=1)
    give(game, order("build_wall", (0, 0), "E"))
    assert (kind_at(game, 0, 2), left(game, 0, 2)) == ("wall", 120)
    give(game, order("attack", (0, 0), "E"))
    give(game, order("move", (0, 0), "E"))
    assert give(game, order("forage", (0, 2))) == ["OK"]


def test_a_hive_in_a_field_keeps_the_flowers() -> None:
    game = match("B0  F   B1", (24, 0))
    give(game, order("move", (0, 0), "E"))
    assert give(game, order("build_hive", (0, 2))) == ["OK"]
    assert left(game, 0, 2) == 120


@pytest.mark.parametrize("verb", ["move", "attack", "build_wall"])
def test_a_hive_can_only_spawn(verb: str) -> None:
    game = match("H0  .   B1", (100, 0))
    assert give(game, order(verb, (0, 0), "E"), order("spawn", (0, 0), "E")) == ["INVALID_UNIT", "OK"]


@pytest.mark.parametrize(
    ("unit", "verb", "way"), [("H0", "build_hive", ""), ("H0", "forage", ""), ("B0", "spawn", "E")]
)
def test_bees_and_hives_have_commands_of_their_own(unit: str, verb: str, way: str) -> None:
    assert give(match(f"{unit}  .   B1", (100, 0)), order(verb, (0, 0), way)) == ["INVALID_UNIT"]


def test_a_wall_does_nothing_at_all() -> None:
    game = match("W0  B0  .   B1", (100, 0))
    for verb in ("move", "attack", "build_wall", "spawn"):
        assert give(game, order(verb, (0, 0), "E")) == ["INVALID_UNIT"]
    for verb in ("build_hive", "forage"):
        assert give(game, order(verb, (0, 0))) == ["INVALID_UNIT"]


def test_terrain_never_changes() -> None:
    game = match("B0  F   R   B1", (100, 100))
    before = game.position()["map"]
    give(game, order("move", (0, 0), "E"))
    give(game, order("build_hive", (0, 2)))
    assert game.position()["map"] == before


def test_a_match_starts_with_no_flowers_and_there_is_no_storage_cap_ruling_12() -> None:
    assert HiveConfig.build().start_flowers == 0
    game = match("F   B0  B1", (10**15, 0))
    give(game, order("move", (0, 2), "W"))
    give(game, order("forage", (0, 0)))
    assert purse(game) == 10**15 + 1
