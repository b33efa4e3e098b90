"""What only a real process shows: start, signals, terminal."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bots.conftest import is_running, wait_until
from tests.support import http_clients as http
from tests.support.terminals import MARCHLAND, accept_signals, ignore, on_a_terminal

from .conftest import SMALL

MATCH = ["play", "colorfight", *SMALL, "--seed", "5"]


def test_no_arguments_show_the_help() -> None:
    assert "Usage: marchland" in subprocess.run(MARCHLAND, check=True, capture_output=True, text=True).stdout


def test_an_interrupted_match_says_so_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "mybot.py").write_text("import os, signal\ndef play(view):\n    os.kill(os.getpid(), signal.SIGINT)\n")
    command = [*MARCHLAND, *MATCH, "--bots", str(tmp_path / "mybot.py")]
    ran = subprocess.run(command, capture_output=True, text=True, preexec_fn=accept_signals)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "Stopped.\n")


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_match_leaves_no_bot_behind(tmp_path: Path, stop: signal.Signals) -> None:
    pid_file = tmp_path / "pid"
    bot = f"import os, time; open({str(pid_file)!r}, 'w').write(str(os.getpid()) + '.'); time.sleep(600)"
    (tmp_path / "bot.py").write_text(bot)
    spec = f"cmd:{sys.executable} {tmp_path}/bot.py"
    match = subprocess.Popen(
        [*MARCHLAND, *MATCH, "--bots", spec, "--bot-seconds", "600"],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=accept_signals,
    )
    try:
        wait_until(lambda: pid_file.exists() and pid_file.read_text().endswith("."), seconds=120)
        match.send_signal(stop)
        assert match.communicate(timeout=120)[1] == "Stopped.\n"
    finally:
        match.kill()
    assert match.returncode == 130
    assert not is_running(int(pid_file.read_text()[:-1]))


@pytest.mark.parametrize("ignored", [signal.SIGINT, signal.SIGHUP])
def test_a_match_goes_on_if_its_parent_ignores_the_signal(tmp_path: Path, ignored: signal.Signals) -> None:
    source = f"import os\ndef play(view):\n    os.kill(os.getpid(), {ignored.value})\n    return []\n"
    (tmp_path / "mybot.py").write_text(source)
    command = [*MARCHLAND, *MATCH, "--bots", str(tmp_path / "mybot.py")]
    ran = subprocess.run(command, capture_output=True, preexec_fn=lambda: ignore(ignored))
    assert ran.returncode == 0


def test_a_server_goes_on_if_its_parent_ignores_interrupts(tmp_path: Path) -> None:
    command = [*MARCHLAND, "serve", "--port", "0", "--db", str(tmp_path / "server.db")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, preexec_fn=lambda: ignore(signal.SIGINT)
    ) as server:
        assert server.stdout is not None
        try:
            url = server.stdout.readline().split()[-1]
            server.send_signal(signal.SIGINT)
            assert http.get(f"{url}/healthz", timeout=60).status_code == 200
            server.terminate()
            assert server.wait(60) in (0, -signal.SIGTERM)
        finally:
            server.kill()


def test_a_watched_match_is_drawn_in_colour() -> None:
    code, written = on_a_terminal(*MATCH, "--watch", "--delay", "0")
    assert code == 0
    assert "turn 21" in written
    assert "\x1b[" in written
    assert "refused" in written


def test_no_turn_is_shown_after_the_last() -> None:
    code, written = on_a_terminal(
        "play", "hive", "--map", "tiny", "--set", "max_turn=9", "--seed", "5", "--watch", "--delay", "0"
    )
    assert code == 0
    assert "turn 9" in written and "turn 10" not in written


def test_a_board_that_does_not_fit_is_explained_and_the_match_played() -> None:
    code, written = on_a_terminal(*MATCH, "--set", "width=200", "--watch")
    assert code == 0
    assert "200x10 cells needs a terminal of" in written
    assert "refused" in written


@pytest.mark.parametrize("off", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colours_can_be_turned_off(off: dict[str, str]) -> None:
    code, written = on_a_terminal(*MATCH, **off)
    assert code == 0
    assert "\x1b[38" not in written
    assert "0 greedy 1" in written
