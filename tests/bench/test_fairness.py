"""Duels and mirror games: who plays, who wins, and what is called unfair."""

from pathlib import Path

import pytest

import marchland
from marchland import registry
from marchland.arena import BotTeam, load_bot
from marchland.arena.sides import sides_of
from marchland.bench.fairness import (
    Result,
    Setup,
    Task,
    duel_figures,
    duel_tasks,
    mirror_figures,
    mirror_setups,
    mirror_tasks,
    play_all,
    play_task,
    select_setups,
    start_place_of,
    summary_figures,
)
from marchland.errors import BotError, UnknownNameError
from tests.support.baseline_bots import BASELINE_BOTS, bot_path

ENOVA = Setup("enova", 2)


@pytest.mark.parametrize("name", BASELINE_BOTS)
def test_a_baseline_bot_is_loaded_by_path_and_its_orders_are_accepted(name: str) -> None:
    kind = registry.find(name.partition("_")[0])
    game = kind.new(2, seed=3)
    bots = [load_bot(bot_path(name), kind, seat) for seat in range(2)]
    given = accepted = 0
    with BotTeam(game, bots) as team:
        for _ in range(8):
            results = [result for listed in game.step(team.orders()).results.values() for result in listed]
            given += len(results)
            accepted += sum(result.ok for result in results)
    assert [stats.first_failure for stats in team.stats] == ["", ""]
    assert given >= 8
    assert accepted >= 0.9 * given


def test_a_duel_plays_each_seed_twice_with_seats_exchanged() -> None:
    tasks = duel_tasks(ENOVA, ("greedy", "random"), range(3, 5))
    assert [(task.seed, task.bots) for task in tasks] == [
        (3, ("greedy", "random")),
        (3, ("random", "greedy")),
        (4, ("greedy", "random")),
        (4, ("random", "greedy")),
    ]


def test_a_duel_counts_wins_of_the_first_bot_on_either_seat() -> None:
    tasks = duel_tasks(ENOVA, ("a", "b"), range(2))
    ends = [(0,), (1,), (1,), (0, 1)]  # the first bot has seats 0, 1, 0, 1
    figures = duel_figures(tasks, [Result(winners, ((0, 0), (4, 4)), 10) for winners in ends])
    assert (figures["wins"], figures["draws"], figures["losses"], figures["win_share"]) == (2, 1, 1, 0.5)
    assert figures["interval"] == [0.15, 0.85]


def test_the_same_games_have_the_same_results_on_one_process_and_on_two() -> None:
    tasks = duel_tasks(ENOVA, ("greedy", "random"), range(2))
    progress: list[int] = []
    results = play_all(tasks, 1, progress.append)
    assert progress == [1, 2, 3, 4]
    assert results == play_all(tasks, 2)
    assert duel_figures(tasks, results)["wins"] == 4


def test_a_bot_that_fails_ends_the_measurement(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("def play(view):\n    raise RuntimeError('no idea')\n")
    with pytest.raises(BotError, match=r"seed 7.*no idea"):
        play_task(Task(Setup("enova", 2, None, {"turn_limit": 2}), 7, ("greedy", str(path))))


@pytest.mark.parametrize("game", registry.BUILTIN)
def test_mirror_games_start_on_every_map_of_a_game_from_different_places(game: str) -> None:
    setups = mirror_setups(game)
    assert len(setups) >= 2
    for setup in setups:
        match = marchland.new(game, setup.players, seed=1000, map=setup.map, config=setup.config)
        sides = sides_of(match)
        assert len({start_place_of(match, side) for side in sides}) == len(set(sides)) >= 2


def test_mirror_games_of_teams_use_every_home_of_a_map() -> None:
    teams = {}
    for setup in mirror_setups("boidvoid"):
        match = marchland.new("boidvoid", setup.players, seed=0, map=setup.map, config=setup.config)
        teams[setup.map] = len(set(sides_of(match)))
    assert teams == {"duel": 2, "ring": 3, "straits": 4}


def test_members_of_a_team_are_one_side() -> None:
    assert sides_of(marchland.new("boidvoid", 4, seed=0, map="duel")) == [0, 1, 0, 1]
    assert sides_of(marchland.new("enova", 3, seed=0)) == [0, 1, 2]


def test_a_shared_first_place_is_a_part_of_a_win_for_each() -> None:
    places = ((8, 0), (0, 4))
    results = [
        Result((0,), places, 9),
        Result((0, 1), places, 9),
        Result((1,), places[::-1], 9),
        Result((0,), places, 9),
    ]
    figures = mirror_figures(Setup("enova", 2, "torus"), results)
    assert figures["seats"] == [0.625, 0.375]
    assert figures["places"] == {"[8, 0]": 0.875, "[0, 4]": 0.125}
    assert figures["p_seats"] == 0.617
    assert figures["deviation"] == 0.75


def test_places_that_change_from_game_to_game_are_named_by_their_order() -> None:
    results = [Result((0,), ((3, 0), (1, 1)), 9), Result((0,), ((1, 1), (0, 1)), 9)]
    assert mirror_figures(Setup("colorfight", 2), results)["places"] == {"1": 0.5, "2": 0.5}


def test_unfair_is_what_no_chance_explains_and_what_is_uneven() -> None:
    lopsided = {"game": "a", "scenario": "x", "p_seats": 0.002, "p_places": 0.5, "deviation": 0.2}
    uneven = {"game": "b", "scenario": "y", "p_seats": 0.6, "p_places": 0.7, "deviation": 0.3}
    fair = {"game": "c", "scenario": "z", "p_seats": 0.004, "p_places": 0.9, "deviation": 0.1}
    summary = summary_figures([lopsided, uneven, fair])
    assert summary["tests"]["a/x/seats"] == 0.012  # six tests
    assert summary["unfair"] == ["b/y"]
    assert summary_figures([{**lopsided, "p_seats": 0.001}, uneven])["unfair"] == ["a/x", "b/y"]


def test_mirror_games_give_every_seat_the_same_bot() -> None:
    (setup,) = select_setups("enova", "torus", 3)
    (task,) = mirror_tasks(setup, range(1000, 1001))
    assert (setup.name, task.seed, task.bots) == ("torus/3p", 1000, ("greedy",) * 3)


def test_an_unknown_map_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'torus'"):
        select_setups("enova", "torrus", None)
