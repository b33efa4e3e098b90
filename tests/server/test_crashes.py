"""A server that dies at any moment, again and again, while matches are played."""

import asyncio
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import websockets

import marchland
from marchland.client.session import Session
from marchland.client.sockets import BROKEN
from marchland.match.inbox import merged
from marchland.messages import Answer, Every, NewMatch, Receipt, SeatWish
from marchland.store import Store
from marchland.store import matches as stored
from marchland.store.journal import posts_of, receipt_of
from marchland.store.snapshots import earliest
from tests.serving import ADMIN, Served

pytestmark = pytest.mark.alone  # one server, killed for all tests; under load twenty restarts take too long

MATCHES, SEATS, KILLS = 8, 2, 20
CONFIG = {"width": 12, "height": 12, "max_turn": 1_000_000, "early_end": False}


class Witness:
    """Plays one seat by hand, through every crash, and notes what it was promised."""

    def __init__(self, served: Served, match: str, seat: int) -> None:
        self.match, self.seat = match, seat
        self.receipts: dict[str, Receipt] = {}
        self._session = Session(key=self._next_key)
        self._address = f"{served.url.replace('http', 'ws', 1)}/api/v1/matches/{match}/live?seat={seat}&want=views"

    def _next_key(self) -> str:
        return f"{self.seat}/{self._session.turns}"

    async def play(self) -> None:
        while True:
            try:
                await self._connected()
            except BROKEN:
                await asyncio.sleep(0.05)

    async def _connected(self) -> None:
        headers = {"Authorization": f"Bearer {ADMIN}"}
        async with websockets.connect(self._address, additional_headers=headers, open_timeout=5) as socket:
            for line in self._session.opened():
                await socket.send(line)
            while True:
                message = await socket.recv()
                self._session.heard(message)
                self._note(message)
                if (question := self._session.question()) is not None:
                    await socket.send(self._session.orders(question.turn, _orders(question.turn, self.seat)))

    def _note(self, message: str | bytes) -> None:
        if '"type":"answer"' in str(message)[:20]:
            answer = msgspec.json.decode(message, type=Answer)
            if answer.receipt is not None:
                assert self.receipts.setdefault(answer.key, answer.receipt) == answer.receipt


def _orders(turn: int, seat: int) -> list[dict[str, Any]]:
    dice = random.Random(turn * 2 + seat)
    return [{"do": "attack", "at": [dice.randrange(12), dice.randrange(12)], "energy": 30} for _ in range(10)]


@pytest.fixture(scope="module")
def aftermath(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, list[Witness]]]:
    """Matches under load on a server that was killed twenty times; what is left of it, and what was promised."""
    folder = tmp_path_factory.mktemp("crashes")
    marchland.find("colorfight").make_ready()
    served = Served(folder, "--rate", "100000", "--rate-address", "100000")
    try:
        witnesses = _played_through(served)
    finally:
        served.stop()
    with Store(str(folder / "server.db")) as store:
        yield store, witnesses


def _played_through(served: Served) -> list[Witness]:
    with served.admin() as admin:
        wish = NewMatch("colorfight", [SeatWish()] * SEATS, config=CONFIG, clock=Every(0.2))
        matches = [admin.create(wish).id for _ in range(MATCHES)]
        for match in matches:
            for seat in range(SEATS):
                admin.join(match, seat=seat)
    witnesses = [Witness(served, match, seat) for match in matches for seat in range(SEATS)]
    asyncio.run(_through_crashes(served, witnesses))
    return witnesses


async def _through_crashes(served: Served, witnesses: list[Witness]) -> None:
    dice = random.Random(20)
    playing = [asyncio.create_task(one.play()) for one in witnesses]
    for _ in range(KILLS):
        await _everybody_is_served(witnesses)
        await asyncio.sleep(dice.random() * 0.5)  # any moment will do
        served.kill()
        await asyncio.to_thread(served.start)
    await _everybody_is_served(witnesses)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)


async def _everybody_is_served(witnesses: list[Witness]) -> None:
    """Every seat has got a receipt since: the clients have come back by themselves, and the matches go on."""
    before = [len(one.receipts) for one in witnesses]
    async with asyncio.timeout(150):
        while any(len(one.receipts) == count for one, count in zip(witnesses, before, strict=True)):
            await asyncio.sleep(0.01)


Aftermath = tuple[Store, list[Witness]]


def test_every_acknowledged_order_is_in_the_turn_that_its_receipt_names(aftermath: Aftermath) -> None:
    store, witnesses = aftermath
    with store.engine.connect() as connection:
        for one in witnesses:
            assert len(one.receipts) > KILLS
            for key, receipt in one.receipts.items():
                turn = receipt.turn
                assert receipt_of(connection, one.match, one.seat, key, turn, turn) == receipt


def test_every_turn_was_played_once_and_has_the_digest_of_a_clean_run(aftermath: Aftermath) -> None:
    store, witnesses = aftermath
    for match in {one.match for one in witnesses}:
        with store.engine.connect() as connection:
            began = earliest(connection, match)
            entries = stored.entries_from(connection, match, 0)
            assert began is not None
            game = marchland.restore(began.data)
            assert [entry.turn for entry in entries] == list(range(began.turn, began.turn + len(entries)))
            assert len(entries) > KILLS
            for entry in entries:
                orders = merged(type(game), posts_of(connection, match, entry.turn))
                game.step(orders)
                assert game.digest() == entry.digest


def test_acknowledged_orders_took_part_in_the_turn(aftermath: Aftermath) -> None:
    store, witnesses = aftermath
    for one in witnesses:
        with store.engine.connect() as connection:
            played = {entry.turn: entry for entry in stored.entries_from(connection, one.match, 0)}
        for receipt in one.receipts.values():
            if receipt.turn in played:  # the last turn was still open
                assert int((played[receipt.turn].packed().table[0] == one.seat).sum()) == receipt.orders


def test_the_database_is_whole(aftermath: Aftermath) -> None:
    store, _ = aftermath
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
