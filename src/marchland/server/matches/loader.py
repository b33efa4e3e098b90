"""Loads matches from the database: snapshot, entries, seats."""

import asyncio
from collections.abc import Callable
from functools import partial

import marchland
from marchland.core.game import Game
from marchland.errors import Refused
from marchland.match import Match, OnJoin, OnTurn, PostLimits
from marchland.match.history import apply_entry
from marchland.match.views import ViewEncoder
from marchland.messages import SeatInfo
from marchland.server.game_loader import GameLoader
from marchland.server.matches import queries
from marchland.server.matches.queries import StoredMatch
from marchland.server.settings import Settings
from marchland.store import Database, SqlMatchLog


class MatchLoader:
    """Restores matches from their logs."""

    def __init__(
        self,
        store: Database,
        games: GameLoader,
        settings: Settings,
        view_encoder: ViewEncoder,
        on_turn: OnTurn,
        on_join: OnJoin,
    ) -> None:
        self._store = store
        self._games = games
        self._settings = settings
        self._view_encoder = view_encoder
        self._on_turn = on_turn
        self._on_join = on_join

    async def load(self, id: str, epoch: int | None, is_owned: Callable[[], bool] = lambda: True) -> Match:
        """A match from its latest snapshot and the entries after it; a replica without an epoch."""
        stored = await self._store.read(lambda connection: queries.load(connection, id))
        if stored is None:
            if await self._store.read(partial(queries.find, match=id)) is None:
                raise no_such_match(id)
            raise Refused("not_started", "not_started")
        await self._games.require(stored.row.game)
        game = await asyncio.to_thread(_replay_entries, stored)
        row, settings = stored.row, self._settings
        match = Match(
            id,
            game,
            _all_seats(row.seats, game),
            SqlMatchLog(self._store, id, -1 if epoch is None else epoch),
            row.clock,
            next_index=row.entries,
            is_replica=epoch is None,
            is_broken=row.state == "broken",
            sends_host_orders=True,
            spectator_delay=row.request.spectator_delay,
            is_fork=row.forked_from is not None,
            creator=row.creator,
            post_limits=PostLimits(settings.posts_per_turn, settings.orders_per_turn, settings.bytes_per_turn),
            view_encoder=self._view_encoder,
            is_owned=is_owned,
            on_turn=self._on_turn,
            on_join=self._on_join,
        )
        match.open_turn = row.open_turn
        if match.state == "running":  # of a broken match they may be the cause, of a finished one they count no more
            await match.load_posts()
        return match


def no_such_match(id: str) -> Refused:
    """The refusal for an unknown match."""
    return Refused("not_found", "no_such_match", match=id)


def _all_seats(seats: list[SeatInfo], game: Game) -> list[SeatInfo]:
    """A seat for every player; open where none is stored."""
    by_number = {seat.seat: seat for seat in seats}
    return [by_number.get(seat, SeatInfo(seat, "open", name)) for seat, name in enumerate(game.players)]


def _replay_entries(stored: StoredMatch) -> Game:
    """The game of a snapshot with all later entries applied, digests checked."""
    game = marchland.restore(stored.state.data, trusted=True)
    for entry in stored.entries:
        apply_entry(game, entry)
    if stored.row.state == "running":
        game.copy().step()  # kernels are loaded now, in this thread
    return game
