"""What a bot is: anything that turns what a player sees into orders."""

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

from marchland.bots.sandbox import Level
from marchland.bots.usage import Usage
from marchland.errors import UnknownNameError, choices


class Bot(NamedTuple):
    """The callbacks of one player. All but ``move`` are optional."""

    move: Callable[[Any], Any]
    """Takes a view, returns orders."""
    move_encoded: Callable[[int, bytes], Any] | None = None
    """Takes a turn and a view as JSON, for bots that only pass views on. They get results and reports as structs."""
    observes: bool = False
    """Whether ``move`` takes the arrays of `Game.observe` instead of `Game.view`: built-in bots do, for speed."""
    start: Callable[[dict[str, Any]], Any] | None = None
    """Called once before the first turn, with ``game``, ``seat``, ``name``, ``players`` and ``config``."""
    results: Callable[[list[dict[str, Any]]], Any] | None = None
    """Called after each turn with a result for each order: ``order``, ``ok``, ``reason`` and ``sentence``."""
    reports: Callable[[list[dict[str, Any]]], Any] | None = None
    """Called after a turn about which the game tells the player more, such as battles."""
    end: Callable[[dict[str, Any] | None], Any] | None = None
    """Called with the outcome; None if the match did not end."""
    close: Callable[[], Any] | None = None
    """Called last, also after a failure."""
    usage: Callable[[], Usage] | None = None
    """What its process used; None if it has none of its own."""
    sandbox: Level = "open"
    """Where it runs."""


def as_bot(source: Any, seed: int | None = None) -> Bot:
    """Make a bot of a function, an object with ``play(view)`` or a class of such objects."""
    if isinstance(source, Bot):
        return source
    instance = _construct(source, seed) if isinstance(source, type) else source
    move = getattr(instance, "play", instance)
    if not callable(move):
        raise UnknownNameError(f"{instance!r} is no bot: it needs play(self, view), or to be a function of a view.")
    hooks = {name: getattr(instance, name, None) for name in ("start", "results", "reports", "end", "close", "usage")}
    called = {name: hook for name, hook in hooks.items() if callable(hook)}
    return Bot(
        move,
        getattr(instance, "play_encoded", None),
        bool(getattr(instance, "observes", False)),
        sandbox=getattr(instance, "sandbox", "open"),
        **called,
    )


def _construct(kind: type, seed: int | None) -> Any:
    try:
        parameters = inspect.signature(kind).parameters.values()
    except ValueError:  # classes written in C may have no signature
        return kind()
    needed = [
        parameter.name
        for parameter in parameters
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ]
    if set(needed) - {"seed"}:
        raise UnknownNameError(
            f"{kind.__name__} is made without arguments or with seed, but it needs {choices(needed)}."
        )
    takes_seed = any(parameter.name == "seed" or parameter.kind == parameter.VAR_KEYWORD for parameter in parameters)
    return kind(seed=seed) if takes_seed else kind()
