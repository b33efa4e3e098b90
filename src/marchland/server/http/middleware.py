"""The middleware of every request: give it an id, authenticate the caller, apply rate limits, add headers."""

import re
import secrets
from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from marchland.errors import StorageUnavailable
from marchland.messages import Problem
from marchland.server.http.auth import (
    CLOSES_WITH_CODE,
    IGNORES_TOKEN,
    REQUIRED_ROLE,
    Authenticator,
    address_of,
    check_role,
    require_caller,
    token_of,
    unknown_token,
)
from marchland.server.http.errors import ErrorResponses
from marchland.server.http.rate_limit import RateLimited
from marchland.server.http.security_headers import DEFAULT_HEADERS
from marchland.server.json_log import LoggedRequest, logged_request

_ID_HEADER = b"x-request-id"
_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
"""What a proxy or client may send as an id: it is copied into log lines and into the response."""
_RESPONSE_HEADS = ("http.response.start", "websocket.accept", "websocket.http.response.start")


def identify_requests(app: ASGIApp) -> ASGIApp:
    """Middleware that puts the id of a request into its response and into every line that it logs."""

    async def handle(scope: Scope, receive: Receive, send: Send) -> None:
        request_id = _id_of(scope)

        async def send_with_id(message: Any) -> None:
            if message["type"] in _RESPONSE_HEADS:
                headers = [*message.get("headers", ()), (_ID_HEADER, request_id.encode())]
                message = {**message, "headers": headers}
            await send(message)

        request = LoggedRequest(request_id)
        token = logged_request.set(request)
        try:
            await app(scope, receive, send_with_id)
        finally:
            request.id = None  # a match that the request started inherits the context and outlives it
            logged_request.reset(token)

    return handle


def _id_of(scope: Scope) -> str:
    sent = next((value for name, value in scope["headers"] if name == _ID_HEADER), b"")
    return sent.decode() if _ID.fullmatch(sent) else secrets.token_hex(8)


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
            token = token_of(scope)
            try:
                caller = None if token is None else await authenticator.authenticate(token)
            except StorageUnavailable:
                problem = Problem("unavailable", "The database cannot be reached now.")
                await errors.send(scope, send, 503, problem, 1)
                return
            state["caller"] = caller
            if token is not None and caller is None:
                if scope["type"] == ScopeType.HTTP or CLOSES_WITH_CODE not in scope["route_handler"].opt:
                    await errors.send(scope, send, 401, Problem("bad_token", str(unknown_token())), None)
                    return
                state["refusal"] = "bad_token"
            if caller is not None and (wait := authenticator.token_wait(caller)):
                await send_rate_limited(scope, send, wait)
                return
            if role := scope["route_handler"].opt.get(REQUIRED_ROLE):
                check_role(require_caller(scope), role)
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
