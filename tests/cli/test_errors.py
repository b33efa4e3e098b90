"""Bad input gets one line that names what is wrong and what would be right, and exit code 2."""

from pathlib import Path

import pytest

from .conftest import SMALL, Run

BAD = {
    "an unknown game": (["play", "colorfigt"], "did you mean 'colorfight'?"),
    "an unknown bot": (["play", "colorfight", "--bots", "gredy"], "did you mean 'greedy'?"),
    "an empty bot": (["play", "colorfight", "--bots", "greedy,,"], "like --bots greedy,random"),
    "a bot's missing program": (["play", "colorfight", "--bots", "cmd:nodee bot.js"], "there is no program nodee"),
    "no time for bots": (["play", "colorfight", "--bot-seconds", "0"], "--bot-seconds"),
    "a missing bot file": (["play", "colorfight", "--bots", "no/bot.py"], "No such file"),
    "an unknown setting": (["play", "colorfight", "--set", "wdth=9"], "did you mean 'width'?"),
    "a value too small": (["play", "colorfight", "--set", "width=1"], "width cannot be '1'"),
    "a value that is no number": (["play", "colorfight", "--set", "width=wide"], "width cannot be 'wide'"),
    "a setting without value": (["play", "colorfight", "--set", "width"], "like --set max_turn=100"),
    "unknown rules": (["play", "colorfight", "--rules", "downstream"], "did you mean 'upstream'?"),
    "an unknown map": (["play", "colorfight", "--map", "flat"], "there are symmetric and random"),
    "a missing map file": (["play", "colorfight", "--map", "flat.json"], "no map file flat.json"),
    "no turns": (["play", "colorfight", "--turns", "0"], "--turns"),
    "negative turns": (["play", "colorfight", "--turns", "-1"], "--turns"),
    "turns that are no number": (["play", "colorfight", "--turns", "many"], "--turns"),
    "a negative seed": (["play", "colorfight", "--seed", "-1"], "--seed"),
    "an endless delay": (["play", "colorfight", "--delay", "nan"], "--delay"),
    "a folder that is missing": (["play", "colorfight", "--save", "no/such/g.march"], "no/such does not exist"),
    "a folder as file": (["play", "colorfight", "--save", "/tmp"], "is a folder"),
    "a place that takes no files": (["play", "colorfight", "--save", "/proc/g.march"], "cannot be written"),
    "no game": (["play"], "marchland play --help"),
    "an unknown command": (["plya"], "play"),
    "an unknown option": (["play", "colorfight", "--fast"], "--fast"),
    "a missing replay": (["replay", "verify", "no.march"], "no.march cannot be read"),
    "days that are no number": (["serve", "--days-with-people", "soon"], "'soon' is no number; write a number of days"),
    "a rate that is no number": (["serve", "--rate", "fast"], "'fast' is no number"),
    "an unknown game to warm up": (["warmup", "chess"], "no game 'chess'"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input_gets_one_line(run: Run, what: str) -> None:
    arguments, expected = BAD[what]
    ran = run(*arguments)
    assert ran.code == 2
    assert ran.out == ""
    assert expected in ran.err
    assert ran.err.count("\n") == 1
    assert "Traceback" not in ran.err


def test_a_bot_file_that_raises_gets_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mybot.py").write_text("\nraise ValueError('not\\nready')\n")
    ran = run("play", "colorfight", *SMALL, "--bots", tmp_path / "mybot.py")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "ValueError: not (mybot.py, line 2)" in ran.err


@pytest.mark.parametrize("content", [b"\xff\xfe", b"{broken", b"[1, 2]"])
def test_a_map_file_that_is_no_map_gets_one_line(run: Run, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "flat.json").write_bytes(content)
    ran = run("play", "colorfight", *SMALL, "--map", tmp_path / "flat.json")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)


def test_a_refused_match_leaves_no_file_behind(run: Run, tmp_path: Path) -> None:
    assert run("play", "colorfight", "--map", "flat", "--save", tmp_path / "g.march").code == 2
    assert list(tmp_path.iterdir()) == []
