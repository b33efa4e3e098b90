"""Marchland: an arena for simultaneous-turn territory games on hexes and squares.

game = marchland.new("colorfight", players=4, seed=7)
report = game.step({0: [{"do": "attack", "at": [3, 4], "energy": 120}]})
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from marchland.errors import (
    ConfigError,
    JoinRefusedError,
    MapError,
    MarchlandError,
    PositionError,
    ReplayError,
    SnapshotError,
    UnknownNameError,
)
from marchland.registry import find, games

if TYPE_CHECKING:
    from pathlib import Path

    from marchland.core.batch import Batch
    from marchland.core.game import Game
    from marchland.core.recording import Recording
    from marchland.core.replay import Replay

__version__ = "0.1.0"


def new(
    game: str,
    players: int | Sequence[str] = 2,
    *,
    seed: int | None = None,
    rules: str | None = None,
    config: Mapping[str, Any] | None = None,
    map: Any = None,
) -> "Game":
    """A new match, ready for its first orders.

    ``players`` is a number or a list of names. Equal seeds give equal matches; without one the dice are secret.
    ``rules`` names a preset, ``config`` changes single settings, ``map`` names or holds a map.
    """
    return find(game).new(players, seed=seed, rules=rules, config=config, map=map)


def restore(snapshot: bytes, *, trusted: bool = False) -> "Game":
    """The match that `Game.snapshot` saved.

    Kernels trust their state, so an untrusted snapshot is validated and rebuilt, which takes a while on a large board.
    Pass ``trusted=True`` only for bytes that this program or its server has written.
    """
    from marchland.core import snapshot as snapshot_form

    data = snapshot_form.read(snapshot)
    return (snapshot_form.unpack if trusted else snapshot_form.unpack_untrusted)(find(data.game), data)


def from_position(position: Mapping[str, Any]) -> "Game":
    """The match that a position describes, written by `Game.position` or by hand."""
    if not isinstance(position, Mapping) or "game" not in position:
        raise PositionError('A position is an object that names its "game".')
    return find(position["game"]).from_position(position)


def open_replay(path: "str | Path") -> "Replay":
    """The replay in a ``.march`` file."""
    from marchland.core.replay import Replay

    return Replay(path, find)


def __getattr__(name: str) -> Any:
    """Load what needs NumPy and LLVM on first use."""
    homes = {"Batch": "batch", "Game": "game", "Recording": "recording", "Replay": "replay"}
    if name not in homes:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"marchland.core.{homes[name]}"), name)


__all__ = [
    "Batch",
    "ConfigError",
    "Game",
    "JoinRefusedError",
    "MapError",
    "MarchlandError",
    "PositionError",
    "Recording",
    "Replay",
    "ReplayError",
    "SnapshotError",
    "UnknownNameError",
    "__version__",
    "find",
    "from_position",
    "games",
    "new",
    "open_replay",
    "restore",
]
