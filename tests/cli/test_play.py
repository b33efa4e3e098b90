"""``marchland play``."""

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import SMALL, Run


def played(run: Run, *arguments: object) -> Any:
    ran = run("play", "colorfight", *arguments, "--json")
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def test_a_finished_match_is_printed_as_one_json_object(run: Run) -> None:
    result = played(run, "--set", "width=10", "--set", "height=10", "--set", "max_turn=15", "--seed", 5)
    assert result["outcome"]["reason"] == "Turn 15 is the last."
    assert result["turns"] == 14
    assert {player["place"] for player in result["players"]} <= {1, 2}
    assert all(player["orders"] > 0 for player in result["players"])


def test_the_same_seed_gives_the_same_match(run: Run) -> None:
    first, second = (played(run, *SMALL, "--bots", "random,greedy", "--seed", 5) for _ in range(2))
    assert first == second


def test_another_seed_gives_another_match(run: Run) -> None:
    assert played(run, *SMALL, "--seed", 5)["digest"] != played(run, *SMALL, "--seed", 6)["digest"]


def test_a_random_seed_is_printed_so_that_the_match_can_be_repeated(run: Run) -> None:
    first = played(run, *SMALL)
    assert played(run, *SMALL, "--seed", first["seed"])["digest"] == first["digest"]


def test_the_table_names_places_players_bots_and_orders(run: Run) -> None:
    ran = run("play", "colorfight", *SMALL, "--seed", 5, "--bots", "greedy,idle")
    head = ran.out.splitlines()[1].split()
    assert head[:4] == ["place", "player", "bot", "gold"]
    assert head[-2:] == ["orders", "refused"]
    assert "20 turns. Stopped; the match is not over." in ran.out
    assert "--seed 5" in ran.out


def test_a_match_of_teams_ends_with_their_standing_and_shows_roles_as_words(run: Run) -> None:
    ran = run("play", "boidvoid", "--bots", "idle,idle,idle,idle", "--set", "turn_limit=2", "--map", "duel")
    lines = [line.split() for line in ran.out.splitlines()]
    assert ["place", "team", "players", "tiles", "points", "structures", "destroyed"] in lines
    assert ["1", "0", "idle", "1,", "idle", "3", "7", "0", "0", "0"] in lines
    assert "leader" in ran.out
    assert "vice" in ran.out


def test_plain_output_has_no_colours_and_no_progress(run: Run) -> None:
    ran = run("play", "colorfight", *SMALL, "--seed", 5)
    assert "\x1b" not in ran.out
    assert ran.err == ""


def test_a_preset_is_chosen_by_its_name(run: Run) -> None:
    assert played(run, *SMALL, "--rules", "upstream")["config"]["separate_attacks"] is True


def test_a_map_is_read_from_a_file(run: Run, tmp_path: Path) -> None:
    rows = [[1] * 10 for _ in range(10)]
    drawn = {"natural_gold": rows, "natural_energy": rows, "natural_cost": rows, "homes": [[0, 0], [9, 9]]}
    (tmp_path / "flat.json").write_text(json.dumps(drawn))
    run("play", "colorfight", *SMALL, "--seed", 5, "--map", tmp_path / "flat.json", "--save", tmp_path / "g.march")
    start = json.loads(run("replay", "show", tmp_path / "g.march", "--turn", 1, "--json").out)
    assert start["game_map"][9][9]["owner"] == 1


def test_a_bot_that_raises_is_reported_at_the_end(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mybot.py").write_text("def play(view):\n    return view['nothing']\n")
    ran = run("play", "colorfight", *SMALL, "--bots", f"{tmp_path}/mybot.py,greedy")
    assert ran.code == 0
    assert "mybot failed in 20 of 20 turns, first in turn 1: KeyError: 'nothing' (mybot.py, line 2)" in ran.out


def test_a_bot_that_prints_does_not_spoil_the_json(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mybot.py").write_text("print('hello')\ndef play(view):\n    print('thinking')\n")
    assert played(run, *SMALL, "--bots", f"{tmp_path}/mybot.py,greedy")["turns"] == 20


def test_a_saved_match_is_named_and_nothing_else_is_left_behind(run: Run, tmp_path: Path) -> None:
    assert played(run, *SMALL, "--save", tmp_path / "g.march")["saved"] == str(tmp_path / "g.march")
    assert [path.name for path in tmp_path.iterdir()] == ["g.march"]


@pytest.mark.parametrize("bots", ["greedy", "greedy,greedy,greedy"])
def test_any_number_of_bots_may_play(run: Run, bots: str) -> None:
    assert len(played(run, *SMALL, "--bots", bots)["players"]) == bots.count(",") + 1
