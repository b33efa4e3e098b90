"""Sends the host orders of a season's jobs to a match."""

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec

from marchland.core.season_hooks import Job
from marchland.match import Match
from marchland.store.batches import batches

BATCH = 2_000
"""Host orders in one entry of the match's log."""


async def send_host_orders(match: Match, job: Job, orders: Sequence[Any]) -> int:
    """Apply the orders of a job; returns how many the game accepted.

    The key of a batch depends on its content: after a crash the remaining orders are other batches.
    """
    accepted = 0
    for batch in batches(orders, BATCH):
        digest = hashlib.blake2b(job.key.encode() + msgspec.json.encode(batch), digest_size=12).hexdigest()
        accepted += await match.act_as_host(list(batch), f"{job.name[:20]}/{match.open_turn}/{digest}")
    return accepted
