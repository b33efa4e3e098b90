"""What a seat says and hears over its socket, without the socket: a state machine that outlives connections."""

import time
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from marchland.client.calls import fresh_key
from marchland.client.heard import HeardNews, decoded
from marchland.messages import Answer, Hello, MatchState, Outcome, SendOrders, Skipped

_TRY_AGAIN = {"too_many", "unavailable"}
_PAUSE = 0.5


TurnResults = tuple[int, list[dict[str, Any]]]
"""A turn, and what became of each order given in it."""


class Question(NamedTuple):
    """A turn for which orders are wanted."""

    turn: int
    view: Any
    closes: float | None


class _Sent(NamedTuple):
    turn: int
    line: str
    has_orders: bool


class Session:
    """One seat's conversation: which turn wants orders, what was sent without an answer, and how it all went.

    Orders whose answer has not come are sent again with the same key after a connection broke; the server then gives
    the first answer again, so they count once.
    """

    def __init__(self, key: Callable[[], str] = fresh_key, clock: Callable[[], float] = time.monotonic) -> None:
        self.state: MatchState = "lobby"
        self.turn: int | None = None
        self.outcome: Outcome | None = None
        self.turns = 0
        self.refused: Counter[str] = Counter()
        self.rejected: Counter[str] = Counter()
        self.skipped = 0
        self.late: set[int] = set()
        self._key = key
        self._clock = clock
        self._question: Question | None = None
        self._results: list[TurnResults] = []
        self._asked = -1
        self._unanswered: dict[str, _Sent] = {}
        self._again_at: float | None = None

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to play."""
        return self.state in ("over", "broken")

    def stand(self, state: MatchState, outcome: Outcome | None) -> None:
        """Take in how the match stands, learned by other means."""
        self.state, self.outcome = state, outcome

    def heard(self, message: str | bytes) -> None:
        """Take in one message of the server's."""
        told = decoded(message)
        if isinstance(told, Hello):
            self.state = told.state
        elif isinstance(told, HeardNews):
            self._note(told)
        elif isinstance(told, Skipped):
            self.skipped += told.count
        elif isinstance(told, Answer):
            self._note_answer(told)

    def question(self) -> Question | None:
        """The newest turn that wants orders, once."""
        question, self._question = self._question, None
        if question is not None:
            self._asked = question.turn
        return question

    def results(self) -> list[TurnResults]:
        """What became of orders since this was last asked."""
        results, self._results = self._results, []
        return results

    def orders(self, turn: int, orders: list[Any]) -> str:
        """The message that gives these orders."""
        self.turns += 1
        return self._said(turn, orders)

    def _said(self, turn: int, orders: list[Any]) -> str:
        key = self._key()
        line = msgspec.json.encode(SendOrders(orders, key, turn)).decode()
        self._unanswered[key] = _Sent(turn, line, bool(orders))
        return line

    def opened(self) -> list[str]:
        """What must be said when a connection is new: all that got no answer on the one before."""
        self._again_at = None
        return [sent.line for sent in self._unanswered.values()]

    def wait(self) -> float | None:
        """Seconds until something must be said `again`; None if nothing must."""
        return None if self._again_at is None else max(0.0, self._again_at - self._clock())

    def again(self) -> list[str]:
        """What must be said again now, because the server did not take it."""
        return self.opened() if self.wait() == 0 else []

    def too_large(self) -> None:
        """The connection broke because of the size of what was said: do not say that again."""
        for key, sent in list(self._unanswered.items()):
            if sent.has_orders:
                del self._unanswered[key]
                self._reject(sent, "too_large: The orders take more than the server reads at once.")

    def _note(self, news: HeardNews) -> None:
        is_new_turn = news.turn != self.turn
        self.state, self.turn, self.outcome = news.state, news.turn, news.outcome or self.outcome
        if news.results is not None and is_new_turn:
            self.refused.update(result["reason"] for result in news.results if not result["ok"])
            self._results.append((news.turn - 1, news.results))
        if news.late:
            self.late.add(news.turn - 1)
        # The view is renewed by every immediate action, but a turn is asked about once.
        if self.is_over or news.view is None:
            self._question = None
        elif news.turn > self._asked:
            self._question = Question(news.turn, news.view, news.closes)

    def _note_answer(self, answer: Answer) -> None:
        if answer.error in _TRY_AGAIN:
            self._again_at = self._clock() + _PAUSE
            return
        sent = self._unanswered.pop(answer.key, None)
        if sent is None:  # said twice, answered twice
            return
        if answer.error == "too_late":
            self.late.add(sent.turn)
        elif answer.error:
            self._reject(sent, f"{answer.error}: {answer.sentence}")

    def _reject(self, sent: _Sent, why: str) -> None:
        self.rejected[why] += 1
        if sent.has_orders and sent.turn == self.turn:
            # The match may wait until this seat is ready, and other orders than these the bot has not got.
            self._said(sent.turn, [])
            self._again_at = self._clock()
