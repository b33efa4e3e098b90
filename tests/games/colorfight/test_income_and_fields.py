"""Seed, "Update", "Force Field", "Attack Cost" and "Tax Amount"; rulings 12 and 13."""

import pytest

from tests.games.colorfight.builders import build, cell, match, own, reasons, upgrade, user


def test_a_home_yields_ten_of_both_a_level_and_nothing_natural() -> None:
    game = match({(0, 0): own(0, "home", 2, natural_gold=9, natural_energy=9)}, [{"energy": 0}])
    game.step()
    assert (user(game, 0)["energy"], user(game, 0)["gold"]) == (20, 20)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_wells_and_mines_add_the_natural_yield_once_a_level(level: int) -> None:
    land = {"natural_gold": 5, "natural_energy": 7}
    cells = {(0, 0): own(0, "home", 3), (4, 4): own(0, "energy_well", level, **land)}
    game = match({**cells, (5, 4): own(0, "gold_mine", level, **land)}, [{"energy": 0}])
    game.step()
    assert user(game, 0)["energy"] == 30 + 7 * (1 + level) + 7
    assert user(game, 0)["gold"] == 30 + 5 + 5 * (1 + level)


def test_a_building_takes_effect_in_the_turn_it_is_built() -> None:
    cells = {(0, 0): own(0, "home", 2), (4, 4): own(0, "gold_mine", natural_gold=5)}
    game = match(cells, [{"energy": 0, "gold": 400}])
    game.step({0: [upgrade(4, 4)]})
    assert user(game, 0)["gold"] == 20 + 15


def test_income_is_counted_with_the_new_owners_ruling_12() -> None:
    cells = {(0, 0): own(0, "home"), (1, 0): own(0), (2, 0): {"natural_gold": 10, "natural_energy": 8}}
    game = match(cells, [{"energy": 100}])
    game.step({0: [{"do": "attack", "at": [2, 0], "energy": 100}]})
    assert (user(game, 0)["energy"], user(game, 0)["gold"]) == (10 + 1 + 8, 10 + 1 + 10)


@pytest.mark.parametrize(
    ("number", "tax"),
    [(0, 0), (75, 0), (76, 1), (150, 75), (151, 77), (225, 225), (226, 228), (826, 4136), (337, 598), (175, 125)],
)
def test_the_tax_table(number: int, tax: int) -> None:
    from marchland.games.colorfight.rules.income import tax_on

    assert tax_on(number, 75) == tax


def test_the_seeds_tax_example_598_plus_125_makes_723() -> None:
    """337 cells with 102 mines, 73 wells and 99 fortresses, on a board large enough for them."""
    import marchland

    game_map: list[list[dict[str, object]]] = [[{} for _ in range(20)] for _ in range(20)]
    standing = ["home"] + ["gold_mine"] * 102 + ["energy_well"] * 73 + ["fortress"] * 99 + ["empty"] * 62
    for place, name in enumerate(standing):
        game_map[place // 20][place % 20] = own(0, name)
    position = {"game": "colorfight", "users": [{"username": "A", "energy": 0}], "game_map": game_map}
    game = marchland.from_position(position)
    game.step()
    assert user(game, 0)["tax"] == 723
    gross_gold = 10 + 102 * 2 + 73 + 99 + 62
    gross_energy = 10 + 102 + 73 * 2 + 99 + 62
    assert user(game, 0)["gold"] == gross_gold - 723
    assert user(game, 0)["energy"] == gross_energy - 723
    assert game.view()["users"]["0"]["tax_amount"] == 723


def test_balances_may_go_negative_and_then_nothing_can_be_bought_ruling_12() -> None:
    row = {(x, y): own(0) for x in range(8) for y in range(8)}
    game = match({**row, (0, 0): own(0, "home", 2)}, [{"gold": 0, "energy": 0}], tax_bracket=10)
    report = game.step({0: [{"do": "build", "at": [5, 5], "building": "fortress"}]})
    assert user(game, 0)["gold"] < 0
    assert report.results[0][0].reason == "NOT_ENOUGH_GOLD"


@pytest.mark.parametrize("rules", ["seed", "upstream"])
def test_with_negative_energy_no_building_is_upgraded_ruling_12(rules: str) -> None:
    game = match({(0, 0): own(0, "home", 2), (1, 0): own(0, "gold_mine")}, [{"energy": -1, "gold": 1000}], rules=rules)
    assert reasons(game.step({0: [upgrade(1, 0)]})) == ["NOT_ENOUGH_ENERGY"]
    assert user(game, 0)["gold"] >= 1000
    assert cell(game, 1, 0)["level"] == 1


@pytest.mark.parametrize(("rules", "reason"), [("seed", "NOT_ENOUGH_ENERGY"), ("upstream", "OK")])
def test_with_negative_energy_nothing_is_built_except_upstream_ruling_12(rules: str, reason: str) -> None:
    game = match({(0, 0): own(0, "home"), (1, 0): own(0)}, [{"energy": -1, "gold": 1000}], rules=rules)
    assert reasons(game.step({0: [build(1, 0, "gold_mine")]})) == [reason]


@pytest.mark.parametrize(("rules", "can_build"), [("seed", False), ("upstream", True)])
def test_the_menu_of_a_debtor_offers_no_purchase_ruling_12(rules: str, can_build: bool) -> None:
    cells = {(0, 0): own(0, "home", 2), (1, 0): own(0, "gold_mine"), (2, 0): own(0)}
    game = match(cells, [{"energy": -1, "gold": 1000}], rules=rules)
    menu = game.legal(0)
    assert isinstance(menu, dict)
    assert "upgrade" not in menu
    assert ("build" in menu) is can_build


def field_example(rules: str = "seed") -> int:
    """A owns (2, 2) with a field of 100, (2, 1) and (1, 2); (2, 3) is empty; B owns (3, 2)."""
    cells = {(2, 2): own(0, force_field=100), (2, 1): own(0), (1, 2): own(0), (3, 2): own(1)}
    game = match({**cells, (6, 0): own(0, "home"), (7, 7): own(1, "home")}, rules=rules)
    game.step()
    return cell(game, 2, 2)["force_field"] - 100


def test_the_first_field_example_loses_two_a_round() -> None:
    assert field_example() == -2


def test_upstream_a_plain_enemy_takes_five_ruling_13() -> None:
    assert field_example("upstream") == -1


def test_the_second_field_example_loses_ten() -> None:
    cells = {
        (2, 2): own(0, "fortress", force_field=100),
        (2, 1): own(0, "fortress", 2),
        (1, 2): own(0),
        (2, 3): own(1, "fortress"),
        (3, 2): own(1),
        (6, 0): own(0, "home", 2),
        (7, 7): own(1, "home"),
    }
    game = match(cells)
    game.step()
    assert cell(game, 2, 2)["force_field"] == 100 + (4 + 6 + 2 - 16 - 6)


def test_a_fortress_alone_grows_four_a_level() -> None:
    game = match({(2, 2): own(0, "fortress", 3), (0, 0): own(0, "home", 3)})
    game.step()
    assert cell(game, 2, 2)["force_field"] == 12


def test_fields_stay_between_nothing_and_a_thousand_ruling_13() -> None:
    cells = {
        (2, 2): own(0, force_field=3),
        (3, 2): own(1, force_field=999),
        (4, 2): own(1),
        (3, 3): own(1),
        (3, 1): own(1),
    }
    game = match({**cells, (0, 0): own(0, "home"), (7, 7): own(1, "home")}, ally_field=5)
    game.step()
    assert cell(game, 2, 2)["force_field"] == 0
    assert cell(game, 3, 2)["force_field"] == 1000


def test_unowned_cells_keep_their_field_ruling_13() -> None:
    cells = {(2, 2): {"force_field": 40}, (3, 2): own(1), (2, 1): own(1, "fortress", 2), (7, 7): own(1, "home", 2)}
    game = match({**cells, (0, 0): own(0, "home")})
    game.step()
    assert cell(game, 2, 2)["force_field"] == 40
