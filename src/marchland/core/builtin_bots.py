"""What the bots that come with the games share."""

import abc
import functools
import random
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

Orders = list[dict[str, Any]]
BotMaker = Callable[..., Any]

_GIVEN_PERCENT: Final = 50
"""The share of its orders that a weakened bot gives."""


class BuiltinBot(abc.ABC):
    """A bot that plays from the arrays of `Game.observe` or, over the network, from the view of `Game.view`."""

    observes: ClassVar[bool] = True

    def __init__(self, seed: int | None = 0) -> None:
        self.random = random.Random(seed)

    @abc.abstractmethod
    def play(self, view: Any) -> Orders:
        """Choose the orders of this turn."""


class Idle(BuiltinBot):
    """Gives no orders."""

    def play(self, view: Any) -> Orders:
        """No orders."""
        return []


class Weakened(BuiltinBot):
    """A bot that leaves out each of its orders with a fixed chance, drawn from its own seed."""

    def __init__(self, bot: BotMaker, seed: int | None = 0) -> None:
        super().__init__(seed)
        self._bot = bot(seed=seed)
        self._bot.random = self.random  # a server seeds it for each turn

    @property
    def observes(self) -> bool:  # type: ignore[override]
        """What the bot itself takes."""
        return bool(self._bot.observes)

    def play(self, view: Any) -> Orders:
        """The orders of the bot, less those that are left out."""
        return [order for order in self._bot.play(view) if self.random.randrange(100) < _GIVEN_PERCENT]


def add_levels(bots: Mapping[str, BotMaker]) -> dict[str, BotMaker]:
    """The bots of a game with names for people: ``easy``, ``normal`` and ``hard``, unless the game has its own."""
    levels: dict[str, BotMaker] = {}
    if "random" in bots:
        levels["easy"] = bots["random"]
    if "greedy" in bots:
        levels["normal"] = functools.partial(Weakened, bots["greedy"])
        levels["hard"] = bots["greedy"]
    return {**bots, **{name: bot for name, bot in levels.items() if name not in bots}}
