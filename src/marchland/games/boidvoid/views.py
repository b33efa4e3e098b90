"""What a player knows of a BoidVoid match: the whole map (ruling 27), and of NFTs only the own ones."""

from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from marchland.core.orders import NO_CELL
from marchland.core.state import TURN
from marchland.games.boidvoid.maps.mapfile import LETTERS, OBSTACLE
from marchland.games.boidvoid.position import map_text
from marchland.games.boidvoid.position.nfts import item_texts
from marchland.games.boidvoid.position.units import SCORES, player_texts, unit_texts
from marchland.games.boidvoid.rules.constants import (
    B_ATTACK,
    B_CAPTURE,
    B_DEFENSE,
    B_MOVE,
    BONUSES,
    ITEMS,
    KINDS,
    LOCKED,
    NFT_KINDS,
    NO_ITEM,
    NO_TEAM,
    NO_UNIT,
    OWN_STATS,
    ROLES,
    STAT_NAMES,
    STATS,
    STATUSES,
    TASKS,
    TERRAINS,
    UNITS,
    USES,
)
from marchland.games.boidvoid.rules.state import Cells, Items, Land, Players, Sheets, Teams, Traits, Units

if TYPE_CHECKING:
    from marchland.games.boidvoid.game import BoidVoid

Arrays = dict[str, npt.NDArray[Any]]
STANDINGS = ("tiles", "points", "structures", "destroyed")
SETTINGS: Final = (
    *("base_move_cost", "min_move_cost", "action_points", "action_points_max", "capture_turns", "foreign_factor"),
    *("respawn_ship", "respawn_mothership", "battery_recharge", "level_limit", "boost_limit"),
)
"""The settings in an observation's ``settings``, in this order."""
LAND_BONUSES: Final = {"attack": B_ATTACK, "defense": B_DEFENSE, "movement": B_MOVE, "capture": B_CAPTURE}
"""The bonuses of tiles and points in an observation, as ``tile_attack`` and ``point_attack``; ``enter`` is the cost of
a step without superstructures and the modifiers of the unit."""
SEEN_STATS: Final = (
    *("attack", "defense", "cost_to_move", "range"),
    *("tile_attack", "tile_defense", "tile_movement"),
)
"""The modifiers of units in an observation, as ``unit_attack``."""


def view(game: "BoidVoid", player: int | None) -> dict[str, Any]:
    """The match as plain data; health and battery in hundredths."""
    seen = {**shared_view(game), **own_view(game, player)}
    return msgspec.json.decode(msgspec.json.encode(seen))  # type: ignore[no-any-return]


def encode_shared_view(game: "BoidVoid") -> bytes:
    """The JSON of `view` without `own_view`."""
    return msgspec.json.encode(shared_view(game))


def shared_view(game: "BoidVoid") -> dict[str, Any]:
    """What is the same for everyone, to be encoded."""
    teams: Teams = game.arrays(Teams)
    owned: list[list[list[int]]] = [[] for _ in range(game.config.teams)]
    for at, team in zip(game.board.coords.tolist(), game.arrays(Cells).owner.tolist(), strict=True):
        if team != NO_TEAM:
            owned[team].append(at)
    return {
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
    }


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
    """The state's own arrays, read-only; of NFTs the player's own."""
    units: Units = game.arrays(Units)
    rows, items = int(game.head[UNITS]), int(game.head[ITEMS])
    arrays: Arrays = {f"unit_{name}": column[:rows] for name, column in units._asdict().items()}
    sheets = game.arrays(Sheets).stat[: rows * STATS]
    for name in SEEN_STATS:
        arrays[f"unit_{name}"] = sheets[STAT_NAMES.index(name) :: STATS]
    held: Items = game.arrays(Items)
    arrays["unit_nft"] = np.where(units.item[:rows] == NO_ITEM, NO_ITEM, held.id[units.item[:rows]])
    arrays |= {f"player_{name}": column for name, column in game.arrays(Players)._asdict().items()}
    arrays |= {name: getattr(game.arrays(Cells), name) for name in ("owner", "obstacle", "point", "terrain")}
    own = np.flatnonzero(held.player[:items] == player)
    for name in ("id", "kind", "use", "template"):
        arrays[f"nft_{name}"] = getattr(held, name)[own]
    arrays["nft_traits"] = game.arrays(Traits).value[: items * STATS].reshape(items, STATS)[own, :OWN_STATS]
    land: Land = game.arrays(Land)
    for name, bonus in LAND_BONUSES.items():
        arrays[f"tile_{name}"], arrays[f"point_{name}"] = land.tile[bonus::BONUSES], land.point[bonus::BONUSES]
    movement = arrays["tile_movement"] + arrays["point_movement"]
    arrays["enter"] = np.maximum(game.config.base_move_cost + movement, game.config.min_move_cost).astype(np.int32)
    arrays["settings"] = np.array([getattr(game.config, name) for name in SETTINGS], np.int64)
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
        "nft": [unit.get("nft", NO_ITEM) for unit in units],
        "aim": [unit.get("aim", 0) for unit in units],
        **{name: [unit["stats"].get(name, 0) for unit in units] for name in SEEN_STATS},
        **{name: [unit.get(name, 0) for unit in units] for name in ("acted", "wait", "health", "battery", "ratio")},
    }
    found: Arrays = {f"unit_{name}": np.array(values) for name, values in columns.items()}
    found["player_team"] = np.array([player["team"] for player in seen["players"]])
    found["player_stake"] = np.array([player["stake"] for player in seen["players"]])
    found["player_role"] = np.array([ROLES.index(player["role"]) for player in seen["players"]])
    found["owner"], found["coords"] = owner, np.array(coords)
    found |= _land_bonuses(seen, coords)
    found["settings"] = np.array([seen["info"][name] for name in SETTINGS], np.int64)
    found["obstacle"] = np.array([tiles[y][x] == "#" for x, y in coords]).astype(np.int8)
    nfts = seen["nfts"]
    found["nft_id"] = np.array([nft["id"] for nft in nfts], np.int64)
    found["nft_kind"] = np.array([NFT_KINDS.index(nft["kind"]) for nft in nfts], np.int64)
    found["nft_use"] = np.array([USES.index(nft.get("use", "free")) for nft in nfts], np.int64)
    found["nft_template"] = np.array([nft.get("template", 0) for nft in nfts], np.int64)
    traits = [[nft.get("traits", {}).get(name, 0) for name in STAT_NAMES[:OWN_STATS]] for nft in nfts]
    found["nft_traits"] = np.array(traits, np.int64).reshape(-1, OWN_STATS)
    found["me"], found["turn"] = np.array([seen["me"]]), np.array([seen["turn"]])
    return make_read_only(found)


def _land_bonuses(seen: dict[str, Any], coords: list[list[int]]) -> Arrays:
    """What tiles and points of importance give, and the cost of entering them."""
    info, tiles = seen["info"], seen["map"]["tiles"]
    terrain_of = dict(zip(LETTERS, TERRAINS, strict=True))
    own, points = (
        {tuple(place["at"]): place["bonuses"] for place in seen["map"].get(of, [])} for of in ("bonuses", "points")
    )
    found: Arrays = {}
    for name, bonus in LAND_BONUSES.items():
        usual = {letter: info[terrain_of.get(letter, TERRAINS[0])][bonus] for letter in (*LETTERS, OBSTACLE)}
        tile = [own[x, y][name] if (x, y) in own else usual[tiles[y][x]] for x, y in coords]
        point = [points[x, y][name] if (x, y) in points else 0 for x, y in coords]
        found[f"tile_{name}"], found[f"point_{name}"] = np.array(tile), np.array(point)
    movement = found["tile_movement"] + found["point_movement"]
    found["enter"] = np.maximum(info["base_move_cost"] + movement, info["min_move_cost"]).astype(np.int32)
    return found
