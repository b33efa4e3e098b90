"""Past turns of any match, replayed from a snapshot and the log."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

import msgspec
from sqlalchemy import Connection

import marchland
from marchland.core.game import Game
from marchland.errors import Refused
from marchland.match import Entry, crop, history
from marchland.messages import LogLine, TurnLog
from marchland.server.game_loader import GameLoader
from marchland.server.matches.queries import MatchRow
from marchland.store import Database
from marchland.store.archived_match import Archive, ArchivedMatch
from marchland.store.archives import first_state, latest_state, load_archive
from marchland.store.match_log import entries_until, posts_between
from marchland.store.snapshots import StoredSnapshot

MAX_TURNS = 200
"""Turns in one response."""

Computed = TypeVar("Computed")

_encode = msgspec.json.Encoder().encode
_threads = ThreadPoolExecutor(2, "match-history")
"""Few, and not those in which turns are computed: readers of the past must not delay the present."""


class MatchHistory:
    """Replays parts of a match in a thread."""

    def __init__(self, store: Database, games: GameLoader) -> None:
        self._store = store
        self._games = games

    def last_visible_turn(self, row: MatchRow) -> int:
        """The last turn that a spectator may see."""
        return row.spectator_policy.last_visible_turn(row.open_turn, is_over=row.state == "over")

    async def state_at(self, row: MatchRow, turn: int) -> Game:
        """The game at the start of ``turn``."""
        return await self._compute(row, turn, lambda game, entries: history.state_at(game, entries, turn))

    async def frames(
        self,
        row: MatchRow,
        audience: int | None,
        first: int | None,
        count: int,
        chunks: frozenset[int] | None = None,
    ) -> bytes:
        """A key frame of turn ``first`` and the frames after it, of some chunks or of the whole board, as JSON."""
        first = await self._first_turn(row, first)
        if audience is None:
            count = min(count, self.last_visible_turn(row) - first)
            if count < 0:
                raise Refused("hidden", "hidden_after", turn=self.last_visible_turn(row))

        def compute(game: Game, entries: list[Entry]) -> bytes:
            frames = history.frames(game, entries, audience, first, count)
            # Each is encoded by itself: the encoder does not release the interpreter.
            encoded = [_encode(frame if chunks is None else crop(frame, chunks)) for frame in frames]
            return b"[" + b",".join(encoded) + b"]"

        return await self._compute(row, first, compute, count)

    async def log(self, row: MatchRow, seat: int, first: int | None, count: int) -> list[TurnLog]:
        """The results of one seat's orders, turn by turn."""
        first = await self._first_turn(row, first)
        posts = await self._store.read(partial(posts_between, match=row.id, seat=seat, first=first, last=first + count))
        return await self._compute(
            row, first, lambda game, entries: list(history.turn_logs(game, entries, posts, seat, first, count)), count
        )

    async def readable_log(
        self, row: MatchRow, seat: int | None, first: int | None, count: int, *, is_own: bool
    ) -> list[LogLine]:
        """What happened, in sentences."""
        first = await self._first_turn(row, first)
        lines = partial(history.readable_log, seat=seat, first=first, count=count, is_own=is_own)
        return await self._compute(row, first, lambda game, entries: list(lines(game, entries)), count)

    async def fold(self, row: MatchRow, compute: Callable[[Game, list[Entry]], Computed]) -> Computed:
        """Compute something from the first state of a match and all its entries."""
        return await self._compute(row, None, compute)

    async def replay(self, row: MatchRow) -> bytes:
        """The match as a ``.march`` file."""
        archive = await self._store.read(partial(load_archive, match=row.id))
        if archive is not None and not self._lacks_film(row, archive):
            return archive.replay
        return await self._compute(row, None, lambda game, entries: history.to_recording(game, entries).to_bytes())

    def _lacks_film(self, row: MatchRow, archive: Archive) -> bool:
        """Whether the film of an archive can be made: matches of tournaments are stored without."""
        replay = ArchivedMatch(row.id, archive).replay
        return not replay.has_film and replay.header.version == marchland.find(row.game).version

    async def _first_turn(self, row: MatchRow, wanted: int | None) -> int:
        """The wanted turn, but none before the match started."""
        began = await self._store.read(partial(first_state, match=row.id))
        if began is None:
            raise Refused("not_started", "not_started")
        return began.turn if wanted is None else max(wanted, began.turn)

    async def _compute(
        self,
        row: MatchRow,
        turn: int | None,
        compute: Callable[[Game, list[Entry]], Computed],
        count: int | None = None,
    ) -> Computed:
        """Compute something from the state at a turn and the entries of ``count`` turns, or from all entries."""
        if turn is not None and not 0 <= turn <= row.open_turn:
            raise Refused("no_such_turn", "turn_ahead", last=row.open_turn, turn=turn)
        await self._games.require(row.game)
        until = None if turn is None else turn + (count or 0)

        def read(connection: Connection) -> tuple[StoredSnapshot, list[Entry]]:
            state = first_state(connection, row.id) if turn is None else latest_state(connection, row.id, turn=turn)
            if state is None:
                raise Refused("no_such_turn", "no_such_turn", turn=turn)
            return state, entries_until(connection, row.id, state.number, until)

        state, entries = await self._store.read(read)

        def work() -> Computed:
            return compute(marchland.restore(state.data, trusted=True), entries)

        return await asyncio.get_running_loop().run_in_executor(_threads, work)
