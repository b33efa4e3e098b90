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
from tests.games.datspulse.builders import SPOTS, ant, match
from tests.support.duels import duel, mean_answer_milliseconds


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


@pytest.mark.parametrize("rival", ["datspulse_greedy", "datspulse_nearest_nest_raider"])
def test_greedy_beats_its_predecessor_and_the_nearest_nest_raider(rival: str) -> None:
    assert duel("datspulse", rival, range(4))["wins"] >= 7


@pytest.mark.parametrize(("bot", "rival"), [("greedy", "normal"), ("normal", "random")])
def test_normal_is_between_random_and_greedy(bot: str, rival: str) -> None:
    assert duel("datspulse", rival, range(3), bot=bot)["wins"] >= 5


def test_greedy_answers_within_two_milliseconds() -> None:
    assert mean_answer_milliseconds(marchland.new("datspulse", 4, seed=0), 100) <= 2


def paths(game: Datspulse, seed: int = 0) -> dict[tuple[int, int], tuple[int, int]]:
    """Where greedy sends the ants of the first team that move, by where they stand."""
    starts = {one["id"]: tuple(one["at"]) for one in game.view(0)["ants"]}
    orders = game.bots["greedy"](seed=seed).play(game.observe(0))
    return {starts[order["ant"]]: tuple(order["path"][-1]) for order in orders}


def gates(game: Datspulse, team: int) -> list[tuple[int, int]]:
    """The hexes round a team's nest."""
    home = game.home(team)
    beside = {other for cell in home for other in game.board.neighbours(cell)} - set(home)
    return [game.board.at(cell) for cell in sorted(beside)]


def test_greedy_closes_its_nest_with_soldiers() -> None:
    game = match([ant(0, "soldier", (-9 + column, 3)) for column in range(9)])
    bot = game.bots["greedy"](seed=0)
    for _ in range(6):
        game.step({0: bot.play(game.observe(0))})
    standing = {tuple(one["at"]) for one in game.view(0)["ants"] if one["type"] == "soldier"}
    assert standing == set(gates(game, 0))


def test_a_soldier_inside_a_full_wall_takes_the_post_of_another_that_leaves() -> None:
    wall = gates(match(), 0)
    game = match([ant(0, "soldier", at) for at in [*wall, (-8, 0)]])
    bot = game.bots["greedy"](seed=0)
    for _ in range(2):
        game.step({0: bot.play(game.observe(0))})
    standing = [tuple(one["at"]) for one in game.view(0)["ants"] if one["type"] == "soldier"]
    assert len(set(standing) & set(wall)) == len(wall) == 9
    assert (-8, 0) not in standing


def test_soldiers_close_the_far_side_of_the_nest_as_early_as_that_of_the_spot() -> None:
    game = match([ant(0, "soldier", (-8, 0))])
    assert {paths(game, seed)[-8, 0] for seed in range(100)} == set(gates(game, 0))


def test_greedy_fetches_what_brings_more_calories_a_turn() -> None:
    game = match(
        [ant(0, "worker", (-3, 0)), ant(0, "scout", (-4, 3))], food=[((-2, 0), "apple", 8), ((-3, -1), "bread", 8)]
    )
    assert paths(game)[(-3, 0)] == (-3, -1)


def test_a_loaded_ant_delivers_and_one_that_cannot_come_home_in_time_does_not_set_out_for_food() -> None:
    loaded = ant(0, "worker", (-4, 0), food="bread", amount=8)
    near_the_end = match([loaded, ant(0, "worker", (0, 4))], food=[((1, 4), "bread", 8)], max_turn=2)
    moved = paths(near_the_end)
    assert moved[(-4, 0)] in {(-8, 0), (-8, -1), (-9, -1)}
    assert moved[(0, 4)] != (1, 4)


@pytest.mark.parametrize(("guards", "raids"), [(0, True), (3, False)])
def test_greedy_raids_an_open_nest_and_leaves_a_guarded_one(guards: int, raids: bool) -> None:
    soldiers = [ant(1, "soldier", at) for at in [(7, 1), (6, -1), (7, -2)][:guards]]
    game = match([ant(0, "worker", (4, 0)), ant(0, "scout", (5, 0)), *soldiers], nectar={1: (9, 0, 0)})
    assert (paths(game)[(4, 0)] in gates(game, 1)) == raids


@pytest.mark.parametrize("nectar", [(9, 0, 0), (0, 9, 0), (0, 0, 9)])
def test_greedy_raids_a_nest_from_its_own_side_whichever_hex_has_the_nectar(nectar: tuple[int, int, int]) -> None:
    game = match([ant(0, "worker", (6, 3)), ant(0, "scout", (5, 0))], nectar={1: nectar})
    assert paths(game)[6, 3] == (7, 1)


@pytest.mark.parametrize(("row", "nearest"), [(-4, 1), (4, 2)])
def test_greedy_raids_the_nearest_nest_whether_it_lies_above_or_below(row: int, nearest: int) -> None:
    scouts = [ant(0, "scout", (0, -5)), ant(0, "scout", (0, 5))]
    rich = {1: (9, 0, 0), 2: (9, 0, 0)}
    game = match([ant(0, "worker", (0, row)), *scouts], spots=(SPOTS[0], SPOTS[2], SPOTS[3]), nectar=rich)
    assert paths(game)[0, row] in gates(game, nearest)


def test_a_weak_ant_goes_round_acid_that_a_healthy_one_crosses() -> None:
    wall = {(-5, r): "~" for r in range(-7, 8)}
    for health, crosses in ((130, True), (20, False)):
        worker = ant(0, "worker", (-3, 0), health=health, food="bread", amount=8)
        game = match([worker, ant(0, "scout", (-4, -4)), ant(0, "scout", (-4, 4))], land=wall)
        orders = game.bots["greedy"](seed=0).play(game.observe(0))
        (walker,) = (one["id"] for one in game.view(0)["ants"] if one["type"] == "worker" and one["at"] == [-3, 0])
        (path,) = (order["path"] for order in orders if order["ant"] == walker)
        assert any(tuple(at) in wall for at in path) == crosses


def test_chance_decides_between_equal_goals() -> None:
    food = [((0, -1), "bread", 8), ((0, 1), "bread", 8)]
    upper = sum(paths(match([ant(0, "worker", (0, 0))], food=food), seed)[(0, 0)] == (0, -1) for seed in range(100))
    assert 30 <= upper <= 70


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
