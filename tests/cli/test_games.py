"""``marchland games`` and ``marchland warmup``."""

import json

from .conftest import Run


def test_every_game_is_listed_with_its_bots(run: Run) -> None:
    ran = run("games")
    assert ran.code == 0
    assert "colorfight" in ran.out
    assert "idle, random, greedy, easy, normal, hard" in ran.out


def test_the_list_is_there_for_programs(run: Run) -> None:
    listed = {game["name"]: game for game in json.loads(run("games", "--json").out)}
    assert listed["colorfight"]["bots"] == ["idle", "random", "greedy", "easy", "normal", "hard"]
    assert listed["colorfight"]["least_players"] == 1


def test_a_game_is_warmed_up_by_name(run: Run) -> None:
    ran = run("warmup", "colorfight")
    assert ran.code == 0
    assert ran.out == "[1/1] colorfight is ready.\n"


def test_games_are_warmed_up_side_by_side(run: Run) -> None:
    ran = run("warmup", "hive", "enova")
    assert ran.code == 0
    first, second = ran.out.splitlines()
    assert {first, second} in (
        {"[1/2] hive is ready.", "[2/2] enova is ready."},
        {"[1/2] enova is ready.", "[2/2] hive is ready."},
    )
