"""Seed, "Victory conditions"; rulings 2 to 6 and 14."""

from typing import Any

import pytest

import marchland
from marchland.games.hive.game import Hive
from tests.games.hive.builders import give, match, order, winners

REAL: dict[str, Any] = {"influence_wins": True, "last_standing": True}


def line(cells: int, **stands: str) -> str:
    """A row of that many cells with entities at the given places (``c3="H0"``)."""
    texts = {int(name[1:]): text for name, text in stands.items()}
    return "".join(f"{texts.get(cell, '.'):4}" for cell in range(cells))


def test_the_only_player_with_units_or_buildings_remaining_wins() -> None:
    game = match("B0  B1  .   .", **{**REAL, "influence_wins": False, "bee_hp": 1})
    give(game, order("attack", 0, "E"))
    assert winners(game) == [0]
    assert game.outcome is not None
    assert game.outcome.reason == "Only A is left."


def test_a_wall_alone_keeps_a_player_alive_ruling_4() -> None:
    game = match("B0  B1  .   W1", bee_hp=1, last_standing=True)
    give(game, order("attack", 0, "E"))
    assert game.outcome is None


def test_with_elimination_by_hives_only_a_hive_keeps_a_player_alive_ruling_4() -> None:
    game = match("H0  B0  B1  W1", last_standing=True, elimination="hives")
    game.step()
    assert winners(game) == [0]


@pytest.mark.parametrize(("cells", "over"), [(17, True), (18, False), (19, False)])
def test_more_than_half_of_all_cells_must_be_influenced(cells: int, over: bool) -> None:
    """A hive at the end of its sight sees 9 cells: more than half of 17, half of 18."""
    game = match(line(cells, c4="H0"), (0,), influence_wins=True)
    game.step()
    assert game.view()["players"][0]["influence"] == 9
    assert (game.outcome is not None) == over


def test_stone_counts_among_the_cells_ruling_2() -> None:
    game = match(line(17, c4="H0", c6="R", c16="R"), (0,), influence_wins=True)
    game.step()
    assert game.outcome is not None


def test_bees_and_walls_influence_nothing() -> None:
    game = match("B0  W0  .   B1", influence_wins=True)
    game.step()
    assert game.outcome is None
    assert [player["influence"] for player in game.view()["players"]] == [0, 0]


def test_influence_appears_with_a_hive_and_goes_with_it() -> None:
    game = match(line(30, c4="B0", c5="B0", c29="B1"), (24, 0), hive_hp=1)
    give(game, order("build_hive", 0))
    assert game.view()["players"][0]["influence"] == 9
    give(game, order("attack", 1, "W"))
    assert game.view()["players"][0]["influence"] == 0


def test_several_players_may_influence_one_cell_ruling_2() -> None:
    game = match("H0  .   .   .   H1")
    game.step()
    assert [player["influence"] for player in game.view()["players"]] == [5, 5]
    assert all(cell["influence"] == [0, 1] for cell in game.view()["cells"])


def test_only_the_closest_hive_counts_if_set_so_and_ties_count_for_no_player_ruling_2() -> None:
    game = match("H0  .   .   .   H1", influence="closest")
    assert [cell.get("influence") for cell in game.view()["cells"]] == [[0], [0], None, [1], [1]]
    game = match("H0  .   H0  .   H1", influence="closest")
    assert [cell.get("influence") for cell in game.view()["cells"]] == [[0], [0], [0], None, [1]]


SHARED = "H0  .   H1"
"""Both hives see everything, so both meet the condition in the same turn."""


def test_tiebreakers_first_the_cells_influenced() -> None:
    game = match("H0  " + line(9, c5="H1"), (99, 0), influence_wins=True, influence_percent=40)
    game.step()
    assert [player["influence"] for player in game.view()["players"]] == [5, 8]
    assert winners(game) == [1]


def test_tiebreakers_then_the_resources() -> None:
    game = match("H0  B0  H1", (5, 6), influence_wins=True)
    game.step()
    assert winners(game) == [1]


def test_tiebreakers_then_the_bees() -> None:
    game = match("H0  B1  H1", (5, 5), influence_wins=True)
    game.step()
    assert winners(game) == [1]


def test_still_equal_is_a_shared_victory_ruling_6() -> None:
    game = match(SHARED, influence_wins=True)
    game.step()
    assert winners(game) == [0, 1]


def test_tiebreakers_compare_only_those_who_met_the_condition_ruling_6() -> None:
    game = match(line(17, c4="H0", c16="B1"), (0, 1000), influence_wins=True)
    game.step()
    assert winners(game) == [0]


def test_a_practice_match_ends_when_no_player_is_left() -> None:
    """With hives as the measure, a player may lose the last one to its own bee."""
    game = match("B0  H0", (3,), hive_hp=1, elimination="hives")
    give(game, order("attack", 0, "E"))
    assert winners(game) == [0]
    assert game.outcome is not None
    assert game.outcome.reason == "No player is left."


def test_if_no_player_is_left_those_alive_at_the_turns_start_are_compared_ruling_6() -> None:
    game = match("B0  H0  .   H1  B1", (3, 7, 99), hive_hp=1, elimination="hives", last_standing=True)
    game.step({0: [order("attack", 0, "E")], 1: [order("attack", 3, "W")]})
    assert winners(game) == [1]  # C had nothing when the turn began


def test_a_practice_match_has_no_last_standing_rule_ruling_5() -> None:
    game = Hive.new(1, map="balanced", config={"influence_wins": False})
    game.step()
    assert game.outcome is None


def test_no_flower_gathered_in_50_turns_ends_the_match_ruling_3() -> None:
    game = match("H0  .   .   .   B1", (600, 0))
    for turn in range(50):
        assert game.outcome is None
        give(game, order("spawn" if turn % 2 else "forage", 0, "E" if turn % 2 else ""))
    assert game.outcome is not None
    assert "50 turns" in game.outcome.reason


def test_no_entity_created_in_50_turns_ends_the_match_ruling_3() -> None:
    game = match("F   B0  B1")
    give(game, order("move", 0, "W"))
    for _ in range(48):
        give(game, order("forage", 0))
    assert game.outcome is None
    assert (game.view(0)["without_gathering"], game.view(0)["without_creation"]) == (0, 49)
    give(game, order("forage", 0))
    assert game.outcome is not None


def test_both_may_be_needed_ruling_3() -> None:
    game = match("F   B0  B1", stalemate="both", stalemate_turns=5)
    give(game, order("move", 0, "W"))
    for _ in range(10):
        give(game, order("forage", 0))
    assert game.outcome is None
    for _ in range(5):
        game.step()
    assert game.outcome is not None


def test_creation_and_gathering_start_their_counters_again() -> None:
    game = match("F   B0  .   H0  B1", (12, 0))
    for _ in range(3):
        game.step()
    assert (game.view(1)["without_gathering"], game.view(1)["without_creation"]) == (3, 3)
    assert game.view(1)["info"]["stalemate_turns"] == 50
    give(game, order("move", 0, "W"), order("spawn", 1, "W"))
    assert (game.view(1)["without_gathering"], game.view(1)["without_creation"]) == (4, 0)
    give(game, order("forage", 0))
    assert (game.view(1)["without_gathering"], game.view(1)["without_creation"]) == (0, 1)


def test_a_stalemate_compares_all_who_are_alive_ruling_6() -> None:
    game = match("B0  .   B1", (3, 4, 99), stalemate_turns=1)
    game.step()
    assert winners(game) == [1]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({}, "No flower was gathered and nothing was created for 3 turns."),
        ({"stalemate": "both"}, "No flower was gathered and nothing was created for 3 turns."),
        ({"stalemate": "gathering"}, "No flower was gathered for 3 turns."),
        ({"stalemate": "gathering", "stalemate_turns": 1}, "No flower was gathered for 1 turn."),
        ({"edition": "2025"}, "No flower was delivered for 3 turns."),
    ],
)
def test_the_end_by_stalemate_says_what_was_missing(settings: dict[str, Any], sentence: str) -> None:
    game = match("F   B0  B1", **{"stalemate_turns": 3, **settings})
    while game.outcome is None:
        game.step()
    assert game.outcome.reason == sentence
    assert marchland.from_position(game.position()).outcome == game.outcome


def test_the_end_by_stalemate_does_not_blame_what_went_on() -> None:
    game = match("F   B0  B1", stalemate_turns=3)
    give(game, order("move", 0, "W"))
    for _ in range(2):
        give(game, order("forage", 0))
    assert game.outcome is not None
    assert game.outcome.reason == "Nothing was created for 3 turns."
    game = match("H0  .   .   .   B1", (60, 0), stalemate_turns=3)
    for _ in range(3):
        give(game, order("spawn", 0, "E"), order("move", (0, 2), "E"))
    assert game.outcome is not None
    assert game.outcome.reason == "No flower was gathered for 3 turns."


def test_a_safety_limit_of_2000_turns_ends_the_match_ruling_14() -> None:
    game = match("B0  .   B1", (3, 4), turn=1998, stalemate_turns=10_000)
    game.step()
    assert game.outcome is None
    game.step()
    assert (game.turn, winners(game)) == (2000, [1])


def test_the_end_is_checked_at_the_end_of_the_turn() -> None:
    assert marchland.new("hive", 2, map="tiny", config={"max_turn": 1}).outcome is None
