"""The cost of Colorfight's original protocol: encoding and compressing a state."""

import time
from collections.abc import Callable, Iterator
from statistics import median, quantiles
from typing import Any, cast

from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame, Opcode

import marchland
from marchland.core.report import Report
from marchland.games.colorfight.game import Colorfight
from marchland.games.colorfight.wire import Room, errors_of, state_bytes

_PLAYERS = 8
_TURNS = 300
_TIMES = 500


def scenarios() -> Iterator[dict[str, Any]]:
    """One line of figures."""
    yield encode_states()


def encode_states() -> dict[str, Any]:
    """A full room of 30x30 late in a game: the state encoded once a turn, compressed once for all who offer that."""
    game, report = _late_game()
    room = Room("0123456789ab", _PLAYERS, 1.0, 0, True, [], range(1, _PLAYERS + 1), [False] * _PLAYERS)
    frame = state_bytes(game, room, errors_of(game, report.order_input))
    deflate = PerMessageDeflate(False, True, 12, 12, {"memLevel": 5})
    encode = _milliseconds(lambda: state_bytes(game, room, errors_of(game, report.order_input)))
    compress = _milliseconds(lambda: deflate.encode(Frame(Opcode.TEXT, frame)))
    return {
        "game": "colorfight",
        "scenario": "state of a full 30x30 room",
        "bytes": len(frame),
        "encode_ms": encode[0],
        "encode_p99_ms": encode[1],
        "compressed_bytes": len(deflate.encode(Frame(Opcode.TEXT, frame)).data),
        "compress_ms": compress[0],
    }


def _late_game() -> tuple[Colorfight, Report]:
    """Eight greedy players after many turns: most cells have an owner, and every player has sent a bad order."""
    game = cast(Colorfight, marchland.new("colorfight", _PLAYERS, seed=1, rules="upstream"))
    bots = [game.bots["greedy"](seed=seat) for seat in range(_PLAYERS)]
    for _ in range(_TURNS):
        orders: dict[int, list[Any]] = {seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)}
        report = game.step({seat: [*given, "nonsense"] for seat, given in orders.items()})
    return game, report


def _milliseconds(work: Callable[[], object]) -> tuple[float, float]:
    """The median and the 99th percentile."""
    taken = []
    for _ in range(_TIMES):
        start = time.perf_counter()
        work()
        taken.append(1000 * (time.perf_counter() - start))
    return round(median(taken), 3), round(quantiles(taken, n=100)[-1], 3)
