"""The matches of Colorfight's rooms. Their map is generated in advance: clients see it before the start."""

import asyncio
from typing import Any

import msgspec
import numpy as np
from sqlalchemy import Connection

import marchland
from marchland.errors import Refused
from marchland.games.colorfight.rules.state import HOME, Cells
from marchland.messages import Every, MatchCreate, SeatInfo, SeatRequest
from marchland.server.matches.queries import MatchRow
from marchland.server.matches.setup import StartPlan
from marchland.server.wire import queries as wire_queries
from marchland.server.wire.colorfight.settings import RoomSettings
from marchland.server.wire.queries import WirePlayer

GAME = "colorfight"


async def new_match(room: str, settings: RoomSettings) -> MatchCreate:
    """The request for a room's next match, with a new map."""
    config = {
        "width": settings.width,
        "height": settings.height,
        "max_turn": settings.max_turn,
        "late_join": settings.allow_join_after_start,
    }
    bots = [SeatRequest("builtin", bot) for bot in settings.bots]
    return MatchCreate(
        GAME,
        [*bots, *[SeatRequest()] * (settings.max_player - len(bots))],
        name=slot_name(room),
        rules="upstream",
        config=config,
        map=await asyncio.to_thread(_generate_map, config, settings.max_player),
        clock=Every(settings.round_time, early=settings.early),
        auto_start=settings.first_round_time == "full",
        spectator_delay=0,
    )


def slot_name(room: str) -> str:
    """The name of the room's matches, and of their slot."""
    return f"colorfight {room}"


def _generate_map(config: dict[str, Any], players: int) -> dict[str, Any]:
    """A map as data, with a home for each possible player."""
    game = marchland.new(GAME, players, rules="upstream", config=config)
    cells: Cells = game.arrays(Cells)
    homes = np.flatnonzero(cells.building == HOME)
    by_seat = homes[np.argsort(cells.owner[homes])]
    shape = (config["height"], config["width"])
    return {
        **{
            name: getattr(cells, name).reshape(shape).tolist()
            for name in ("natural_gold", "natural_energy", "natural_cost")
        },
        "homes": game.board.coords[by_seat].tolist(),
    }


def taken_seats(row: MatchRow) -> list[SeatInfo]:
    """The seats that are not open, before the start."""
    return [seat for seat in row.seats if seat.kind != "open"]


def map_for(row: MatchRow) -> dict[str, Any]:
    """The map with the homes of the taken seats."""
    homes = row.request.map["homes"]
    return {**row.request.map, "homes": [homes[seat.seat] for seat in taken_seats(row)]}


def plan_start(row: MatchRow) -> StartPlan:
    """Start with the taken seats; each player retains the home and the number that clients were shown."""
    taken = taken_seats(row)
    if not taken:
        raise Refused("nobody", "No player has joined the game")

    def renumber_players(connection: Connection) -> None:
        known = {player.seat: player.secret for player in wire_queries.list_players(connection, row.id)}
        players = [WirePlayer(place, seat.seat + 1, known.get(seat.seat)) for place, seat in enumerate(taken)]
        wire_queries.replace_players(connection, row.id, players)

    seats = [msgspec.structs.replace(seat, seat=place) for place, seat in enumerate(taken)]
    return StartPlan(seats, map_for(row), lambda connection, seat=None: renumber_players(connection))


def uids(players: list[WirePlayer], seats: int) -> list[int]:
    """The number of each player by seat; players who join later are numbered on from there."""
    known = {player.seat: player.number for player in players}
    shift = max((player.number - player.seat for player in players), default=1)
    return [known.get(seat, seat + shift) for seat in range(seats)]
