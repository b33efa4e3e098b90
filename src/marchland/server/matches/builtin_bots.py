"""Seats of the games' built-in bots: each is asked when its match expects orders, one request at a time."""

import zlib
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from marchland.match import Match
from marchland.messages import SeatInfo
from marchland.server.matches.bot_pool import BotWorker


class BuiltinBots:
    """Asks bots for orders; a slow bot misses turns, so that requests do not pile up."""

    def __init__(self, spawn: Callable[[Coroutine[Any, Any, Any]], None]) -> None:
        self._spawn = spawn
        self._worker = BotWorker()
        self._thinking: set[tuple[Match, int]] = set()
        """Seats whose bots have not answered yet; a match that is loaded again does not wait for earlier questions."""

    def ask(self, match: Match) -> None:
        """Ask the bots of all seats whose orders a match expects."""
        if match.game.turn != match.open_turn:  # closed before a crash: they are asked when it has been played
            return
        for seat in match.seats:
            key = (match, seat.seat)
            if seat.kind == "builtin" and match.expects_orders(seat.seat) and key not in self._thinking:
                self._thinking.add(key)
                view = msgspec.json.encode(match.game.view(seat.seat))
                self._spawn(self._ask(match, seat, match.open_turn, view))

    async def _ask(self, match: Match, seat: SeatInfo, turn: int, view: bytes) -> None:
        try:
            orders = await self._worker.orders(match.game.name, seat.bot, _seed_of(match, seat), turn, view)
        finally:
            self._thinking.discard((match, seat.seat))
        match.set_bot_orders(seat.seat, orders, turn)
        if match.game.turn > turn and not match.is_over and not match.is_closed:
            self.ask(match)  # the turn ended meanwhile, and its end did not ask a bot that was busy

    def release(self, match: Match) -> None:
        """Discard the bots of a match that is over."""
        for seat in match.seats:
            if seat.kind == "builtin":
                self._worker.forget(match.game.name, seat.bot, _seed_of(match, seat))

    async def close(self) -> None:
        """End the worker process."""
        await self._worker.close()


def _seed_of(match: Match, seat: SeatInfo) -> int:
    """The seed of a bot's random source, which also identifies it in the worker process."""
    return zlib.crc32(f"{match.id}/{seat.seat}".encode())
