"""Servers that are there at once: a process that has imported everything forks one whenever it is asked to.

Importing takes seconds, and a test that kills a server twenty times would spend most of its time on it. What is forked
has opened nothing yet: socket, database, threads and matches are its own, and are gone when it is killed.
"""

import contextlib
import functools
import json
import os
import select
import signal
import socket
import subprocess
import sys
from typing import IO

_MOST = 65_536  # bytes of a command line


class Child:
    """A server that runs, in a process that is not ours to wait for."""

    def __init__(self, pid: int, said: IO[str]) -> None:
        self.pid = pid
        self.said = said
        self._life = os.pidfd_open(pid)

    def end(self, how: signal.Signals) -> None:
        """Send a signal that ends it, and see that it does."""
        if self.said.closed:
            return
        with contextlib.suppress(ProcessLookupError):  # it has ended by itself
            signal.pidfd_send_signal(self._life, how)
        gone = select.poll()
        gone.register(self._life, select.POLLIN)
        assert gone.poll(30_000), "the server does not end"
        os.close(self._life)
        self.said.close()


class Nursery:
    """The process that forks them; it ends with the one that it works for."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, "-m", "tests.support.forkserver", str(theirs.fileno())]
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])

    def fork(self, arguments: list[str], log: IO[str]) -> Child:
        """A server with these arguments: what it says can be read, what it logs goes to the file."""
        ours, theirs = os.pipe()
        socket.send_fds(self._line, [json.dumps(arguments).encode()], [theirs, log.fileno()])
        os.close(theirs)
        return Child(int(self._line.recv(_MOST)), os.fdopen(ours))


@functools.cache
def nursery(environment: tuple[tuple[str, str], ...]) -> Nursery:
    """One for each environment, since what is forked has that of its nursery."""
    return Nursery()


def fork(arguments: list[str], log: IO[str]) -> Child:
    """A server as this process would start it."""
    usual = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    return nursery(tuple(sorted(usual.items()))).fork(arguments, log)


def main(line: socket.socket) -> None:
    """Fork a server for each list of arguments that comes, until the parent closes the connection."""
    import marchland
    import marchland.server.run

    for game in marchland.games():
        marchland.find(game).load()
    while True:
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:  # reap; the parent has read their exit status
                pass
        asked, files, _, _ = socket.recv_fds(line, _MOST, 2)
        if not asked:
            return
        child = os.fork()
        if child == 0:
            line.close()
            _serve(json.loads(asked), *files)
        for file in files:
            os.close(file)
        line.send(str(child).encode())


def _serve(arguments: list[str], said: int, log: int) -> None:
    from marchland import cli

    os.dup2(said, 1)
    os.dup2(log, 2)
    os.close(said)
    os.close(log)
    try:
        cli.main(arguments)
    finally:
        os._exit(0)


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
