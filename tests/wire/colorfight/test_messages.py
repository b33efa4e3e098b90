"""Parsing of actions, the game info, and every text for a failed command (seed, Communication; ruling 20)."""

import json
from typing import Any

import pytest

import marchland
from marchland.core.game import Game
from marchland.games.colorfight.wire import BadActionError, Command, Register, get_game_info, parse_action

SIDE = 8
HOME, FAR_HOME = (1, 1), (6, 6)


def _game(**config: Any) -> Game:
    """Two players on a plain map, each with a home."""
    flat = [[1] * SIDE] * SIDE
    plain = {"natural_gold": flat, "natural_energy": flat, "natural_cost": flat, "homes": [HOME, FAR_HOME]}
    size = {"width": SIDE, "height": SIDE}
    return marchland.new("colorfight", ["anna", "bert"], rules="upstream", config={**size, **config}, map=plain, seed=1)


def _errors(game: Game, *commands: Any) -> list[str]:
    """Play a turn with anna's commands; her errors."""
    action = parse_action(0, json.dumps({"action": "command", "cmd_list": list(commands)}))
    assert isinstance(action, Command)
    report = game.step({action.uid: action.orders})
    errors: list[str] = get_game_info(game, report)["error"].get(0, [])  # type: ignore[arg-type]
    return errors


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("a 9 9 10", "a 9 9 10 failed, Attack position is not in the map."),
        ("a 1 2 5000", "a 1 2 5000 failed, Do not have enough energy to attack."),
        ("a 5 5 10", "a 5 5 10 failed, No valid surrounding cell to attack."),
        ("a 1 2 -3", "a 1 2 -3 failed, Energy has to be positive."),
        ("a 1 2 0", "a 1 2 0 failed, Energy has to be positive."),
        ("b -1 0 g", "b -1 0 g failed, Build position is not in the map."),
        ("b 5 5 g", "b 5 5 g failed, You need to build on your own cell."),
        ("b 1 1 g", "b 1 1 g failed, There is a building on this cell already."),
        ("b 1 2 x", "b 1 2 x failed, Not a correct building."),
        ("b 8 0 x", "b 8 0 x failed, Build position is not in the map."),
        ("b -1 0 x", "b -1 0 x failed, Build position is not in the map."),
        ("a 0 8 99999999999999999999", "a 0 8 99999999999999999999 failed, Attack position is not in the map."),
        ("a 0 7 99999999999999999999", "a 0 7 99999999999999999999 failed, Do not have enough energy to attack."),
        ("b 1 2 g", "b 1 2 g failed, Not enough gold."),
        ("b 1 2 h", "b 1 2 h failed, Not enough gold."),
        ("a 5 5 5000", "a 5 5 5000 failed, Do not have enough energy to attack."),
        ("u 8 0", "u 8 0 failed, Upgrade position is not in the map."),
        ("u 6 6", "u 6 6 failed, You need to upgrade on your own cell."),
        ("u 1 2", "u 1 2 failed, You can not upgrade empty cell."),
        ("u 1 1", "u 1 1 failed, Not enough gold."),
        ("", " is not a command"),
        (12, "12 is not a command"),
        (None, "None is not a command"),
        (True, "True is not a command"),
        ([1, "a"], '[1,"a"] is not a command'),
        ("q 1 1", "q 1 1 is a wrong command, cmd type q is invalid"),
        ("u one 1", "u one 1 is a wrong command, one is not a number"),
        ("u 1", "u 1 is a wrong command, it has 2 parts and not 3"),
        ("a 1_0 2 5", "a 1_0 2 5 is a wrong command, 1_0 is not a number"),
        ("a \u0661 2 5", "a \u0661 2 5 is a wrong command, \u0661 is not a number"),
    ],
)
def test_a_command_that_fails_is_named_with_its_reason(command: Any, text: str) -> None:
    game = _game()
    assert _errors(game, "a 1 2 10") == []  # so that there is an empty cell of one's own
    assert _errors(game, command) == [text]


def test_a_home_needs_energy_as_well() -> None:
    assert _errors(_game(start_gold=2000, start_energy=900), "u 1 1") == ["u 1 1 failed, Not enough energy."]


def test_buildings_stop_at_the_level_of_the_home_and_at_the_last() -> None:
    game = _game(start_gold=20_000, start_energy=20_000)
    assert _errors(game, "a 1 2 10") == []
    assert _errors(game, "b 1 2 g", "u 1 2") == ["u 1 2 failed, You need to upgrade home first."]
    assert _errors(game, "u 1 1", "u 1 1", "u 1 1") == ["u 1 1 failed, Level is already at maximum."]


def test_a_home_is_refused_to_a_player_who_has_one() -> None:
    game = _game(start_gold=2000)
    assert _errors(game, "a 1 2 10", "b 1 2 h") == ["b 1 2 h failed, You need to build on your own cell."]
    assert _errors(game, "b 1 2 h") == ["b 1 2 h failed, You can only have one home."]


def test_words_after_a_command_are_ignored_ruling_29() -> None:
    game = _game()
    assert _errors(game, "a 1 2 100 now", "u 6 6 3 4") == ["u 6 6 failed, You need to upgrade on your own cell."]
    assert get_game_info(game)["game_map"][2][1]["owner"] == 0  # type: ignore[arg-type]


def test_a_dead_player_gets_the_ordinary_texts() -> None:
    game_map: list[list[dict[str, Any]]] = [[{} for _ in range(SIDE)] for _ in range(SIDE)]
    game_map[6][6] = {"owner": 1, "building": {"name": "home", "level": 1}}
    users = [{"username": "anna", "energy": 50, "dead": True}, {"username": "bert"}]
    config = {"rules": "upstream", "width": SIDE, "height": SIDE}
    game = marchland.from_position({"game": "colorfight", "config": config, "users": users, "game_map": game_map})
    assert _errors(game, "a 9 9 10", "a 1 1 60", "a 1 1 10", "a 1 1 0", "b 1 1 g", "u 6 6", "u 9 9") == [
        "a 9 9 10 failed, Attack position is not in the map.",
        "a 1 1 60 failed, Do not have enough energy to attack.",
        "a 1 1 10 failed, No valid surrounding cell to attack.",
        "a 1 1 0 failed, Energy has to be positive.",
        "b 1 1 g failed, You need to build on your own cell.",
        "u 6 6 failed, You need to upgrade on your own cell.",
        "u 9 9 failed, Upgrade position is not in the map.",
    ]


def test_without_a_home_there_are_no_other_buildings() -> None:
    game_map: list[list[dict[str, Any]]] = [[{} for _ in range(SIDE)] for _ in range(SIDE)]
    game_map[2][1] = {"owner": 0}
    game_map[6][6] = {"owner": 1, "building": {"name": "home", "level": 1}}
    users = [{"username": "anna", "gold": 900}, {"username": "bert"}]
    config = {"rules": "upstream", "width": SIDE, "height": SIDE}
    game = marchland.from_position({"game": "colorfight", "config": config, "users": users, "game_map": game_map})
    text = "b 1 2 g failed, You need to have a home before build other buildings."
    assert _errors(game, "b 1 2 g") == [text]
    assert _errors(game, "b 1 2 h") == ["b 1 2 h failed, Not enough gold."]


@pytest.mark.parametrize(
    ("uid", "message", "text"),
    [
        (None, "[", "This is not a valid json"),
        (None, "{}", "You have to specify an action"),
        (0, '{"action":"register","username":"a"}', "password is missing"),
        (None, '{"action":"command","cmd_list":[]}', "You need to join the game first"),
        (0, '{"action":"command","cmd_list":{}}', "Wrong type"),
    ],
)
def test_a_message_that_is_no_action_is_answered_by_its_text(uid: int | None, message: str, text: str) -> None:
    with pytest.raises(BadActionError) as refused:
        parse_action(uid, message)
    assert str(refused.value) == text


def test_too_many_commands_are_refused_before_they_are_parsed() -> None:
    message = json.dumps({"action": "command", "cmd_list": ["a 1 2 3"] * 4})
    assert len(parse_action(0, message, 4).orders) == 4  # type: ignore[union-attr]
    with pytest.raises(BadActionError, match="4 orders in one post; the most is 3"):
        parse_action(0, message, 3)


def test_the_seeds_own_messages_are_understood() -> None:
    assert parse_action(None, '{"action":"register","username":"u","password":"p"}') == Register("u", "p", "")
    assert parse_action(3, '{"action":"command","cmd_list":["a 2 3 100","b 3 5 g"]}') == Command(
        3, [{"do": "attack", "at": [2, 3], "energy": 100}, {"do": "build", "at": [3, 5], "building": "gold_mine"}]
    )


def test_the_game_info_has_the_seeds_form() -> None:
    game = _game()
    game.step({0: [{"do": "upgrade", "at": [1, 1]}]})
    info = get_game_info(game)  # type: ignore[arg-type]
    assert list(info) == ["turn", "info", "error", "game_map", "users"]
    assert info["info"] == {"max_turn": 500, "width": SIDE, "height": SIDE}
    assert info["error"] == {0: ["u 1 1 failed, Not enough gold."]}
    home = info["game_map"][1][1]
    assert (home["position"], home["building"], home["owner"]) == ([1, 1], {"name": "home", "level": 1}, 0)
    assert info["users"]["0"]["cells"] == [[1, 1]]


_CELL_TYPES = {
    "position": list,
    "building": dict,
    "attack_cost": int,
    "owner": int,
    "gold": int,
    "energy": int,
    "natural_gold": int,
    "natural_energy": int,
    "natural_cost": int,
    "force_field": int,
}
_USER_TYPES = {
    "uid": int,
    "username": str,
    "energy": int,
    "gold": int,
    "dead": bool,
    "tech_level": int,
    "energy_source": int,
    "gold_source": int,
    "cells": list,
}


def test_every_field_of_the_game_info_has_the_seeds_type() -> None:
    info = get_game_info(_game())  # type: ignore[arg-type]
    assert type(info["turn"]) is int
    assert {type(value) for value in info["info"].values()} == {int}
    home, user = info["game_map"][1][1], info["users"]["0"]
    assert {name: type(home[name]) for name in _CELL_TYPES} == _CELL_TYPES
    assert {name: type(user[name]) for name in _USER_TYPES} == _USER_TYPES
    assert [type(value) for value in (*home["position"], *home["building"].values())] == [int, int, str, int]
    assert (user["uid"], user["username"], user["tech_level"]) == (0, "anna", 1)
