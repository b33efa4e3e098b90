"""The matches of Colorfight's rooms: made with a map that can be shown before anybody plays on it, and started."""

import asyncio
from typing import Any

import msgspec
import numpy as np
from sqlalchemy import Connection

import marchland
from marchland.errors import Refused
from marchland.games.colorfight.rules.state import HOME, Cells
from marchland.messages import Every, NewMatch, SeatInfo, SeatWish
from marchland.server.matches.queries import MatchRow
from marchland.server.matches.setup import StartPlan
from marchland.server.wire import queries as wire_queries
from marchland.server.wire.colorfight.settings import RoomSettings
from marchland.server.wire.queries import WirePlayer

WIRE = "colorfight"


async def new_match(room: str, settings: RoomSettings) -> NewMatch:
    """The wish for a room's next match, with a map of its own."""
    config = {
        "width": settings.width,
        "height": settings.height,
        "max_turn": settings.max_turn,
        "late_join": settings.allow_join_after_start,
    }
    bots = [SeatWish("builtin", bot) for bot in settings.bots]
    return NewMatch(
        WIRE,
        [*bots, *[SeatWish()] * (settings.max_player - len(bots))],
        name=place_of(room),
        rules="upstream",
        config=config,
        map=await asyncio.to_thread(_drawn_map, config, settings.max_player),
        clock=Every(settings.round_time, early=settings.early),
        auto_start=settings.first_round_time == "full",
        spectator_delay=0,
    )


def place_of(room: str) -> str:
    """What the room is called among all matches."""
    return f"colorfight {room}"


def _drawn_map(config: dict[str, Any], players: int) -> dict[str, Any]:
    """A map with a home for each of the most players, as data."""
    game = marchland.new(WIRE, players, rules="upstream", config=config)
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


def present(row: MatchRow) -> list[SeatInfo]:
    """The seats of a match that has not started which somebody has taken."""
    return [seat for seat in row.seats if seat.kind != "open"]


def map_for(row: MatchRow) -> dict[str, Any]:
    """The map with the homes of those who are there."""
    homes = row.wish.map["homes"]
    return {**row.wish.map, "homes": [homes[seat.seat] for seat in present(row)]}


def cast(row: MatchRow) -> StartPlan:
    """Those who are there play; each keeps its home and the number it was told."""
    kept = present(row)
    if not kept:
        raise Refused("nobody", "Nobody has joined the game")

    def number_them(connection: Connection) -> None:
        known = {player.seat: player.secret for player in wire_queries.players(connection, row.id)}
        seated = [WirePlayer(place, seat.seat + 1, known.get(seat.seat)) for place, seat in enumerate(kept)]
        wire_queries.renumber(connection, row.id, seated)

    seats = [msgspec.structs.replace(seat, seat=place) for place, seat in enumerate(kept)]
    return StartPlan(seats, map_for(row), lambda connection, seat=None: number_them(connection))


def uids(players: list[WirePlayer], seats: int) -> list[int]:
    """By seat, the number that each player was told; later ones count on."""
    known = {player.seat: player.number for player in players}
    shift = max((player.number - player.seat for player in players), default=1)
    return [known.get(seat, seat + shift) for seat in range(seats)]
