"""`Game.load`: what a process must know of the kernel cache before it plays."""

import os
import subprocess
import sys
from pathlib import Path

import marchland

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
