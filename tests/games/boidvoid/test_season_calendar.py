"""The jobs of a season: what is due on a day and in a turn, once each, and after downtime."""

from datetime import UTC, date, datetime, timedelta

from marchland.core.season_hooks import SeasonState
from marchland.games.boidvoid.season.calendar import clock_order, due_jobs, is_locked, job_orders, turn_is_over

NOON = datetime(2030, 3, 5, 12, tzinfo=UTC)
BEGAN = NOON - timedelta(hours=1)
SEASON = SeasonState(
    match="m",
    season="spring",
    start=date(2030, 3, 1),
    end=date(2030, 3, 10),
    since=date(2030, 3, 5),
    turn=7,
    turn_began=BEGAN,
    turn_length=3600,
    config={"lock": 5},
)
STARTED = frozenset({"season_start/spring/2030-03-01", "turn_start/m/7"})


def keys(season: SeasonState, now: datetime, settled: frozenset[str] = STARTED) -> list[str]:
    return [job.key for job in due_jobs(season, settled, now)]


def test_a_season_starts_on_its_first_day_and_ends_when_its_last_is_over() -> None:
    waiting = SEASON._replace(since=date(2030, 2, 27), turn_began=None)
    assert keys(waiting, datetime(2030, 2, 28, 23, tzinfo=UTC)) == []
    assert keys(waiting, datetime(2030, 3, 1, 1, tzinfo=UTC), frozenset()) == [
        "season_start/spring/2030-03-01",
        "daily_maintenance/spring/2030-03-01",
        "turn_start/m/7",
    ]
    last_day = SEASON._replace(since=date(2030, 3, 10), turn_began=None)
    settled = STARTED | {"daily_maintenance/spring/2030-03-10"}
    assert keys(last_day, datetime(2030, 3, 10, 23, tzinfo=UTC), settled) == []
    assert keys(last_day, datetime(2030, 3, 11, 1, tzinfo=UTC), settled) == ["season_end/spring/2030-03-10"]


def test_a_match_that_begins_after_the_first_day_starts_its_season_all_the_same() -> None:
    assert keys(SEASON, BEGAN, frozenset())[0] == "season_start/spring/2030-03-01"


def test_a_turn_that_has_had_its_length_ends_and_the_next_starts() -> None:
    jobs = due_jobs(SEASON, STARTED, NOON)
    assert [job.key for job in jobs] == ["daily_maintenance/spring/2030-03-05", "turn_end/m/7", "turn_start/m/8"]
    assert [job.name for job in jobs if job.ends_turn] == ["turn_end"]


def test_no_turn_ends_after_the_season() -> None:
    assert keys(SEASON._replace(since=date(2030, 3, 11)), datetime(2030, 3, 12, tzinfo=UTC)) == [
        "season_end/spring/2030-03-10"
    ]


def test_a_job_that_is_settled_is_not_due_again() -> None:
    assert keys(SEASON, NOON, STARTED | set(keys(SEASON, NOON))) == []


def test_after_downtime_missed_days_run_once_each_in_order_and_one_turn_ends() -> None:
    late = datetime(2030, 3, 8, 12, tzinfo=UTC)
    assert keys(SEASON._replace(since=date(2030, 3, 6)), late) == [
        "daily_maintenance/spring/2030-03-06",
        "daily_maintenance/spring/2030-03-07",
        "daily_maintenance/spring/2030-03-08",
        "turn_end/m/7",
        "turn_start/m/8",
    ]


def test_the_lock_is_the_last_part_of_a_turn() -> None:
    assert not is_locked(SEASON, BEGAN + timedelta(seconds=3419))
    assert is_locked(SEASON, BEGAN + timedelta(seconds=3420))
    assert not turn_is_over(SEASON, BEGAN + timedelta(seconds=3599))
    assert keys(SEASON, BEGAN + timedelta(seconds=3500))[-1] == "turn_lock/m/7"


def test_a_turn_without_a_length_is_neither_locked_nor_ended() -> None:
    assert keys(SEASON._replace(turn_began=None), NOON) == ["daily_maintenance/spring/2030-03-05"]


def test_each_job_gives_its_host_orders() -> None:
    assert job_orders("daily_maintenance", ["a", "b"], {"b": 50}, NOON) == [{"do": "stake", "player": 1, "amount": 50}]
    assert job_orders("turn_end", ["a"], {}, NOON) == [clock_order(NOON)] == [{"do": "clock", "minute": 720}]
    assert job_orders("turn_lock", ["a"], {}, NOON) == [{"do": "lock"}]
    assert job_orders("season_end", ["a"], {}, NOON) == [{"do": "end_season"}]
    assert job_orders("turn_start", ["a"], {}, NOON) == []
