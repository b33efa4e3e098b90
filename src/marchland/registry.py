"""The games by name: those of this package, of installed distributions, and those registered by the program.

A distribution offers a game as an entry point of the group ``marchland.games``:

    [project.entry-points."marchland.games"]
    toy = "toy_game:Toy"

Nothing is imported before a game is used, and distributions are searched only when a name is not built in.
"""

import functools
import importlib
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from marchland.errors import GameImportError, RegistrationError, UnknownNameError, choices, did_you_mean

if TYPE_CHECKING:
    from marchland.core.game import Game

GROUP = "marchland.games"
"""The entry-point group of games in other distributions."""

BUILTIN = {
    "boidvoid": "marchland.games.boidvoid.game:BoidVoid",
    "colorfight": "marchland.games.colorfight.game:Colorfight",
    "datspulse": "marchland.games.datspulse.game:Datspulse",
    "enova": "marchland.games.enova.game:Enova",
    "hive": "marchland.games.hive.game:Hive",
}

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_PLACE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")

_registered: dict[str, str] = {}
_failures: dict[str, str] = {}
"""Why games could not be imported: a server lists its games often, and tries each import once."""


class _Offer(NamedTuple):
    """An entry point of an installed distribution."""

    place: str
    distribution: str
    """Its name and version."""


def games() -> list[str]:
    """The names of the games."""
    return sorted({*BUILTIN, *_registered, *(name for name, offers in _offers().items() if len(offers) == 1)})


def register(name: str, place: str) -> None:
    """Add a game to this process: ``place`` is ``"package.module:Class"``, imported when the game is first used.

    Other processes do not know it: a server and its workers need an entry point of the group ``marchland.games``.
    """
    if not _NAME.fullmatch(name):
        raise RegistrationError(
            f"A game's name is a small letter, then small letters, digits, - or _, at most 40, not {name!r}."
        )
    if not _PLACE.fullmatch(place):
        raise RegistrationError(f'A game is registered as "package.module:Class", not {place!r}.')
    taken = _place_of(name)
    if taken is not None and taken != place:
        raise RegistrationError(f"There is a game {name!r} already: {taken}; {place} needs another name.")
    if name not in BUILTIN:
        _registered[name] = place


def unregister(name: str) -> None:
    """Remove a game that `register` added."""
    if name not in _registered:
        raise UnknownNameError(f"No game {name!r} is registered; {did_you_mean(name, _registered)}")
    del _registered[name]
    _failures.pop(name, None)


def find(name: str) -> "type[Game]":
    """The class of the game called ``name``."""
    return _import(name, locate(name))


def find_all() -> "dict[str, type[Game]]":
    """The classes of all games by name; a game that cannot be imported is logged and left out."""
    found = {}
    for name in games():
        is_new = name not in _failures
        try:
            found[name] = find(name)
        except GameImportError as problem:
            if is_new:
                _warn(str(problem))
    return found


def locate(name: str) -> str:
    """Where the game called ``name`` is imported from: ``"package.module:Class"``."""
    place = _place_of(name) if isinstance(name, str) else None
    if place is None:
        raise UnknownNameError(f"There is no game {name!r}; {did_you_mean(str(name), games())}")
    return place


def _place_of(name: str) -> str | None:
    if place := BUILTIN.get(name) or _registered.get(name):
        return place
    offers = _offers().get(name, [])
    if len(offers) > 1:
        raise RegistrationError(_conflict(name, offers))
    return offers[0].place if offers else None


@functools.cache
def _offers() -> dict[str, list[_Offer]]:
    """The entry points of installed distributions by name; those that cannot be used are logged and left out."""
    from importlib.metadata import entry_points  # takes 10 ms, and built-in games do not need it

    found: dict[str, list[_Offer]] = {}
    for point in entry_points(group=GROUP):
        distribution = f"{point.dist.name} {point.dist.version}" if point.dist else "a distribution"
        if point.name in BUILTIN:
            _warn(f"{distribution} offers a game {point.name!r}, but marchland itself has one; it is ignored.")
        elif not _NAME.fullmatch(point.name) or not _PLACE.fullmatch(point.value):
            _warn(f"{distribution} offers a game as {point.name} = {point.value}, which is no name and no class.")
        else:
            found.setdefault(point.name, []).append(_Offer(point.value, distribution))
    for name, offers in found.items():
        if len(offers) > 1:
            _warn(_conflict(name, offers))
    return found


def _conflict(name: str, offers: list[_Offer]) -> str:
    distributions = choices(offer.distribution for offer in offers)
    return f"{distributions} both offer a game {name!r}; uninstall all but one."


def _warn(message: str) -> None:
    import logging  # here, so that `import marchland` stays fast

    logging.getLogger(__name__).warning(message)


def _import(name: str, place: str) -> "type[Game]":
    if name in _failures:
        raise GameImportError(_failures[name])
    try:
        return _load(name, place)
    except Exception as problem:
        if name in BUILTIN:
            raise
        source = "" if name in _registered else f" of {_offers()[name][0].distribution}"
        why = f"{type(problem).__name__}: {problem}"
        _failures[name] = f"The game {name!r}{source} cannot be loaded from {place}: {why}."
        raise GameImportError(_failures[name]) from problem


@functools.cache
def _load(name: str, place: str) -> "type[Game]":
    from marchland.messages._prepare import prepare_types

    module, _, attribute = place.partition(":")
    kind: type[Game] = getattr(importlib.import_module(module), attribute)
    if name not in BUILTIN:
        _check_class(name, kind)
    prepare_types()  # its settings, orders and maps may be read in any thread from now on
    return kind


def _check_class(name: str, kind: Any) -> None:
    base = importlib.import_module("marchland.core.game").Game  # by name, so that the registry imports no engine
    if not (isinstance(kind, type) and issubclass(kind, base)):
        raise TypeError("it is no subclass of marchland.Game")
    found: type[Game] = kind
    if found.name != name:
        raise ValueError(f"the class calls itself {found.name!r}; replays and snapshots need the same name")
