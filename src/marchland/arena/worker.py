"""A worker process for a server: plays built-in bots on replicas of matches, and encodes views.

Requests come in on stdin and responses go out on stdout, each as its length in four bytes and MessagePack. A replica is
restored from a snapshot and follows its match entry by entry, so the server sends no view. The bots of all matches
share the process seat by seat: after one seat's turn comes a seat of the next match, so that a match with a thousand
bots does not starve one with two.
"""

import os
import queue
import random
import sys
import threading
import time
import traceback
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, BinaryIO

import msgspec

import marchland
from marchland.core.builtin_bots import BuiltinBot
from marchland.core.game import Game
from marchland.errors import MarchlandError
from marchland.match.history import apply_entry
from marchland.match.log import Entry

_HEARTBEAT = 1.0
"""Seconds of work after which the server learns that the process is still responsive."""


class BotSeat(msgspec.Struct, frozen=True, array_like=True):
    """A seat and the name of its bot."""

    seat: int
    bot: str


class Play(msgspec.Struct, frozen=True, tag="play"):
    """Asks for the orders of all these seats. Without a snapshot the replica is there already."""

    number: int
    match: str
    turn: int
    seats: list[BotSeat]
    entries: list[Entry]
    """What has happened since the snapshot or the last request."""
    snapshot: bytes = b""


class EncodeView(msgspec.Struct, frozen=True, tag="view"):
    """Asks for a view of the game in a snapshot, as JSON; if the game shares views, for what all of them share."""

    number: int
    snapshot: bytes
    seat: int | None


class Forget(msgspec.Struct, frozen=True, tag="forget"):
    """Discards the replica of a match and its bots; not answered."""

    match: str


class Response(msgspec.Struct, frozen=True):
    """The orders by seat, or the view. A problem means that the replica is lost. Number -1 is a heartbeat."""

    number: int
    orders: dict[int, list[Any]] = {}
    view: bytes = b""
    problem: str = ""


Request = Play | EncodeView | Forget


class Replica:
    """A match as its bots see it. The bots survive a new snapshot: they remember earlier turns."""

    def __init__(self, match: str, snapshot: bytes, bots: dict[BotSeat, Any]) -> None:
        self.bots = bots
        self._match = match
        self._game: Game = marchland.restore(snapshot, trusted=True)

    def apply(self, entries: Sequence[Entry]) -> None:
        """Follow the match."""
        for entry in entries:
            apply_entry(self._game, entry)

    def play(self, place: BotSeat) -> list[Any]:
        """The orders of one seat; none if the bot fails. Chance depends on match, seat and turn alone."""
        try:
            bot = self.bots.get(place)
            if bot is None:
                bot = self.bots[place] = self._game.bots[place.bot](seed=0)
            chance = f"{self._match}/{place.seat}/{self._game.turn}"
            random.seed(chance)
            if isinstance(bot, BuiltinBot):
                bot.random.seed(chance)
            seen = self._game.observe(place.seat) if bot.observes else self._game.view(place.seat)
            orders: list[Any] = bot.play(seen)
        except Exception:  # the other bots play on
            traceback.print_exc()
            return []
        return orders


class _Turn:
    """A request in progress: the seats that have played, and those that wait."""

    def __init__(self, request: Play) -> None:
        self.request = request
        self.waiting = list(reversed(request.seats))
        self.orders: dict[int, list[Any]] = {}


class BotHost:
    """The replicas and the requests in progress, at most one for each match."""

    def __init__(self) -> None:
        self._replicas: dict[str, Replica] = {}
        self._turns: OrderedDict[str, _Turn] = OrderedDict()

    def __len__(self) -> int:
        return len(self._replicas)

    @property
    def is_busy(self) -> bool:
        """Whether a seat waits for its turn."""
        return bool(self._turns)

    def receive(self, request: Request) -> Response | None:
        """Take up a request; the response if there is one at once."""
        if isinstance(request, EncodeView):
            return _encode_view(request)
        if isinstance(request, Forget):
            self._replicas.pop(request.match, None)
            self._turns.pop(request.match, None)
            return None
        try:
            self._update(request)
        except Exception as problem:  # the server sends a snapshot
            self._replicas.pop(request.match, None)
            return Response(request.number, problem=f"{type(problem).__name__}: {problem}")
        self._turns[request.match] = _Turn(request)
        return None

    def play_next_seat(self) -> Response | None:
        """Let one seat play and put its match last; the response if it was the match's last seat."""
        match, turn = self._turns.popitem(last=False)
        if turn.waiting:
            place = turn.waiting.pop()
            turn.orders[place.seat] = self._replicas[match].play(place)
        if not turn.waiting:
            return Response(turn.request.number, turn.orders)
        self._turns[match] = turn
        return None

    def _update(self, request: Play) -> None:
        if request.snapshot:
            known = self._replicas.get(request.match)
            bots = {} if known is None else known.bots
            self._replicas[request.match] = Replica(request.match, request.snapshot, bots)
        if request.match not in self._replicas:
            raise MarchlandError("There is no replica of this match here.")
        self._replicas[request.match].apply(request.entries)


def _encode_view(request: EncodeView) -> Response:
    try:
        game: Game = marchland.restore(request.snapshot, trusted=True)
        view = game.encode_shared_view() if game.shares_views else game.encode_view(request.seat)
        return Response(request.number, view=view)
    except Exception as problem:
        traceback.print_exc()
        return Response(request.number, problem=f"{type(problem).__name__}: {problem}")


def encode_message(message: Any) -> bytes:
    """A message with its length before it."""
    body = msgspec.msgpack.encode(message)
    return len(body).to_bytes(4, "big") + body


def _read_requests(stream: BinaryIO, inbox: "queue.SimpleQueue[Request | None]") -> None:
    """Decode requests until the stream ends, which the last item None says."""
    decoder = msgspec.msgpack.Decoder(Request)
    while len(size := stream.read(4)) == 4:
        inbox.put(decoder.decode(stream.read(int.from_bytes(size, "big"))))
    inbox.put(None)


def main() -> None:
    """Answer requests until stdin ends. The first argument is the niceness."""
    os.nice(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    host, heard = BotHost(), time.monotonic()
    responses = sys.stdout.buffer
    sys.stdout = sys.stderr  # prints must not end up among the responses
    inbox: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
    threading.Thread(target=_read_requests, args=(sys.stdin.buffer, inbox), daemon=True).start()
    while True:
        response = None
        if not host.is_busy or not inbox.empty():
            request = inbox.get()
            if request is None:
                return
            response = host.receive(request)
        else:
            response = host.play_next_seat()
        if response is None and time.monotonic() - heard > _HEARTBEAT:
            response = Response(-1)
        if response is not None:
            responses.write(encode_message(response))
            responses.flush()
            heard = time.monotonic()


if __name__ == "__main__":
    main()
