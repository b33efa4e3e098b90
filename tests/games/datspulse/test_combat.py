"""Seed: "Anthill", "Unit's attack", tables 1 and 2; rulings 6 to 8, 14."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from marchland.core.dice import make_dice
from marchland.games.datspulse.rules.combat import draw_queue
from marchland.games.datspulse.rules.state import Ants
from marchland.games.datspulse.views import look_around
from tests.games.datspulse.builders import ant, at, balance, cargo, events, find, health, listed, match, move, pile


def chi_square(counts: list[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


@pytest.mark.parametrize(("rules", "left"), [("seed", [110, 110, 130]), ("upstream", [130, 110, 130])])
def test_nests_fire_at_enemies_within_two_of_their_hexes_or_of_their_spot(rules: str, left: list[int]) -> None:
    # The spot is (8, 0), the hexes above it (8, -1) and (7, -1).
    game = match(
        [ant(0, "worker", (8, -3)), ant(0, "worker", (8, 2)), ant(0, "worker", (8, 3)), ant(1, "worker", (9, 0))],
        rules=rules,
    )
    game.step()
    assert [health(game, number) for number in (1, 2, 3)] == left
    assert health(game, 4) == 130


def test_an_ant_is_hit_by_one_nest_a_turn_however_many_reach_it() -> None:
    game = match([ant(0, "worker", (4, 0))], spots=[(-8, 0), (2, 0), (6, 0)])
    report = game.step()
    assert health(game, 1) == 110
    assert len(events(report, "fired")) == 1


def test_nests_fire_before_ants_strike() -> None:
    game = match([ant(0, "soldier", (7, 2), health=20), ant(1, "worker", (7, 3))])
    game.step()
    assert (health(game, 1), health(game, 2)) == (0, 130)


@pytest.mark.parametrize(
    ("kind", "near_nest", "supported", "damage"),
    [
        ("soldier", False, False, 70),
        ("soldier", True, False, 87),
        ("worker", False, True, 45),
        ("scout", True, False, 25),
        ("soldier", False, True, 105),
        ("soldier", True, True, 122),
        ("scout", True, True, 35),
        ("worker", True, True, 52),
    ],
)
def test_damage_by_kind_support_and_nest(kind: str, near_nest: bool, supported: bool, damage: int) -> None:
    spot = (-2, 0) if near_nest else (-8, 0)
    helper = [ant(0, "soldier", (0, 1))] if supported else []
    game = match(
        [ant(0, kind, (0, 0)), ant(1, "soldier", (1, 0)), *helper], spots=[spot, (8, 0)], health=(900, 900, 900)
    )
    report = game.step()
    (blow,) = (event for event in events(report, "attacked") if event["ant"] == 1)
    assert blow["damage"] == damage


def test_an_ally_on_the_same_hex_gives_no_support() -> None:
    game = match([ant(0, "soldier", (0, 0)), ant(0, "worker", (0, 0)), ant(1, "soldier", (1, 0))])
    blows = {event["ant"]: event["damage"] for event in events(game.step(), "attacked")}
    assert (blows[1], blows[2]) == (70, 30)


def test_support_comes_from_one_ally_only() -> None:
    both = [ant(0, "worker", (0, 1)), ant(0, "worker", (0, -1)), ant(0, "scout", (0, 1))]
    game = match([ant(0, "soldier", (0, 0)), ant(1, "soldier", (1, 0)), *both], health=(900, 900, 900))
    blows = {event["ant"]: event["damage"] for event in events(game.step(), "attacked")}
    assert blows[1] == 105


def test_an_ally_that_nest_fire_has_killed_gives_no_support() -> None:
    # (6, 0) is within 2 of the nest at (8, 0); the attacker is not.
    game = match(
        [ant(0, "soldier", (5, 0)), ant(0, "worker", (6, 0), health=20), ant(1, "soldier", (5, -1))], rules="upstream"
    )
    blows = {event["ant"]: event["damage"] for event in events(game.step(), "attacked")}
    assert blows[1] == 70


@pytest.mark.parametrize(("attacker", "damage"), [((8, -3), 87), ((8, -4), 70)])
def test_the_nest_bonus_reaches_two_hexes_from_any_hex_of_the_own_nest(attacker: tuple[int, int], damage: int) -> None:
    # The nest's upper hexes are (8, -1) and (7, -1); the spot is (8, 0).
    target = (attacker[0], attacker[1] - 1)
    game = match([ant(1, "soldier", attacker), ant(0, "soldier", target)], nest_damage=0)
    blows = {event["ant"]: event["damage"] for event in events(game.step(), "attacked")}
    assert blows[1] == damage


def test_an_ant_on_its_own_nest_has_the_nest_bonus() -> None:
    game = match([ant(1, "soldier", (8, 0)), ant(0, "soldier", (9, 0))], nest_damage=0)
    blows = {event["ant"]: event["damage"] for event in events(game.step(), "attacked")}
    assert blows == {1: 87, 2: 70}


@pytest.mark.parametrize("helper", [(-1, 0), (2, 0)])
def test_an_ally_that_does_not_touch_both_the_attacker_and_the_target_gives_no_support(helper: tuple[int, int]) -> None:
    game = match([ant(0, "soldier", (0, 0)), ant(1, "soldier", (1, 0)), ant(0, "worker", helper)])
    blows = {event["ant"]: event["damage"] for event in events(game.step(), "attacked")}
    assert blows[1] == 70


def test_every_ant_strikes_once_and_at_one_enemy() -> None:
    game = match(
        [ant(0, "soldier", (0, 0)), ant(1, "worker", (1, 0)), ant(1, "scout", (1, 0)), ant(1, "worker", (0, 1))]
    )
    report = game.step()
    assert sorted(event["ant"] for event in events(report, "attacked")) == [1, 2, 3, 4]


def test_the_dead_do_not_strike_back() -> None:
    struck = Counter[tuple[int, int]]()
    for key in range(60):
        game = match([ant(0, "soldier", (0, 0), health=70), ant(1, "soldier", (1, 0), health=70)], key=f"{key:x}")
        game.step()
        struck[health(game, 1), health(game, 2)] += 1
    assert set(struck) == {(0, 70), (70, 0)}
    assert min(struck.values()) > 15


def test_ants_fight_from_where_they_were_shown_and_move_after() -> None:
    game = match([ant(0, "soldier", (0, 0)), ant(1, "worker", (1, 0))])
    game.step({1: [move(2, (2, 0), (3, 0))]})
    assert (health(game, 2), at(game, 2)) == (60, (3, 0))
    assert find(game, 1).enemy == 2
    assert game.board.at(find(game, 1).enemy_cell) == (1, 0)
    game.step()
    assert find(game, 1).enemy == 0


def test_targets_are_chosen_uniformly() -> None:
    """80 scouts, each between four enemies on three hexes: over 100,000 blows chi-square gives p > 0.001 (16.3)."""
    middles = [(q, r) for q in range(-18, 19, 4) for r in range(-14, 15, 4)]
    ants = [
        one
        for q, r in middles
        for one in (
            ant(0, "scout", (q, r)),
            ant(1, "worker", (q + 1, r)),
            ant(1, "scout", (q + 1, r)),
            ant(1, "soldier", (q - 1, r)),
            ant(1, "worker", (q, r + 1)),
        )
    ]
    game = match(ants, radius=40, spots=[(-36, 0), (36, 0)], attack=(0, 0, 0), ant_limit=400, max_turn=10_000)
    counts = np.zeros(4, np.int64)
    while counts.sum() < 100_000:
        game.step()
        found: Ants = game.arrays(Ants)
        scouts = (found.team == 0) & (found.enemy > 0)
        counts += np.bincount(found.enemy[scouts] - found.id[scouts], minlength=5)[1:]
    assert chi_square(counts.tolist()) < 16.3


def test_teams_strike_and_move_in_the_order_of_one_queue() -> None:
    """Each key decides a duel by the first blow, and a race for one hex by the first move: the same team wins both."""
    first = Counter[int]()
    for key in range(30):
        duel = [ant(0, "soldier", (0, 0), health=70), ant(1, "soldier", (1, 0), health=70)]
        race = [ant(0, "worker", (-1, 6)), ant(1, "worker", (1, 6))]
        game = match([*duel, *race], key=f"{key:x}")
        game.step({0: [move(3, (0, 6))], 1: [move(4, (0, 6))]})
        winner = [health(game, number) > 0 for number in (1, 2)].index(True)
        assert [at(game, number) == (0, 6) for number in (3, 4)] == [winner == 0, winner == 1]
        first[winner] += 1
    assert set(first) == {0, 1}


def test_the_queue_of_teams_is_uniform() -> None:
    """All 24 orders of four teams over 100,000 turns: chi-square gives p > 0.001 (49.7)."""
    orders = Counter[tuple[int, ...]]()
    queue = np.zeros(4, np.int32)
    for turn in range(100_000):
        draw_queue(queue, make_dice(3, 4, turn, 0))
        orders[tuple(queue.tolist())] += 1
    assert len(orders) == 24
    assert chi_square(list(orders.values())) < 49.7


@pytest.mark.parametrize(
    ("food", "land", "lies_at"),
    [
        ([], {}, (0, 0)),
        ([((0, 0), "bread", 3)], {}, (0, 0)),
        ([((0, 0), "apple", 3)], {}, None),
    ],
)
def test_a_dead_ants_cargo_drops_where_it_may_lie(food: Any, land: Any, lies_at: tuple[int, int] | None) -> None:
    game = match(
        [ant(0, "worker", (0, 0), health=1, food="bread", amount=5), ant(1, "soldier", (2, 1))],
        food=food,
        land={(0, 0): "~", **land},
    )
    report = game.step()
    (dropped,) = events(report, "dropped")
    if lies_at:
        assert dropped["at"] == list(lies_at)
        assert pile(game, lies_at) == ("bread", 5 + (3 if food else 0))
    else:
        assert game.board.distance(game.board.index(0, 0), game.board.index(*dropped["at"])) == 1
        assert pile(game, tuple(dropped["at"])) == ("bread", 5)
        assert pile(game, (0, 0)) == ("apple", 3)


RING = [(1, 0), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1)]
"""The neighbours of (0, 0)."""


def test_cargo_falls_on_no_rock_no_unit_and_no_other_food_but_adds_to_its_own_kind() -> None:
    game = match(
        [
            ant(0, "worker", (0, 0), health=1, food="bread", amount=5),
            ant(0, "soldier", RING[1]),
            ant(0, "scout", RING[2]),
        ],
        food=[((0, 0), "apple", 3), (RING[3], "nectar", 1), (RING[4], "apple", 1), (RING[5], "bread", 99)],
        land={(0, 0): "~", RING[0]: "#"},
    )
    (dropped,) = events(game.step(), "dropped")
    assert dropped["at"] == list(RING[5])
    assert pile(game, RING[5]) == ("bread", 104)


def test_the_free_neighbour_is_a_random_one() -> None:
    found = set()
    for key in range(60):
        game = match(
            [ant(0, "worker", (0, 0), health=1, food="bread", amount=5)],
            food=[((0, 0), "apple", 3)],
            land={(0, 0): "~"},
            key=f"{key:x}",
        )
        found.add(tuple(events(game.step(), "dropped")[0]["at"]))
    assert found == set(RING)


def test_cargo_of_an_ant_that_dies_on_its_nest_falls_beside_the_nest() -> None:
    game = match(
        [ant(0, "worker", (-8, 0), health=1, food="bread", amount=5), ant(1, "soldier", (-7, 0))], nest_damage=0
    )
    (dropped,) = events(game.step(), "dropped")
    at_hex = game.board.index(*dropped["at"])
    assert at_hex in game.board.neighbours(game.board.index(-8, 0))
    assert at_hex not in game.home(0)
    assert game.score(0) == 0


def test_cargo_without_a_free_hex_is_destroyed_and_the_balance_holds() -> None:
    game = match(
        [ant(0, "worker", (0, 0), health=1, food="nectar", amount=5)],
        food=[((0, 0), "apple", 3)],
        land={(0, 0): "~", **dict.fromkeys(RING, "#")},
    )
    before = balance(game)
    report = game.step()
    assert [event["amount"] for event in events(report, "lost")] == [5]
    assert balance(game) == before


def test_the_dead_are_listed_once_more_see_and_keep_their_move_but_do_nothing() -> None:
    game = match(
        [ant(0, "scout", (0, 0), health=1), ant(1, "worker", (1, 0)), ant(0, "scout", (0, 5))],
    )
    game.step({0: [move(1, (-1, 0))], 1: [move(2, (0, 0))]})
    assert (health(game, 1), at(game, 1)) == (0, (0, 0))
    assert at(game, 2) == (0, 0)  # the dead block nothing
    assert next(one for one in game.view(0)["ants"] if one["id"] == 1)["move"] == [[-1, 0]]
    seen = look_around(game, 0).seen
    assert seen[game.board.index(-4, 0)]
    game.step()
    assert 1 not in listed(game)
    assert health(game, 2) == 130
    assert not look_around(game, 0).seen[game.board.index(-4, 0)]
    assert cargo(game, 2) == ("nothing", 0)
