"""Validate a match request; plan seats, names and map."""

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection

import marchland
from marchland import maps, registry
from marchland.core.config import Config
from marchland.core.game import Game
from marchland.errors import Refused
from marchland.messages import AccountInfo, MatchCreate, SeatInfo, SeatRequest, Team
from marchland.messages.names import skeleton
from marchland.server.matches.queries import MatchRow
from marchland.store.ids import new_id

SeatWrite = Callable[[Connection, SeatInfo], None]
"""An extra write in the transaction that saves a seat."""


def no_extra_writes(connection: Connection, seat: SeatInfo | None = None) -> None:
    """The extra write that does nothing."""


class StartPlan(NamedTuple):
    """Seats and map with which a match starts."""

    seats: Sequence[SeatInfo]
    map: Any
    extra: Callable[..., None] = no_extra_writes
    """An extra write in the transaction of the start."""


PlanSeats = Callable[[MatchRow], StartPlan]


def validate_request(request: MatchCreate) -> tuple[type[Game], dict[str, Any]]:
    """The game and all its settings; raises if no match can be created from the request."""
    kind = marchland.find(request.game)
    values = kind.config_type.copy_values(request.config)
    if request.rules is not None:
        values[kind.config_type.preset_field] = request.rules
    config = kind.config_type.build(values)
    longest = kind.max_name_length(config)  # longer names are cut when the match starts
    names = names_of([seat_from_request(number, seat) for number, seat in enumerate(request.seats)], longest)
    kind.seat_names(names)
    for seat in request.seats:
        if seat.kind == "builtin" and seat.bot not in kind.bots:
            have = ", ".join(kind.bots)
            raise Refused("no_such_bot", "no_such_bot", game=kind.name, bot=seat.bot, bots=have)
    kind.check_setup(config, names, request.map)
    return kind, config.values()


def config_of(row: MatchRow) -> Config:
    """The settings of a stored match; settings that the game no longer has are ignored."""
    config_type = marchland.find(row.game).config_type
    values = {name: value for name, value in row.config.items() if name in config_type.__struct_fields__}
    return config_type.build(values)


def max_name_length(row: MatchRow) -> int:
    """The longest player name in a match."""
    return marchland.find(row.game).max_name_length(config_of(row))


def is_saved_map(map: Any) -> bool:
    """Whether a request names a map that is saved on the server."""
    return isinstance(map, dict) and set(map) == {"kept"} and isinstance(map["kept"], str)


def with_map_settings(request: MatchCreate, data: Any) -> MatchCreate:
    """The request with a map and the settings that the map asks for; settings of the request take precedence."""
    settings = maps.find_adapter(request.game).settings(data)
    return msgspec.structs.replace(request, map=data, config={**settings, **request.config})


def new_match_row(*, seats: list[SeatInfo], request: MatchCreate, **values: Any) -> MatchRow:
    """The row of a new match in the lobby."""
    unset: dict[str, Any] = dict.fromkeys(
        ("creator", "room", "forked_from", "password", "started", "ended", "closes", "outcome", "owner")
    )
    counted = {"open_turn": 0, "entries": 0, "epoch": 0}
    return MatchRow(
        id=new_id(), state="lobby", created=time.time(), request=request, seats=seats, **(unset | counted | values)
    )


def is_solo(seats: Sequence[SeatRequest | SeatInfo]) -> bool:
    """Whether a match has one seat for a player, and built-in bots or nothing in all others."""
    return sum(seat.kind not in ("builtin", "empty") for seat in seats) == 1


def seat_from_request(number: int, request: SeatRequest) -> SeatInfo:
    """The seat that a request asks for."""
    return SeatInfo(number, request.kind, request.name, None, request.bot if request.kind == "builtin" else "")


def rematch_seats(row: MatchRow) -> list[SeatRequest]:
    """The seats of a rematch: built-in bots and seats that were requested empty stay, all others are open."""
    empty = {number for number, request in enumerate(row.request.seats) if request.kind == "empty"}
    return [
        SeatRequest("builtin", seat.bot, seat.name)
        if seat.kind == "builtin"
        else SeatRequest("empty" if seat.seat in empty else "open")
        for seat in row.seats
    ]


def forked_seats(game: Game, requested: Sequence[SeatRequest] | None, account: AccountInfo) -> list[SeatInfo]:
    """Seats of a fork: as requested, else the caller against the game's best bot."""
    default_bot = "greedy" if "greedy" in game.bots else next(iter(game.bots))
    requests = list(requested or [SeatRequest(), *(SeatRequest("builtin", default_bot) for _ in game.players[1:])])
    if len(requests) != len(game.players):
        raise Refused("bad_request", "seat_count", seats=len(game.players), given=len(requests))
    seats = [seat_from_request(number, request) for number, request in enumerate(requests)]
    named = [msgspec.structs.replace(seat, name=name) for seat, name in zip(seats, game.players, strict=True)]
    own = next((seat.seat for seat in named if seat.kind == "open"), None)
    return [
        msgspec.structs.replace(seat, kind="human", account=account.id) if seat.seat == own else seat for seat in named
    ]


def names_of(seats: Sequence[SeatInfo], longest: int) -> list[str]:
    """Unique player names of these seats."""
    names: list[str] = []
    skeletons: set[str] = set()
    numbers: dict[str, int] = {}  # so that a thousand bots of one name need no search from 2 on
    for seat in seats:
        base = (seat.name or seat.bot or f"seat {seat.seat}")[:longest]
        name, numbers[base] = _find_free_name(base, skeletons, longest, numbers.get(base, 1))
        skeletons.add(skeleton(name))
        names.append(name)
    return names


def unique_name(name: str, taken: set[str], longest: int = 40) -> str:
    """The name, with a number appended if it, or one that looks like it, is taken."""
    return _find_free_name(name, {skeleton(other) for other in taken}, longest)[0]


def _find_free_name(name: str, skeletons: set[str], longest: int, number: int = 1) -> tuple[str, int]:
    """The name with the first number from ``number`` on that makes it free, and that number; 1 stands for none."""
    while True:
        ending = f" {number}" if number > 1 else ""
        candidate = name[: longest - len(ending)] + ending
        if skeleton(candidate) not in skeletons:
            return candidate, number
        number += 1


def with_team_seats(template: MatchCreate, teams: Sequence[Team]) -> MatchCreate:
    """A season game's template with the seats of its match; with the fewest possible while there are no teams."""
    kind = registry.find(template.game)
    count = len(teams) or 2
    seats = max(sum(len(team.members) for team in teams), kind.least_players, count)
    config = {**template.config, **(kind.season_hooks.match_settings(count) if kind.season_hooks else {})}
    return msgspec.structs.replace(template, seats=[SeatRequest()] * seats, config=config)
