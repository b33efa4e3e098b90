"""The greedy player: strength, speed, symmetry, and its verbs on small maps."""

import statistics
import time
from typing import Any

import numpy as np
import pytest

import marchland
from marchland.games.hive.bots.greedy import GreedyPlanner
from marchland.games.hive.game import Hive
from marchland.games.hive.rules.orders import DIRECTIONS
from tests.games.hive.builders import match, order
from tests.support.duels import duel

EDITION_2025: dict[str, Any] = {"edition": "2025"}


def ask(game: Hive, seat: int = 0) -> list[dict[str, Any]]:
    orders: list[dict[str, Any]] = Hive.bots["greedy"]().play(game.observe(seat))
    return orders


# ---------------------------------------------------------------- strength and speed


@pytest.mark.parametrize("rival", ["hive_greedy", "hive_pack_hunter"])
def test_greedy_beats_its_predecessor_and_the_pack_hunter(rival: str) -> None:
    figures = duel("hive", rival, range(3))
    assert figures["wins"] >= 5
    assert figures["turns_most"] < 120


def test_greedy_beats_its_predecessor_in_the_edition_of_2025() -> None:
    assert duel("hive", "hive_greedy", range(1), map="tiny", config=EDITION_2025)["wins"] == 2


def test_normal_is_between_random_and_greedy() -> None:
    assert duel("hive", "random", range(3), bot="normal")["wins"] >= 5
    assert duel("hive", "normal", range(3))["wins"] >= 5


def test_greedy_answers_within_two_milliseconds() -> None:
    game = Hive.new(2, seed=0)
    bots = [game.bots["greedy"](seed=seat) for seat in range(2)]
    milliseconds = []
    while game.outcome is None:
        orders = {}
        for seat, bot in enumerate(bots):
            observation = game.observe(seat)
            began = time.process_time()
            orders[seat] = bot.play(observation)
            milliseconds.append(1e3 * (time.process_time() - began))
        game.step(orders)
    assert statistics.mean(milliseconds) <= 2
    assert statistics.quantiles(milliseconds, n=20)[-1] <= 2


@pytest.mark.parametrize("edition", ["seed", "2025"])
def test_greedys_orders_are_mostly_accepted(edition: str) -> None:
    game = Hive.new(2, seed=1, rules=edition)
    bots = [game.bots["greedy"](seed=seat) for seat in range(2)]
    given = refused = 0
    while game.outcome is None and game.turn < 150:
        report = game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
        results = [result for listed in report.results.values() for result in listed]
        given += len(results)
        refused += sum(not result.ok for result in results)
    assert given > 300
    assert refused < given // 20


# ---------------------------------------------------------------- symmetry


@pytest.mark.parametrize("edition", ["seed", "2025"])
def test_the_plans_of_both_seats_are_the_same_turned_by_half_a_circle(edition: str) -> None:
    game = Hive.new(2, seed=0, map="balanced", rules=edition)
    planners = [GreedyPlanner(game.observe(seat)) for seat in range(2)]
    random = np.random.default_rng(0)
    last_row, last_column = game.board.coords.min(axis=0) + game.board.coords.max(axis=0)
    for _ in range(30):
        noise = random.random(game.board.size)
        at = {entity["id"]: entity["at"] for entity in game.view()["entities"]}
        plans = [planners[seat].orders(game.observe(seat), noise[:: 1 - 2 * seat]) for seat in range(2)]
        described = [[describe(order, at) for order in plan] for plan in plans]
        turned = [
            (verb, (last_row - row, last_column - column), turn_back(way)) for verb, (row, column), way in described[1]
        ]
        assert described[0] == turned
        game.step(dict(enumerate(plans)))


def describe(order: dict[str, Any], at: dict[int, list[int]]) -> tuple[str, tuple[int, int], int | None]:
    """Verb, cell and direction of an order."""
    unit = order["unit"]
    row, column = unit if isinstance(unit, list) else at[unit]
    return order["do"], (row, column), DIRECTIONS.index(order["dir"]) if "dir" in order else None


def turn_back(way: int | None) -> int | None:
    return None if way is None else (way + 3) % len(DIRECTIONS)


# ---------------------------------------------------------------- fights


def test_bees_strike_together_what_they_can_kill() -> None:
    game = match(
        """
.   B1  .
  B0  B0
.   .   B1
"""
    )
    strikes = [given for given in ask(game) if given["do"] == "attack"]
    assert sorted((given["unit"], given["dir"]) for given in strikes) == [(1, "NE"), (2, "NW")]


def test_a_bee_that_is_outnumbered_steps_back() -> None:
    game = match(
        """
.   .   .   B1  .
  .   .   B0  B1
.   .   .   B1  .
"""
    )
    assert ask(game) == [order("move", 1, "W")]


def test_a_besieged_hive_is_walled_in() -> None:
    game = match(
        """
.   .   .   .
  B0  .   B1
.   H0  .   B1
  .   .   .
""",
        (6, 0),
    )
    assert order("build_wall", 0, "E") in ask(game)


def test_games_of_three_by_the_seeds_rules_see_every_verb() -> None:
    accepted: set[str] = set()
    for seed in range(10):
        game = Hive.new(3, seed=seed, map="tiny")
        bots = [game.bots["greedy"](seed=10 * seed + seat) for seat in range(3)]
        while game.outcome is None:
            report = game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
            accepted |= {one.order["do"] for results in report.results.values() for one in results if one.ok}
    assert accepted == {"move", "attack", "build_wall", "spawn", "build_hive", "forage"}


def test_a_new_bee_acts_in_the_turn_in_which_it_is_created() -> None:
    game = match("H0  .   .   F   .   .   .   .   H1", (12, 0))
    assert ask(game) == [order("spawn", 0, "E"), order("move", (0, 2), "E")]


def test_greedy_breaks_through_a_wall_on_its_only_way() -> None:
    game = match("H0  B0  W1  F   .   .   .   .   H1")
    assert ask(game) == [order("attack", 1, "E")]


def test_greedy_destroys_an_idle_player_where_only_the_last_one_wins() -> None:
    game = Hive.new(2, seed=0, map="tiny", config={"influence_wins": False})
    bot = Hive.bots["greedy"](seed=0)
    while game.outcome is None and game.turn < 400:
        game.step({0: bot.play(game.observe(0))})
    assert game.outcome is not None
    assert game.outcome.reason == "Only player 0 is left."
    assert game.outcome.winners == [0]


# ---------------------------------------------------------------- the edition of 2025


def test_in_2025_a_hive_is_founded_where_it_saves_long_ways() -> None:
    game = Hive.new(2, seed=0, rules="2025", map="pure")
    bots = [game.bots["greedy"](seed=seat) for seat in range(2)]
    while game.outcome is None and game.turn < 300:
        game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
    assert max(player["hives"] for player in game.view()["players"]) > 1


def test_in_2025_a_bee_without_work_stuns_a_loaded_enemy() -> None:
    game = match("H0  .   B0  B1  .   H1", edition="2025")
    game = loaded(game, 2)
    assert ask(game) == [order("attack", 1, "E")]


def test_in_2025_a_bee_without_work_walls_the_door_of_a_loaded_enemys_hive() -> None:
    game = match(
        """
.   B0  .   B1
  H1  .   .
.   .   .   .
""",
        (1, 0),
        edition="2025",
    )
    assert order("build_wall", 0, "SE") in ask(loaded(game, 1))


def loaded(game: Hive, bee: int) -> Hive:
    """The match with a flower on that bee."""
    position = game.position()
    next(entity for entity in position["entities"] if entity["id"] == bee)["carries"] = 1
    again = marchland.from_position(position)
    assert isinstance(again, Hive)
    return again
