"""The wheel, installed with its runtime dependencies only into an empty environment: it plays, serves and is small."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

import marchland
from marchland.server.http.static import FOLDER

ROOT = Path(__file__).parents[2]
MEGABYTE = 1_000_000
UV = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")

needs_uv = pytest.mark.skipif(UV is None, reason="`make setup` installs uv, which installs the wheel here")
needs_page = pytest.mark.skipif(not (FOLDER / "index.html").is_file(), reason="`make web` builds the page")


class Installed:
    """An environment that holds the wheel. Nothing of the checkout can be imported in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = folder / "environment"
        self.size = sum(path.lstat().st_blocks * 512 for path in self.environment.rglob("*"))
        """The bytes on the disk, before anything has run and left its bytecode."""
        self._variables = {
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "MARCHLAND_CACHE": str(folder / "kernels"),
            "PATH": os.environ["PATH"],
        }

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment to its end."""
        command = self._command(program, *arguments)
        return subprocess.run(command, **self._options(), capture_output=True, timeout=300)

    def output_of(self, program: str, *arguments: str) -> str:
        """What a program prints that should succeed."""
        ran = self.run(program, *arguments)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    @contextmanager
    def serve(self, *arguments: str) -> Iterator[str]:
        """The address of a server that runs meanwhile."""
        with (self.folder / "server.log").open("w+") as log:
            command = self._command("marchland", "serve", "--port", "0", "--db", str(self.folder / "my.db"), *arguments)
            server = subprocess.Popen(command, **self._options(), stdout=subprocess.PIPE, stderr=log)
            try:
                assert server.stdout is not None
                said = server.stdout.readline()
                assert said.startswith("Marchland is at "), (self.folder / "server.log").read_text()
                yield said.split()[-1]
            finally:
                server.send_signal(signal.SIGTERM)
                server.communicate(timeout=60)

    def _command(self, program: str, *arguments: str) -> list[str]:
        return [str(self.environment / "bin" / program), *arguments]

    def _options(self) -> dict[str, Any]:
        return {"cwd": self.folder, "env": self._variables, "stdin": subprocess.DEVNULL, "text": True}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder outside the checkout. It becomes large, so it goes as soon as these tests are done."""
    folder = tmp_path_factory.mktemp("dist")
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def sdist(folder: Path) -> Path:
    return build("sdist", ROOT, folder / "sdist")


@pytest.fixture(scope="module")
def wheel(folder: Path) -> Path:
    return build("wheel", ROOT, folder / "wheel")


@pytest.fixture(scope="module")
def installed(wheel: Path, folder: Path) -> Installed:
    """The wheel and what it depends on, in the versions and with the hashes of the lock."""
    lock = folder / "runtime.lock"
    shutil.copy(ROOT / "requirements.lock", lock)
    requirement = os.path.relpath(wheel, folder)
    uv(folder, "venv", "--python", sys.executable, "environment")
    # Beside the lock of everything, uv keeps its versions and hashes and drops what the wheel does not need.
    options = ["--python", "environment", "--generate-hashes", "--output-file", "runtime.lock"]
    uv(folder, "pip", "compile", *options, "-", given=f"./{requirement}")
    uv(folder, "pip", "sync", "--python", "environment", "--require-hashes", "runtime.lock")
    return Installed(folder)


def build(target: str, source: Path, folder: Path) -> Path:
    """An sdist or a wheel from a source tree."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (built,) = folder.iterdir()
    return built


def uv(folder: Path, *arguments: str, given: str = "") -> None:
    ran = subprocess.run([str(UV), "--quiet", *arguments], cwd=folder, input=given, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@needs_page
def test_the_wheel_holds_the_page(wheel: Path) -> None:
    page = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file()}
    assert {"index.html", "viewer.html", "icon.svg"} <= page
    assert {f"marchland/web/{name}" for name in page} <= set(contents(wheel))


def test_the_wheel_holds_nothing_but_the_package(wheel: Path) -> None:
    top = {name.partition("/")[0] for name in contents(wheel)}
    assert top == {"marchland", f"marchland-{marchland.__version__}.dist-info"}


def test_an_sdist_builds_the_same_wheel(sdist: Path, wheel: Path, folder: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(folder / "source", filter="data")
    (source,) = (folder / "source").iterdir()
    assert contents(build("wheel", source, folder / "again")) == contents(wheel)


@needs_uv
def test_only_what_is_needed_at_run_time_is_installed(installed: Installed) -> None:
    script = "import importlib.metadata, json; print(json.dumps([one.name for one in importlib.metadata.distributions()]))"
    names = {name.lower() for name in json.loads(installed.output_of("python", "-c", script))}
    assert {"marchland", "llvmlite", "numpy", "starlette"} <= names
    assert not {"numba", "psycopg", "psycopg-binary", "pytest", "hypothesis", "mypy", "ruff", "hatchling"} & names


@needs_uv
def test_the_installation_takes_330_megabytes_at_most(installed: Installed) -> None:
    print(f"{installed.size / MEGABYTE:.1f} MB")
    assert installed.size <= 330 * MEGABYTE


@needs_uv
def test_the_package_comes_from_the_environment(installed: Installed) -> None:
    place = installed.output_of("python", "-c", "import marchland; print(marchland.__file__)").strip()
    assert Path(place).is_relative_to(installed.environment)


@needs_uv
def test_a_match_is_played(installed: Installed) -> None:
    result = json.loads(installed.output_of("marchland", "play", "colorfight", "--seed", "7", "--turns", "50", "--json"))
    assert (result["turns"], len(result["players"])) == (50, 2)
    assert all(player["orders"] for player in result["players"])


@needs_uv
@needs_page
def test_the_demo_is_served_with_its_page(installed: Installed) -> None:
    with installed.serve("--demo") as address, httpx.Client(base_url=address, timeout=60, trust_env=False) as browser:
        page = browser.get("/").raise_for_status().text
        assert "<title>Marchland</title>" in page
        scripts = re.findall(r'src="(/assets/[^"]+\.js)"', page)
        assert scripts
        for script in scripts:
            assert browser.get(script).raise_for_status().headers["content-type"].startswith("text/javascript")
        rooms = browser.get("/api/v1/rooms").raise_for_status().json()
        assert len(rooms) == 5


@needs_uv
def test_a_postgresql_url_is_refused_with_what_to_install(installed: Installed) -> None:
    ran = installed.run("marchland", "serve", "--port", "0", "--db", "postgresql://someone@/league")
    assert (ran.returncode, ran.stderr) == (2, "PostgreSQL needs the extra: pip install 'marchland[postgres]'\n")
