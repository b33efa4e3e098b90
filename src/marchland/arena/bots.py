"""Where a match's bots come from."""

from marchland.bots import SECONDS, Bot, bot_from, is_own, own_bot
from marchland.core.game import Game
from marchland.errors import UnknownNameError, did_you_mean


def load_bot(spec: str, kind: type[Game], seed: int, seconds: float = SECONDS) -> Bot:
    """The bot that a person names: one that comes with the game, the path of a Python file, or ``cmd:`` and a command.

    A bot by command has ``seconds`` for each turn.
    """
    if is_own(spec):
        return own_bot(spec, seed, seconds)
    if spec not in kind.bots:
        near = did_you_mean(spec, kind.bots)
        raise UnknownNameError(
            f"{kind.name} has no bot {spec!r}; {near} A bot of your own is named by its path, like ./mybot.py."
        )
    return bot_from(kind.bots[spec](seed=seed))
