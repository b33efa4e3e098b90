"""A seat in a match for programs with an event loop: the same as `Seat`, awaited."""

import asyncio
from typing import TYPE_CHECKING, Any

from websockets.asyncio.client import ClientConnection, connect

from marchland.client import calls
from marchland.client.address import live_url
from marchland.client.player import LOBBY_PAUSE, PATIENCE, OnTurn, Player, Summary
from marchland.client.sockets import BROKEN, LARGEST
from marchland.messages import Acted, ActPost, Joined, MatchInfo, OrdersPost, Receipt, TurnLog

if TYPE_CHECKING:
    from marchland.client.aio import AsyncClient


class AsyncSeat:
    """One's own seat: give orders by hand, or let a bot `run`."""

    def __init__(self, client: "AsyncClient", joined: Joined) -> None:
        self.client = client
        self.match = joined.match
        self.seat = joined.seat
        self.name = joined.name

    async def info(self) -> MatchInfo:
        """The match."""
        return await self.client.match(self.match)

    async def view(self) -> dict[str, Any]:
        """What this seat may know."""
        return await self.client.view(self.match, self.seat)

    async def legal(self, partial: dict[str, Any] | None = None) -> Any:
        """The menu of orders that would be accepted now, as plain data; with a part of an order, what may come next."""
        return await self.client.call(calls.legal(self.match, self.seat, partial or {}))

    async def orders(self, orders: list[Any], turn: int | None = None, *, ready: bool = True) -> Receipt:
        """Give orders for a turn; without one, for the turn that is open."""
        post = OrdersPost(orders, calls.fresh_key(), turn, ready, self.seat)
        return await self.client.call(calls.orders(self.match, post))

    async def act(self, order: Any) -> Acted:
        """Do something at once."""
        return await self.client.call(calls.act(self.match, ActPost(order, calls.fresh_key(), self.seat)))

    async def log(self, since: int | None = None) -> list[TurnLog]:
        """What became of the orders, turn by turn."""
        return await self.client.log(self.match, since, self.seat)

    async def leave(self) -> None:
        """Give the seat up."""
        await self.client.call(calls.leave(self.match))

    async def run(
        self, bot: Any, *, seed: int | None = None, patience: float = PATIENCE, on_turn: OnTurn | None = None
    ) -> Summary:
        """Let a bot play until the match is over. It thinks in a thread of its own; see `Seat.run`."""
        player = Player(bot, self.seat, seed, patience, on_turn)
        try:
            while not player.session.is_over:
                try:
                    await self._connected(player)
                except BROKEN as problem:
                    await asyncio.sleep(player.failed(problem))
            await asyncio.to_thread(player.end)
            return player.summary()
        finally:
            player.close()

    async def _connected(self, player: Player) -> None:
        """Play on one connection for as long as it holds."""
        while player.awaits_start(await self.info()):
            await asyncio.sleep(LOBBY_PAUSE)
        session = player.session
        if session.is_over:
            return
        url = live_url(self.client.base, self.match, self.seat)
        async with connect(url, additional_headers=self.client.headers, max_size=LARGEST) as socket:
            for line in session.opened():
                await socket.send(line)
            has_news = asyncio.Event()
            listening = asyncio.create_task(_listen(socket, player, has_news))
            try:
                while not session.is_over:
                    await _woken(has_news, session.wait())
                    for line in session.again():
                        await socket.send(line)
                    if (question := session.question()) is not None:
                        orders = await asyncio.to_thread(player.think, question, session.results())
                        await socket.send(player.message(question, orders))
                    elif listening.done():
                        await listening
            finally:
                listening.cancel()
                await asyncio.wait([listening])


async def _listen(socket: ClientConnection, player: Player, has_news: asyncio.Event) -> None:
    """Take in all that comes, also while the bot thinks: a slow one shall see the newest turn only."""
    try:
        while True:
            player.session.heard(await socket.recv())
            player.backoff.worked()
            has_news.set()
    finally:
        has_news.set()


async def _woken(has_news: asyncio.Event, seconds: float | None) -> None:
    try:
        await asyncio.wait_for(has_news.wait(), seconds)
    except TimeoutError:
        return
    has_news.clear()
