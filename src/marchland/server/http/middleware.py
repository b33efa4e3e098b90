"""The middleware of every request: authenticate the caller, apply rate limits, add headers."""

from typing import Any

from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from marchland.errors import StorageUnavailable
from marchland.messages import Problem
from marchland.server.http.auth import IGNORES_TOKEN, Authenticator, address_of, token_of, unknown_token
from marchland.server.http.errors import ErrorResponses
from marchland.server.http.rate_limit import RateLimited
from marchland.server.http.security_headers import DEFAULT_HEADERS


def authenticate_and_limit(authenticator: Authenticator, errors: ErrorResponses) -> Any:
    """Middleware that puts the caller into the scope and refuses requests over the limits."""

    async def send_rate_limited(scope: Scope, send: Send, wait: float) -> None:
        problem = RateLimited(wait)
        await errors.send(scope, send, 429, Problem(problem.error, str(problem)), problem.retry)

    def middleware(app: ASGIApp) -> ASGIApp:
        async def handle(scope: Scope, receive: Receive, send: Send) -> None:
            if wait := authenticator.address_wait(address_of(scope)):
                await send_rate_limited(scope, send, wait)
                return
            state = scope["state"]
            state["caller"] = state["refusal"] = None
            if IGNORES_TOKEN in scope["route_handler"].opt:
                await app(scope, receive, send)
                return
            token = token_of(ASGIConnection(scope))
            try:
                caller = None if token is None else await authenticator.authenticate(token)
            except StorageUnavailable:
                problem = Problem("unavailable", "The database cannot be reached now.")
                await errors.send(scope, send, 503, problem, 1)
                return
            state["caller"] = caller
            if token is not None and caller is None:
                if scope["type"] == ScopeType.HTTP:
                    await errors.send(scope, send, 401, Problem("bad_token", str(unknown_token())), None)
                    return
                state["refusal"] = "bad_token"  # browsers show the close code of a WebSocket, not the status
            if caller is not None and (wait := authenticator.token_wait(caller)):
                await send_rate_limited(scope, send, wait)
                return
            await app(scope, receive, send)

        return handle

    return middleware


async def add_security_headers(message: Message, scope: Scope) -> None:
    """A hook on every message that is sent; headers that a handler has set stay."""
    if message["type"] != "http.response.start":
        return
    headers = list(message["headers"])
    present = {name.lower() for name, _ in headers}
    message["headers"] = [*headers, *(header for header in DEFAULT_HEADERS if header[0] not in present)]
