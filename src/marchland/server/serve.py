"""Run the server until somebody stops it."""

import socket
import sys

import uvicorn

from marchland.errors import MarchlandError
from marchland.server.app import create_app
from marchland.server.connections import Requests, Sockets
from marchland.server.settings import Settings
from marchland.store import Store


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens, so that the address is known, and taken, before anything else starts."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except OSError as problem:
        bound.close()
        raise MarchlandError(f"{host}:{port} cannot be used: {problem.strerror}. Choose another --port.") from None
    bound.listen(2048)
    return bound


def run(settings: Settings, store: Store, bound: socket.socket) -> None:
    """Serve on a socket that listens already."""
    config = uvicorn.Config(
        create_app(settings, store),
        log_config=None,
        access_log=False,
        http=Requests,
        ws=Sockets,
        ws_max_size=settings.body_limit,
        ws_per_message_deflate=settings.compress,
        timeout_graceful_shutdown=5,
        server_header=False,
    )
    sys.setswitchinterval(0.001)  # the writer must not wait long for the interpreter while turns are played
    uvicorn.Server(config).run(sockets=[bound])
