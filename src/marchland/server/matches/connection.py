"""One live WebSocket connection of a match: news are sent from a bounded queue, orders are received."""

import asyncio
import contextlib
import logging

import msgspec
from starlette.websockets import WebSocket

from marchland.errors import MarchlandError, OwnershipLost, Refused, StorageUnavailable
from marchland.match import Match, Subscription
from marchland.messages import Answer, ClientMessage, See, SendAct, SendOrders
from marchland.server.http.auth import Authenticator, Caller, unknown_token
from marchland.server.http.errors import unavailable, unexpected
from marchland.server.http.payload_limits import check_orders
from marchland.server.http.rate_limit import RateLimited, TokenBuckets
from marchland.server.http.websockets import CLOSED, receive_data
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.visibility import limit_in_rounds
from marchland.server.settings import Settings

GARBAGE, BAD_TOKEN, NOT_YOURS, NO_MATCH, RESTART = 4400, 4401, 4403, 4404, 1012
CLOSE_FRAMES = {
    "restart": (RESTART, "The match continues on another node or is loaded again; reconnect."),
    "revoked": (BAD_TOKEN, str(unknown_token())),
    "reseated": (NOT_YOURS, "Another player has this seat now, or it is empty."),
}
_MAX_MISTAKES = 10
_MAX_UNANSWERED = 64
"""Messages of one client that may be in progress."""
_MAX_UNREAD = 256
"""Messages that may be queued for a client that sends without reading."""

log = logging.getLogger(__name__)

_decoder = msgspec.json.Decoder(ClientMessage)
_encode = msgspec.json.Encoder().encode


def refusal(key: str, problem: Refused) -> Answer:
    """The answer to a message that was refused."""
    return Answer(key, error=problem.error, sentence=str(problem), code=problem.code, arguments=problem.arguments)


class LiveConnection:
    """One open socket."""

    def __init__(
        self,
        socket: WebSocket,
        match: Match,
        reader: Subscription,
        player: Caller | None,
        manager: MatchManager,
        authenticator: Authenticator,
        settings: Settings,
    ) -> None:
        self._socket = socket
        self._match = match
        self._reader = reader
        self._player = player
        self._manager = manager
        self._authenticator = authenticator
        self._settings = settings
        self._mistakes = 0
        self._chunk_changes = TokenBuckets(settings.rate)
        self._answering: set[asyncio.Task[None]] = set()
        self._resuming: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Send and receive until either side closes the connection."""
        sending = asyncio.create_task(self._send())
        receiving = asyncio.create_task(self._receive())
        try:
            await asyncio.wait((sending, receiving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            tasks = [sending, receiving, *self._answering, *([self._resuming] if self._resuming else ())]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _send(self) -> None:
        with contextlib.suppress(*CLOSED):
            while (message := await self._reader.next()) is not None and self._match.is_owned():
                await self._socket.send_text(message.decode())
                self._charge_views()
                await self._refresh_if_behind()
            await self._socket.close(*CLOSE_FRAMES[self._reader.closed or "restart"])

    async def _refresh_if_behind(self) -> None:
        if self._reader.needs_refresh and self._reader.closed is None:
            with contextlib.suppress(StorageUnavailable):  # the connection is about to be closed
                await self._match.refresh_if_behind(self._reader)

    def _charge_views(self) -> None:
        """Charge the views that were sent; a reader that cannot pay for another one gets no news until it can."""
        cells, self._reader.unpaid_views = self._reader.unpaid_views * self._match.game.board.size, 0.0
        if not cells:
            return
        self._authenticator.charge_sent_view(self._socket.scope, cells)
        if not self._reader.is_paused and self._authenticator.view_wait(self._socket.scope, cells):
            self._reader.is_paused = True
            self._resuming = asyncio.create_task(self._resume_when_paid(cells))

    async def _resume_when_paid(self, cells: float) -> None:
        while wait := self._authenticator.view_wait(self._socket.scope, cells):
            await asyncio.sleep(wait)
        self._reader.is_paused = False
        await self._refresh_if_behind()

    async def _receive(self) -> None:
        with contextlib.suppress(*CLOSED):
            while self._mistakes < _MAX_MISTAKES:
                await self._receive_one(await receive_data(self._socket))
                if len(self._reader) > _MAX_UNREAD:  # it would not read a close frame either
                    return
            await self._socket.close(GARBAGE, "Too many messages that make no sense.")

    async def _receive_one(self, data: str | bytes) -> None:
        try:
            message = _decoder.decode(data)
        except (msgspec.MsgspecError, RecursionError, ValueError) as problem:
            self._mistakes += 1
            self._reply(Answer("", error="bad_request", sentence=f"Not a message: {problem}."))
            return
        if isinstance(message, See):
            while waiting := self._chunk_changes.take(""):  # each computes a picture of the board
                await asyncio.sleep(waiting)
            with contextlib.suppress(StorageUnavailable):  # the connection is about to be closed
                await self._match.set_chunks(self._reader, message.chunks)
            return
        if len(self._answering) >= _MAX_UNANSWERED:
            self._reply(refusal(message.key, Refused("too_many", "unanswered_limit")))
            return
        task = asyncio.create_task(self._answer(message, len(data)))
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def _answer(self, message: SendOrders | SendAct, size: int) -> None:
        try:
            self._reply(await self._execute(message, size))
        except Refused as problem:
            self._reply(refusal(message.key, problem))
        except MarchlandError as problem:
            self._reply(refusal(message.key, Refused.of("bad_request", problem)))
        except (StorageUnavailable, OwnershipLost) as problem:
            self._reply(refusal(message.key, unavailable(problem)))
        except Exception:
            log.exception("unexpected error on a live connection", extra={"match": self._match.id})
            self._reply(refusal(message.key, unexpected()))

    async def _execute(self, message: SendOrders | SendAct, size: int) -> Answer:
        if self._player is None or self._reader.seat is None:
            raise Refused("not_your_seat", "only_watching")
        if self._match.seats[self._reader.seat].account != self._player.id:
            raise Refused("not_your_seat", "seat_lost", seat=self._reader.seat)
        if waiting := self._authenticator.token_wait(self._player):
            raise RateLimited(waiting)
        self._authenticator.charge_body(self._socket.scope, size)
        limit_in_rounds(self._manager, self._match.id, self._player)
        limits = self._settings.orders_limit, self._settings.path_limit
        seat = self._reader.seat
        if isinstance(message, SendAct):
            check_orders([message.order], *limits)
            return Answer(message.key, acted=await self._manager.act(self._match, seat, message.order, message.key))
        check_orders(message.orders, *limits)
        self._manager.item_spending.check_queued(self._match, message.orders)
        with self._manager.metrics.posts.time():
            receipt = await self._match.post(seat, message.orders, message.key, turn=message.turn, ready=message.ready)
        return Answer(message.key, receipt=receipt)

    def _reply(self, answer: Answer) -> None:
        self._reader.offer(_encode(answer), is_news=False)
