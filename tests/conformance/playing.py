"""What the conformance tests share: small matches of every game, orders from the menu, and hostile ones."""

import math
import random
from typing import Any

import marchland
from marchland.core.game import Game
from marchland.messages import Cells, Choices, Menu, Paths, Pieces, Range

SMALL: dict[str, dict[str, Any]] = {
    "boidvoid": {"map": "duel", "config": {"turn_limit": 60, "start_hulls": 1}},
    "colorfight": {"config": {"width": 8, "height": 8, "max_turn": 60}},
    "datspulse": {"config": {"radius": 12, "ant_limit": 12, "max_turn": 60}},
    "enova": {"config": {"turn_limit": 60}},
    "hive": {"map": "tiny", "config": {"start_flowers": 40, "max_turn": 60}},
}
"""For each game the smallest match in which everything happens; a game that is missing here takes its defaults."""


def small_match(name: str, seed: int = 0, players: int | None = None, **changes: Any) -> Game:
    """A match small enough to play a thousand turns of."""
    settings = {**SMALL.get(name, {}), **changes}
    kind = marchland.find(name)
    count = players or max(kind.least_players, min(3, kind.most_players))
    return marchland.new(name, count, seed=seed, **settings)


def orders_from_the_menu(game: Game, player: int, chance: random.Random, most: int = 4) -> list[dict[str, Any]]:
    """Up to ``most`` complete orders, each built by following the menu to its end."""
    menu = game.legal(player)
    assert isinstance(menu, dict)
    orders = []
    for _ in range(chance.randint(0, most) if menu else 0):
        verb = chance.choice(sorted(menu))
        order: dict[str, Any] = {"do": verb}
        domain: Menu | None = menu[verb]
        while domain is not None:
            order[domain.param] = pick(domain, chance)
            following = game.legal(player, order)
            assert not isinstance(following, dict)
            domain = following
        orders.append(order)
    return orders


def pick(domain: Menu, chance: random.Random) -> Any:
    """One value of the domain, with the ends of ranges drawn often."""
    if isinstance(domain, Cells):
        return list(chance.choice(domain.cells))
    if isinstance(domain, Pieces):
        return chance.choice(domain.pieces)
    if isinstance(domain, Range):
        return chance.choice([domain.least, domain.most, chance.randint(domain.least, domain.most)])
    if isinstance(domain, Choices):
        return chance.choice(domain.choices)
    return way_back(domain, chance)


def way_back(domain: Paths, chance: random.Random) -> list[list[int]]:
    """The path to one of the cells that can be reached."""
    parents = {step.cell: step.parent for step in domain.steps}
    cell: tuple[int, int] | None = chance.choice(domain.steps).cell
    path = []
    while cell is not None:
        path.append(list(cell))
        cell = parents[cell]
    return path[::-1]


def hostile_values(chance: random.Random) -> Any:
    """Something that no parameter expects."""
    return chance.choice(
        [
            None,
            True,
            "",
            "🐝" * 50,
            "NaN",
            math.nan,
            math.inf,
            -1,
            0,
            10**30,
            -(10**30),
            2**63,
            1.5,
            [],
            {},
            [[[[]]]],
            [10**30, -(10**30)],
            [-1, -1],
            [0, 0, 0],
            ["0", "0"],
            [math.nan, 0],
            [2**31, 2**31],
            object(),
            b"bytes",
            list(range(1000)),
            {"do": {"do": "do"}},
        ]
    )


def hostile_order(game: Game, chance: random.Random) -> Any:
    """Anything at all: no object, an unknown verb, or a real verb with parameters of all kinds."""
    if chance.random() < 0.2:
        return hostile_values(chance)
    verb = chance.choice([*game.codec.names, "nonsense", 7, None, ["list"]])
    params = [parameter.name for known in game.codec.legend() if known.do == verb for parameter in known.params]
    order = {"do": verb, **{name: hostile_values(chance) for name in params if chance.random() < 0.9}}
    if chance.random() < 0.1:
        order["extra"] = hostile_values(chance)
    return order
