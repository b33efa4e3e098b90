"""The players that come with the game, the menu, positions by hand, and what is refused."""

from typing import Any

import pytest

import marchland
from marchland.games.hive.game import Hive
from marchland.messages import Choices, Pieces
from tests.games.hive.builders import match, order
from tests.support.small_matches import SMALL


def duel(seed: int, **settings: Any) -> tuple[Hive, int]:
    """A duel of greedy against random on alternating seats; also greedy's seat."""
    game = Hive.new(2, seed=seed, **settings)
    names = ["greedy", "random"] if seed % 2 == 0 else ["random", "greedy"]
    bots = [Hive.bots[name](seed=seed) for name in names]
    while game.outcome is None:
        game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
    return game, names.index("greedy")


def test_greedy_beats_random_in_19_of_20_duels() -> None:
    won = 0
    for seed in range(20):
        game, seat = duel(seed)
        assert game.outcome is not None
        won += game.outcome.winners == [seat]
    assert won >= 19


def test_greedy_beats_random_in_the_edition_of_2025() -> None:
    for seed in range(20):
        game, seat = duel(seed, rules="2025", map=SMALL["hive"]["map"])
        assert game.outcome is not None
        assert game.outcome.winners == [seat]


@pytest.mark.parametrize("name", ["idle", "random", "greedy"])
@pytest.mark.parametrize("edition", ["seed", "2025"])
def test_a_bot_plays_the_same_from_a_view_as_from_an_observation(name: str, edition: str) -> None:
    game = Hive.new(3, seed=3, map="tiny", rules=edition, config={"start_flowers": 30})
    seeing, viewing = ([Hive.bots[name](seed=seat) for seat in range(3)] for _ in range(2))
    for _ in range(40):
        orders = {seat: bot.play(game.observe(seat)) for seat, bot in enumerate(seeing)}
        assert orders == {seat: bot.play(game.view(seat)) for seat, bot in enumerate(viewing)}
        game.step(orders)


def test_greedy_gathers_spawns_and_founds_hives() -> None:
    game = Hive.new(1, seed=0, config={"influence_wins": False})
    bot = Hive.bots["greedy"]()
    for _ in range(80):
        game.step({0: bot.play(game.observe(0))})
    mine = game.view()["players"][0]
    assert mine["hives"] > 2
    assert mine["bees"] > 4


def test_greedy_strikes_the_enemy_beside_it() -> None:
    game = match("H0  B0  B1  .   .")
    assert order("attack", 1, "E") in Hive.bots["greedy"]().play(game.view(0))


def test_greedy_meets_an_enemy_near_its_hive() -> None:
    game = match("H0  B0  .   .   B1  .")
    assert order("move", 1, "E") in Hive.bots["greedy"]().play(game.view(0))


def test_a_greedy_bot_that_starts_another_match_forgets_the_first() -> None:
    bot = Hive.bots["greedy"]()
    first = Hive.new(2, seed=0)
    first.step({0: bot.play(first.observe(0))})
    bot.play(first.observe(0))
    other = Hive.new(2, seed=0, map="tiny")
    bot.random.seed(0)
    assert bot.play(other.observe(0)) == Hive.bots["greedy"](seed=0).play(other.observe(0))


# ---------------------------------------------------------------- the menu


def test_the_menu_names_units_then_directions() -> None:
    game = match("B0  .   R   B1", (6, 0))
    assert game.legal(0) == {
        "move": Pieces("unit", [0]),
        "build_wall": Pieces("unit", [0]),
    }
    assert game.legal(0, {"do": "move", "unit": 0}) == Choices("dir", ["E"])
    assert game.legal(0, {"do": "move", "unit": [0, 0]}) == Choices("dir", ["E"])
    assert game.legal(0, {"do": "move", "unit": 0, "dir": "E"}) is None


@pytest.mark.parametrize("unit", [1, 99, [0, 6], [9, 9]])
def test_the_menu_offers_nothing_for_units_of_others(unit: object) -> None:
    assert match("B0  .   .   B1").legal(0, {"do": "move", "unit": unit}) == Choices("dir", [])


@pytest.mark.parametrize("unit", ["B0", None, [0], 10**30, True])
def test_the_menu_refuses_what_names_no_unit(unit: object) -> None:
    with pytest.raises(marchland.MarchlandError, match="unit of move cannot be"):
        match("B0  .   .   B1").legal(0, {"do": "move", "unit": unit})


def test_the_menu_knows_prices_and_fields() -> None:
    game = match("F   B0  H0  .   B1", (23, 0))
    menu = game.legal(0)
    assert isinstance(menu, dict)
    assert "build_hive" not in menu
    assert "forage" not in menu
    assert menu["spawn"] == Pieces("unit", [1])
    game.step({0: [order("move", 0, "W")]})
    menu = game.legal(0)
    assert isinstance(menu, dict)
    assert menu["forage"] == Pieces("unit", [0])


# ---------------------------------------------------------------- positions and refusals


def test_a_position_is_complete_and_readable() -> None:
    game = match("B0  F   B1", (3, 4))
    game.step({0: [order("move", 0, "E")]})
    game.step({0: [order("forage", 0)]})
    position = game.position()
    assert position["fields"] == [[0, 2, 119]]
    assert position["entities"][0] == {"id": 0, "kind": "bee", "owner": 0, "at": [0, 2], "hp": 2}
    assert position["players"][0] == {"name": "A", "flowers": 4, "next_id": 6, "contends": False}
    assert marchland.from_position(position).digest() == game.digest()


def test_entities_by_hand_have_full_hit_points() -> None:
    listed = [{"id": 4, "kind": "hive", "owner": 0, "at": [0, 2]}]
    text = {"game": "hive", "players": [{"name": "A"}], "map": [".   .   F"], "entities": listed}
    game = marchland.from_position(text)
    assert game.view()["entities"] == [{**listed[0], "hp": 12}]


BEE: dict[str, Any] = {"id": 0, "kind": "bee", "owner": 0, "at": [0, 0]}

BAD_POSITIONS: dict[str, dict[str, Any]] = {
    "owner is 2": {"map": ["B2  ."]},
    "line 1, column 5": {"map": ["B0  X"]},
    "no field": {"map": ["B0  ."], "fields": [[0, 2, 5]]},
    "nothing can stand": {"entities": [{"id": 0, "kind": "bee", "owner": 0, "at": [0, 2]}], "map": [".   R"]},
    "only one can stand": {
        "map": [".   ."],
        "entities": [{"id": id_, "kind": "bee", "owner": 0, "at": [0, 2]} for id_ in range(2)],
    },
    "ascending id": {
        "map": [".   ."],
        "entities": [{"id": 1 - place, "kind": "bee", "owner": 0, "at": [0, 2 * place]} for place in range(2)],
    },
    "0 has -1 hp": {"map": ["."], "entities": [{**BEE, "hp": -1}]},
    '0 has 0 hp; with attack="damage" there can be 1': {"map": ["."], "entities": [{**BEE, "hp": 0}]},
    f"0 has {2**70} hp": {"map": ["."], "entities": [{**BEE, "hp": 2**70}]},
    "carries 5, but a hive carries nothing": {
        "map": ["."],
        "entities": [{**BEE, "kind": "hive", "carries": 5}],
        "config": {"edition": "2025"},
    },
    "carries 2, but a bee can carry 0 to 1": {
        "map": ["."],
        "entities": [{**BEE, "carries": 2}],
        "config": {"edition": "2025"},
    },
    "carries 1, but with carrying=false": {"map": ["."], "entities": [{**BEE, "carries": 1}]},
    "flowers": {"map": ["B0"], "players": [{"name": "A", "flowers": -1}]},
    "over is 99": {"map": ["B0"], "over": 99},
    "over is -3": {"map": ["B0"], "over": -3},
    f"over is {2**70}": {"map": ["B0"], "over": 2**70},
    "over is 4, a stalemate, but neither": {"map": ["B0"], "over": 4, "without_creation": 49},
    "without_gathering is -500": {"map": ["B0"], "without_gathering": -500},
    f"without_gathering is {2**70}": {"map": ["B0"], "without_gathering": 2**70},
    f"without_creation is {2**70}": {"map": ["B0"], "without_creation": 2**70},
    f"A has the next_id {2**70 + 2}": {"map": ["B0"], "players": [{"name": "A", "next_id": 2**70 + 2}]},
    f"A has the next_id {2**63 - 2}": {"map": ["B0"], "players": [{"name": "A", "next_id": 2**63 - 2}]},
    "A has the next_id -6": {"map": ["."], "players": [{"name": "A", "next_id": -6}]},
    "A has the next_id 0; it must be 6 or more": {"map": ["B0"], "players": [{"name": "A", "next_id": 0}]},
    "A has the next_id 7; it must be 6 or more": {"map": ["B0"], "players": [{"name": "A", "next_id": 7}]},
    "the map is bare": {"map": ["B0  ."], "entities": [{**BEE, "at": [0, 2]}]},
    "cannot be read": {"map": 7},
}


@pytest.mark.parametrize(("problem", "text"), BAD_POSITIONS.items())
def test_a_bad_position_is_refused(problem: str, text: dict[str, Any]) -> None:
    with pytest.raises(marchland.PositionError, match=problem):
        marchland.from_position({"game": "hive", "players": [{"name": "A"}, {"name": "B"}], **text})


def test_a_position_by_hand_may_say_which_ids_come_next() -> None:
    players = [{"name": "A", "next_id": 600}, {"name": "B"}]
    game = marchland.from_position({"game": "hive", "players": players, "map": ["H0  B1"]})
    assert [player["next_id"] for player in game.position()["players"]] == [600, 7]


def test_hit_points_of_zero_need_attacks_by_chance() -> None:
    with pytest.raises(marchland.ConfigError, match="at least 1"):
        Hive.new(2, config={"bee_hp": 0})


def test_hive_takes_one_to_six_players() -> None:
    with pytest.raises(marchland.ConfigError, match="1 to 6 players"):
        Hive.new(7)


def test_late_joiners_are_refused() -> None:
    with pytest.raises(marchland.JoinRefusedError):
        Hive.new(2).join("late")


@pytest.mark.parametrize(
    "bad",
    [
        {"do": "move", "unit": 0},
        {"do": "move", "unit": 0, "dir": "N"},
        {"do": "move", "unit": [0], "dir": "E"},
        {"do": "move", "unit": [0, 0, 0], "dir": "E"},
        {"do": "move", "unit": "0,0", "dir": "E"},
        {"do": "move", "unit": 2**53, "dir": "E"},
        {"do": "forage", "unit": 0, "dir": "E"},
        {"do": "fly", "unit": 0},
    ],
)
def test_what_is_no_order_is_refused_with_a_sentence_and_changes_nothing(bad: dict[str, Any]) -> None:
    game, twin = match("B0  .   B1"), match("B0  .   B1")
    (result,) = game.step({0: [bad]}).results[0]
    twin.step()
    assert result.reason == "MALFORMED"
    assert len(result.sentence) > 10
    assert game.digest() == twin.digest()


def test_an_order_for_a_strangers_unit_leaves_the_state_untouched() -> None:
    game, twin = match("B0  .   B1"), match("B0  .   B1")
    game.step({0: [order("move", 1, "W"), order("attack", (0, 4), "W"), order("forage", (40, 40))]})
    twin.step()
    assert game.digest() == twin.digest()
