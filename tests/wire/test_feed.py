"""The bounded queue of a WebSocket client."""

import asyncio

from marchland.server.wire.feed import FeedReader


def test_a_full_queue_drops_its_oldest_item() -> None:
    reader: FeedReader[int] = FeedReader(2)
    for item in (1, 2, 3):
        reader.offer(item)
    assert [asyncio.run(reader.next()) for _ in range(2)] == [2, 3]


def test_a_closed_feed_ends_after_the_items_in_the_queue() -> None:
    reader: FeedReader[int] = FeedReader(2)
    reader.offer(1)
    reader.close()
    assert [asyncio.run(reader.next()) for _ in range(2)] == [1, None]


def test_a_reader_waits_for_the_next_item() -> None:
    async def read_and_offer() -> int | None:
        reader: FeedReader[int] = FeedReader(2)
        reading = asyncio.create_task(reader.next())
        await asyncio.sleep(0)
        assert not reading.done()
        reader.offer(1)
        return await reading

    assert asyncio.run(read_and_offer()) == 1
