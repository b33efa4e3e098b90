"""The state as the public server sent it: one JSON text a turn for all clients, joined from prepared pieces."""

import functools
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
import numpy as np

from marchland.board import Board
from marchland.core.state import NO_PLAYER
from marchland.games.colorfight import views
from marchland.games.colorfight.rules.config import ColorfightConfig
from marchland.games.colorfight.rules.state import TOP_LEVEL, Cells, Players
from marchland.messages import Raw

if TYPE_CHECKING:
    from marchland.games.colorfight.game import Colorfight

HEADERS: Final = (
    "attack_cost",
    "force_field",
    "building",
    "gold",
    "energy",
    "owner",
    "position",
    "natural_gold",
    "natural_energy",
    "natural_cost",
)
_LETTERS: Final = " hegf"
_BUILDINGS: Final = [
    [Raw(msgspec.json.encode([letter, level if code else 1])) for level in range(TOP_LEVEL + 1)]
    for code, letter in enumerate(_LETTERS)
]
_HEAD: Final = b',"game_map":{"headers":' + msgspec.json.encode(HEADERS) + b',"data":'
_VERSION: Final = 2
_CELLS_OF_A_TAX_LEVEL: Final = 100

_encode = msgspec.json.Encoder().encode


class Room(NamedTuple):
    """What the state holds besides the match."""

    game_id: str
    max_player: int
    round_time: float
    start_count_down: int
    allow_manual_mode: bool
    chat: Sequence[Mapping[str, str] | Raw]
    uids: Sequence[int]
    """By seat, the number that the wire shows; 0 means no player."""
    verified: Sequence[bool]


def before_start(config: ColorfightConfig, names: Sequence[str], map: Mapping[str, Any]) -> "Colorfight":
    """The match before it begins, at turn 0: every player has a home and no income yet."""
    from marchland.games.colorfight.game import Colorfight

    return Colorfight._create(config, names, map, (0, 0))


def state_bytes(game: "Colorfight", room: Room, errors: Mapping[int, Sequence[str]]) -> bytes:
    """The state; ``errors`` by seat. Once turns are played every player has a list, which may be empty."""
    config: ColorfightConfig = game.config
    info = {
        "max_turn": config.max_turn,
        "max_player": room.max_player,
        "width": config.width,
        "height": config.height,
        "round_time": float(room.round_time),
        "start_count_down": room.start_count_down,
        "allow_manual_mode": room.allow_manual_mode,
        "game_id": room.game_id,
        "replay_version": _VERSION,
        "game_version": _VERSION,
    }
    listed = {str(room.uids[seat]): errors.get(seat, ()) for seat in range(len(game.players) if game.turn else 0)}
    return b"".join(
        (
            b'{"turn":%d,"info":%b,"chat":%b,"error":%b'
            % (game.turn, _encode(info), _encode(room.chat), _encode(listed)),
            _HEAD,
            _encode(_map(game, room.uids)),
            b'},"users":',
            _encode(_users(game, room)),
            b"}",
        )
    )


@functools.lru_cache(maxsize=16)
def _places(board: Board) -> list[bytes]:
    return [b"[%d,%d]" % (x, y) for x, y in board.coords.tolist()]


@functools.lru_cache(maxsize=64)
def _ends(board: Board, gold: bytes, energy: bytes, cost: bytes) -> list[Raw]:
    """How the text of each cell ends: position and natural values, which never change."""
    costs = np.frombuffer(cost, np.int16).tolist()
    return [Raw(b"%b,%d,%d,%d" % row) for row in zip(_places(board), gold, energy, costs, strict=True)]


def _map(game: "Colorfight", uids: Sequence[int]) -> list[list[tuple[Any, ...]]]:
    """The cells, [y][x], each a list of the values that the headers name."""
    cells: Cells = game.arrays(Cells)
    energy, gold = views.yields(cells, game.config.home_income)
    owners = np.array([*uids, 0])[cells.owner]  # NO_PLAYER is -1, so it takes the last
    natural = (values.tobytes() for values in (cells.natural_gold, cells.natural_energy, cells.natural_cost))
    flat = list(
        zip(
            views.attack_costs(game).tolist(),
            cells.force_field.tolist(),
            [
                _BUILDINGS[code][level]
                for code, level in zip(cells.building.tolist(), cells.level.tolist(), strict=True)
            ],
            gold.tolist(),
            energy.tolist(),
            owners.tolist(),
            _ends(game.board, *natural),
            strict=True,
        )
    )
    width = game.config.width
    return [flat[start : start + width] for start in range(0, len(flat), width)]


def _users(game: "Colorfight", room: Room) -> dict[str, dict[str, Any]]:
    players: Players = game.arrays(Players)
    columns = {name: values.tolist() for name, values in players._asdict().items()}
    gold, owned = columns["gold"], _owned(game)
    return {
        str(room.uids[seat]): {
            "uid": room.uids[seat],
            "username": name,
            "verified": room.verified[seat],
            "ranking": 1 + sum(other > gold[seat] for other in gold),
            "energy": columns["energy"][seat],
            "gold": gold[seat],
            "dead": bool(columns["dead"][seat]),
            "energy_source": columns["energy_source"][seat],
            "gold_source": columns["gold_source"][seat],
            "tech_level": columns["tech_level"][seat],
            "tax_level": columns["cells"][seat] // _CELLS_OF_A_TAX_LEVEL,
            "tax_amount": columns["tax"][seat],
            "building_number": columns["resource_buildings"][seat],
            "cell_number": columns["cells"][seat],
            "cells": owned[seat],
        }
        for seat, name in enumerate(game.players)
    }


def _owned(game: "Colorfight") -> list[Raw]:
    """For each player the positions of its cells, row by row."""
    owner, places = game.arrays(Cells).owner, _places(game.board)
    order = np.argsort(owner, kind="stable")
    bounds = np.searchsorted(owner[order], np.arange(NO_PLAYER + 1, len(game.players) + 1)).tolist()
    listed = order.tolist()
    return [Raw(b"[%b]" % b",".join([places[cell] for cell in listed[a:b]])) for a, b in pairwise(bounds)]
