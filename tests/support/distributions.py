"""Distributions that offer games, as an installer leaves them in a folder of the path."""

import os
import sys
from pathlib import Path

SUPPORT = Path(__file__).parent
"""The folder from which ``toy_game`` is imported."""


def install(folder: Path, distribution: str, **games: str) -> None:
    """Make a distribution of version 1.0 whose entry points are ``games``, each ``"module:Class"``."""
    info = folder / f"{distribution.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
    lines = [f"{name} = {place}" for name, place in games.items()]
    (info / "entry_points.txt").write_text("\n".join(["[marchland.games]", *lines, ""]))


def environment(*folders: Path) -> dict[str, str]:
    """The environment of a process that finds modules and distributions in ``folders``, and ``toy_game``."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, [*folders, SUPPORT, *filter(None, sys.path)]))}
