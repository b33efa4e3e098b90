"""All phases are simultaneous (ruling 13): no outcome hangs on the order in which tiles, players or orders come."""

import random
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from marchland.core.game import Game
from marchland.core.orders import Packed
from tests.games.enova.builders import Order, counted, named, owned, position, standing
from tests.games.enova.reference import Reference, Tile

SEEDS = st.integers(0, 2**32)


def crowded(chance: random.Random) -> Game:
    """A small board on which all players are neighbours."""
    torus = chance.random() < 0.3
    width, height = (chance.randint(3 if torus else 1, 5) for _ in range(2))
    rows = ["".join(chance.choice("....CX") for _ in range(width)) for _ in range(height)]
    players = chance.randint(1, 6)
    land = {
        (x, y): (chance.randrange(players), chance.choice([0, 1, 1, 2, 3, 5, 8, 30]))
        for x in range(width)
        for y in range(height)
        if rows[y][x] != "X" and chance.random() < 0.8
    }
    alive = {who for (x, y), (who, units) in land.items() if units or rows[y][x] == "C"}
    config = {
        "diagonals": chance.random() < 0.3,
        "variance_percent": chance.choice([25, 25, 0, 100]),
        "killed_percent": chance.choice([50, 50, 0, 100]),
        "turn_limit": 1,
    }
    land = {at: what for at, what in land.items() if what[0] in alive}
    return position(*rows, land=land, players=players, torus=torus, **config).fork(seed=chance.randrange(1000))


def actions(game: Game, chance: random.Random) -> dict[Tile, Order]:
    """An order for most armies; moves most of all."""
    rows = game.view()["map"]
    focus = chance.choice([game.board.at(cell) for cell in range(game.board.size)])
    orders: dict[Tile, Order] = {}
    for at, (_, units) in owned(game).items():
        near = [game.board.at(cell) for cell in game.board.neighbours(game.board.index(*at))]
        ways = [(x, y) for x, y in near if rows[y][x] != "X"]
        ways = [focus] if focus in ways and chance.random() < 0.7 else ways
        verb = chance.choice(["move"] * 5 + ["defend", "support", "support", ""])
        if units and verb == "move" and ways:
            orders[at] = {"do": "move", "from": list(at), "to": list(chance.choice(ways))}
            if chance.random() < 0.5:
                orders[at]["units"] = chance.randint(1, units)
        elif units and verb in ("defend", "support"):
            orders[at] = {"do": verb, "at": list(at)}
    return orders


def by_player(game: Game, orders: dict[Tile, Order]) -> dict[int, list[Order]]:
    given: dict[int, list[Order]] = {}
    for at, order in orders.items():
        given.setdefault(owned(game)[at][0], []).append(order)
    return given


@settings(max_examples=1500)
@given(SEEDS)
def test_a_second_reading_of_the_rules_in_any_order_comes_to_the_same_end(seed: int) -> None:
    chance = random.Random(seed)
    game = crowded(chance)
    orders = actions(game, chance)
    readings = [Reference(game, random.Random(order)) for order in (1, 2, seed)]
    expected = [reading.play(orders) for reading in readings]
    assert expected[0] == expected[1] == expected[2]
    before = [units for _, _, units in counted(game)]
    report = game.step(by_player(game, orders))
    assert all(result.ok for results in report.results.values() for result in results)
    assert owned(game) == expected[0]
    lost = [had - has for had, (_, _, has) in zip(before, counted(game), strict=True)]
    assert lost == [readings[0].killed[player] for player in range(len(game.players))]


@settings(max_examples=200)
@given(SEEDS)
def test_the_order_in_which_orders_are_given_does_not_matter(seed: int) -> None:
    chance = random.Random(seed)
    game = crowded(chance)
    packed, _ = game.pack_orders(by_player(game, actions(game, chance)))
    shuffled = np.random.default_rng(seed).permutation(len(packed))
    twin, mirror = game.copy(), game.copy()
    game.step(Packed(packed.table.copy()))
    twin.step(Packed(np.ascontiguousarray(packed.table[:, shuffled])))
    mirror.step(Packed(np.ascontiguousarray(packed.table[:, ::-1])))
    assert game.digest() == twin.digest() == mirror.digest()


def side_by_side(left: list[str], right: list[str]) -> list[str]:
    height = max(len(left), len(right))
    pad = [rows + ["X" * len(rows[0])] * (height - len(rows)) for rows in (left, right)]
    return [f"{one}X{other}" for one, other in zip(*pad, strict=True)]


@settings(max_examples=150)
@given(SEEDS)
def test_what_happens_elsewhere_changes_no_battle(seed: int) -> None:
    chance = random.Random(seed)
    here = crowded(chance)
    while here.board.wrap or here.config.diagonals:
        here = crowded(chance)
    orders = actions(here, chance)
    view = here.view()
    width, players = view["size"][0], len(here.players)
    rows = side_by_side(view["map"], ["...", "...", "..."])
    foe = {(width + 1 + x, y): (players + (x + y) % 2, 5) for x in range(3) for y in range(3)}
    there = {at: {"do": "move", "from": list(at), "to": [at[0], 1]} for at in foe if at[1] == 0}
    config: dict[str, Any] = {**here.config.values()}
    both = position(*rows, land={**owned(here), **foe}, players=players + 2, **config)
    alone = position(*rows, land=owned(here), players=players + 2, **config)
    both.step(by_player(both, {**orders, **there}))
    alone.step(by_player(alone, orders))
    mine = {at: what for at, what in owned(both).items() if at[0] < width}
    assert mine == owned(alone)


@settings(max_examples=60)
@given(SEEDS)
def test_units_are_conserved(seed: int) -> None:
    chance = random.Random(seed)
    game = position(
        "C...C",
        ".X.X.",
        ".....",
        ".X.X.",
        "C...C",
        land={(0, 0): (0, 3), (4, 0): (1, 3), (4, 4): (2, 3)},
        players=3,
        open_world=True,
        turn_limit=30,
    ).fork(seed=seed)
    units = standing(game)
    while game.outcome is None:
        if chance.random() < 0.1:
            before = standing(game)
            game.join(f"joiner in turn {game.turn}")
            assert standing(game) == before + 3
            units += 3
        report = game.step(by_player(game, actions(game, chance)))
        units += sum(event["units"] for event in named(report, "produced"))
        units -= sum(event["units"] for name in ("killed", "routed") for event in named(report, name))
        assert units == standing(game)
        check_counts(game)


def check_counts(game: Game) -> None:
    """What the match keeps count of is what is there."""
    rows, land = game.view()["map"], owned(game)
    for player, figures in enumerate(counted(game)):
        mine = {at: units for at, (who, units) in land.items() if who == player}
        castles = sum(rows[y][x] == "C" for x, y in mine)
        assert figures == (castles, len(mine), sum(mine.values()))
    assert all(rows[y][x] != "X" for x, y in land)
