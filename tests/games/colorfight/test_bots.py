"""The bots that come with the game."""

from typing import Any

import pytest

import marchland
from marchland.core.game import Game
from tests.games.colorfight.builders import attack, build, match, own, upgrade
from tests.support.duels import duel, mean_answer_milliseconds


def ask(game: Game) -> list[dict[str, Any]]:
    orders: list[dict[str, Any]] = game.bots["greedy"]().play(game.observe(0))
    return orders


@pytest.mark.parametrize("rival", ["colorfight_greedy", "colorfight_expander"])
def test_greedy_wipes_out_its_predecessor_and_the_expander(rival: str) -> None:
    figures = duel("colorfight", rival, range(4))
    assert figures["wins"] >= 7
    assert figures["turns_most"] < 500


def test_greedy_answers_within_two_milliseconds() -> None:
    assert mean_answer_milliseconds(marchland.new("colorfight", 8, seed=0), 120) <= 2


def test_greedy_takes_an_enemys_home_as_soon_as_it_can_be_paid() -> None:
    cells = {(0, 0): own(0, "home"), (1, 0): own(0), (2, 0): own(1, "home", force_field=50)}
    assert ask(match(cells, [{"energy": 1400}, {"energy": 300}]))[0] == attack(2, 0, 1351)
    assert all(order["at"] != [2, 0] for order in ask(match(cells, [{"energy": 1350}, {"energy": 300}])))


def test_greedy_takes_the_last_cell_of_a_player_even_where_land_costs_more_tax_than_it_yields() -> None:
    cells = {(x, y): own(0) for x in range(8) for y in range(8)} | {(0, 0): own(0, "home"), (7, 7): own(1)}
    game = match(cells, [{"energy": 5000}, {}], tax_bracket=5)
    assert ask(game) == [attack(7, 7, 113)]


def test_greedy_leaves_free_land_alone_that_costs_more_tax_than_it_yields() -> None:
    cells = {(x, y): own(0) for x in range(8) for y in range(7)} | {(0, 0): own(0, "home"), (7, 0): own(1, "home")}
    game = match(cells, [{"energy": 900}, {"energy": 9000}], tax_bracket=5)
    assert ask(game) == []


def test_greedy_builds_where_the_return_is_best_and_what_the_cell_is_good_for() -> None:
    plain = {(0, 0): own(0, "home"), (1, 0): own(0), (0, 1): own(0, natural_gold=9), (1, 1): own(0, natural_energy=8)}
    orders = ask(match(plain, [{"gold": 400}, {}]))
    assert [order for order in orders if order["do"] == "build"] == [
        build(1, 1, "energy_well"),
        build(0, 1, "gold_mine"),
    ]


def test_greedy_raises_its_home_once_it_has_land() -> None:
    land = {(x, y): own(0) for x in range(8) for y in range(5)}
    game = match({**land, (0, 0): own(0, "home")}, [{"gold": 1000, "energy": 1000}, {}])
    assert ask(game)[0] == upgrade(0, 0)


def test_greedy_founds_a_new_home_where_its_force_field_is_strongest() -> None:
    game = match({(0, 0): own(0, force_field=10), (1, 0): own(0, force_field=90)}, [{"gold": 1000, "energy": 0}, {}])
    assert ask(game) == [build(1, 0, "home")]


def test_greedy_builds_fortresses_beside_a_home_that_an_enemy_has_come_near_to() -> None:
    cells = {(0, 0): own(0, "home"), (1, 0): own(0), (2, 0): own(1)}
    game = match(cells, [{"gold": 200, "energy": 0}, {}])
    assert ask(game) == [build(1, 0, "fortress")]


def test_greedy_beats_random_in_nineteen_of_twenty_duels() -> None:
    lost = []
    for seed in range(20):
        game = marchland.new("colorfight", 2, seed=seed)
        greedy = seed % 2
        bots = {greedy: game.bots["greedy"](seed=seed), 1 - greedy: game.bots["random"](seed=seed)}
        while game.outcome is None:
            game.step({seat: bot.play(game.observe(seat)) for seat, bot in bots.items()})
        if game.outcome.winners != [greedy]:
            lost.append(seed)
    assert len(lost) <= 1


def test_greedy_minds_the_settings() -> None:
    game = marchland.new("colorfight", 2, seed=0, config={"well_gold": 500, "mine_gold": 500, "home_defence": 5000})
    bots = [game.bots["greedy"]() for _ in range(2)]
    for _ in range(150):
        report = game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
        reasons = {result.reason for listed in report.results.values() for result in listed}
        assert "NOT_ENOUGH_GOLD" not in reasons


def test_idle_gives_no_orders() -> None:
    game = marchland.new("colorfight", 2, seed=0)
    assert game.bots["idle"]().play(game.observe(0)) == []


def test_greedys_orders_are_accepted() -> None:
    game = marchland.new("colorfight", 4, seed=0)
    bots = [game.bots["greedy"]() for _ in range(4)]
    given = refused = 0
    for _ in range(100):
        report = game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
        results = [result for listed in report.results.values() for result in listed]
        given += len(results)
        refused += sum(not result.ok for result in results)
    assert given > 1000
    assert refused < given // 100
