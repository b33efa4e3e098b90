"""`SpectatorPolicy` is the one rule of what spectators see: a match's own views follow it."""

import asyncio

import msgspec
import pytest

import marchland
from marchland.errors import Refused
from marchland.match import Match, MemoryMatchLog, SpectatorPolicy
from marchland.messages import SeatInfo

TURNS = 5


async def visible_turn(match: Match) -> int | None:
    try:
        view = await match.view(None)
    except Refused:
        return None
    return int(msgspec.json.decode(view)["turn"])


def turn_by_policy(match: Match, delay: int | None) -> int | None:
    policy = SpectatorPolicy(match.game.fogged, delay)
    try:
        turn = policy.last_visible_turn(match.game.turn, is_over=match.is_over)
    except Refused:
        return None
    return turn if turn >= 0 else None


@pytest.mark.parametrize("delay", [None, 0, 1, 3])
@pytest.mark.parametrize("game", ["hive", "colorfight"])
def test_a_spectators_view_is_of_the_last_turn_that_the_policy_allows(game: str, delay: int | None) -> None:
    async def watch() -> None:
        state = marchland.new(game, 2, seed=1, config={"max_turn": TURNS})
        seats = [SeatInfo(seat, "bot", name) for seat, name in enumerate(state.players)]
        match = Match("m", state, seats, MemoryMatchLog(state.turn), spectator_delay=delay)
        while not match.is_over:
            assert await visible_turn(match) == turn_by_policy(match, delay)
            await match.end_turn()
        assert await visible_turn(match) == state.turn == turn_by_policy(match, delay)

    asyncio.run(watch())
