"""What a bot is: anything that turns what a player sees into orders."""

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

from marchland.errors import UnknownNameError, choices


class Bot(NamedTuple):
    """One player's mind. All but ``move`` may be missing."""

    move: Callable[[Any], Any]
    """What it is shown goes in, its orders come out."""
    observes: bool = False
    """Whether it is shown the arrays of `Game.observe` instead of `Game.view`: built-ins do, for speed."""
    start: Callable[[dict[str, Any]], Any] | None = None
    """Told once, before the first turn: ``game``, ``seat``, ``name``, ``players`` and ``config``."""
    results: Callable[[list[dict[str, Any]]], Any] | None = None
    """Told after every turn what became of each of its orders: ``order``, ``ok``, ``reason`` and ``sentence``."""
    end: Callable[[dict[str, Any] | None], Any] | None = None
    """Told how the match ended; None if it did not."""
    close: Callable[[], Any] | None = None
    """Called last, whatever happened."""


def bot_from(source: Any, seed: int | None = None) -> Bot:
    """The bot in a function, an object with ``play(view)`` or a class of such objects."""
    if isinstance(source, Bot):
        return source
    made = _constructed(source, seed) if isinstance(source, type) else source
    move = getattr(made, "play", made)
    if not callable(move):
        raise UnknownNameError(f"{made!r} is no bot: it needs play(self, view), or to be a function of a view.")
    hooks = {name: getattr(made, name, None) for name in ("start", "results", "end", "close")}
    # An attribute that only happens to have such a name is the bot's own business.
    called = {name: hook for name, hook in hooks.items() if callable(hook)}
    return Bot(move, bool(getattr(made, "observes", False)), **called)


def _constructed(kind: type, seed: int | None) -> Any:
    try:
        parameters = inspect.signature(kind).parameters.values()
    except ValueError:  # classes written in C may have no signature
        return kind()
    needed = [
        one.name
        for one in parameters
        if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    ]
    if set(needed) - {"seed"}:
        raise UnknownNameError(
            f"{kind.__name__} is made without arguments or with seed, but it needs {choices(needed)}."
        )
    takes_seed = any(one.name == "seed" or one.kind == one.VAR_KEYWORD for one in parameters)
    return kind(seed=seed) if takes_seed else kind()
