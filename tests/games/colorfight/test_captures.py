"""Seed, "Attack": capturing cells; rulings 1 to 4, 7, 8 and 11."""

import pytest

from tests.games.colorfight.builders import STILL, attack, build, cell, match, own, reasons, user

# A owns (2, 2), B owns (4, 2); the cell between them, (3, 2), costs 100.
BETWEEN = {(2, 2): own(0), (4, 2): own(1), (0, 0): own(0, "home"), (7, 7): own(1, "home")}


def test_case_1_fifty_energy_fails_and_is_lost() -> None:
    game = match(BETWEEN, **STILL)
    game.step({0: [attack(3, 2, 50)]})
    assert cell(game, 3, 2)["owner"] == -1
    assert user(game, 0)["energy"] == 1000 - 50 + 11


def test_case_2_a_hundred_and_fifty_captures_and_leaves_a_field_of_a_hundred() -> None:
    game = match(BETWEEN, **STILL)
    game.step({0: [attack(3, 2, 150)]})
    assert (cell(game, 3, 2)["owner"], cell(game, 3, 2)["force_field"]) == (0, 100)
    assert game.view()["game_map"][2][3]["attack_cost"] == 200
    assert user(game, 0)["energy"] == 1000 - 150 + 12


def test_case_3_equal_attackers_both_lose_their_energy() -> None:
    game = match(BETWEEN, **STILL)
    game.step({0: [attack(3, 2, 150)], 1: [attack(3, 2, 150)]})
    assert cell(game, 3, 2)["owner"] == -1
    assert [user(game, player)["energy"] for player in (0, 1)] == [1000 - 150 + 11] * 2


def test_case_4_the_stronger_captures_with_what_the_weaker_leaves() -> None:
    game = match(BETWEEN, **STILL)
    game.step({0: [attack(3, 2, 350)], 1: [attack(3, 2, 150)]})
    assert (cell(game, 3, 2)["owner"], cell(game, 3, 2)["force_field"]) == (0, 200)
    assert user(game, 0)["energy"] == 1000 - 350 + 12
    assert user(game, 1)["energy"] == 1000 - 150 + 11


def test_one_energy_on_ones_own_cell_turns_a_hundred_into_ninety_nine() -> None:
    defended = {**BETWEEN, (3, 2): own(0)}
    game = match(defended, **STILL)
    game.step({0: [attack(3, 2, 1)], 1: [attack(3, 2, 100)]})
    assert cell(game, 3, 2)["owner"] == 0
    game = match(defended, **STILL)
    game.step({1: [attack(3, 2, 100)]})
    assert cell(game, 3, 2)["owner"] == 1


@pytest.mark.parametrize(("energy", "owner"), [(189, -1), (190, 0)])
def test_the_energy_of_all_other_attackers_is_subtracted(energy: int, owner: int) -> None:
    game = match({**BETWEEN, (3, 3): own(2), (7, 0): own(2, "home")}, [{}, {}, {}], **STILL)
    game.step({0: [attack(3, 2, energy)], 1: [attack(3, 2, 50)], 2: [attack(3, 2, 40)]})
    assert cell(game, 3, 2)["owner"] == owner  # 2 * 190 - (190 + 50 + 40) = 190 - (50 + 40) = 100


def test_exactly_the_cost_captures_ruling_1() -> None:
    game = match(BETWEEN, **STILL)
    game.step({0: [attack(3, 2, 100)]})
    assert (cell(game, 3, 2)["owner"], cell(game, 3, 2)["force_field"]) == (0, 0)


def test_the_field_of_a_captured_cell_is_at_most_a_thousand() -> None:
    game = match(BETWEEN, [{"energy": 5000}, {}], **STILL)
    game.step({0: [attack(3, 2, 900)]})
    assert cell(game, 3, 2)["force_field"] == 1000


def test_a_captured_cells_field_changes_with_its_new_neighbours_in_the_same_turn() -> None:
    cells = {(2, 2): own(0), (4, 2): own(1), (0, 0): own(0, "home"), (7, 7): own(1, "home")}
    game = match(cells)
    game.step({0: [attack(3, 2, 150)]})
    assert cell(game, 3, 2)["force_field"] == 2 * (150 - 100) + 2 - 6
    assert cell(game, 2, 2)["force_field"] == 2


def test_a_players_commands_on_one_cell_add_up_ruling_2() -> None:
    game = match(BETWEEN, **STILL)
    game.step({0: [attack(3, 2, 60), attack(3, 2, 60)]})
    assert (cell(game, 3, 2)["owner"], cell(game, 3, 2)["force_field"]) == (0, 40)


def test_upstream_two_commands_of_one_player_work_against_each_other_ruling_2() -> None:
    game = match(BETWEEN, rules="upstream", **STILL)
    game.step({0: [attack(3, 2, 150), attack(3, 2, 60)]})
    assert cell(game, 3, 2)["owner"] == -1  # 150 - 60 = 90 < 100
    game = match(BETWEEN, rules="upstream", **STILL)
    game.step({0: [attack(3, 2, 160), attack(3, 2, 60)]})
    assert (cell(game, 3, 2)["owner"], cell(game, 3, 2)["force_field"]) == (0, 0)


def test_upstream_the_first_of_equal_entries_is_the_strongest_ruling_2() -> None:
    game = match({**BETWEEN, (3, 2): {"natural_cost": 0}}, rules="upstream", **STILL)
    report = game.step({1: [attack(3, 2, 50)], 0: [attack(3, 2, 50)]})
    assert report.events == [{"event": "repelled", "at": [3, 2], "by": 1, "from": None, "energy": 0, "needed": 0}]
    assert cell(game, 3, 2)["owner"] == -1  # no player spent more than all others combined


def test_upstream_equal_attackers_do_not_take_the_home_of_a_player_deep_in_debt_ruling_21() -> None:
    cells = {(2, 2): own(0), (4, 2): own(1), (3, 2): own(2, "home"), (0, 0): own(0, "home"), (7, 7): own(1, "home")}
    users = [{}, {}, {"energy": -1500}]
    game = match(cells, users, rules="upstream", **STILL)
    assert game.view()["game_map"][2][3]["attack_cost"] == -500
    game.step({0: [attack(3, 2, 1)], 1: [attack(3, 2, 1)]})
    assert cell(game, 3, 2)["owner"] == 2
    game.step({0: [attack(3, 2, 2)], 1: [attack(3, 2, 1)]})
    assert cell(game, 3, 2)["owner"] == 0


@pytest.mark.parametrize("rules", ["seed", "upstream"])
@pytest.mark.parametrize("energy", [0, -1, -1000])
def test_no_energy_is_no_attack_ruling_3(rules: str, energy: int) -> None:
    game = match(BETWEEN, rules=rules)
    report = game.step({0: [attack(3, 2, energy)]})
    assert reasons(report) == ["BAD_ENERGY"]
    assert user(game, 0)["energy"] == 1000 + 11


def test_only_the_four_neighbours_of_ones_cells_can_be_attacked() -> None:
    game = match(BETWEEN)
    report = game.step({0: [attack(3, 3, 100), attack(4, 2, 100), attack(2, 3, 100), attack(2, 1, 100)]})
    assert reasons(report) == ["NO_ADJACENT_CELL", "NO_ADJACENT_CELL", "OK", "OK"]


def test_a_lone_cell_cannot_shield_itself_ruling_4() -> None:
    game = match(BETWEEN)
    assert reasons(game.step({0: [attack(2, 2, 100)]})) == ["NO_ADJACENT_CELL"]


def test_a_neighbour_captured_this_turn_does_not_help_ruling_4() -> None:
    game = match(BETWEEN)
    report = game.step({0: [attack(2, 3, 100), attack(2, 4, 100)]})
    assert reasons(report) == ["OK", "NO_ADJACENT_CELL"]


def test_more_than_is_left_fails_and_a_cheaper_one_still_passes_ruling_5() -> None:
    game = match(BETWEEN)
    report = game.step({0: [attack(2, 3, 900), attack(2, 1, 200), attack(1, 2, 100)]})
    assert reasons(report) == ["OK", "NOT_ENOUGH_ENERGY", "OK"]
    assert user(game, 0)["energy"] == 13  # income of a home and three cells


@pytest.mark.parametrize(("old", "energy", "new"), [(0, 130, 60), (50, 180, 60), (200, 310, 200)])
def test_shielding_keeps_the_larger_field_ruling_7(old: int, energy: int, new: int) -> None:
    game = match({(2, 2): own(0, force_field=old), (2, 3): own(0), (0, 0): own(0, "home")}, **STILL)
    game.step({0: [attack(2, 2, energy)]})
    assert (cell(game, 2, 2)["owner"], cell(game, 2, 2)["force_field"]) == (0, new)


def test_shielding_leaves_the_building_ruling_7() -> None:
    game = match({(2, 2): own(0, "gold_mine", 2), (2, 3): own(0), (0, 0): own(0, "home")}, **STILL)
    game.step({0: [attack(2, 2, 150)]})
    assert (cell(game, 2, 2)["building"], cell(game, 2, 2)["level"]) == (3, 2)


def test_upstream_shielding_replaces_even_a_stronger_field_ruling_7() -> None:
    game = match({(2, 2): own(0, force_field=200), (2, 3): own(0), (0, 0): own(0, "home")}, rules="upstream", **STILL)
    game.step({0: [attack(2, 2, 310)]})
    assert cell(game, 2, 2)["force_field"] == 20


def test_a_homes_cost_uses_the_owners_energy_after_payment_ruling_8() -> None:
    cells = {(2, 2): own(0), (0, 0): own(0, "home"), (3, 2): own(1, "home"), (4, 2): own(1)}
    game = match(cells, [{"energy": 5000}, {"energy": 700}], **STILL)
    game.step({0: [attack(3, 2, 1199)], 1: [attack(5, 2, 500)]})
    assert cell(game, 3, 2)["owner"] == 1  # 1 * (1000 + 0 + 200) was needed
    game = match(cells, [{"energy": 5000}, {"energy": 700}], **STILL)
    game.step({0: [attack(3, 2, 1200)], 1: [attack(5, 2, 500)]})
    assert cell(game, 3, 2)["owner"] == 0


def test_a_homes_cost_is_multiplied_by_its_level() -> None:
    cells = {(3, 2): own(1, "home", 3, force_field=10)}
    game = match({**cells, (2, 2): own(0)}, [{}, {"energy": 40}])
    assert game.view()["game_map"][2][3]["attack_cost"] == 3 * (1000 + 10 + 40)


@pytest.mark.parametrize(("rules", "cost"), [("seed", 1000), ("upstream", 700)])
def test_debts_do_not_change_a_homes_cost_but_upstream_they_lower_it_ruling_8(rules: str, cost: int) -> None:
    game = match({(3, 2): own(1, "home"), (2, 2): own(0)}, [{"energy": cost}, {"energy": -300}], rules=rules, **STILL)
    assert game.view()["game_map"][2][3]["attack_cost"] == cost
    game.step({0: [attack(3, 2, cost)]})
    assert cell(game, 3, 2)["owner"] == 0


def test_a_fortress_multiplies_its_cells_cost() -> None:
    game = match({(2, 2): own(0, "fortress", 2, force_field=50), (0, 0): own(0, "home", 2)})
    assert game.view()["game_map"][2][2]["attack_cost"] == (100 + 50) * 3


def test_a_building_bought_this_turn_defends_this_turn_ruling_5() -> None:
    cells = {(2, 2): own(0), (3, 2): own(1), (0, 0): own(0, "home"), (7, 7): own(1, "home")}
    game = match(cells, [{"gold": 200}, {}], **STILL)
    game.step({0: [build(2, 2, "fortress")], 1: [attack(2, 2, 150)]})
    assert cell(game, 2, 2)["owner"] == 0  # 100 would have been enough without it


def test_attacks_resolve_against_the_same_owners_ruling_11() -> None:
    ring = {(2, 2): own(0), (3, 2): own(1), (0, 0): own(0, "home"), (7, 7): own(1, "home")}
    game = match(ring, **STILL)
    game.step({0: [attack(3, 2, 100)], 1: [attack(2, 2, 100)]})
    assert (cell(game, 2, 2)["owner"], cell(game, 3, 2)["owner"]) == (1, 0)
