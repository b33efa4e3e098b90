"""The limit on open WebSockets of an address."""

import contextlib
from collections import Counter
from collections.abc import Iterator

from starlette.types import ASGIApp, Receive, Scope, Send

from marchland.server.http.addresses import limit_key
from marchland.server.http.auth import address_of
from marchland.server.http.rate_limit import RateLimited

_RETRY_SECONDS = 10.0
"""When a refused client may ask again; when a socket of its address will close is not known."""


class SocketLimit:
    """Counts the open WebSockets of each address and refuses the handshake of one more than ``most``.

    Rate limits do not bound them: a socket that is silent costs no tokens, but memory and a descriptor.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    def guard(self, app: ASGIApp) -> ASGIApp:
        """Middleware of a WebSocket route."""

        async def handle(scope: Scope, receive: Receive, send: Send) -> None:
            with self.hold(scope):
                await app(scope, receive, send)

        return handle

    @contextlib.contextmanager
    def hold(self, scope: Scope) -> Iterator[None]:
        """Count a WebSocket while it is open."""
        key = limit_key(address_of(scope))
        if self._open[key] >= self._most:
            raise RateLimited(_RETRY_SECONDS, "too_many_sockets", most=self._most)
        self._open[key] += 1
        try:
            yield
        finally:
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]
