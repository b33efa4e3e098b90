"""What holds whatever players do."""

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from marchland.conformance.playing import pick_orders
from marchland.games.boidvoid.game import BoidVoid
from marchland.games.boidvoid.rules.constants import (
    ALONE,
    GONE,
    HUNDREDTHS,
    IN_SWARM,
    SHIP,
    STATS,
    SUPERSTRUCTURE,
    SWARM,
    UNITS,
    WAITING,
)
from marchland.games.boidvoid.rules.state import Cells, Players, Sheets, Units
from tests.games.boidvoid.builders import act, position


def check(game: BoidVoid) -> None:
    units: Units = game.arrays(Units)
    cells: Cells = game.arrays(Cells)
    sheets = game.arrays(Sheets).stat.reshape(-1, STATS)
    standing: dict[int, int] = {}
    for row in range(int(game.head[UNITS])):
        kind, status = int(units.kind[row]), int(units.status[row])
        if status == ALONE:
            where = cells.structure if kind == SUPERSTRUCTURE else cells.unit
            assert where[units.cell[row]] == row
            if kind != SUPERSTRUCTURE:
                assert standing.setdefault(int(units.cell[row]), row) == row
        assert 0 <= units.health[row] <= max(int(sheets[row, 2]), 1) * HUNDREDTHS
        assert 0 <= units.points[row] <= game.config.action_points_max
        if kind == SHIP:
            stake = int(game.arrays(Players).stake[row - game.ship_of(0)])
            assert 0 <= units.battery[row] <= (stake + int(sheets[row, 10])) * HUNDREDTHS
            places = [status == WAITING, status == ALONE and units.cell[row] >= 0, status == IN_SWARM]
            assert sum(places) == 1
            assert (status == IN_SWARM) == (units.swarm[row] >= 0)
            assert (status == ALONE) == (units.cell[row] >= 0)
        if kind == SWARM and status != GONE:
            members = game.members(row)
            assert members and members == sorted(members)
            assert all(units.swarm[ship] == row for ship in members)


@settings(max_examples=15)
@given(st.integers(0, 2**32), st.sampled_from(["strong", "weak", "random", "spread"]), st.booleans())
def test_values_stay_in_bounds_and_every_ship_is_in_one_place(seed: int, distribution: str, deplete: bool) -> None:
    chance = random.Random(seed)
    config = {"damage_distribution": distribution, "deplete_on_defense": deplete, "start_hulls": 1}
    game = BoidVoid.new(5, seed=seed, map="duel", config=config)
    for _ in range(12):
        game.step({player: pick_orders(game, player, chance, most=6) for player in range(5)})
        check(game)


@settings(max_examples=20)
@given(st.permutations([0, 1, 2, 3, 4, 5]))
def test_the_order_of_actions_that_touch_different_tiles_does_not_matter(order: list[int]) -> None:
    units = [{"id": seat, "at": [seat, 2 if seat % 2 else 0], "action_points": 9} for seat in range(6)]
    actions: list[dict[str, Any]] = [
        {"do": "move", "unit": 0, "to": [0, 1]},
        {"do": "create_swarm", "unit": 1, "name": "s"},
        {"do": "battery", "attack": 80},
        {"do": "detonate", "unit": 3},
        {"do": "automode", "on": True},
        {"do": "move", "unit": 5, "to": [5, 3]},
    ]

    def played(seats: list[int]) -> str:
        game = position(units)
        for seat in seats:
            act(game, seat, **actions[seat])
        return game.digest()

    assert played(order) == played([0, 1, 2, 3, 4, 5])


@settings(max_examples=20)
@given(st.permutations([0, 1, 2, 3, 4, 5]), st.integers(0, 1000))
def test_battles_elsewhere_change_no_random_draw(order: list[int], key: int) -> None:
    """Each attacker has its own target, a swarm that takes damage in random order, and may score a critical hit."""
    units: list[dict[str, Any]] = [{"id": seat, "at": [1, seat]} for seat in range(6)]
    for seat in range(6):
        units.append({"id": 10_000_000 + seat, "at": [2, seat], "team": 1 - seat % 2, "name": f"s{seat}"})
        members = [other for other in range(6, 18) if other % 6 == seat]
        units += [{"id": other + (1 - 2 * (seat % 2)), "swarm": 10_000_000 + seat} for other in members]
    config = {
        "critical_limit": 100,
        "ship": (5, 10, 40, 0, 1, 0, 50, 50, 0, 0, 0, 0, 0),
        "damage_distribution": "random",
    }
    start = position(units, 18, tiles=["...."] * 6, homes=[[[0, 0]], [[3, 5]]], config=config, key=f"{key:x}")

    def played(seats: list[int]) -> str:
        game = start.copy()
        for seat in seats:
            act(game, seat, do="attack", unit=seat, target=10_000_000 + seat)
        game.step()
        return game.digest()

    assert played(order) == played([0, 1, 2, 3, 4, 5])
