"""Matches before they start, and who sits where."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import msgspec
from sqlalchemy import Connection

import marchland
from marchland.core.game import Game
from marchland.errors import MarchlandError, Refused
from marchland.messages import AccountInfo, Clock, ForkRequest, MatchCreate, SeatInfo, SeatRequest
from marchland.server.accounts import passwords
from marchland.server.accounts import queries as account_queries
from marchland.server.audit import record
from marchland.server.http.auth import Caller
from marchland.server.http.payload_limits import check_depth
from marchland.server.maps import queries as map_queries
from marchland.server.matches import queries
from marchland.server.matches.history import MatchHistory
from marchland.server.matches.loader import no_such_match
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.queries import MatchRow
from marchland.server.matches.seats import SeatService, require_unchanged, retry_on_conflict
from marchland.server.matches.setup import (
    PlanSeats,
    StartPlan,
    forked_seats,
    is_saved_map,
    max_name_length,
    names_of,
    new_match_row,
    no_extra_writes,
    rematch_seats,
    seat_from_request,
    validate_request,
    with_map_settings,
)
from marchland.server.matches.visibility import Visibility, is_neutral_organiser
from marchland.store.writer import Lock

Result = TypeVar("Result")

_MOST_AT_A_TIME = 20
"""Matches of one player that have not ended; organisers may have more."""


class MatchService:
    """Creates, fills, starts, forks and removes matches."""

    def __init__(self, manager: MatchManager, history: MatchHistory, visibility: Visibility) -> None:
        self._manager = manager
        self._store = manager.store
        self._history = history
        self._visibility = visibility
        self.seating = SeatService(manager, visibility, self.start)
        manager.owner_calls.register("end turn", self._end_turn_here)
        manager.owner_calls.register("clock", self._clock_here)

    async def row(self, id: str) -> MatchRow:
        """A match; refused if there is none."""
        return await self.seating.row(id)

    async def create(self, wish: MatchCreate, caller: Caller | None, room: str | None = None) -> MatchRow:
        """Create a match; its request is validated as far as possible before the start."""
        if caller is not None:
            await self._check_creator(wish, caller)
        check_depth([wish.config, wish.map])
        wish = await self.with_map(wish)
        kind, config = await asyncio.to_thread(validate_request, wish)
        await self._manager.games.require(kind.name)
        password = await asyncio.to_thread(passwords.kept, wish.password)
        row = new_match_row(
            game=kind.name,
            name=wish.name,
            wish=msgspec.structs.replace(wish, password=""),
            config=config,
            creator=caller.id if caller else None,
            room=room,
            password=password,
            seats=[seat_from_request(number, one) for number, one in enumerate(wish.seats)],
        )
        await self._store.write(lambda connection: queries.insert_match(connection, row))
        if wish.auto_start and not any(seat.kind == "open" for seat in row.seats):
            await self.start(row.id)
        return await self.row(row.id)

    async def with_map(self, wish: MatchCreate) -> MatchCreate:
        """The wish with a copy of the kept map that it names: what becomes of the map later changes no match."""
        if not is_saved_map(wish.map):
            return wish
        info = await self._store.read(partial(map_queries.find_map, id=wish.map["kept"]))
        if info.game != wish.game:
            raise Refused("bad_request", f"The map {info.name!r} is one of {info.game}, not of {wish.game}.")
        data = await self._store.read(partial(map_queries.load_content, id=info.id))
        return await asyncio.to_thread(with_map_settings, wish, data)

    async def _check_creator(self, wish: MatchCreate, caller: Caller) -> None:
        if wish.seed is not None and not caller.may("organiser"):
            raise Refused("not_allowed", "Only an organiser may set the seed; without one the dice are secret.")
        await self._check_number(caller)

    async def _check_number(self, caller: Caller) -> None:
        if caller.may("organiser"):
            return
        unfinished = await self._store.read(partial(queries.count_unfinished, creator=caller.id))
        if unfinished >= _MOST_AT_A_TIME:
            raise Refused("too_many_matches", f"You have {unfinished} matches that have not ended; finish some first.")

    async def start(
        self, id: str, casting: PlanSeats | None = None, also: Callable[[Connection], object] = no_extra_writes
    ) -> None:
        """Begin; seats that are open stay so, and may be taken later, unless ``casting`` says who plays.

        What is ``also`` written is written together with the start, or not at all.
        """
        row = await self.row(id)
        if row.state != "lobby":
            raise Refused("started", "The match has started already.")
        await self._manager.games.require(row.game)
        await retry_on_conflict(partial(self._start, id, casting, also))

    async def _start(self, id: str, casting: PlanSeats | None, also: Callable[[Connection], object]) -> None:
        async with self.seating.change_locks.of(id):
            row = await self.row(id)
            wish = row.wish
            cast = casting(row) if casting else StartPlan(row.seats, wish.map)
            names = names_of(cast.seats, max_name_length(row))
            seats = [msgspec.structs.replace(seat, name=name) for seat, name in zip(cast.seats, names, strict=True)]
            try:
                game = await asyncio.to_thread(
                    marchland.new, row.game, names, seed=wish.seed, rules=wish.rules, config=wish.config, map=cast.map
                )
            except MarchlandError as problem:  # the request was fine; the match cannot be
                raise Refused("cannot_start", str(problem)) from None
            self._check_size(game, await self._creator_of(row))

            def written(connection: Connection) -> None:
                require_unchanged(connection, row)
                cast.also(connection)
                also(connection)

            await self._begin(id, game, seats, written)

    async def _creator_of(self, row: MatchRow) -> AccountInfo | None:
        return await self._store.read(partial(account_queries.find, account=row.creator)) if row.creator else None

    def _check_size(self, game: Game, creator: AccountInfo | None) -> None:
        """Refuse a player's match on a board of which every picture would keep the others waiting."""
        most = self._manager.settings.cells_limit
        if game.board.size > most and creator is not None and creator.role == "player":
            cells = f"{game.board.size:,} cells; without an organiser the most is {most:,}"
            raise Refused("cannot_start", f"This board has {cells}.")

    async def _begin(
        self, id: str, game: Game, seats: Sequence[SeatInfo], also: Callable[..., None] = no_extra_writes
    ) -> None:
        snapshot = await asyncio.to_thread(game.snapshot)

        def work(connection: Connection) -> None:
            also(connection)
            if not queries.start(connection, id, game.turn, snapshot, seats):
                raise Refused("started", "The match has started already.")

        await self._store.write(work, Lock(id, alone=True))
        self._manager.run(id)

    async def fork(self, id: str, caller: Caller, wish: ForkRequest) -> MatchRow:
        """A new match from a turn of this one, with dice of its own."""
        row = await self.row(id)
        secret = await self._visibility.unfinished_ancestors(id, row.game)
        if not all(is_neutral_organiser(one, caller) for one in secret):
            raise Refused("hidden", "Until this match is over, only its organiser may fork it.")
        await self._check_number(caller)
        game = (await self._history.at(row, wish.turn)).fork()
        if game.outcome is not None:
            raise Refused("over", f"The match is over at turn {wish.turn}: there is nothing left to play.")
        self._check_size(game, caller.account)
        seats = forked_seats(game, wish.seats, caller.account)
        made = MatchCreate(
            game=row.game,
            seats=[SeatRequest() for _ in seats],
            name=wish.name or f"{row.name or row.game} from turn {wish.turn}"[:80],
            config=row.config,
            clock=wish.clock,
            spectator_delay=None if secret else 0,
        )
        fork = new_match_row(
            game=row.game, name=made.name, wish=made, config=row.config, creator=caller.id, seats=seats, forked_from=id
        )

        def work(connection: Connection) -> None:
            queries.insert_match(connection, fork)
            if secret:
                record(connection, caller, "fork match", id, wish)

        await self._store.write(work)
        await self._begin(fork.id, game, seats)
        return await self.row(fork.id)

    async def again(self, id: str, caller: Caller) -> MatchRow:
        """A new match like one that is over, with dice of its own; whoever wants to play it sits down anew."""
        row = await self.row(id)
        if row.state != "over" or row.forked_from is not None:
            raise Refused("not_over", "Only a match that is over, and that is no fork, can be played again.")
        return await self.create(msgspec.structs.replace(row.wish, seats=rematch_seats(row), seed=None), caller)

    async def end_turn(self, id: str) -> None:
        """End the open turn without waiting for anybody."""
        match = await self._manager.match(id)
        match.require_running()
        if match.is_replica:
            await self._manager.call_owner("end turn", match, (await self.row(id)).open_turn)
        else:
            match.end_turn_now()

    async def _end_turn_here(self, id: str, turn: int) -> None:
        """End the turn that was meant; it may be over by now, or have been ended by the same request before."""
        match = await self._manager.owned(id)
        if match.open_turn == turn:
            match.end_turn_now()

    async def set_clock(self, id: str, clock: Clock, also: Callable[[Connection], Result]) -> Result:
        """Have turns end by another clock, from the next turn on; ``also`` is written together with it, or neither."""
        row = await self.row(id)
        if row.state in ("over", "broken"):
            raise Refused("over", "The match is over.")
        wish = msgspec.structs.replace(row.wish, clock=clock)

        def work(connection: Connection) -> Result:
            queries.save_request(connection, id, wish)
            return also(connection)

        told: Result = await self._store.write(work)
        if (await self.row(id)).state == "running":  # it may have started meanwhile, by the clock before
            match = await self._manager.match(id)
            if match.is_replica:
                await self._manager.call_owner("clock", match, None)
            else:
                match.clock.set_clock(clock)
        return told

    async def _clock_here(self, id: str, asked: None) -> None:
        match = await self._manager.owned(id)
        match.clock.set_clock((await self.row(id)).clock)

    async def remove(self, id: str, also: Callable[[Connection], object] = no_extra_writes) -> None:
        """Stop a match and forget it; what is ``also`` written is written together with that, or not at all."""

        def work(connection: Connection) -> None:
            if not queries.delete_match(connection, id):
                raise no_such_match(id)
            also(connection)

        await self._store.write(work, Lock(id, alone=True))
        self._manager.stop(id)
        self._manager.notify_started(id)
