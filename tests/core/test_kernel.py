"""Where compiled code is kept, and what importing and starting cost."""

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from marchland.core import kernel

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


def test_importing_marchland_is_quick_and_loads_no_numba() -> None:
    assert cpu_seconds("import marchland") <= 0.3
    loaded = run("import marchland, sys; print('numba' in sys.modules, 'numpy' in sys.modules)")
    assert loaded.stdout.split() == ["False", "False"]


def test_the_second_start_of_a_game_is_quick() -> None:
    import marchland

    marchland.new("colorfight", 2, seed=0)
    assert cpu_seconds("import marchland; marchland.new('colorfight', 2, seed=0)") <= 2


def test_config_and_orders_load_no_numba() -> None:
    light = "marchland.games.colorfight.config, marchland.games.colorfight.orders"
    assert run(f"import {light}, sys; print('numba' in sys.modules)").stdout.split() == ["False"]


def test_the_directory_of_a_games_kernels_changes_with_its_files_only(tmp_path: Path) -> None:
    game = ROOT / "src/marchland/games/colorfight"
    copy = tmp_path / "colorfight"
    shutil.copytree(game, copy)
    before = kernel.cache_directory(str(copy / "turn.py"))
    (copy / "turn.py").write_text((copy / "turn.py").read_text() + "\n")
    kernel._directory_of.cache_clear()
    assert kernel.cache_directory(str(copy / "turn.py")) != before
    assert kernel.cache_directory(str(game / "turn.py")) == kernel.cache_directory(str(game / "maps.py"))


def test_a_cache_that_cannot_be_written_is_replaced_with_a_warning(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    done = run(
        "import numpy; from marchland.core.dice import roll; print(roll(1, 2, 3, 4, 5, 6, 7))",
        MARCHLAND_CACHE=str(blocked / "cache"),
    )
    assert done.returncode == 0
    assert "cannot be written" in done.stderr
    assert "MARCHLAND_CACHE" in done.stderr


def test_the_first_compile_says_so_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "rules.py"
    source.write_text("")
    monkeypatch.setenv("MARCHLAND_CACHE", str(tmp_path / "cache"))
    kernel._cache_root.cache_clear()
    kernel._directory_of.cache_clear()
    asked = []
    for _ in range(2):
        with kernel.first_compile("checkers", str(source)) as compiling:
            asked.append(compiling)
    kernel._cache_root.cache_clear()
    kernel._directory_of.cache_clear()
    assert asked == [True, False]
    assert capsys.readouterr().err.count("Compiling checkers") == 1


def test_of_two_processes_one_compiles_and_the_other_waits(tmp_path: Path) -> None:
    source = tmp_path / "rules.py"
    source.write_text("")
    code = (
        "import sys\n"
        "from marchland.core.kernel import first_compile\n"
        f"with first_compile('checkers', {str(source)!r}) as compiling:\n"
        "    print(compiling, flush=True)\n"
        "    sys.stdin.readline() if compiling else None\n"
    )
    environment = {**os.environ, "MARCHLAND_CACHE": str(tmp_path / "cache")}
    start = functools.partial(
        subprocess.Popen,
        [sys.executable, "-c", code],
        env=environment,
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with start() as first:
        assert first.stdout
        assert first.stdout.readline() == "True\n"
        with start() as second:
            assert second.stderr
            assert second.stderr.readline() == "Waiting for another process that compiles checkers ...\n"
            first.communicate("done\n", timeout=60)
            assert second.communicate(timeout=60)[0] == "False\n"
