"""``marchland tournament`` and ``marchland compare``: tables, JSON, exit codes, signals, errors."""

import json
import os
import re
import resource
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.bots.conftest import wait_until
from tests.cli.conftest import Run
from tests.support.jails import needs_jail
from tests.support.killed_tournaments import children_of, count_done
from tests.support.terminals import MARCHLAND, accept_signals, on_a_terminal
from tests.support.tournaments import write_bot

SMALL = ("--set", "turn_limit=8", "--workers", "1")


def test_a_tournament_prints_a_table_and_continues_from_its_database(run: Run, tmp_path: Path) -> None:
    command = ["tournament", "enova", "--bots", "greedy,idle", *SMALL, "--db", tmp_path / "t.db"]
    ran = run(*command, "--matches", 4)
    assert (ran.code, ran.err) == (0, "")
    first, headings, *rows = ran.out.splitlines()
    assert first == "enova, round-robin: 4 matches."
    assert headings.split() == ["rank", "range", "bot", "rating", "±", "won", "drawn", "lost"]
    assert ["greedy" in line.split() for line in rows[:2]] == [True, False]
    more = json.loads(run(*command, "--matches", 6, "--json").out)
    assert (more["matches"], [row["bot"] for row in more["standings"]]) == (6, ["greedy", "idle"])


@needs_jail
def test_the_sandbox_of_user_bots_is_shown(run: Run, tmp_path: Path) -> None:
    mine = write_bot(tmp_path, "mine", "return []")
    jailed = (*SMALL, "--bot-sandbox", "jailed")
    table = run("tournament", "enova", "--bots", f"{mine},idle", *jailed, "--matches", 2)
    assert table.out.startswith("enova, round-robin, sandbox jailed: 2 matches.")
    compared = run("compare", mine, "idle", "--game", "enova", *jailed, "--pairs", 1, "--json")
    assert json.loads(compared.out)["sandbox"] == "jailed"


def test_without_bubblewrap_jailed_bots_are_refused_in_a_sentence(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, db = write_bot(tmp_path, "mine", "return []"), tmp_path / "t.db"
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = run("tournament", "enova", "--bots", f"{mine},idle", "--bot-sandbox", "jailed", "--db", db)
    assert (ran.code, ran.out, len(ran.err.splitlines())) == (2, "", 1)
    assert "bubblewrap" in ran.err and not db.exists()


def test_a_comparison_against_a_field_reads_its_bots_from_a_file(run: Run, tmp_path: Path) -> None:
    field = tmp_path / "field.txt"
    field.write_text("# opponents\nrandom\n\nidle\n")
    ran = run("compare", "greedy", "idle", "--game", "enova", "--elo", "0,100", *SMALL, "--against", field)
    assert (ran.code, ran.out.splitlines()[0]) == (0, "greedy is better than idle 1.")


@pytest.mark.parametrize(
    ("content", "words"), [(b"# none\n", "names no bot"), (b"\xff", "is no text"), (None, "No such")]
)
def test_a_field_that_cannot_be_read_is_refused_in_a_sentence(
    run: Run, tmp_path: Path, content: bytes | None, words: str
) -> None:
    field = tmp_path / "field.txt"
    if content is not None:
        field.write_bytes(content)
    ran = run("compare", "greedy", "idle", "--game", "enova", "--against", field)
    assert (ran.code, ran.out, len(ran.err.splitlines())) == (2, "", 1)
    assert words in ran.err


def test_a_tournament_writes_a_page(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    ran = run("tournament", "enova", "--bots", "greedy,idle", *SMALL, "--matches", 2, "--html", page)
    assert f"The report is {page}." in ran.out
    assert page.read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--bots", "greedy"], "2 bots are needed for this, not 1"),
        (["--bots", "greedy", "--until", "25"], "2 bots are needed for this, not 1"),
        (["--bots", "greedy,gredy"], "did you mean 'greedy'?"),
        (["--bots", "greedy,./no/such.py"], "The bot no/such.py cannot be read: No such file"),
        (["--bots", "greedy,idle", "--matches", "0"], "0 is not in the range"),
        (["--bots", "greedy,idle", "--workers", "-1"], "-1 is not in the range"),
        (["--bots", "greedy,idle", "--until", "nan"], "'nan' is no number"),
        (["--bots", "greedy,idle", "--maps", "latice"], "latice"),
        (["--bots", "greedy,idle", "--html", "no/such/folder.html"], "The folder no/such does not exist"),
        (["--bots", "greedy,idle,random", "--players", "3", "--format", "bracket"], "swiss pairs more"),
        (["--bots", "greedy,idle", "--players", "100"], "100 bots are needed for this, not 2"),
    ],
)
def test_a_tournament_that_cannot_be_played_is_refused_in_a_sentence(run: Run, options: list[str], words: str) -> None:
    ran = run("tournament", "enova", *options)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err and len(ran.err.splitlines()) == 1


def test_the_verdict_of_a_comparison_is_its_exit_code(run: Run) -> None:
    command = ("--game", "enova", "--elo", "0,100", *SMALL)
    better = run("compare", "greedy", "idle", *command)
    assert better.code == 0
    assert better.out.startswith("greedy is better than idle.\n")
    assert re.search(r"pairs, score 1\.000, .* LLR \d\.\d+ of ±2\.94", better.out)
    worse = run("compare", "idle", "greedy", *command, "--json")
    assert (worse.code, json.loads(worse.out)["verdict"]) == (1, "not better")
    open_ = run("compare", "idle", "idle", *command, "--pairs", 2)
    assert (open_.code, "undecided" in open_.out) == (2, True)


@pytest.mark.parametrize(("bounds", "words"), [("5", "two numbers"), ("10,0", "must be below")])
def test_bounds_that_make_no_sense_are_refused(run: Run, bounds: str, words: str) -> None:
    ran = run("compare", "greedy", "idle", "--game", "enova", "--elo", bounds)
    assert (ran.code, words in ran.err) == (2, True)


def test_a_tournament_shows_a_live_table_on_a_terminal() -> None:
    code, written = on_a_terminal("tournament", "enova", "--bots", "greedy,idle", *SMALL, "--matches", "4")
    assert code == 0
    assert "enova, round-robin" in written and "of 4 matches" in written and "an hour" in written


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_tournament_says_how_to_go_on_and_leaves_no_process(tmp_path: Path, number: int) -> None:
    db = tmp_path / "t.db"
    command = [*MARCHLAND, "tournament", "enova", "--bots", "greedy,idle", "--workers", "2"]
    command += ["--set", "turn_limit=8", "--matches", "2000", "--db", str(db)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=accept_signals
    ) as process:
        try:
            wait_until(lambda: process.poll() is not None or bool(children_of(process.pid)), seconds=120)
            referees = children_of(process.pid)
            wait_until(lambda: process.poll() is not None or count_done(db) >= 6, seconds=120)
            os.kill(process.pid, number)
            out, err = process.communicate(timeout=120)
        finally:
            process.kill()
    assert process.returncode == 130, err
    assert re.fullmatch(r"Stopped after \d+ matches; the same command continues\.", err.strip())
    assert "greedy" in out
    assert not any(Path(f"/proc/{pid}").exists() for pid in referees)


def test_a_tournament_on_a_full_disk_ends_with_a_sentence_and_continues_later(tmp_path: Path) -> None:
    db = tmp_path / "t.db"
    command = [*MARCHLAND, "tournament", "enova", "--bots", "greedy,idle", *SMALL, "--db", str(db), "--matches"]
    subprocess.run([*command, "2"], check=True, capture_output=True)
    ran = subprocess.run(
        [*command, "2000"], capture_output=True, text=True, check=False, preexec_fn=_limit_files, timeout=300
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("The database cannot be written: ")
    assert ran.stderr.endswith("the same command continues.\n") and len(ran.stderr.splitlines()) == 1
    again = subprocess.run([*command, "4", "--json"], capture_output=True, text=True, check=True)
    assert json.loads(again.stdout)["matches"] >= 4


def _limit_files() -> None:
    """Refuse larger files, as a full disk does: the write-ahead log has no room for many matches."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))


@pytest.mark.parametrize("gap", [0.0, 0.2])
def test_ctrl_c_twice_ends_a_tournament_without_a_traceback(tmp_path: Path, gap: float) -> None:
    db = tmp_path / "t.db"
    command = [*MARCHLAND, "tournament", "enova", "--bots", "greedy,idle", *SMALL]
    command += ["--matches", "20000", "--db", str(db)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=accept_signals
    ) as process:
        try:
            wait_until(lambda: process.poll() is not None or count_done(db) >= 6, seconds=120)
            os.kill(process.pid, signal.SIGINT)
            time.sleep(gap)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=120)
        finally:
            process.kill()
    assert process.returncode in (130, -signal.SIGINT)
    assert "Traceback" not in err and len(err.split("\n")) <= 3
