"""The paths of the public competition's server. Errors are JSON texts."""

import contextlib
import html
from typing import Any

import msgspec
from litestar import MediaType, Request, Response, WebSocket, get, post, websocket
from litestar.exceptions import WebSocketDisconnect, WebSocketException

import marchland
from marchland.core.game import Game
from marchland.errors import Refused, StorageUnavailable
from marchland.games.hive.maps import mapfile
from marchland.games.hive.wire import BadOrdersError, game_bytes, history_bytes, read_orders
from marchland.match import Entry, MatchOver
from marchland.server.http.payload_limits import check_orders
from marchland.server.matches.history import MatchHistory
from marchland.server.settings import Settings
from marchland.server.wire.hive.games import Complaint, about, names_of
from marchland.server.wire.hive.wire import Hives
from marchland.server.wire.orders import post_to_open_turn
from marchland.server.wire.require_game import NEEDS_NO_GAME

_ENDED = 1000
_encode = msgspec.json.Encoder().encode

Asking = Request[Any, Any, Any]


def _json(told: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response[bytes]:
    body = told if isinstance(told, bytes) else _encode(told)
    return Response(body, status_code=status, media_type=MediaType.JSON, headers=headers)


@get("/newgame")
async def new_game(request: Asking, wire: Hives) -> Response[bytes]:
    """A new game; whoever has the admin token sees all of it."""
    wire.check_maker(request)
    asked = request.query_params
    chosen, edition = asked.get("map") or mapfile.DEFAULT, asked.get("edition") or "2025"
    made = await wire.games.create(chosen, asked.get("players") or "", edition, asked.get("bots") or "")
    return _json(made)


@get("/join")
async def join(request: Asking, wire: Hives) -> Response[bytes]:
    """A seat in a game, and the token for it."""
    asked = request.query_params
    return _json(await wire.games.join(asked.get("id") or "", asked.get("name") or ""))


@get("/game")
async def game(request: Asking, wire: Hives) -> Response[bytes]:
    """How the game stands, as far as the player sees it."""
    match, seat = await wire.entered(request)
    influence = await wire.influence(match)
    return _json(await match.read(lambda game: game_bytes(game, seat, influence.last_change)))  # type: ignore[arg-type]


@post("/orders", status_code=200)
async def orders(request: Asking, wire: Hives, settings: Settings) -> Response[bytes]:
    """The player's orders for this turn."""
    match, seat = await wire.entered(request)
    if seat is None:
        raise Complaint("Invalid token", 403)
    try:
        given = read_orders(await request.body())
    except BadOrdersError as problem:
        raise Complaint(f"Invalid or malformed JSON: {problem}") from None
    if match.is_over:
        raise Complaint("Game is over")
    check_orders(given, settings.orders_limit, settings.path_limit)
    try:
        await post_to_open_turn(match, seat, given)
    except MatchOver:
        raise Complaint("Game is over") from None
    return _json("OK")


@get("/status", opt=NEEDS_NO_GAME)
async def status(wire: Hives) -> Response[bytes]:
    """All games."""
    games = [
        about(name, row) | {"players": names_of(row), "gameOver": row.state not in ("lobby", "running")}
        for name, row in await wire.games.listed()
    ]
    order = ("id", "createdDate", "map", "numPlayers", "players", "gameOver")
    told = [{key: one[key] for key in order} for one in games]
    return _json({"gitRevision": marchland.__version__, "games": told})


@get("/history", opt=NEEDS_NO_GAME)
async def histories(wire: Hives) -> Response[str]:
    """The files of finished games."""
    files = [f"{html.escape(name)}.json" for name, row in await wire.games.listed() if row.state == "over"]
    links = "".join(f'<a href="{file}">{file}</a>\n' for file in files)
    return Response(f"<!doctype html>\n<title>history</title>\n<pre>\n{links}</pre>\n", media_type=MediaType.HTML)


@get("/history/{file:str}")
async def one_history(file: str, wire: Hives, history: MatchHistory) -> Response[bytes]:
    """A finished game, from its first state to its last."""
    name = file.removesuffix(".json")
    row = await wire.games.finished(name)
    facts = about(name, row)
    told = {"id": name, "map": facts["map"], "createdDate": facts["createdDate"], "players": names_of(row)}

    def tell(game: Game, entries: list[Entry]) -> bytes:
        return history_bytes(game, (entry.packed() for entry in entries), told)  # type: ignore[arg-type]

    return _json(await history.fold(row, tell))


@websocket("/ws")
async def news(socket: WebSocket[Any, Any, Any], wire: Hives) -> None:
    """The number of each turn as it begins."""
    try:
        match = await wire.games.match(socket.query_params.get("id") or "")
    except (Complaint, StorageUnavailable) as problem:
        await _refuse(socket, problem)
        return
    await socket.accept()
    with contextlib.suppress(WebSocketDisconnect, WebSocketException, RuntimeError), wire.listening(match) as listener:
        async for turn, over in listener.turns(socket):
            await socket.send_data(_encode({"turn": turn, "gameOver": over}), mode="text")
        await socket.close(_ENDED)


async def _refuse(socket: WebSocket[Any, Any, Any], problem: Exception) -> None:
    """Answer a handshake as any other request."""
    status = problem.status if isinstance(problem, Complaint) else 503
    body = _encode(str(problem))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    start: Any = {"type": "websocket.http.response.start", "status": status, "headers": headers}
    rest: Any = {"type": "websocket.http.response.body", "body": body, "more_body": False}
    await socket.send(start)
    await socket.send(rest)


def complained(request: Asking, problem: Complaint) -> Response[bytes]:
    """What is wrong, as a JSON text."""
    return _json(str(problem), problem.status)


def refused(request: Asking, problem: Refused) -> Response[bytes]:
    """What the server itself refuses."""
    if problem.retry is not None:
        return _json(str(problem), 429, {"Retry-After": str(problem.retry)})
    return _json(str(problem), 400)


HANDLERS = (new_game, join, game, orders, status, histories, one_history, news)
EXCEPTIONS = {Complaint: complained, Refused: refused}
