"""Servers that are there at once: a process that has imported everything forks one whenever it is asked to.

Importing takes seconds, and a test that kills a server twenty times would spend most of its time on it. What is forked
has opened nothing yet: socket, database, threads and matches are its own, and are gone when it is killed.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.serving import Served


class Forked(Served):
    """A server that is back a moment after it was killed; the games that it will host are loaded beforehand."""

    def __init__(self, folder: Path, games: list[str], *options: str) -> None:
        self._folder, self._games = folder, games
        self._nursery: subprocess.Popen[str] | None = None
        super().__init__(folder, *options)

    def start(self) -> None:
        if self._nursery is None:
            with (self._folder / "server.log").open("a") as log:
                command = [sys.executable, "-m", "tests.forking", *self._games]
                pipe = subprocess.PIPE
                self._nursery = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=log, text=True)
        said = self._ask([*self._command[3:], "--port", str(self.port) if self.url else "0"])
        while not said.startswith("Marchland is at "):
            assert said, self.log.read_text()
            said = self._hear()
        self.url = said.split()[-1]

    def kill(self) -> None:
        self._end("kill")

    def stop(self) -> None:
        assert self._nursery is not None and self._nursery.stdin is not None and self._nursery.stdout is not None
        self._end("stop")
        self._nursery.stdin.close()
        self._nursery.wait(timeout=30)
        self._nursery.stdout.close()

    def _end(self, how: str) -> None:
        said = self._ask(how)
        while said != "gone":
            assert said, self.log.read_text()
            said = self._hear()

    def _ask(self, what: object) -> str:
        assert self._nursery is not None and self._nursery.stdin is not None
        self._nursery.stdin.write(json.dumps(what) + "\n")
        self._nursery.stdin.flush()
        return self._hear()

    def _hear(self) -> str:
        assert self._nursery is not None and self._nursery.stdout is not None
        line = self._nursery.stdout.readline()
        return line.rstrip("\n") or line


def main(games: list[str]) -> None:
    """Fork a server for each list of arguments; ``"kill"`` and ``"stop"`` end it, and so does the end of the input."""
    import marchland
    import marchland.server.serve

    for game in games:
        marchland.find(game).make_ready()
        marchland.new(game, 2).step()
    server = 0
    for line in sys.stdin:
        asked = json.loads(line)
        if isinstance(asked, list):
            server = _forked(asked)
        else:
            _end(server, signal.SIGKILL if asked == "kill" else signal.SIGTERM)
            server = 0
            print("gone", flush=True)
    if server:
        _end(server, signal.SIGKILL)


def _forked(arguments: list[str]) -> int:
    from marchland import cli

    child = os.fork()
    if child:
        return child
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    try:
        cli.main(arguments)
    finally:
        os._exit(0)


def _end(server: int, how: signal.Signals) -> None:
    os.kill(server, how)
    os.waitpid(server, 0)


if __name__ == "__main__":
    main(sys.argv[1:])
