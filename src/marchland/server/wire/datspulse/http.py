"""Requests as ASGI brings them, and answers as bytes: whatever is answered was encoded before."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from litestar.types import Receive, Send

from marchland.errors import Refused, StorageUnavailable
from marchland.server.http.auth import Authenticator, Caller
from marchland.server.http.rate_limit import TokenBuckets
from marchland.server.settings import Settings
from marchland.server.wire.datspulse import errors
from marchland.server.wire.datspulse.errors import Refusal

Answer = Callable[[Caller, bytes], Awaitable[bytes]]

log = logging.getLogger(__name__)


class Gone(Exception):  # noqa: N818 - it says what happened
    """Whoever asked is not there any more."""


class RequestHandler:
    """Where requests of one base arrive: each has a known token, comes not too often, and asks for a known path."""

    def __init__(
        self, settings: Settings, authenticator: Authenticator, answers: Mapping[str, tuple[str, Answer]]
    ) -> None:
        self._authenticator = authenticator
        self._rate = settings.round_rate
        self._buckets = TokenBuckets(self._rate, self._rate)
        self._body_limit = settings.body_limit
        self._answers = answers
        """By path: the method, and what makes the answer."""

    async def serve(self, path: str, scope: Any, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            body = await self._answered(path, scope, receive)
        except Gone:
            return
        except Exception as problem:
            refusal = problem if isinstance(problem, Refusal) else _as_refusal(problem, path)
            await _send(send, refusal.status, refusal.body(), refusal.retry)
        else:
            await _send(send, 200, body)

    async def _answered(self, path: str, scope: Any, receive: Receive) -> bytes:
        method, answer = self._answers[path]
        if scope["method"] != method:
            raise errors.not_so(scope["method"], path)
        caller = await self._authenticator.authenticate(_token(scope))
        if caller is None:
            raise errors.bad_token()
        if waiting := self._buckets.take(caller.token):
            raise errors.too_many(self._rate, waiting)
        return await answer(caller, b"" if method == "GET" else await self._body(receive))

    async def _body(self, receive: Receive) -> bytes:
        parts: list[bytes] = []
        while True:
            message: Any = await receive()
            if message["type"] == "http.disconnect":
                raise Gone
            parts.append(message.get("body", b""))
            if sum(map(len, parts)) > self._body_limit:
                raise errors.too_large(self._body_limit)
            if not message.get("more_body", False):
                return b"".join(parts)


def _token(scope: Any) -> str:
    return next((value.decode("latin-1").strip() for name, value in scope["headers"] if name == b"x-auth-token"), "")


def _as_refusal(problem: Exception, path: str) -> Refusal:
    """What was refused elsewhere, in the words of this protocol."""
    if isinstance(problem, StorageUnavailable):
        log.error("unavailable", extra={"path": path, "why": str(problem)})
        return errors.unavailable()
    if isinstance(problem, Refused) and problem.retry is not None:
        return Refusal(429, str(problem), problem.retry)
    if isinstance(problem, Refused):
        return errors.bad_body(str(problem))
    log.exception("unexpected", exc_info=problem, extra={"path": path})
    return errors.unexpected()


async def _send(send: Send, status: int, body: bytes, retry: int | None = None) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if retry is not None:
        headers.append((b"retry-after", str(retry).encode()))
    if status == 413:  # what is left of the body is not read
        headers.append((b"connection", b"close"))
    start: Any = {"type": "http.response.start", "status": status, "headers": headers}
    rest: Any = {"type": "http.response.body", "body": body, "more_body": False}
    await send(start)
    await send(rest)
