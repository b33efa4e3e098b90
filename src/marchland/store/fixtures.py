"""SQL of tournaments: bundles and fixtures are planned, leased and done; a result counts once.

A worker leases the open fixtures of one bundle under a new epoch. Its result counts only while that lease is the last
one: in one transaction the fixture is done, its places are inserted and its match is archived. A worker that died
leaves a lease that expires; the fixture is then leased again.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import Connection, and_, insert, or_, select, update

from marchland.store.database import database_now
from marchland.store.finished_match import FinishedMatch, insert_finished_match
from marchland.store.schema import bundles, fixtures, places, tournaments, tries
from marchland.store.upsert import insert_or_ignore

MOST_FAILED_TRIES: Final = 3
"""After so many tries that ended without a result, a fixture is stuck."""

_encode = msgspec.json.Encoder().encode
_decode_names = msgspec.json.Decoder(tuple[str, ...]).decode


class FixtureRow(NamedTuple):
    """A fixture to be planned."""

    id: str
    seating: tuple[str, ...]


class BundleRow(NamedTuple):
    """A bundle as it was planned, with its fixtures."""

    id: str
    round: int
    group: tuple[str, ...]
    seed_index: int
    seed: int
    why: str
    fixtures: tuple[FixtureRow, ...]


class LeasedFixture(NamedTuple):
    """A fixture that a worker may play under an epoch."""

    id: str
    epoch: int
    seed_index: int
    seed: int
    seating: tuple[str, ...]


class PlaceRow(NamedTuple):
    """The place of one side."""

    side: int
    entrant: str
    place: int
    failures: int = 0
    note: str = ""


class FixtureResult(NamedTuple):
    """What came of a fixture."""

    turns: int
    digest: str
    level: str
    places: Sequence[PlaceRow]
    match: FinishedMatch


class CountedFixture(NamedTuple):
    """A fixture that is done."""

    id: str
    bundle: str
    turns: int
    digest: str
    level: str
    ended: float
    places: tuple[PlaceRow, ...]


class StuckFixture(NamedTuple):
    """A fixture that failed too often, and how it did the last time."""

    id: str
    seating: tuple[str, ...]
    how: str


# ---------------------------------------------------------------- planning


def ensure_tournament(connection: Connection, id: str, game: str, body: bytes) -> None:
    """Insert a tournament unless it is there."""
    now = database_now(connection)
    insert_or_ignore(connection, tournaments, {"id": id, "game": game, "body": body, "created": now})


def insert_bundles(connection: Connection, tournament: str, first: int, planned: Iterable[BundleRow]) -> None:
    """Insert bundles with numbers from ``first`` on, and their fixtures; those that are there already stay."""
    for number, bundle in enumerate(planned, first):
        values = {
            "id": bundle.id,
            "tournament": tournament,
            "number": number,
            "round": bundle.round,
            "group": _encode(bundle.group),
            "seed_index": bundle.seed_index,
            "seed": bundle.seed,
            "why": bundle.why,
        }
        insert_or_ignore(connection, bundles, values)
        for place, fixture in enumerate(bundle.fixtures):
            row = {
                "id": fixture.id,
                "bundle": bundle.id,
                "tournament": tournament,
                "number": place,
                "seating": _encode(fixture.seating),
                "state": "planned",
                "failed_tries": 0,
                "epoch": 0,
                "lease": 0.0,
            }
            insert_or_ignore(connection, fixtures, row)


def list_bundles(connection: Connection, tournament: str) -> list[BundleRow]:
    """All bundles in the order of planning."""
    planned = select(fixtures).where(fixtures.c.tournament == tournament).order_by(fixtures.c.number)
    by_bundle: dict[str, list[FixtureRow]] = {}
    for row in connection.execute(planned):
        by_bundle.setdefault(row.bundle, []).append(FixtureRow(row.id, _decode_names(row.seating)))
    query = select(bundles).where(bundles.c.tournament == tournament).order_by(bundles.c.number)
    return [
        BundleRow(
            row.id, row.round, _decode_names(row.group), row.seed_index, row.seed, row.why, tuple(by_bundle[row.id])
        )
        for row in connection.execute(query)
    ]


# ---------------------------------------------------------------- leases


def lease_bundle(connection: Connection, tournament: str, worker: str, seconds: float) -> list[LeasedFixture]:
    """Lease the open fixtures of the first bundle that has any; empty if all are leased, done or stuck."""
    now = database_now(connection)
    # A worker that was too slow to renew its own leases still plays them.
    is_abandoned = and_(fixtures.c.state == "leased", fixtures.c.lease < now, fixtures.c.owner != worker)
    is_open = or_(fixtures.c.state == "planned", is_abandoned)
    joined = fixtures.join(bundles, bundles.c.id == fixtures.c.bundle)
    first = select(bundles.c.id).select_from(joined).where(fixtures.c.tournament == tournament, is_open)
    bundle = connection.execute(first.order_by(bundles.c.number).limit(1)).scalar()
    if bundle is None:
        return []
    query = select(fixtures, bundles.c.seed, bundles.c.seed_index).select_from(joined)
    leased = []
    rows = connection.execute(query.where(fixtures.c.bundle == bundle, is_open).order_by(fixtures.c.number)).all()
    for row in rows:
        changed = connection.execute(
            update(fixtures)
            .where(fixtures.c.id == row.id, fixtures.c.epoch == row.epoch, is_open)
            .values(state="leased", owner=worker, epoch=row.epoch + 1, lease=now + seconds)
        )
        if changed.rowcount == 1:
            began = {"fixture": row.id, "epoch": row.epoch + 1, "worker": worker, "began": now, "how": ""}
            connection.execute(insert(tries).values(began))
            seating = _decode_names(row.seating)
            leased.append(LeasedFixture(row.id, row.epoch + 1, row.seed_index, row.seed, seating))
    return leased


def renew_leases(connection: Connection, tournament: str, worker: str, seconds: float) -> None:
    """Extend all leases of a worker."""
    which = fixtures.c.tournament == tournament, fixtures.c.state == "leased", fixtures.c.owner == worker
    connection.execute(update(fixtures).where(*which).values(lease=database_now(connection) + seconds))


def release_leases(connection: Connection, tournament: str, worker: str | None, how: str) -> None:
    """End the leases of a worker, or of all workers where none can be alive; their tries count as nothing."""
    now = database_now(connection)
    which = [fixtures.c.tournament == tournament, fixtures.c.state == "leased"]
    if worker is not None:
        which.append(fixtures.c.owner == worker)
    for row in connection.execute(select(fixtures.c.id, fixtures.c.epoch).where(*which)).all():
        end_try(connection, row.id, row.epoch, now, how)
    connection.execute(update(fixtures).where(*which).values(state="planned", owner=None, lease=0.0))


def end_try(connection: Connection, fixture: str, epoch: int, at: float, how: str) -> None:
    """Note how a try ended."""
    which = tries.c.fixture == fixture, tries.c.epoch == epoch
    connection.execute(update(tries).where(*which).values(ended=at, how=how))


# ---------------------------------------------------------------- results


def record_result(connection: Connection, fixture: str, epoch: int, result: FixtureResult) -> bool:
    """Count a result with its places and archive its match; False if the lease was lost or the fixture is done."""
    now = database_now(connection)
    changed = connection.execute(
        update(fixtures)
        .where(fixtures.c.id == fixture, fixtures.c.epoch == epoch, fixtures.c.state == "leased")
        .values(
            state="done",
            owner=None,
            lease=0.0,
            ended=result.match.ended,
            turns=result.turns,
            digest=result.digest,
            level=result.level,
        )
    )
    if changed.rowcount != 1:
        end_try(connection, fixture, epoch, now, "its lease was lost")
        return False
    for place in result.places:
        insert_or_ignore(connection, places, {"fixture": fixture, **place._asdict()})
    insert_finished_match(connection, result.match)
    end_try(connection, fixture, epoch, now, "")
    return True


def record_failure(connection: Connection, fixture: str, epoch: int, how: str) -> None:
    """Note that a try ended without a result: not the bots' fault, so the fixture is played again, or is stuck."""
    end_try(connection, fixture, epoch, database_now(connection), how)
    count = fixtures.c.failed_tries + 1
    which = fixtures.c.id == fixture, fixtures.c.epoch == epoch, fixtures.c.state == "leased"
    connection.execute(
        update(fixtures).where(*which).values(state="planned", owner=None, lease=0.0, failed_tries=count)
    )
    full = fixtures.c.id == fixture, fixtures.c.state == "planned", fixtures.c.failed_tries >= MOST_FAILED_TRIES
    connection.execute(update(fixtures).where(*full).values(state="stuck"))


def requeue_stuck(connection: Connection, tournament: str) -> None:
    """Give stuck fixtures new tries."""
    which = fixtures.c.tournament == tournament, fixtures.c.state == "stuck"
    connection.execute(update(fixtures).where(*which).values(state="planned", failed_tries=0))


def list_stuck(connection: Connection, tournament: str) -> list[StuckFixture]:
    """The stuck fixtures, and how their last try ended."""
    joined = fixtures.join(tries, and_(tries.c.fixture == fixtures.c.id, tries.c.epoch == fixtures.c.epoch))
    query = select(fixtures.c.id, fixtures.c.seating, tries.c.how).select_from(joined)
    found = query.where(fixtures.c.tournament == tournament, fixtures.c.state == "stuck").order_by(fixtures.c.id)
    return [StuckFixture(row.id, _decode_names(row.seating), row.how) for row in connection.execute(found)]


def list_counted(connection: Connection, tournament: str) -> list[CountedFixture]:
    """Every fixture that is done, with its places, in the order of planning."""
    of_fixture: dict[str, list[PlaceRow]] = {}
    joined = places.join(fixtures, fixtures.c.id == places.c.fixture)
    query = select(places).select_from(joined).where(fixtures.c.tournament == tournament, fixtures.c.state == "done")
    for row in connection.execute(query.order_by(places.c.side)):
        of_fixture.setdefault(row.fixture, []).append(PlaceRow(*row[1:]))
    done = select(fixtures).join(bundles, bundles.c.id == fixtures.c.bundle)
    done = done.where(fixtures.c.tournament == tournament, fixtures.c.state == "done")
    rows = connection.execute(done.order_by(bundles.c.number, fixtures.c.number))
    return [
        CountedFixture(row.id, row.bundle, row.turns, row.digest, row.level, row.ended, tuple(of_fixture[row.id]))
        for row in rows
    ]
