"""Ruling 16: the public competition's later rules, as values of the same engine."""

from typing import Any

import marchland
from marchland.core.orders import Packed
from marchland.games.hive.game import Hive
from marchland.games.hive.rules.config import HiveConfig
from tests.games.hive.builders import at, entity, give, kind_at, left, match, order, purse, why_over, winners

LATER: dict[str, Any] = {"edition": "2025"}
LONG = {**LATER, "stalemate_turns": 1_000_000, "max_turn": 1_000_000, "end_without_flowers": False}


def test_its_prices_and_fields() -> None:
    config = HiveConfig.build({"edition": "2025"})
    assert (config.bee_cost, config.hive_cost, config.wall_cost, config.field_flowers) == (6, 12, 1, 8)
    assert marchland.new("hive", 2, rules="2025").config == config


def test_there_are_no_hit_points() -> None:
    assert all("hp" not in one for one in match("B0  H0  W0  B1", **LATER).view()["entities"])


def test_a_bee_carries_one_flower_and_delivers_it_next_to_its_own_hive() -> None:
    game = match("H0  .   F   B0  B1", **LATER)
    give(game, order("move", 1, "W"))
    assert give(game, order("forage", 1)) == ["OK"]
    bee = entity(game, 1)
    assert bee is not None
    assert (bee["carries"], left(game, 0, 4), purse(game)) == (1, 7, 0)
    assert give(game, order("forage", 1)) == ["CANNOT_FORAGE"]  # it can carry no more
    give(game, order("move", 1, "W"))
    assert give(game, order("forage", 1)) == ["OK"]
    assert purse(game) == 1
    assert "carries" not in (entity(game, 1) or {})


def test_anothers_hive_takes_no_flowers() -> None:
    game = match("H1  F   B0  B1", **LATER)
    give(game, order("move", 1, "W"))
    give(game, order("forage", 1))
    assert give(game, order("forage", 1)) == ["CANNOT_FORAGE"]


def test_a_wall_falls_with_one_chance_in_six() -> None:
    game = match("B0  .   B1  H1", (10_000, 0), **LONG)
    build = game.pack_orders({0: [order("build_wall", 0, "E")]})[0]
    strike = game.pack_orders({0: [order("attack", 0, "E")]})[0]
    fell = 0
    for _ in range(3000):
        game.step(Packed((strike if kind_at(game, 0, 2) else build).table.copy()))
        fell += kind_at(game, 0, 2) is None
    attacks = 3000 - fell - 1
    assert abs(fell / attacks - 1 / 6) < 0.03


def test_a_bee_is_stunned_with_one_chance_in_two_and_loses_its_action() -> None:
    game = match("B0  B1  .", **LONG)
    orders = game.pack_orders({0: [order("attack", 0, "E")], 1: [order("forage", 99), order("build_hive", 1)]})[0]
    reasons = []
    for _ in range(2000):
        report = game.step(Packed(orders.table.copy()))
        reasons.append(report.results[1][1].reason)
    assert set(reasons) == {"UNIT_STUNNED", "NOT_ENOUGH_RESOURCES"}
    assert abs(reasons.count("UNIT_STUNNED") / 2000 - 0.5) < 0.05
    assert at(game, 0, 2) is not None


def test_a_bee_that_has_acted_is_not_stunned() -> None:
    game = match("B0  B1  .", **LONG)
    for _ in range(50):
        report = game.step({0: [order("forage", 99), order("attack", 0, "E")], 1: [order("build_hive", 1)] * 3})
        assert report.results[1][2].reason == "UNIT_ALREADY_ACTED"
        assert [event["event"] for event in report.events] == ["attacked"]


def test_an_attack_on_a_hive_is_ok_and_has_no_effect() -> None:
    game = match("B0  H1", **LONG)
    for _ in range(20):
        before = game.view()["entities"]
        assert give(game, order("attack", 0, "E")) == ["OK"]
        assert game.view()["entities"] == before


def test_influence_and_last_standing_win_nothing() -> None:
    config = HiveConfig.build({"edition": "2025"})
    assert not config.influence_wins
    assert not config.last_standing
    game = match("H0  F", (0, 0), **LATER)
    game.step()
    assert game.outcome is None


def test_it_ends_when_no_flowers_are_left_or_carried() -> None:
    game = match("H0  B0  F   B1", **LATER, field_flowers=1)
    give(game, order("move", 1, "E"))
    give(game, order("forage", 1))
    give(game, order("move", 1, "W"))
    assert not why_over(game)  # one is still carried
    give(game, order("forage", 1))
    assert (why_over(game), winners(game)) == ("No flowers are left.", [0])


def test_a_flower_is_lost_with_a_bee_that_turns_into_a_hive() -> None:
    game = match("F   B0  B1", (12, 0), **LATER, field_flowers=1)
    give(game, order("move", 0, "W"))
    give(game, order("forage", 0))
    give(game, order("build_hive", 0))
    assert purse(game) == 0
    assert game.outcome is not None


def test_it_ends_after_50_turns_without_delivery() -> None:
    game = match("H0  .   .   F   B0  B1", (600, 0), **LATER)
    give(game, order("move", 1, "W"))
    for turn in range(49):
        assert game.outcome is None
        give(game, order("forage" if turn == 0 else "move", 1, "" if turn == 0 else "SE"), order("spawn", 0, "E"))
    assert game.outcome is not None


def test_most_flowers_win_and_ties_are_shared() -> None:
    for flowers, expected in (((3, 4), [1]), ((4, 4), [0, 1])):
        game = match("H0  B0  B0  F   B1", flowers, **LATER, stalemate_turns=1)
        game.step()
        assert winners(game) == expected


def test_the_legend_ranks_players_by_flowers_where_flowers_decide() -> None:
    assert Hive.new(2, map="tiny", rules="2025").legend().unranked_figures == ["influence"]
    assert Hive.new(2, map="tiny").legend().unranked_figures == []
