"""What the checks share: small matches, orders picked from the menu, and hostile orders."""

import contextlib
import math
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from marchland import registry
from marchland.core.game import Game
from marchland.messages import Cells, Choices, Menu, Paths, Pieces, Range


@dataclass(frozen=True)
class GameUnderTest:
    """A registered game, and the small match of it that the checks play: one in which everything happens."""

    name: str
    config: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the match, as JSON has them. It should end after less than 1,000 turns."""
    map: Any = None
    players: int | None = None
    """3 if not given, or as near to that as the game allows."""
    large_config: Mapping[str, Any] = field(default_factory=dict)
    """Settings of a board of more than 32 by 32 cells, where the game has such boards."""

    @property
    def kind(self) -> type[Game]:
        """The game's class."""
        return registry.find(self.name)

    @property
    def presets(self) -> list[str]:
        """The game's named sets of rules; one without a name where it has none."""
        return list(self.kind.config_type.presets) or [""]

    def new(self, seed: int = 0, *, rules: str = "", large: bool = False) -> Game:
        """A match at its first turn."""
        count = self.players or max(self.kind.least_players, min(3, self.kind.most_players))
        config = {**self.config, **(self.large_config if large else {})}
        return self.kind.new(count, seed=seed, rules=rules or None, config=config, map=self.map)


Check = Callable[[GameUnderTest], None]
"""Raises AssertionError where a game breaks its contract."""


def pick_orders(game: Game, player: int, chance: random.Random, most: int = 4) -> list[dict[str, Any]]:
    """Up to ``most`` complete orders, each built by following the menu to its end."""
    menu = game.legal(player)
    assert isinstance(menu, dict)
    orders = []
    for _ in range(chance.randint(0, most) if menu else 0):
        verb = chance.choice(sorted(menu))
        order: dict[str, Any] = {"do": verb}
        domain: Menu | None = menu[verb]
        while domain is not None:
            order[domain.param] = pick_value(domain, chance)
            following = game.legal(player, order)
            assert not isinstance(following, dict)
            domain = following
        orders.append(order)
    return orders


def pick_all_orders(game: Game, chance: random.Random) -> dict[int, list[dict[str, Any]]]:
    """Orders of every player, picked from their menus."""
    return {player: pick_orders(game, player, chance) for player in range(len(game.players))}


def pick_value(domain: Menu, chance: random.Random) -> Any:
    """One value of the domain, with the ends of ranges picked often."""
    if isinstance(domain, Cells):
        return list(chance.choice(domain.cells))
    if isinstance(domain, Pieces):
        return chance.choice(domain.pieces)
    if isinstance(domain, Range):
        return chance.choice([domain.least, domain.most, chance.randint(domain.least, domain.most)])
    if isinstance(domain, Choices):
        return chance.choice(domain.choices)
    return pick_path(domain, chance)


def pick_path(domain: Paths, chance: random.Random) -> list[list[int]]:
    """The path to one of the cells that can be reached."""
    parents = {step.cell: step.parent for step in domain.steps}
    cell: tuple[int, int] | None = chance.choice(domain.steps).cell
    path = []
    while cell is not None:
        path.append(list(cell))
        cell = parents[cell]
    return path[::-1]


def hostile_value(chance: random.Random) -> Any:
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
        return hostile_value(chance)
    verb = chance.choice([*game.codec.names, "nonsense", 7, None, ["list"]])
    params = [parameter.name for known in game.codec.legend() if known.do == verb for parameter in known.params]
    order = {"do": verb, **{name: hostile_value(chance) for name in params if chance.random() < 0.9}}
    if chance.random() < 0.1:
        order["extra"] = hostile_value(chance)
    return order


@contextlib.contextmanager
def expect_error(kind: type[Exception], words: str) -> Iterator[None]:
    """Fail unless the block raises an error of that kind whose message contains ``words``."""
    try:
        yield
    except kind as error:
        assert words in str(error), f"{words!r} is not in {str(error)!r}"
    else:
        raise AssertionError(f"no {kind.__name__} was raised")
