"""Seed: "Who wins"; rulings 1, 19, 20."""

import pytest

import marchland
from marchland.games.datspulse.game import Datspulse
from marchland.server.rounds.queries import SeatResult
from marchland.server.rounds.standings import compute_standings
from tests.games.datspulse.builders import SPOTS, ant, match, move


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


def test_the_outcome_counts_calories_lost_ants_and_hexes_walked() -> None:
    ants = [
        ant(0, "worker", (0, 0)),
        ant(0, "scout", (0, 5), health=20),
        ant(0, "worker", (-8, 0), food="bread", amount=2),
        ant(1, "worker", SPOTS[1]),
    ]
    game = match(ants, land={(0, 5): "~", (2, 0): ":"}, max_turn=1)
    game.step({0: [move(1, (1, 0), (2, 0), (3, 0))]})
    assert game.outcome is not None
    assert [(one.player, one.figures) for one in game.outcome.ranking] == [
        (0, {"score": 40, "lost": 1, "walked": 3}),
        (1, {"score": 0, "lost": 0, "walked": 0}),
    ]


def test_final_rounds_are_added_up_and_equal_points_decided_by_losses_and_then_by_the_path() -> None:
    figures = {
        "ann": [(1, 2, 50), (2, 3, 60)],
        "bob": [(2, 1, 40), (1, 4, 60)],
        "cid": [(3, 2, 10), (3, 9, 10)],
        "dan": [(4, 0, 0), (4, 0, 0)],
        "eve": [(1, 1, 90), (2, 1, 90)],
    }
    results = [
        SeatResult(run, name, name, place, {"score": 1, "lost": lost, "walked": walked})
        for name, rounds in figures.items()
        for run, (place, lost, walked) in enumerate(rounds)
    ]
    found = compute_standings((Datspulse.default_scoring(), result) for result in results)
    assert [(one.name, one.place, one.points) for one in found] == [
        ("eve", 1, 284),
        ("bob", 2, 284),
        ("ann", 3, 284),
        ("cid", 4, 172),
        ("dan", 5, 138),
    ]


def test_new_teams_come_only_in_the_lobby() -> None:
    game = marchland.new("datspulse", 2, seed=1)
    with pytest.raises(marchland.JoinRefusedError, match="lobby"):
        game.join("late")
