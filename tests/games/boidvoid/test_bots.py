"""The bots that come with the game."""

import json
from typing import Any

import pytest

import marchland
from marchland.core.game import Game
from marchland.games.boidvoid.game import BoidVoid
from marchland.games.boidvoid.rules.constants import NO_TEAM
from marchland.games.boidvoid.rules.state import Cells
from tests.games.boidvoid.builders import HALL, MOTHER_0, MOTHER_1, STRUCTURE, SWARM, position
from tests.support.duels import duel, mean_answer_milliseconds

OWN_MOTHER: dict[str, Any] = {"id": MOTHER_0, "at": [0, 0]}
ENEMY_MOTHER: dict[str, Any] = {"id": MOTHER_1, "at": [5, 4]}
HULL: dict[str, Any] = {"id": 9, "kind": "spaceship", "player": 0, "traits": {"attack": 10, "health": 20}}
BOOST: dict[str, Any] = {"id": 8, "kind": "boost", "player": 0, "turns": 5, "traits": {"attack": 10}}


def ship(player: int, x: int, y: int, **facts: Any) -> dict[str, Any]:
    return {"id": player, "at": [x, y], "action_points": 9, **facts}


def ask(game: Game, player: int = 0, seed: int = 0) -> list[dict[str, Any]]:
    orders: list[dict[str, Any]] = game.bots["greedy"](seed=seed).play(game.observe(player))
    return orders


def of(orders: list[dict[str, Any]], do: str) -> list[dict[str, Any]]:
    return [order for order in orders if order["do"] == do]


def play(game: Game, names: list[str], turns: int = 200) -> set[str]:
    """Let the named bots play; returns the verbs that were accepted."""
    bots = [game.bots[name](seed=seat) for seat, name in enumerate(names)]
    accepted = set()
    while game.outcome is None and game.turn <= turns:
        report = game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
        accepted |= {result.order["do"] for results in report.results.values() for result in results if result.ok}
    return accepted


@pytest.mark.parametrize("rival", ["boidvoid_greedy", "boidvoid_mothership_hunter"])
def test_greedy_beats_its_predecessor_and_the_mothership_hunter(rival: str) -> None:
    assert duel("boidvoid", rival, range(4))["wins"] >= 7


def test_greedy_beats_random() -> None:
    assert duel("boidvoid", "random", range(5))["wins"] >= 9


def test_normal_is_stronger_than_random_and_weaker_than_greedy() -> None:
    assert duel("boidvoid", "random", range(4), bot="normal")["wins"] >= 6
    assert duel("boidvoid", "normal", range(4))["wins"] >= 6


def test_greedy_answers_within_two_milliseconds() -> None:
    assert mean_answer_milliseconds(marchland.new("boidvoid", 4, seed=0), 60) <= 2


def test_idle_does_nothing() -> None:
    game = BoidVoid.new(2, seed=1, map="duel")
    assert game.bots["idle"]().play(game.observe(0)) == []


@pytest.mark.parametrize("kind", ["random", "greedy"])
def test_a_bot_gives_the_same_orders_from_arrays_and_from_a_view(kind: str) -> None:
    game = marchland.new("boidvoid", 8, seed=2, config={"start_hulls": 1})
    for turn in range(25):
        orders: dict[int, Any] = {}
        for seat in range(8):
            arrays, view = (game.bots[kind](seed=turn * 8 + seat) for _ in range(2))
            orders[seat] = arrays.play(game.observe(seat))
            assert orders[seat] == view.play(json.loads(json.dumps(game.view(seat))))
        game.step(orders)


def test_greedy_strikes_a_mothership_with_its_whole_battery_and_raises_its_shields_again() -> None:
    game = position([OWN_MOTHER, {**ENEMY_MOTHER, "at": [4, 3]}, ship(0, 2, 3)], players=2)
    orders = ask(game)
    attack = {"do": "attack", "unit": 0, "target": MOTHER_1}
    assert of(orders, "attack") == [attack]
    assert of(orders, "battery") == [{"do": "battery", "attack": 100}, {"do": "battery", "attack": 0}]
    assert orders.index({"do": "battery", "attack": 100}) < orders.index(attack)


def test_greedy_uses_no_more_of_its_battery_than_an_enemy_needs_to_fall() -> None:
    weak = ship(1, 3, 2, battery=0, health=1000, task="capture", wait=4)
    game = position([OWN_MOTHER, ship(0, 2, 2), weak], players=2)
    orders = ask(game)
    assert of(orders, "battery") == [{"do": "battery", "attack": 16}, {"do": "battery", "attack": 0}]
    report = game.step({0: orders})
    assert [event["unit"] for event in report.events if event["event"] == "destroyed"] == [1]


def test_greedy_gives_up_a_capture_to_destroy_an_enemy() -> None:
    enemy = ship(1, 4, 2, battery=0, task="capture", wait=3)
    game = position([OWN_MOTHER, ENEMY_MOTHER, ship(0, 2, 2, task="capture", wait=2), enemy], players=2)
    assert ask(game)[0] == {"do": "cancel", "unit": 0}
    assert of(ask(game), "attack") == [{"do": "attack", "unit": 0, "target": 1}]


def test_two_ships_attack_together_what_one_cannot_destroy() -> None:
    enemy = ship(1, 3, 3, ratio=0, task="capture", wait=4)
    alone = position([OWN_MOTHER, ship(0, 2, 2), enemy], players=4)
    assert of(ask(alone), "attack") == []
    helped = position([OWN_MOTHER, ship(0, 2, 2), ship(2, 2, 3), enemy], players=4)
    for player in (0, 2):
        assert of(ask(helped, player), "attack") == [{"do": "attack", "unit": player, "target": 1}]


def test_greedy_has_no_favourite_among_equal_enemies() -> None:
    enemies = [ship(seat, x, 2, battery=0, task="capture", wait=4) for seat, x in ((1, 1), (2, 3))]
    seats = [{"name": f"p{seat}", "team": seat} for seat in range(3)]
    mothers = [{"id": MOTHER_0 + team, "at": at} for team, at in enumerate(([0, 0], [5, 4], [5, 0]))]
    homes = [[[0, 0]], [[5, 4]], [[5, 0]]]
    game = position([*mothers, ship(0, 2, 2), *enemies], players=3, seats=seats, homes=homes, config={"teams": 3})
    targets = {of(ask(game, seed=seed), "attack")[0]["target"] for seed in range(20)}
    assert targets == {1, 2}


def test_greedy_stakes_its_boost_so_that_it_returns() -> None:
    game = position([OWN_MOTHER, ship(0, 2, 2)], players=2, nfts=[BOOST])
    assert of(ask(game), "boost") == [{"do": "boost", "target": 0, "nft": 8, "mode": "stake"}]


def test_greedy_equips_an_nft_that_improves_its_ship_and_no_other() -> None:
    game = position([OWN_MOTHER, ship(0, 2, 2)], players=2, nfts=[HULL])
    assert of(ask(game), "equip") == [{"do": "equip", "unit": 0, "nft": 9}]
    worse = {**HULL, "traits": {"attack": 1, "cost_to_move": 3}}
    assert of(ask(position([OWN_MOTHER, ship(0, 2, 2)], players=2, nfts=[worse])), "equip") == []


def test_greedy_builds_while_its_mothership_is_missing_and_nothing_can_be_captured() -> None:
    game = position([ship(0, 1, 0), ENEMY_MOTHER | {"id": MOTHER_0, "at": None, "wait": 3}], players=2, nfts=[HALL])
    assert of(ask(game), "build") == [{"do": "build", "unit": 0, "nft": 7}]


def test_greedy_raises_a_superstructure_of_its_team_by_staking() -> None:
    hall = {"id": STRUCTURE, "at": [1, 0], "team": 0, "aim": 1, "nft": 7, "stats": {"health": 50}}
    built = {**HALL, "use": "built", "target": STRUCTURE}
    game = position([OWN_MOTHER, ship(0, 2, 2), hall], players=2, nfts=[built, {**HALL, "id": 10}])
    assert of(ask(game), "stack") == [{"do": "stack", "at": [1, 0], "nft": 10, "mode": "stake"}]


def test_a_mothership_moves_out_of_reach_of_an_enemy() -> None:
    game = position([{**OWN_MOTHER, "at": [2, 2], "action_points": 9}, ship(1, 4, 2), ship(0, 0, 4)], players=2)
    (order,) = [order for order in of(ask(game), "move") if order["unit"] == MOTHER_0]
    here, there = game.board.index(4, 2), game.board.index(*order["to"])
    assert game.board.distance(here, there) > 2


@pytest.mark.parametrize(("players", "ships"), [(8, 2), (18, 3)])
def test_a_third_of_a_team_gathers_in_a_swarm_which_attacks(players: int, ships: int) -> None:
    game = marchland.new("boidvoid", players, seed=1)
    bots = [game.bots["greedy"](seed=seat) for seat in range(players)]
    largest, attacks = 0, 0
    for _ in range(40):
        report = game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
        swarms = [piece for piece in game.picture().pieces.values() if piece[0] == 1]
        largest = max([largest, *(piece[4] for piece in swarms)])
        attacks += sum(event["event"] == "attacked" and event["unit"] >= 10_000_000 for event in report.events)
    assert largest >= ships
    assert attacks > 0


def test_greedy_finishes_a_won_game() -> None:
    game = marchland.new("boidvoid", 8, seed=1, map="duel")
    play(game, ["greedy", "random"] * 4)
    assert game.outcome is not None
    assert game.outcome.winners == [0, 2, 4, 6]
    assert game.outcome.reason == "One team owns every tile."


def test_greedy_uses_the_verbs_of_the_game() -> None:
    game = marchland.new("boidvoid", 8, seed=3, config={"start_hulls": 1})
    accepted = play(game, ["greedy"] * 8)
    assert accepted >= {
        *("move", "capture", "spawn", "battery", "attack", "cancel", "boost", "equip"),
        *("create_swarm", "join_swarm", "build", "stack"),
    }


def test_ships_leave_a_swarm_when_no_enemy_has_a_tile_any_more() -> None:
    seats = [{"name": f"p{seat}", "team": seat % 2} for seat in range(8)]
    swarm = {"id": SWARM, "at": [2, 2], "team": 0, "name": "pack"}
    units = [OWN_MOTHER, swarm, *({"id": seat, "swarm": SWARM, "action_points": 9} for seat in (0, 2, 4, 6))]
    hunting = position(units, seats=seats)
    assert of(ask(hunting, 2), "leave_swarm") == []
    hunting.arrays(Cells).owner[hunting.arrays(Cells).owner == 1] = NO_TEAM
    (order,) = of(ask(hunting, 2), "leave_swarm")
    assert order["unit"] == 2
