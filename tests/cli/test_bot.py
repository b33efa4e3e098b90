"""``marchland bot check``: what a server would do with a submission."""

import json
import shutil
from pathlib import Path

import pytest

from tests.support.jails import FRONTIER, needs_jail

from .conftest import Run


@needs_jail
def test_a_python_file_is_checked_in_a_jail(run: Run) -> None:
    ran = run("bot", "check", FRONTIER, "--game", "colorfight", "--seconds", 20)
    assert (ran.code, ran.err) == (0, "")
    assert "Unpacked frontier: 2 files" in ran.out
    assert "Played in the sandbox 'jailed':" in ran.out
    assert ran.out.endswith("A server will take it.\n")


def test_a_folder_is_built_and_every_seat_is_played(run: Run, tmp_path: Path) -> None:
    if shutil.which("cc") is None:
        pytest.skip("there is no cc on this machine")
    shutil.copy(FRONTIER.with_suffix(".c"), tmp_path)
    (tmp_path / "bot.toml").write_text(
        'name = "mine"\nrun = "./mine"\nbuild = "cc -O1 -o mine frontier.c"\ngames = ["colorfight"]\n'
    )
    ran = run("bot", "check", tmp_path, "--sandbox", "open", "--seconds", 20, "--json")
    shown = json.loads(ran.out)
    assert (ran.code, shown["name"], shown["files"], shown["sandbox"]) == (0, "mine", 2, "open")
    assert shown["build_seconds"] > 0
    assert [(seat["game"], seat["seat"], seat["turns"], seat["problem"]) for seat in shown["seats"]] == [
        ("colorfight", 0, 5, ""),
        ("colorfight", 1, 5, ""),
    ]
    assert all(seat["orders"] > 0 and seat["memory"] > 0 and seat["first_answer"] > 0 for seat in shown["seats"])


def test_a_bot_that_fails_is_shown_with_its_problem(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('name = "mine"\nrun = ["sh", "-c", "echo gone >&2; exit 4"]\ngames = ["hive"]\n')
    ran = run("bot", "check", tmp_path, "--sandbox", "open")
    assert ran.code == 1
    assert "in turn 0: it ended by itself with exit code 4; its last words were 'gone'." in ran.out
    assert ran.out.endswith("2 of 2 seats failed.\n")


def test_what_is_no_submission_is_refused_in_one_line(run: Run, tmp_path: Path) -> None:
    ran = run("bot", "check", tmp_path, "--sandbox", "open")
    assert (ran.code, ran.out, ran.err) == (2, "", "There is no bot.toml at the top of the submission.\n")


def test_without_bubblewrap_the_check_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = run("bot", "check", FRONTIER)
    assert ran.code == 2
    assert ran.err.startswith("Jailed bots need bubblewrap, which is not installed;")


@needs_jail
def test_a_local_match_can_be_jailed(run: Run) -> None:
    ran = run("play", "colorfight", "--bots", f"{FRONTIER},greedy", "--turns", 3, "--bot-sandbox", "jailed", "--json")
    assert [player["sandbox"] for player in json.loads(ran.out)["players"]] == ["jailed", "open"]
