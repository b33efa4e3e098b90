"""The bots that come with the game."""

import statistics
from typing import Any

import numpy as np
import pytest

import marchland
from marchland.core.state import NO_PLAYER
from marchland.games.datspulse.game import Datspulse
from marchland.games.datspulse.observations import observation_from_view
from marchland.games.datspulse.rules.state import Ants, Cells
from marchland.games.datspulse.views import look_around


def calories(seed: int) -> tuple[int, int]:
    """What greedy and random make of a match against each other, seats alternating."""
    game = marchland.new("datspulse", 2, seed=seed)
    assert isinstance(game, Datspulse)
    greedy = seed % 2
    bots = {greedy: game.bots["greedy"](seed=seed), 1 - greedy: game.bots["random"](seed=seed)}
    while game.outcome is None:
        game.step({seat: bot.play(game.observe(seat)) for seat, bot in bots.items()})
    return game.score(greedy), game.score(1 - greedy)


def test_greedy_makes_ten_times_the_calories_of_random() -> None:
    pairs = [calories(seed) for seed in range(4)]
    assert statistics.median(greedy / max(other, 1) for greedy, other in pairs) >= 10


def test_idle_gives_no_orders() -> None:
    game = marchland.new("datspulse", 1, seed=0)
    assert game.bots["idle"]().play(game.observe(0)) == []


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_orders_are_accepted_and_the_spot_is_left(name: str) -> None:
    game = marchland.new("datspulse", 3, seed=6)
    bots = [game.bots[name](seed=seat) for seat in range(3)]
    given = refused = skipped = 0
    for _ in range(100):
        report = game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
        results = [result for listed in report.results.values() for result in listed]
        given += len(results)
        refused += sum(not result.ok for result in results)
        skipped += sum(event["event"] == "not_spawned" for event in report.events)
    assert given > 1000
    assert refused == 0
    assert name != "greedy" or skipped < 60


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_a_view_leads_to_the_same_orders_as_an_observation(name: str) -> None:
    game = marchland.new("datspulse", 2, seed=3)
    seeing, reading = game.bots[name](seed=1), game.bots[name](seed=1)
    for _ in range(25):
        orders = seeing.play(game.observe(0))
        assert reading.play(game.view(0)) == orders
        game.step({0: orders})


def test_an_observation_and_a_view_hold_the_same() -> None:
    game = marchland.new("datspulse", 2, seed=8)
    bots = [game.bots["greedy"](seed=seat) for seat in range(2)]
    for _ in range(60):
        game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
        for seat in range(2):
            seen, read = game.observe(seat), observation_from_view(game.view(seat))
            assert set(seen) == set(read)
            assert all(np.array_equal(seen[name], read[name]) for name in seen)


def test_nothing_hidden_is_in_view_observation_scene_or_menu() -> None:
    game = marchland.new("datspulse", 3, seed=2, config={"radius": 14})
    assert isinstance(game, Datspulse)
    bots = [game.bots["greedy"](seed=seat) for seat in range(3)]
    for _ in range(50):
        game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
    hidden = look_around(game, 0).seen == 0
    other = game.copy()
    cells: Cells = other.arrays(Cells)
    ants: Ants = other.arrays(Ants)
    plain = hidden & (cells.nest == NO_PLAYER)
    cells.terrain[plain], cells.food[plain], cells.amount[plain] = 5, 2, 50
    foreign = (ants.id > 0) & (ants.team != 0) & hidden[ants.cell]
    ants.health[foreign] = 1
    assert foreign.any()

    def known(match: Datspulse) -> list[Any]:
        menus = [match.legal(0)]
        assert isinstance(menus[0], dict)
        menus += [match.legal(0, {"do": "move", "ant": one["id"]}) for one in match.view(0)["ants"] if one["health"]]
        seen = {name: array.tolist() for name, array in match.observe(0).items()}
        return [match.view(0), seen, match.scene(0), menus]

    assert known(other) == known(game)
    assert known(other)[2] != other.scene()


def test_greedy_notices_another_match() -> None:
    bot = marchland.find("datspulse").bots["greedy"]()
    for seed in (1, 2):
        game = marchland.new("datspulse", 2, seed=seed)
        for _ in range(5):
            report = game.step({0: bot.play(game.observe(0))})
            assert all(result.ok for result in report.results.get(0, []))
