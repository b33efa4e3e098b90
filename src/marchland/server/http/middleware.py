"""What happens around every request: its id, the headers of its response, and the admission of its caller."""

import random
import re
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from marchland.server.http.auth import (
    Admission,
    Authenticator,
    address_of,
    check_role,
    header_of,
    require_caller,
    token_of,
    unknown_token,
)
from marchland.server.http.rate_limit import RateLimited
from marchland.server.http.routing import Endpoint
from marchland.server.http.security_headers import DEFAULT_HEADERS
from marchland.server.json_log import LoggedRequest, logged_request

_ID_HEADER = b"x-request-id"
_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
"""What a proxy or client may send as an id: it is copied into log lines and into the response."""
_RESPONSE_HEADS = ("http.response.start", "websocket.accept", "websocket.http.response.start")


def add_response_headers(app: ASGIApp) -> ASGIApp:
    """Middleware that adds the security headers and the id of a request, which is in every line that it logs, too."""

    async def handle(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await app(scope, receive, send)
            return
        request_id = _id_of(scope)

        async def send_with_headers(message: Any) -> None:
            if message["type"] in _RESPONSE_HEADS:
                headers = [*message.get("headers", ()), (_ID_HEADER, request_id.encode())]
                if message["type"] == "http.response.start":
                    present = {name for name, _ in headers}
                    headers += [header for header in DEFAULT_HEADERS if header[0] not in present]
                message = {**message, "headers": headers}
            await send(message)

        request = LoggedRequest(request_id)
        token = logged_request.set(request)
        try:
            await app(scope, receive, send_with_headers)
        finally:
            request.id = None  # a match that the request started inherits the context and outlives it
            logged_request.reset(token)

    return handle


def _id_of(scope: Scope) -> str:
    sent = header_of(scope, _ID_HEADER)
    return sent.decode() if _ID.fullmatch(sent) else f"{random.getrandbits(64):016x}"


async def admit(authenticator: Authenticator, scope: Scope, endpoint: Endpoint) -> None:
    """Put the caller into the scope; refuse unknown tokens, requests over the limits, and callers without the role.

    This is done before the body is read.
    """
    if wait := authenticator.address_wait(address_of(scope)):
        raise RateLimited(wait)
    state: Admission = scope["state"]
    state["caller"], state["is_refused"] = None, False
    if endpoint.ignores_token:
        return
    if (token := token_of(scope)) is not None:
        caller = await authenticator.authenticate(token)
        if caller is None:
            if not endpoint.closes_with_code:
                raise unknown_token()
            state["is_refused"] = True
        elif wait := authenticator.token_wait(caller):
            raise RateLimited(wait)
        state["caller"] = caller
    if endpoint.role is not None:
        check_role(require_caller(scope), endpoint.role)
