"""The other end of a process bot, for bots in Python: ``python -m marchland.bots.stdio mybot.py``.

It reads the lines of docs/bots.md, asks the same bot that plays in process, and answers.
"""

import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from marchland.bots.blame import blame
from marchland.bots.botfile import read_bot
from marchland.bots.mind import Bot, bot_from
from marchland.errors import MarchlandError, UnknownNameError


def answers(source: Any, lines: Iterable[bytes]) -> Iterator[bytes]:
    """The bot's answer to each turn."""
    bot: Bot | None = None
    for line in lines:
        message = msgspec.json.decode(line)
        if message["type"] == "start" or bot is None:
            bot = _made(source, message.get("seed"))
        if message["type"] == "turn":
            yield msgspec.json.encode(_answer(bot, message)) + b"\n"
        elif message["type"] == "start":
            _tried(bot.start, message)
        elif message["type"] == "end":
            _tried(bot.end, message["outcome"])


def _made(source: Any, seed: int | None) -> Bot:
    bot = bot_from(source, seed)
    if bot.observes:
        raise UnknownNameError("This bot observes arrays, which it can do only in the process of the match.")
    return bot


def _answer(bot: Bot, message: dict[str, Any]) -> dict[str, Any]:
    turn = message["turn"]
    if message.get("results"):
        _tried(bot.results, message["results"])
    try:
        orders = bot.move(message["view"])
        msgspec.json.encode(orders)
    except Exception as error:
        traceback.print_exc()
        return {"turn": turn, "orders": [], "error": blame(error)}
    return {"turn": turn, "orders": orders}


def _tried(hook: Callable[[Any], Any] | None, told: Any) -> None:
    try:
        if hook is not None:
            hook(told)
    except Exception:
        traceback.print_exc()


def main() -> None:
    """Play the bot whose file is named on the command line."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m marchland.bots.stdio mybot.py")
    # What the bot prints is talk: it goes to stderr, even if a library of its own writes it.
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
