"""Read-only HTTP routes of a match: views, menus, frames, logs and replays."""

from typing import Annotated, Any

import msgspec
from starlette.responses import Response
from starlette.types import Scope

from marchland.errors import Refused
from marchland.messages import Frame, Legend, LogLine, Menus, MenusRequest, Pending, TurnLog
from marchland.server.http.auth import Authenticator, Caller
from marchland.server.http.payload_limits import check_depth, check_orders
from marchland.server.http.routing import JSON, get, post
from marchland.server.matches.history import MAX_TURNS, MatchHistory
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.service import MatchService
from marchland.server.matches.visibility import (
    Visibility,
    is_neutral_organiser,
    is_own_seat,
    parse_chunks,
    require_seat,
)

Seat = Annotated[
    int, msgspec.Meta(ge=0, le=100_000, description="The seat whose viewpoint is used; a spectator's if left out.")
]
Turn = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1, description="The first turn if left out.")]
Count = Annotated[int, msgspec.Meta(ge=1, le=MAX_TURNS)]
Chunks = Annotated[
    str,
    msgspec.Meta(
        max_length=40_000,
        pattern=r"^([0-9]{1,7}(,[0-9]{1,7})*)?$",
        description="Numbers of chunks, with commas; all if left out.",
    ),
]

_TURNS_PER_KEY_FRAME = 50
"""Frames of turns that cost about as much as a key frame."""
_MENUS_PER_VIEW = 10
"""Menus that cost as much as a view: they have fewer cells, and a person needs some for every order."""


@get("/matches/{match_id}/view", returns=dict[str, Any])
async def view(
    match_id: str,
    caller: Caller | None,
    scope: Scope,
    manager: MatchManager,
    authenticator: Authenticator,
    visibility: Visibility,
    seat: Seat | None = None,
) -> Response:
    """What a seat can see; without a seat, what spectators see. A seat's private part is for its own account."""
    match = await manager.match(match_id)
    viewpoint = await visibility.viewpoint_for(match, caller, seat)
    authenticator.charge(scope, match.game.board.size)
    encoded = await match.view(viewpoint, is_own=is_own_seat(match, caller, viewpoint))
    return Response(encoded, media_type=JSON)


@get("/matches/{match_id}/orders", role="player")
async def pending_orders(match_id: str, caller: Caller, manager: MatchManager, seat: Seat | None = None) -> Pending:
    """The caller's orders for the open turn, as they would be executed if it ended now."""
    match = await manager.match(match_id)
    return await match.pending(require_seat(match, caller, seat))


@post("/matches/{match_id}/legal", status=200, role="player")
async def legal(
    match_id: str,
    data: dict[str, Any],
    caller: Caller,
    scope: Scope,
    manager: MatchManager,
    authenticator: Authenticator,
    seat: Seat | None = None,
) -> Any:
    """The menu of legal orders: for an empty object every verb, for a partial order its next parameter.

    The order may be wrapped as for ``act``: ``{"order": {...}}``.
    """
    match = await manager.match(match_id)
    check_depth(data)
    if isinstance(data.get("order"), dict) and "do" not in data:
        data = data["order"]
    own = require_seat(match, caller, seat)
    authenticator.charge(scope, match.game.board.size // _MENUS_PER_VIEW)
    return await match.legal(own, data or None)


@post("/matches/{match_id}/menus", status=200, role="player")
async def menus(
    match_id: str,
    data: MenusRequest,
    caller: Caller,
    scope: Scope,
    manager: MatchManager,
    authenticator: Authenticator,
    seat: Seat | None = None,
) -> Menus:
    """The menus of every verb, of partial orders, and of what can be picked after them, as far as they fit."""
    match = await manager.match(match_id)
    check_depth(data.orders)
    check_orders(data.queued, manager.settings.orders_limit, manager.settings.path_limit)
    own = require_seat(match, caller, seat)
    authenticator.charge(scope, match.game.board.size // _MENUS_PER_VIEW)
    return await match.menus(own, data)


@get("/matches/{match_id}/legend")
async def legend(match_id: str, manager: MatchManager) -> Legend:
    """What a viewer needs once to draw every frame."""
    return (await manager.match(match_id)).game.legend()


@get("/matches/{match_id}/frames", returns=list[Frame])
async def frames(
    match_id: str,
    caller: Caller | None,
    scope: Scope,
    manager: MatchManager,
    service: MatchService,
    history: MatchHistory,
    authenticator: Authenticator,
    visibility: Visibility,
    from_: Turn | None = None,
    count: Count = 50,
    seat: Seat | None = None,
    chunks: Chunks | None = None,
) -> Response:
    """A key frame of turn ``from``, then the frames of the turns after it; of some chunks or of the whole board."""
    row = await service.row(match_id)
    match = await manager.match(match_id)
    seen = None if chunks is None else parse_chunks(chunks)
    viewpoint = await visibility.viewpoint_for(match, caller, seat)
    authenticator.charge(scope, match.game.board.size * (1 + count // _TURNS_PER_KEY_FRAME))
    encoded = await history.frames(row, viewpoint, from_, count, seen)
    return Response(encoded, media_type=JSON)


@get("/matches/{match_id}/log", role="player")
async def log(
    match_id: str,
    caller: Caller,
    manager: MatchManager,
    service: MatchService,
    history: MatchHistory,
    from_: Turn | None = None,
    count: Count = 50,
    seat: Seat | None = None,
) -> list[TurnLog]:
    """The results of the caller's orders, turn by turn, with the reason of each failure."""
    row = await service.row(match_id)
    match = await manager.match(match_id)
    return await history.log(row, require_seat(match, caller, seat), from_, count)


@get("/matches/{match_id}/readable-log")
async def readable_log(
    match_id: str,
    caller: Caller | None,
    manager: MatchManager,
    service: MatchService,
    history: MatchHistory,
    visibility: Visibility,
    from_: Turn | None = None,
    count: Count = 50,
    seat: Seat | None = None,
) -> list[LogLine]:
    """What happened in the turns from ``from`` on, in sentences: all, or what concerns a seat. Some games have it."""
    row = await service.row(match_id)
    match = await manager.match(match_id)
    if match.game.readable_log() is None:
        raise Refused("not_found", "no_readable_log", game=row.game)
    viewpoint = await visibility.viewpoint_for(match, caller, seat)
    is_own = is_own_seat(match, caller, viewpoint)
    return await history.readable_log(row, viewpoint, from_, count, is_own=is_own)


@get("/matches/{match_id}/replay", media_type="application/octet-stream")
async def replay(
    match_id: str, caller: Caller | None, service: MatchService, history: MatchHistory, visibility: Visibility
) -> Response:
    """The match as a ``.march`` file, once it is over: it contains the seed."""
    row = await service.row(match_id)
    await visibility.require_fork_visible(row.id, row.spectator_policy, caller)
    if not is_neutral_organiser(row, caller):
        row.spectator_policy.require_replay(is_over=row.state == "over")
    data = await history.replay(row)
    if row.state != "over" and caller is not None:
        await service.record_replay_read(row, caller)
    name = f"{row.game}-{row.id}.march"
    return Response(
        data,
        media_type="application/octet-stream",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


ENDPOINTS = (view, pending_orders, legal, menus, legend, frames, log, readable_log, replay)
