"""Seasons and jobs: what is due on a day, once each, and after downtime."""

from datetime import UTC, date, datetime, timedelta

import pytest

from marchland.games.boidvoid.season import (
    Job,
    RunningGame,
    Season,
    SeasonError,
    active,
    after_turn,
    checked,
    clock_order,
    due,
    is_locked,
    orders_of,
    turn_is_over,
)

SPRING = Season("spring", date(2030, 3, 1), date(2030, 3, 10))
NOON = datetime(2030, 3, 5, 12, tzinfo=UTC)
GAME = RunningGame("g", "spring", 7, NOON - timedelta(hours=1), 3600)


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


def test_a_season_starts_on_its_first_day_and_ends_when_its_last_is_over() -> None:
    jobs = due([SPRING], [], set(), date(2030, 3, 1), datetime(2030, 3, 1, 1, tzinfo=UTC))
    assert [job.name for job in jobs] == ["season_start", "daily_maintenance"]
    jobs = due([SPRING], [], set(), date(2030, 3, 11), datetime(2030, 3, 11, 1, tzinfo=UTC))
    assert [job.name for job in jobs] == ["season_end"]


def test_a_job_that_is_done_is_not_due_again() -> None:
    jobs = due([SPRING], [GAME], set(), date(2030, 3, 5), NOON)
    assert [job.name for job in jobs] == ["daily_maintenance", "turn_end", "turn_start"]
    assert due([SPRING], [GAME], {job.key for job in jobs}, date(2030, 3, 5), NOON) == []


def test_after_downtime_missed_days_run_once_each_in_order_and_one_turn_end_only() -> None:
    late = datetime(2030, 3, 8, 12, tzinfo=UTC)
    jobs = due([SPRING], [GAME], set(), date(2030, 3, 6), late)
    assert [job.when for job in jobs if job.name == "daily_maintenance"] == ["2030-03-06", "2030-03-07", "2030-03-08"]
    assert [job.when for job in jobs if job.name == "turn_end"] == ["7"]
    assert after_turn(GAME, late).turn_began == late
    assert after_turn(GAME, NOON).turn_began == NOON


def test_a_game_ends_with_its_season_and_is_stepped_no_more() -> None:
    over = datetime(2030, 3, 12, tzinfo=UTC)
    jobs = due([SPRING], [GAME], set(), date(2030, 3, 11), over)
    assert [job.name for job in jobs] == ["season_end"]
    assert orders_of(jobs[0], ["a"], {}, over) == [{"do": "end_season"}]


def test_maintenance_tells_stakes_and_a_turn_end_tells_the_time() -> None:
    daily = Job("daily_maintenance", "stakes", "2030-03-05")
    assert orders_of(daily, ["a", "b"], {"b": 50}, NOON) == [{"do": "stake", "player": 1, "amount": 50}]
    assert (
        orders_of(Job("turn_end", "g", "7"), ["a"], {}, NOON) == [clock_order(NOON)] == [{"do": "clock", "minute": 720}]
    )


def test_the_lock_is_the_last_part_of_a_turn() -> None:
    began = GAME.turn_began
    assert not is_locked(GAME, began + timedelta(seconds=3419))
    assert is_locked(GAME, began + timedelta(seconds=3420))
    assert not turn_is_over(GAME, began + timedelta(seconds=3599))
