"""A bot that plays a seat over the network: what `Seat.run` and `AsyncSeat.run` share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from marchland.bots import BotStats, GuardedBot, as_bot
from marchland.client._errors import ClientError, UnreachableError, fatal_error, is_too_large, retry_after_of
from marchland.client._retry import Backoff
from marchland.client._session import LiveSession, OpenTurn, TurnResults
from marchland.messages import MatchInfo, MatchState, Outcome

PATIENCE = 600.0
"""Seconds without a connection after which a client gives up."""
LOBBY_POLL = 0.5
"""Seconds between two requests for a match that has not started."""


@dataclass(frozen=True)
class Summary:
    """How a bot has played so far, or to the end."""

    state: MatchState
    outcome: Outcome | None
    turn: int | None
    """The last turn that the bot saw."""
    turns: int
    """Turns for which the bot sent orders."""
    orders: int
    refused: dict[str, int]
    """Failed orders by reason."""
    rejected: dict[str, int]
    """Posts that the server did not accept, by error and message."""
    late: int
    """Turns that were closed without the bot's orders."""
    reconnects: int
    failures: int
    """Turns in which the bot raised."""
    first_failure: str


OnTurn = Callable[[Summary], Any]


class BotRunner:
    """Answers the turns of a session with a bot's orders."""

    def __init__(self, bot: Any, seat: int, seed: int | None, patience: float, on_turn: OnTurn | None) -> None:
        chosen = as_bot(bot, seed)
        if chosen.observes:
            raise ClientError("This bot observes arrays, which it can do only in the process of the match.")
        self.session = LiveSession()
        self._backoff = Backoff(patience)
        self._seat = seat
        self._stats = BotStats()
        self._bot = GuardedBot(chosen, self._stats)
        self._reconnects = 0
        self._on_turn = on_turn
        self._is_started = False

    def waits_for_start(self, info: MatchInfo) -> bool:
        """Whether the match has yet to start; starts the bot once it has."""
        if info.state == "lobby":
            return True
        self.session.set_state(info.state, info.outcome)
        if not self._is_started and not self.session.is_over:
            names = [seat.name for seat in info.seats]
            match = {"game": info.game, "seat": self._seat, "name": names[self._seat], "players": names}
            self._bot.start({**match, "config": info.config})
            self._is_started = True
        return False

    def receive(self, message: str | bytes) -> None:
        """Process one message of the server; the connection works, so the backoff starts over."""
        self.session.receive(message)
        self._backoff.reset()

    def orders_for(self, turn: OpenTurn, results: list[TurnResults]) -> list[Any]:
        """The bot's orders. May take long, and may run in another thread."""
        self.deliver_results(results)
        return self._encodable(self._bot.move(turn.view, turn.turn), turn.turn)

    def deliver_results(self, results: list[TurnResults]) -> None:
        """Pass the results of its orders, and the game's reports, to the bot."""
        for of_turn in results:
            self._bot.results(of_turn.results, of_turn.turn)
            if of_turn.reports:
                self._bot.reports(of_turn.reports, of_turn.turn)

    def encode_orders(self, turn: OpenTurn, orders: list[Any]) -> str:
        """The message with these orders."""
        self._stats.orders += len(orders)
        line = self.session.encode_orders(turn.turn, orders)
        self.report_progress()
        return line

    def report_progress(self) -> None:
        """Call ``on_turn``."""
        if self._on_turn is None:
            return
        try:
            self._on_turn(self.summary())
        except OSError as error:  # which must not be taken for a lost connection
            raise RuntimeError("on_turn failed") from error

    def reconnect_delay(self, error: Exception) -> float:
        """Seconds to wait after a connection was lost; raises if the client should not reconnect."""
        if (fatal := fatal_error(error)) is not None:
            raise fatal from None
        if is_too_large(error):
            self.session.drop_unanswered_orders()
        self._reconnects += 1
        delay = self._backoff.next_delay(retry_after_of(error))
        if delay is None:
            raise UnreachableError(f"The server cannot be reached any more: {error or type(error).__name__}.")
        return delay

    def finish(self) -> None:
        """Pass the last results and the outcome to the bot."""
        self.deliver_results(self.session.take_results())
        self._bot.end(msgspec.to_builtins(self.session.outcome))

    def close(self) -> None:
        """Release what the bot holds, such as its process."""
        self._bot.close()

    def summary(self) -> Summary:
        """How the bot has played so far."""
        session, stats = self.session, self._stats
        return Summary(
            state=session.state,
            outcome=session.outcome,
            turn=session.turn,
            turns=session.turns,
            orders=stats.orders,
            refused=dict(session.refused),
            rejected=dict(session.rejected),
            late=len(session.late),
            reconnects=self._reconnects,
            failures=stats.failures,
            first_failure=stats.first_failure,
        )

    def _encodable(self, orders: list[Any], turn: int) -> list[Any]:
        """The orders, or none if they are not JSON."""
        try:
            msgspec.json.encode(orders)
        except (TypeError, ValueError, RecursionError) as error:
            self._stats.failures += 1
            self._stats.first_failure = self._stats.first_failure or f"in turn {turn}: its orders are no JSON: {error}"
            return []
        return orders
