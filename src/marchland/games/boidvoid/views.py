"""What a player knows of a BoidVoid match: the whole map (ruling 27), and of NFTs only the own ones."""

from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import numpy.typing as npt

from marchland.core.orders import NO_CELL
from marchland.core.state import TURN
from marchland.games.boidvoid.maps.mapfile import LETTERS
from marchland.games.boidvoid.position import map_text
from marchland.games.boidvoid.position.nfts import item_texts
from marchland.games.boidvoid.position.units import SCORES, player_texts, unit_texts
from marchland.games.boidvoid.rules.constants import (
    ATTACK,
    B_MOVE,
    BONUSES,
    DEFENSE,
    ITEMS,
    KINDS,
    LOCKED,
    NFT_KINDS,
    NO_TEAM,
    NO_UNIT,
    RANGE,
    ROLES,
    STATS,
    STATUSES,
    TASKS,
    TERRAINS,
    UNITS,
    USES,
)
from marchland.games.boidvoid.rules.state import Cells, Items, Land, Players, Sheets, Teams, Units

if TYPE_CHECKING:
    from marchland.games.boidvoid.game import BoidVoid

Arrays = dict[str, npt.NDArray[Any]]
STANDINGS = ("tiles", "points", "structures", "destroyed")


def view(game: "BoidVoid", player: int | None) -> dict[str, Any]:
    """The match as plain data; health and battery in hundredths."""
    teams: Teams = game.arrays(Teams)
    owned: list[list[list[int]]] = [[] for _ in range(game.config.teams)]
    for at, team in zip(game.board.coords.tolist(), game.arrays(Cells).owner.tolist(), strict=True):
        if team != NO_TEAM:
            owned[team].append(at)
    seen = {
        "turn": game.turn,
        "locked": bool(game.head[LOCKED]),
        "info": game.config.values(),
        "map": map_text(game),
        "teams": [
            {"team": team, "owned": owned[team], **{name: int(getattr(teams, name)[team]) for name in STANDINGS}}
            for team in range(game.config.teams)
        ],
        "players": player_texts(game),
        "scoreboard": scoreboard(game),
        "units": [unit for unit in unit_texts(game) if unit.status != STATUSES[0]],
        **own_view(game, player),
    }
    return msgspec.json.decode(msgspec.json.encode(seen))  # type: ignore[no-any-return]


def own_view(game: "BoidVoid", player: int | None) -> dict[str, Any]:
    """Who looks, the failed orders of that player, and its NFTs."""
    mine = [item for item in item_texts(game) if player is not None and item.player == player]
    return {
        "me": player,
        "error": [] if player is None else [entry["sentence"] for entry in game.errors(player)],
        "nfts": mine,
        "album": [item.id for item in mine if item.kind == "collectible"],
    }


def scoreboard(game: "BoidVoid") -> list[dict[str, Any]]:
    """Every player's figures, the busiest captor first."""
    players: Players = game.arrays(Players)
    rows = [
        {"player": seat, "name": name, **{score: int(getattr(players, score)[seat]) for score in SCORES}}
        for seat, name in enumerate(game.players)
    ]
    return sorted(rows, key=lambda row: [-row[score] for score in SCORES])


def observe(game: "BoidVoid", player: int) -> Arrays:
    """The state's own arrays, read-only; of NFTs only the player's own are filled in."""
    units: Units = game.arrays(Units)
    rows, items = int(game.head[UNITS]), int(game.head[ITEMS])
    arrays: Arrays = {f"unit_{name}": column[:rows] for name, column in units._asdict().items()}
    sheets = game.arrays(Sheets).stat[: rows * STATS]
    for name, stat in (("range", RANGE), ("attack", ATTACK), ("defense", DEFENSE)):
        arrays[f"unit_{name}"] = sheets[stat::STATS]
    arrays |= {f"player_{name}": column for name, column in game.arrays(Players)._asdict().items()}
    arrays |= {name: getattr(game.arrays(Cells), name) for name in ("owner", "obstacle", "point", "terrain")}
    held: Items = game.arrays(Items)
    own = held.player[:items] == player
    for name in ("id", "kind", "use"):
        arrays[f"nft_{name}"] = np.where(own, getattr(held, name)[:items], -1)
    land: Land = game.arrays(Land)
    movement = land.tile[B_MOVE::BONUSES] + land.point[B_MOVE::BONUSES]
    arrays["enter"] = np.maximum(game.config.base_move_cost + movement, game.config.min_move_cost).astype(np.int32)
    arrays["coords"] = game.board.coords.view()
    arrays["me"] = np.array([player], np.int64)
    arrays["turn"] = game.head[TURN : TURN + 1]
    return make_read_only(arrays)


def make_read_only(arrays: Arrays) -> Arrays:
    """The arrays, read-only: they may be the match itself."""
    for name, array in arrays.items():
        arrays[name] = array.view()
        arrays[name].flags.writeable = False
    return arrays


def observation_from_view(seen: dict[str, Any]) -> Arrays:
    """The arrays that bots need, from a view that came over the network; rows are those of the units that are left."""
    tiles = seen["map"]["tiles"]
    coords = [[x, y] for y, row in enumerate(tiles) for x, letter in enumerate(row) if letter != " "]
    cell_of = {tuple(at): cell for cell, at in enumerate(coords)}
    row_of = {unit["id"]: row for row, unit in enumerate(seen["units"])}
    owner = np.full(len(coords), NO_TEAM)
    for team in seen["teams"]:
        owner[[cell_of[tuple(at)] for at in team["owned"]]] = team["team"]
    units = seen["units"]
    first_ship: dict[int, int] = {}
    for unit in reversed(units):
        if unit.get("swarm") is not None:
            first_ship[unit["swarm"]] = row_of[unit["id"]]
    columns = {
        "id": [unit["id"] for unit in units],
        "kind": [KINDS.index(unit["kind"]) for unit in units],
        "status": [STATUSES.index(unit["status"]) for unit in units],
        "task": [TASKS.index(unit.get("task")) for unit in units],
        "team": [unit.get("team", NO_TEAM) for unit in units],
        "cell": [cell_of[tuple(unit["at"])] if unit.get("at") else NO_CELL for unit in units],
        "swarm": [
            row_of[unit["swarm"]] if unit.get("swarm") is not None else first_ship.get(unit["id"], NO_UNIT)
            for unit in units
        ],
        "points": [unit.get("action_points", 0) for unit in units],
        **{name: [unit["stats"].get(name, 0) for unit in units] for name in ("range", "attack", "defense")},
        **{name: [unit.get(name, 0) for unit in units] for name in ("acted", "wait", "health", "battery", "ratio")},
    }
    found: Arrays = {f"unit_{name}": np.array(values) for name, values in columns.items()}
    found["player_team"] = np.array([player["team"] for player in seen["players"]])
    found["player_role"] = np.array([ROLES.index(player["role"]) for player in seen["players"]])
    found["owner"], found["coords"] = owner, np.array(coords)
    found["enter"] = _entry_costs(seen, coords)
    found["obstacle"] = np.array([tiles[y][x] == "#" for x, y in coords]).astype(np.int8)
    found["nft_id"] = np.array([nft["id"] for nft in seen["nfts"]], np.int64)
    found["nft_kind"] = np.array([NFT_KINDS.index(nft["kind"]) for nft in seen["nfts"]], np.int64)
    found["nft_use"] = np.array([USES.index(nft.get("use", "free")) for nft in seen["nfts"]], np.int64)
    found["me"], found["turn"] = np.array([seen["me"]]), np.array([seen["turn"]])
    return make_read_only(found)


def _entry_costs(seen: dict[str, Any], coords: list[list[int]]) -> npt.NDArray[np.int32]:
    """What entering each tile costs, but for superstructures and the ship itself."""
    info, tiles = seen["info"], seen["map"]["tiles"]
    name = dict(zip(LETTERS, TERRAINS, strict=True))
    extra = {(x, y): info[name.get(tiles[y][x], TERRAINS[0])][B_MOVE] for x, y in coords}
    for place in seen["map"].get("bonuses", []):
        extra[tuple(place["at"])] = place["bonuses"]["movement"]
    for place in seen["map"].get("points", []):
        extra[tuple(place["at"])] += place["bonuses"]["movement"]
    costs = [max(info["base_move_cost"] + extra[x, y], info["min_move_cost"]) for x, y in coords]
    return np.array(costs, np.int32)
