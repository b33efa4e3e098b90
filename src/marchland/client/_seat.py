"""A seat in a match: send orders, or let a bot play it. Blocking and asynchronous."""

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from websockets.asyncio.client import ClientConnection as AsyncConnection
from websockets.asyncio.client import connect as connect_async
from websockets.sync.client import ClientConnection, connect

from marchland.client import _endpoints as endpoints
from marchland.client._bot_runner import LOBBY_POLL, PATIENCE, BotRunner, OnTurn, Summary
from marchland.client._endpoints import Endpoint, RequestMethod
from marchland.client._errors import CONNECTION_ERRORS, MAX_MESSAGE_BYTES
from marchland.client._urls import live_url
from marchland.messages import ActPost, ActResult, Joined, MatchInfo, OrdersPost, Receipt, TurnLog

if TYPE_CHECKING:
    from marchland.client._client import AsyncClient, Client

T = TypeVar("T")


class BaseSeat:
    """What `Seat` and `AsyncSeat` share: which seat it is, and its requests."""

    def __init__(self, joined: Joined) -> None:
        self.match = joined.match
        self.seat = joined.seat
        self.name = joined.name

    @RequestMethod
    def info(self) -> Endpoint[MatchInfo]:
        """The match."""
        return endpoints.match(self.match)

    @RequestMethod
    def view(self) -> Endpoint[dict[str, Any]]:
        """What this seat sees."""
        return endpoints.view(self.match, self.seat)

    @RequestMethod
    def legal(self, partial: dict[str, Any] | None = None) -> Endpoint[Any]:
        """The menu of orders that would be accepted now, as plain data; with a part of an order, what may come next."""
        return endpoints.legal(self.match, self.seat, partial or {})

    @RequestMethod
    def orders(self, orders: list[Any], turn: int | None = None, *, ready: bool = True) -> Endpoint[Receipt]:
        """Send orders for a turn; without one, for the turn that is open."""
        return endpoints.orders(self.match, OrdersPost(orders, endpoints.new_key(), turn, ready, self.seat))

    @RequestMethod
    def act(self, order: Any) -> Endpoint[ActResult]:
        """Execute an immediate action."""
        return endpoints.act(self.match, ActPost(order, endpoints.new_key(), self.seat))

    @RequestMethod
    def log(self, since: int | None = None) -> Endpoint[list[TurnLog]]:
        """The result of each order, turn by turn."""
        return endpoints.log(self.match, since, self.seat)

    @RequestMethod
    def leave(self) -> Endpoint[None]:
        """Give the seat up."""
        return endpoints.leave(self.match)


class Seat(BaseSeat):
    """The account's seat in a match."""

    def __init__(self, client: "Client", joined: Joined) -> None:
        super().__init__(joined)
        self.client = client

    def call(self, endpoint: Endpoint[T]) -> T:
        """Send a request as the client's account."""
        return self.client.call(endpoint)

    def run(
        self, bot: Any, *, seed: int | None = None, patience: float = PATIENCE, on_turn: OnTurn | None = None
    ) -> Summary:
        """Let a bot play until the match is over: a function, an object with ``play(view)`` or a class of such objects.

        Reconnects after a lost connection and resumes the match; raises after ``patience`` seconds without a
        connection. ``on_turn`` is called after each turn with the `Summary` so far.
        """
        runner = BotRunner(bot, self.seat, seed, patience, on_turn)
        try:
            while not runner.session.is_over:
                try:
                    self._play_until_disconnected(runner)
                except CONNECTION_ERRORS as error:
                    time.sleep(runner.reconnect_delay(error))
            runner.finish()
            return runner.summary()
        finally:
            runner.close()

    def _play_until_disconnected(self, runner: BotRunner) -> None:
        while runner.waits_for_start(self.info()):
            time.sleep(LOBBY_POLL)
        session = runner.session
        if session.is_over:
            return
        url = live_url(self.client.base, self.match, self.seat)
        with connect(url, additional_headers=self.client.headers, max_size=MAX_MESSAGE_BYTES) as socket:
            for line in session.on_connect():
                socket.send(line)
            while not session.is_over:
                _receive_all(socket, runner)
                for line in session.resend():
                    socket.send(line)
                if (turn := session.next_turn()) is not None:
                    orders = runner.orders_for(turn, session.take_results())
                    socket.send(runner.encode_orders(turn, orders))


class AsyncSeat(BaseSeat):
    """`Seat` for programs with an event loop."""

    def __init__(self, client: "AsyncClient", joined: Joined) -> None:
        super().__init__(joined)
        self.client = client

    async def call(self, endpoint: Endpoint[T]) -> T:
        """Send a request as the client's account."""
        return await self.client.call(endpoint)

    async def run(
        self, bot: Any, *, seed: int | None = None, patience: float = PATIENCE, on_turn: OnTurn | None = None
    ) -> Summary:
        """Let a bot play until the match is over, in a thread of its own; see `Seat.run`."""
        runner = BotRunner(bot, self.seat, seed, patience, on_turn)
        try:
            while not runner.session.is_over:
                try:
                    await self._play_until_disconnected(runner)
                except CONNECTION_ERRORS as error:
                    await asyncio.sleep(runner.reconnect_delay(error))
            await asyncio.to_thread(runner.finish)
            return runner.summary()
        finally:
            runner.close()

    async def _play_until_disconnected(self, runner: BotRunner) -> None:
        while runner.waits_for_start(await self.info()):
            await asyncio.sleep(LOBBY_POLL)
        session = runner.session
        if session.is_over:
            return
        url = live_url(self.client.base, self.match, self.seat)
        async with connect_async(url, additional_headers=self.client.headers, max_size=MAX_MESSAGE_BYTES) as socket:
            for line in session.on_connect():
                await socket.send(line)
            has_news = asyncio.Event()
            receiving = asyncio.create_task(_receive_forever(socket, runner, has_news))
            try:
                while not session.is_over:
                    await _wait_for(has_news, session.seconds_until_resend())
                    for line in session.resend():
                        await socket.send(line)
                    if (turn := session.next_turn()) is not None:
                        orders = await asyncio.to_thread(runner.orders_for, turn, session.take_results())
                        await socket.send(runner.encode_orders(turn, orders))
                    elif receiving.done():
                        await receiving
            finally:
                receiving.cancel()
                await asyncio.wait([receiving])


def _receive_all(socket: ClientConnection, runner: BotRunner) -> None:
    """Wait for a message and read all that have arrived, so that a slow bot sees the newest turn only."""
    timeout = runner.session.seconds_until_resend()
    with suppress(TimeoutError):
        while True:
            runner.receive(socket.recv(timeout=timeout))
            timeout = 0


async def _receive_forever(socket: AsyncConnection, runner: BotRunner, has_news: asyncio.Event) -> None:
    """Read messages also while the bot computes, so that a slow bot sees the newest turn only."""
    try:
        while True:
            runner.receive(await socket.recv())
            has_news.set()
    finally:
        has_news.set()


async def _wait_for(has_news: asyncio.Event, seconds: float | None) -> None:
    try:
        await asyncio.wait_for(has_news.wait(), seconds)
    except TimeoutError:
        return
    has_news.clear()
