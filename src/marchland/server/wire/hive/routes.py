"""Hive's routes, as on the public competition's server."""

import html
from collections.abc import AsyncIterator, Mapping
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope
from starlette.websockets import WebSocket

import marchland
from marchland.core.game import Game
from marchland.errors import Refused, StorageUnavailable
from marchland.games.hive.maps import mapfile
from marchland.games.hive.wire import BadOrdersError, game_bytes, history_bytes, read_orders
from marchland.match import Entry, Match, MatchOver
from marchland.server.http.auth import caller_or_none
from marchland.server.http.errors import status_of
from marchland.server.http.payload_limits import check_orders
from marchland.server.http.routing import JSON, ErrorHandler, get, post, websocket
from marchland.server.matches.history import MatchHistory
from marchland.server.matches.queries import MatchRow
from marchland.server.settings import Settings
from marchland.server.wire.feed import run_until_disconnect
from marchland.server.wire.hive.games import GameService, HiveError, describe, names_of
from marchland.server.wire.hive.influence import InfluenceLogs
from marchland.server.wire.hive.turn_feed import Turn, TurnFeeds
from marchland.server.wire.orders import post_to_open_turn

_NORMAL_CLOSURE = 1000
_encode = msgspec.json.Encoder().encode


def _json(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    body = content if isinstance(content, bytes) else _encode(content)
    return Response(body, status, headers, JSON)


@get("/newgame")
async def new_game(request: Request, games: GameService) -> Response:
    """Create a game; the admin token sees all of it when it is over."""
    games.limit_creation(request.client.host if request.client else "")
    query = request.query_params
    chosen, edition = query.get("map") or mapfile.DEFAULT, query.get("edition") or "2025"
    caller = caller_or_none(request.scope)
    created = await games.create(chosen, query.get("players") or "", edition, query.get("bots") or "", caller)
    return _json(created)


@get("/join")
async def join(request: Request, games: GameService) -> Response:
    """Take a seat; its number and token."""
    query = request.query_params
    caller = caller_or_none(request.scope)
    return _json(await games.join(query.get("id") or "", query.get("name") or "", caller))


@get("/game")
async def game(request: Request, games: GameService, influence: InfluenceLogs) -> Response:
    """The state as the player sees it."""
    match, seat = await _authorise(request, games)
    changes = await influence.load(match)
    return _json(await match.read(lambda game: game_bytes(game, seat, changes.last_change)))  # type: ignore[arg-type]


@post("/orders", status=200)
async def orders(request: Request, games: GameService, settings: Settings) -> Response:
    """Post the player's orders for the open turn."""
    match, seat = await _authorise(request, games)
    if seat is None:
        raise HiveError("Invalid token", 403)
    try:
        parsed = read_orders(await request.body())
    except BadOrdersError as problem:
        raise HiveError(f"Invalid or malformed JSON: {problem}") from None
    if match.is_over:
        raise HiveError("Game is over")
    check_orders(parsed, settings.orders_limit, settings.path_limit)
    try:
        await post_to_open_turn(match, seat, parsed)
    except MatchOver:
        raise HiveError("Game is over") from None
    return _json("OK")


async def _authorise(request: Request, games: GameService) -> tuple[Match, int | None]:
    query = request.query_params
    return await games.authorise(query.get("id") or "", query.get("token") or "")


@get("/status", needs_game=False)
async def status(games: GameService) -> Response:
    """The newest games."""
    summaries = [_summarise(name, row) for name, row in await games.list_newest()]
    return _json({"gitRevision": marchland.__version__, "games": summaries})


def _summarise(name: str, row: MatchRow) -> dict[str, Any]:
    facts = describe(name, row)
    return {
        **{key: facts[key] for key in ("id", "createdDate", "map", "numPlayers")},
        "players": names_of(row),
        "gameOver": row.state not in ("lobby", "running"),
    }


@get("/history", needs_game=False)
async def list_histories(games: GameService) -> Response:
    """Links to the files of finished games."""
    files = [f"{html.escape(name)}.json" for name, row in await games.list_newest() if row.state == "over"]
    links = "".join(f'<a href="{file}">{file}</a>\n' for file in files)
    return Response(f"<!doctype html>\n<title>history</title>\n<pre>\n{links}</pre>\n", media_type="text/html")


@get("/history/{file}")
async def show_history(file: str, games: GameService, history: MatchHistory) -> Response:
    """All states and orders of a finished game."""
    name = file.removesuffix(".json")
    row = await games.require_finished(name)
    facts = describe(name, row)
    head = {"id": name, "map": facts["map"], "createdDate": facts["createdDate"], "players": names_of(row)}

    def encode(game: Game, entries: list[Entry]) -> bytes:
        return history_bytes(game, (entry.decode_orders() for entry in entries), head)  # type: ignore[arg-type]

    return _json(await history.fold(row, encode))


@websocket("/ws")
async def turn_socket(socket: WebSocket, games: GameService, turns: TurnFeeds) -> None:
    """Send the number of each turn as it begins."""
    try:
        match = await games.match_of(socket.query_params.get("id") or "")
    except (HiveError, StorageUnavailable) as problem:
        await _refuse(socket, problem)
        return
    await socket.accept()
    with turns.subscribe(match) as feed:
        await run_until_disconnect(socket, _send_turns(socket, feed))


async def _send_turns(socket: WebSocket, feed: AsyncIterator[Turn]) -> None:
    async for turn in feed:
        await socket.send_text(_encode({"turn": turn.number, "gameOver": turn.over}).decode())
    await socket.close(_NORMAL_CLOSURE)


async def _refuse(socket: WebSocket, problem: Exception) -> None:
    """Answer a handshake with the HTTP response of a refused request."""
    status = problem.status if isinstance(problem, HiveError) else 503
    await socket.send_denial_response(_json(str(problem), status))


def handle_hive_error(scope: Scope, problem: HiveError) -> Response:
    """The text of the protocol as a JSON string."""
    return _json(str(problem), problem.status)


def handle_refused(scope: Scope, problem: Refused) -> Response:
    """A refusal of the server as a JSON string."""
    status = status_of(problem)
    if problem.retry is not None:
        return _json(str(problem), status, {"Retry-After": str(problem.retry)})
    return _json(str(problem), status if problem.error in ("not_allowed", "bad_token") else 400)


ENDPOINTS = (new_game, join, game, orders, status, list_histories, show_history, turn_socket)
ERROR_HANDLERS: Mapping[type[Exception], ErrorHandler] = {HiveError: handle_hive_error, Refused: handle_refused}
