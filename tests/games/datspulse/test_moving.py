"""Seed: "Hexes", "Unit's movement", "Validation"; rulings 5, 9, 10. Ants are 1, 2, ... as listed."""

from collections.abc import Sequence
from typing import Any

import pytest

import marchland
from tests.games.datspulse.builders import At, ant, at, events, find, health, listed, living, match, move, reasons


def test_acid_example_1_leaving_acid_is_free() -> None:
    game = match([ant(0, "worker", (0, 0))], land={(1, 0): "~"})
    game.step({0: [move(1, (1, 0))]})
    assert health(game, 1) == 110
    game.step({0: [move(1, (2, 0))]})
    assert (at(game, 1), health(game, 1)) == ((2, 0), 110)


def test_acid_example_2_standing_still_in_acid_burns() -> None:
    game = match([ant(0, "worker", (0, 0))], land={(1, 0): "~"})
    game.step({0: [move(1, (1, 0))]})
    game.step()
    assert health(game, 1) == 90


def test_passing_through_acid_burns_for_every_hex_entered() -> None:
    game = match([ant(0, "worker", (0, 0))], land={(1, 0): "~", (2, 0): "~"})
    game.step({0: [move(1, (1, 0), (2, 0), (3, 0))]})
    assert (at(game, 1), health(game, 1)) == ((3, 0), 90)


def test_being_blocked_on_the_first_step_counts_as_standing_still() -> None:
    game = match([ant(0, "worker", (0, 0))], land={(0, 0): "~", (1, 0): "#"})
    game.step({0: [move(1, (1, 0))]})
    assert health(game, 1) == 110
    moved_then_blocked = match([ant(0, "worker", (0, 0))], land={(0, 0): "~", (2, 0): "#"})
    moved_then_blocked.step({0: [move(1, (1, 0), (2, 0))]})
    assert (at(moved_then_blocked, 1), health(moved_then_blocked, 1)) == ((1, 0), 130)


def test_an_ant_killed_by_acid_stops_there() -> None:
    game = match([ant(0, "worker", (0, 0), health=20)], land={(1, 0): "~"})
    report = game.step({0: [move(1, (1, 0), (2, 0))]})
    assert (at(game, 1), health(game, 1)) == ((1, 0), 0)
    assert [event["by"] for event in events(report, "killed")] == ["acid"]


@pytest.mark.parametrize(("mark", "reached"), [(".", (5, 0)), (":", (2, 0)), ("~", (5, 0))])
def test_movement_example_1_hexes_cost_their_points(mark: str, reached: tuple[int, int]) -> None:
    way = [(q, 0) for q in range(1, 6)]
    game = match([ant(0, "worker", (0, 0))], land=dict.fromkeys(way, mark))
    game.step({0: [move(1, *way)]})
    assert at(game, 1) == reached


def test_a_hex_of_the_own_nest_costs_one_point() -> None:
    game = match([ant(0, "soldier", (-10, -1))])
    game.step({0: [move(1, (-9, -1), (-8, -1), (-7, -1), (-6, -1))]})
    assert at(game, 1) == (-6, -1)


def test_too_few_points_for_dirt_are_logged() -> None:
    way = [(q, 0) for q in range(1, 6)]
    game = match([ant(0, "worker", (0, 0))], land=dict.fromkeys(way, ":"))
    report = game.step({0: [move(1, *way)]})
    (stop,) = events(report, "blocked")
    assert (stop["by"], stop["at"]) == ("exhaustion", [3, 0])
    assert events(report, "moved")[0]["dirt"] == 2


@pytest.mark.parametrize(
    ("team", "kind", "stops_at"), [(1, "scout", (2, 0)), (0, "worker", (2, 0)), (0, "soldier", (4, 0))]
)
def test_movement_example_2_an_ant_in_the_way_stops_the_other_before_it(
    team: int, kind: str, stops_at: tuple[int, int]
) -> None:
    game = match([ant(0, "worker", (0, 0)), ant(team, kind, (3, 0))])
    game.step({0: [move(1, (1, 0), (2, 0), (3, 0), (4, 0))]})
    assert at(game, 1) == stops_at


def test_movement_example_3_the_queue_decides_who_gets_the_hex() -> None:
    outcomes = set()
    for key in range(40):
        game = match([ant(0, "worker", (-3, 0)), ant(1, "worker", (3, 0))], key=f"{key:x}")
        game.step({0: [move(1, (-2, 0), (-1, 0), (0, 0), (1, 0), (2, 0))], 1: [move(2, (2, 0), (1, 0), (0, 0))]})
        outcomes.add((at(game, 1), at(game, 2)))
    assert outcomes == {((-1, 0), (0, 0)), ((2, 0), (3, 0))}


def test_own_ants_of_different_types_share_a_hex() -> None:
    game = match([ant(0, "worker", (0, 0)), ant(0, "soldier", (1, 0)), ant(0, "scout", (2, 0))])
    game.step({0: [move(1, (1, 0)), move(3, (1, 0))]})
    assert {at(game, number) for number in (1, 2, 3)} == {(1, 0)}


def test_no_ant_enters_a_foreign_nest_and_every_ant_its_own() -> None:
    game = match([ant(0, "worker", (6, 0)), ant(0, "soldier", (-7, 0))])
    report = game.step({0: [move(1, (7, 0), (8, 0)), move(2, (-8, 0))]})
    assert (at(game, 1), at(game, 2)) == ((7, 0), (-8, 0))
    assert [event["by"] for event in events(report, "blocked")] == ["foreign nest"]


def march_in_column(places: Sequence[int]) -> list[At]:
    """Where three workers in a row end that go one hex on; ``places`` are by the order in which they are listed."""
    order = listed(match([ant(0, "worker", (0, r)) for r in (0, 2, 4)]))
    game = match([ant(0, "worker", (places[order.index(number)], 0), id=number) for number in (1, 2, 3)])
    game.step({0: [move(number, (places[place] + 1, 0)) for place, number in enumerate(order)]})
    return [at(game, number) for number in order]


def test_ants_of_a_team_walk_in_the_order_in_which_they_are_listed() -> None:
    assert march_in_column([2, 1, 0]) == [(3, 0), (2, 0), (1, 0)]
    assert march_in_column([0, 1, 2]) == [(0, 0), (1, 0), (3, 0)]


def test_the_order_of_ants_is_fixed_for_each_and_is_not_that_of_their_creation() -> None:
    game = marchland.new("datspulse", 1, seed=3)
    bot = game.bots["greedy"]()
    last, before = [], [one["id"] for one in game.view(0)["ants"]]
    for _ in range(60):
        game.step({0: bot.play(game.observe(0))})
        now = [one["id"] for one in game.view(0)["ants"]]
        assert [number for number in now if number in before] == [number for number in before if number in now]
        last += [now[-1] == number for number in now if number not in before]
        before = now
    assert len(last) > 30
    assert 0 < sum(last) < len(last) / 3


BAD: list[tuple[dict[str, Any], str]] = [
    (move(3, (2, 0)), "NOT_FOUND"),  # foreign
    (move(99, (1, 0)), "NOT_FOUND"),
    (move(-5, (1, 0)), "NOT_FOUND"),
    (move(4, (1, 5)), "DEAD_ANT"),
    (move(1, (1, 0), (3, 0)), "NOT_ADJACENT"),
    (move(1, (0, 0)), "NOT_ADJACENT"),
    (move(1, *[(q, 0) for q in range(1, 7)]), "TOO_FAR"),
    (move(1, *[(1, 0), (0, 0)] * 500_000), "TOO_FAR"),
    (move(1, (999, 999)), "NO_TILE"),
    (move(1, (10**30, 0)), "NO_TILE"),
    ({"do": "move", "ant": 1}, "MALFORMED"),
    ({"do": "move", "ant": "1", "path": []}, "MALFORMED"),
]


@pytest.mark.parametrize(("bad", "reason"), BAD, ids=lambda value: value if isinstance(value, str) else "")
def test_a_bad_order_is_refused_by_name_and_the_others_stand(bad: dict[str, Any], reason: str) -> None:
    game = match(
        [
            ant(0, "worker", (0, 0), id=1),
            ant(0, "worker", (0, 3), id=2),
            ant(1, "worker", (1, 4), id=3),
            ant(0, "scout", (0, 5), id=4, health=0),
        ]
    )
    report = game.step({0: [move(1, (1, 0)), bad, move(2, (1, 3))]})
    assert reasons(report) == ["OK", reason, "OK"]
    assert (at(game, 1), at(game, 2)) == ((1, 0), (1, 3))
    assert report.results[0][1].sentence


def test_the_last_valid_order_for_an_ant_counts_and_an_empty_path_takes_it_back() -> None:
    ants = [ant(0, "worker", (0, 0)), ant(0, "worker", (0, 3))]
    game = match(ants)
    report = game.step({0: [move(1, (1, 0)), move(2, (1, 3)), move(1, (-1, 0)), move(2)]})
    assert reasons(report) == ["REPLACED", "REPLACED", "OK", "OK"]
    assert (at(game, 1), at(game, 2)) == ((-1, 0), (0, 3))


def test_orders_are_forgotten_after_the_transition() -> None:
    game = match([ant(0, "worker", (0, 0))])
    game.step({0: [move(1, (1, 0))]})
    game.step()
    assert (at(game, 1), find(game, 1).planned, find(game, 1).walked) == ((1, 0), 0, 0)


def test_hidden_hexes_may_be_in_a_path() -> None:
    game = match([ant(0, "scout", (0, 0))], land={(6, 0): "#"})
    report = game.step({0: [move(1, *[(q, 0) for q in range(1, 8)])]})
    assert reasons(report) == ["OK"]
    assert at(game, 1) == (5, 0)
    assert living(game, 0) == 2
