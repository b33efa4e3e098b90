"""Nothing of a bot outlives it, and it gets no more memory, disk and environment than it is given."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from marchland.bots import ProcessBot, ProcessOptions
from marchland.bots.process_options import MEGABYTE
from marchland.errors import BotError

from .conftest import Spawn, is_running, view, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has subreapers and /proc")

ESCAPES = """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
def escape(depth):
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if depth:
            os.write(writing, escape(depth - 1))
            os._exit(0)
        os.write(writing, b'%d ' % os.getpid())
        while True: time.sleep(9)
    os.close(writing)
    found = b''
    while not found.endswith(b' '): found += os.read(reading, 99)
    return found
"""

CHAIN = """
def run_chain():
    if os.fork(): return
    os.setsid()
    os.close(0); os.close(1); os.close(2)
    while True:
        if os.fork(): os._exit(0)
        os.setsid()
"""


def play(bot: ProcessBot, turn: int = 1) -> Any:
    return bot.play(view(turn))


def failure(bot: ProcessBot, turn: int = 1) -> str:
    with pytest.raises(BotError) as raised:
        play(bot, turn)
    return str(raised.value)


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.parametrize("depth", [0, 1, 20])
def test_a_descendant_that_left_the_session_ends_with_the_bot(spawn: Spawn, depth: int) -> None:
    bot = spawn(f"{ESCAPES}say(json.dumps([os.getpid(), int(escape({depth}))]))\nwhile True: time.sleep(9)\n")
    pids = play(bot)
    assert all(map(is_running, pids))
    bot.close()
    assert not any(map(is_running, pids))


def test_a_descendant_ends_at_the_deadline_too(spawn: Spawn) -> None:
    bot = spawn(
        f"{ESCAPES}say(json.dumps([int(escape(1))]))\nwhile True: time.sleep(9)\n", seconds=0.2, first_seconds=20
    )
    (pid,) = play(bot)
    assert "no answer within 0.2 seconds" in failure(bot, 2)
    assert not is_running(pid)


def test_a_descendant_ends_when_the_bot_has_left_by_itself(spawn: Spawn) -> None:
    bot = spawn(f"{ESCAPES}say(json.dumps([int(escape(1))]))\ninput()\n")
    (pid,) = play(bot)
    bot.end(None)
    assert not is_running(pid)


def test_a_chain_of_forks_that_runs_away_is_caught(spawn: Spawn) -> None:
    bot = spawn(f"{CHAIN}run_chain()\nsay(json.dumps([os.getppid()]))\nwhile True: time.sleep(9)\n")
    (supervisor,) = play(bot)
    wait_until(lambda: len(children_of(supervisor)) > 1)
    bot.close()
    with pytest.raises(ProcessLookupError):  # it leaves only when it has no descendant
        os.kill(supervisor, 0)


def test_many_descendants_end_with_the_bot(spawn: Spawn) -> None:
    bot = spawn(f"{ESCAPES}say(json.dumps([int(escape(1)) for _ in range(40)]))\nwhile True: time.sleep(9)\n")
    pids = play(bot)
    bot.close()
    assert not any(map(is_running, pids))


def test_orphans_are_reaped_while_the_bot_plays(spawn: Spawn) -> None:
    bot = spawn(
        "reading, writing = os.pipe()\n"
        "if os.fork() == 0:\n    if os.fork() == 0:\n        os.write(writing, b'%d' % os.getpid())\n    os._exit(0)\n"
        "os.wait()\nsay(json.dumps([int(os.read(reading, 99))]))\nwhile True: time.sleep(9)\n"
    )
    (orphan,) = play(bot)
    wait_until(lambda: not Path(f"/proc/{orphan}").exists())


def test_a_bot_that_was_loaded_but_never_started_leaves_nothing_behind(tmp_path: Path) -> None:
    match = (
        "import os, sys, time\nfrom marchland.bots import ProcessBot\n"
        "bot = ProcessBot([sys.executable, '-c', 'pass'])\n"
        "print(open(f'/proc/{os.getpid()}/task/{os.getpid()}/children').read(), flush=True)\ntime.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", match], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        (supervisor,) = (int(pid) for pid in parent.stdout.readline().split())
        assert is_running(supervisor)
        parent.kill()
    wait_until(lambda: not is_running(supervisor))


def test_a_bot_plays_a_second_match(spawn: Spawn) -> None:
    bot = spawn("for line in sys.stdin:\n    if 'view' in line: say(json.dumps([os.getpid()]))\n")
    bot.start({})
    (first,) = play(bot)
    bot.start({})
    (second,) = play(bot)
    assert first != second
    assert not is_running(first)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_bot_and_descendants_end_when_the_match_is_killed(tmp_path: Path, number: int) -> None:
    bot = f"import json, os, signal, time\n{ESCAPES}print([os.getpid(), int(escape(1))], flush=True)\ntime.sleep(600)\n"
    (tmp_path / "bot.py").write_text(bot)
    match = (
        "import sys, time\nfrom marchland.bots import ProcessBot\n"
        "bot = ProcessBot([sys.executable, '-I', '-S', sys.argv[1]])\n"
        "print(*bot.play({'turn': 1}), flush=True)\ntime.sleep(600)\n"
    )
    command = [sys.executable, "-c", match, str(tmp_path / "bot.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        assert all(map(is_running, pids))
        parent.send_signal(number)
    wait_until(lambda: not any(map(is_running, pids)))


def test_bot_ends_when_the_match_is_killed_while_a_fork_of_it_lives(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import os, time\nprint([os.getpid()], flush=True)\ntime.sleep(600)\n")
    match = (
        "import os, sys, time\nfrom marchland.bots import ProcessBot\n"
        "bot = ProcessBot([sys.executable, '-I', '-S', sys.argv[1]])\n(pid,) = bot.play({'turn': 1})\n"
        "fork = os.fork()\nif fork: print(pid, fork, flush=True)\ntime.sleep(600)\n"
    )
    command = [sys.executable, "-W", "ignore", "-c", match, str(tmp_path / "bot.py")]
    parent = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    bot, fork = (int(pid) for pid in parent.stdout.readline().split())
    parent.kill()
    parent.wait()
    try:
        wait_until(lambda: not is_running(bot))
        assert is_running(fork)
    finally:
        os.kill(fork, signal.SIGKILL)
        parent.stdout.close()


def test_a_bot_that_kills_its_supervisor_ends_with_it(spawn: Spawn) -> None:
    bot = spawn(
        "say(json.dumps([os.getpid()]))\ninput(); input(); input()\nos.kill(os.getppid(), 9)\ntime.sleep(600)\n"
    )
    (pid,) = play(bot)
    assert "signal 9" in failure(bot, 2)
    wait_until(lambda: not is_running(pid))


def test_a_bot_that_stops_its_supervisor_is_ended_in_time(spawn: Spawn) -> None:
    bot = spawn(
        f"{ESCAPES}pid = int(escape(1))\nos.kill(os.getppid(), signal.SIGSTOP)\n"
        "say(json.dumps([os.getpid(), pid]))\nwhile True: time.sleep(9)\n"
    )
    pids = play(bot)
    began = time.monotonic()
    bot.close()
    assert not any(map(is_running, pids))
    assert time.monotonic() - began < 30


def test_its_environment_holds_no_secret(spawn: Spawn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARCHLAND_TOKEN", "secret")
    monkeypatch.setenv("LC_TIME", "C")
    bot = spawn("say(json.dumps([dict(os.environ), open(f'/proc/{os.getppid()}/environ').read()]))\ninput()\n")
    environment, supervisors = play(bot)
    assert "secret" not in supervisors
    assert environment["LC_TIME"] == "C"
    assert environment["PATH"] == os.environ["PATH"]
    assert {name for name in environment if not name.startswith("LC_")} <= {"PATH", "HOME", "LANG"}


def test_a_variable_is_passed_on_by_name(spawn: Spawn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL_FOLDER", "models")
    bot = spawn(
        "say(json.dumps([os.environ.get('MODEL_FOLDER')]))\ninput()\n",
        options=ProcessOptions(variables=("MODEL_FOLDER", "UNSET")),
    )
    assert play(bot) == ["models"]


def test_it_has_no_descriptor_of_the_match(spawn: Spawn, tmp_path: Path) -> None:
    with (tmp_path / "private").open("w") as private:
        os.set_inheritable(private.fileno(), True)
        bot = spawn(
            "paths = [f'/proc/self/fd/{number}' for number in os.listdir('/proc/self/fd') if int(number) > 2]\n"
            "say(json.dumps([os.readlink(path) for path in paths if os.path.exists(path)]))\ninput()\n"
        )
        assert play(bot) == []


def test_a_bot_that_allocates_without_end_ends_at_its_limit(spawn: Spawn) -> None:
    limited = ProcessOptions(memory=64 * MEGABYTE)
    bot = spawn("held = []\nwhile True: held.append(b'x' * 1_000_000)\n", options=limited, first_seconds=60)
    assert failure(bot).startswith(
        "it ended by itself with exit code 1 at the limit of its memory, 64 MB (--bot-memory); its last words were "
    )


def test_a_bot_that_ends_silently_at_its_limit_is_recognised_by_its_peak(spawn: Spawn) -> None:
    source = "held = []\ntry:\n    while True: held.append(b'x' * 1_000_000)\nexcept MemoryError: os.abort()\n"
    bot = spawn(source, options=ProcessOptions(memory=64 * MEGABYTE), first_seconds=60)
    assert failure(bot) == "it was ended by signal 6 at the limit of its memory, 64 MB (--bot-memory)."


def test_a_bot_that_writes_a_file_without_end_ends_at_its_limit(spawn: Spawn, tmp_path: Path) -> None:
    large = tmp_path / "large"
    bot = spawn(
        "signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"  # which Python ignores
        f"file = open({str(large)!r}, 'wb', 0)\nwhile True: file.write(bytes(65536))\n",
        options=ProcessOptions(file_size=MEGABYTE),
        first_seconds=60,
    )
    assert failure(bot) == "it was ended because a file that it wrote exceeded 1 MB, the limit of --bot-file-size."
    assert large.stat().st_size == MEGABYTE


def test_signals_that_python_ignores_are_not_ignored_in_the_bot() -> None:
    bot = ProcessBot(["sh", "-c", "grep SigIgn /proc/self/status >&2; exit 3"])
    ignored = int(failure(bot).partition("SigIgn:")[2].strip("'. ").removeprefix("\\t"), 16)
    assert not ignored & (1 << signal.SIGPIPE - 1 | 1 << signal.SIGXFSZ - 1)  # a parent like nohup may ignore others


def test_a_bot_that_floods_stderr_plays_on(spawn: Spawn) -> None:
    bot = spawn(
        "import threading\nflood = lambda: [os.write(2, b'x' * 65536) for _ in range(1000)]\n"
        "threading.Thread(target=flood).start()\nfor line in sys.stdin:\n    if 'view' in line: say('[1]')\n",
        seconds=30,
    )
    assert [play(bot, turn) for turn in (1, 2, 3)] == [[1], [1], [1]]
    assert len(bot.stderr) <= 64 * 1024


def test_a_bot_that_crashes_leaves_no_core(spawn: Spawn) -> None:
    bot = spawn("import resource\nsay(json.dumps([*resource.getrlimit(resource.RLIMIT_CORE)]))\ninput()\n")
    assert play(bot) == [0, 0]


def test_a_thread_that_started_a_bot_may_end_before_it(spawn: Spawn) -> None:
    bot = spawn("for line in sys.stdin:\n    if 'view' in line: say('[1]')\n")
    starter = threading.Thread(target=bot.start, args=({},))
    starter.start()
    starter.join()
    assert [play(bot, turn) for turn in (1, 2)] == [[1], [1]]
