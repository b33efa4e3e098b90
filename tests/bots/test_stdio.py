"""A bot's file as a program that speaks in lines."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from marchland.bots import ProcessBot
from marchland.errors import BotError

from .conftest import view

STDIO = [sys.executable, "-m", "marchland.bots.stdio"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mybot.py"


def exchanged(path: Path, *messages: dict[str, Any]) -> list[Any]:
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    ran = subprocess.run([*STDIO, str(path)], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def turn(number: int, **more: Any) -> dict[str, Any]:
    return {"type": "turn", "turn": number, "view": view(number), "results": [], **more}


def test_each_turn_is_answered_once(path: Path) -> None:
    path.write_text("def play(view):\n    return [view['turn']]\n")
    start, end = {"type": "start", "seed": None}, {"type": "end", "outcome": None}
    assert exchanged(path, start, turn(1), turn(2), end) == [
        {"turn": 1, "orders": [1]},
        {"turn": 2, "orders": [2]},
    ]


def test_the_bot_is_made_with_the_seed_it_is_sent(path: Path) -> None:
    path.write_text(
        "class Bot:\n    def __init__(self, seed):\n        self.seed = seed\n"
        "    def play(self, view):\n        return [self.seed]\n"
    )
    assert exchanged(path, {"type": "start", "seed": 17}, turn(1)) == [{"turn": 1, "orders": [17]}]


def test_the_bot_gets_the_start_and_the_results(path: Path) -> None:
    path.write_text(
        "class Bot:\n    def start(self, info):\n        self.seat = info['seat']\n"
        "    def results(self, results):\n        self.seat += len(results)\n"
        "    def play(self, view):\n        return [self.seat]\n"
    )
    start = {"type": "start", "seed": None, "seat": 5}
    assert [one["orders"] for one in exchanged(path, start, turn(1), turn(2, results=[{}, {}]))] == [[5], [7]]


def test_what_it_prints_is_no_answer(path: Path) -> None:
    path.write_text("import os\nprint('hello')\ndef play(view):\n    os.system('echo [9]')\n    return [1]\n")
    assert exchanged(path, turn(1)) == [{"turn": 1, "orders": [1]}]


def test_one_that_raises_loses_its_turn_and_says_where(path: Path) -> None:
    path.write_text("def play(view):\n    return 1 // (view['turn'] - 1)\n")
    bot = ProcessBot([*STDIO, str(path)])
    with pytest.raises(BotError, match=r"^ZeroDivisionError: .* \(mybot.py, line 2\)$"):
        bot.play(view(1))
    assert bot.play(view(2)) == 1
    bot.end(None)
    assert "Traceback" in bot.stderr


def test_orders_that_are_no_json_cost_the_turn(path: Path) -> None:
    path.write_text("def play(view):\n    return [object()]\n")
    (answer,) = exchanged(path, turn(1))
    assert answer["orders"] == [] and "object" in answer["error"]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("x = 1\n", "has no bot"),
        ("1 / 0\n", "ZeroDivisionError"),
        ("class Bot:\n    observes = True\n    def play(self, view): ...\n", "observes arrays"),
    ],
)
def test_a_file_that_cannot_play_says_so_in_one_line(path: Path, source: str, said: str) -> None:
    path.write_text(source)
    ran = subprocess.run([*STDIO, str(path)], input=json.dumps(turn(1)) + "\n", capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (1, "", 1)
    assert said in ran.stderr


def test_it_needs_no_numpy(path: Path) -> None:
    path.write_text("import sys\ndef play(view):\n    return sorted({'numpy', 'llvmlite'} & set(sys.modules))\n")
    assert exchanged(path, turn(1)) == [{"turn": 1, "orders": []}]
