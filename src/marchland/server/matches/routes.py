"""HTTP routes of matches: create, join, start, play."""

import time
from functools import partial
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET
from starlette.types import Scope

from marchland.messages import (
    ActPost,
    ActResult,
    ForkRequest,
    Joined,
    JoinRequest,
    MatchCreate,
    MatchInfo,
    MatchUpdate,
    OrdersPost,
    Receipt,
)
from marchland.messages.text import LINE
from marchland.registry import find
from marchland.server.audit import record
from marchland.server.http.auth import Authenticator, Caller, check_role
from marchland.server.http.payload_limits import check_orders
from marchland.server.http.routing import api_router, delete, get, patch, post
from marchland.server.matches import queries, read_routes
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.queries import MatchRow
from marchland.server.matches.service import MatchService
from marchland.server.matches.setup import config_of, no_extra_writes
from marchland.server.matches.visibility import limit_in_rounds, require_seat

_CELLS_TO_CREATE = 10_000
"""The cells that a player pays for a new match, whose board is not known before it is made."""


@get("/matches")
async def list_matches(
    caller: Caller | None,
    manager: MatchManager,
    state: Literal["lobby", "running", "over", "broken"] | None = None,
    game: Annotated[str, msgspec.Meta(max_length=40, pattern=LINE)] | None = None,
    room: Annotated[str, msgspec.Meta(max_length=40, pattern=LINE)] | None = None,
    player: Annotated[str, msgspec.Meta(max_length=80, pattern=LINE)] | None = None,
    since: float | None = None,
    before: float | None = None,
    limit: Annotated[int, msgspec.Meta(ge=1, le=200)] = 50,
) -> list[MatchInfo]:
    """Matches, the newest first; ``before`` is the ``created`` of the last one seen.

    ``player`` is the whole name of an account, in any case of letters; ``since`` is the earliest ``created``.
    Unlisted matches are shown to their creators, to accounts with a seat in them, and to organisers.
    """
    rows = await manager.store.read(
        lambda connection: queries.list_matches(
            connection,
            state=state,
            game=game,
            room=room,
            player=player,
            since=since,
            before=before,
            limit=limit,
            reader=caller.id if caller else None,
            unlisted=caller is not None and caller.may("organiser"),
        )
    )
    return [_info(manager, row) for row in rows]


@post("/matches", role="player")
async def create_match(
    data: MatchCreate,
    caller: Caller,
    scope: Scope,
    manager: MatchManager,
    service: MatchService,
    authenticator: Authenticator,
) -> MatchInfo:
    """Create a match. With ``auto_start`` it starts as soon as no seat is open."""
    if not caller.may("organiser"):
        authenticator.charge(scope, _CELLS_TO_CREATE)
    return _info(manager, await service.create(data, caller))


@get("/matches/{match_id}")
async def show_match(match_id: str, manager: MatchManager, service: MatchService) -> MatchInfo:
    """The current state of a match."""
    return _info(manager, await service.row(match_id))


@patch("/matches/{match_id}", role="player")
async def change_match(
    match_id: str, data: MatchUpdate, caller: Caller, manager: MatchManager, service: MatchService
) -> MatchInfo:
    """Change the clock, from the next turn on: for organisers; who finds and joins the match: for its creator, too."""
    if data.clock is not UNSET:
        check_role(caller, "organiser")
    _require_manager(caller, await service.row(match_id))
    if data.clock is not UNSET:
        await service.set_clock(
            match_id, data.clock, partial(record, caller=caller, what="change clock", about=match_id, details=data)
        )
    audit = partial(record, caller=caller, what="change access", about=match_id, details=data)
    await service.set_access(match_id, data, audit)
    return _info(manager, await service.row(match_id))


@delete("/matches/{match_id}", role="player")
async def remove_match(match_id: str, caller: Caller, service: MatchService) -> None:
    """Stop a match and delete it: its creator may before it starts, organisers always."""
    row = await service.row(match_id)
    if row.creator == caller.id and row.state == "lobby":
        await service.remove(match_id)
        return
    check_role(caller, "organiser")
    await service.remove(match_id, partial(record, caller=caller, what="remove match", about=match_id))


@post("/matches/{match_id}/join", status=200, role="player")
async def join_match(
    match_id: str,
    data: JoinRequest,
    caller: Caller,
    scope: Scope,
    service: MatchService,
    authenticator: Authenticator,
) -> Joined:
    """Take a seat; idempotent for a caller that has one."""
    if data.password:
        authenticator.charge_password(scope)
    return await service.seats.join(match_id, caller, data)


@post("/matches/{match_id}/leave", status=204, role="player")
async def leave_match(match_id: str, caller: Caller, service: MatchService) -> None:
    """Leave the caller's seat."""
    await service.seats.leave(match_id, caller)


@delete("/matches/{match_id}/seats/{seat:int}", role="player")
async def remove_seat(match_id: str, seat: int, caller: Caller, service: MatchService) -> None:
    """Remove another player, who cannot come back; for the match's creator and organisers."""
    _require_manager(caller, await service.row(match_id))
    await service.seats.remove(match_id, seat, caller)


@post("/matches/{match_id}/start", status=200, role="player")
async def start_match(match_id: str, caller: Caller, manager: MatchManager, service: MatchService) -> MatchInfo:
    """Start without waiting for open seats; for its creator and organisers."""
    row = await service.row(match_id)
    _require_manager(caller, row)
    audit = partial(record, caller=caller, what="start match", about=match_id)
    await service.start(match_id, extra=no_extra_writes if row.creator == caller.id else audit)
    return _info(manager, await service.row(match_id))


@post("/matches/{match_id}/end-turn", status=202, role="player")
async def end_turn(match_id: str, caller: Caller, manager: MatchManager, service: MatchService) -> None:
    """End the open turn now, without waiting for other seats; for its creator without a seat, and organisers."""
    row = await service.row(match_id)
    _require_manager(caller, row)
    if any(seat.account == caller.id for seat in row.seats) and not _is_only_account(row, caller):
        check_role(caller, "organiser")
    await service.end_turn(match_id)
    if row.creator != caller.id:
        await manager.store.write(partial(record, caller=caller, what="end turn", about=match_id))


@post("/matches/{match_id}/orders", status=200, role="player")
async def post_orders(match_id: str, data: OrdersPost, caller: Caller, manager: MatchManager) -> Receipt:
    """Post orders for a turn. They are durable when the receipt is sent; ``key`` is an idempotency key."""
    match = await manager.match(match_id)
    seat = require_seat(match, caller, data.seat)
    limit_in_rounds(manager, match_id, caller)
    check_orders(data.orders, manager.settings.orders_limit, manager.settings.path_limit)
    manager.item_spending.check_queued(match, data.orders)
    began = time.perf_counter()
    try:
        return await match.post(seat, data.orders, data.key, turn=data.turn, ready=data.ready)
    finally:
        manager.metrics.posts.observe(time.perf_counter() - began)


@post("/matches/{match_id}/act", status=200, role="player")
async def act(match_id: str, data: ActPost, caller: Caller, manager: MatchManager) -> ActResult:
    """Execute an immediate action, in games that have such actions."""
    match = await manager.match(match_id)
    seat = require_seat(match, caller, data.seat)
    limit_in_rounds(manager, match_id, caller)
    check_orders([data.order], manager.settings.orders_limit, manager.settings.path_limit)
    return await manager.act(match, seat, data.order, data.key)


@post("/matches/{match_id}/fork", role="player")
async def fork(
    match_id: str, data: ForkRequest, caller: Caller, manager: MatchManager, service: MatchService
) -> MatchInfo:
    """Create a match from any turn of this one, with a new seed."""
    return _info(manager, await service.fork(match_id, caller, data))


@post("/matches/{match_id}/again", role="player")
async def play_again(match_id: str, caller: Caller, manager: MatchManager, service: MatchService) -> MatchInfo:
    """Create a rematch of a match that is over: same map, rules, settings, clock and seats, but no password."""
    return _info(manager, await service.rematch(match_id, caller))


def _require_manager(caller: Caller, row: MatchRow) -> None:
    if row.creator != caller.id:
        check_role(caller, "organiser")


def _is_only_account(row: MatchRow, caller: Caller) -> bool:
    """Whether no other account has a seat, whose time to think would be cut short."""
    return all(seat.account in (None, caller.id) for seat in row.seats)


def _info(manager: MatchManager, row: MatchRow) -> MatchInfo:
    match = manager.find_loaded(row.id)
    kind = find(row.game)
    return MatchInfo(
        id=row.id,
        game=row.game,
        name=row.name,
        state=row.state,
        turn=row.open_turn,
        last_turn=kind.last_turn_of(config_of(row)),
        seats=list(match.seats) if match and not match.is_replica else row.seats,
        clock=row.clock,
        config=row.config,
        fogged=kind.fogged,
        spectator_delay=row.request.spectator_delay,
        password=row.password is not None,
        created=row.created,
        closes=match.closes if match and not match.is_replica else row.closes,
        now=time.time(),
        outcome=row.outcome,
        creator=row.creator,
        room=row.room,
        forked_from=row.forked_from,
        listed=row.listed,
        late_joiners=row.late_joiners,
        team_names=row.request.team_names,
    )


router = api_router(
    "matches",
    list_matches,
    create_match,
    show_match,
    change_match,
    remove_match,
    join_match,
    leave_match,
    remove_seat,
    start_match,
    end_turn,
    post_orders,
    act,
    fork,
    play_again,
    *read_routes.ENDPOINTS,
)
