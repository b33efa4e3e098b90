"""Seed, "Commands": rounds, their random order, one action a unit; rulings 7 to 9 and 12."""

import pytest

from marchland.core.orders import Packed
from marchland.games.hive.game import Hive
from tests.games.hive.builders import at, entity, give, kind_at, match, order, purse, reasons

CONTEST = "B0  .   B1"
"""Both bees can move into the cell between them."""


def first_mover(game: Hive) -> int:
    """Who gets the cell between them."""
    report = game.step({0: [order("move", (0, 0), "E")], 1: [order("move", (0, 4), "W")]})
    return [reasons(report, player) for player in (0, 1)].index(["OK"])


def test_orders_of_a_round_are_executed_in_a_random_order() -> None:
    assert {first_mover(match(CONTEST, key=key)) for key in range(20)} == {0, 1}


def test_the_shuffle_gives_each_of_two_players_first_place_half_of_the_time() -> None:
    game = match("B0  W1  B1", wall_hp=1_000_000, stalemate_turns=1_000_000, max_turn=1_000_000)
    both = {0: [order("attack", 0, "E")], 1: [order("attack", 2, "W")]}
    packed = game.pack_orders(both)[0]
    turns, first = 20_000, 0
    for _ in range(turns):
        report = game.step(Packed(packed.table.copy(), packed.pool))
        first += int(report.event_rows[0, 4]) == 0  # attacked: unit, from, at, by
    assert 0.48 < first / turns < 0.52


def test_every_order_of_three_players_is_as_likely() -> None:
    drawn = "B0  W0  B1\n  B2  ."
    game = match(drawn, (0, 0, 0), wall_hp=1_000_000, stalemate_turns=1_000_000, max_turn=1_000_000)
    three = {0: [order("attack", 0, "E")], 1: [order("attack", 2, "W")], 2: [order("attack", 3, "NE")]}
    packed = game.pack_orders(three)[0]
    seen: dict[tuple[int, ...], int] = {}
    for _ in range(6_000):
        rows = game.step(Packed(packed.table.copy(), packed.pool)).event_rows
        lots = tuple(rows[:, 4].tolist())
        seen[lots] = seen.get(lots, 0) + 1
    assert len(seen) == 6
    assert all(850 < count < 1150 for count in seen.values())


def test_a_players_own_orders_run_in_the_order_submitted() -> None:
    for key in range(20):
        game = match("B0  .   .   B1", key=key)
        game.step({0: [order("move", 0, "E"), order("move", 1, "W")], 1: [order("move", 1, "W")]})
        assert kind_at(game, 0, 2) == "bee"
        assert kind_at(game, 0, 4) == "bee"


def test_all_players_finish_a_round_before_the_next_one() -> None:
    for key in range(20):
        game = match("B0  .   B1  B1", key=key)
        report = game.step({0: [order("move", 0, "E")], 1: [order("forage", 2), order("move", 1, "W")]})
        assert reasons(report, 0) == ["OK"]
        assert reasons(report, 1) == ["CANNOT_FORAGE", "BLOCKED"]


def test_a_unit_acts_once_a_turn_and_further_attempts_fail() -> None:
    game = match("B0  .   .   B1")
    assert give(game, order("move", 0, "E"), order("move", 0, "E")) == ["OK", "UNIT_ALREADY_ACTED"]
    assert kind_at(game, 0, 2) == "bee"
    assert give(game, order("move", 0, "E")) == ["OK"]  # next turn it may again


def test_a_failed_order_uses_up_the_action_too_ruling_7() -> None:
    assert give(match("R   B0  .   B1"), order("move", 0, "W"), order("move", 0, "E")) == [
        "BLOCKED",
        "UNIT_ALREADY_ACTED",
    ]


def test_a_unit_is_named_by_where_it_stands_when_the_order_is_executed_ruling_7() -> None:
    game = match("B0  .   B1")
    assert give(game, order("move", (0, 0), "E"), order("move", (0, 2), "W"), order("move", (0, 0), "E")) == [
        "OK",
        "UNIT_ALREADY_ACTED",
        "INVALID_UNIT",
    ]


def test_an_id_follows_its_unit_and_is_never_used_again() -> None:
    game = match("B0  .   H1", (0, 100), bee_hp=1)
    give(game, order("spawn", 1, "W"), player=1)
    assert entity(game, 7) is not None
    give(game, order("attack", 0, "E"))
    assert entity(game, 7) is None
    give(game, order("spawn", 1, "W"), player=1)
    spawned = at(game, 0, 2)
    assert spawned is not None
    assert spawned["id"] == 13


def test_ids_count_from_0_in_reading_order_and_then_for_each_player_in_sixes_ruling_28() -> None:
    game = match("H0  .   H1  .   H2  .   H2  .", (24, 24, 24))
    assert [one["id"] for one in game.view()["entities"]] == [0, 1, 2, 3]
    spawns = {seat: [order("spawn", seat, "E")] for seat in range(3)}
    game.step(spawns)
    assert [one["id"] for one in game.view()["entities"]] == [0, 1, 2, 3, 6, 7, 8]
    game.step({2: [order("spawn", 3, "E")]})
    newest = game.view()["entities"][-1]
    assert (newest["id"], newest["owner"]) == (14, 2)


def test_the_table_stays_in_the_order_of_ids_whichever_player_creates() -> None:
    game = match("H0  .   .   .   H1", (24, 24))
    give(game, order("spawn", 1, "W"), player=1)
    assert give(game, order("spawn", 0, "E"), order("move", 6, "E")) == ["OK", "OK"]
    assert [(one["id"], one["at"]) for one in game.view()["entities"]] == [
        (0, [0, 0]),
        (1, [0, 8]),
        (6, [0, 4]),
        (7, [0, 6]),
    ]
    assert give(game, order("attack", 7, "W"), player=1) == ["OK"]


@pytest.mark.parametrize("unit", [1, (0, 2), 99, -1, -2, (0, 8), (1, 1), (0, 1), (-4, 6), 2**53 - 1])
def test_orders_for_foreign_or_absent_units_use_up_nothing_and_say_no_more(unit: object) -> None:
    game = match("B0  B1  .")
    report = game.step({0: [order("move", unit, "E")], 1: [order("forage", 0), order("move", 1, "E")]})
    assert reasons(report, 0) == ["INVALID_UNIT"]
    assert reasons(report, 1) == ["INVALID_UNIT", "OK"]
    assert report.results[0][0].sentence.endswith("is no unit of yours that can do this.")


def test_an_order_for_a_foreign_unit_does_not_use_up_its_action() -> None:
    for key in range(20):
        game = match("B0  B1  .", key=key)
        report = game.step({0: [order("move", 1, "E")] * 4, 1: [order("move", 1, "E")]})
        assert reasons(report, 1) == ["OK"]


def test_a_spawned_bee_may_act_in_a_later_round_of_the_same_turn_ruling_9() -> None:
    game = match("H0  .   .   B1", (12, 0))
    assert give(game, order("spawn", 0, "E"), order("move", (0, 2), "E")) == ["OK", "OK"]
    assert kind_at(game, 0, 4) == "bee"


def test_a_new_hive_may_spawn_in_a_later_round_of_the_same_turn_ruling_9() -> None:
    game = match("B0  .   B1", (36, 0))
    assert give(game, order("build_hive", 0), order("spawn", (0, 0), "E")) == ["OK", "OK"]
    assert purse(game) == 0


def test_a_unit_destroyed_earlier_does_not_act_ruling_10() -> None:
    game = match("B0  B1  .", bee_hp=1)
    report = game.step({0: [order("attack", 0, "E")], 1: [order("forage", 99), order("move", 1, "E")]})
    assert reasons(report, 1) == ["INVALID_UNIT", "INVALID_UNIT"]
    assert kind_at(game, 0, 4) is None


def test_a_cell_freed_in_this_turn_can_be_entered() -> None:
    game = match("B0  B0  .   B1")
    assert give(game, order("move", 1, "E"), order("move", 0, "E")) == ["OK", "OK"]


def test_at_most_four_orders_for_each_bee_and_hive_are_read_ruling_12() -> None:
    game = match("B0  W0  .   B1  H1")
    report = game.step({0: [order("forage", 0)] * 6, 1: [order("forage", 2)] * 9})
    assert reasons(report, 0)[3:] == ["UNIT_ALREADY_ACTED", "TOO_MANY_ORDERS", "TOO_MANY_ORDERS"]
    assert reasons(report, 1)[7:] == ["UNIT_ALREADY_ACTED", "TOO_MANY_ORDERS"]
    assert "At most 4 orders" in report.results[0][5].sentence


def test_what_was_not_understood_takes_no_place_in_line() -> None:
    game = match("B0  .   B1")
    assert give(game, *[{"do": "nonsense"}] * 10, order("move", 0, "E"))[-1] == "OK"


def test_orders_of_a_player_with_nothing_left_are_refused_as_dead() -> None:
    game = match("B0  .   B1", (0, 0, 0))
    assert give(game, order("move", 0, "E"), player=2) == ["DEAD"]


def test_missing_orders_are_no_orders_ruling_12() -> None:
    game, twin = match(CONTEST), match(CONTEST)
    game.step({0: [], 1: None})  # type: ignore[dict-item]
    twin.step()
    assert game.digest() == twin.digest()


def test_more_entities_may_come_and_go_in_a_turn_than_there_are_cells() -> None:
    """A hive spawns a bee, which becomes a hive, which spawns a bee: nine entities on five cells in one turn."""
    game = match("H0  .   .   .   .", (1000,), orders_per_unit=64)
    chain = [
        step
        for cell in range(4)
        for step in (order("spawn", (0, 2 * cell), "E"), order("build_hive", (0, 2 * cell + 2)))
    ]
    assert give(game, *chain) == ["OK"] * 8
    assert [(one["id"], one["kind"], one["at"]) for one in game.view()["entities"]] == [
        (12 * cell, "hive", [0, 2 * cell]) for cell in range(5)
    ]
    assert purse(game) == 1000 - 4 * (12 + 24)


def test_equal_seeds_give_equal_matches() -> None:
    one, other = (Hive.new(2, seed=7, map="tiny") for _ in range(2))
    for _ in range(10):
        orders = {0: [order("move", 1, "E")], 1: [order("move", 2, "W")]}
        one.step(orders)
        other.step(orders)
    assert one.digest() == other.digest()
    assert Hive.new(2, seed=8, map="tiny").digest() != Hive.new(2, seed=7, map="tiny").digest()
