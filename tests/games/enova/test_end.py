"""Ruling 11: elimination, the end, and who has won."""

import marchland
from tests.games.enova.builders import counted, move, named, owned, position


def test_no_units_and_no_castle_is_the_end_of_a_player_and_its_land_becomes_unowned() -> None:
    land = {(0, 0): (0, 50), (1, 0): (1, 1), (2, 0): (0, 0), (4, 0): (1, 0), (6, 0): (2, 1)}
    game = position(".......", land=land, players=3)
    report = game.step({0: [move((0, 0), (1, 0))]})
    assert named(report, "eliminated") == [{"event": "eliminated", "player": 1}]
    assert owned(game) == {(0, 0): (0, 0), (1, 0): (0, 50), (2, 0): (0, 0), (6, 0): (2, 1)}
    assert counted(game)[1] == (0, 0, 0)
    assert game.outcome is None


def test_an_empty_castle_keeps_a_player_alive() -> None:
    game = position("...C", land={(0, 0): (0, 50), (1, 0): (1, 1), (2, 0): (0, 0), (3, 0): (1, 0)})
    game.step({0: [move((0, 0), (1, 0))]})
    assert game.outcome is None
    assert owned(game)[3, 0] == (1, 1)


def test_units_without_a_castle_keep_a_player_alive() -> None:
    game = position("C..", land={(0, 0): (1, 0), (1, 0): (0, 50), (2, 0): (1, 1)})
    game.step({0: [move((1, 0), (0, 0))]})
    assert game.outcome is None


def test_the_match_ends_when_one_of_several_players_is_left() -> None:
    game = position("...", land={(0, 0): (0, 50), (1, 0): (1, 1), (2, 0): (0, 0)})
    report = game.step({0: [move((0, 0), (1, 0))]})
    assert report.outcome is not None
    assert report.outcome.winners == [0]
    assert [standing.place for standing in report.outcome.ranking] == [1, 2]
    assert report.outcome.reason == "Only player 0 is left."


def test_the_turn_limit_is_three_hundred_by_default_and_counts_turns_of_orders() -> None:
    game = marchland.new("enova", 2, seed=1)
    outcomes = [game.step().outcome for _ in range(300)]
    assert outcomes[:299] == [None] * 299
    assert outcomes[299] is not None
    assert outcomes[299].reason == "Turn 300 is the last."


def test_players_are_ranked_by_castles_then_tiles_then_units_and_equals_share_a_place() -> None:
    rows = ("C.C", "C.C", "C.C")
    land = {
        (0, 0): (0, 0),
        (2, 0): (0, 0),
        (0, 1): (1, 9),
        (2, 1): (2, 3),
        (1, 1): (2, 0),
        (0, 2): (3, 3),
        (2, 2): (4, 3),
    }
    game = position(*rows, land=land, players=5, turn_limit=1)
    outcome = game.step().outcome
    assert outcome is not None
    assert [(standing.player, standing.place) for standing in outcome.ranking] == [
        (0, 1),
        (2, 2),
        (1, 3),
        (3, 4),
        (4, 4),
    ]
    assert outcome.ranking[1].figures == {"castles": 1, "tiles": 2, "units": 3}


def test_a_match_started_with_one_player_runs_to_the_limit() -> None:
    game = marchland.new("enova", 1, seed=1, config={"turn_limit": 5})
    for _ in range(4):
        assert game.step().outcome is None
    outcome = game.step().outcome
    assert outcome is not None
    assert outcome.winners == [0]


def test_a_match_started_with_one_player_runs_to_the_limit_also_when_a_joiner_was_eliminated() -> None:
    game = marchland.new("enova", 1, seed=1, rules="open", config={"turn_limit": 5})
    game.join("eve")
    position = game.position()
    position["land"] = [tile for tile in position["land"] if tile["owner"] == 0]
    alone = marchland.from_position(position)
    assert [player["alive"] for player in alone.view()["players"]] == [True, False]
    assert [alone.step().outcome is None for _ in range(5)] == [True] * 4 + [False]


def test_a_match_started_with_two_players_ends_when_one_is_left_also_after_a_join() -> None:
    game = marchland.new("enova", 2, seed=1, rules="open")
    game.join("eve")
    position = game.position()
    position["land"] = [tile for tile in position["land"] if tile["owner"] == 2]
    outcome = marchland.from_position(position).step().outcome
    assert outcome is not None
    assert outcome.winners == [2]


def test_the_ranking_of_a_great_many_players_takes_no_time() -> None:
    game = marchland.new("enova", 20_000, seed=1, config={"turn_limit": 1})
    outcome = game.step().outcome
    assert outcome is not None
    assert len(outcome.winners) == 20_000
