"""What players and programs see: the seed's ``get_game_info``, positions, observations, menus and pictures."""

from typing import Any

import numpy as np
import pytest

import marchland
from marchland.games.colorfight.views import observation_from_view
from tests.games.colorfight.builders import attack, build, match, own


def small(players: int = 2) -> Any:
    return marchland.new("colorfight", players, seed=4, config={"width": 8, "height": 8})


def test_the_view_has_the_seeds_names() -> None:
    view = small().view(0)
    assert {"turn", "info", "error", "game_map", "users"} <= set(view)
    assert {"max_turn", "width", "height"} <= set(view["info"])
    assert set(view["game_map"][0][0]) == {
        "position",
        "building",
        "attack_cost",
        "owner",
        "gold",
        "energy",
        "natural_gold",
        "natural_energy",
        "natural_cost",
        "force_field",
    }
    expected = {"uid", "username", "energy", "gold", "dead", "tech_level", "energy_source", "gold_source", "cells"}
    assert expected <= set(view["users"]["0"])


def test_rows_are_y_and_columns_are_x() -> None:
    game = match({(5, 2): own(0, "home")})
    cell = game.view()["game_map"][2][5]
    assert (cell["position"], cell["owner"], cell["building"]) == ([5, 2], 0, {"name": "home", "level": 1})


def test_a_cell_shows_what_it_yields_beside_its_natural_values() -> None:
    land = {"natural_gold": 6, "natural_energy": 4}
    cells = {(0, 0): own(0, "home", 2, **land), (1, 0): own(0, "gold_mine", 2, **land), (2, 0): own(0, "energy_well")}
    game = match({**cells, (3, 0): dict(land)})
    shown = game.view()["game_map"][0][:4]
    assert [(cell["gold"], cell["energy"]) for cell in shown] == [(20, 20), (18, 4), (1, 2), (6, 4)]
    assert [(cell["natural_gold"], cell["natural_energy"]) for cell in shown] == [(6, 4), (6, 4), (1, 1), (6, 4)]


def test_sources_tell_what_the_next_round_brings() -> None:
    game = match({(5, 2): own(0, "home"), (5, 3): own(0, "gold_mine", natural_gold=6)})
    before = game.view()["users"]["0"]
    game.step()
    after = game.view()["users"]["0"]
    assert after["gold"] - before["gold"] == before["gold_source"] == 22
    assert after["energy"] - before["energy"] == before["energy_source"] == 11


def test_errors_name_the_order_and_the_reason_ruling_20() -> None:
    game = match({(5, 2): own(0, "home"), (7, 7): own(1, "home")})
    game.step({0: [attack(0, 0, 5), build(5, 2, "fortress"), "nonsense"], 1: [attack(7, 6, 100)]})
    (unreachable, occupied, malformed) = game.view(0)["error"]["0"]
    assert unreachable == "None of the four neighbours of [0, 0] is yours."
    assert occupied == "There is a building on [5, 2] already."
    assert "not understood" in malformed
    assert game.view(1)["error"] == {"1": []}
    game.step()
    assert game.view(0)["error"] == {"0": []}


def test_an_observation_is_the_same_from_the_match_and_from_a_view() -> None:
    game = small(3)
    bots = [game.bots["greedy"]() for _ in range(3)]
    for _ in range(30):
        game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
    for seat in range(3):
        from_match, from_view = game.observe(seat), observation_from_view(game.view(seat))
        for name, array in from_view.items():
            assert np.array_equal(array, from_match[name]), name


def test_bots_play_the_same_from_a_view_and_from_an_observation() -> None:
    game = small()
    for name in ("greedy", "random"):
        assert game.bots[name](seed=3).play(game.view(0)) == game.bots[name](seed=3).play(game.observe(0))


def test_an_observation_can_be_copied_into_given_arrays_and_cannot_be_written_otherwise() -> None:
    game = small()
    seen = game.observe(1)
    with pytest.raises(ValueError, match="read-only"):
        seen["owner"][0] = 1
    out = {name: np.zeros_like(array) for name, array in seen.items()}
    assert game.observe(1, out) is out
    assert all(np.array_equal(out[name], seen[name]) for name in seen)


def test_the_menu_leads_from_the_verb_to_a_whole_order() -> None:
    game = match({(5, 2): own(0, "home"), (5, 3): own(0), (7, 7): own(1, "home")}, [{"gold": 250, "energy": 90}, {}])
    menu = game.legal(0)
    assert isinstance(menu, dict)
    assert set(menu) == {"attack", "build"}
    assert game.legal(0, {"do": "build"}) == menu["build"]
    assert marchland.find("colorfight").codec.names == ("attack", "build", "upgrade")
    energy: Any = game.legal(0, {"do": "attack", "at": [5, 4]})
    assert (energy.param, energy.least, energy.most) == ("energy", 1, 90)
    buildings: Any = game.legal(0, {"do": "build", "at": [5, 3]})
    assert buildings.choices == ["energy_well", "gold_mine", "fortress"]
    assert game.legal(0, {"do": "build", "at": [5, 3], "building": "fortress"}) is None


@pytest.mark.parametrize(("energy", "usual"), [(1000, 100), (90, 90)])
def test_the_usual_energy_of_an_attack_is_what_takes_the_cell_as_far_as_it_goes(energy: int, usual: int) -> None:
    game = match({(5, 2): own(0, "home"), (7, 7): own(1, "home")}, [{"energy": energy}, {}])
    menu: Any = game.legal(0, {"do": "attack", "at": [5, 3]})
    assert menu.usual == usual


def test_a_partial_order_that_cannot_be_is_refused_in_a_sentence() -> None:
    game = match({(5, 2): own(0, "home"), (7, 7): own(1, "home")})
    for name, value, words in [("at", "garbage", "at of attack"), ("speed", 3, "has no 'speed'")]:
        with pytest.raises(marchland.MarchlandError, match=words):
            game.legal(0, {"do": "attack", name: value})


def test_a_late_joiners_sources_tell_what_the_next_round_brings() -> None:
    game = small()
    game.join("eve")
    before = game.view()["users"]["2"]
    game.step()
    assert game.view()["users"]["2"]["gold"] - before["gold"] == before["gold_source"] == 10


def test_events_tell_what_happened_where() -> None:
    game = match({(5, 2): own(0, "home"), (7, 7): own(1, "home")}, [{"gold": 0}, {}])
    report = game.step({0: [attack(5, 3, 100), attack(4, 2, 50)]})
    assert report.events == [
        {"event": "captured", "at": [5, 3], "by": 0, "from": None, "building": "empty"},
        {"event": "repelled", "at": [4, 2], "by": 0, "from": None, "energy": 50, "needed": 100},
    ]


def test_a_hand_written_position_can_leave_nearly_everything_out() -> None:
    plain: dict[str, Any] = {"game": "colorfight", "users": [{"username": "A"}], "game_map": [[{}] * 8] * 8}
    game = marchland.from_position(plain)
    assert (game.turn, game.players) == (1, ("A",))
    assert game.view()["game_map"][0][0]["natural_cost"] == 100


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"users": []}, "1 to 1000 players"),
        ({"users": [{"username": "A", "luck": 3}]}, "luck"),
        ({"users": [{"name": "A"}]}, "name"),
        ({"game_map": [[{}] * 8] * 7 + [[{}] * 9]}, "equally long"),
        ({"game_map": [[{}] * 7] * 7}, ">= 8"),
        ({"game_map": [[{"owner": 4}] * 8] * 8}, "players are 0 to 0"),
        ({"game_map": [[{"building": {"name": "castle"}}] * 8] * 8}, "no building 'castle'"),
        ({"game_map": [[{"building": {"name": "home", "level": 1}}] * 8] * 8}, "needs an owner"),
        ({"game_map": [[own(0, "home")] * 8] * 8}, "two homes"),
        ({"game_map": [[{"force_field": -1}] * 8] * 8}, "force_field"),
        ({"game_map": [[{"natural_cost": 99999}] * 8] * 8}, "natural_cost"),
        ({"turn": "soon"}, "turn"),
        ({"turn": 2**70}, "turn"),
        ({"seq": -1}, "seq"),
        ({"over": 7}, "over"),
        ({"over": 2**70}, "over"),
        ({"version": 99}, "version"),
        ({"version": "x"}, "version"),
        ({"users": [{"username": ""}]}, "1 to 14 characters"),
        ({"users": [{"username": "A", "energy": 2**70}]}, "too large"),
        ({"users": [{"username": "A", "tax_amount": 2**70}]}, "too large"),
        ({"failed": [{"player": 99, "order": None, "reason": "MALFORMED"}]}, "no player 99"),
        ({"game_map": [[{"force_field": 1001}] * 8] * 8}, "force_field"),
        ({"key": "xyz"}, "key"),
        ({"config": {"nope": 1}}, "nope"),
        ({"game": "chess"}, "no game 'chess'"),
        ({"failed": [{"player": 0, "order": None, "reason": "BAD LUCK"}]}, "failed"),
    ],
)
def test_a_position_that_cannot_be_is_refused_in_a_sentence(change: dict[str, Any], words: str) -> None:
    plain: dict[str, Any] = {"game": "colorfight", "users": [{"username": "A"}], "game_map": [[{}] * 8] * 8}
    with pytest.raises(marchland.MarchlandError, match=words):
        marchland.from_position({**plain, **change})


@pytest.mark.parametrize("position", [None, [], "colorfight", {}])
def test_what_is_no_position_at_all_is_refused(position: Any) -> None:
    with pytest.raises(marchland.PositionError):
        marchland.from_position(position)
