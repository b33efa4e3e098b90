"""What the bots that come with the games share."""

import abc
import random
from typing import Any, ClassVar

Orders = list[dict[str, Any]]


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
