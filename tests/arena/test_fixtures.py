"""Bundles and fixtures: what their ids depend on, and which seatings they have."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marchland.arena.fixtures import Pairing, make_bundle, scores_of, seatings_of
from marchland.ratings import Result

PAIR = Pairing(("a", "b"), 3, "a reason")


@given(st.integers(2, 9))
def test_every_entrant_has_every_seat_equally_often(size: int) -> None:
    group = [f"v{number}" for number in range(size)]
    seatings = seatings_of(group)
    assert len(seatings) == {2: 2, 3: 6}.get(size, size)
    for seat in range(size):
        there = [seating[seat] for seating in seatings]
        assert {there.count(one) for one in group} == {len(seatings) // size}


def test_ids_name_what_determines_a_match_and_nothing_else() -> None:
    bundle = make_bundle("t", 7, 0, PAIR)
    same = make_bundle("t", 7, 5, Pairing(("b", "a"), 3, "another reason"))
    assert bundle.id == same.id
    assert {fixture.id for fixture in bundle.fixtures()} == {fixture.id for fixture in same.fixtures()}
    others = [make_bundle("u", 7, 0, PAIR), make_bundle("t", 7, 0, PAIR._replace(seed_index=4))]
    others.append(make_bundle("t", 7, 0, PAIR._replace(group=("a", "c"))))
    assert len({bundle.id, *(other.id for other in others)}) == 4


def test_the_seed_of_a_bundle_comes_from_the_tournaments_seed_and_its_index() -> None:
    seeds = {make_bundle("t", seed, 0, PAIR._replace(seed_index=index)).seed for seed in (1, 2) for index in range(50)}
    assert len(seeds) == 100
    assert all(0 <= seed < 1_000_000_000 for seed in seeds)


def test_a_score_is_the_share_of_opponents_behind_with_ties_as_half() -> None:
    results = [Result(("a", "b", "c"), (1, 2, 2), "x"), Result(("b", "c", "a"), (1, 2, 3), "x")]
    assert scores_of(results) == pytest.approx({"a": 0.5, "b": 0.625, "c": 0.375})
