"""Plain ASGI handler of the protocol: errors of its own form, responses that are encoded in advance."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Send

from marchland.errors import Refused, StorageUnavailable
from marchland.server.http.auth import Authenticator, Caller
from marchland.server.http.rate_limit import TokenBuckets
from marchland.server.http.request import read_body
from marchland.server.settings import Settings
from marchland.server.wire.datspulse import errors
from marchland.server.wire.datspulse.errors import Refusal

Endpoint = Callable[[Caller, bytes], Awaitable[bytes]]

log = logging.getLogger(__name__)


class RequestHandler:
    """Authenticates requests, applies the rate limit and calls the endpoint of the path."""

    def __init__(
        self, settings: Settings, authenticator: Authenticator, endpoints: Mapping[str, tuple[str, Endpoint]]
    ) -> None:
        self._authenticator = authenticator
        self._rate = settings.round_rate
        self._buckets = TokenBuckets(self._rate, self._rate)
        self._body_limit = settings.body_limit
        self._endpoints = endpoints
        """The method and the endpoint of each path."""

    async def serve(self, path: str, scope: Any, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            body = await self._respond(path, scope, receive)
        except ClientDisconnect:
            return
        except Exception as problem:
            refusal = problem if isinstance(problem, Refusal) else _as_refusal(problem, path)
            await _send(send, refusal.status, refusal.body(), refusal.retry)
        else:
            await _send(send, 200, body)

    async def _respond(self, path: str, scope: Any, receive: Receive) -> bytes:
        method, endpoint = self._endpoints[path]
        if scope["method"] != method:
            raise errors.method_not_allowed(scope["method"], path)
        caller = await self._authenticator.authenticate(_token(scope))
        if caller is None:
            raise errors.bad_token()
        if waiting := self._buckets.take(caller.token):
            raise errors.rate_limited(self._rate, waiting)
        return await endpoint(caller, b"" if method == "GET" else await self._read_body(scope, receive))

    async def _read_body(self, scope: Any, receive: Receive) -> bytes:
        try:
            content = await read_body(scope, receive, self._body_limit)
        except HTTPException:
            raise errors.body_too_large(self._body_limit) from None
        self._authenticator.charge_body(scope, len(content))
        return content


def _token(scope: Any) -> str:
    return next((value.decode("latin-1").strip() for name, value in scope["headers"] if name == b"x-auth-token"), "")


def _as_refusal(problem: Exception, path: str) -> Refusal:
    """An exception of the server as an error of this protocol."""
    if isinstance(problem, StorageUnavailable):
        log.error("storage unavailable", extra={"path": path, "error": str(problem)})
        return errors.storage_unavailable()
    if isinstance(problem, Refused) and problem.retry is not None:
        return Refusal(429, str(problem), problem.retry)
    if isinstance(problem, Refused):
        return errors.bad_request(str(problem))
    log.exception("request failed", exc_info=problem, extra={"path": path})
    return errors.internal_error()


async def _send(send: Send, status: int, body: bytes, retry: int | None = None) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if retry is not None:
        headers.append((b"retry-after", str(retry).encode()))
    if status == 413:  # the rest of the body is not read
        headers.append((b"connection", b"close"))
    start: Any = {"type": "http.response.start", "status": status, "headers": headers}
    rest: Any = {"type": "http.response.body", "body": body, "more_body": False}
    await send(start)
    await send(rest)
