"""What a fresh process loads of the engine."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_config_and_orders_load_no_llvmlite() -> None:
    light = "marchland.games.colorfight.rules.config, marchland.games.colorfight.rules.orders"
    assert run(f"import {light}, sys; print('llvmlite' in sys.modules)").stdout.split() == ["False"]
