"""Servers that start quickly: a process that has imported everything forks one for each request.

Importing takes seconds, and a test that kills a server twenty times would spend most of its time on it. The process has
opened nothing before it forks: socket, database, threads and matches belong to the fork, and end with it.
"""

import contextlib
import functools
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
from typing import IO

_MAX_COMMAND = 65_536  # bytes of a command line


class Child:
    """A running server: a child of the fork server, so that this process cannot wait for it."""

    def __init__(self, pid: int, output: IO[str]) -> None:
        self.pid = pid
        self.output = output
        self._pidfd = os.pidfd_open(pid)

    def end(self, number: signal.Signals) -> None:
        """Send a signal, and wait until the process has ended."""
        if self.output.closed:
            return
        with contextlib.suppress(ProcessLookupError):  # it has ended by itself
            signal.pidfd_send_signal(self._pidfd, number)
        end = select.poll()
        end.register(self._pidfd, select.POLLIN)
        assert end.poll(60_000), "the server does not end"
        os.close(self._pidfd)
        self.output.close()


class ForkServer:
    """The process that forks servers; it ends with the process that started it."""

    def __init__(self) -> None:
        self._connection, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, "-m", "tests.support.forkserver", str(theirs.fileno())]
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])

    def fork(self, arguments: list[str], log: IO[str]) -> Child:
        """A server with these arguments; its output can be read, and its log goes to the file."""
        ours, theirs = os.pipe()
        socket.send_fds(self._connection, [json.dumps(arguments).encode()], [theirs, log.fileno()])
        os.close(theirs)
        return Child(int(self._connection.recv(_MAX_COMMAND)), os.fdopen(ours))


@functools.cache
def _fork_server(environment: tuple[tuple[str, str], ...]) -> ForkServer:
    """One for each environment, since a fork inherits it."""
    return ForkServer()


def fork(arguments: list[str], log: IO[str]) -> Child:
    """A server as this process would start it."""
    usual = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    return _fork_server(tuple(sorted(usual.items()))).fork(arguments, log)


def main(connection: socket.socket) -> None:
    """Fork a server for each list of arguments that is received, until the parent closes the connection."""
    import marchland
    import marchland.cli.serve
    import marchland.cli.terminal.output
    import marchland.server.run
    from marchland.server.wire import load_wires

    load_wires()
    for game in marchland.games():
        marchland.find(game).load()
    gc.freeze()  # a collection in a fork would copy every page
    while True:
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:  # reap; the parent has read their exit status
                pass
        arguments, files, _, _ = socket.recv_fds(connection, _MAX_COMMAND, 2)
        if not arguments:
            return
        child = os.fork()
        if child == 0:
            connection.close()
            _serve(json.loads(arguments), *files)
        for file in files:
            os.close(file)
        connection.send(str(child).encode())


def _serve(arguments: list[str], output: int, log: int) -> None:
    from marchland import cli

    os.dup2(output, 1)
    os.dup2(log, 2)
    os.close(output)
    os.close(log)
    try:
        cli.main(arguments)
    finally:
        os._exit(0)


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
