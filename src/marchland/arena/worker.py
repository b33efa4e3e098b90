"""Bots that come with the games, in a process of their own: questions come in as lines of JSON, orders go out.

A question is ``{"id", "game", "bot", "seed", "view"}``, the answer ``{"id", "orders"}``. ``seed`` names the bot: one
that has been asked before goes on with what it remembers.
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
    remembered: OrderedDict[tuple[str, str, int], Any] = OrderedDict()
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever is printed must not end up among the answers
    for line in sys.stdin.buffer:
        question = msgspec.json.decode(line)
        key = (question["game"], question["bot"], question["seed"])
        try:
            bot = remembered.pop(key, None) or find(key[0]).bots[key[1]](seed=key[2])
            remembered[key] = bot
            orders = bot.play(question["view"])
        except Exception:  # one bot's mistake is no other bot's
            traceback.print_exc()
            orders = []
        if len(remembered) > _MOST_REMEMBERED:
            remembered.popitem(last=False)
        answers.write(msgspec.json.encode({"id": question["id"], "orders": orders}) + b"\n")
        answers.flush()


if __name__ == "__main__":
    main()
