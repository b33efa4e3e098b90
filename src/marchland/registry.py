"""Which games there are: a name and where it is imported from. Nothing heavy is loaded before a game starts."""

import importlib
from functools import cache
from typing import TYPE_CHECKING

from marchland.errors import UnknownNameError, did_you_mean

if TYPE_CHECKING:
    from marchland.core.game import Game

GAMES = {
    "colorfight": "marchland.games.colorfight.game:Colorfight",
    "hive": "marchland.games.hive.game:Hive",
    "enova": "marchland.games.enova.game:Enova",
    "datspulse": "marchland.games.datspulse.game:Datspulse",
    "boidvoid": "marchland.games.boidvoid.game:BoidVoid",
}


def games() -> list[str]:
    """The names of the games."""
    return sorted(GAMES)


def find(name: str) -> "type[Game]":
    """The class of the game called ``name``."""
    if not isinstance(name, str) or name not in GAMES:
        raise UnknownNameError(f"There is no game {name!r}; {did_you_mean(str(name), games())}")
    return _imported(GAMES[name])


@cache
def _imported(place: str) -> "type[Game]":
    from marchland.messages.learning import learn_types  # here, so that `import marchland` does not load msgspec

    module, _, attribute = place.partition(":")
    kind: type[Game] = getattr(importlib.import_module(module), attribute)
    learn_types()  # its settings, orders and maps may be read in any thread from now on
    return kind
