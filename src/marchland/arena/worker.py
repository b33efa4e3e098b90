"""Bots that come with the games, in a process of their own: questions come in as lines of JSON, orders go out.

A question is ``{"id", "game", "bot", "seed", "view"}``, the answer ``{"id", "orders"}``. ``seed`` names the bot: one
that has been asked before goes on with what it remembers, until ``{"game", "bot", "seed"}`` says that its match is
over.
"""

import sys
import traceback
from collections import OrderedDict
from typing import Any

import msgspec

from marchland.registry import find

_MOST_REMEMBERED = 10_000


def main() -> None:
    """Answer questions until there are no more."""
    minds = Minds()
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever is printed must not end up among the answers
    for line in sys.stdin.buffer:
        question = msgspec.json.decode(line)
        orders = minds.asked(question)
        if orders is not None:
            answers.write(msgspec.json.encode({"id": question["id"], "orders": orders}) + b"\n")
            answers.flush()


class Minds:
    """The bots of matches that are on."""

    def __init__(self) -> None:
        self._bots: OrderedDict[tuple[str, str, int], Any] = OrderedDict()

    def __len__(self) -> int:
        return len(self._bots)

    def asked(self, question: dict[str, Any]) -> list[Any] | None:
        """A bot's orders, none if it fails; None where nothing is to be answered because its match is over."""
        key = (question["game"], question["bot"], question["seed"])
        bot = self._bots.pop(key, None)
        if "view" not in question:
            return None
        try:
            self._bots[key] = bot = bot or find(key[0]).bots[key[1]](seed=key[2])
            orders: list[Any] = bot.play(question["view"])
        except Exception:  # one bot's mistake is no other bot's
            traceback.print_exc()
            orders = []
        if len(self._bots) > _MOST_REMEMBERED:
            self._bots.popitem(last=False)
        return orders


if __name__ == "__main__":
    main()
