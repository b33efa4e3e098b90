"""The life cycle of matches: create, start, fork, rematch, end turns, set clocks, delete."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

import msgspec
from sqlalchemy import Connection

import marchland
from marchland.core.game import Game
from marchland.errors import MarchlandError, Refused
from marchland.messages import AccountInfo, Clock, ForkRequest, MatchCreate, MatchUpdate, SeatInfo, SeatRequest
from marchland.server.accounts import passwords
from marchland.server.accounts import queries as account_queries
from marchland.server.audit import record
from marchland.server.http.auth import Caller
from marchland.server.http.patch import fields_set
from marchland.server.http.payload_limits import check_depth
from marchland.server.ledger import queries as ledger_queries
from marchland.server.maps import queries as map_queries
from marchland.server.matches import queries
from marchland.server.matches.admission import exclude
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
    is_solo,
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

_threads = ThreadPoolExecutor(1, "match-setup")
"""One: a large board takes a second of pure Python, and the event loop competes with each thread."""


class MatchService:
    """Creates, starts, forks and deletes matches."""

    def __init__(self, manager: MatchManager, history: MatchHistory, visibility: Visibility) -> None:
        self._manager = manager
        self._store = manager.store
        self._history = history
        self._visibility = visibility
        self.seats = SeatService(manager, visibility, self.start)
        manager.owner_calls.register("end turn", self._end_turn_here)
        manager.owner_calls.register("clock", self._reload_clock_here)

    async def row(self, id: str) -> MatchRow:
        """The row of a match; refused if there is none."""
        return await self.seats.row(id)

    async def create(self, request: MatchCreate, caller: Caller | None, room: str | None = None) -> MatchRow:
        """Create a match; its request is validated as far as possible before the start."""
        if caller is not None:
            await self._check_creator(request, caller)
        check_depth([request.config, request.map])
        request = await self.with_map(request)
        kind, config = await asyncio.to_thread(validate_request, request)
        if caller is not None and not caller.may("organiser"):
            settings = kind.config_type.build(config)
            self._manager.capacity.check_request(kind, settings, len(request.seats), request.map)
        await self._manager.games.require(kind.name)
        is_closed = caller is not None and (is_solo(request.seats) or bool(request.password))
        password = await passwords.hash_in_thread(request.password)
        row = new_match_row(
            game=kind.name,
            name=request.name,
            request=msgspec.structs.replace(request, password=""),
            config=config,
            creator=caller.id if caller else None,
            room=room,
            password=password,
            listed=not is_closed if request.listed is None else request.listed,
            late_joiners=not is_closed if request.late_joiners is None else request.late_joiners,
            seats=[seat_from_request(number, seat) for number, seat in enumerate(request.seats)],
        )
        await self._store.write(lambda connection: queries.insert_match(connection, row))
        if request.auto_start and not any(seat.kind == "open" for seat in row.seats):
            await self.start(row.id)
        return await self.row(row.id)

    async def with_map(self, request: MatchCreate) -> MatchCreate:
        """The request with a copy of the saved map that it names, so that later edits of the map change no match."""
        return await self._with_map_items(await self._with_saved_map(request))

    async def _with_map_items(self, request: MatchCreate) -> MatchCreate:
        """The request with the facts of the ledger items that its map names."""
        hooks = marchland.find(request.game).season_hooks if isinstance(request.map, dict) else None
        wanted = await asyncio.to_thread(hooks.items_of_map, request.map) if hooks is not None else {}
        if hooks is None or not wanted:
            return request
        facts = {}
        for number, kind in wanted.items():
            item = await self._store.read(partial(ledger_queries.find_item, item=number))
            if (item.game, item.kind) != (request.game, kind) or item.state == "spent":
                raise Refused("bad_request", "map_item_kind", kind=kind, item=number, own=item.kind)
            facts[number] = item.facts
        map_data = await asyncio.to_thread(hooks.map_with_items, request.map, facts)
        return msgspec.structs.replace(request, map=map_data)

    async def _with_saved_map(self, request: MatchCreate) -> MatchCreate:
        if not is_saved_map(request.map):
            return request
        info = await self._store.read(partial(map_queries.find_map, id=request.map["kept"]))
        if info.game != request.game:
            raise Refused("bad_request", "map_of_other_game", map=info.name, own=info.game, game=request.game)
        data = await self._store.read(partial(map_queries.load_content, id=info.id))
        return await asyncio.to_thread(with_map_settings, request, data)

    async def _check_creator(self, request: MatchCreate, caller: Caller) -> None:
        if request.seed is not None and not caller.may("organiser"):
            raise Refused("not_allowed", "seed_by_organisers")
        await self._check_number(caller)

    async def _check_number(self, caller: Caller) -> None:
        if caller.may("organiser"):
            return
        unfinished = await self._store.read(partial(queries.count_unfinished, creator=caller.id))
        if unfinished >= self._manager.settings.matches_limit:
            raise Refused("too_many_matches", "too_many_matches", count=unfinished)

    async def start(
        self, id: str, plan_seats: PlanSeats | None = None, extra: Callable[[Connection], object] = no_extra_writes
    ) -> None:
        """Start a match; open seats stay open for late joiners, unless ``plan_seats`` plans otherwise.

        ``extra`` is written in the transaction of the start.
        """
        row = await self.row(id)
        if row.state != "lobby":
            raise Refused("started", "match_started")
        await self._manager.games.require(row.game)
        await retry_on_conflict(partial(self._start, id, plan_seats, extra))

    async def _start(self, id: str, plan_seats: PlanSeats | None, extra: Callable[[Connection], object]) -> None:
        async with self.seats.change_locks.of(id):
            row = await self.row(id)
            request = row.request
            plan = plan_seats(row) if plan_seats else StartPlan(row.seats, request.map)
            names = names_of(plan.seats, max_name_length(row))
            seats = [msgspec.structs.replace(seat, name=name) for seat, name in zip(plan.seats, names, strict=True)]
            try:
                game = await asyncio.get_running_loop().run_in_executor(
                    _threads,
                    partial(
                        marchland.new,
                        row.game,
                        names,
                        seed=request.seed,
                        rules=request.rules,
                        config=request.config,
                        map=plan.map,
                    ),
                )
            except MarchlandError as problem:  # the request was valid, but the game cannot be set up from it
                raise Refused.of("cannot_start", problem) from None
            self._manager.capacity.admit(id, game, await self._creator_of(row))

            def write_extras(connection: Connection) -> None:
                require_unchanged(connection, row)
                plan.extra(connection)
                extra(connection)

            await self._begin(id, game, seats, write_extras)

    async def _creator_of(self, row: MatchRow) -> AccountInfo | None:
        return await self._store.read(partial(account_queries.find, account=row.creator)) if row.creator else None

    async def _begin(
        self, id: str, game: Game, seats: Sequence[SeatInfo], extra: Callable[..., None] = no_extra_writes
    ) -> None:
        """Store the start of an admitted match, and run it."""
        try:
            await self._store_start(id, game, seats, extra)
        except BaseException:
            self._manager.capacity.remove(id)
            raise
        self._manager.run(id)

    async def _store_start(
        self, id: str, game: Game, seats: Sequence[SeatInfo], extra: Callable[..., None] = no_extra_writes
    ) -> None:
        snapshot = await asyncio.to_thread(game.snapshot)

        def work(connection: Connection) -> None:
            extra(connection)
            if not queries.start(connection, id, game.turn, snapshot, seats):
                raise Refused("started", "match_started")

        await self._store.write(work, Lock(id, exclusive=True))

    async def fork(self, id: str, caller: Caller, request: ForkRequest) -> MatchRow:
        """Create a match from a turn of this one, with a new seed."""
        row = await self.row(id)
        secret = await self._visibility.unfinished_ancestors(id, row.spectator_policy)
        if not all(is_neutral_organiser(ancestor, caller) for ancestor in secret):
            raise Refused("hidden", "fork_until_over")
        await self._check_number(caller)
        game = (await self._history.state_at(row, request.turn)).fork()
        if game.outcome is not None:
            raise Refused("over", "over_at_turn", turn=request.turn)
        seats = forked_seats(game, request.seats, caller.account)
        fork_request = MatchCreate(
            game=row.game,
            seats=[SeatRequest() for _ in seats],
            name=request.name or f"{row.name or row.game} from turn {request.turn}"[:80],
            config=row.config,
            clock=request.clock,
            spectator_delay=None if secret else 0,
        )
        fork = new_match_row(
            game=row.game,
            name=fork_request.name,
            request=fork_request,
            config=row.config,
            creator=caller.id,
            seats=seats,
            forked_from=id,
            listed=row.listed and not is_solo(seats),
            late_joiners=not is_solo(seats),
        )

        def work(connection: Connection) -> None:
            queries.insert_match(connection, fork)
            if secret:
                _exclude_reader(connection, caller, secret)
                record(connection, caller, "fork match", id, request)

        self._manager.capacity.admit(fork.id, game, caller.account)
        try:
            await self._store.write(work, Lock(id, exclusive=True))
        except BaseException:
            self._manager.capacity.remove(fork.id)
            raise
        await self._begin(fork.id, game, seats)
        return await self.row(fork.id)

    async def rematch(self, id: str, caller: Caller) -> MatchRow:
        """Create a match like one that is over, with a new seed and open seats for its players."""
        row = await self.row(id)
        if row.state != "over" or row.forked_from is not None:
            raise Refused("not_over", "rematch_after_end")
        access = {"listed": row.listed, "late_joiners": row.late_joiners}
        request = msgspec.structs.replace(row.request, seats=rematch_seats(row), seed=None, **access)
        return await self.create(request, caller)

    async def record_replay_read(self, row: MatchRow, caller: Caller) -> None:
        """Record that an organiser reads the replay of a running match, and exclude it from the seats."""
        secret = await self._visibility.unfinished_ancestors(row.id, row.spectator_policy)
        hidden = {found.id: found for found in (row, *secret)}

        def work(connection: Connection) -> None:
            _exclude_reader(connection, caller, list(hidden.values()))
            record(connection, caller, "fetch replay", row.id)

        await self._store.write(work, Lock(row.id, exclusive=True))

    async def end_turn(self, id: str) -> None:
        """End the open turn without waiting for seats that are not ready."""
        match = await self._manager.match(id)
        match.require_running()
        if match.is_replica:
            await self._manager.call_owner("end turn", match, (await self.row(id)).open_turn)
        else:
            match.end_turn_now()

    async def _end_turn_here(self, id: str, turn: int) -> None:
        """End that turn, unless it has ended: idempotent, since the call may be retried."""
        match = await self._manager.require_owned(id)
        if match.open_turn == turn:
            match.end_turn_now()

    async def set_access(self, id: str, change: MatchUpdate, extra: Callable[[Connection], object]) -> None:
        """Change whether a match is listed and open to late joiners; ``extra`` is written in the same transaction."""
        access = {name: value for name, value in fields_set(change).items() if name != "clock"}

        def work(connection: Connection) -> None:
            queries.set_access(connection, id, access)
            extra(connection)

        if access:
            await self._store.write(work, Lock(id, exclusive=True))

    async def set_clock(self, id: str, clock: Clock, extra: Callable[[Connection], Result]) -> Result:
        """Change the clock from the next turn on; ``extra`` is written in the same transaction."""
        row = await self.row(id)
        if row.state in ("over", "broken"):
            raise Refused("over", "match_over")
        request = msgspec.structs.replace(row.request, clock=clock)

        def work(connection: Connection) -> Result:
            queries.save_request(connection, id, request)
            return extra(connection)

        result: Result = await self._store.write(work)
        if (await self.row(id)).state == "running":  # it may have started meanwhile, with the former clock
            match = await self._manager.match(id)
            if match.is_replica:
                await self._manager.call_owner("clock", match, None)
            else:
                match.clock.set_clock(clock)
        return result

    async def _reload_clock_here(self, id: str, body: None) -> None:
        match = await self._manager.require_owned(id)
        match.clock.set_clock((await self.row(id)).clock)

    async def remove(self, id: str, extra: Callable[[Connection], object] = no_extra_writes) -> None:
        """Stop a match and delete it; ``extra`` is written in the same transaction."""

        def work(connection: Connection) -> None:
            if not queries.delete_match(connection, id):
                raise no_such_match(id)
            extra(connection)

        await self._store.write(work, Lock(id, exclusive=True))
        self._manager.stop(id)
        self._manager.notify_started(id)


def _exclude_reader(connection: Connection, caller: Caller, secret: Sequence[MatchRow]) -> None:
    """Exclude a caller from the seats of matches whose secrets it is about to read; refused if it has one by now."""
    for known in secret:
        row = queries.find(connection, known.id)
        if row is not None and not is_neutral_organiser(row, caller):
            raise Refused("hidden", "seated_meanwhile")
        exclude(connection, known.id, caller.id, "secrets")
