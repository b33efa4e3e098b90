"""Run the server until it is stopped."""

import contextlib
import errno
import gc
import signal
import socket
import sys
from collections.abc import Callable, Generator
from functools import partial

import uvicorn
from uvicorn.server import HANDLED_SIGNALS

from marchland.errors import MarchlandError
from marchland.server.app import create_app
from marchland.server.http.addresses import parse_network
from marchland.server.http.frame_budget import FrameBudget
from marchland.server.http.protocols import LimitedHttpProtocol, LimitedWebSocketProtocol
from marchland.server.settings import Settings
from marchland.store import Database


def bind(host: str, port: int) -> socket.socket:
    """A socket with the address, bound before anything else starts; it does not listen yet."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except OSError as problem:
        bound.close()
        raise _address_error(host, port, problem) from None
    return bound


def run(settings: Settings, store: Database, bound: socket.socket, on_open: Callable[[], None]) -> None:
    """Serve on a bound socket; ``on_open`` is called when clients can connect, garbage collection works from then."""
    config = uvicorn.Config(
        create_app(settings, store),
        log_config=None,
        access_log=False,
        http=LimitedHttpProtocol,
        ws=partial(LimitedWebSocketProtocol, budget=FrameBudget(settings)),  # type: ignore[arg-type]
        ws_max_size=settings.body_limit,
        ws_per_message_deflate=settings.compress,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=[str(parse_network(network)) for network in settings.trusted_proxies],
        timeout_graceful_shutdown=5,
        server_header=False,
    )
    sys.setswitchinterval(0.001)  # the writer must not wait long for the interpreter while turns are played
    server = _Server(config, on_open)
    try:
        server.run(sockets=[bound])
    except OSError as problem:
        if problem.errno != errno.EADDRINUSE:  # another process listens there since we have bound it
            raise
        host, port = bound.getsockname()[:2]
        raise _address_error(host, port, problem) from None
    if not server.started:
        raise MarchlandError("The server could not start; the log above has the cause.")


class _Server(uvicorn.Server):
    """Calls back when the port is open; ignores the signals that the process was started to ignore."""

    def __init__(self, config: uvicorn.Config, on_open: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_open = on_open

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application, then listen."""
        await super().startup(sockets)
        gc.freeze()  # a full collection of what was imported and loaded would stop the event loop for 60 ms
        gc.enable()
        self._on_open()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Shut down on SIGINT and SIGTERM, but not on what the parent ignores, as a shell does for background jobs."""
        ignored = [number for number in HANDLED_SIGNALS if signal.getsignal(number) is signal.SIG_IGN]
        with super().capture_signals():
            for number in ignored:
                signal.signal(number, signal.SIG_IGN)
            yield


def _address_error(host: str, port: int, problem: OSError) -> MarchlandError:
    is_port_to_blame = problem.errno in (errno.EADDRINUSE, errno.EACCES)
    option = "--port" if is_port_to_blame else "--host"
    return MarchlandError(f"{host}:{port} cannot be used: {problem.strerror}. Choose another {option}.")
