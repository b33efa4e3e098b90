"""Seed: "Who wins"; rulings 1, 19, 20."""

import pytest

import marchland
from marchland.games.datspulse.game import Datspulse


def test_rounds_score_by_place_and_give_a_point_beyond_the_table_for_calories() -> None:
    scoring = Datspulse.default_scoring()
    assert scoring.points == (170, 114, 86, 69, 58, 50, 44, 43, 42)
    assert scoring.earned_by == "score"


def test_equal_points_are_decided_by_fewest_ants_lost_then_by_the_shortest_path() -> None:
    assert Datspulse.default_scoring().ties == ("lost", "walked")


def test_the_scoring_names_figures_that_an_outcome_has() -> None:
    game = marchland.new("datspulse", 2, seed=1, config={"max_turn": 1, "radius": 12})
    game.step({})
    scoring = Datspulse.default_scoring()
    assert {scoring.earned_by, *scoring.ties} == set(game.outcome.ranking[0].figures)  # type: ignore[union-attr]


def test_final_rounds_take_the_generators_in_turn() -> None:
    assert Datspulse.default_round_maps("final", {}) == ("lattice", "jitter", "biomes")


def test_a_round_ends_after_its_last_turn_and_ranks_by_calories() -> None:
    game = marchland.new("datspulse", 3, seed=1, config={"max_turn": 5, "radius": 12})
    bots = [game.bots["idle"]() for _ in range(3)]
    for _ in range(5):
        assert game.outcome is None
        game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
    assert game.outcome is not None
    assert {one.place for one in game.outcome.ranking} == {1}
    assert set(game.outcome.ranking[0].figures) == {"score", "lost", "walked"}


def test_new_teams_come_only_in_the_lobby() -> None:
    game = marchland.new("datspulse", 2, seed=1)
    with pytest.raises(marchland.JoinRefusedError, match="lobby"):
        game.join("late")
