"""When turns end."""

import time
from datetime import UTC, datetime

import pytest

from marchland.match.turn_clock import TurnClock, next_time
from marchland.messages import AtTimes, Every, WhenReady


def test_a_turn_that_waits_for_every_player_shows_no_deadline_and_ends_early() -> None:
    deadlines = TurnClock(WhenReady())
    assert deadlines.closes is None
    assert deadlines.early


def test_a_turn_that_waits_for_every_player_ends_after_the_longest_wait() -> None:
    deadlines = TurnClock(WhenReady(max_seconds=30.0))
    assert deadlines.deadline == deadlines.opened + 30.0
    assert TurnClock(WhenReady()).deadline - time.monotonic() == pytest.approx(7 * 86_400, abs=5)


def test_deadlines_are_a_whole_number_of_periods_apart_however_late_a_turn_was_closed() -> None:
    deadlines = TurnClock(Every(10.0))
    first = deadlines.deadline = time.monotonic() - 1.5
    deadlines.next()
    assert deadlines.deadline == first + 10.0


def test_after_an_early_end_the_next_turn_has_its_full_length() -> None:
    deadlines = TurnClock(Every(10.0))
    before = time.monotonic()
    deadlines.next()
    assert deadlines.deadline is not None
    assert before + 10.0 <= deadlines.deadline <= time.monotonic() + 10.0


def test_after_an_overrun_deadlines_are_left_out_until_a_turn_has_nearly_its_length() -> None:
    deadlines = TurnClock(Every(10.0))
    missed = deadlines.deadline = time.monotonic() - 95.0
    deadlines.next()
    assert deadlines.deadline == missed + 110.0


def test_lateness_is_the_time_since_the_deadline_and_nothing_before_it() -> None:
    deadlines = TurnClock(Every(10.0))
    assert deadlines.lateness() == 0.0
    deadlines.deadline = time.monotonic() - 2.0
    assert 2.0 <= deadlines.lateness() < 3.0


def test_the_last_part_of_a_turn_is_counted_from_its_own_length() -> None:
    deadlines = TurnClock(Every(100.0))
    locks = deadlines.lock_time(5)
    assert locks is not None
    assert locks - deadlines.opened == pytest.approx(95.0)
    assert deadlines.lock_time(0) is None
    assert TurnClock(WhenReady()).lock_time(5) is None


@pytest.mark.parametrize(
    ("now", "then"),
    [
        (datetime(2026, 3, 1, 5, 0, tzinfo=UTC), datetime(2026, 3, 1, 6, 0, tzinfo=UTC)),
        (datetime(2026, 3, 1, 6, 0, tzinfo=UTC), datetime(2026, 3, 1, 18, 30, tzinfo=UTC)),
        (datetime(2026, 3, 1, 23, 0, tzinfo=UTC), datetime(2026, 3, 2, 6, 0, tzinfo=UTC)),
    ],
)
def test_fixed_times_of_the_day_come_in_their_order_and_again_tomorrow(now: datetime, then: datetime) -> None:
    assert next_time(["18:30", "06:00"], now) == then


def test_a_turn_with_fixed_times_ends_at_the_next_of_them() -> None:
    deadlines = TurnClock(AtTimes(["00:00", "12:00"]))
    assert deadlines.closes is not None
    assert 0 < deadlines.closes - time.time() <= 12 * 3600
    assert not deadlines.early


def test_a_turn_that_all_are_ready_for_lasts_its_least_length_but_not_beyond_its_deadline() -> None:
    clock = TurnClock(Every(2.0, first=0.2, least=0.5))
    clock.begin()
    assert clock.earliest == clock.deadline == clock.opened + 0.2
    clock.next()
    assert clock.earliest == clock.opened + 0.5
    assert TurnClock(Every(2.0)).earliest <= time.monotonic()
    assert TurnClock(WhenReady()).earliest <= time.monotonic()
