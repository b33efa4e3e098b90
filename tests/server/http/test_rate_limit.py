"""Token buckets: requests, and what costs more than one."""

from marchland.server.http.rate_limit import TokenBuckets


def test_a_burst_is_followed_by_the_rate() -> None:
    buckets = TokenBuckets(2.0)
    assert [buckets.take("a", 0.0) for _ in range(5)] == [0, 0, 0, 0, 0.5]
    assert buckets.take("a", 0.5) == 0
    assert buckets.take("b", 0.5) == 0


def test_a_cost_takes_as_many_tokens() -> None:
    buckets = TokenBuckets(1.0, burst=10.0)
    assert buckets.take("a", 0.0, cost=4) == 0
    assert buckets.take("a", 0.0, cost=4) == 0
    assert buckets.take("a", 0.0, cost=4) == 2


def test_a_cost_beyond_the_bucket_is_allowed_and_paid_off_before_the_next() -> None:
    buckets = TokenBuckets(1.0, burst=10.0)
    assert buckets.take("a", 0.0, cost=50) == 0
    assert buckets.take("a", 0.0) == 41
    assert buckets.take("a", 41.0) == 0


def test_a_cost_beyond_the_bucket_needs_half_of_it() -> None:
    buckets = TokenBuckets(1.0, burst=10.0)
    assert buckets.take("a", 0.0, cost=6) == 0
    assert buckets.take("a", 0.0, cost=50) == 1
    assert buckets.take("a", 1.0, cost=50) == 0


def test_the_wait_for_a_cost_takes_nothing() -> None:
    buckets = TokenBuckets(1.0, burst=10.0)
    assert buckets.wait_for("a", 50) == buckets.wait_for("a", 50) == 0
    buckets.charge("a", 9)
    assert 3.9 < buckets.wait_for("a", 50) <= 4.0
    assert buckets.wait_for("a", 1) == 0
