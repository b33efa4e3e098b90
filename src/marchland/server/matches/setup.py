"""Who plays a match, by what name and on which map: checked when it is made, settled when it begins."""

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection

import marchland
from marchland import maps
from marchland.core.config import Config
from marchland.core.game import Game
from marchland.errors import Refused
from marchland.messages import AccountInfo, MatchCreate, SeatInfo, SeatRequest
from marchland.server.matches.queries import MatchRow
from marchland.store.ids import new_id

Also = Callable[[Connection, SeatInfo], None]
"""What is written together with a seat."""


def no_extra_writes(connection: Connection, seat: SeatInfo | None = None) -> None:
    """Nothing more is written."""


class StartPlan(NamedTuple):
    """Who plays, and where, when a match begins."""

    seats: Sequence[SeatInfo]
    map: Any
    also: Callable[..., None] = no_extra_writes
    """What is written together with it."""


PlanSeats = Callable[[MatchRow], StartPlan]


def validate_request(wish: MatchCreate) -> tuple[type[Game], dict[str, Any]]:
    """The game and all its settings, if a match can be made of them."""
    kind = marchland.find(wish.game)
    values = kind.config_type.checked(wish.config)
    if wish.rules is not None:
        values[kind.config_type.preset_field] = wish.rules
    config = kind.config_type.build(values)
    longest = kind.max_name_length(config)  # longer names are cut when the match starts
    names = names_of([seat_from_request(number, one) for number, one in enumerate(wish.seats)], longest)
    kind.seat_names(names)
    for one in wish.seats:
        if one.kind == "builtin" and one.bot not in kind.bots:
            have = ", ".join(kind.bots)
            raise Refused("no_such_bot", f"{kind.name} has no bot {one.bot!r}; it has {have}.")
    kind.check_setup(config, names, wish.map)
    return kind, config.values()


def config_of(row: MatchRow) -> Config:
    """The settings of a stored match; settings that the game no longer has are ignored."""
    config_type = marchland.find(row.game).config_type
    known = {name: value for name, value in row.config.items() if name in config_type.__struct_fields__}
    return config_type.build(known)


def max_name_length(row: MatchRow) -> int:
    """The longest player name in a match."""
    return marchland.find(row.game).max_name_length(config_of(row))


def is_saved_map(map: Any) -> bool:
    """Whether a match names a map that is kept on the server."""
    return isinstance(map, dict) and set(map) == {"kept"} and isinstance(map["kept"], str)


def with_map_settings(wish: MatchCreate, data: Any) -> MatchCreate:
    """The wish for a match on that map, set as the map asks for where it is not set otherwise."""
    settings = maps.find_adapter(wish.game).settings(data)
    return msgspec.structs.replace(wish, map=data, config={**settings, **wish.config})


def new_match_row(*, seats: list[SeatInfo], wish: MatchCreate, **values: Any) -> MatchRow:
    """A match that has yet to be kept."""
    usual: dict[str, Any] = dict.fromkeys(
        ("creator", "room", "forked_from", "password", "started", "ended", "closes", "outcome", "owner")
    )
    counted = {"open_turn": 0, "entries": 0, "epoch": 0}
    return MatchRow(
        id=new_id(), state="lobby", created=time.time(), wish=wish, seats=seats, **(usual | counted | values)
    )


def seat_from_request(number: int, wish: SeatRequest) -> SeatInfo:
    """A seat as the creator of a match wants it."""
    return SeatInfo(number, wish.kind, wish.name, None, wish.bot if wish.kind == "builtin" else "")


def rematch_seats(row: MatchRow) -> list[SeatRequest]:
    """The seats of another match like this one: bots play theirs, what was empty from the start stays so."""
    empty = {number for number, wish in enumerate(row.wish.seats) if wish.kind == "empty"}
    return [
        SeatRequest("builtin", seat.bot, seat.name)
        if seat.kind == "builtin"
        else SeatRequest("empty" if seat.seat in empty else "open")
        for seat in row.seats
    ]


def forked_seats(game: Game, wishes: Sequence[SeatRequest] | None, account: AccountInfo) -> list[SeatInfo]:
    """Who plays on: as wished, else the caller against the game's best bot."""
    usual = "greedy" if "greedy" in game.bots else next(iter(game.bots))
    wished = list(wishes or [SeatRequest(), *(SeatRequest("builtin", usual) for _ in game.players[1:])])
    if len(wished) != len(game.players):
        raise Refused("bad_request", f"This match has {len(game.players)} seats, not {len(wished)}.")
    seats = [seat_from_request(number, wish) for number, wish in enumerate(wished)]
    named = [msgspec.structs.replace(seat, name=name) for seat, name in zip(seats, game.players, strict=True)]
    mine = next((seat.seat for seat in named if seat.kind == "open"), None)
    return [
        msgspec.structs.replace(seat, kind="human", account=account.id) if seat.seat == mine else seat for seat in named
    ]


def names_of(seats: Sequence[SeatInfo], longest: int) -> list[str]:
    """What the players are called: nobody is called like another."""
    names: list[str] = []
    for seat in seats:
        base = (seat.name or seat.bot or f"seat {seat.seat}")[:longest]
        names.append(unique_name(base, set(names), longest))
    return names


def unique_name(name: str, taken: set[str], longest: int = 40) -> str:
    """A name like this one that nobody has."""
    candidate, number = name[:longest], 1
    while candidate in taken:
        number += 1
        ending = f" {number}"
        candidate = name[: longest - len(ending)] + ending
    return candidate
