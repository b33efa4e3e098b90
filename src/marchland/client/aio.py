"""The client for programs with an event loop: the same as `Client`, awaited."""

import asyncio
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx

from marchland.client import calls
from marchland.client.address import base_of
from marchland.client.aio_seat import AsyncSeat
from marchland.client.attempts import Attempts
from marchland.client.call import Call
from marchland.client.sync import PATIENCE, TIMEOUT
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


class AsyncClient:
    """A server, as one account. Requests that fail on their way are sent again where that does no harm."""

    def __init__(self, url: str, token: str | None = None, *, patience: float = PATIENCE) -> None:
        self.base = base_of(url)
        self.token = token
        self._patience = patience
        self._is_known = False
        self._http = httpx.AsyncClient(base_url=self.base, timeout=TIMEOUT)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close its connections."""
        await self._http.aclose()

    @property
    def headers(self) -> dict[str, str]:
        """What shows the server whose requests these are."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    async def call(self, call: Call[Answer]) -> Answer:
        """Send one of the requests in `marchland.client.calls` and read its answer."""
        attempts = Attempts(call, self.base, self._patience, is_known=self._is_known)
        headers = self.headers | ({"Content-Type": "application/json"} if call.body is not None else {})
        while True:
            try:
                answer = await self._http.request(
                    call.method, call.url, params=call.query, content=call.content, headers=headers
                )
            except httpx.TransportError as problem:
                await asyncio.sleep(attempts.after_failure(problem))
                continue
            self._is_known = True
            seconds = attempts.after_answer(answer.status_code, answer.headers, answer.content)
            if seconds is None:
                return call.read(answer.status_code, answer.content)
            await asyncio.sleep(seconds)

    # ---------------------------------------------------------------- who

    async def register(self, name: str) -> Welcome:
        """Make an account, and be it from now on. Its token is told this once: keep it."""
        welcome = await self.call(calls.register(name))
        self.token = welcome.token
        return welcome

    async def me(self) -> AccountInfo:
        """Whose token this is."""
        return await self.call(calls.me())

    # ---------------------------------------------------------------- what

    async def games(self) -> list[str]:
        """Which games there are."""
        return await self.call(calls.games())

    async def game(self, name: str) -> GameInfo:
        """One game."""
        return await self.call(calls.game(name))

    async def matches(self, **which: Any) -> list[MatchInfo]:
        """Which matches there are; ``state``, ``game`` and ``room`` narrow them down."""
        return await self.call(calls.matches(**which))

    async def match(self, id: str) -> MatchInfo:
        """One match."""
        return await self.call(calls.match(id))

    async def create(self, wish: NewMatch) -> MatchInfo:
        """Make a match."""
        return await self.call(calls.create(wish))

    async def start(self, id: str) -> MatchInfo:
        """Begin a match of one's own, whoever is still missing."""
        return await self.call(calls.start(id))

    async def end_turn(self, id: str) -> None:
        """End the open turn of a match of one's own, whoever is not ready."""
        await self.call(calls.end_turn(id))

    async def fork(self, id: str, wish: ForkWish) -> MatchInfo:
        """Make a match from a turn of another one."""
        return await self.call(calls.fork(id, wish))

    async def again(self, id: str) -> MatchInfo:
        """Make a match like one that is over, on the same map."""
        return await self.call(calls.again(id))

    async def join(self, id: str, *, name: str = "", password: str = "", seat: int | None = None) -> AsyncSeat:
        """Take a seat in a match, or the one that is one's own already."""
        joined = await self.call(calls.join(id, Joining(seat, name, password)))
        return AsyncSeat(self, joined)

    async def in_room(self, room: str) -> MatchInfo:
        """The match that is played in a room now, or will be next."""
        return calls.unfinished(room, await self.matches(room=room))

    # ---------------------------------------------------------------- looking on

    async def view(self, id: str, seat: int | None = None) -> dict[str, Any]:
        """What a seat of one's own may know, or a spectator."""
        return await self.call(calls.view(id, seat))

    async def legend(self, id: str) -> Legend:
        """What a viewer must know once."""
        return await self.call(calls.legend(id))

    async def frames(self, id: str, since: int = 0, count: int | None = None, seat: int | None = None) -> list[Frame]:
        """A key frame of turn ``since``, and the frames of the turns after it."""
        return await self.call(calls.frames(id, since, count, seat))

    async def log(self, id: str, since: int | None = None, seat: int | None = None) -> list[TurnLog]:
        """What became of one's orders, turn by turn."""
        return await self.call(calls.log(id, since, seat))

    async def replay(self, id: str) -> bytes:
        """The match as a ``.march`` file."""
        return await self.call(calls.replay(id))
