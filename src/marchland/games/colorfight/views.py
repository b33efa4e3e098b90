"""What a player knows of a Colorfight match: everything but other players' failed orders. Names are the seed's."""

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import numpy.typing as npt

from marchland.core.rules_array import rules_array
from marchland.core.state import NO_PLAYER, TURN
from marchland.games.colorfight.rules.config import ColorfightConfig
from marchland.games.colorfight.rules.state import BUILDINGS, EMPTY, FORTRESS, HOME, MINE, WELL, Cells, Players
from marchland.games.colorfight.wire.map_text import objects_text
from marchland.games.colorfight.wire.users_text import players_text

if TYPE_CHECKING:
    from marchland.games.colorfight.game import Colorfight

Numbers = npt.NDArray[np.int64]


def view(game: "Colorfight", player: int | None) -> dict[str, Any]:
    """The seed's ``get_game_info``, with ``me`` for the seat that looks."""
    return {
        "turn": game.turn,
        "info": game.config.values(),
        "game_map": game_map(game),
        "users": users(game),
        **own_view(game, player),
    }


def encode_shared_view(game: "Colorfight") -> bytes:
    """The JSON of `view` without `own_view`, written from the state by kernels."""
    head = b'{"turn":%d,"info":%b,"game_map":' % (game.turn, msgspec.json.encode(game.config.values()))
    return b"".join((head, objects_text(game), b',"users":', players_text(game), b"}"))


def own_view(game: "Colorfight", player: int | None) -> dict[str, Any]:
    """Who looks, and the failed orders of that player."""
    errors = {} if player is None else {str(player): [f"{entry['sentence']}" for entry in game.errors(player)]}
    return {"me": player, "error": errors}


def game_map(game: "Colorfight") -> list[list[dict[str, Any]]]:
    """Every cell, [y][x]."""
    cells: Cells = game.arrays(Cells)
    energy, gold = yields(cells, game.config.home_income)
    columns = (
        game.board.coords.tolist(),
        cells.building.tolist(),
        cells.level.tolist(),
        attack_costs(game).tolist(),
        cells.owner.tolist(),
        gold.tolist(),
        energy.tolist(),
        cells.natural_gold.tolist(),
        cells.natural_energy.tolist(),
        cells.natural_cost.tolist(),
        cells.force_field.tolist(),
    )
    flat = [
        {
            "position": position,
            "building": {"name": BUILDINGS[building], "level": level},  # ruling 25
            "attack_cost": attack_cost,
            "owner": None if owner == NO_PLAYER else owner,
            "gold": cell_gold,
            "energy": cell_energy,
            "natural_gold": natural_gold,
            "natural_energy": natural_energy,
            "natural_cost": natural_cost,
            "force_field": force_field,
        }
        for (
            position,
            building,
            level,
            attack_cost,
            owner,
            cell_gold,
            cell_energy,
            natural_gold,
            natural_energy,
            natural_cost,
            force_field,
        ) in zip(*columns, strict=True)
    ]
    width = game.config.width
    return [flat[start : start + width] for start in range(0, len(flat), width)]


def users(game: "Colorfight") -> dict[str, dict[str, Any]]:
    """Every player by id, with the cells it owns."""
    players: Players = game.arrays(Players)
    owned = cells_by_owner(game)
    return {
        str(uid): {
            "uid": uid,
            "username": name,
            "energy": int(players.energy[uid]),
            "gold": int(players.gold[uid]),
            "dead": bool(players.dead[uid]),
            "tech_level": int(players.tech_level[uid]),
            "energy_source": int(players.energy_source[uid]),  # ruling 22
            "gold_source": int(players.gold_source[uid]),
            "tax_amount": int(players.tax[uid]),
            "cells": owned[uid],
        }
        for uid, name in enumerate(game.players)
    }


def cells_by_owner(game: "Colorfight") -> list[list[list[int]]]:
    """For each player the coordinates of its cells, row by row."""
    owner = game.arrays(Cells).owner
    order = np.argsort(owner, kind="stable")
    bounds = np.searchsorted(owner[order], np.arange(len(game.players) + 1))
    coords = game.board.coords[order]
    return [coords[start:stop].tolist() for start, stop in pairwise(bounds)]


def yields(cells: Cells, home_income: int) -> tuple[Numbers, Numbers]:
    """Energy and gold that each cell makes a turn."""
    level = cells.level.astype(np.int64)
    energy = cells.natural_energy * np.where(cells.building == WELL, 1 + level, 1)
    gold = cells.natural_gold * np.where(cells.building == MINE, 1 + level, 1)
    at_home = cells.building == HOME
    return np.where(at_home, home_income * level, energy), np.where(at_home, home_income * level, gold)


def attack_costs(game: "Colorfight") -> Numbers:
    """What it takes to capture each cell."""
    cells: Cells = game.arrays(Cells)
    level, field = cells.level.astype(np.int64), cells.force_field.astype(np.int64)
    plain = cells.natural_cost + field
    cost = np.where(cells.building == FORTRESS, plain * (1 + level), plain)
    homes = np.flatnonzero(cells.building == HOME)
    energy = game.arrays(Players).energy[cells.owner[homes]]
    if not game.config.debts_count:
        energy = np.maximum(energy, 0)
    cost[homes] = level[homes] * (game.config.home_defence + field[homes] + energy)
    return cost


def observe(game: "Colorfight", player: int) -> dict[str, npt.NDArray[Any]]:
    """The state's own arrays, read-only, and who looks at what time."""
    arrays = {
        **game.arrays(Cells)._asdict(),
        **{f"player_{name}": a for name, a in game.arrays(Players)._asdict().items()},
    }
    arrays["me"] = np.array([player], np.int64)
    arrays["size"] = np.array([game.config.width, game.config.height], np.int64)
    arrays["rules"] = rules_array(game.config)
    arrays["max_turn"] = np.array([game.config.max_turn], np.int64)
    arrays["turn"] = game.head[TURN : TURN + 1]
    return make_read_only(arrays)


def make_read_only(arrays: dict[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
    """The arrays, read-only: they may be the match itself, and kernels are compiled for one kind only."""
    for array in arrays.values():
        array.flags.writeable = False
    return arrays


def observation_from_view(view: dict[str, Any]) -> dict[str, npt.NDArray[Any]]:
    """The arrays of `observe` from a view that came over the network."""
    flat = [cell for row in view["game_map"] for cell in row]
    seen: dict[str, npt.NDArray[Any]] = {
        name: np.array([cell[name] for cell in flat], dtype)
        for name, dtype in (
            ("natural_cost", np.int16),
            ("natural_gold", np.int8),
            ("natural_energy", np.int8),
            ("force_field", np.int16),
        )
    }
    seen["owner"] = np.array([NO_PLAYER if cell["owner"] is None else cell["owner"] for cell in flat], np.int16)
    seen["building"] = np.array([BUILDINGS.index(cell["building"]["name"]) for cell in flat], np.int8)
    seen["level"] = np.array([cell["building"]["level"] for cell in flat], np.int8)
    listed = [view["users"][str(uid)] for uid in range(len(view["users"]))]
    for name in ("energy", "gold", "dead", "tech_level", "energy_source", "gold_source"):
        seen[f"player_{name}"] = np.array([user[name] for user in listed], np.int64)
    seen["player_tax"] = np.array([user["tax_amount"] for user in listed], np.int64)
    seen["player_cells"] = np.array([len(user["cells"]) for user in listed], np.int64)
    resource = np.isin(seen["building"], (WELL, MINE)) & (seen["building"] != EMPTY)
    seen["player_resource_buildings"] = np.bincount(seen["owner"][resource], minlength=len(listed)).astype(np.int64)
    seen["size"] = np.array([len(view["game_map"][0]), len(view["game_map"])], np.int64)
    seen["me"] = np.array([view["me"]], np.int64)
    seen["rules"] = rules_array(ColorfightConfig.build(view["info"]))
    seen["max_turn"] = np.array([view["info"]["max_turn"]], np.int64)
    seen["turn"] = np.array([view["turn"]], np.int64)
    return make_read_only(seen)
