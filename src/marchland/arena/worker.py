"""A worker process that runs built-in bots: requests come in as lines of JSON, orders go out.

A request is ``{"id", "game", "bot", "seed", "turn", "view"}``, the response ``{"id", "orders"}``. The seed identifies
the bot, which has a memory of its own until ``{"game", "bot", "seed"}`` without a view says that its match is over. Its
random state is a function of seed and turn: the server stores a bot's orders only with the turn's entry, and asks the
bot again after a crash.
"""

import sys
import traceback
from collections import OrderedDict
from typing import Any

import msgspec

from marchland.registry import find

_MAX_BOTS = 10_000


def main() -> None:
    """Answer requests until stdin ends."""
    pool = BotPool()
    responses = sys.stdout.buffer
    sys.stdout = sys.stderr  # prints must not end up among the responses
    for line in sys.stdin.buffer:
        request = msgspec.json.decode(line)
        orders = pool.answer(request)
        if orders is not None:
            responses.write(msgspec.json.encode({"id": request["id"], "orders": orders}) + b"\n")
            responses.flush()


class BotPool:
    """The bots of running matches."""

    def __init__(self) -> None:
        self._bots: OrderedDict[tuple[str, str, int], Any] = OrderedDict()

    def __len__(self) -> int:
        return len(self._bots)

    def answer(self, request: dict[str, Any]) -> list[Any] | None:
        """A bot's orders, an empty list if it fails; None if its match is over and no response is expected."""
        key = (request["game"], request["bot"], request["seed"])
        bot = self._bots.pop(key, None)
        if "view" not in request:
            return None
        try:
            self._bots[key] = bot = bot or find(key[0]).bots[key[1]](seed=key[2])
            bot.reseed(request["turn"])
            orders: list[Any] = bot.play(request["view"])
        except Exception:  # the other bots play on
            traceback.print_exc()
            orders = []
        if len(self._bots) > _MAX_BOTS:
            self._bots.popitem(last=False)
        return orders


if __name__ == "__main__":
    main()
