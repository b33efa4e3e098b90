"""Clients of a server, blocking and asynchronous. What they send is in `_endpoints`, when they retry in `_retry`."""

import asyncio
import functools
import ssl
import time
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx

from marchland.client import _endpoints as endpoints
from marchland.client._endpoints import Endpoint, RequestMethod
from marchland.client._errors import ClientError
from marchland.client._retry import RetryPolicy
from marchland.client._seat import AsyncSeat, Seat
from marchland.client._urls import normalize
from marchland.messages import (
    AccountInfo,
    ForkRequest,
    Frame,
    GameInfo,
    JoinRequest,
    Legend,
    MatchCreate,
    MatchInfo,
    TurnLog,
    Welcome,
)

T = TypeVar("T")

TIMEOUT = httpx.Timeout(30.0, connect=10.0)
PATIENCE = 30.0
"""Seconds for which a request is retried."""


class BaseClient:
    """What `Client` and `AsyncClient` share: the address, the token and every request that needs no second step."""

    def __init__(self, url: str, token: str | None = None, *, patience: float = PATIENCE) -> None:
        self.base = normalize(url)
        self.token = token
        self._patience = patience
        self._has_answered = False

    @property
    def headers(self) -> dict[str, str]:
        """The headers that authenticate a request."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    @RequestMethod
    def me(self) -> Endpoint[AccountInfo]:
        """The account that the token belongs to."""
        return endpoints.me()

    @RequestMethod
    def games(self) -> Endpoint[list[str]]:
        """The names of the games."""
        return endpoints.games()

    @RequestMethod
    def game(self, name: str) -> Endpoint[GameInfo]:
        """One game: its settings, bots, maps and rules."""
        return endpoints.game(name)

    @RequestMethod
    def matches(
        self, state: str | None = None, game: str | None = None, room: str | None = None
    ) -> Endpoint[list[MatchInfo]]:
        """The matches, newest first, filtered by state, game and room."""
        return endpoints.matches(state, game, room)

    @RequestMethod
    def match(self, id: str) -> Endpoint[MatchInfo]:
        """One match."""
        return endpoints.match(id)

    @RequestMethod
    def create(self, request: MatchCreate) -> Endpoint[MatchInfo]:
        """Create a match."""
        return endpoints.create(request)

    @RequestMethod
    def start(self, id: str) -> Endpoint[MatchInfo]:
        """Start a match that this account created, even if seats are free."""
        return endpoints.start(id)

    @RequestMethod
    def end_turn(self, id: str) -> Endpoint[None]:
        """End the open turn of a match that this account created, even if players are not ready."""
        return endpoints.end_turn(id)

    @RequestMethod
    def fork(self, id: str, request: ForkRequest) -> Endpoint[MatchInfo]:
        """Create a match that continues from a turn of another one."""
        return endpoints.fork(id, request)

    @RequestMethod
    def rematch(self, id: str) -> Endpoint[MatchInfo]:
        """Create a match like one that is over, on the same map."""
        return endpoints.rematch(id)

    @RequestMethod
    def view(self, id: str, seat: int | None = None) -> Endpoint[dict[str, Any]]:
        """What a seat of this account sees, or a spectator."""
        return endpoints.view(id, seat)

    @RequestMethod
    def legend(self, id: str) -> Endpoint[Legend]:
        """The board, layers and kinds that the frames of a match refer to."""
        return endpoints.legend(id)

    @RequestMethod
    def frames(
        self, id: str, since: int = 0, count: int | None = None, seat: int | None = None
    ) -> Endpoint[list[Frame]]:
        """A key frame of turn ``since``, and the frames of the turns after it."""
        return endpoints.frames(id, since, count, seat)

    @RequestMethod
    def log(self, id: str, since: int | None = None, seat: int | None = None) -> Endpoint[list[TurnLog]]:
        """The result of each order of a seat, turn by turn."""
        return endpoints.log(id, since, seat)

    @RequestMethod
    def replay(self, id: str) -> Endpoint[bytes]:
        """The match as a ``.march`` file."""
        return endpoints.replay(id)

    def _retry_policy(self, endpoint: Endpoint[Any]) -> RetryPolicy:
        return RetryPolicy(endpoint, self.base, self._patience, has_answered=self._has_answered)

    def _options(self, endpoint: Endpoint[Any]) -> dict[str, Any]:
        """The arguments of httpx's ``request``."""
        kind = {"Content-Type": "application/json"} if endpoint.body is not None else {}
        return {
            "method": endpoint.method,
            "url": endpoint.url,
            "params": endpoint.query,
            "content": endpoint.content,
            "headers": self.headers | kind,
        }

    def _delay(self, policy: RetryPolicy, response: httpx.Response) -> float | None:
        self._has_answered = True
        return policy.delay_after_response(response.status_code, response.headers, response.content)


class Client(BaseClient):
    """A server, as one account. Failed requests are retried with exponential backoff where that is safe."""

    def __init__(self, url: str, token: str | None = None, *, patience: float = PATIENCE) -> None:
        super().__init__(url, token, patience=patience)
        self._http = httpx.Client(base_url=self.base, timeout=TIMEOUT, verify=_tls_context())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def call(self, endpoint: Endpoint[T]) -> T:
        """Send a request, with retries, and decode the response."""
        policy = self._retry_policy(endpoint)
        while True:
            try:
                response = self._http.request(**self._options(endpoint))
            except httpx.TransportError as error:
                time.sleep(policy.delay_after_error(error))
                continue
            delay = self._delay(policy, response)
            if delay is None:
                return endpoint.decode(response.status_code, response.content)
            time.sleep(delay)

    def register(self, name: str) -> Welcome:
        """Create an account and use it from now on. The response is the only one that contains its token."""
        welcome = self.call(endpoints.register(name))
        self.token = welcome.token
        return welcome

    def join(self, id: str, *, name: str = "", password: str = "", seat: int | None = None) -> Seat:
        """Take a seat in a match; an account that has one gets the same again."""
        return Seat(self, self.call(endpoints.join(id, JoinRequest(seat, name, password))))

    def current_match_of_room(self, room: str) -> MatchInfo:
        """The match that runs in a room, or the next one."""
        return _current_match(room, self.matches(room=room))


class AsyncClient(BaseClient):
    """`Client` for programs with an event loop."""

    def __init__(self, url: str, token: str | None = None, *, patience: float = PATIENCE) -> None:
        super().__init__(url, token, patience=patience)
        self._http = httpx.AsyncClient(base_url=self.base, timeout=TIMEOUT, verify=_tls_context())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def call(self, endpoint: Endpoint[T]) -> T:
        """Send a request, with retries, and decode the response."""
        policy = self._retry_policy(endpoint)
        while True:
            try:
                response = await self._http.request(**self._options(endpoint))
            except httpx.TransportError as error:
                await asyncio.sleep(policy.delay_after_error(error))
                continue
            delay = self._delay(policy, response)
            if delay is None:
                return endpoint.decode(response.status_code, response.content)
            await asyncio.sleep(delay)

    async def register(self, name: str) -> Welcome:
        """Create an account and use it from now on. The response is the only one that contains its token."""
        welcome = await self.call(endpoints.register(name))
        self.token = welcome.token
        return welcome

    async def join(self, id: str, *, name: str = "", password: str = "", seat: int | None = None) -> AsyncSeat:
        """Take a seat in a match; an account that has one gets the same again."""
        return AsyncSeat(self, await self.call(endpoints.join(id, JoinRequest(seat, name, password))))

    async def current_match_of_room(self, room: str) -> MatchInfo:
        """The match that runs in a room, or the next one."""
        return _current_match(room, await self.matches(room=room))


@functools.cache
def _tls_context() -> ssl.SSLContext:
    """One for all clients of a process: reading the root certificates takes 50 ms of CPU each time."""
    return httpx.create_ssl_context()


def _current_match(room: str, matches: list[MatchInfo]) -> MatchInfo:
    found = next((match for match in matches if match.state in ("lobby", "running")), None)
    if found is None:
        raise ClientError(f"There is no match in the room {room!r} now.")
    return found
