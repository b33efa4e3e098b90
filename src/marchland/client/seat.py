"""A seat in a match, and a bot that plays it."""

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from websockets.sync.client import ClientConnection, connect

from marchland.client import calls
from marchland.client.address import live_url
from marchland.client.player import LOBBY_PAUSE, PATIENCE, OnTurn, Player, Summary
from marchland.client.sockets import BROKEN, LARGEST
from marchland.messages import Acted, ActPost, Joined, MatchInfo, OrdersPost, Receipt, TurnLog

if TYPE_CHECKING:
    from marchland.client.sync import Client


class Seat:
    """One's own seat: give orders by hand, or let a bot `run`."""

    def __init__(self, client: "Client", joined: Joined) -> None:
        self.client = client
        self.match = joined.match
        self.seat = joined.seat
        self.name = joined.name

    def info(self) -> MatchInfo:
        """The match."""
        return self.client.match(self.match)

    def view(self) -> dict[str, Any]:
        """What this seat may know."""
        return self.client.view(self.match, self.seat)

    def legal(self, partial: dict[str, Any] | None = None) -> Any:
        """The menu of orders that would be accepted now, as plain data; with a part of an order, what may come next."""
        return self.client.call(calls.legal(self.match, self.seat, partial or {}))

    def orders(self, orders: list[Any], turn: int | None = None, *, ready: bool = True) -> Receipt:
        """Give orders for a turn; without one, for the turn that is open."""
        return self.client.call(calls.orders(self.match, OrdersPost(orders, calls.fresh_key(), turn, ready, self.seat)))

    def act(self, order: Any) -> Acted:
        """Do something at once."""
        return self.client.call(calls.act(self.match, ActPost(order, calls.fresh_key(), self.seat)))

    def log(self, since: int | None = None) -> list[TurnLog]:
        """What became of the orders, turn by turn."""
        return self.client.log(self.match, since, self.seat)

    def leave(self) -> None:
        """Give the seat up."""
        self.client.call(calls.leave(self.match))

    def run(
        self, bot: Any, *, seed: int | None = None, patience: float = PATIENCE, on_turn: OnTurn | None = None
    ) -> Summary:
        """Let a bot play until the match is over: a function, an object with ``play(view)`` or a class of such objects.

        A broken connection is opened again; only after ``patience`` seconds without one is it an error. ``on_turn`` is
        told after each turn how it goes.
        """
        player = Player(bot, self.seat, seed, patience, on_turn)
        try:
            while not player.session.is_over:
                try:
                    self._connected(player)
                except BROKEN as problem:
                    time.sleep(player.failed(problem))
            player.end()
            return player.summary()
        finally:
            player.close()

    def _connected(self, player: Player) -> None:
        """Play on one connection for as long as it holds."""
        while player.awaits_start(self.info()):
            time.sleep(LOBBY_PAUSE)
        session = player.session
        if session.is_over:
            return
        url = live_url(self.client.base, self.match, self.seat)
        with connect(url, additional_headers=self.client.headers, max_size=LARGEST) as socket:
            for line in session.opened():
                socket.send(line)
            while not session.is_over:
                _listen(socket, player)
                for line in session.again():
                    socket.send(line)
                if (question := session.question()) is not None:
                    orders = player.think(question, session.results())
                    socket.send(player.message(question, orders))


def _listen(socket: ClientConnection, player: Player) -> None:
    """Take in all that has come, waiting for the first of it: a slow bot shall see the newest turn only."""
    seconds = player.session.wait()
    with suppress(TimeoutError):
        while True:
            player.session.heard(socket.recv(timeout=seconds))
            player.backoff.worked()
            seconds = 0
