"""Where kernels cannot be compiled they run as Python, with one warning."""

import subprocess
import sys

import pytest

PROBE = "import marchland.kernels; print(marchland.kernels.MODE)"


def run(preparation: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-W", "default", "-c", f"import sys; {preparation}; {PROBE}"]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    ("preparation", "reason"),
    [
        ("sys.modules['llvmlite'] = None", "LLVM cannot be loaded"),
        ("sys._is_gil_enabled = lambda: False", "a Python with a global interpreter lock"),
        ("sys.platform = 'win32'", "Windows"),
    ],
)
def test_an_obstacle_selects_python_mode_with_one_warning(preparation: str, reason: str) -> None:
    done = run(preparation)
    assert done.stdout == "python\n", done.stderr
    assert done.stderr.count("Kernels run as plain Python") == 1
    assert reason in done.stderr


def test_an_unknown_mode_is_refused() -> None:
    done = run("import os; os.environ['MARCHLAND_KERNELS'] = 'fast'")
    assert done.returncode == 1
    assert "MARCHLAND_KERNELS is 'fast'; it can be compiled, checked, python." in done.stderr
