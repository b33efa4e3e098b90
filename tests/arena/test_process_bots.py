"""Processes as bots of a match: the examples in every language, and those that fail."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import marchland
from marchland import arena
from marchland.core.report import Report

EXAMPLES = Path(__file__).parents[2] / "examples/bots"
COLORFIGHT = marchland.find("colorfight")


def digest_of(spec: str, turns: int = 60) -> str:
    """The match of a bot against the built-in greedy one."""
    game = marchland.new("colorfight", players=["mine", "greedy"], seed=11, config={"width": 16, "height": 16})
    bots = [arena.load_bot(spec, COLORFIGHT, 1, seconds=30), arena.load_bot("greedy", COLORFIGHT, 2)]
    mine = arena.play(game, bots, turns=turns).stats[0]
    assert (mine.refused, mine.failures) == (0, 0), mine.first_failure
    assert mine.orders > turns
    return game.digest()


def in_javascript(folder: Path) -> str:
    return f"cmd:{needed('node')} '{EXAMPLES / 'frontier.js'}'"


def in_c(folder: Path) -> str:
    program = folder / "frontier"
    strict = ["-std=c11", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([needed("cc"), *strict, "-O1", "-o", program, EXAMPLES / "frontier.c"], check=True)
    return f"cmd:'{program}'"


def in_python(folder: Path) -> str:
    return f"cmd:'{sys.executable}' -m marchland.bots.stdio '{EXAMPLES / 'frontier.py'}'"


def needed(tool: str) -> str:
    return shutil.which(tool) or pytest.skip(f"there is no {tool} on this machine")


@pytest.fixture(scope="module")
def in_process() -> str:
    return digest_of(str(EXAMPLES / "frontier.py"))


@pytest.mark.parametrize("spec_of", [in_javascript, in_c, in_python])
def test_the_same_bot_plays_alike_in_every_language(
    in_process: str, spec_of: Callable[[Path], str], tmp_path: Path
) -> None:
    assert digest_of(spec_of(tmp_path)) == in_process


def test_a_process_gets_the_view_and_the_results_byte_for_byte_as_json(game: marchland.Game, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    order = '{"do":"attack","at":[3,4],"energy":1}'
    script = f"while read -r line; do printf '%s\\n' \"$line\" >> '{heard}'; echo '[{order}]'; done"
    bots = [arena.load_bot(f'cmd:sh -c "{_quoted(script)}"', COLORFIGHT, 1, seconds=30)]
    bots.append(arena.load_bot("greedy", COLORFIGHT, 2))
    expected = [msgspec.json.encode(game.view(0))]
    results = [b"[]"]

    def note(game: marchland.Game, report: Report) -> None:
        expected.append(msgspec.json.encode(game.view(0)))
        results.append(msgspec.json.encode(msgspec.to_builtins(report.results[0])))

    arena.play(game, bots, turns=5, on_turn=note)
    lines = heard.read_bytes().splitlines()[1:6]
    assert lines == [
        b'{"type":"turn","turn":%d,"view":%b,"results":%b}' % (turn, view, result)
        for turn, (view, result) in enumerate(zip(expected[:5], results[:5], strict=True), 1)
    ]


def _quoted(script: str) -> str:
    return script.replace("\\", "\\\\").replace('"', '\\"')


def test_a_bot_that_stops_answering_loses_every_turn_from_then_on(game: marchland.Game, tmp_path: Path) -> None:
    path = tmp_path / "mybot.py"
    path.write_text(
        "import json, sys, time\nfor line in sys.stdin:\n    message = json.loads(line)\n"
        "    if message.get('turn') == 2: time.sleep(60)\n"
        "    if message['type'] == 'turn': print('[]', flush=True)\n"
    )
    bots = [arena.load_bot(f"cmd:{sys.executable} {path}", COLORFIGHT, 1, seconds=0.3), arena.as_bot(lambda view: [])]
    stats = arena.play(game, bots, turns=5).stats[0]
    assert game.turn == 6
    assert stats.failures == 4
    assert stats.first_failure == "in turn 2: it gave no answer within 0.3 seconds and was stopped."


def test_every_bot_gets_start_results_and_end(game: marchland.Game) -> None:
    received = []

    class Listening:
        def start(self, info: object) -> None:
            received.append(info)

        def play(self, view: object) -> list[object]:
            return [{"do": "attack", "at": [99, 99], "energy": 1}]

        def results(self, results: list[dict[str, object]]) -> None:
            received.append(results[0]["reason"])

        def end(self, outcome: object) -> None:
            received.append(outcome)

        def close(self) -> None:
            received.append("closed")

    arena.play(game, [arena.as_bot(Listening), arena.as_bot(lambda view: [])], turns=1)
    names = list(game.players)
    assert received == [
        {"game": "colorfight", "seat": 0, "name": names[0], "players": names, "config": game.config.values()},
        "OFF_THE_MAP",
        None,
        "closed",
    ]


def test_a_hook_that_raises_is_a_failure_and_the_match_goes_on(game: marchland.Game) -> None:
    class Failing:
        def start(self, info: object) -> None:
            raise RuntimeError("not ready")

        def play(self, view: object) -> list[object]:
            return []

    stats = arena.play(game, [arena.as_bot(Failing), arena.as_bot(lambda view: [])], turns=2).stats[0]
    assert game.turn == 3
    assert stats.first_failure.startswith("before the first turn: RuntimeError: not ready (test_process_bots.py")
