"""Who watches a match with fog sees it late, or when it is over."""

import asyncio
from typing import Any

import msgspec
import pytest

import marchland
from marchland.errors import Refused
from marchland.match import Match, MemoryMatchLog, Subscription
from marchland.messages import SeatInfo


def hive(delay: int | None) -> Match:
    game = marchland.new("hive", 2, seed=1, config={"max_turn": 6})
    seats = [SeatInfo(seat, "bot", name) for seat, name in enumerate(game.players)]
    return Match("m", game, seats, MemoryMatchLog(game.turn), spectator_delay=delay)


async def watched(match: Match, turns: int) -> list[dict[str, Any]]:
    """The news that a spectator gets in so many turns."""
    reader = Subscription(None)
    await match.subscribe(reader)
    for _ in range(turns):
        await match.end_turn()
    reader.close("enough")
    news = []
    while (message := await reader.next()) is not None:
        news.append(msgspec.json.decode(message))
    return news


def test_with_a_delay_the_frames_are_so_many_turns_old() -> None:
    news = asyncio.run(watched(hive(2), 4))
    assert [(one["frame"]["turn"] if "frame" in one else None) for one in news] == [None, None, 0, 1, 2]


def test_without_one_nothing_is_shown_before_the_end_and_then_everything() -> None:
    news = asyncio.run(watched(hive(None), 6))
    assert ["frame" in one for one in news] == [False] * (len(news) - 1) + [True]
    assert news[-1]["state"] == "over"


def test_the_view_of_a_hidden_match_is_refused_to_spectators_and_given_to_seats() -> None:
    async def look() -> None:
        match = hive(None)
        assert await match.view(0)
        with pytest.raises(Refused, match="when it is over"):
            await match.view(None)

    asyncio.run(look())


def test_a_delay_of_nothing_shows_the_match_as_it_is() -> None:
    news = asyncio.run(watched(hive(0), 2))
    assert [one["frame"]["turn"] for one in news] == [0, 1, 2]
