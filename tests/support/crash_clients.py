"""Those who play through every crash of a server, and note what they were promised."""

import asyncio
import random
from collections.abc import Callable
from typing import Any

import msgspec
import websockets

from marchland.client import AsyncClient, RefusedError
from marchland.client import _endpoints as endpoints
from marchland.client._errors import CONNECTION_ERRORS
from marchland.client._session import LiveSession
from marchland.messages import ActPost, ActResult, Answer, Receipt, SendAct
from tests.support.api import Api
from tests.support.server import ADMIN, Served


class Witness:
    """Gives orders for one seat of Colorfight, turn after turn."""

    def __init__(self, served: Served, match: str, seat: int) -> None:
        self.match, self.seat = match, seat
        self.receipts: dict[str, Receipt] = {}
        self._session = LiveSession(key=self._next_key)
        self._address = _address(served, match, seat, "views")

    @property
    def promises(self) -> int:
        """The number of acknowledged writes."""
        return len(self.receipts)

    def _next_key(self) -> str:
        return f"{self.seat}/{self._session.turns}"

    async def play(self) -> None:
        while True:
            try:
                await self._connected()
            except CONNECTION_ERRORS:
                await asyncio.sleep(0.05)

    async def _connected(self) -> None:
        async with websockets.connect(self._address, additional_headers=_headers(ADMIN), open_timeout=5) as socket:
            for line in self._session.on_connect():
                await socket.send(line)
            while True:
                message = await socket.recv()
                self._session.receive(message)
                self._note(message)
                if (turn := self._session.next_turn()) is not None:
                    await socket.send(self._session.encode_orders(turn.turn, _orders(turn.turn, self.seat)))

    def _note(self, message: str | bytes) -> None:
        answer = _answer(message)
        if answer is not None and answer.receipt is not None:
            assert self.receipts.setdefault(answer.key, answer.receipt) == answer.receipt


class Spender:
    """Acts at once for one seat of BoidVoid: burns the items of its account's, and tries what must be refused.

    Each thing is tried under its key until it is answered, by a socket of its own or, if it should, by the client
    library, which does that by itself.
    """

    def __init__(self, served: Served, match: str, seat: int, who: Api, items: list[int], *, by_http: bool) -> None:
        self.match, self.seat, self.items, self.account = match, seat, items, who.account
        self.done: dict[str, ActResult] = {}
        """What was accepted, in the order in which it was answered."""
        self.refused: dict[str, str] = {}
        """Why the others were not, by key."""
        self._dice = random.Random(f"{match}/{seat}")
        self._token = who.token or ""
        self._served = served
        self._by_http = by_http

    @property
    def promises(self) -> int:
        """The number of acknowledged writes."""
        return len(self.done)

    async def play(self) -> None:
        if self._by_http:
            async with AsyncClient(self._served.url, self._token) as client:
                await client.me()  # a server that never answered is not tried again
                await self._act(lambda order, key: _by_http(client, ActPost(order, key, self.seat), self.match))
        else:
            socket = _BySocket(_address(self._served, self.match, self.seat, "none"), self._token)
            try:
                await self._act(socket.give)
            finally:
                await socket.close()

    async def _act(self, give: Callable[[Any, str], Any]) -> None:
        number = 0
        while True:
            number += 1
            again = self._dice.choice(list(self.done)) if self.done and self._dice.random() < 0.2 else None
            key = again or f"{self.seat}/{number}"
            order = self.done[again].result.order if again else self._idea()
            response = await give(order, key)
            if isinstance(response, ActResult) and response.result.ok:
                assert self.done.setdefault(key, response) == response
            else:
                assert again is None
                self.refused[key] = response.result.reason if isinstance(response, ActResult) else response
            await asyncio.sleep(0.03)

    def _idea(self) -> dict[str, Any]:
        if self._dice.random() < 0.2:
            return {"do": "battery", "attack": self._dice.randrange(101)}
        mine, other = self.seat, 1 - self.seat
        wrong = "OTHER_TEAM" not in self.refused.values() or self._dice.random() < 0.2
        target = other if wrong else mine  # a boost of another team's ship is refused
        known = self.items[: 5 + self.promises // 3]  # so that there are some left to the last crash
        return {"do": "boost", "target": target, "nft": self._dice.choice(known), "mode": "burn"}


async def _by_http(client: AsyncClient, post: ActPost, match: str) -> ActResult | str:
    try:
        return await client.call(endpoints.act(match, post))
    except RefusedError as problem:
        return problem.error


class _BySocket:
    """Says a thing until it is answered, over as many connections as that takes."""

    def __init__(self, address: str, token: str) -> None:
        self._address, self._token = address, token
        self._socket: websockets.ClientConnection | None = None

    async def give(self, order: Any, key: str) -> ActResult | str:
        line = msgspec.json.encode(SendAct(order, key)).decode()
        while True:
            try:
                answer = await self._answered(line, key)
            except CONNECTION_ERRORS:
                await self.close()
            else:
                if answer.error != "unavailable":
                    return answer.acted or answer.error
            await asyncio.sleep(0.05)

    async def close(self) -> None:
        socket, self._socket = self._socket, None
        if socket is not None:
            await socket.close()

    async def _answered(self, line: str, key: str) -> Answer:
        if self._socket is None:
            self._socket = await websockets.connect(
                self._address, additional_headers=_headers(self._token), open_timeout=5
            )
        await self._socket.send(line)
        while True:
            answer = _answer(await self._socket.recv())
            if answer is not None and answer.key == key:
                return answer


def _answer(message: str | bytes) -> Answer | None:
    return msgspec.json.decode(message, type=Answer) if '"type":"answer"' in str(message)[:20] else None


def _address(served: Served, match: str, seat: int, want: str) -> str:
    return f"{served.url.replace('http', 'ws', 1)}/api/v1/matches/{match}/live?seat={seat}&want={want}"


def _headers(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _orders(turn: int, seat: int) -> list[dict[str, Any]]:
    dice = random.Random(turn * 2 + seat)
    return [{"do": "attack", "at": [dice.randrange(12), dice.randrange(12)], "energy": 30} for _ in range(10)]
