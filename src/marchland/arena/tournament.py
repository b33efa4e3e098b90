"""Tournaments: many matches between bots, planned by a format, counted once, continued after any crash.

SQL holds what is planned and what was played. The same call continues: it plans what a crash left out, plays what has
no result, and counts nothing twice.
"""

import contextlib
import os
import queue
import shutil
import tempfile
import time
import uuid
import weakref
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Connection

from marchland import registry
from marchland.arena.entrants import Entrant, load_entrants
from marchland.arena.fixtures import Bundle, Field, hash_of
from marchland.arena.pairing import find_format
from marchland.arena.play_fixture import BotLimits, Job, MatchSetup, PlayedMatch, count_sides
from marchland.arena.referee_pool import Carrier, LostMatchError, RefereePool
from marchland.arena.schedule import Schedule, StopRule
from marchland.bots import Level, check_jail, is_user_bot
from marchland.core.game import Game
from marchland.errors import MarchlandError, StorageUnavailable
from marchland.messages import MatchCreate, SeatInfo, SeatRequest
from marchland.messages.names import MAX_NAME_LENGTH
from marchland.ratings import Duel, Result, Standing, Surprise, duel_of, fit_results, largest_surprises
from marchland.store import Database
from marchland.store import fixtures as stored
from marchland.store.finished_match import FinishedMatch
from marchland.store.fixtures import BundleRow, CountedFixture, FixtureResult, FixtureRow, LeasedFixture, PlaceRow

DEFAULT_MATCHES: Final = 200
"""Of a format that would never end."""

_LEASE: Final = 60.0
_RENEW_EVERY: Final = 15.0
_WAIT: Final = 0.5
_BUNDLES_WAITING: Final = 1
"""Bundles beyond those being played, so that no referee waits for the database."""

CarrierMaker = Callable[[MatchSetup, int], Carrier]


class Spec(msgspec.Struct, frozen=True):
    """Everything that decides the results of a tournament; its hash is the tournament's id."""

    game: str
    version: int
    players: int
    config: dict[str, Any]
    maps: list[Any]
    entrants: list[Entrant]
    format: str
    seed: int
    seconds: float
    memory: int
    file_size: int
    sandbox: Level

    @property
    def has_user_bots(self) -> bool:
        """Whether any bot is not built in, so that it runs in a sandbox."""
        return any(is_user_bot(entrant.spec) for entrant in self.entrants)

    @property
    def title(self) -> str:
        """Game, format, and the sandbox if it matters: ``hive, swiss, sandbox jailed``."""
        return f"{self.game}, {self.format}" + (f", sandbox {self.sandbox}" if self.has_user_bots else "")

    @property
    def id(self) -> str:
        """The id under which the same call finds its results again."""
        return hash_of(msgspec.json.encode(self, order="deterministic").decode())


class PlayedFixture(NamedTuple):
    """A match of a tournament that counts."""

    id: str
    bundle: Bundle
    seating: tuple[str, ...]
    """The entrant of each side."""
    places: tuple[int, ...]
    failures: tuple[int, ...]
    notes: tuple[str, ...]
    """The first failure of each side's bot; empty if there was none."""
    turns: int
    digest: str
    level: str
    """The sandbox in which its user bots ran."""
    ended: float


class Progress(NamedTuple):
    """How far a tournament is."""

    played: int
    planned: int
    total: int | None
    """The matches after which it ends, if that is known."""


class Tournament:
    """Bots that play each other: iterate over `play`, then ask for `standings`."""

    def __init__(
        self,
        game: str,
        bots: Sequence[str],
        *,
        format: str = "round-robin",
        players: int | None = None,
        maps: Sequence[Any] = (None,),
        config: Mapping[str, Any] | None = None,
        rules: str | None = None,
        seed: int = 0,
        matches: int | None = None,
        until: float | None = None,
        workers: int | None = None,
        db: str | Path | None = None,
        limits: BotLimits | None = None,
        cluster: str | None = None,
        carrier: CarrierMaker = RefereePool,
    ) -> None:
        """``players`` counts the seats of a match; where a game has teams, each bot plays all seats of one team.

        ``db`` is a SQLite file or a PostgreSQL URL, by default a temporary file. ``matches`` and ``until`` (points of
        the widest interval) end the tournament; they and ``workers`` may differ when it is continued. The workers of a
        ``cluster``, the address of a Dask scheduler, play instead of processes here.
        """
        self._kind = kind = registry.find(game)
        limits = _limit_user_bots(limits or BotLimits(), bots, cluster)
        values = kind.config_type.copy_values(config)
        if rules is not None:
            values[kind.config_type.preset_field] = rules
        settings = kind.config_type.build(values)
        longest = min(kind.max_name_length(settings), MAX_NAME_LENGTH)
        entrants = load_entrants(bots, kind, longest, limits.sandbox)
        self.setup = MatchSetup(
            game,
            players or max(2, kind.least_players),
            values,
            list(maps) or [None],
            {entrant.name: entrant.spec for entrant in entrants},
            limits,
        )
        _check_matches(kind, self.setup)
        self._format = find_format(format)
        self.field = Field(tuple(self.setup.bots), count_sides(self.setup), seed)
        self._format.check(self.field)
        self.spec = Spec(
            game,
            kind.version,
            self.setup.players,
            values,
            self.setup.maps,
            entrants,
            format,
            seed,
            limits.seconds,
            limits.memory,
            limits.file_size,
            limits.sandbox,
        )
        self.id = self.spec.id
        if matches is None and until is None and self._format.is_endless:
            matches = DEFAULT_MATCHES
        self.stop = StopRule(matches, until)
        self.workers = workers or os.cpu_count() or 1
        self.db = self._temporary_file() if db is None else str(db)
        self._carrier = carrier if cluster is None else self._cluster_carrier(cluster)
        self._schedule = Schedule(self.id, self._format, self.field)
        self.played: list[PlayedFixture] = []
        """Every match that counts, in the order in which it was counted."""
        self.stuck: list[stored.StuckFixture] = []
        self.is_stopping = False

    def _cluster_carrier(self, address: str) -> CarrierMaker:
        from marchland.arena.cluster import ClusterCarrier

        return lambda setup, workers: ClusterCarrier(setup, self.spec.entrants, address)

    def _temporary_file(self) -> str:
        """A database that is deleted with this object."""
        folder = tempfile.mkdtemp()
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return str(Path(folder) / "tournament.db")

    def play(self) -> Generator[PlayedFixture, None, None]:
        """Play what has no result, and yield each match once it is counted. Stopping at any moment loses nothing."""
        self._kind.load()
        with Database(self.db) as database, contextlib.ExitStack() as stack:
            run = _Run(self, self._schedule, database)
            run.load()
            if not run.has_work():
                return
            carrier = self._carrier(self.setup, self.workers)
            stack.callback(run.release)
            stack.callback(carrier.close)
            yield from run.play(carrier)

    def request_stop(self) -> None:
        """Let `play` end soon, without what is being played; for signal handlers."""
        self.is_stopping = True

    def load(self) -> None:
        """Read what was played, without playing anything."""
        with Database(self.db) as database:
            _Run(self, self._schedule, database).load()

    @property
    def bundles(self) -> list[Bundle]:
        """Every planned bundle, with the reason of its pairing."""
        return list(self._schedule.bundles)

    @property
    def progress(self) -> Progress:
        """How many matches are played and planned."""
        return Progress(len(self.played), self._schedule.matches, self.stop.matches)

    def standings(self) -> list[Standing]:
        """The table by all complete bundles, best first."""
        return self._schedule.standings()

    def results(self) -> list[Result]:
        """The results that count, in the order of planning: the input of `marchland.ratings`."""
        return self._schedule.results()

    def results_in_order(self) -> Iterator[tuple[Bundle, tuple[Result, ...]]]:
        """Bundles with their results in the order of planning, up to the first that is open; no results if stuck."""
        for bundle in self._schedule.bundles:
            if not self._schedule.is_complete(bundle):
                return
            yield bundle, self._schedule.results_of(bundle)

    def head_to_head(self, one: str, other: str) -> Duel:
        """Wins, draws and losses of one bot against another."""
        for name in (one, other):
            if name not in self.setup.bots:
                raise MarchlandError(f"There is no bot {name!r} in this tournament.")
        return duel_of(self.results(), one, other)

    def surprises(self, count: int = 10) -> list[Surprise]:
        """The pairs whose results differ most from their ratings."""
        return largest_surprises(fit_results(self.results()), count)


def _limit_user_bots(limits: BotLimits, bots: Sequence[str], cluster: str | None) -> BotLimits:
    """The limits with the sandbox that is used: none for built-in bots alone. Refuses a jail that cannot be made."""
    if not any(map(is_user_bot, bots)):
        return msgspec.structs.replace(limits, sandbox="open")
    if limits.sandbox == "jailed" and cluster is None:  # the workers of a cluster are checked when it is joined
        check_jail()
    return limits


def _check_matches(kind: type[Game], setup: MatchSetup) -> None:
    """Refuse settings and maps that cannot be played, before any process starts."""
    for chosen in setup.maps:
        kind.new(setup.players, seed=0, config=setup.config, map=chosen)
    if kind.team_figure and setup.players % (sides := count_sides(setup)):
        raise MarchlandError(f"{setup.players} players cannot form {sides} teams of equal size.")


class _Run:
    """One process that plays a tournament: leases, results, planning."""

    def __init__(self, tournament: Tournament, schedule: Schedule, database: Database) -> None:
        self._tournament = tournament
        self._id = tournament.id
        self._schedule = schedule
        self._database = database
        self._worker = uuid.uuid4().hex
        self._bundle_of = {fixture.id: bundle for bundle in schedule.bundles for fixture in bundle.fixtures()}
        self._finished: queue.SimpleQueue[tuple[LeasedFixture, Future[PlayedMatch]]] = queue.SimpleQueue()
        self._outstanding = dict[str, set[str]]()
        """By bundle its fixtures that a carrier has."""
        self._renew_at = time.monotonic() + _RENEW_EVERY

    # ---------------------------------------------------------------- database

    def load(self) -> None:
        """Read everything that is planned and played; give up leases of processes that cannot be alive."""
        tournament = self._tournament
        body = msgspec.json.encode(tournament.spec)

        def prepare(connection: Connection) -> None:
            stored.ensure_tournament(connection, self._id, tournament.spec.game, body)
            if not self._database.is_shared:  # the file is locked, so the others are dead
                stored.release_leases(connection, self._id, None, "its command ended")
            stored.requeue_stuck(connection, self._id)

        self._database.write_now(prepare)
        self._read_new()

    def _read_new(self) -> list[PlayedFixture]:
        """Read bundles and results that are not known here yet: after the start, or of other processes."""
        tournament = self._tournament
        known = {bundle.id for bundle in self._schedule.bundles}
        rows = self._database.read_now(lambda connection: stored.list_bundles(connection, self._id))
        self._add([_to_bundle(self._id, row) for row in rows if row.id not in known])
        counted = {played.id for played in tournament.played}
        found = self._database.read_now(lambda connection: stored.list_counted(connection, self._id))
        return [self._count(row) for row in found if row.id not in counted]

    def _add(self, bundles: Sequence[Bundle]) -> None:
        self._schedule.add(bundles)
        self._bundle_of |= {fixture.id: bundle for bundle in bundles for fixture in bundle.fixtures()}

    def _count(self, row: CountedFixture) -> PlayedFixture:
        bundle = self._bundle_of[row.id]
        self._schedule.count(row.bundle, row.id, {place.entrant: place.place for place in row.places})
        played = PlayedFixture(
            row.id,
            bundle,
            tuple(place.entrant for place in row.places),
            tuple(place.place for place in row.places),
            tuple(place.failures for place in row.places),
            tuple(place.note for place in row.places),
            row.turns,
            row.digest,
            row.level,
            row.ended,
        )
        self._tournament.played.append(played)
        return played

    def release(self) -> None:
        """Give up the leases of this process."""
        with contextlib.suppress(MarchlandError, StorageUnavailable):  # they expire by themselves
            self._database.write_now(
                lambda connection: stored.release_leases(connection, self._id, self._worker, "its command was stopped")
            )

    # ---------------------------------------------------------------- playing

    def has_work(self) -> bool:
        """Plan what is due; False if everything is played."""
        self._plan()
        return not self._schedule.is_played

    def play(self, carrier: Carrier) -> Iterator[PlayedFixture]:
        """Lease, submit and count until nothing is left."""
        while self.has_work() and not self._tournament.is_stopping:
            if time.monotonic() >= self._renew_at:
                self._renew()
            self._lease(carrier)
            if self._outstanding:
                yield from self._collect()
            else:  # other processes have the rest
                time.sleep(_WAIT)
                yield from self._read_new()
                self._give_up_stuck()

    def _plan(self) -> None:
        """Plan ahead as far as the format allows."""
        while planned := self._schedule.plan_next(self._tournament.stop):
            first, rows = len(self._schedule.bundles), [_to_row(bundle) for bundle in planned]
            self._database.write_now(lambda connection: stored.insert_bundles(connection, self._id, first, rows))  # noqa: B023
            self._add(planned)

    def _lease(self, carrier: Carrier) -> None:
        while len(self._outstanding) < carrier.slots + _BUNDLES_WAITING:
            leased = self._database.write_now(
                lambda connection: stored.lease_bundle(connection, self._id, self._worker, _LEASE)
            )
            if not leased:
                return
            bundle = self._bundle_of[leased[0].id].id  # it may be there already, if one of its matches was lost
            self._outstanding.setdefault(bundle, set()).update(lease.id for lease in leased)
            futures = carrier.submit([Job(lease.id, lease.seed_index, lease.seed, lease.seating) for lease in leased])
            for lease, future in zip(leased, futures, strict=True):
                future.add_done_callback(partial(self._finish, lease))

    def _finish(self, lease: LeasedFixture, done: "Future[PlayedMatch]") -> None:
        self._finished.put((lease, done))

    def _collect(self) -> list[PlayedFixture]:
        """Wait for results and write all that are there, in one transaction."""
        finished = []
        with contextlib.suppress(queue.Empty):
            finished.append(self._finished.get(timeout=_WAIT))
            while True:
                finished.append(self._finished.get_nowait())
        if not finished:
            return []
        counted = self._database.write_now(lambda connection: [self._write(connection, *result) for result in finished])
        for lease, _ in finished:
            bundle = self._bundle_of[lease.id].id
            self._outstanding[bundle].discard(lease.id)
            if not self._outstanding[bundle]:
                del self._outstanding[bundle]
        if None in counted:
            self._give_up_stuck()
        return [self._count(row) for row in counted if row is not None]

    def _write(
        self, connection: Connection, lease: LeasedFixture, done: "Future[PlayedMatch]"
    ) -> CountedFixture | None:
        """Write the result of a fixture, or that there is none."""
        problem = done.exception()
        if problem is not None:
            if not isinstance(problem, LostMatchError):
                raise problem
            stored.record_failure(connection, lease.id, lease.epoch, str(problem))
            return None
        played = done.result()
        places = [
            PlaceRow(side, entrant, result.place, result.failures, result.note)
            for side, (entrant, result) in enumerate(zip(lease.seating, played.sides, strict=True))
        ]
        match = self._to_match(lease, played)
        result = FixtureResult(played.turns, played.digest, played.level, places, match)
        if not stored.record_result(connection, lease.id, lease.epoch, result):
            return None
        bundle = self._bundle_of[lease.id].id
        return CountedFixture(lease.id, bundle, played.turns, played.digest, played.level, played.ended, tuple(places))

    def _to_match(self, lease: LeasedFixture, played: PlayedMatch) -> FinishedMatch:
        """The match as a server lists it."""
        setup = self._tournament.setup
        seats = []
        for seat, (name, entrant) in enumerate(zip(played.seats, played.entrants, strict=True)):
            spec = setup.bots[entrant]
            kind, bot = ("bot", "") if is_user_bot(spec) else ("builtin", spec)
            seats.append(SeatInfo(seat, kind, name, bot=bot))  # type: ignore[arg-type]
        request = MatchCreate(
            setup.game,
            [SeatRequest("builtin" if seat.bot else "open", seat.bot, seat.name) for seat in seats],
            name=" : ".join(lease.seating)[:80],
            config=setup.config,
            map=setup.map_of(lease.seed_index),
            seed=lease.seed,
        )
        return FinishedMatch(
            lease.id, request, f"tournament/{self._id}", seats, played.replay, played.began, played.ended
        )

    def _give_up_stuck(self) -> None:
        self._tournament.stuck = self._database.read_now(lambda connection: stored.list_stuck(connection, self._id))
        for fixture in self._tournament.stuck:
            self._schedule.give_up(self._bundle_of[fixture.id].id, fixture.id)

    def _renew(self) -> None:
        self._database.write_now(lambda connection: stored.renew_leases(connection, self._id, self._worker, _LEASE))
        self._renew_at = time.monotonic() + _RENEW_EVERY


def _to_row(bundle: Bundle) -> BundleRow:
    fixtures = tuple(FixtureRow(fixture.id, fixture.seating) for fixture in bundle.fixtures())
    return BundleRow(bundle.id, bundle.round, bundle.group, bundle.seed_index, bundle.seed, bundle.why, fixtures)


def _to_bundle(tournament: str, row: BundleRow) -> Bundle:
    return Bundle(tournament, row.round, row.group, row.seed_index, row.seed, row.why)
