"""A match's WebSocket: news go out from a queue of the reader's own, orders come in."""

import asyncio
import contextlib
import time
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect, WebSocketException
from litestar.types import Scope

from marchland.errors import MarchlandError
from marchland.match import Lost, Match, Refused, Subscription, Unavailable
from marchland.messages import Answer, ClientMessage, Hello, See, SendAct, SendOrders
from marchland.server.access import Caller, Doorkeeper, somebody
from marchland.server.host import Host
from marchland.server.limits import TooMany, check_orders
from marchland.server.matches import chunk_numbers, eyes, slow_down
from marchland.server.problems import sentence_of
from marchland.server.settings import Settings

GARBAGE, BAD_TOKEN, NOT_YOURS, NO_MATCH, RESTART = 4400, 4401, 4403, 4404, 1012
_MOST_MISTAKES = 10
_UNANSWERED = 64
"""Messages of one client that may wait for their answers."""
_UNREAD = 256
"""Messages that may wait for a client who goes on sending without reading."""
_FAREWELLS = {
    "restart": (RESTART, "The match goes on elsewhere or is taken up again; come back."),
    "revoked": (BAD_TOKEN, "This token was revoked."),
    "reseated": (NOT_YOURS, "Somebody else has this seat now, or nobody."),
}

_decoder = msgspec.json.Decoder(ClientMessage)
_encode = msgspec.json.Encoder().encode


@websocket("/matches/{match_id:str}/live")
async def live(
    socket: WebSocket[Any, Any, Any],
    match_id: str,
    scope: Scope,
    host: Host,
    doorkeeper: Doorkeeper,
    settings: Settings,
    seat: str = "",
    want: str = "frames",
    chunks: str | None = None,
) -> None:
    """News of a match for a spectator or a seat, and the orders of the seat; ``chunks`` are the first to be seen."""
    offered = socket.headers.get("sec-websocket-protocol", "").split(",")
    await socket.accept(subprotocols="marchland" if "marchland" in (one.strip() for one in offered) else None)
    try:
        caller = somebody(scope)
        match = await host.match(match_id)
        looking = eyes(match, caller, _number(seat))
        seen = None if chunks is None else chunk_numbers(chunks)
    except Refused as problem:
        codes = {"bad_token": BAD_TOKEN, "not_your_seat": NOT_YOURS, "bad_request": GARBAGE}
        reason = str(problem).encode()[:120].decode(errors="ignore")  # a close frame holds no more
        await socket.close(codes.get(problem.error, NO_MATCH), reason)
        return
    except Unavailable:
        await socket.close(RESTART, "The database cannot be reached now.")
        return
    wanted = {word.strip() for word in want.split(",")}
    mine = looking is not None and caller is not None and match.seats[looking].account == caller.id
    reader = Subscription(
        looking, frames="frames" in wanted, views="views" in wanted, results=mine and "results" in wanted
    )
    reader.chunks = seen
    reader.offer(
        _encode(Hello(match_id, match.game.name, looking, match.state, time.time(), match.legend())), news=False
    )
    try:
        await match.subscribe(reader)
    except Unavailable:
        await socket.close(*_FAREWELLS["restart"])
        return
    host.metrics.readers.inc()
    session = _Session(socket, match, reader, caller if mine else None, host, doorkeeper, settings)
    try:
        with doorkeeper.reading(caller, reader):
            await session.run()
    finally:
        match.unsubscribe(reader)
        host.metrics.readers.dec()


def _number(seat: str) -> int | None:
    if seat and not (seat.isascii() and seat.isdigit() and len(seat) < 10):
        raise Refused("bad_request", "A seat is a number.")
    return int(seat) if seat else None


class _Session:
    """One open socket."""

    def __init__(
        self,
        socket: WebSocket[Any, Any, Any],
        match: Match,
        reader: Subscription,
        player: Caller | None,
        host: Host,
        doorkeeper: Doorkeeper,
        settings: Settings,
    ) -> None:
        self._socket = socket
        self._match = match
        self._reader = reader
        self._player = player
        self._host = host
        self._doorkeeper = doorkeeper
        self._settings = settings
        self._mistakes = 0
        self._answering: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Send and receive until one side has had enough."""
        sending = asyncio.create_task(self._send())
        receiving = asyncio.create_task(self._receive())
        try:
            await asyncio.wait((sending, receiving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, receiving, *self._answering):
                task.cancel()
            await asyncio.gather(sending, receiving, *self._answering, return_exceptions=True)

    async def _send(self) -> None:
        with contextlib.suppress(WebSocketException, RuntimeError):
            while (message := await self._reader.next()) is not None:
                await self._socket.send_data(message, mode="text")
                if self._reader.behind and self._reader.closed is None:
                    with contextlib.suppress(Unavailable):  # then the reader is sent away in a moment
                        await self._match.catch_up(self._reader)
            await self._socket.close(*_FAREWELLS[self._reader.closed or "restart"])

    async def _receive(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, WebSocketException, RuntimeError):
            while self._mistakes < _MOST_MISTAKES:
                data = await self._socket.receive_data(mode="text")
                await self._take(data)
                if len(self._reader) > _UNREAD:  # it could not read a farewell either
                    return
            await self._socket.close(GARBAGE, "Too many messages that make no sense.")

    async def _take(self, data: str) -> None:
        try:
            message = _decoder.decode(data)
        except (msgspec.MsgspecError, RecursionError, ValueError) as problem:
            self._mistakes += 1
            self._tell(Answer("", error="bad_request", sentence=f"Not a message: {problem}."))
            return
        if isinstance(message, See):
            await self._match.see(self._reader, message.chunks)
            return
        if len(self._answering) >= _UNANSWERED:
            self._tell(Answer(message.key, error="too_many", sentence="Wait for the answers to what you have sent."))
            return
        task = asyncio.create_task(self._answer(message))
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def _answer(self, message: SendOrders | SendAct) -> None:
        try:
            self._tell(await self._done(message))
        except Refused as problem:
            self._tell(Answer(message.key, error=problem.error, sentence=str(problem)))
        except MarchlandError as problem:
            self._tell(Answer(message.key, error="bad_request", sentence=str(problem)))
        except (Unavailable, Lost) as problem:
            self._tell(Answer(message.key, error="unavailable", sentence=sentence_of(problem)))

    async def _done(self, message: SendOrders | SendAct) -> Answer:
        if self._player is None or self._reader.seat is None:
            raise Refused("not_your_seat", "You watch this match; take a seat to play.")
        if self._match.seats[self._reader.seat].account != self._player.id:
            raise Refused("not_your_seat", f"Seat {self._reader.seat} is yours no more.")
        if waiting := self._doorkeeper.wait(self._player):
            raise TooMany(waiting)
        slow_down(self._doorkeeper, self._host, self._match.id, self._player)
        limits = self._settings.orders_limit, self._settings.path_limit
        seat = self._reader.seat
        if isinstance(message, SendAct):
            check_orders([message.order], *limits)
            return Answer(message.key, acted=await self._host.act(self._match, seat, message.order, message.key))
        check_orders(message.orders, *limits)
        self._host.spending.check_queued(self._match, message.orders)
        with self._host.metrics.posts.time():
            receipt = await self._match.post(seat, message.orders, message.key, turn=message.turn, ready=message.ready)
        return Answer(message.key, receipt=receipt)

    def _tell(self, answer: Answer) -> None:
        self._reader.offer(_encode(answer), news=False)
