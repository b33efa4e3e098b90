"""Seed: "Who wins"; rulings 1, 19, 20."""

import pytest

import marchland
from marchland.games.datspulse.game import Datspulse
from marchland.games.datspulse.rounds import Ranked, Result, places, points, standing


def test_ties_share_a_place_and_the_next_is_skipped() -> None:
    assert places([50, 70, 50, 10]) == [2, 1, 2, 4]


@pytest.mark.parametrize(
    ("place", "worth"),
    [*enumerate((170, 114, 86, 69, 58, 50, 44, 43, 42, 41, 40), 1), (49, 2), (50, 1), (51, 1), (533, 1)],
)
def test_points_by_place(place: int, worth: int) -> None:
    assert points(place, calories=10) == worth


def test_without_calories_a_late_place_is_worth_nothing() -> None:
    assert points(51, calories=0) == 0


def test_the_standing_is_by_points_then_fewest_lost_then_the_shortest_path() -> None:
    rounds = [
        {"A": Result(100, 5, 50), "B": Result(100, 4, 90), "C": Result(90, 0, 0)},
        {"A": Result(7, 5, 40), "B": Result(7, 6, 10), "C": Result(1, 1, 1), "D": Result(7, 10, 0)},
    ]
    ranked = standing(rounds)
    assert ranked == [
        Ranked("A", 1, 340, 10, 90),
        Ranked("B", 2, 340, 10, 100),
        Ranked("D", 3, 170, 10, 0),
        Ranked("C", 4, 86 + 69, 1, 1),
    ]


def test_equal_teams_share_a_place_in_the_standing() -> None:
    ranked = standing([{"A": Result(5), "B": Result(5), "C": Result(1)}])
    assert [(one.team, one.place) for one in ranked] == [("A", 1), ("B", 1), ("C", 3)]


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
