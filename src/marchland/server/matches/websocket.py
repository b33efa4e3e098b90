"""A match's WebSocket: authorisation, resume point, and the wait for the start."""

import asyncio
import contextlib
import re
import time
from typing import Any

import msgspec
from starlette.websockets import WebSocket

from marchland.errors import Refused, StorageUnavailable
from marchland.match import Match, StreamPosition, Subscription
from marchland.messages import Hello, News, Raw
from marchland.server.http.auth import Authenticator, Caller, caller_or_none, token_of, unknown_token
from marchland.server.http.routing import api_router, websocket
from marchland.server.http.websockets import CLOSED, receive_data
from marchland.server.matches.connection import (
    BAD_TOKEN,
    CLOSE_FRAMES,
    GARBAGE,
    NO_MATCH,
    NOT_YOURS,
    RESTART,
    LiveConnection,
)
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.service import MatchService
from marchland.server.matches.visibility import Visibility, is_own_seat, parse_chunks
from marchland.server.settings import Settings

_CODES = {"bad_token": BAD_TOKEN, "not_your_seat": NOT_YOURS, "bad_request": GARBAGE, "loading": RESTART}
_RESUME_POINT = re.compile(r"([0-9]{1,10})(?:\.([0-9]{1,10}))?")
_CONTENTS = {"frames", "views", "results", "none", ""}
"""What a reader may want; none is news without content."""
_encode = msgspec.json.Encoder().encode


@websocket("/matches/{match_id}/live", closes_with_code=True)
async def live(
    socket: WebSocket,
    match_id: str,
    manager: MatchManager,
    service: MatchService,
    authenticator: Authenticator,
    settings: Settings,
    visibility: Visibility,
    seat: str = "",
    want: str = "frames",
    chunks: str | None = None,
    from_: str = "",
) -> None:
    """News of a match for a spectator or a seat, and the orders of the seat.

    ``chunks`` are those to subscribe to at first; ``from`` is the last turn, or turn and action as in 12.3, that a
    reconnecting reader has received.
    """
    offered = socket.headers.get("sec-websocket-protocol", "").split(",")
    await socket.accept(subprotocol="marchland" if "marchland" in (protocol.strip() for protocol in offered) else None)
    try:
        caller = caller_or_none(socket.scope)
        match = await _wait_for_start(socket, manager, service, match_id, _parse_seat(seat))
        if match is None:
            return
        if caller is not None and await authenticator.authenticate(token_of(socket.scope) or "") is None:
            raise unknown_token()
        viewpoint = await visibility.viewpoint_for(match, caller, _parse_seat(seat))
        reader = _make_subscription(match, caller, viewpoint, want)
        reader.chunks = None if chunks is None else parse_chunks(chunks)
        reader.resume_at = _parse_resume_point(from_)
    except Refused as problem:
        reason = str(problem).encode()[:120].decode(errors="ignore")  # a close frame holds no more
        await socket.close(_CODES.get(problem.error, NO_MATCH), reason)
        return
    except StorageUnavailable:
        await socket.close(RESTART, "The database cannot be reached now.")
        return
    hello = Hello(match_id, match.game.name, viewpoint, match.state, time.time(), match.legend())
    reader.offer(_encode(hello), is_news=False)
    try:
        await match.subscribe(reader)
    except StorageUnavailable:
        await socket.close(*CLOSE_FRAMES["restart"])
        return
    manager.metrics.readers.inc()
    player = caller if is_own_seat(match, caller, viewpoint) else None
    try:
        with authenticator.track_reader(caller, reader):
            await LiveConnection(socket, match, reader, player, manager, authenticator, settings).run()
    finally:
        match.unsubscribe(reader)
        manager.metrics.readers.dec()


def _make_subscription(match: Match, caller: Caller | None, viewpoint: int | None, want: str) -> Subscription:
    wanted, is_own = {word.strip() for word in want.split(",")}, is_own_seat(match, caller, viewpoint)
    if unknown := wanted - _CONTENTS:
        raise Refused("bad_request", "bad_want", name=min(unknown)[:40])
    return Subscription(
        viewpoint,
        frames="frames" in wanted,
        views="views" in wanted,
        results="results" in wanted and is_own,
        is_own=is_own,
    )


async def _wait_for_start(
    socket: WebSocket, manager: MatchManager, service: MatchService, match_id: str, seat: int | None
) -> Match | None:
    """The match, as soon as it has started; None if the reader disconnects before."""
    try:
        return await manager.match(match_id)
    except Refused as problem:
        if problem.error != "not_started":
            raise
    row = await service.row(match_id)
    with contextlib.suppress(*CLOSED):
        for message in (
            Hello(match_id, row.game, seat, "lobby", time.time(), Raw(b"null")),
            News(turn=row.open_turn, seq=0, state="lobby", now=time.time()),
        ):
            await socket.send_text(_encode(message).decode())
        return await _race(manager.wait_for_start(match_id), _wait_for_disconnect(socket))
    return None


async def _race(start: Any, disconnect: Any) -> Match | None:
    """The match; None if the reader disconnects first."""
    tasks = [asyncio.ensure_future(start), asyncio.ensure_future(disconnect)]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return await tasks[0] if tasks[0].done() else None
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _wait_for_disconnect(socket: WebSocket) -> None:
    """Return when the reader has disconnected; one that sends anything before the start is disconnected."""
    with contextlib.suppress(*CLOSED):
        await receive_data(socket)
        await socket.close(GARBAGE, "The match has not started: there is nothing to say yet.")


def _parse_seat(seat: str) -> int | None:
    if seat and not (seat.isascii() and seat.isdigit() and len(seat) < 10):
        raise Refused("bad_request", "bad_seat")
    return int(seat) if seat else None


def _parse_resume_point(text: str) -> StreamPosition | None:
    if not text:
        return None
    parsed = _RESUME_POINT.fullmatch(text)
    if parsed is None:
        raise Refused("bad_request", "bad_from")
    return StreamPosition(int(parsed[1]), int(parsed[2] or 0))


router = api_router("matches", live)
