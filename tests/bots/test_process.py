"""A bot in a process may do what it likes: the match goes on in time, and nothing of it is left."""

import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from marchland.bots import ProcessBot, ProcessOptions
from marchland.bots.line_process import MAX_STDERR
from marchland.errors import BotError

from .conftest import PATIENCE, Spawn, is_running, view, wait_until

ECHO = "for line in sys.stdin:\n    message = json.loads(line)\n    if message['type'] == 'turn':\n        "
LARGE = 10_000_000
"""More bytes than a pipe holds."""


def failure(bot: ProcessBot, seen: dict[str, Any] | None = None) -> str:
    with pytest.raises(BotError) as raised:
        bot.play(seen or view())
    return str(raised.value)


def test_an_answer_is_an_object_with_orders(spawn: Spawn) -> None:
    bot = spawn(ECHO + "say(json.dumps({'turn': message['turn'], 'orders': [message['turn']]}))\n")
    assert [bot.play(view(turn)) for turn in (1, 2, 3)] == [[1], [2], [3]]


def test_a_bare_list_is_an_answer_too(spawn: Spawn) -> None:
    assert spawn(ECHO + "say('[7]')\n").play(view()) == [7]


def test_it_gets_the_match_and_the_results_of_its_orders(spawn: Spawn) -> None:
    bot = spawn("started = json.loads(input())\n" + ECHO + "say(json.dumps([started, message['results']]))\n", seed=4)
    bot.start({"game": "colorfight", "seat": 1})
    start = {"type": "start", "protocol": 1, "game": "colorfight", "seat": 1, "seed": 4, "seconds": PATIENCE}
    assert bot.play(view()) == [start, []]
    bot.results([{"ok": True}])
    assert bot.play(view(2)) == [start, [{"ok": True}]]
    assert bot.play(view(3)) == [start, []]


def test_at_the_end_it_gets_the_outcome_and_exits(spawn: Spawn, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    bot = spawn(
        f"for line in sys.stdin:\n    message = json.loads(line)\n    if message['type'] == 'turn': say('[]')\n"
        f"    if message['type'] == 'end': last = line\nopen({str(heard)!r}, 'w').write(last)\n"
    )
    bot.play(view())
    bot.end({"reason": "The last turn."})
    assert heard.read_text() == '{"type":"end","outcome":{"reason":"The last turn."}}\n'


def test_one_that_does_not_leave_at_the_end_is_stopped(spawn: Spawn) -> None:
    bot = spawn("say(json.dumps([os.getpid()]))\nwhile True: time.sleep(9)\n")
    (pid,) = bot.play(view())
    bot.end(None)
    assert not is_running(pid)


def test_output_that_is_no_answer_is_saved_as_log(spawn: Spawn) -> None:
    bot = spawn(
        ECHO + "say('thinking')\n        say('42')\n        say('[1, 2')\n        say('{}')\n        say('[5]')\n"
    )
    assert bot.play(view()) == [5]
    assert bot.stderr == "thinking\n42\n[1, 2\n{}\n"


def test_an_answer_to_an_earlier_turn_is_no_answer(spawn: Spawn) -> None:
    bot = spawn(ECHO + 'say(\'{"turn": 1, "orders": [1]}\')\n        say(\'{"turn": 2, "orders": [2]}\')\n')
    assert [bot.play(view(turn)) for turn in (1, 2)] == [[1], [2]]


def test_an_error_costs_the_turn_and_no_more(spawn: Spawn) -> None:
    bot = spawn(ECHO + "say('{\"orders\": [], \"error\": \"lost\"}' if message['turn'] == 1 else '[2]')\n")
    assert failure(bot) == "lost"
    assert bot.play(view(2)) == [2]


def test_at_the_deadline_it_is_stopped_and_plays_no_more(spawn: Spawn) -> None:
    bot = spawn(ECHO + "say(json.dumps([os.getpid()])) if message['turn'] == 1 else time.sleep(60)\n", seconds=0.2)
    (pid,) = bot.play(view())
    began = time.monotonic()
    assert failure(bot, view(2)) == "it gave no answer within 0.2 seconds and was stopped."
    assert time.monotonic() - began < 30
    assert not is_running(pid)
    assert failure(bot, view(3)) == "it gave no answer within 0.2 seconds and was stopped."


def test_its_last_lines_are_reported_and_all_of_stderr_is_saved_on_request(spawn: Spawn, tmp_path: Path) -> None:
    logs = ProcessOptions(log_folder=tmp_path / "logs")
    said = failure(spawn("sys.stderr.write('first\\nlast\\n')\nsys.exit(3)\n", options=logs))
    start = "it ended by itself with exit code 3; its last words were 'last', the rest is in "
    assert said.startswith(start)
    log = Path(said.removeprefix(start).removesuffix("."))
    assert log.read_text() == "first\nlast\n"
    assert log.parent == tmp_path / "logs"


def test_without_a_folder_for_logs_no_file_is_left(spawn: Spawn, tmp_path: Path) -> None:
    said = failure(spawn("sys.stderr.write('first\\nlast\\n')\nsys.exit(3)\n"))
    assert said == "it ended by itself with exit code 3; its last words were 'last'."
    assert [path.name for path in tmp_path.iterdir()] == ["mybot.py"]


def test_a_log_has_at_most_the_last_64_kb(spawn: Spawn, tmp_path: Path) -> None:
    logs = ProcessOptions(log_folder=tmp_path / "logs")
    failure(spawn("sys.stderr.write('x' * 10_000_000 + 'end')\nsys.exit(3)\n", options=logs))
    (log,) = (tmp_path / "logs").iterdir()
    assert log.stat().st_size == MAX_STDERR
    assert log.read_text().endswith("end")


HOSTILE = {
    "exits at once": ("", "it ended by itself with exit code 0"),
    "ends by a signal": ("os.kill(os.getpid(), signal.SIGABRT)", "it was ended by signal 6"),
    "closes its stdout": ("os.close(1)\nwhile True: time.sleep(9)", "it closed its stdout and was stopped"),
    "closes its stdin": ("os.close(0)\nwhile True: time.sleep(9)", "it gave no answer within 0.5 seconds"),
    "never reads": ("while True: time.sleep(9)", "it gave no answer within 0.5 seconds"),
    "ends no line": ("os.write(1, b'x')\nwhile True: time.sleep(9)", "it gave no answer within 0.5 seconds"),
    "prints without end": ("while True: os.write(1, b'x' * 65536)", "it wrote 8 MB without an answer"),
    "prints bytes that are no text": ("os.write(1, b'\\xff\\xfe\\n[\\xff]\\n')", "exit code 0"),
    "nests too deeply": ("say('[' * 100_000)", "exit code 0"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_one_that_misbehaves_is_gone_in_time(spawn: Spawn, what: str) -> None:
    source, expected = HOSTILE[what]
    allowed = 0.5 if "0.5" in expected else 20
    bot = spawn(source + "\n", seconds=allowed, first_seconds=allowed)
    began = time.monotonic()
    assert expected in failure(bot, view(size=LARGE))
    assert time.monotonic() - began < allowed + 30


def test_one_that_reads_nothing_but_prints_answers_has_not_answered(spawn: Spawn) -> None:
    bot = spawn("say('[1]')\nwhile True: time.sleep(9)\n", seconds=0.5, first_seconds=0.5)
    assert "no answer within" in failure(bot, view(size=LARGE))


def test_much_stderr_does_not_block_it_and_only_the_end_is_buffered(spawn: Spawn) -> None:
    bot = spawn("sys.stderr.write('x' * 1_000_000 + 'end')\nsys.stderr.flush()\nsay('[1]')\ninput()\n", seconds=20)
    assert bot.play(view()) == [1]
    bot.end(None)
    assert len(bot.stderr) == MAX_STDERR
    assert bot.stderr.endswith("end")


def test_its_children_end_with_it_even_if_they_ignore_signals(spawn: Spawn) -> None:
    stubborn = "import signal, time; signal.signal(15, signal.SIG_IGN); print(1, flush=True); time.sleep(600)"
    bot = spawn(
        f"child = subprocess.Popen([sys.executable, '-c', {stubborn!r}], stdout=subprocess.PIPE)\n"
        f"child.stdout.readline()\n{ECHO}"
        "say(json.dumps([os.getpid(), child.pid])) if message['turn'] == 1 else time.sleep(60)\n",
        seconds=0.2,
    )
    pids = bot.play(view())
    assert all(map(is_running, pids))
    failure(bot, view(2))
    wait_until(lambda: not any(map(is_running, pids)))


def test_children_of_one_that_has_left_end_too(spawn: Spawn) -> None:
    bot = spawn("child = subprocess.Popen(['sleep', '600'], stdout=2)\nsay(json.dumps([child.pid]))\ninput()\n")
    (pid,) = bot.play(view())
    bot.end(None)
    wait_until(lambda: not is_running(pid))


def test_one_that_is_forgotten_ends_too(spawn: Spawn) -> None:
    bot = ProcessBot(
        [sys.executable, "-I", "-S", "-c", "import os; print([os.getpid()], flush=True); input(); input()"]
    )
    (pid,) = bot.play(view())
    del bot
    wait_until(lambda: not is_running(pid))


def test_a_stopped_one_is_reaped(spawn: Spawn) -> None:
    bot = spawn("say(json.dumps([os.getpid()]))\nwhile True: time.sleep(9)\n")
    (pid,) = bot.play(view())
    bot.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_program_that_cannot_be_run_says_so_when_it_is_asked(tmp_path: Path) -> None:
    (tmp_path / "bot").write_text("")
    assert failure(ProcessBot([str(tmp_path / "bot")])) == "it cannot be started: Permission denied."
