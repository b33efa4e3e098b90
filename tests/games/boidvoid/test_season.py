"""Seasons and jobs: what is due on a day, once each, and after downtime."""

from datetime import UTC, date, datetime, timedelta

import msgspec
import pytest

from marchland.games.boidvoid.season import (
    Books,
    Job,
    RunningGame,
    Season,
    SeasonError,
    active,
    after_turn,
    checked,
    clock_order,
    concerned,
    due,
    is_locked,
    orders_of,
    settled,
    turn_is_over,
    with_game,
    with_season,
)

SPRING = Season("spring", date(2030, 3, 1), date(2030, 3, 10))
NOON = datetime(2030, 3, 5, 12, tzinfo=UTC)
BEGAN = NOON - timedelta(hours=1)
GAME = RunningGame("g", "spring", 7, BEGAN, 3600)
STARTED = frozenset({"season_start/spring/2030-03-01", "turn_start/g/7"})
BOOKS = Books(date(2030, 3, 5), (SPRING,), (GAME,), STARTED)


def names(books: Books, now: datetime) -> list[str]:
    return [job.name for job in due(books, now)]


def test_seasons_include_both_days_and_never_overlap() -> None:
    assert active([SPRING], date(2030, 3, 1)) == active([SPRING], date(2030, 3, 10)) == SPRING
    assert active([SPRING], date(2030, 3, 11)) is None
    with pytest.raises(SeasonError, match="overlaps 'spring'"):
        checked([SPRING], Season("next", date(2030, 3, 10), date(2030, 4, 1)))
    with pytest.raises(SeasonError, match="before it starts"):
        checked([], Season("odd", date(2030, 3, 2), date(2030, 3, 1)))
    with pytest.raises(SeasonError, match="already"):
        checked([SPRING], Season("spring", date(2031, 3, 2), date(2031, 3, 3)))
    assert checked([SPRING], Season("next", date(2030, 3, 11), date(2030, 4, 1))).name == "next"


def test_games_are_registered_in_a_season_under_a_name_of_their_own() -> None:
    books = with_game(with_season(Books(date(2030, 3, 1)), SPRING), RunningGame("g", "spring"))
    assert books.game("g").turn_began is None
    with pytest.raises(SeasonError, match="already"):
        with_game(books, RunningGame("g", "spring"))
    with pytest.raises(SeasonError, match="no season 'autumn'"):
        with_game(books, RunningGame("h", "autumn"))


def test_a_season_starts_on_its_first_day_and_ends_when_its_last_is_over() -> None:
    books = Books(date(2030, 2, 27), (SPRING,))
    assert names(books, datetime(2030, 2, 28, 23, tzinfo=UTC)) == []
    assert names(books, datetime(2030, 3, 1, 1, tzinfo=UTC)) == ["season_start", "daily_maintenance"]
    started = Books(date(2030, 3, 10), (SPRING,), (), STARTED | {"daily_maintenance/spring/2030-03-10"})
    assert names(started, datetime(2030, 3, 10, 23, tzinfo=UTC)) == []
    assert names(started, datetime(2030, 3, 11, 1, tzinfo=UTC)) == ["season_end"]


def test_a_season_that_is_registered_after_its_first_day_is_activated_all_the_same() -> None:
    assert names(Books(date(2030, 3, 5), (SPRING,)), NOON) == ["season_start", "daily_maintenance"]


def test_no_turn_runs_before_the_season_starts_or_after_it_ends() -> None:
    waiting = Books(date(2030, 2, 20), (SPRING,), (RunningGame("g", "spring"),))
    assert names(waiting, datetime(2030, 2, 28, tzinfo=UTC)) == []
    assert names(waiting, datetime(2030, 3, 1, tzinfo=UTC)) == ["season_start", "daily_maintenance", "turn_start"]
    over = datetime(2030, 3, 12, tzinfo=UTC)
    late = msgspec.structs.replace(BOOKS, since=date(2030, 3, 11))
    assert names(late, over) == ["season_end"]
    assert orders_of(due(late, over)[0], ["a"], {}, over) == [{"do": "end_season"}]
    assert settled(late, due(late, over)[0], over).game("g").over


def test_a_job_that_is_settled_is_not_due_again() -> None:
    jobs = due(BOOKS, NOON)
    assert [job.name for job in jobs] == ["daily_maintenance", "turn_end", "turn_start"]
    books = BOOKS
    for job in jobs:
        books = settled(books, job, NOON)
        assert settled(books, job, NOON) == books
    assert due(books, NOON) == []
    assert (books.game("g").turn, books.game("g").turn_began) == (8, NOON)


def test_after_downtime_missed_days_run_once_each_in_order_and_one_turn_end_only() -> None:
    late = datetime(2030, 3, 8, 12, tzinfo=UTC)
    jobs = due(msgspec.structs.replace(BOOKS, since=date(2030, 3, 6)), late)
    assert [job.when for job in jobs if job.name == "daily_maintenance"] == ["2030-03-06", "2030-03-07", "2030-03-08"]
    assert [job.when for job in jobs if job.name == "turn_end"] == ["7"]
    assert after_turn(GAME, late).turn_began == late  # "then the next turn starts now"
    assert after_turn(GAME, NOON + timedelta(minutes=3)).turn_began == NOON


def test_a_turn_that_an_admin_ends_early_is_followed_at_once() -> None:
    early = BEGAN + timedelta(minutes=10)
    assert after_turn(GAME, early).turn_began == early


def test_maintenance_tells_stakes_and_a_turn_end_tells_the_time() -> None:
    daily = Job("daily_maintenance", "spring", "2030-03-05")
    assert orders_of(daily, ["a", "b"], {"b": 50}, NOON) == [{"do": "stake", "player": 1, "amount": 50}]
    assert (
        orders_of(Job("turn_end", "g", "7"), ["a"], {}, NOON) == [clock_order(NOON)] == [{"do": "clock", "minute": 720}]
    )
    assert concerned(BOOKS, daily) == concerned(BOOKS, Job("turn_end", "g", "7")) == ["g"]
    assert concerned(BOOKS, Job("turn_end", "h", "7")) == []


def test_the_lock_is_the_last_part_of_a_turn() -> None:
    assert not is_locked(GAME, BEGAN + timedelta(seconds=3419))
    assert is_locked(GAME, BEGAN + timedelta(seconds=3420))
    assert not turn_is_over(GAME, BEGAN + timedelta(seconds=3599))
    lock = due(BOOKS, BEGAN + timedelta(seconds=3500))[-1]
    assert (lock.name, orders_of(lock, [], {}, NOON)) == ("turn_lock", [{"do": "lock"}])


def test_books_are_plain_data_and_stay_small() -> None:
    books = BOOKS
    for hour in range(96):
        now = NOON + timedelta(hours=hour)
        for job in due(books, now):
            books = settled(books, job, now)
    assert msgspec.json.decode(msgspec.json.encode(books), type=Books) == books
    assert books.game("g").turn == 7 + 96
    assert len(books.settled) < 6
