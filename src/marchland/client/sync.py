"""The client that waits for each answer."""

import time
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx

from marchland.client import calls
from marchland.client.address import base_of
from marchland.client.attempts import Attempts
from marchland.client.call import Call
from marchland.client.seat import Seat
from marchland.messages import (
    AccountInfo,
    ForkWish,
    Frame,
    GameInfo,
    Joining,
    Legend,
    MatchInfo,
    NewMatch,
    TurnLog,
    Welcome,
)

Answer = TypeVar("Answer")

TIMEOUT = httpx.Timeout(30.0, connect=10.0)
PATIENCE = 30.0
"""Seconds for which a request is sent again before it has failed."""


class Client:
    """A server, as one account. Requests that fail on their way are sent again where that does no harm."""

    def __init__(self, url: str, token: str | None = None, *, patience: float = PATIENCE) -> None:
        self.base = base_of(url)
        self.token = token
        self._patience = patience
        self._is_known = False
        self._http = httpx.Client(base_url=self.base, timeout=TIMEOUT)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close its connections."""
        self._http.close()

    @property
    def headers(self) -> dict[str, str]:
        """What shows the server whose requests these are."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def call(self, call: Call[Answer]) -> Answer:
        """Send one of the requests in `marchland.client.calls` and read its answer."""
        attempts = Attempts(call, self.base, self._patience, is_known=self._is_known)
        headers = self.headers | ({"Content-Type": "application/json"} if call.body is not None else {})
        while True:
            try:
                answer = self._http.request(
                    call.method, call.url, params=call.query, content=call.content, headers=headers
                )
            except httpx.TransportError as problem:
                time.sleep(attempts.after_failure(problem))
                continue
            self._is_known = True
            seconds = attempts.after_answer(answer.status_code, answer.headers, answer.content)
            if seconds is None:
                return call.read(answer.status_code, answer.content)
            time.sleep(seconds)

    # ---------------------------------------------------------------- who

    def register(self, name: str) -> Welcome:
        """Make an account, and be it from now on. Its token is told this once: keep it."""
        welcome = self.call(calls.register(name))
        self.token = welcome.token
        return welcome

    def me(self) -> AccountInfo:
        """Whose token this is."""
        return self.call(calls.me())

    # ---------------------------------------------------------------- what

    def games(self) -> list[str]:
        """Which games there are."""
        return self.call(calls.games())

    def game(self, name: str) -> GameInfo:
        """One game."""
        return self.call(calls.game(name))

    def matches(self, **which: Any) -> list[MatchInfo]:
        """Which matches there are; ``state``, ``game`` and ``room`` narrow them down."""
        return self.call(calls.matches(**which))

    def match(self, id: str) -> MatchInfo:
        """One match."""
        return self.call(calls.match(id))

    def create(self, wish: NewMatch) -> MatchInfo:
        """Make a match."""
        return self.call(calls.create(wish))

    def start(self, id: str) -> MatchInfo:
        """Begin a match of one's own, whoever is still missing."""
        return self.call(calls.start(id))

    def end_turn(self, id: str) -> None:
        """End the open turn of a match of one's own, whoever is not ready."""
        self.call(calls.end_turn(id))

    def fork(self, id: str, wish: ForkWish) -> MatchInfo:
        """Make a match from a turn of another one."""
        return self.call(calls.fork(id, wish))

    def again(self, id: str) -> MatchInfo:
        """Make a match like one that is over, on the same map."""
        return self.call(calls.again(id))

    def join(self, id: str, *, name: str = "", password: str = "", seat: int | None = None) -> Seat:
        """Take a seat in a match, or the one that is one's own already."""
        joined = self.call(calls.join(id, Joining(seat, name, password)))
        return Seat(self, joined)

    def in_room(self, room: str) -> MatchInfo:
        """The match that is played in a room now, or will be next."""
        return calls.unfinished(room, self.matches(room=room))

    # ---------------------------------------------------------------- looking on

    def view(self, id: str, seat: int | None = None) -> dict[str, Any]:
        """What a seat of one's own may know, or a spectator."""
        return self.call(calls.view(id, seat))

    def legend(self, id: str) -> Legend:
        """What a viewer must know once."""
        return self.call(calls.legend(id))

    def frames(self, id: str, since: int = 0, count: int | None = None, seat: int | None = None) -> list[Frame]:
        """A key frame of turn ``since``, and the frames of the turns after it."""
        return self.call(calls.frames(id, since, count, seat))

    def log(self, id: str, since: int | None = None, seat: int | None = None) -> list[TurnLog]:
        """What became of one's orders, turn by turn."""
        return self.call(calls.log(id, since, seat))

    def replay(self, id: str) -> bytes:
        """The match as a ``.march`` file."""
        return self.call(calls.replay(id))
