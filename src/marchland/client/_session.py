"""The live protocol of one seat without the socket (sans-io): a state machine that survives reconnects."""

import time
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from marchland.client._endpoints import new_key
from marchland.client._errors import ClientError
from marchland.messages import Answer, Hello, MatchState, News, Outcome, SendOrders, Skipped

_RETRY_ERRORS = {"too_many", "unavailable"}
_RETRY_DELAY = 0.5
_KNOWN_TYPES = {"hello", "news", "skipped", "answer"}


class TurnResults(NamedTuple):
    """What the server sent to a seat about a turn that is over."""

    turn: int
    results: list[dict[str, Any]]
    reports: list[dict[str, Any]]


class OpenTurn(NamedTuple):
    """A turn that expects orders."""

    turn: int
    view: Any
    closes: float | None


class _Unanswered(NamedTuple):
    turn: int
    line: str
    has_orders: bool


class DecodedNews(News, frozen=True, tag_field="type", tag="news"):
    """`News` with the parts decoded that the server encodes in advance."""

    frame: Any = None
    view: Any = None
    results: Any = None
    reports: Any = None


ServerMessage = Hello | DecodedNews | Skipped | Answer
_decoder: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)


class _Envelope(msgspec.Struct):
    type: str


class LiveSession:
    """Which turn expects orders, which posts are unanswered, and how the match goes.

    After a reconnect, unanswered orders are sent again with the same idempotency key; the server repeats its first
    answer, so they count once.
    """

    def __init__(self, key: Callable[[], str] = new_key, clock: Callable[[], float] = time.monotonic) -> None:
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
        self._open_turn: OpenTurn | None = None
        self._results: list[TurnResults] = []
        self._last_asked = -1
        self._unanswered: dict[str, _Unanswered] = {}
        self._resend_at: float | None = None

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to play."""
        return self.state in ("over", "broken")

    def set_state(self, state: MatchState, outcome: Outcome | None) -> None:
        """Set the state of the match as read over HTTP."""
        self.state, self.outcome = state, outcome

    def receive(self, message: str | bytes) -> None:
        """Process one message of the server."""
        decoded = decode_message(message)
        if isinstance(decoded, Hello):
            self.state = decoded.state
        elif isinstance(decoded, DecodedNews):
            self._process_news(decoded)
        elif isinstance(decoded, Skipped):
            self.skipped += decoded.count
        elif isinstance(decoded, Answer):
            self._process_answer(decoded)

    def next_turn(self) -> OpenTurn | None:
        """The newest turn that expects orders, once."""
        turn, self._open_turn = self._open_turn, None
        if turn is not None:
            self._last_asked = turn.turn
        return turn

    def take_results(self) -> list[TurnResults]:
        """The results of orders since the last call."""
        results, self._results = self._results, []
        return results

    def encode_orders(self, turn: int, orders: list[Any]) -> str:
        """The message with these orders, which is sent again until the server answers it."""
        self.turns += 1
        return self._encode(turn, orders)

    def _encode(self, turn: int, orders: list[Any]) -> str:
        key = self._key()
        line = msgspec.json.encode(SendOrders(orders, key, turn)).decode()
        self._unanswered[key] = _Unanswered(turn, line, bool(orders))
        return line

    def on_connect(self) -> list[str]:
        """What to send on a new connection to resume: every unanswered post."""
        self._resend_at = None
        return [post.line for post in self._unanswered.values()]

    def seconds_until_resend(self) -> float | None:
        """Seconds until `resend` has something to send; None if it has not."""
        return None if self._resend_at is None else max(0.0, self._resend_at - self._clock())

    def resend(self) -> list[str]:
        """The posts to retry now because the server could not accept them."""
        return self.on_connect() if self.seconds_until_resend() == 0 else []

    def drop_unanswered_orders(self) -> None:
        """Reject every unanswered post with orders: one was too large, and the server closed the connection."""
        for key, post in list(self._unanswered.items()):
            if post.has_orders:
                del self._unanswered[key]
                self._reject(post, "too_large: The orders take more than the server reads at once.")

    def _process_news(self, news: DecodedNews) -> None:
        is_new_turn = news.turn != self.turn
        self.state, self.turn, self.outcome = news.state, news.turn, news.outcome or self.outcome
        if news.results is not None and is_new_turn:
            self.refused.update(result["reason"] for result in news.results if not result["ok"])
            self._results.append(TurnResults(news.turn - 1, news.results, news.reports or []))
        if news.late:
            self.late.add(news.turn - 1)
        # Every immediate action brings a new view, but a turn is played once.
        if self.is_over or news.view is None:
            self._open_turn = None
        elif news.turn > self._last_asked:
            self._open_turn = OpenTurn(news.turn, news.view, news.closes)

    def _process_answer(self, answer: Answer) -> None:
        if answer.error in _RETRY_ERRORS:
            self._resend_at = self._clock() + _RETRY_DELAY
            return
        post = self._unanswered.pop(answer.key, None)
        if post is None:  # sent twice, answered twice
            return
        if answer.error == "too_late":
            self.late.add(post.turn)
        elif answer.error:
            self._reject(post, f"{answer.error}: {answer.sentence}")

    def _reject(self, post: _Unanswered, reason: str) -> None:
        self.rejected[reason] += 1
        if post.has_orders and post.turn == self.turn:
            # The match may wait until this seat is ready, and the bot has no other orders for the turn.
            self._encode(post.turn, [])
            self._resend_at = self._clock()


def decode_message(message: str | bytes) -> ServerMessage | None:
    """The message; None if its type is unknown: a newer server may send more than an older client needs."""
    try:
        return _decoder.decode(message)
    except msgspec.DecodeError as problem:
        if _type_of(message) not in _KNOWN_TYPES:
            return None
        raise ClientError(f"The server's message is not understood ({problem}); is it of another version?") from None


def _type_of(message: str | bytes) -> str | None:
    try:
        return msgspec.json.decode(message, type=_Envelope).type
    except msgspec.DecodeError as problem:
        raise ClientError(f"The server sent something that is no message: {problem}.") from None
