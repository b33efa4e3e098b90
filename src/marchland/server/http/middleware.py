"""The middleware of every request: authenticate the caller, apply rate limits."""

from typing import Any

from litestar.types import ASGIApp, Receive, Scope, Send

from marchland.errors import StorageUnavailable
from marchland.messages import Problem
from marchland.server.http.auth import Authenticator, address_of, token_of
from marchland.server.http.errors import ErrorResponses
from marchland.server.http.rate_limit import RateLimited


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
            token = token_of(scope)
            try:
                caller = None if token is None else await authenticator.authenticate(token)
            except StorageUnavailable:
                problem = Problem("unavailable", "The database cannot be reached now.")
                await errors.send(scope, send, 503, problem, 1)
                return
            state = scope["state"]
            state["caller"] = caller
            state["refusal"] = "bad_token" if token is not None and caller is None else None
            if caller is not None and (wait := authenticator.token_wait(caller)):
                await send_rate_limited(scope, send, wait)
                return
            await app(scope, receive, send)

        return handle

    return middleware
