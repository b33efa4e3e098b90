"""Seed, "Build", "Upgrade" and "Buildings"; rulings 5, 6, 9, 10, 16 and 19."""

import pytest

from tests.games.colorfight.builders import STILL, attack, build, cell, match, own, reasons, upgrade, user

LAND = {(0, 0): own(0, "home"), (1, 0): own(0), (2, 0): own(0), (7, 7): own(1, "home")}
EMPTY, HOME, WELL, MINE, FORTRESS = range(5)


@pytest.mark.parametrize(("name", "code"), [("energy_well", WELL), ("gold_mine", MINE), ("fortress", FORTRESS)])
def test_a_building_costs_two_hundred_gold(name: str, code: int) -> None:
    game = match(LAND, [{"gold": 200}, {}])
    report = game.step({0: [build(1, 0, name), build(2, 0, name)]})
    assert reasons(report) == ["OK", "NOT_ENOUGH_GOLD"]
    assert (cell(game, 1, 0)["building"], cell(game, 1, 0)["level"]) == (code, 1)


@pytest.mark.parametrize("name", ["energy_well", "gold_mine", "fortress"])
def test_upgrades_cost_four_and_six_hundred_gold_ruling_16(name: str) -> None:
    cells = {(0, 0): own(0, "home", 3), (1, 0): own(0, name), (2, 0): own(0, name, 2)}
    game = match(cells, [{"gold": 1000, "energy": 0}])
    assert reasons(game.step({0: [upgrade(1, 0), upgrade(2, 0)]})) == ["OK", "OK"]
    income = user(game, 0)["gold_source"]
    assert user(game, 0)["gold"] == income


@pytest.mark.parametrize(("level", "price"), [(1, 1000), (2, 2000)])
def test_a_home_upgrade_costs_energy_and_gold_ruling_16(level: int, price: int) -> None:
    cells = {(0, 0): own(0, "home", level)}
    game = match(cells, [{"gold": price, "energy": price}])
    assert reasons(game.step({0: [upgrade(0, 0)]})) == ["OK"]
    assert cell(game, 0, 0)["level"] == level + 1
    assert user(game, 0)["gold"] == user(game, 0)["energy"] == 10 * (level + 1)
    poor = match(cells, [{"gold": price, "energy": price - 1}])
    assert reasons(poor.step({0: [upgrade(0, 0)]})) == ["NOT_ENOUGH_ENERGY"]
    assert user(poor, 0)["gold"] == price + 10 * level


def test_three_is_the_highest_level() -> None:
    game = match({(0, 0): own(0, "home", 3)}, [{"gold": 9999, "energy": 9999}])
    assert reasons(game.step({0: [upgrade(0, 0)]})) == ["TOP_LEVEL"]


def test_no_building_outgrows_the_home() -> None:
    game = match({**LAND, (1, 0): own(0, "gold_mine")}, [{"gold": 9999}, {}])
    assert reasons(game.step({0: [upgrade(1, 0)]})) == ["UPGRADE_HOME_FIRST"]


def test_a_home_upgrade_opens_the_next_level_only_next_turn_ruling_6() -> None:
    game = match({**LAND, (1, 0): own(0, "gold_mine")}, [{"gold": 9999, "energy": 9999}, {}])
    assert reasons(game.step({0: [upgrade(0, 0), upgrade(1, 0)]})) == ["OK", "UPGRADE_HOME_FIRST"]
    assert reasons(game.step({0: [upgrade(1, 0)]})) == ["OK"]


def test_a_building_may_be_built_and_upgraded_in_one_turn_ruling_6() -> None:
    game = match({**LAND, (0, 0): own(0, "home", 2)}, [{"gold": 600}, {}])
    report = game.step({0: [upgrade(1, 0), build(1, 0, "gold_mine")]})
    assert reasons(report) == ["OK", "OK"]  # builds come first, whatever the list says
    assert cell(game, 1, 0)["level"] == 2


def test_a_new_building_yields_in_the_round_it_is_built() -> None:
    cells = {(0, 0): own(0, "home"), (4, 4): own(0, natural_gold=5), (5, 4): own(0, natural_energy=7)}
    game = match(cells, [{"energy": 0, "gold": 400}])
    game.step({0: [build(4, 4, "gold_mine"), build(5, 4, "energy_well")]})
    assert (user(game, 0)["gold"], user(game, 0)["energy"]) == (10 + 5 * 2 + 1, 10 + 1 + 7 * 2)


def test_upstream_commands_run_in_list_order_ruling_5() -> None:
    game = match({**LAND, (0, 0): own(0, "home", 2)}, [{"gold": 600}, {}], rules="upstream")
    assert reasons(game.step({0: [upgrade(1, 0), build(1, 0, "gold_mine")]})) == ["NOTHING_TO_UPGRADE", "OK"]


def test_builds_and_upgrades_are_paid_before_attacks_ruling_5() -> None:
    game = match({(0, 0): own(0, "home")}, [{"gold": 1000, "energy": 1000}])
    assert reasons(game.step({0: [attack(1, 0, 100), upgrade(0, 0)]})) == ["NOT_ENOUGH_ENERGY", "OK"]


def test_only_ones_own_empty_cells_take_a_building() -> None:
    game = match(LAND, [{"gold": 9999}, {}])
    commands = [build(3, 0, "fortress"), build(7, 7, "fortress"), build(0, 0, "fortress"), build(8, 0, "fortress")]
    assert reasons(game.step({0: commands})) == ["NOT_YOURS", "NOT_YOURS", "OCCUPIED", "OFF_THE_MAP"]


def test_only_ones_own_buildings_can_be_upgraded() -> None:
    game = match(LAND, [{"gold": 9999, "energy": 9999}, {}])
    commands = [upgrade(3, 0), upgrade(7, 7), upgrade(1, 0), upgrade(0, -1)]
    assert reasons(game.step({0: commands})) == ["NOT_YOURS", "NOT_YOURS", "NOTHING_TO_UPGRADE", "OFF_THE_MAP"]


def test_a_player_has_one_home() -> None:
    game = match(LAND, [{"gold": 9999}, {}])
    assert reasons(game.step({0: [build(1, 0, "home")]})) == ["ONE_HOME"]


def test_without_a_home_nothing_but_a_home_can_be_built_ruling_10() -> None:
    game = match({(1, 0): own(0), (2, 0): own(0), (7, 7): own(1, "home")}, [{"gold": 2000}, {}])
    commands = [build(1, 0, "fortress"), build(1, 0, "home"), build(2, 0, "home"), build(2, 0, "gold_mine")]
    assert reasons(game.step({0: commands})) == ["HOME_FIRST", "OK", "ONE_HOME", "HOME_FIRST"]
    assert user(game, 0)["gold"] == 1000 + 11
    assert reasons(game.step({0: [build(2, 0, "gold_mine")]})) == ["OK"]


def test_a_new_home_has_level_one() -> None:
    game = match({(1, 0): own(0), (7, 7): own(1, "home")}, [{"gold": 1000, "energy": 0}, {}])
    assert reasons(game.step({0: [build(1, 0, "home")]})) == ["OK"]
    assert (cell(game, 1, 0)["building"], cell(game, 1, 0)["level"], user(game, 0)["tech_level"]) == (HOME, 1, 1)
    assert (user(game, 0)["gold"], user(game, 0)["energy"]) == (10, 10)


def test_a_new_home_may_be_upgraded_at_once_ruling_6() -> None:
    game = match({(1, 0): own(0), (7, 7): own(1, "home")}, [{"gold": 2000, "energy": 1000}, {}])
    assert reasons(game.step({0: [build(1, 0, "home"), upgrade(1, 0)]})) == ["OK", "OK"]
    assert user(game, 0)["tech_level"] == 2


# B's land beside A's, with B's home far off.
FRONT = {(0, 0): own(0, "home"), (2, 2): own(0), (7, 7): own(1, "home", 3), (6, 7): own(1)}


@pytest.mark.parametrize(("level", "sum_"), [(1, 100), (2, 300), (3, 600)])
@pytest.mark.parametrize("name", ["energy_well", "gold_mine", "fortress"])
def test_half_the_gold_of_a_captured_building_returns_to_its_owner_ruling_9(name: str, level: int, sum_: int) -> None:
    game = match({**FRONT, (3, 2): own(1, name, level)}, [{"energy": 9999}, {}], **STILL)
    game.step({0: [attack(3, 2, 500)]})
    assert (cell(game, 3, 2)["owner"], cell(game, 3, 2)["building"], cell(game, 3, 2)["level"]) == (0, EMPTY, 0)
    assert user(game, 1)["gold"] == sum_ + 31


@pytest.mark.parametrize(("level", "field"), [(1, 100), (2, 300), (3, 600)])
def test_a_captured_well_strengthens_the_field_ruling_9(level: int, field: int) -> None:
    game = match({**FRONT, (3, 2): own(1, "energy_well", level)}, **STILL)
    game.step({0: [attack(3, 2, 120)]})
    assert cell(game, 3, 2)["force_field"] == 40 + field


def test_the_field_of_a_captured_well_is_capped_too_ruling_9() -> None:
    game = match({**FRONT, (3, 2): own(1, "energy_well", 3)}, **STILL)
    game.step({0: [attack(3, 2, 500)]})
    assert cell(game, 3, 2)["force_field"] == 1000


@pytest.mark.parametrize(("level", "gold"), [(1, 100), (2, 300), (3, 600)])
def test_a_captured_mine_pays_its_captor_ruling_9(level: int, gold: int) -> None:
    game = match({**FRONT, (3, 2): own(1, "gold_mine", level)}, **STILL)
    game.step({0: [attack(3, 2, 100)]})
    assert user(game, 0)["gold"] == gold + 12


# B's home beside A's land, and two more buildings of B.
STORM = {
    (0, 0): own(0, "home"),
    (2, 2): own(0),
    (3, 2): own(1, "home"),
    (4, 2): own(1, "gold_mine", 2),
    (5, 2): own(1, "fortress"),
}
RICH = [{"energy": 5000}, {"energy": 0, "gold": 1000}]


def test_a_lost_home_costs_a_third_of_the_gold_and_every_building_ruling_10() -> None:
    game = match(STORM, RICH, **STILL)
    report = game.step({0: [attack(3, 2, 1000)]})
    assert user(game, 0)["gold"] == 333 + 12
    assert user(game, 1)["gold"] == 1000 - 333 + 300 + 100 + 2
    assert [cell(game, x, 2)["building"] for x in (3, 4, 5)] == [EMPTY] * 3
    assert user(game, 1)["tech_level"] == 0
    kinds = [event["event"] for event in report.events]
    assert kinds == ["home_lost", "captured", "ruined", "ruined"]


def test_the_third_is_of_the_gold_before_this_turns_captures_ruling_10() -> None:
    game = match({**STORM, (2, 1): own(0), (3, 1): own(1, "gold_mine", 3)}, RICH, **STILL)
    game.step({0: [attack(3, 1, 100), attack(3, 2, 1000)]})
    assert user(game, 0)["gold"] == 600 + 333 + 14


def test_upstream_money_moves_in_scan_order_ruling_11() -> None:
    cells = {**STORM, (2, 1): own(0), (3, 1): own(1, "gold_mine", 3)}
    game = match(cells, RICH, rules="upstream", **STILL)
    game.step({0: [attack(3, 2, 1000), attack(3, 1, 100)]})  # (3, 1) is scanned first: B has 1600 when the home falls
    assert user(game, 0)["gold"] == 600 + 533 + 14


def test_upstream_the_other_buildings_vanish_without_refund_after_income_rulings_10_12_19() -> None:
    game = match(STORM, RICH, rules="upstream", **STILL)
    game.step({0: [attack(3, 2, 1000)]})
    assert user(game, 1)["gold"] == 1000 - 333 + 3 + 1  # the mine of level 2 still paid
    assert [cell(game, x, 2)["building"] for x in (3, 4, 5)] == [EMPTY] * 3


def test_upstream_a_debt_is_stolen_too_and_truncated_toward_zero_ruling_8() -> None:
    users = [{"energy": 5000}, {"energy": 0, "gold": -100}]
    game = match(STORM, users, rules="upstream", **STILL)
    game.step({0: [attack(3, 2, 1000)]})
    assert user(game, 0)["gold"] == -33 + 12
    kind = match(STORM, users, **STILL)
    kind.step({0: [attack(3, 2, 1000)]})
    assert user(kind, 0)["gold"] == 12


def test_upstream_captures_are_scanned_by_column_before_row_ruling_11() -> None:
    """B's mine lies in the column before the home and in the row after it: scanned first, its refund is stolen too."""
    cells = {
        (2, 3): own(1, "gold_mine", 3),
        (1, 3): own(0),
        (3, 2): own(1, "home"),
        (3, 1): own(0),
        (0, 0): own(0, "home"),
    }
    game = match(cells, RICH, rules="upstream", **STILL)
    game.step({0: [attack(3, 2, 1000), attack(2, 3, 100)]})
    assert user(game, 0)["gold"] == 600 + (1000 + 600) // 3 + 14


def test_two_homes_that_fall_in_one_turn_are_paid_apart() -> None:
    cells = {
        (0, 0): own(0, "home"),
        (2, 2): own(0),
        (3, 2): own(1, "home"),
        (4, 2): own(2),
        (5, 2): own(0),
        (6, 2): own(2, "home"),
        (7, 7): own(1),
    }
    users = [{"energy": 5000, "gold": 90}, {"energy": 0, "gold": 300}, {"energy": 0, "gold": 60}]
    game = match(cells, users, **STILL)
    game.step({0: [attack(3, 2, 1000), attack(6, 2, 1000)]})
    assert [user(game, player)["gold"] for player in range(3)] == [90 + 100 + 20 + 14, 200 + 1, 40 + 1]


def test_an_order_that_fails_twice_names_the_public_servers_reason_ruling_28() -> None:
    cells = {(0, 0): own(0, "home"), (1, 0): own(0), (5, 5): own(0, "gold_mine")}
    game = match(cells, [{"energy": 50, "gold": 0}])
    orders = [attack(7, 7, 60), build(1, 0, "home"), upgrade(0, 0)]
    assert reasons(game.step({0: orders})) == ["NOT_ENOUGH_ENERGY", "NOT_ENOUGH_GOLD", "NOT_ENOUGH_ENERGY"]
    homeless = match({(1, 0): own(0)}, [{"gold": 0}])
    assert reasons(homeless.step({0: [build(1, 0, "fortress")]})) == ["NOT_ENOUGH_GOLD"]
