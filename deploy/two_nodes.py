#!/usr/bin/env python3
"""Two nodes, a private PostgreSQL and a load balancer on this machine, without containers.

``two_nodes.py --port 8000 --folder league`` listens on 127.0.0.1: the balancer on port 8000, the nodes on 8001 and
8002. It needs Debian's packages postgresql and haproxy; without haproxy the nodes are reachable, but not balanced. A
node that ends is started again. Ctrl-C stops everything; the folder keeps the database.
"""

import argparse
import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
STARTUP = 120.0
"""Seconds in which every node must be ready; the first start compiles the games."""

RESTART_DELAY = 1.0


def find_postgres() -> Path:
    """The folder with PostgreSQL's programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"), key=lambda path: float(path.parts[-3]))
    on_path = shutil.which("pg_ctl")
    if found:
        return found[-1].parent
    if on_path:
        return Path(on_path).parent
    sys.exit("PostgreSQL is not installed. On Debian: apt install postgresql")


@contextlib.contextmanager
def private_postgres(folder: Path) -> Iterator[str]:
    """A PostgreSQL on a Unix socket in the folder, and the URL of its database."""
    programs, data = find_postgres(), folder / "postgres"
    folder.mkdir(parents=True, exist_ok=True)
    user = "postgres" if os.getuid() == 0 else None  # PostgreSQL refuses to run as root
    if user:
        shutil.chown(folder, user, user)

    def run(*command: str | Path) -> None:
        subprocess.run(command, user=user, group=user, cwd=folder, check=True, stdout=subprocess.DEVNULL)

    if not data.exists():
        run(programs / "initdb", "-D", data, "-U", "marchland", "-A", "trust", "-E", "UTF8", "--locale=C")
    options = f"-k {folder} -c listen_addresses="
    run(programs / "pg_ctl", "-D", data, "-l", folder / "postgres.log", "-o", options, "-w", "start")
    try:
        yield f"postgresql://marchland@/postgres?host={folder}"
    finally:
        run(programs / "pg_ctl", "-D", data, "-m", "fast", "-w", "stop")


class Program:
    """A process that is started again when it ends."""

    def __init__(self, name: str, port: int, command: list[str], log: Path, environment: dict[str, str]) -> None:
        self.name, self.address = name, f"http://127.0.0.1:{port}"
        self._command, self._log, self._environment = command, log, {**os.environ, **environment}
        self._start()

    def _start(self) -> None:
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self._environment
            )
        self._started = time.monotonic()
        say(f"{self.name} runs as process {self._process.pid}")

    def restart_if_ended(self) -> None:
        """Start it again if it has ended."""
        if self._process.poll() is not None and time.monotonic() > self._started + RESTART_DELAY:
            say(f"{self.name} has ended with {self._process.returncode}")
            self._start()

    def stop(self) -> None:
        """End it, in 20 seconds at most."""
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def is_ready(url: str) -> bool:
    """Whether a node has loaded every game."""
    try:
        with urllib.request.urlopen(f"{url}/readyz", timeout=2) as response:
            return bool(response.status == 200)
    except (OSError, urllib.error.HTTPError):
        return False


def wait_until_ready(programs: list[Program], folder: Path) -> None:
    """Wait until every node has loaded every game."""
    end = time.monotonic() + STARTUP
    while not all(is_ready(program.address) for program in programs):
        restart_ended(programs)
        if time.monotonic() > end:
            sys.exit(f"Not ready after {STARTUP:.0f} seconds; see the logs in {folder}")


def restart_ended(programs: list[Program]) -> None:
    """Start again what has ended."""
    for program in programs:
        program.restart_if_ended()
    time.sleep(0.2)


def start_nodes(url: str, port: int, folder: Path, token: str) -> Iterator[Program]:
    """Both nodes, on the two ports after the balancer's."""
    marchland = str(Path(sys.executable).with_name("marchland"))
    for own, name in ((port + 1, "first"), (port + 2, "second")):
        command = [marchland, "serve", "--host", "127.0.0.1", "--port", str(own), "--db", url, "--lease", "3"]
        yield Program(name, own, command, folder / f"{name}.log", {"MARCHLAND_ADMIN_TOKEN": token})


def start_balancer(port: int, folder: Path) -> Iterator[Program]:
    """HAProxy with haproxy.cfg, if it is installed."""
    haproxy = shutil.which("haproxy", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"]))
    if haproxy is None:
        say(f"HAProxy is not installed (on Debian: apt install haproxy): the nodes are on {port + 1} and {port + 2}.")
        return
    addresses = {
        "MARCHLAND_BIND": f"127.0.0.1:{port}",
        "MARCHLAND_FIRST": f"127.0.0.1:{port + 1}",
        "MARCHLAND_SECOND": f"127.0.0.1:{port + 2}",
        "MARCHLAND_PROXY": "127.0.0.1",
    }
    command = [haproxy, "-db", "-f", str(HERE / "haproxy.cfg")]
    yield Program("balancer", port, command, folder / "balancer.log", addresses)


def main() -> None:
    """Run until SIGINT or SIGTERM."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--port", type=int, default=8000)
    arguments.add_argument("--folder", type=Path, required=True)
    chosen = arguments.parse_args()
    folder = chosen.folder.resolve()
    token = os.environ.get("MARCHLAND_ADMIN_TOKEN") or secrets.token_urlsafe(24)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with contextlib.ExitStack() as stack, contextlib.suppress(KeyboardInterrupt):
        url = stack.enter_context(private_postgres(folder))
        programs = []
        for program in (*start_nodes(url, chosen.port, folder, token), *start_balancer(chosen.port, folder)):
            stack.callback(program.stop)
            programs.append(program)
        if "MARCHLAND_ADMIN_TOKEN" not in os.environ:
            say(f"The admin's token is {token}")
        wait_until_ready(programs, folder)
        say(f"Marchland is at {programs[-1].address}")
        while True:
            restart_ended(programs)


if __name__ == "__main__":
    main()
