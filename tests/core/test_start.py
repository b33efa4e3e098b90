"""What importing and starting cost."""

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


def cpu_seconds(code: str) -> float:
    """Best of five, in processes of their own."""
    timed = f"import time; start = time.process_time(); {code}; print(time.process_time() - start)"
    return min(float(run(timed).stdout) for _ in range(5))


def test_importing_marchland_is_quick_and_loads_no_llvmlite() -> None:
    assert cpu_seconds("import marchland") <= 0.3
    loaded = run("import marchland, sys; print('llvmlite' in sys.modules, 'numpy' in sys.modules)")
    assert loaded.stdout.split() == ["False", "False"]


def test_the_second_start_of_a_game_is_quick() -> None:
    import marchland

    marchland.new("colorfight", 2, seed=0)
    assert cpu_seconds("import marchland; marchland.new('colorfight', 2, seed=0)") <= 2


def test_config_and_orders_load_no_llvmlite() -> None:
    light = "marchland.games.colorfight.config, marchland.games.colorfight.orders"
    assert run(f"import {light}, sys; print('llvmlite' in sys.modules)").stdout.split() == ["False"]
