"""A bot at a seat over the network: what both clients, the waiting and the asynchronous, do with what they hear."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from marchland.bots import Seated, Tally, bot_from
from marchland.client.backoff import Backoff
from marchland.client.errors import ClientError, UnreachableError
from marchland.client.session import Question, Session, TurnResults
from marchland.client.sockets import asked_to_wait, final, is_too_large
from marchland.messages import MatchInfo, MatchState, Outcome

PATIENCE = 600.0
"""Seconds without any connection after which a client gives up."""
LOBBY_PAUSE = 0.5
"""Seconds between two looks at a match that has not started."""


@dataclass(frozen=True)
class Summary:
    """How a bot played, so far or at the end."""

    state: MatchState
    outcome: Outcome | None
    turn: int | None
    """The turn it was shown last."""
    turns: int
    """For how many it sent orders."""
    orders: int
    refused: dict[str, int]
    """How many orders failed, by reason."""
    rejected: dict[str, int]
    """How many posts the server did not take, by error and sentence."""
    late: int
    """Turns that went on without it."""
    reconnects: int
    failures: int
    """Turns in which the bot raised."""
    first_failure: str


OnTurn = Callable[[Summary], Any]


class Player:
    """Answers a session's questions with a bot."""

    def __init__(self, bot: Any, seat: int, seed: int | None, patience: float, on_turn: OnTurn | None) -> None:
        mind = bot_from(bot, seed)
        if mind.observes:
            raise ClientError("This bot observes arrays, which it can do only in the process of the match.")
        self.session = Session()
        self.backoff = Backoff(patience)
        self._seat = seat
        self._tally = Tally()
        self._bot = Seated(mind, self._tally)
        self._reconnects = 0
        self._on_turn = on_turn
        self._is_started = False

    def awaits_start(self, info: MatchInfo) -> bool:
        """Whether the match has yet to start; once it has, the bot is told what it plays."""
        if info.state == "lobby":
            return True
        self.session.stand(info.state, info.outcome)
        if not self._is_started and not self.session.is_over:
            names = [seat.name for seat in info.seats]
            told = {"game": info.game, "seat": self._seat, "name": names[self._seat], "players": names}
            self._bot.start({**told, "config": info.config})
            self._is_started = True
        return False

    def think(self, question: Question, results: list[TurnResults]) -> list[Any]:
        """The bot's orders. This alone may take its time, and may do so in another thread."""
        self.hear(results)
        return self._sendable(self._bot.move(question.view, question.turn), question.turn)

    def hear(self, results: list[TurnResults]) -> None:
        """Tell the bot what became of its orders."""
        for turn, ones in results:
            self._bot.results(ones, turn)

    def message(self, question: Question, orders: list[Any]) -> str:
        """The message with these orders."""
        self._tally.orders += len(orders)
        line = self.session.orders(question.turn, orders)
        self.tell()
        return line

    def tell(self) -> None:
        """Tell whoever looks on."""
        if self._on_turn is None:
            return
        try:
            self._on_turn(self.summary())
        except OSError as problem:  # which must not be taken for a broken connection
            raise RuntimeError("on_turn failed") from problem

    def failed(self, problem: Exception) -> float:
        """The connection broke: seconds to wait before the next one; raises if there is to be none."""
        if (error := final(problem)) is not None:
            raise error from None
        if is_too_large(problem):
            self.session.too_large()
        self._reconnects += 1
        seconds = self.backoff.wait(asked_to_wait(problem))
        if seconds is None:
            raise UnreachableError(f"The server cannot be reached any more: {problem or type(problem).__name__}.")
        return seconds

    def end(self) -> None:
        """Tell the bot how it ended."""
        self.hear(self.session.results())
        self._bot.end(msgspec.to_builtins(self.session.outcome))

    def close(self) -> None:
        """Let the bot go."""
        self._bot.close()

    def summary(self) -> Summary:
        """How it went so far."""
        session, tally = self.session, self._tally
        return Summary(
            state=session.state,
            outcome=session.outcome,
            turn=session.turn,
            turns=session.turns,
            orders=tally.orders,
            refused=dict(session.refused),
            rejected=dict(session.rejected),
            late=len(session.late),
            reconnects=self._reconnects,
            failures=tally.failures,
            first_failure=tally.first_failure,
        )

    def _sendable(self, orders: list[Any], turn: int) -> list[Any]:
        try:
            msgspec.json.encode(orders)
        except (TypeError, ValueError, RecursionError) as error:
            self._tally.failures += 1
            self._tally.first_failure = self._tally.first_failure or f"in turn {turn}: its orders are no JSON: {error}"
            return []
        return orders
