"""What waits for one reader."""

import asyncio

from marchland.match import Subscription
from marchland.match.subscription import MAX_MESSAGES


def drained(reader: Subscription) -> list[bytes]:
    async def take() -> list[bytes]:
        reader.close("enough")
        return [message async for message in _messages(reader)]

    return asyncio.run(take())


async def _messages(reader: Subscription):  # type: ignore[no-untyped-def]
    while (message := await reader.next()) is not None:
        yield message


def test_messages_come_in_order_and_end_when_the_subscription_is_closed() -> None:
    reader = Subscription(None)
    reader.offer(b"1")
    reader.offer(b"2")
    assert drained(reader) == [b"1", b"2"]


def test_a_slow_reader_learns_how_many_news_were_skipped() -> None:
    async def play() -> list[bytes | None]:
        reader = Subscription(None)
        for number in range(MAX_MESSAGES + 3):
            reader.offer(b"%d" % number)
        assert len(reader) == MAX_MESSAGES
        assert reader.needs_key_frame
        taken = [await reader.next() for _ in range(MAX_MESSAGES)]
        reader.offer(b"again")
        return [taken[-1], await reader.next(), await reader.next()]

    assert asyncio.run(play()) == [b"%d" % (MAX_MESSAGES - 1), b'{"type":"skipped","count":3}', b"again"]


def test_answers_reach_even_a_slow_reader() -> None:
    reader = Subscription(None)
    for number in range(MAX_MESSAGES + 1):
        reader.offer(b"%d" % number)
    reader.offer(b"answer", is_news=False)
    assert drained(reader)[-1] == b"answer"


def test_a_paused_reader_gets_answers_but_no_news_until_it_can_pay() -> None:
    reader = Subscription(None, views=True)
    reader.is_paused = True
    reader.offer(b"news")
    reader.offer(b"answer", is_news=False)
    assert not reader.needs_refresh
    assert drained(reader) == [b"answer"]
    reader.is_paused = False
    assert reader.needs_refresh


def test_views_are_charged_when_the_reader_takes_them() -> None:
    reader = Subscription(None, views=True)
    reader.offer(b"1", price=0.5)
    reader.offer(b"2")
    reader.offer(b"3", price=1.0)
    assert reader.unpaid_views == 0
    drained(reader)
    assert reader.unpaid_views == 1.5
