"""Fixtures in the database: planned once, leased to one worker, a result counts once; both databases."""

import random
import time

import pytest
from sqlalchemy import func, select

import marchland
from marchland.arena import load_bot, play
from marchland.core.recording import Recording
from marchland.messages import MatchCreate, SeatInfo, SeatRequest
from marchland.store import Database, fixtures
from marchland.store.archived_match import ArchivedMatch
from marchland.store.archives import load_archive
from marchland.store.finished_match import FinishedMatch
from marchland.store.fixtures import BundleRow, FixtureResult, FixtureRow, LeasedFixture, PlaceRow
from marchland.store.schema import fixtures as table
from marchland.store.schema import matches, places, results, tries

GAME = "enova"


def bundle(number: int) -> BundleRow:
    pair = FixtureRow(f"f{number}a", ("one", "two")), FixtureRow(f"f{number}b", ("two", "one"))
    return BundleRow(f"b{number}", number, ("one", "two"), number, 1000 + number, f"reason {number}", pair)


@pytest.fixture
def planned(store: Database) -> Database:
    def work(connection):  # type: ignore[no-untyped-def]
        fixtures.ensure_tournament(connection, "t", GAME, b"{}")
        fixtures.insert_bundles(connection, "t", 0, [bundle(0), bundle(1)])

    store.write_now(work)
    return store


def lease(store: Database, worker: str = "w", seconds: float = 60.0) -> list[LeasedFixture]:
    return store.write_now(lambda connection: fixtures.lease_bundle(connection, "t", worker, seconds))


def result_of(fixture: LeasedFixture) -> FixtureResult:
    """A real match, so that its archive can be verified."""
    kind = marchland.find(GAME)
    game = kind.new(list(fixture.seating), seed=fixture.seed, config={"turn_limit": 3})
    recording = Recording(game)
    played = play(game, [load_bot("random", kind, seat) for seat in range(2)], recording=recording)
    assert game.outcome is not None
    ranked = sorted(game.outcome.ranking, key=lambda standing: standing.player)
    seats = [SeatInfo(seat, "builtin", name, bot="random") for seat, name in enumerate(fixture.seating)]
    request = MatchCreate(GAME, [SeatRequest("builtin", "random", seat.name) for seat in seats], name="one : two")
    now = time.time()
    match = FinishedMatch(fixture.id, request, "tournament/t", seats, recording.to_bytes(film=False), now, now)
    placed = [PlaceRow(one.player, fixture.seating[one.player], one.place) for one in ranked]
    return FixtureResult(played.turns, game.digest(), "open", placed, match)


def states(store: Database) -> list[str]:
    return store.read_now(lambda connection: list(connection.execute(select(table.c.state)).scalars()))


def test_planning_twice_makes_nothing_twice(planned: Database) -> None:
    planned.write_now(lambda connection: fixtures.insert_bundles(connection, "t", 0, [bundle(0), bundle(1)]))
    found = planned.read_now(lambda connection: fixtures.list_bundles(connection, "t"))
    assert found == [bundle(0), bundle(1)]
    assert states(planned) == ["planned"] * 4


def test_a_bundle_is_leased_to_one_worker(planned: Database) -> None:
    first, second, third = lease(planned, "w1"), lease(planned, "w2"), lease(planned, "w3")
    assert [fixture.id for fixture in first] == ["f0a", "f0b"]
    assert [(fixture.id, fixture.seed) for fixture in second] == [("f1a", 1001), ("f1b", 1001)]
    assert third == []


def test_an_expired_lease_is_given_to_another_worker_under_a_new_epoch(planned: Database) -> None:
    first = lease(planned, "w1", seconds=-1.0)
    again = lease(planned, "w2")
    assert [fixture.id for fixture in again] == [fixture.id for fixture in first]
    assert {fixture.epoch for fixture in again} == {2}


def test_an_expired_lease_is_not_given_to_its_own_worker_again(planned: Database) -> None:
    first = lease(planned, "w1", seconds=-1.0)
    again = lease(planned, "w1")
    assert not {fixture.id for fixture in first} & {fixture.id for fixture in again}


def test_a_renewed_lease_does_not_expire(planned: Database) -> None:
    lease(planned, "w1", seconds=-1.0)
    planned.write_now(lambda connection: fixtures.renew_leases(connection, "t", "w1", 60.0))
    assert [fixture.id for fixture in lease(planned, "w2")] == ["f1a", "f1b"]


def test_a_result_counts_once_with_its_places_and_its_replay(planned: Database) -> None:
    fixture = lease(planned)[0]
    result = result_of(fixture)
    counted = [
        planned.write_now(lambda connection: fixtures.record_result(connection, fixture.id, fixture.epoch, result))
        for _ in range(2)
    ]
    assert counted == [True, False]
    found = planned.read_now(lambda connection: fixtures.list_counted(connection, "t"))
    assert [(one.id, one.bundle, one.places) for one in found] == [("f0a", "b0", tuple(result.places))]
    with planned.engine.connect() as connection:
        for rows in (places, results):
            assert connection.execute(select(func.count()).select_from(rows)).scalar() == 2
        assert connection.execute(select(matches.c.state, matches.c.storage)).all() == [("over", "archive")]
        archive = load_archive(connection, fixture.id)
    assert archive is not None
    ArchivedMatch(fixture.id, archive).verify()


def test_a_result_under_a_lost_lease_does_not_count(planned: Database) -> None:
    late = lease(planned, "w1", seconds=-1.0)[0]
    lease(planned, "w2")
    result = result_of(late)
    assert not planned.write_now(lambda connection: fixtures.record_result(connection, late.id, late.epoch, result))
    with planned.engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(places)).scalar() == 0
        hows = connection.execute(select(tries.c.how).where(tries.c.fixture == late.id).order_by(tries.c.epoch))
        assert list(hows.scalars()) == ["its lease was lost", ""]


def test_released_leases_are_open_at_once_and_count_as_no_failure(planned: Database) -> None:
    for _ in range(5):
        assert [fixture.id for fixture in lease(planned)] == ["f0a", "f0b"]
        planned.write_now(lambda connection: fixtures.release_leases(connection, "t", "w", "stopped"))
    assert states(planned) == ["planned"] * 4


def test_a_fixture_is_stuck_after_three_failed_tries_and_can_be_queued_again(planned: Database) -> None:
    for number in range(3):
        fixture = next(one for one in lease(planned, f"w{number}", seconds=-1.0) if one.id == "f0a")
        planned.write_now(lambda connection: fixtures.record_failure(connection, "f0a", fixture.epoch, "no power"))  # noqa: B023
    assert planned.read_now(lambda connection: fixtures.list_stuck(connection, "t")) == [
        ("f0a", ("one", "two"), "no power")
    ]
    assert [one.id for one in lease(planned)] == ["f0b"]
    planned.write_now(lambda connection: fixtures.requeue_stuck(connection, "t"))
    assert [one.id for one in lease(planned)] == ["f0a"]


def test_the_order_of_results_does_not_change_what_is_read(planned: Database) -> None:
    leased = [*lease(planned), *lease(planned)]
    random.Random(3).shuffle(leased)
    for fixture in leased:
        result = result_of(fixture)
        planned.write_now(lambda connection: fixtures.record_result(connection, fixture.id, fixture.epoch, result))  # noqa: B023
    found = planned.read_now(lambda connection: fixtures.list_counted(connection, "t"))
    assert [one.id for one in found] == ["f0a", "f0b", "f1a", "f1b"]
