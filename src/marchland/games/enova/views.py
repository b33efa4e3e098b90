"""What a player knows of an Enova match: everything but other players' orders (ruling 12)."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from marchland.core.state import NO_PLAYER, TURN
from marchland.games.enova.maps.mapfile import write_rows
from marchland.games.enova.maps.worlds import sides_of
from marchland.games.enova.rules.state import Cells, Players
from marchland.games.enova.rules.terrain import SYMBOLS
from marchland.games.enova.scene import FIGURES

if TYPE_CHECKING:
    from marchland.games.enova.game import Enova

Observation = dict[str, npt.NDArray[Any]]

_SETTINGS = ("diagonals", "production", "variance_percent", "turn_limit")


def view(game: "Enova", player: int | None) -> dict[str, Any]:
    """The board row by row, and every player's figures."""
    cells: Cells = game.arrays(Cells)
    width, height = sides_of(game.board)
    return {
        "turn": game.turn,
        "info": game.config.values(),
        "size": [width, height],
        "torus": game.board.wrap,
        "map": write_rows(cells.terrain.reshape(height, width)),
        "owner": _owners_or_none(cells.owner).reshape(height, width).tolist(),
        "units": cells.units.reshape(height, width).tolist(),
        "players": players(game),
        **own_view(game, player),
    }


def own_view(game: "Enova", player: int | None) -> dict[str, Any]:
    """Who looks, and the failed orders of that player."""
    return {"me": player, "failed": [] if player is None else list_failed(game, player)}


def list_failed(game: "Enova", player: int) -> list[dict[str, Any]]:
    """The player's orders that failed last turn, and why."""
    return [{name: entry[name] for name in ("order", "reason", "sentence")} for entry in game.errors(player)]


def _owners_or_none(owner: npt.NDArray[np.int32]) -> npt.NDArray[np.object_]:
    """Owners for JSON: None for a tile without one."""
    named = owner.astype(object)
    named[owner == NO_PLAYER] = None
    return named


def players(game: "Enova") -> list[dict[str, Any]]:
    """Every player by seat."""
    had: Players = game.arrays(Players)
    columns = zip(*(getattr(had, name).tolist() for name in FIGURES), had.dead.tolist(), strict=True)
    listed = [
        {"player": seat, "name": name, "alive": not dead, "castles": castles, "tiles": tiles, "units": units}
        for seat, (name, (castles, tiles, units, dead)) in enumerate(zip(game.players, columns, strict=True))
    ]
    for seat, turn in enumerate(game.departure_turns()):
        if turn:
            listed[seat]["left"] = turn
    return listed


def observe(game: "Enova", player: int) -> Observation:
    """The state's own arrays, read-only, and who looks at what time."""
    arrays = {
        **game.arrays(Cells)._asdict(),
        **{f"player_{name}": a for name, a in game.arrays(Players)._asdict().items()},
    }
    arrays["me"] = np.array([player], np.int64)
    arrays["size"] = np.array(sides_of(game.board), np.int64)
    arrays["torus"] = np.array([game.board.wrap], np.int64)
    for name in _SETTINGS:
        arrays[name] = np.array([getattr(game.config, name)], np.int64)
    arrays["turn"] = game.head[TURN : TURN + 1]
    for array in arrays.values():
        array.flags.writeable = False
    return arrays


def observation_from_view(view: dict[str, Any]) -> Observation:
    """The arrays of `observe` from a view that came over the network."""
    listed = view["players"]
    arrays: Observation = {
        "terrain": np.array([SYMBOLS.index(mark) for row in view["map"] for mark in row], np.int8),
        "owner": np.array([NO_PLAYER if who is None else who for row in view["owner"] for who in row], np.int32),
        "units": np.array(view["units"], np.int64).reshape(-1),
        "player_dead": np.array([not player["alive"] for player in listed], np.int8),
        "me": np.array([view["me"]], np.int64),
        "size": np.array(view["size"], np.int64),
        "torus": np.array([view["torus"]], np.int64),
        "turn": np.array([view["turn"]], np.int64),
    }
    for name in FIGURES:
        arrays[f"player_{name}"] = np.array([player[name] for player in listed], np.int64)
    for name in _SETTINGS:
        arrays[name] = np.array([view["info"][name]], np.int64)
    return arrays
