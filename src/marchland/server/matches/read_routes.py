"""Looking at a match over HTTP: views, menus, frames, logs and replays."""

from functools import partial
from typing import Annotated, Any

from litestar import Response, Router
from litestar.params import Parameter, QueryParameter
from litestar.types import Scope

from marchland.errors import Refused
from marchland.messages import Frame, Legend, Pending, TurnLog
from marchland.server.audit import note
from marchland.server.http.auth import caller_of, somebody
from marchland.server.http.rate_limit import check_depth
from marchland.server.http.routing import get, post
from marchland.server.matches.history import MOST_TURNS, History
from marchland.server.matches.manager import Host
from marchland.server.matches.service import Lobby
from marchland.server.matches.visibility import Eyes, chunk_numbers, looks_after, seat_of
from marchland.store import Store

Seat = Annotated[int | None, Parameter(ge=0, le=100_000, description="Whose eyes; none for a spectator's.")]
From = Annotated[int | None, QueryParameter(name="from", ge=0, le=2**31 - 1, description="The first turn if left out.")]
Count = Annotated[int, Parameter(ge=1, le=MOST_TURNS)]
Chunks = Annotated[
    str | None,
    Parameter(
        max_length=40_000,
        pattern=r"^([0-9]{1,7}(,[0-9]{1,7})*)?$",
        description="Numbers of chunks, with commas; all if left out.",
    ),
]


@get("/matches/{match_id:str}/view")
async def view(match_id: str, scope: Scope, host: Host, eyes: Eyes, seat: Seat = None) -> dict[str, Any]:
    """What a seat may know: one's own, or without one what spectators see."""
    caller, match = somebody(scope), await host.match(match_id)
    return await match.view(await eyes.through(match, caller, seat))


@get("/matches/{match_id:str}/orders")
async def pending_orders(match_id: str, scope: Scope, host: Host, seat: Seat = None) -> Pending:
    """One's own orders for the open turn, as they would be carried out if it ended now."""
    match = await host.match(match_id)
    return await match.pending(seat_of(match, caller_of(scope), seat))


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
    eyes: Eyes,
    first: From = None,
    count: Count = 50,
    seat: Seat = None,
    chunks: Chunks = None,
) -> list[Frame]:
    """A key frame of turn ``from``, then the frames of the turns after it; of some chunks or of the whole board."""
    caller, row = somebody(scope), await lobby.row(match_id)
    match = await host.match(match_id)
    seen = None if chunks is None else chunk_numbers(chunks)
    return await history.frames(row, await eyes.through(match, caller, seat), first, count, seen)


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
async def replay(
    match_id: str, scope: Scope, store: Store, lobby: Lobby, history: History, eyes: Eyes
) -> Response[bytes]:
    """The match as a ``.march`` file, once it is over; it holds the dice."""
    row, caller = await lobby.row(match_id), somebody(scope)
    await eyes.check_origin(row.id, row.game, caller)
    if row.state != "over" and not looks_after(row, caller):
        raise Refused("hidden", "A replay holds the dice: it can be had when the match is over.")
    made = await history.replay(row)
    if row.state != "over" and caller is not None:
        await store.write(partial(note, caller=caller, what="fetch replay", about=match_id))
    name = f"{row.game}-{row.id}.march"
    return Response(
        made,
        media_type="application/octet-stream",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


router = Router("/", route_handlers=[view, pending_orders, legal, legend, frames, log, replay], tags=["matches"])
