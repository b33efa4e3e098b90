"""The state's text: values as in the public server's, and the same as the game's own views show."""

import json
from typing import Any, cast

import msgspec

import marchland
from marchland.games.colorfight import views
from marchland.games.colorfight.game import Colorfight
from marchland.games.colorfight.rules.config import ColorfightConfig
from marchland.games.colorfight.wire import Room, before_start, get_game_info, state_bytes
from tests.games.colorfight.builders import match, own

HEADERS = (
    *("attack_cost", "force_field", "building", "gold", "energy", "owner", "position"),
    *("natural_gold", "natural_energy", "natural_cost"),
)
LETTERS = {" ": "empty", "h": "home", "e": "energy_well", "g": "gold_mine", "f": "fortress"}


def show(game: Any, *, uids: list[int] | None = None) -> Any:
    """The state as data."""
    count = len(game.players)
    room = Room("x", count, 1.0, 0, True, [], uids or list(range(1, count + 1)), [False] * count)
    return json.loads(state_bytes(game, room, {}))


def cells_of(state: Any) -> dict[tuple[int, int], dict[str, Any]]:
    """The cells of a state by position."""
    listed = [dict(zip(HEADERS, cell, strict=True)) for row in state["game_map"]["data"] for cell in row]
    return {tuple(cell["position"]): cell for cell in listed}


def play(turns: int, **config: Any) -> Colorfight:
    """Greedy players after some turns: much of the map has an owner, and all kinds of buildings stand."""
    size = {"width": 20, "height": 14}
    game = cast(
        Colorfight, marchland.new("colorfight", 3, rules="upstream", config=size | config, map="random", seed=4)
    )
    bots = [game.bots["greedy"](seed=seat) for seat in range(3)]
    for _ in range(turns):
        game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
    return game


def test_building_number_counts_by_name_and_is_empty_before_the_start() -> None:
    cells = {(0, 0): own(0, "home"), (1, 0): own(0, "gold_mine"), (2, 0): own(0, "gold_mine"), (3, 0): own(0)}
    users = show(match(cells, rules="upstream"))["users"]
    assert users["1"]["building_number"] == {"home": 1, "gold_mine": 2}
    assert users["2"]["building_number"] == {}
    flat = [[1] * 8] * 8
    plain = {"natural_gold": flat, "natural_energy": flat, "natural_cost": flat, "homes": [(1, 1)]}
    waiting = before_start(ColorfightConfig.build({"width": 8, "height": 8}), ["anna"], plain)
    assert show(waiting)["users"]["1"]["building_number"] == {}


def test_ranking_is_the_place_by_gold_now_and_equals_share_it() -> None:
    cells = {(x, 0): own(x, "home") for x in range(4)}
    game = match(cells, [{"gold": gold} for gold in (5, 9, 9, 0)], rules="upstream")
    assert [user["ranking"] for user in show(game)["users"].values()] == [3, 1, 1, 4]


def test_sources_are_before_tax() -> None:
    cells = {(x, y): own(0) for x in range(8) for y in range(5)} | {(0, 0): own(0, "home")}
    game = match(cells, [{"energy": 0}], rules="upstream", tax_bracket=10)
    game.step()
    user = show(game)["users"]["1"]
    gross, tax = 10 + 39, 10 + 20 + 30
    assert (user["energy_source"], user["gold_source"], user["tax_amount"]) == (gross, gross, tax)
    assert (user["energy"], user["gold"]) == (gross - tax, gross - tax)
    assert get_game_info(cast(Colorfight, game))["users"]["0"]["energy_source"] == gross - tax


def test_cells_are_listed_column_by_column() -> None:
    game = match({(2, 0): own(0), (0, 3): own(0), (0, 1): own(0), (1, 2): own(0, "home")}, rules="upstream")
    assert show(game)["users"]["1"]["cells"] == [[0, 1], [0, 3], [1, 2], [2, 0]]
    assert get_game_info(cast(Colorfight, game))["users"]["0"]["cells"] == [[2, 0], [0, 1], [1, 2], [0, 3]]


def test_a_homes_attack_cost_lags_one_income_and_is_a_thousand_before_the_start() -> None:
    game = match({(0, 0): own(0, "home"), (7, 7): own(1, "home")}, [{"energy": 500}, {"energy": 0}], rules="upstream")
    game.step()
    assert show(game)["users"]["1"]["energy"] == 510
    assert cells_of(show(game))[0, 0]["attack_cost"] == 1500
    flat = [[1] * 8] * 8
    plain = {"natural_gold": flat, "natural_energy": flat, "natural_cost": flat, "homes": [(1, 1)]}
    waiting = before_start(ColorfightConfig.build({"width": 8, "height": 8}), ["anna"], plain)
    assert cells_of(show(waiting))[1, 1]["attack_cost"] == 1000


def test_every_cell_is_the_same_as_in_the_view() -> None:
    game = play(80, width=20, height=14)
    shown = cells_of(show(game, uids=[5, 1, 7]))
    assert {LETTERS[cell["building"][0]] for cell in shown.values()} >= {"empty", "home", "energy_well", "gold_mine"}
    for row in views.game_map(game):
        for cell in row:
            wire = shown.pop(tuple(cell["position"]))
            letter, level = wire["building"]
            building = {"name": LETTERS[letter], "level": 0 if letter == " " else level}
            owner = {0: None, 5: 0, 1: 1, 7: 2}[wire["owner"]]
            cost = cell["attack_cost"] if letter == "h" else wire["attack_cost"]
            assert {**wire, "building": building, "owner": owner, "attack_cost": cost} == cell
    assert shown == {}


def test_numbers_of_any_size_are_written() -> None:
    users = [{"energy": 10**15, "gold": -(10**12)}, {"energy": -4097, "gold": 4096}]
    state = show(match({(0, 0): own(0, "home", 3), (7, 7): own(1, "home")}, users, rules="upstream"))
    shown = [(state["users"][uid]["energy"], state["users"][uid]["gold"]) for uid in "12"]
    assert shown == [(10**15, -(10**12)), (-4097, 4096)]
    before_income = 10**15 - state["users"]["1"]["energy_source"]
    assert cells_of(state)[0, 0]["attack_cost"] == 3 * (1000 + before_income)


def test_the_game_info_is_the_view_without_its_seat() -> None:
    game = play(80, width=20, height=14)
    info = get_game_info(game)
    assert info["game_map"] == views.game_map(game)
    assert info["users"] == views.users(game)


def test_the_game_info_is_an_ordinary_dict_for_every_reader() -> None:
    game = play(3)
    plain = {**get_game_info(game)}
    assert plain["game_map"] == views.game_map(game)
    assert get_game_info(game) == plain == dict(get_game_info(game)) == get_game_info(game).copy()
    assert json.loads(json.dumps(get_game_info(game))) == msgspec.json.decode(msgspec.json.encode(get_game_info(game)))
    assert get_game_info(game).get("turn") == game.turn
    assert get_game_info(game).get("nothing", 3) == 3
