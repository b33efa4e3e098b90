"""Colorfight's routes: two WebSocket channels of a room, and HTTP to manage rooms."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.websockets import WebSocket

from marchland.errors import MarchlandError, Refused, StorageUnavailable
from marchland.server.accounts import passwords
from marchland.server.http.auth import Caller, caller_or_none, require_caller
from marchland.server.http.payload_limits import check_depth
from marchland.server.http.routing import JSON, get, post, websocket
from marchland.server.http.websockets import CLOSED
from marchland.server.matches.queries import MatchRow
from marchland.server.wire.colorfight import matches
from marchland.server.wire.colorfight.player_session import PlayerSession
from marchland.server.wire.colorfight.room_feed import RoomFeed, RoomFeeds
from marchland.server.wire.colorfight.rooms import RoomDirectory, settings_of
from marchland.server.wire.colorfight.settings import read_settings
from marchland.server.wire.feed import FeedReader, MessageReader, run_until_disconnect
from marchland.server.wire.queries import WireRoom

_NORMAL_CLOSURE = 1000
_SERVICE_RESTART = 1012
_encode = msgspec.json.Encoder().encode


# ---------------------------------------------------------------- channels


@websocket("/gameroom/{room}/game_channel")
async def game_channel(socket: WebSocket, room: str, feeds: RoomFeeds) -> None:
    """Send the state at each change."""
    await socket.accept()
    with feeds.connect(room) as feed:
        if not await _exists(socket, feed):
            return
        with feed.subscribe() as reader:
            await run_until_disconnect(socket, _send(socket, reader))


@websocket("/gameroom/{room}/action_channel")
async def action_channel(socket: WebSocket, room: str, rooms: RoomDirectory, feeds: RoomFeeds) -> None:
    """Answer registrations, commands and chat."""
    await socket.accept()
    with feeds.connect(room) as feed:
        if not await _exists(socket, feed):
            return
        reader = MessageReader(socket)
        session = PlayerSession(feed, rooms, socket.scope, reader)
        try:
            async with reader.reading():
                while (message := await reader.next()) is not None:
                    answer = await session.answer(message)
                    await socket.send_text(_encode(answer).decode())
                    if "uid" in answer:
                        await feeds.refresh(room)
        except CLOSED:
            pass
        finally:
            if reader.code != _SERVICE_RESTART:  # players retain their seats when this server restarts
                await asyncio.shield(session.leave())


async def _exists(socket: WebSocket, feed: RoomFeed) -> bool:
    try:
        exists = await feed.refresh()
    except (Refused, StorageUnavailable):
        exists = False
    if not exists:
        await socket.close(_NORMAL_CLOSURE)
    return exists


async def _send(socket: WebSocket, reader: FeedReader[bytes]) -> None:
    while (frame := await reader.next()) is not None:
        await socket.send_text(frame.decode())
    await socket.close(_NORMAL_CLOSURE)


# ---------------------------------------------------------------- rooms


@get("/get_gameroom_list", needs_game=False)
async def list_rooms(rooms: RoomDirectory) -> list[dict[str, Any]]:
    """All rooms with the state of their matches."""
    return [_summarise(room, row) for room, row in await rooms.list_rooms()]


def _summarise(room: WireRoom, row: MatchRow | None) -> dict[str, Any]:
    settings = settings_of(room)
    seats = [] if row is None else matches.taken_seats(row) if row.state == "lobby" else row.seats
    return {
        "name": room.name,
        "player_number": len(seats),
        "max_player": settings.max_player,
        "turn": 0 if row is None else row.open_turn,
        "max_turn": settings.max_turn,
        "rank": settings.rank,
    }


@post("/creategameroom", status=200)
async def create_room(request: Request, rooms: RoomDirectory) -> Response:
    """Create a room; needs an account, since a room has no end."""

    async def work(body: dict[str, Any]) -> None:
        caller = require_caller(request.scope)
        rooms.authenticator.charge_password(request.scope)
        settings = read_settings(body.get("config"), organiser=caller.may("organiser"))
        join_key = _text(body, "join_key", "")
        await rooms.create(_text(body, "gameroom_id"), settings, _text(body, "admin_password"), join_key, caller)

    return await _answer(request, work)


@post("/start", status=200)
async def start(request: Request, rooms: RoomDirectory, feeds: RoomFeeds) -> Response:
    """Start the match with the players who have joined."""
    return await _manage(request, rooms, feeds, lambda room, body: rooms.start(room))


@post("/restart", status=200)
async def restart(request: Request, rooms: RoomDirectory, feeds: RoomFeeds) -> Response:
    """Replace the match by a new one, with other settings if some are given."""

    async def replace_match(room: WireRoom, body: dict[str, Any]) -> None:
        caller, config = caller_or_none(request.scope), body.get("config")
        organiser = caller is not None and caller.may("organiser")
        await rooms.restart(room, settings_of(room) if config is None else read_settings(config, organiser=organiser))

    return await _manage(request, rooms, feeds, replace_match)


@post("/deletegameroom", status=200)
async def delete_room(request: Request, rooms: RoomDirectory, feeds: RoomFeeds) -> Response:
    """Delete a room."""
    return await _manage(request, rooms, feeds, lambda room, body: rooms.delete(room))


async def _manage(
    request: Request,
    rooms: RoomDirectory,
    feeds: RoomFeeds,
    action: Callable[[WireRoom, dict[str, Any]], Awaitable[None]],
) -> Response:
    """Do something to the room of a request that may manage it."""

    async def work(body: dict[str, Any]) -> None:
        room = await _require_manager(request, rooms, body)
        await action(room, body)
        await feeds.refresh(room.name)

    return await _answer(request, work)


async def _answer(request: Request, work: Callable[[dict[str, Any]], Awaitable[None]]) -> Response:
    try:
        await work(_parse_object(await request.body()))
        answer: dict[str, Any] = {"success": True}
    except MarchlandError as problem:
        answer = error_body(str(problem))
    return Response(_encode(answer), media_type=JSON)


def error_body(message: str) -> dict[str, Any]:
    """The body of a refused request."""
    return {"success": False, "err_msg": message}


def _parse_object(data: bytes) -> dict[str, Any]:
    try:
        body = msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise Refused("bad_request", "This is not a valid json") from None
    if not isinstance(body, dict):
        raise Refused("bad_request", "This is not a json object")
    check_depth(body)
    return body


async def _require_manager(request: Request, rooms: RoomDirectory, body: dict[str, Any]) -> WireRoom:
    """The room of a request; refused unless the caller has its admin password or is an organiser."""
    caller: Caller | None = caller_or_none(request.scope)
    room = await rooms.require(_text(body, "gameroom_id"))
    if caller is not None and caller.may("organiser"):
        return room
    password = _text(body, "admin_password")
    rooms.authenticator.charge_password(request.scope)
    if not await passwords.verify_in_thread(password, room.admin):
        raise Refused("wrong_password", "Wrong admin password")
    return room


def _text(body: dict[str, Any], name: str, default: str | None = None) -> str:
    value = body.get(name, default)
    if value is None:
        raise Refused("bad_request", f"{name} is missing")
    if not isinstance(value, str) or len(value) > 200:
        raise Refused("bad_request", f"{name} has to be a string of at most 200 characters")
    return value


ENDPOINTS = (game_channel, action_channel, list_rooms, create_room, start, restart, delete_room)
