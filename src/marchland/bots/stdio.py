"""The other end of a process bot, for bots in Python: ``python -m marchland.bots.stdio mybot.py``.

It reads the protocol of docs/bots.md from stdin and answers with the orders of the same bot that plays in process.
"""

import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from marchland.bots.bot import Bot, as_bot
from marchland.bots.errors import describe_error
from marchland.bots.loader import read_bot
from marchland.errors import MarchlandError, UnknownNameError


def answers(source: Any, lines: Iterable[bytes]) -> Iterator[bytes]:
    """The bot's answer to each turn."""
    bot: Bot | None = None
    for line in lines:
        message = msgspec.json.decode(line)
        if message["type"] == "start" or bot is None:
            bot = _create(source, message.get("seed"))
        if message["type"] == "turn":
            yield msgspec.json.encode(_answer(bot, message)) + b"\n"
        elif message["type"] == "start":
            _call_hook(bot.start, message)
        elif message["type"] == "end":
            _call_hook(bot.end, message["outcome"])


def _create(source: Any, seed: int | None) -> Bot:
    bot = as_bot(source, seed)
    if bot.observes:
        raise UnknownNameError("This bot observes arrays, which it can do only in the process of the match.")
    return bot


def _answer(bot: Bot, message: dict[str, Any]) -> dict[str, Any]:
    turn = message["turn"]
    if message.get("results"):
        _call_hook(bot.results, message["results"])
    if message.get("reports"):
        _call_hook(bot.reports, message["reports"])
    try:
        orders = bot.move(message["view"])
        msgspec.json.encode(orders)
    except Exception as error:
        traceback.print_exc()
        return {"turn": turn, "orders": [], "error": describe_error(error)}
    return {"turn": turn, "orders": orders}


def _call_hook(hook: Callable[[Any], Any] | None, argument: Any) -> None:
    try:
        if hook is not None:
            hook(argument)
    except Exception:
        traceback.print_exc()


def main() -> None:
    """Play the bot whose file is named on the command line."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m marchland.bots.stdio mybot.py")
    # Prints go to stderr, also those of a C library: stdout is for orders.
    channel = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        with os.fdopen(channel, "wb") as stdout:
            for answer in answers(read_bot(Path(sys.argv[1])), sys.stdin.buffer):
                stdout.write(answer)
                stdout.flush()
    except (MarchlandError, BrokenPipeError) as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
