"""Matches over HTTP: made, joined, played, looked at."""

import time
from functools import partial
from typing import Annotated, Any, Literal

from litestar import Response, Router
from litestar.params import Parameter
from litestar.types import Scope

from marchland.match import Match, Refused
from marchland.messages import (
    Acted,
    ActPost,
    ForkWish,
    Frame,
    Joined,
    Joining,
    Legend,
    MatchChange,
    MatchInfo,
    NewMatch,
    OrdersPost,
    Pending,
    Receipt,
    TurnLog,
)
from marchland.messages.hosting import LINE
from marchland.registry import find
from marchland.server.access import Caller, Doorkeeper, caller_of, require, somebody
from marchland.server.admin import note
from marchland.server.history import MOST_TURNS, History
from marchland.server.host import Host
from marchland.server.limits import TooMany, check_depth, check_orders
from marchland.server.lobby import Lobby
from marchland.server.routing import delete, get, patch, post
from marchland.server.settings import Settings
from marchland.store import matches as stored
from marchland.store.matches import MatchRow

Seat = Annotated[int | None, Parameter(ge=0, le=100_000, description="Whose eyes; none for a spectator's.")]
From = Annotated[int | None, Parameter(query="from", ge=0, le=2**31 - 1, description="The first turn if left out.")]
Count = Annotated[int, Parameter(ge=1, le=MOST_TURNS)]
Chunks = Annotated[
    str | None,
    Parameter(
        max_length=40_000,
        pattern=r"^([0-9]{1,7}(,[0-9]{1,7})*)?$",
        description="Numbers of chunks, with commas; all if left out.",
    ),
]


@get("/matches")
async def list_matches(
    host: Host,
    match_state: Annotated[Literal["lobby", "running", "over", "broken"] | None, Parameter(query="state")] = None,
    game: Annotated[str | None, Parameter(max_length=40, pattern=LINE)] = None,
    room: Annotated[str | None, Parameter(max_length=40, pattern=LINE)] = None,
    before: float | None = None,
    limit: Annotated[int, Parameter(ge=1, le=200)] = 50,
) -> list[MatchInfo]:
    """Matches, the newest first; ``before`` is the ``created`` of the last one seen."""
    rows = await host.store.read(
        lambda connection: stored.listed(
            connection, state=match_state, game=game, room=room, before=before, limit=limit
        )
    )
    return [_info(host, row) for row in rows]


@post("/matches")
async def create_match(data: NewMatch, scope: Scope, host: Host, lobby: Lobby) -> MatchInfo:
    """Make a match. It starts by itself when no seat is open any more, unless it should not."""
    return _info(host, await lobby.create(data, caller_of(scope)))


@get("/matches/{match_id:str}")
async def show_match(match_id: str, host: Host, lobby: Lobby) -> MatchInfo:
    """How a match stands."""
    return _info(host, await lobby.row(match_id))


@patch("/matches/{match_id:str}")
async def change_match(match_id: str, data: MatchChange, scope: Scope, host: Host, lobby: Lobby) -> MatchInfo:
    """Have turns end by another clock, from the next one on. For organisers."""
    caller = caller_of(scope)
    require(caller, "organiser")
    await lobby.set_clock(
        match_id, data.clock, partial(note, caller=caller, what="change clock", about=match_id, details=data)
    )
    return _info(host, await lobby.row(match_id))


@delete("/matches/{match_id:str}")
async def remove_match(match_id: str, scope: Scope, host: Host, lobby: Lobby) -> None:
    """Stop a match and forget it: its creator may before it starts, organisers always."""
    caller, row = caller_of(scope), await lobby.row(match_id)
    if not (row.creator == caller.id and row.state == "lobby"):
        require(caller, "organiser")
        await host.store.write(partial(note, caller=caller, what="remove match", about=match_id))
    await lobby.remove(match_id)


@post("/matches/{match_id:str}/join", status_code=200)
async def join_match(match_id: str, data: Joining, scope: Scope, lobby: Lobby) -> Joined:
    """Take a seat; whoever has one gets the same again."""
    return await lobby.seating.join(match_id, caller_of(scope), data)


@post("/matches/{match_id:str}/leave", status_code=204)
async def leave_match(match_id: str, scope: Scope, lobby: Lobby) -> None:
    """Get up from one's seat."""
    await lobby.seating.leave(match_id, caller_of(scope))


@post("/matches/{match_id:str}/start", status_code=200)
async def start_match(match_id: str, scope: Scope, host: Host, lobby: Lobby) -> MatchInfo:
    """Begin without waiting for open seats; for its creator and organisers."""
    _manage(caller_of(scope), await lobby.row(match_id))
    await lobby.start(match_id)
    return _info(host, await lobby.row(match_id))


@post("/matches/{match_id:str}/end-turn", status_code=202)
async def end_turn(match_id: str, scope: Scope, host: Host, lobby: Lobby) -> None:
    """End the open turn now, whoever is not ready; for its creator without a seat, and organisers."""
    caller, row = caller_of(scope), await lobby.row(match_id)
    _manage(caller, row)
    if any(seat.account == caller.id for seat in row.seats) and not _alone(row, caller):
        require(caller, "organiser")
    if row.creator != caller.id:
        await host.store.write(partial(note, caller=caller, what="end turn", about=match_id))
    await lobby.end_turn(match_id)


@post("/matches/{match_id:str}/orders", status_code=200)
async def post_orders(
    match_id: str, data: OrdersPost, scope: Scope, host: Host, doorkeeper: Doorkeeper, settings: Settings
) -> Receipt:
    """Give orders for a turn. Once there is a receipt they are kept, whatever happens."""
    caller, match = caller_of(scope), await host.match(match_id)
    seat = seat_of(match, caller, data.seat)
    slow_down(doorkeeper, host, match_id, caller)
    check_orders(data.orders, settings.orders_limit, settings.path_limit)
    host.spending.check_queued(match, data.orders)
    with host.metrics.posts.time():
        return await match.post(seat, data.orders, data.key, turn=data.turn, ready=data.ready)


@get("/matches/{match_id:str}/orders")
async def pending_orders(match_id: str, scope: Scope, host: Host, seat: Seat = None) -> Pending:
    """One's own orders for the open turn, as they would be carried out if it ended now."""
    match = await host.match(match_id)
    return await match.pending(seat_of(match, caller_of(scope), seat))


@post("/matches/{match_id:str}/act", status_code=200)
async def act(
    match_id: str, data: ActPost, scope: Scope, host: Host, doorkeeper: Doorkeeper, settings: Settings
) -> Acted:
    """Do something at once, in games that have such actions."""
    caller, match = caller_of(scope), await host.match(match_id)
    seat = seat_of(match, caller, data.seat)
    slow_down(doorkeeper, host, match_id, caller)
    check_orders([data.order], settings.orders_limit, settings.path_limit)
    return await host.act(match, seat, data.order, data.key)


@get("/matches/{match_id:str}/view")
async def view(match_id: str, scope: Scope, host: Host, seat: Seat = None) -> dict[str, Any]:
    """What a seat may know: one's own, or without one what spectators see."""
    caller, match = somebody(scope), await host.match(match_id)
    return await match.view(eyes(match, caller, seat))


@post("/matches/{match_id:str}/legal", status_code=200)
async def legal(match_id: str, data: dict[str, Any], scope: Scope, host: Host, seat: Seat = None) -> Any:
    """The menu of one's orders: for an empty object every verb, for a part of an order what may come next."""
    match = await host.match(match_id)
    check_depth(data)
    return await match.legal(seat_of(match, caller_of(scope), seat), data or None)


@get("/matches/{match_id:str}/legend")
async def legend(match_id: str, host: Host) -> Legend:
    """What a viewer must know once to draw every frame."""
    return (await host.match(match_id)).game.legend()


@get("/matches/{match_id:str}/frames")
async def frames(
    match_id: str,
    scope: Scope,
    host: Host,
    lobby: Lobby,
    history: History,
    first: From = None,
    count: Count = 50,
    seat: Seat = None,
    chunks: Chunks = None,
) -> list[Frame]:
    """A key frame of turn ``from``, then the frames of the turns after it; of some chunks or of the whole board."""
    caller, row = somebody(scope), await lobby.row(match_id)
    match = await host.match(match_id)
    seen = None if chunks is None else chunk_numbers(chunks)
    return await history.frames(row, eyes(match, caller, seat), first, count, seen)


@get("/matches/{match_id:str}/log")
async def log(
    match_id: str,
    scope: Scope,
    host: Host,
    lobby: Lobby,
    history: History,
    first: From = None,
    count: Count = 50,
    seat: Seat = None,
) -> list[TurnLog]:
    """What became of one's orders, turn by turn, with the reason of each that failed."""
    caller, row = caller_of(scope), await lobby.row(match_id)
    match = await host.match(match_id)
    return await history.log(row, seat_of(match, caller, seat), first, count)


@get("/matches/{match_id:str}/replay", media_type="application/octet-stream")
async def replay(match_id: str, scope: Scope, lobby: Lobby, history: History) -> Response[bytes]:
    """The match as a ``.march`` file, once it is over; it holds the dice."""
    row = await lobby.row(match_id)
    if row.state != "over" and not lobby.looks_after(row, somebody(scope)):
        raise Refused("hidden", "A replay holds the dice: it can be had when the match is over.")
    name = f"{row.game}-{row.id}.march"
    return Response(
        await history.replay(row),
        media_type="application/octet-stream",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@post("/matches/{match_id:str}/fork")
async def fork(match_id: str, data: ForkWish, scope: Scope, host: Host, lobby: Lobby) -> MatchInfo:
    """A new match from any turn of this one, with dice of its own."""
    return _info(host, await lobby.fork(match_id, caller_of(scope), data))


def seat_of(match: Match, caller: Caller, wanted: int | None) -> int:
    """The caller's seat; refused if he has none, or that one is not his."""
    mine = [seat.seat for seat in match.seats if seat.account == caller.id]
    if wanted is None and len(mine) == 1:
        return mine[0]
    if wanted in mine:
        return wanted
    if wanted is None:
        raise Refused("no_seat", "You have several seats: say which." if mine else "You have no seat in this match.")
    raise Refused("not_your_seat", f"Seat {wanted} is not yours.")


def eyes(match: Match, caller: Caller | None, wanted: int | None) -> int | None:
    """Through whose eyes the caller may look: his own seat's, a spectator's, or any seat's when nothing is secret."""
    if wanted is None:
        return None
    if caller is not None and any(seat.seat == wanted and seat.account == caller.id for seat in match.seats):
        return wanted
    if 0 <= wanted < len(match.seats) and (match.over or not match.game.fogged):
        return wanted
    raise Refused("not_your_seat", f"Seat {wanted} is not yours.")


def chunk_numbers(text: str) -> frozenset[int]:
    """The chunks that a query names."""
    try:
        return frozenset(int(one) for one in text.split(",") if one.strip())
    except ValueError:
        raise Refused("bad_request", "Chunks are numbers with commas in between.") from None


def slow_down(doorkeeper: Doorkeeper, host: Host, match_id: str, caller: Caller) -> None:
    """In a round a player may ask only so often."""
    if match_id in host.in_rounds and (waiting := doorkeeper.in_rounds.wait(caller.id)):
        raise TooMany(waiting)


def _manage(caller: Caller, row: MatchRow) -> None:
    if row.creator != caller.id:
        require(caller, "organiser")


def _alone(row: MatchRow, caller: Caller) -> bool:
    """Whether nobody else sits there whom the caller could cheat of his time."""
    return all(seat.account in (None, caller.id) for seat in row.seats)


def _info(host: Host, row: MatchRow) -> MatchInfo:
    match = next((one for one in host.running if one.id == row.id), None)
    kind = find(row.game)
    return MatchInfo(
        id=row.id,
        game=row.game,
        name=row.name,
        state=row.state,
        turn=row.open_turn,
        last_turn=match.game.last_turn if match else row.config.get("max_turn"),
        seats=list(match.seats) if match else row.seats,
        clock=row.clock,
        config=row.config,
        fogged=kind.fogged,
        spectator_delay=row.wish.spectator_delay,
        password=row.password is not None,
        created=row.created,
        closes=match.closes if match and not match.following else row.closes,
        now=time.time(),
        outcome=row.outcome,
        creator=row.creator,
        room=row.room,
        forked_from=row.forked_from,
    )


router = Router(
    "/",
    route_handlers=[
        list_matches,
        create_match,
        show_match,
        change_match,
        remove_match,
        join_match,
        leave_match,
        start_match,
        end_turn,
        post_orders,
        pending_orders,
        act,
        view,
        legal,
        legend,
        frames,
        log,
        replay,
        fork,
    ],
    tags=["matches"],
)
