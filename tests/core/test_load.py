"""`Game.load`: what a process must know of the kernel cache before it plays."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import marchland

ROOT = Path(__file__).parents[2]
LOAD = "import marchland; print(marchland.find('colorfight').load(compile=False))"


def test_nothing_is_compiled_if_that_is_not_wanted(tmp_path: Path) -> None:
    environment = os.environ | {"MARCHLAND_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", LOAD], env=environment, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("False\n", "")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_game_that_is_compiled_is_loaded_without_a_report_of_progress() -> None:
    kind = marchland.find("colorfight")
    kind.load()
    reported: list[float] = []
    assert kind.load(compile=False, on_progress=reported.append)
    assert reported == []


PLAY_WITHOUT_COMPILING = """
import os, random, sys
import marchland
from marchland import kernels
from marchland.conformance.playing import pick_orders
from marchland.kernels import cache
from tests.support.small_matches import TESTED

name, empty = sys.argv[1:]
kind = marchland.find(name)
kind.load()
os.environ["MARCHLAND_CACHE"] = empty
cache.cache_root.cache_clear()
with kernels.forbid_compiling():
    for players in range(kind.least_players, min(kind.most_players, 8) + 1):
        game = kind.new(players, seed=3)
        for bot in kind.bots.values():
            game.step({0: bot(seed=0).play(game.observe(0))})
        game.view(0), game.view(), game.scene(0), game.legal(0)
        marchland.restore(game.snapshot())
    game, chance = TESTED[kind.name].new(seed=1), random.Random(1)
    for _ in range(10):
        game.step({seat: pick_orders(game, seat, chance) for seat in range(len(game.players))})
"""


@pytest.mark.parametrize("name", marchland.games())
def test_a_loaded_game_compiles_nothing_while_it_is_played(name: str, tmp_path: Path) -> None:
    """From then on its cache is empty, so that a kernel that was not loaded is noticed though it has been compiled."""
    command = [sys.executable, "-c", PLAY_WITHOUT_COMPILING, name, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
