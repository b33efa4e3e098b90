"""Who plays in a Colorfight room: registration, commands and chat, each with exactly one answer."""

import asyncio
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection

from marchland.errors import JoinRefusedError, OwnershipLost, Refused, StorageUnavailable
from marchland.games.colorfight.wire import BadActionError, Chat, Command, Register, parse_action
from marchland.messages import SeatInfo
from marchland.server.accounts import passwords
from marchland.server.http.payload_limits import check_orders
from marchland.server.http.rate_limit import RateLimited, TokenBuckets
from marchland.server.matches.queries import MatchRow
from marchland.server.wire import queries as wire_queries
from marchland.server.wire.colorfight import matches
from marchland.server.wire.colorfight.room_feed import Channel
from marchland.server.wire.colorfight.rooms import Hall, settings_of
from marchland.server.wire.orders import post_to_open_turn
from marchland.server.wire.queries import WireRoom

NOT_RUNNING = "The game has not started or it ended already"


class Player(NamedTuple):
    """Whom a connection speaks for."""

    match: str
    seat: int
    uid: int
    name: str


class Desk:
    """One connection to a room's action channel."""

    def __init__(self, channel: Channel, hall: Hall) -> None:
        self._channel = channel
        self._hall = hall
        self._limits = hall.manager.settings
        self._bucket = TokenBuckets(self._limits.rate)
        self._player: Player | None = None
        self._seat: int | None = None
        """Where the player sits since the match has started."""

    async def answer(self, message: str | bytes) -> dict[str, Any]:
        """What a message does, and the one reply to it."""
        try:
            if waiting := self._bucket.take(""):
                raise RateLimited(waiting)
            action = parse_action(self._player.uid if self._player else None, message)
            if isinstance(action, Register):
                return {"success": True, "uid": await self._register(action)}
            await (self._command(action) if isinstance(action, Command) else self._chat(action))
        except (BadActionError, Refused) as problem:
            return {"success": False, "err_msg": str(problem)}
        except (StorageUnavailable, OwnershipLost):
            return {"success": False, "err_msg": "The database cannot be reached now, try again"}
        return {"success": True}

    async def leave(self) -> None:
        """The connection is gone; before the start that gives the seat back."""
        player, self._player = self._player, None
        if player is None:
            return
        key = (player.match, player.seat)
        self._channel.connected[key] -= 1
        if self._channel.connected[key] <= 0:
            del self._channel.connected[key]
            try:
                await self._hall.lobby.seating.vacate(player.match, player.seat, partial(_forget, player.match))
            except Refused:  # the match is gone
                return
            await self._channel.look()

    async def _register(self, wish: Register) -> int:
        room = await self._hall.known(self._channel.name)
        row = await self._hall.row(room)
        if row is None or row.state == "broken":
            raise BadActionError(NOT_RUNNING)
        if not await asyncio.to_thread(passwords.fits, wish.join_key, room.join_key):
            raise BadActionError("You need the correct join key for the room")
        seat = await self._known(row, wish) or await self._new(room, row, wish)
        players = await self._hall.store.read(partial(wire_queries.players, match=row.id))
        player = Player(row.id, seat.seat, matches.uids(players, seat.seat + 1)[seat.seat], wish.username)
        await self._speak_for(player)
        await self._channel.look()
        return player.uid

    async def _speak_for(self, player: Player) -> None:
        if self._player != player:
            self._channel.connected[player.match, player.seat] += 1
            await self.leave()
            self._player, self._seat = player, None

    async def _known(self, row: MatchRow, wish: Register) -> SeatInfo | None:
        """The same username and password again is the same player (ruling 18)."""
        seat = next((one for one in row.seats if one.name == wish.username), None)
        if seat is None:
            return None
        players = await self._hall.store.read(partial(wire_queries.players, match=row.id))
        secret = next((player.secret for player in players if player.seat == seat.seat), None)
        if secret is None or not await asyncio.to_thread(passwords.fits, _spoken(wish), secret):
            raise BadActionError("Username exists")
        return seat

    async def _new(self, room: WireRoom, row: MatchRow, wish: Register) -> SeatInfo:
        settings = settings_of(room)
        if row.state != "lobby" and not settings.allow_join_after_start:
            raise BadActionError("You are not allowed to join after the game starts")
        taken = len(matches.present(row)) if row.state == "lobby" else len(row.seats)
        if taken >= settings.max_player:
            raise BadActionError("Map is full")
        secret = await asyncio.to_thread(passwords.kept, _spoken(wish))
        assert secret is not None
        try:
            return await self._hall.sit(row.id, wish.username, secret)
        except JoinRefusedError:
            raise BadActionError("Map is full") from None
        except Refused as problem:
            texts = {"name_taken": "Username exists", "no_seat": "Map is full", "over": NOT_RUNNING}
            raise BadActionError(texts.get(problem.error, str(problem))) from None

    async def _command(self, action: Command) -> None:
        room, player = self._channel.room, self._player
        if room is None or player is None or player.match != room.match:
            raise BadActionError("Wrong uid")
        try:
            match = await self._hall.manager.match(player.match)
        except Refused:
            raise BadActionError(NOT_RUNNING) from None
        if match.is_over:
            raise BadActionError(NOT_RUNNING)
        check_orders(action.orders, self._limits.orders_limit, self._limits.path_limit)
        if self._seat is None:  # seats that were open at the start are no more; a player's number stays
            players = await self._hall.store.read(partial(wire_queries.players, match=match.id))
            self._seat = next(one.seat for one in players if one.number == player.uid)
        try:
            await post_to_open_turn(match, self._seat, action.orders)
        except Refused as problem:
            raise BadActionError(NOT_RUNNING if problem.error == "over" else str(problem)) from None

    async def _chat(self, action: Chat) -> None:
        room = self._channel.room
        assert self._player is not None and room is not None
        await self._hall.say(room, self._player.name, action.msg)
        await self._channel.look()


def _spoken(wish: Register) -> str:
    """What is kept of a player's word: an empty password is one as well."""
    return f"{wish.username}\n{wish.password}"


def _forget(match: str, connection: Connection, seat: SeatInfo) -> None:
    wire_queries.forget_player(connection, match, seat.seat)
