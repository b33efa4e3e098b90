"""After an edit of one game's rule, only that game is compiled again."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import marchland

LOAD = """
from marchland import registry
from marchland.kernels import engine

compiled = []
compile_module = engine.compile_module

def record(text):
    compiled.append(text)
    return compile_module(text)

engine.compile_module = record
for name in ("enova", "hive"):
    before = len(compiled)
    registry.find(name).load()
    print(name, len(compiled) - before)
"""


def load_games(folder: Path) -> dict[str, int]:
    """How many modules each game compiles in a fresh process, with the package in ``folder``."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "MARCHLAND_CACHE": str(folder / "cache")}
    ran = subprocess.run([sys.executable, "-c", LOAD], env=environment, capture_output=True, text=True, check=True)
    return {name: int(count) for name, count in map(str.split, ran.stdout.splitlines())}


def test_only_the_game_whose_rule_was_edited_compiles(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__", "web")
    shutil.copytree(Path(marchland.__file__).parent, tmp_path / "marchland", ignore=ignored)
    first = load_games(tmp_path)
    assert min(first.values()) > 0
    assert load_games(tmp_path) == {"enova": 0, "hive": 0}
    rule = tmp_path / "marchland" / "games" / "hive" / "rules" / "turn.py"
    text = rule.read_text()
    edited = text.replace("head[WITHOUT_CREATION] += 1", "head[WITHOUT_CREATION] += 2")
    assert edited != text
    rule.write_text(edited)
    second = load_games(tmp_path)
    assert second["enova"] == 0
    assert 0 < second["hive"] < first["hive"]
