"""Every format pairs fairly: the properties that hold for fields of any size."""

import statistics
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marchland.arena.fixtures import Field, Meeting
from marchland.arena.pairing import FORMATS, find_format
from marchland.arena.pairing.bracket import first_duels
from marchland.arena.pairing.groups import count_bundles, count_pairs, pairs_of
from marchland.arena.pairing.ladder import allowed_bundles
from marchland.arena.pairing.swiss import count_byes, count_rounds, points_of
from marchland.errors import MarchlandError, UnknownNameError
from tests.support.simulated_tournaments import RANDOM, field_of, matches_until, play_rounds

EQUAL = dict.fromkeys((f"v{number:03}" for number in range(64)), 0.0)
LADDER_OF_STRENGTH = {f"v{number:03}": -0.5 * number for number in range(64)}
sizes = st.integers(2, 17)


def pairs_met(meetings: list[Meeting], field: Field) -> list[int]:
    met = count_pairs(meetings)
    return [met[pair] for pair in pairs_of(field.entrants)]


@settings(max_examples=25)
@given(sizes, st.sampled_from([2, 3, 4]), st.sampled_from(sorted(FORMATS)), st.integers(0, 3))
def test_groups_are_full_have_reasons_and_no_entrant_twice(size: int, players: int, name: str, seed: int) -> None:
    field = field_of(max(size, players), 2 if name == "bracket" else players, seed)
    meetings = play_rounds(name, field, EQUAL, 5, seed)
    assert meetings
    for meeting in meetings:
        assert len(set(meeting.pairing.group)) == field.players
        assert set(meeting.pairing.group) <= set(field.entrants)
        assert meeting.pairing.why.startswith(f"{name.replace('-', ' ')}: ")
    bundles = Counter((meeting.pairing.seed_index, frozenset(meeting.pairing.group)) for meeting in meetings)
    assert set(bundles.values()) == {1}


@settings(max_examples=20)
@given(sizes, st.sampled_from(sorted(FORMATS)), st.integers(0, 3))
def test_a_plan_depends_on_nothing_but_the_field_and_the_results(size: int, name: str, seed: int) -> None:
    field = field_of(size, seed=seed)
    assert play_rounds(name, field, EQUAL, 4, seed) == play_rounds(name, field, EQUAL, 4, seed)


def test_two_versions_meet_each_opponent_in_turn_on_the_same_seed() -> None:
    field = field_of(4)
    new, old, *others = field.entrants
    meetings = play_rounds("versions", field, EQUAL, 3)
    met = [(meeting.pairing.group, meeting.pairing.seed_index) for meeting in meetings]
    assert met == [((version, others[number % 2]), number) for number in range(3) for version in (new, old)]


@pytest.mark.parametrize(("size", "players", "words"), [(2, 2, "a bot to play against"), (4, 3, "matches of two")])
def test_versions_need_an_opponent_and_matches_of_two(size: int, players: int, words: str) -> None:
    with pytest.raises(MarchlandError, match=words):
        find_format("versions").check(field_of(size, players))


@given(sizes)
def test_a_cycle_of_a_round_robin_has_every_pair_once(size: int) -> None:
    field = field_of(size)
    meetings = play_rounds("round-robin", field, EQUAL, size - 1 + size % 2)
    assert set(pairs_met(meetings, field)) == {1}
    assert {meeting.pairing.seed_index for meeting in meetings} == {0}


@settings(max_examples=15)
@given(st.integers(5, 14), st.sampled_from([3, 4]))
def test_a_round_robin_of_larger_groups_balances_entrants_and_pairs(size: int, players: int) -> None:
    field = field_of(size, players)
    meetings = play_rounds("round-robin", field, EQUAL, 3 * size)
    bundles = count_bundles(field, meetings).values()
    met = pairs_met(meetings, field)
    assert max(bundles) - min(bundles) <= 1
    assert min(met) >= 0.5 * statistics.mean(met)
    assert max(met) <= 1.6 * statistics.mean(met)


@given(sizes)
def test_in_a_gauntlet_the_first_meets_every_other_and_they_do_not_meet(size: int) -> None:
    field = field_of(size)
    met = count_pairs(play_rounds("gauntlet", field, EQUAL, 3))
    assert met == {("v000", other): 3 for other in field.entrants[1:]}


@settings(max_examples=30)
@given(st.integers(2, 33), st.integers(0, 5))
def test_no_pair_of_a_swiss_tournament_meets_twice_and_byes_go_round(size: int, seed: int) -> None:
    field = field_of(size)
    meetings = play_rounds("swiss", field, LADDER_OF_STRENGTH, 99, seed)
    rounds = count_rounds(size)
    assert 1 + max(meeting.round for meeting in meetings) == rounds
    again = max(count_pairs(meetings).values())
    assert again == 1 or size <= rounds + size % 2  # with few entrants one may be left who has met all others
    byes = count_byes(field, meetings).values()
    assert max(byes) <= 1 and sum(byes) == (rounds if size % 2 else 0)


def test_a_swiss_tournament_finds_the_strongest_of_a_wide_field() -> None:
    strengths = {one: 10.0 * strength for one, strength in LADDER_OF_STRENGTH.items()}
    field = field_of(16)
    points = points_of(field, play_rounds("swiss", field, strengths, 99))
    assert max(points, key=lambda one: points[one]) == "v000"


def test_a_swiss_pairing_prints_scores() -> None:
    meetings = play_rounds("swiss", field_of(4), LADDER_OF_STRENGTH, 1)
    assert [meeting.pairing.why for meeting in meetings] == ["swiss: round 1, scores 0 : 0"] * 2


def test_a_field_of_three_hundred_is_paired_by_the_swiss_system() -> None:
    field = field_of(300)
    meetings = play_rounds("swiss", field, dict.fromkeys(field.entrants, 0.0), 99)
    assert max(count_pairs(meetings).values()) == 1


@given(st.integers(2, 40))
def test_the_best_seeds_of_a_bracket_meet_last(size: int) -> None:
    duels = first_duels(field_of(size).entrants)
    seated = [one for duel in duels for one in duel]
    assert len(duels) == 1 or not {"v000", "v001"} <= set(seated[: len(duels)])
    assert sum(one is None for one in seated) == 2 * len(duels) - size
    assert all(duel.one for duel in duels)


def test_a_bracket_ends_with_one_winner_who_won_every_stage() -> None:
    strengths = {one: 20.0 * strength for one, strength in LADDER_OF_STRENGTH.items()}
    field = field_of(11)
    meetings = play_rounds("bracket", field, strengths, 99)
    final = meetings[-1].pairing
    assert set(final.group) == {"v000", "v001"}
    assert "final" in final.why and "seed 1" in final.why
    assert len({frozenset(meeting.pairing.group) for meeting in meetings}) == 10


def test_a_tie_in_a_bracket_is_played_on_and_then_goes_to_the_better_seed() -> None:
    field, meetings = field_of(2), list[Meeting]()
    plan = find_format("bracket").plan
    counts = []
    while pairings := plan(field, meetings):
        counts.append(len(pairings))
        meetings += [Meeting(pairing, len(counts), ()) for pairing in pairings]
    assert counts == [3, 1, 1, 1, 1]


def test_a_bracket_refuses_more_than_two_in_a_match() -> None:
    with pytest.raises(MarchlandError, match="swiss pairs more"):
        find_format("bracket").check(field_of(8, 4))


@settings(max_examples=10)
@given(st.integers(6, 20), st.integers(0, 3))
def test_a_ladder_lets_everyone_play_about_as_often(size: int, seed: int) -> None:
    field = field_of(size, seed=seed)
    bundles = list(count_bundles(field, play_rounds("ladder", field, LADDER_OF_STRENGTH, 40, seed)).values())
    low, high = allowed_bundles(bundles)
    assert low - 2 <= min(bundles) and max(bundles) <= high + 4  # a random draw and a pair of the best do not ask


def test_a_ladder_draws_every_eighth_bundle_and_lets_the_best_meet() -> None:
    field = field_of(24)
    meetings = play_rounds("ladder", field, LADDER_OF_STRENGTH, 60)
    drawn = [number for number, meeting in enumerate(meetings) if "at random" in meeting.pairing.why]
    assert drawn == list(range(7, len(meetings), 8))
    assert any("10 best" in meeting.pairing.why for meeting in meetings)


def test_a_ladder_never_pairs_two_entrants_of_one_owner() -> None:
    field = field_of(9)._replace(owners=("ann", "ann", "ann", "bob", "bob", "cid", "dan", "eve", "eve"))
    owner = dict(zip(field.entrants, field.owners, strict=True))
    meetings = play_rounds("ladder", field, EQUAL, 60)
    assert all(len({owner[one] for one in meeting.pairing.group}) == 2 for meeting in meetings)


def test_a_ladder_of_one_owner_is_refused() -> None:
    with pytest.raises(MarchlandError, match="different owners"):
        find_format("ladder").check(field_of(3)._replace(owners=("ann", "ann", "ann")))


def test_a_ladder_knows_the_order_after_fewer_matches_than_random_pairing() -> None:
    seeds = range(4)
    adaptive = sum(matches_until(find_format("ladder"), 0.85, seed, entrants=20) for seed in seeds)
    at_random = sum(matches_until(RANDOM, 0.85, seed, entrants=20) for seed in seeds)
    assert adaptive <= 0.75 * at_random


def test_an_unknown_format_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match="ladder"):
        find_format("lader")


def test_too_few_bots_are_refused() -> None:
    with pytest.raises(MarchlandError, match="4 bots are needed"):
        find_format("round-robin").check(field_of(3, 4))
