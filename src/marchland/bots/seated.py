"""A bot in its seat: whatever it does, the match goes on."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from marchland.bots.blame import blame
from marchland.bots.mind import Bot


@dataclass
class Tally:
    """What one bot did in a match."""

    orders: int = 0
    refused: int = 0
    failures: int = 0
    """Turns in which the bot raised; it gave no orders then."""
    first_failure: str = ""


class Seated:
    """Calls a bot; if it raises, that is counted, and the first time is remembered with its place."""

    def __init__(self, bot: Bot, tally: Tally) -> None:
        self.bot = bot
        self.tally = tally

    def start(self, info: dict[str, Any]) -> None:
        """Tell it what it plays."""
        self._called("before the first turn", self.bot.start, info)

    def move(self, shown: Any, turn: int) -> list[Any]:
        """Its orders; none if it fails. What is no list is one order, which the game then refuses with a reason."""
        orders = self._called(f"in turn {turn}", self.bot.move, shown)
        if orders is None:
            return []
        return list(orders) if isinstance(orders, list | tuple) else [orders]

    def results(self, results: list[dict[str, Any]], turn: int) -> None:
        """Tell it what became of its orders in a turn."""
        self._called(f"after turn {turn}", self.bot.results, results)

    def end(self, outcome: dict[str, Any] | None) -> None:
        """Tell it how the match ended."""
        self._called("after the match", self.bot.end, outcome)

    def close(self) -> None:
        """Let it go."""
        self._called("after the match", self.bot.close)

    def _called(self, when: str, function: Callable[..., Any] | None, *told: Any) -> Any:
        if function is None:
            return None
        try:
            return function(*told)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.tally.failures += 1
            self.tally.first_failure = self.tally.first_failure or f"{when}: {blame(error)}"
            return None
