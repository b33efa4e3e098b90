"""Encoded views: computed once for each state and audience, off the event loop where that takes long.

A view of a large board takes a second of pure Python, which a thread would steal from the event loop. So a server
encodes it in another process, from a snapshot that was taken under the match's lock.
"""

import asyncio
import itertools
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, NamedTuple

import msgspec

from marchland.core.game import Game
from marchland.core.json_text import join_objects
from marchland.match.writer import run_in_thread

LARGE_VIEW: Final = 1_000
"""Cells from which a view takes too long for the event loop."""
_MAX_BYTES: Final = 64_000_000

Audience = int | None
_owners = itertools.count()

EncodeElsewhere = Callable[[bytes, Audience], Awaitable[bytes]]
"""Encodes the view of an audience from a snapshot; of None what all audiences share, where the game shares views."""


class ViewStamp(NamedTuple):
    """Identifies a state among those that one game object goes through."""

    turn: int
    seq: int
    players: int


class ViewEncoder:
    """Encodes views and caches the results of all matches of a process, up to a number of bytes."""

    def __init__(
        self,
        encode_elsewhere: EncodeElsewhere | None = None,
        *,
        max_bytes: int = _MAX_BYTES,
        on_computed: Callable[[], None] = lambda: None,
    ) -> None:
        self._encode_elsewhere = encode_elsewhere
        self._max_bytes = max_bytes
        self._on_computed = on_computed
        self._encoded: OrderedDict[tuple[int, Audience], tuple[ViewStamp, bytes]] = OrderedDict()
        self._bytes = 0

    def find(self, owner: int, audience: Audience, stamp: ViewStamp) -> bytes | None:
        """The view of that state, if it is cached."""
        found = self._encoded.get((owner, audience))
        if found is None or found[0] != stamp:
            return None
        self._encoded.move_to_end((owner, audience))
        return found[1]

    def add(self, owner: int, audience: Audience, stamp: ViewStamp, view: bytes) -> None:
        """Cache a view in the place of that of an earlier state; the least recently used ones make room."""
        _, before = self._encoded.pop((owner, audience), (stamp, b""))
        self._encoded[owner, audience] = (stamp, view)
        self._bytes += len(view) - len(before)
        while self._bytes > self._max_bytes and len(self._encoded) > 1:
            _, (_, oldest) = self._encoded.popitem(last=False)
            self._bytes -= len(oldest)

    def encode(self, game: Game, audience: Audience) -> bytes:
        """Encode a view here and now."""
        self._on_computed()
        return game.encode_shared_view() if game.shares_views else game.encode_view(audience)

    async def encode_snapshot(self, game: Game, snapshot: bytes | None, audience: Audience) -> bytes:
        """Encode a view in another process; without one, in a thread from a copy of the game."""
        if self._encode_elsewhere is None or snapshot is None:
            encoded: bytes = await run_in_thread(self.encode, game, audience)
            return encoded
        self._on_computed()
        return await self._encode_elsewhere(snapshot, audience)

    async def detach(self, game: Game) -> tuple[Game, bytes | None]:
        """What the view of the current state can be encoded from later."""
        if self._encode_elsewhere is None:
            return game.copy(), None
        return game, await run_in_thread(game.snapshot)


class EncodedViews:
    """The encoded views of one game as it stands. The caller holds the match's lock."""

    def __init__(self, game: Game, encoder: ViewEncoder) -> None:
        self._game = game
        self._encoder = encoder
        self._owner = next(_owners)
        self._running: dict[tuple[ViewStamp, Audience], asyncio.Task[bytes]] = {}

    def get(self, seat: int | None, *, is_own: bool = True) -> bytes:
        """A view as JSON, without private members unless it is the reader's own; computed here unless it is cached."""
        audience, stamp = self._audience_of(seat), self.stamp()
        view = self._encoder.find(self._owner, audience, stamp)
        if view is None:
            view = self._encoder.encode(self._game, audience)
            self._encoder.add(self._owner, audience, stamp, view)
        if self._game.shares_views:
            return join_objects(view, self._game.encode_own_view(seat, is_own=is_own))
        return view if is_own else hide_private(self._game, view)

    async def begin(self, seat: int | None, *, is_own: bool = True) -> Awaitable[bytes]:
        """Start to compute a view of the current state; the result may be awaited without the lock."""
        game, audience, stamp = self._game, self._audience_of(seat), self.stamp()
        if game.board.size <= LARGE_VIEW or self._encoder.find(self._owner, audience, stamp) is not None:
            done: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
            done.set_result(self.get(seat, is_own=is_own))
            return done
        task = self._running.get((stamp, audience))
        if task is None:
            detached, snapshot = await self._encoder.detach(game)
            task = asyncio.create_task(self._encoder.encode_snapshot(detached, snapshot, audience))
            self._running[stamp, audience] = task
            task.add_done_callback(lambda ended: self._end(ended, audience, stamp))
        if game.shares_views:
            own = await run_in_thread(partial(game.encode_own_view, seat, is_own=is_own))
            return _complete(task, lambda shared: join_objects(shared, own))
        return _complete(task, (lambda view: view) if is_own else partial(hide_private, game))

    def _end(self, task: "asyncio.Task[bytes]", audience: Audience, stamp: ViewStamp) -> None:
        del self._running[stamp, audience]
        if not task.cancelled() and task.exception() is None:
            self._encoder.add(self._owner, audience, stamp, task.result())

    def _audience_of(self, seat: int | None) -> Audience:
        return None if self._game.shares_views else seat

    def stamp(self) -> ViewStamp:
        """Identifies the current state."""
        return ViewStamp(self._game.turn, self._game.seq, len(self._game.players))


async def _complete(task: "asyncio.Task[bytes]", finish: Callable[[bytes], bytes]) -> bytes:
    """The view; a reader that disconnects does not cancel the computation of others."""
    return finish(await asyncio.shield(task))


def hide_private(game: Game, view: bytes) -> bytes:
    """An encoded view with the private members of its seat blank."""
    members = msgspec.json.decode(view, type=dict[str, msgspec.Raw])
    members |= {name: msgspec.Raw(msgspec.json.encode(value)) for name, value in game.private_members.items()}
    return msgspec.json.encode(members)
