"""``marchland map new`` and ``marchland map check``."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

WITH_MAP_FILES = ["boidvoid", "enova", "hive"]


@pytest.mark.parametrize("game", WITH_MAP_FILES)
def test_a_new_map_is_a_good_map(run: Run, game: str, tmp_path: Path) -> None:
    path = tmp_path / "new.txt"
    assert run("map", "new", game, "-o", str(path)).code == 0
    checked = run("map", "check", str(path))
    assert checked.code == 0
    assert f"good map for {game}" in checked.out


def test_settings_of_a_new_map_are_those_of_the_games_generator(run: Run) -> None:
    made = run("map", "new", "boidvoid", "--set", "teams=3", "--set", "width=20", "--set", "height=20")
    assert made.code == 0
    assert json.loads(made.out)["width"] == 20


def test_a_new_map_can_be_played(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "new.txt"
    path.write_text(run("map", "new", "enova", "--set", "players=4").out)
    played = run("play", "enova", "--map", str(path), "--bots", "idle,idle", "--turns", "3", "--json")
    assert played.code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("new", "colorfight"), "no map files;"),
        (("new", "chess"), "no game 'chess'"),
        (("new", "enova", "--set", "plyers=4"), "did you mean 'players'"),
        (("new", "enova", "--set", "players"), "--set takes"),
        (("new", "enova", "--set", "players=many"), "1 player or more"),
        (("new", "enova", "-o", "nowhere/at/all.txt"), "cannot be written"),
        (("check", "nowhere.txt"), "cannot be read"),
        (("check", "nowhere.txt", "--game", "chess"), "cannot be read"),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(run: Run, arguments: tuple[str, ...], words: str) -> None:
    done = run("map", *arguments)
    assert done.code == 2
    assert words in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("text", "game", "place"),
    [
        ("0???1\n?X?X?\nC???C\n", "enova", "Line 1, column 2"),
        ("# An island\n0..\n...\n....\n", "enova", "Line 4, column 4"),
        (".   F   H7\n  .   R   .\n", "hive", "line 1, column 9"),
        ("H0  .  F\n", "hive", "line 1, column 8"),
    ],
)
def test_a_broken_map_is_judged_as_the_game_it_looks_like(
    run: Run, tmp_path: Path, text: str, game: str, place: str
) -> None:
    path = tmp_path / "broken.txt"
    path.write_text(text)
    done = run("map", "check", str(path))
    assert done.code == 2
    assert f"no map that {game} can be played on" in done.err
    assert place in done.out


@pytest.mark.parametrize(
    ("text", "remark"),
    [("H0  F   .   .   .   H3\n", "not symmetric for 2 players"), ("H0  .\n", "the map has no field")],
)
def test_a_map_that_is_only_unfair_passes_with_a_remark(run: Run, tmp_path: Path, text: str, remark: str) -> None:
    path = tmp_path / "uneven.txt"
    path.write_text(text)
    done = run("map", "check", str(path), "--game", "hive")
    assert done.code == 0
    assert remark in done.out
    assert "can be played on, but may be unfair: 1 to look at" in done.out
    assert run("play", "hive", "--map", str(path), "--bots", "idle", "--turns", "1", "--json").code == 0


@pytest.mark.parametrize(("text", "looks"), [("\n", "looks like no game's map"), ("H0\n", "enova and hive")])
def test_a_map_that_may_be_for_none_or_for_several_games_needs_its_game_named(
    run: Run, tmp_path: Path, text: str, looks: str
) -> None:
    path = tmp_path / "vague.txt"
    path.write_text(text)
    done = run("map", "check", str(path))
    assert done.code == 2
    assert looks in done.err
    assert "--game" in done.err
    assert "Line 1" in run("map", "check", str(path), "--game", "enova").out


def test_every_mistake_is_named_by_line_and_column(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "broken.txt"
    path.write_text("0...?\n.....\n1....\n")
    done = run("map", "check", str(path), "--game", "enova")
    assert done.code == 2
    assert "Line 1, column 5" in done.out
