"""Orders of wires whose messages do not name a turn."""

import asyncio
import secrets
from typing import Any

from marchland.match import Match, TooLate
from marchland.match.match import GRACE

_MOST_TRIES = 200


async def post_to_open_turn(match: Match, seat: int, orders: list[Any]) -> None:
    """Post orders for the open turn; while a turn is being closed, retry until the next one opens."""
    key = secrets.token_hex(8)
    for _ in range(_MOST_TRIES):
        try:
            await match.post(seat, orders, key)
            return
        except TooLate:
            await asyncio.sleep(GRACE)
    await match.post(seat, orders, key)
