"""A player's connection to a Colorfight room: registration, commands and chat, with exactly one answer each."""

from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection
from starlette.types import Scope

from marchland.errors import JoinRefusedError, OwnershipLost, Refused, StorageUnavailable
from marchland.games.colorfight.wire import (
    Action,
    BadActionError,
    Chat,
    Command,
    Register,
    WrongTypeError,
    parse_action,
)
from marchland.match import Match
from marchland.messages import SeatInfo
from marchland.server.accounts import passwords
from marchland.server.http.auth import caller_or_none
from marchland.server.http.payload_limits import check_orders
from marchland.server.http.rate_limit import RateLimited, TokenBuckets
from marchland.server.matches.queries import MatchRow
from marchland.server.wire import queries as wire_queries
from marchland.server.wire.colorfight import matches
from marchland.server.wire.colorfight.room_feed import RoomFeed
from marchland.server.wire.colorfight.rooms import RoomDirectory, settings_of
from marchland.server.wire.feed import MessageReader
from marchland.server.wire.orders import post_to_open_turn
from marchland.server.wire.queries import WirePlayer, WireRoom

NOT_RUNNING = "The game has not started or it ended already."


class Player(NamedTuple):
    """The player of a connection; the seat is that of registration."""

    match: str
    seat: int
    uid: int
    name: str


class PlayerSession:
    """One connection to a room's action channel."""

    def __init__(self, feed: RoomFeed, rooms: RoomDirectory, scope: Scope, reader: MessageReader) -> None:
        self._feed = feed
        self._reader = reader
        self._scope = scope
        self._rooms = rooms
        self._limits = rooms.manager.settings
        self._bucket = TokenBuckets(self._limits.rate)
        self._player: Player | None = None
        self._seat: int | None = None
        """The player's seat since the match started."""

    async def answer(self, message: str | bytes) -> dict[str, Any]:
        """Handle a message; the answer to it."""
        try:
            if waiting := self._bucket.take(""):
                raise RateLimited(waiting)
            self._rooms.authenticator.charge_body(self._scope, len(message))
            action = await self._parse(message)
            if isinstance(action, Register):
                return {"success": True, "uid": await self._register(action)}
            await (self._command(action) if isinstance(action, Command) else self._chat(action))
        except (BadActionError, Refused) as problem:
            return {"success": False, "err_msg": str(problem)}
        except (StorageUnavailable, OwnershipLost):
            return {"success": False, "err_msg": "The database cannot be reached now, try again"}
        return {"success": True}

    async def _parse(self, message: str | bytes) -> Action:
        try:
            return parse_action(self._player.uid if self._player else None, message, self._limits.orders_limit)
        except WrongTypeError:
            await self._running_match()
            raise

    async def leave(self) -> None:
        """Unbind the player; if it was the player's last connection before the start, its seat is free again."""
        player, self._player = self._player, None
        if player is None:
            return
        key = (player.match, player.seat)
        self._feed.connections[key] -= 1
        if self._feed.connections[key] <= 0:
            del self._feed.connections[key]
            try:
                seats = self._rooms.match_service.seats
                await seats.vacate(player.match, player.seat, partial(_delete_player, player.match))
            except Refused:  # the match was deleted
                return
            await self._feed.refresh()

    async def _register(self, request: Register) -> int:
        self._rooms.authenticator.charge_password(self._scope)
        room = await self._rooms.require(self._feed.name)
        row = await self._rooms.match_row(room)
        if row is None or row.state == "broken":
            raise BadActionError(NOT_RUNNING)
        if not await passwords.verify_in_thread(request.join_key, room.join_key):
            raise BadActionError("You need the correct join key for the room")
        seat = await self._find_seat(row, request) or await self._take_seat(room, row, request)
        players = await self._load_players(row.id)
        player = Player(row.id, seat.seat, matches.uids(players, seat.seat + 1)[seat.seat], request.username)
        await self._bind_player(player)
        await self._feed.refresh()
        return player.uid

    async def _bind_player(self, player: Player) -> None:
        if self._player != player:
            self._feed.connections[player.match, player.seat] += 1
            await self.leave()
            self._player, self._seat = player, None

    async def _find_seat(self, row: MatchRow, request: Register) -> SeatInfo | None:
        """The same username and password again is the same player (ruling 18)."""
        seat = next((seat for seat in row.seats if seat.name == request.username), None)
        if seat is None:
            return None
        players = await self._load_players(row.id)
        secret = next((player.secret for player in players if player.seat == seat.seat), None)
        if secret is None or not await passwords.verify_in_thread(_password_input(request), secret):
            raise BadActionError("Username exists")
        return seat

    async def _take_seat(self, room: WireRoom, row: MatchRow, request: Register) -> SeatInfo:
        settings = settings_of(room)
        if row.state != "lobby" and not settings.allow_join_after_start:
            raise BadActionError("You are not allowed to join after the game starts")
        taken = len(matches.taken_seats(row)) if row.state == "lobby" else len(row.seats)
        if taken >= settings.max_player:
            raise BadActionError("Map is full")
        secret = await passwords.hash_in_thread(_password_input(request))
        assert secret is not None
        if self._reader.code is not None:  # the last seat would start a match that its player does not wait for
            raise BadActionError("You have disconnected")
        try:
            has_account = caller_or_none(self._scope) is not None
            return await self._rooms.take_seat(row.id, request.username, secret, has_account=has_account)
        except JoinRefusedError:
            raise BadActionError("Map is full") from None
        except Refused as problem:
            texts = {"name_taken": "Username exists", "no_seat": "Map is full", "over": NOT_RUNNING}
            raise BadActionError(texts.get(problem.error, str(problem))) from None

    async def _running_match(self) -> Match:
        """The player's match; refused unless it is the room's and runs."""
        room, player = self._feed.room, self._player
        if room is None or player is None or player.match != room.match:
            raise BadActionError("Wrong uid")
        try:
            match = await self._rooms.manager.match(player.match)
        except Refused:
            raise BadActionError(NOT_RUNNING) from None
        if match.is_over:
            raise BadActionError(NOT_RUNNING)
        return match

    async def _command(self, action: Command) -> None:
        match = await self._running_match()
        check_orders(action.orders, self._limits.orders_limit, self._limits.path_limit)
        if self._seat is None:  # the start removes open seats and so moves players; their numbers stay
            players = await self._load_players(match.id)
            assert self._player is not None
            self._seat = next(known.seat for known in players if known.number == self._player.uid)
        try:
            await post_to_open_turn(match, self._seat, action.orders)
        except Refused as problem:
            raise BadActionError(NOT_RUNNING if problem.error == "over" else str(problem)) from None

    async def _chat(self, action: Chat) -> None:
        room = self._feed.room
        assert self._player is not None and room is not None
        await self._rooms.add_chat_line(room, self._player.name, action.msg)
        await self._feed.refresh()

    async def _load_players(self, match: str) -> list[WirePlayer]:
        return await self._rooms.store.read(partial(wire_queries.list_players, match=match))


def _password_input(request: Register) -> str:
    """What is hashed for a player; with the username in it, an empty password works like any other."""
    return f"{request.username}\n{request.password}"


def _delete_player(match: str, connection: Connection, seat: SeatInfo) -> None:
    wire_queries.delete_player(connection, match, seat.seat)
