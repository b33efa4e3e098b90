"""A match is taken up: its last state, every input after it put in again, and who sits where."""

import asyncio
from collections.abc import Callable
from functools import partial

import marchland
from marchland.core.game import Game
from marchland.errors import Refused
from marchland.match import Match, OnJoin, OnTurn
from marchland.match.history import apply_entry
from marchland.messages import SeatInfo
from marchland.server.game_loader import GameLoader
from marchland.server.matches import queries
from marchland.server.matches.queries import TakenUp
from marchland.store import SqlMatchLog, Store


class MatchLoader:
    """Makes matches of what the database holds."""

    def __init__(self, store: Store, games: GameLoader, posts_limit: int, on_turn: OnTurn, on_join: OnJoin) -> None:
        self._store = store
        self._games = games
        self._posts_limit = posts_limit
        self._on_turn = on_turn
        self._on_join = on_join

    async def loaded(self, id: str, epoch: int | None, is_ours: Callable[[], bool] = lambda: True) -> Match:
        """A match as it was kept; only to be followed if it is not claimed."""
        taken = await self._store.read(lambda connection: queries.take_up(connection, id))
        if taken is None:
            if await self._store.read(partial(queries.find, match=id)) is None:
                raise no_such_match(id)
            raise Refused("not_started", "This match has not started yet.")
        await self._games.require(taken.row.game)
        game = await asyncio.to_thread(_played, taken)
        row = taken.row
        match = Match(
            id,
            game,
            _seats(row.seats, game),
            SqlMatchLog(self._store, id, -1 if epoch is None else epoch),
            row.clock,
            next_index=row.entries,
            is_replica=epoch is None,
            is_broken=row.state == "broken",
            sends_host_orders=True,
            spectator_delay=row.wish.spectator_delay,
            is_fork=row.forked_from is not None,
            posts_per_turn=self._posts_limit,
            is_owned=is_ours,
            on_turn=self._on_turn,
            on_join=self._on_join,
        )
        match.open_turn = row.open_turn
        if not match.is_broken:  # what was posted may be what it broke on
            await match.load_posts()
        return match


def no_such_match(id: str) -> Refused:
    """Why nothing can be done about a match that nobody knows."""
    return Refused("not_found", f"There is no match {id!r}.")


def _seats(kept: list[SeatInfo], game: Game) -> list[SeatInfo]:
    """A seat for every player."""
    known = {seat.seat: seat for seat in kept}
    return [known.get(seat, SeatInfo(seat, "open", name)) for seat, name in enumerate(game.players)]


def _played(taken: TakenUp) -> Game:
    """The game with every entry after its state put in again, digests checked."""
    game = marchland.restore(taken.state.data, trusted=True)
    for entry in taken.entries:
        apply_entry(game, entry)
    if taken.row.state == "running":
        game.copy().step()  # what has to be loaded for a turn is loaded now, beside the event loop
    return game
