"""Players who post orders to any of several nodes, repeat what was not answered, and record every answer."""

import asyncio
import contextlib
import random
from collections.abc import Sequence
from typing import Any

import httpx
import msgspec

from marchland.messages import Receipt
from tests.support.http_clients import NO_TLS
from tests.support.server import Person, Served

BOARD = 12
PAUSE = 0.05
REPEATED = 0.2
"""Share of acknowledged posts that are sent once more, to another node."""


class PostingPlayer:
    """Posts orders for one seat of Colorfight, several times in each turn, to nodes chosen at random."""

    def __init__(self, nodes: Sequence[Served], match: str, person: Person, prefix: str = "") -> None:
        self.match = match
        self.seat = person.join(match)
        self.token = person.token
        self.receipts: dict[str, Receipt] = {}
        self.refused: set[str] = set()
        self.unanswered: dict[str, int] = {}
        """Turns of the posts whose fate is unknown, by key."""
        self._nodes = nodes
        self._prefix = prefix
        self._dice = random.Random(f"{match}/{self.seat}")
        self._headers = {"Authorization": f"Bearer {person.token}"}

    @property
    def last_turn(self) -> int:
        """The latest turn for which orders were acknowledged."""
        return max((receipt.turn for receipt in self.receipts.values()), default=0)

    async def play(self) -> None:
        """Post until cancelled."""
        async with contextlib.AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(self._client(node)) for node in self._nodes]
            number = 0
            while True:
                number += 1
                turn = (await self._answer(clients, "GET", f"/matches/{self.match}")).json()["turn"]
                await self._post(clients, turn, f"{self._prefix}{number}")
                await asyncio.sleep(PAUSE)

    def _client(self, node: Served) -> httpx.AsyncClient:
        address = f"{node.url}/api/v1"
        return httpx.AsyncClient(base_url=address, headers=self._headers, timeout=10, trust_env=False, verify=NO_TLS)

    async def _post(self, clients: Sequence[httpx.AsyncClient], turn: int, key: str) -> None:
        body = {"orders": self._orders(), "key": key, "turn": turn, "ready": False}
        self.unanswered[key] = turn
        answer = await self._answer(clients, "POST", f"/matches/{self.match}/orders", json=body)
        del self.unanswered[key]
        if not answer.is_success:
            assert answer.json()["error"] in ("too_late", "too_early"), answer.text
            self.refused.add(key)
            return
        self.receipts[key] = receipt = msgspec.json.decode(answer.content, type=Receipt)
        if self._dice.random() < REPEATED:
            again = await self._answer(clients, "POST", f"/matches/{self.match}/orders", json=body)
            assert msgspec.json.decode(again.content, type=Receipt) == receipt

    async def _answer(
        self, clients: Sequence[httpx.AsyncClient], method: str, path: str, **more: Any
    ) -> httpx.Response:
        """The first answer of any node that is alive and has its database."""
        while True:
            with contextlib.suppress(httpx.TransportError):
                answer = await self._dice.choice(clients).request(method, path, **more)
                if answer.status_code != 503:
                    return answer
            await asyncio.sleep(PAUSE)

    def _orders(self) -> list[dict[str, Any]]:
        cells = [[self._dice.randrange(BOARD), self._dice.randrange(BOARD)] for _ in range(self._dice.randrange(1, 8))]
        return [{"do": "attack", "at": cell, "energy": 30} for cell in cells]


async def wait_for_turns(players: Sequence[PostingPlayer], turns: int, patience: float) -> None:
    """Wait until every player has an acknowledged post ``turns`` later: every match goes on and accepts orders."""
    goals = [player.last_turn + turns for player in players]
    async with asyncio.timeout(patience):
        while any(player.last_turn < goal for player, goal in zip(players, goals, strict=True)):
            await asyncio.sleep(0.01)
