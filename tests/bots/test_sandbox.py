"""What a jailed bot can reach, how a rated bot's time is counted, and the refusal where no jail can be made."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from marchland.bots import ProcessBot, ProcessOptions, Sandbox, SandboxError, check_jail, load_user_bot
from marchland.bots.process_options import MEGABYTE
from marchland.bots.sandbox import ENVIRONMENT, new_uid, prepare_launch
from marchland.bots.usage import measure_descendants
from marchland.errors import BotError
from tests.support.jails import needs_jail

from .conftest import Spawn, is_running, view, wait_until

JAILED = ProcessOptions(sandbox=Sandbox("jailed"))
ECHO = "for line in sys.stdin:\n    message = json.loads(line)\n    if message['type'] == 'turn':\n        "


def failure(bot: ProcessBot, turn: int = 1) -> str:
    with pytest.raises(BotError) as raised:
        bot.play(view(turn))
    return str(raised.value)


def answer(spawn: Spawn, expression: str, options: ProcessOptions = JAILED) -> Any:
    """The value of a Python expression in a bot's process."""
    (found,) = spawn(ECHO + f"say(json.dumps([{expression}]))\n", seconds=20, options=options).play(view())
    return found


@needs_jail
def test_the_environment_has_three_variables(spawn: Spawn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARCHLAND_TOKEN", "secret")
    shown = answer(spawn, "dict(os.environ)")
    shown.pop("LC_CTYPE", None)  # Python's own
    shown.pop("PWD", None)  # bubblewrap's own
    assert shown == ENVIRONMENT


@needs_jail
def test_a_jailed_bot_has_no_privileges_and_a_user_of_its_own(spawn: Spawn) -> None:
    status = dict(line.split(":\t", 1) for line in answer(spawn, "open('/proc/self/status').read()").splitlines())
    assert (status["CapEff"], status["CapBnd"], status["NoNewPrivs"]) == ("0" * 16, "0" * 16, "1")
    assert (status["Seccomp"], status["Uid"].split()[0] != "0") == ("2", True)
    assert new_uid() != new_uid()


@needs_jail
def test_it_sees_its_own_file_and_no_other_of_the_folder(spawn: Spawn, tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("secret")
    assert answer(spawn, f"os.listdir({str(tmp_path)!r})") == ["mybot.py"]


@needs_jail
def test_with_a_folder_it_runs_there_and_cannot_write(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "helper.txt").write_text("help")
    (tmp_path / "run.sh").write_text('read start; read turn; echo [\\"$PWD $(cat helper.txt) $(echo x > y; ls)\\"]')
    bot = ProcessBot(["sh", "run.sh"], options=ProcessOptions(sandbox=Sandbox("jailed", tmp_path)))
    bot.start({})
    assert bot.play(view()) == ["/bot help helper.txt run.sh"]
    bot.close()


@needs_jail
def test_it_sees_only_its_own_processes(spawn: Spawn) -> None:
    assert answer(spawn, "sum(name.isdecimal() for name in os.listdir('/proc'))") == 2


@needs_jail
def test_it_has_no_network_device_but_loopback(spawn: Spawn) -> None:
    assert answer(spawn, "open('/proc/net/dev').read().count(':')") == 1


@needs_jail
def test_processes_are_limited_and_counted_for_each_bot_alone(spawn: Spawn) -> None:
    forks = "[os.fork() or time.sleep(99) for _ in range(20)] and 20"
    first = spawn(ECHO + f"say(json.dumps([{forks}]))\n", seconds=20, options=JAILED)
    assert first.play(view()) == [20]
    assert answer(spawn, forks) == 20  # while the first bot's run
    refused = spawn(
        "try:\n    while os.fork() or time.sleep(99): pass\n"
        "except BlockingIOError: say('[\"refused\"]')\nsys.stdin.read()\n",
        seconds=20,
        options=JAILED,
    )
    assert refused.play(view()) == ["refused"]


@needs_jail
def test_scratch_space_is_limited_and_nothing_else_can_be_written(spawn: Spawn) -> None:
    fill = "(lambda file: [file.write(b'x' * 2**20) for _ in range(99)])(open('/tmp/big', 'wb', 0))"
    bot = spawn(
        f"try: {fill}\nexcept OSError as problem: say(json.dumps([problem.strerror]))\nsys.stdin.read()\n",
        seconds=20,
        options=JAILED,
    )
    assert bot.play(view()) == ["No space left on device"]
    writable = "[path for path in ('/', '/dev', '/usr', '/proc', '/bot', '/etc', '/tmp') if os.access(path, os.W_OK)]"
    assert answer(spawn, writable) == ["/tmp"]


@needs_jail
def test_its_processes_share_a_limit_of_memory(spawn: Spawn) -> None:
    options = ProcessOptions(memory=100 * MEGABYTE, sandbox=Sandbox("jailed"))
    bot = spawn(
        "[os.fork() for _ in range(3)]\nheld = b'x' * 60_000_000\ntime.sleep(99)\n", seconds=20, options=options
    )
    assert failure(bot) == "its processes together used more than 100 MB of memory and were stopped."


@needs_jail
def test_the_signal_that_ended_it_is_known(spawn: Spawn) -> None:
    assert failure(spawn("os.kill(os.getpid(), signal.SIGKILL)\n", options=JAILED)) == "it was ended by signal 9."


@needs_jail
def test_nothing_is_left_of_it(spawn: Spawn) -> None:
    before = measure_descendants(os.getpid()).processes
    bot = spawn(ECHO + "os.fork() or time.sleep(99)\n        say('[]')\n", seconds=20, options=JAILED)
    bot.play(view())
    assert measure_descendants(os.getpid()).processes >= before + 5
    bot.close()
    assert measure_descendants(os.getpid()).processes == before


@needs_jail
def test_nothing_is_left_of_it_when_the_host_is_killed(tmp_path: Path) -> None:
    sleeper = tmp_path / "sleeper.sh"
    sleeper.write_text("while read -r line; do sleep 99 & echo []; done\n")
    host = f"""
import os, time
from marchland.bots import ProcessBot, ProcessOptions, Sandbox
from marchland.bots.usage import list_descendants
bot = ProcessBot(["sh", {str(sleeper)!r}], seconds=20, options=ProcessOptions(sandbox=Sandbox("jailed")).for_rating())
bot.play({{"turn": 1}})
print(*list_descendants(os.getpid()), flush=True)
time.sleep(99)
"""
    with subprocess.Popen([sys.executable, "-c", host], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        pids = [int(pid) for pid in process.stdout.readline().split()]
        assert len(pids) >= 5
        process.kill()
    wait_until(lambda: not any(map(is_running, pids)))


@needs_jail
def test_a_python_file_plays_in_a_process_if_it_is_jailed(tmp_path: Path) -> None:
    path = tmp_path / "mybot.py"
    path.write_text("import os\ndef play(view):\n    return [os.getpid(), sorted(os.environ)]\n")
    bot = load_user_bot(str(path), options=JAILED)
    assert bot.start is not None
    assert bot.close is not None
    bot.start({})
    pid, _ = bot.move(view())
    bot.close()
    assert (pid, bot.sandbox) == (2, "jailed")


def test_without_bubblewrap_a_jail_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxError, match="Jailed bots need bubblewrap, which is not installed; on Debian"):
        check_jail()
    with pytest.raises(SandboxError, match="need bubblewrap"):
        ProcessBot([sys.executable], options=JAILED)
    assert not prepare_launch(["true"], Sandbox("contained")).is_jailed


def test_where_bubblewrap_fails_its_words_are_quoted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for tool in ("bwrap", "setpriv", "prlimit"):
        (tmp_path / tool).write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
        (tmp_path / tool).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxError, match=r"cannot make a jail here: bwrap: No permissions to create new namespace\."):
        check_jail()


class TestTime:
    """Rated bots."""

    RATED = ProcessOptions().for_rating()
    PATIENT = RATED._replace(clock_factor=100)
    """With time for a machine that has more to do."""

    def test_waiting_is_no_processor_time(self, spawn: Spawn) -> None:
        bot = spawn(ECHO + "time.sleep(0.6)\n        say('[1]')\n", seconds=0.3, options=self.PATIENT)
        assert [bot.play(view(turn)) for turn in (1, 2)] == [[1], [1]]

    def test_processor_time_is_limited(self, spawn: Spawn) -> None:
        bot = spawn(
            ECHO + "if message['turn'] == 2:\n            while True: pass\n        say('[1]')\n",
            seconds=0.2,
            options=self.PATIENT,
        )
        assert bot.play(view()) == [1]
        assert failure(bot, 2) == "it used more than 0.2 seconds of processor time and was stopped."

    def test_processor_time_of_descendants_counts(self, spawn: Spawn) -> None:
        worker = "[os.fork() for _ in range(2)]\n            while True: pass"
        bot = spawn(
            ECHO + f"if message['turn'] == 2:\n            {worker}\n        say('[1]')\n",
            seconds=0.3,
            options=self.PATIENT,
        )
        assert bot.play(view()) == [1]
        assert "seconds of processor time" in failure(bot, 2)

    def test_an_answer_after_too_much_processor_time_is_late(self, spawn: Spawn) -> None:
        busy = "began = time.process_time()\n        while time.process_time() < began + 0.5: pass\n        "
        bot = spawn(ECHO + busy + "say('[1]')\n", seconds=0.2, first_seconds=0.2, options=self.PATIENT)
        assert "it used more than 0.2 seconds of processor time" in failure(bot)

    def test_the_clock_ends_a_turn_after_four_times_as_long(self, spawn: Spawn) -> None:
        bot = spawn("time.sleep(99)\n", seconds=0.1, first_seconds=0.1, options=self.RATED)
        assert failure(bot) == "it gave no answer within 0.4 seconds, 4 times its processor time, and was stopped."

    def test_between_its_turns_it_is_stopped(self, spawn: Spawn) -> None:
        bot = spawn(
            ECHO + "say(json.dumps([os.getpid()]))\n    os.fork() or time.sleep(99)\n", seconds=20, options=self.RATED
        )
        (pid,) = bot.play(view())
        wait_until(lambda: state_of(pid) == "T")
        assert bot.play(view(2)) == [pid]
        wait_until(lambda: state_of(pid) == "T")
        bot.end(None)
        assert not is_running(pid)

    def test_it_starts_in_its_own_first_turn(self, spawn: Spawn) -> None:
        bot = spawn(ECHO + "say('[1]')\n", seconds=20, options=self.RATED)
        bot.start({})
        time.sleep(0.1)
        assert bot.usage().processes == 0
        assert bot.play(view()) == [1]


def state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_the_level_and_the_usage_are_on_the_result(spawn: Spawn) -> None:
    bot = spawn(ECHO + "say('[1]')\n", seconds=20)
    bot.play(view())
    assert bot.sandbox == "open"
    assert bot.usage().processes == 1
    assert bot.usage().memory > MEGABYTE
