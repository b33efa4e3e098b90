"""Seed: "Resources", "Raid", "Creation of units"; rulings 3, 4, 11 to 13, 15."""

import numpy as np
import pytest

import marchland
from marchland.games.datspulse.rules.events import NOT_SPAWNED, SPAWNED
from marchland.games.datspulse.rules.state import ANTHILL, NOTHING, PILES, ROCK, Cells
from tests.games.datspulse.builders import (
    ant,
    at,
    balance,
    cargo,
    events,
    kinds,
    listed,
    living,
    match,
    move,
    nectar,
    pile,
)
from tests.support.datspulse_harvest import collected_by_half


def test_an_ant_collects_in_the_same_transition_in_which_it_arrives() -> None:
    game = match([ant(0, "worker", (0, 0))], food=[((2, 0), "bread", 11)])
    game.step({0: [move(1, (1, 0), (2, 0))]})
    assert (cargo(game, 1), pile(game, (2, 0))) == (("bread", 8), ("bread", 3))


def test_passing_over_food_collects_nothing() -> None:
    game = match([ant(0, "worker", (0, 0))], food=[((1, 0), "bread", 11)])
    game.step({0: [move(1, (1, 0), (2, 0))]})
    assert (cargo(game, 1), pile(game, (1, 0))) == (("nothing", 0), ("bread", 11))


def test_an_ant_carries_one_kind_of_food_only() -> None:
    loaded = {"food": "apple", "amount": 3}
    game = match([ant(0, "worker", (0, 0), **loaded)], food=[((0, 0), "bread", 4)])
    game.step()
    assert cargo(game, 1) == ("apple", 3)
    same = match([ant(0, "worker", (0, 0), **loaded)], food=[((0, 0), "apple", 4)])
    same.step()
    assert (cargo(same, 1), pile(same, (0, 0))) == (("apple", 7), ("nothing", 0))


def test_where_a_way_is_cut_short_the_ant_still_collects() -> None:
    game = match([ant(0, "worker", (0, 0))], food=[((1, 0), "apple", 2)], land={(2, 0): "#"})
    game.step({0: [move(1, (1, 0), (2, 0))]})
    assert cargo(game, 1) == ("apple", 2)


def test_where_a_way_is_cut_short_the_ant_still_delivers() -> None:
    game = match([ant(0, "worker", (-7, 0), food="bread", amount=3), ant(0, "worker", (-9, 0))])
    game.step({0: [move(1, (-8, 0), (-9, 0))]})
    assert (at(game, 1), cargo(game, 1), game.score(0)) == ((-8, 0), ("nothing", 0), 60)


def test_each_ant_is_done_before_the_next_begins() -> None:
    game = match([ant(0, "worker", (0, 0)), ant(0, "soldier", (2, 0))], food=[((1, 0), "bread", 9)])
    game.step({0: [move(1, (1, 0)), move(2, (1, 0))]})
    assert (cargo(game, 1), cargo(game, 2)) == (("bread", 8), ("bread", 1))


def test_nectar_on_the_ground_counts_for_no_team_until_it_is_delivered() -> None:
    game = match([ant(0, "worker", (-7, 0))], food=[((-7, 0), "nectar", 3)])
    game.step()
    assert (cargo(game, 1), game.scores()) == (("nectar", 3), [0, 0])
    game.step({0: [move(1, (-8, -1))]})
    assert (nectar(game, 0), game.scores()) == ([0, 3, 0], [180, 0])


@pytest.mark.parametrize("hex_", [(-8, 0), (-8, -1), (-9, -1)])
def test_any_hex_of_the_own_nest_takes_everything_at_once(hex_: tuple[int, int]) -> None:
    game = match([ant(0, "soldier", hex_, food="bread", amount=2)])
    report = game.step()
    assert (game.score(0), cargo(game, 1)) == (40, ("nothing", 0))
    assert events(report, "delivered")[0]["calories"] == 40


def test_each_full_sixty_becomes_a_nectar_on_the_hex_of_that_delivery() -> None:
    game = match(
        [ant(0, "worker", (-8, -1), food="bread", amount=8), ant(0, "soldier", (-9, -1), food="apple", amount=2)]
    )
    game.step()
    assert nectar(game, 0) == [0, 2, 1]  # 160 = 2 * 60 + 40, and 20 more fill the third on the other hex
    assert game.score(0) == 180


def test_delivered_nectar_counts_sixty_each_and_leaves_the_remainder() -> None:
    game = match(
        [ant(0, "worker", (-8, 0), food="nectar", amount=3), ant(0, "scout", (-8, -1), food="apple", amount=1)]
    )
    game.step()
    assert (nectar(game, 0), game.score(0)) == ([3, 0, 0], 190)


def test_own_stored_nectar_cannot_be_picked_up() -> None:
    game = match([ant(0, "worker", (-8, 0))], nectar={0: (5, 0, 0)})
    game.step()
    assert (cargo(game, 1), nectar(game, 0)) == (("nothing", 0), [5, 0, 0])


def test_a_raid_takes_from_one_random_hex_that_holds_nectar() -> None:
    taken_from = set()
    for key in range(40):
        game = match([ant(0, "worker", (7, 0))], nectar={1: (5, 0, 11)}, key=f"{key:x}")
        before = game.score(1)
        game.step()
        kind, amount = cargo(game, 1)
        assert kind == "nectar"
        assert game.score(1) == before - 60 * amount
        taken_from.add((amount, tuple(nectar(game, 1))))
    assert taken_from == {(5, (0, 0, 11)), (8, (5, 0, 3))}


@pytest.mark.parametrize(("place", "stolen"), [((7, 0), ("nectar", 5)), ((6, 0), ("nothing", 0))])
def test_a_raid_takes_only_from_a_nest_that_the_ant_touches(place: tuple[int, int], stolen: tuple[str, int]) -> None:
    game = match([ant(0, "worker", place)], nectar={1: (5, 0, 0)})
    game.step()
    assert cargo(game, 1) == stolen


def test_an_ant_raids_where_its_move_ends() -> None:
    game = match([ant(0, "worker", (6, 0)), ant(0, "scout", (7, 0))], nectar={1: (9, 0, 0)})
    game.step({0: [move(1, (7, 0)), move(2, (6, 0))]})
    assert (cargo(game, 1), cargo(game, 2)) == (("nectar", 8), ("nothing", 0))


def test_of_several_nests_a_random_one_that_has_nectar_is_raided() -> None:
    robbed = set()
    for key in range(40):
        game = match(
            [ant(0, "worker", (4, 0))],
            spots=[(-8, 0), (3, 0), (5, 1), (9, 6)],
            nectar={1: (2, 0, 0), 2: (3, 0, 0)},
            key=f"{key:x}",
            nest_damage=0,
        )
        game.step()
        robbed.add(cargo(game, 1))
    assert robbed == {("nectar", 2), ("nectar", 3)}


def test_an_ant_with_other_food_or_no_room_does_not_raid() -> None:
    for food, amount in (("bread", 1), ("nectar", 8)):
        game = match([ant(0, "worker", (7, 0), food=food, amount=amount)], nectar={1: (5, 0, 0)})
        game.step()
        assert (cargo(game, 1), nectar(game, 1)) == ((food, amount), [5, 0, 0])


def test_a_raid_comes_first_and_excludes_collecting() -> None:
    game = match([ant(0, "worker", (7, 0))], nectar={1: (2, 0, 0)}, food=[((7, 0), "nectar", 4)])
    game.step()
    assert (cargo(game, 1), pile(game, (7, 0))) == (("nectar", 2), ("nectar", 4))
    game.step()
    assert cargo(game, 1) == ("nectar", 6)


def test_the_balance_of_calories_holds_after_raids_and_deaths_of_carriers() -> None:
    game = marchland.new("datspulse", 4, seed=3, config={"radius": 14})
    bots = [game.bots[name](seed=seat) for seat, name in enumerate(("greedy", "greedy", "random", "greedy"))]
    raids = deaths = 0
    for _ in range(200):
        report = game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
        raids += len(events(report, "raided"))
        deaths += len(events(report, "dropped")) + len(events(report, "lost"))
        assert balance(game) == 0  # type: ignore[arg-type]
    assert raids > 5
    assert deaths > 5


# ---------------------------------------------------------------- creation


def test_turn_1_shows_one_scout_and_the_first_roll() -> None:
    first = set()
    for seed in range(60):
        game = marchland.new("datspulse", 1, seed=seed)
        assert game.turn == 1
        first.add(tuple(sorted(kinds(game, 0), key="scout worker soldier".index)))  # type: ignore[arg-type]
    assert first == {("scout",), ("scout", "worker"), ("scout", "soldier")}


def test_every_turn_an_ant_appears_on_the_main_hex_of_each_nest() -> None:
    game = match()
    report = game.step()
    assert [(event["team"], event["at"]) for event in events(report, "spawned")] == [(0, [-8, 0]), (1, [8, 0])]
    assert [living(game, team) for team in (0, 1)] == [1, 1]


def test_a_spawn_is_skipped_where_an_ant_of_that_type_stands_on_the_spot() -> None:
    game = match([ant(0, "worker", (-8, 0)), ant(0, "soldier", (-8, 0))], spawn=(1, 0, 0))
    report = game.step()
    assert living(game, 0) == 2
    assert [event["why"] for event in events(report, "not_spawned")] == ["no room"]
    game.step({0: [move(1, (-7, 0))]})
    assert living(game, 0) == 3
    assert at(game, listed(game)[2]) == (-8, 0)


def test_there_are_at_most_a_hundred_ants() -> None:
    game = match([ant(0, "worker", (q, r)) for q in range(-6, 4) for r in range(-5, 5)])
    report = game.step()
    assert living(game, 0) == 100
    assert {event["why"] for event in events(report, "not_spawned")} == {"limit"}


def test_spawn_rolls_are_sixty_thirty_ten() -> None:
    game = marchland.new("datspulse", 50, seed=2, config={"ant_limit": 1, "max_turn": 10_000, "growth_percent": 0})
    rolled = np.zeros(3, np.int64)
    while rolled.sum() < 100_000:
        rows = game.step().event_rows
        rolled += np.bincount(rows[rows[:, 0] == SPAWNED, 3], minlength=3)
        rolled += np.bincount(rows[rows[:, 0] == NOT_SPAWNED, 2], minlength=3)
    assert np.abs(rolled / rolled.sum() - (0.6, 0.3, 0.1)).max() < 0.01


# ---------------------------------------------------------------- growth


def test_new_ants_come_before_new_food() -> None:
    report = match(growth_percent=100).step()
    assert [event["event"] for event in report.events] == ["spawned", "spawned", "grew", "grew"]


def test_food_appears_with_the_chance_that_is_set_on_random_hexes() -> None:
    game = match(growth_percent=50, piles_per_team=400)
    grown = [tuple(event["at"]) for _ in range(100) for event in events(game.step(), "grew")]
    assert 70 < len(grown) < 130  # of 200 rolls
    assert len(set(grown)) == len(grown)
    assert {(q > 0, r > 0) for q, r in grown} == {(False, False), (False, True), (True, False), (True, True)}


def test_food_grows_on_free_passable_hexes_while_there_are_few_piles() -> None:
    game = match(growth_percent=100, piles_per_team=3)
    grown = [event for _ in range(10) for event in events(game.step(), "grew")]
    assert len(grown) == 6
    assert game.head[PILES] == 6
    assert all(1 <= event["amount"] <= 15 and event["food"] in ("apple", "bread") for event in grown)


def test_food_grows_under_no_ant_and_on_no_rock_nest_or_pile() -> None:
    game = marchland.new("datspulse", 3, seed=4, config={"growth_percent": 100, "piles_per_team": 400, "radius": 12})
    cells: Cells = game.arrays(Cells)
    for _ in range(120):
        before = cells.amount.copy()
        report = game.step()
        cells = game.arrays(Cells)
        for event in events(report, "grew"):
            cell = game.board.index(*event["at"])
            assert before[cell] == 0
            assert cells.terrain[cell] not in (ROCK, ANTHILL)
            assert cells.first[cell] == 0


def test_three_turns_in_ten_bring_a_pile_for_each_team() -> None:
    settings = {"food_percent": 0, "max_turn": 1000, "ant_limit": 1, "piles_per_team": 1000}
    game = marchland.new("datspulse", 20, seed=1, config=settings)
    grown = sum(len(events(game.step(), "grew")) for _ in range(200))
    assert 1100 < grown < 1300


def test_the_second_half_of_a_round_brings_a_third_of_the_calories_of_the_first() -> None:
    """One seed; tests/acceptance/food.py plays twenty."""
    first, second = collected_by_half(teams=4, seed=0)
    assert 3 * second >= first > 0


def test_food_at_the_start_lies_on_a_tenth_of_the_open_land() -> None:
    for generator in ("lattice", "jitter", "biomes"):
        game = marchland.new("datspulse", 8, seed=5, map=generator)
        cells: Cells = game.arrays(Cells)
        open_land = (cells.terrain != ROCK) & (cells.terrain != ANTHILL)
        piles = cells.food[open_land] != NOTHING
        assert 0.095 < piles.mean() < 0.11
        assert not cells.food[~open_land].any()
        amounts = cells.amount[cells.amount > 0]
        assert (amounts.min(), amounts.max()) == (1, 15)
        assert 0.4 < (cells.food[cells.food > 0] == 1).mean() < 0.6
