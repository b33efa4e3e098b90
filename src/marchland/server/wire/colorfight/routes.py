"""The paths of Colorfight's first server."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from litestar import MediaType, Request, Response, WebSocket, get, post, websocket
from litestar.exceptions import WebSocketDisconnect, WebSocketException

from marchland.errors import MarchlandError, Refused, StorageUnavailable
from marchland.server.accounts import passwords
from marchland.server.http.auth import Caller, caller_or_none, require_caller
from marchland.server.http.payload_limits import check_depth
from marchland.server.matches.queries import MatchRow
from marchland.server.wire.colorfight import matches
from marchland.server.wire.colorfight.player_session import Desk
from marchland.server.wire.colorfight.room_feed import Channel, Listener
from marchland.server.wire.colorfight.rooms import settings_of
from marchland.server.wire.colorfight.settings import read_settings
from marchland.server.wire.colorfight.wire import Rooms
from marchland.server.wire.queries import WireRoom
from marchland.server.wire.require_game import NEEDS_NO_GAME

_GONE = 1000
_RESTARTS = 1012
_encode = msgspec.json.Encoder().encode

Socket = WebSocket[Any, Any, Any]
Asking = Request[Any, Any, Any]


# ---------------------------------------------------------------- channels


@websocket("/gameroom/{room:str}/game_channel")
async def game_channel(socket: Socket, room: str, wire: Rooms) -> None:
    """The state, whenever it changes."""
    await socket.accept()
    listener = Listener()
    with wire.connected(room) as channel:
        if not await _exists(socket, channel):
            return
        channel.listen(listener)
        sending = asyncio.create_task(_send(socket, listener))
        receiving = asyncio.create_task(_until_gone(socket))
        try:
            await asyncio.wait((sending, receiving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            channel.listeners.discard(listener)
            sending.cancel()
            receiving.cancel()
            await asyncio.gather(sending, receiving, return_exceptions=True)


@websocket("/gameroom/{room:str}/action_channel")
async def action_channel(socket: Socket, room: str, wire: Rooms) -> None:
    """Registration and commands, each with one reply."""
    await socket.accept()
    with wire.connected(room) as channel:
        if not await _exists(socket, channel):
            return
        desk = Desk(channel, wire.hall)
        code = _GONE
        try:
            while (message := await _received(socket)) is not None:
                answer = await desk.answer(message)
                await socket.send_data(_encode(answer), mode="text")
                if "uid" in answer:
                    await wire.look_at(room)
        except WebSocketDisconnect as problem:
            code = problem.code
        except (WebSocketException, RuntimeError):
            pass
        finally:
            if code != _RESTARTS:  # whoever is sent away by a restart has not left
                await asyncio.shield(desk.leave())


async def _exists(socket: Socket, channel: Channel) -> bool:
    try:
        found = await channel.look()
    except (Refused, StorageUnavailable):
        found = False
    if not found:
        await socket.close(_GONE)
    return found


async def _send(socket: Socket, listener: Listener) -> None:
    with contextlib.suppress(WebSocketException, RuntimeError):
        while (frame := await listener.next()) is not None:
            await socket.send_data(frame, mode="text")
        await socket.close(_GONE)


async def _until_gone(socket: Socket) -> None:
    with contextlib.suppress(WebSocketDisconnect, WebSocketException, RuntimeError):
        while await _received(socket) is not None:
            pass


async def _received(socket: Socket) -> str | bytes | None:
    message: Any = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(detail="gone", code=message.get("code") or _GONE)
    text: str | None = message.get("text")
    data: bytes | None = message.get("bytes")
    return data if text is None else text


# ---------------------------------------------------------------- rooms


@get("/get_gameroom_list", opt=NEEDS_NO_GAME)
async def list_rooms(wire: Rooms) -> list[dict[str, Any]]:
    """All rooms, and how their games stand."""
    return [_listed(room, row) for room, row in await wire.hall.rooms()]


def _listed(room: WireRoom, row: MatchRow | None) -> dict[str, Any]:
    settings = settings_of(room)
    seats = [] if row is None else matches.present(row) if row.state == "lobby" else row.seats
    return {
        "name": room.name,
        "player_number": len(seats),
        "max_player": settings.max_player,
        "turn": 0 if row is None else row.open_turn,
        "max_turn": settings.max_turn,
        "rank": settings.rank,
    }


@post("/creategameroom", status_code=200)
async def create_room(request: Asking, wire: Rooms) -> Response[bytes]:
    """A new room, for whoever has an account: a room may last for ever."""

    async def work(asked: dict[str, Any]) -> None:
        caller = require_caller(request.scope)
        settings = read_settings(asked.get("config"), organiser=caller.may("organiser"))
        join_key = _text(asked, "join_key", "")
        await wire.hall.create(_text(asked, "gameroom_id"), settings, _text(asked, "admin_password"), join_key, caller)

    return await _answered(request, work)


@post("/start", status_code=200)
async def start(request: Asking, wire: Rooms) -> Response[bytes]:
    """Begin with those who are there."""

    async def work(asked: dict[str, Any]) -> None:
        room = await _managed(request, wire, asked)
        await wire.hall.start(room)
        await wire.look_at(room.name)

    return await _answered(request, work)


@post("/restart", status_code=200)
async def restart(request: Asking, wire: Rooms) -> Response[bytes]:
    """A new game, with other settings if some are given."""

    async def work(asked: dict[str, Any]) -> None:
        room = await _managed(request, wire, asked)
        caller = caller_or_none(request.scope)
        organiser = caller is not None and caller.may("organiser")
        given = asked.get("config")
        settings = settings_of(room) if given is None else read_settings(given, organiser=organiser)
        await wire.hall.restart(room, settings)
        await wire.look_at(room.name)

    return await _answered(request, work)


@post("/deletegameroom", status_code=200)
async def delete_room(request: Asking, wire: Rooms) -> Response[bytes]:
    """Close a room for good."""

    async def work(asked: dict[str, Any]) -> None:
        room = await _managed(request, wire, asked)
        await wire.hall.delete(room)
        await wire.look_at(room.name)

    return await _answered(request, work)


async def _answered(request: Asking, work: Callable[[dict[str, Any]], Awaitable[None]]) -> Response[bytes]:
    try:
        await work(_object(await request.body()))
        answer: dict[str, Any] = {"success": True}
    except MarchlandError as problem:
        answer = error_body(str(problem))
    return Response(_encode(answer), media_type=MediaType.JSON)


def error_body(sentence: str) -> dict[str, Any]:
    """Why a request was refused."""
    return {"success": False, "err_msg": sentence}


def _object(body: bytes) -> dict[str, Any]:
    try:
        asked = msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise Refused("bad_request", "This is not a valid json") from None
    if not isinstance(asked, dict):
        raise Refused("bad_request", "This is not a json object")
    check_depth(asked)
    return asked


async def _managed(request: Asking, wire: Rooms, asked: dict[str, Any]) -> WireRoom:
    """The room that is meant, if whoever asks may manage it: by its admin password, or as an organiser."""
    caller: Caller | None = caller_or_none(request.scope)
    room = await wire.hall.known(_text(asked, "gameroom_id"))
    if caller is not None and caller.may("organiser"):
        return room
    password = _text(asked, "admin_password")
    if not password or not await asyncio.to_thread(passwords.fits, password, room.admin):
        raise Refused("wrong_password", "Wrong admin password")
    return room


def _text(asked: dict[str, Any], name: str, usual: str | None = None) -> str:
    value = asked.get(name, usual)
    if value is None:
        raise Refused("bad_request", f"{name} is missing")
    if not isinstance(value, str) or len(value) > 200:
        raise Refused("bad_request", f"{name} has to be a string of at most 200 characters")
    return value


HANDLERS = (game_channel, action_channel, list_rooms, create_room, start, restart, delete_room)
