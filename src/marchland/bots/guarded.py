"""A bot whose exceptions cannot stop the match."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from marchland.bots.bot import Bot
from marchland.bots.errors import describe_error
from marchland.bots.sandbox import Level


@dataclass
class BotStats:
    """What one bot did in a match."""

    orders: int = 0
    refused: int = 0
    failures: int = 0
    """Turns in which the bot raised; it sent no orders then."""
    first_failure: str = ""
    sandbox: Level = "open"
    """Where it ran: see `marchland.bots.sandbox`."""
    cpu_seconds: float = 0.0
    """Processor time of its own processes."""
    memory: int = 0
    """The most memory of its own processes that was seen, in bytes."""


class GuardedBot:
    """Calls a bot; counts its exceptions and stores the description of the first."""

    def __init__(self, bot: Bot, stats: BotStats) -> None:
        self.bot = bot
        self.stats = stats
        stats.sandbox = bot.sandbox

    def start(self, info: dict[str, Any]) -> None:
        """Call the bot's ``start``."""
        self._call("before the first turn", self.bot.start, info)

    def move(self, view: Any, turn: int) -> list[Any]:
        """The bot's orders; none if it fails. What is not a list is one order, which the game refuses with a reason."""
        return _as_list(self._call(f"in turn {turn}", self.bot.move, view))

    def move_encoded(self, view: bytes, turn: int) -> list[Any]:
        """`move` of a bot that takes the view as JSON."""
        return _as_list(self._call(f"in turn {turn}", self.bot.move_encoded, turn, view))

    def results(self, results: list[Any], turn: int) -> None:
        """Call the bot's ``results`` with those of a turn."""
        self._call(f"after turn {turn}", self.bot.results, results)

    def reports(self, reports: list[Any], turn: int) -> None:
        """Call the bot's ``reports`` with those of a turn."""
        self._call(f"after turn {turn}", self.bot.reports, reports)

    def end(self, outcome: dict[str, Any] | None) -> None:
        """Call the bot's ``end``."""
        self._call("after the match", self.bot.end, outcome)

    def close(self) -> None:
        """Call the bot's ``close``."""
        self._call("after the match", self.bot.close)
        if self.bot.usage is not None:
            used = self.bot.usage()
            self.stats.cpu_seconds, self.stats.memory = used.cpu, used.memory

    def _call(self, when: str, function: Callable[..., Any] | None, *args: Any) -> Any:
        if function is None:
            return None
        try:
            return function(*args)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.stats.failures += 1
            self.stats.first_failure = self.stats.first_failure or f"{when}: {describe_error(error)}"
            return None


def _as_list(orders: Any) -> list[Any]:
    if orders is None:
        return []
    return list(orders) if isinstance(orders, list | tuple) else [orders]
