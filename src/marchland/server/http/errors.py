"""Error responses: a code for programs, a message for people, the HTTP status; in a wire's own form at its paths."""

import logging
from collections.abc import Callable
from typing import Any

import msgspec
from litestar import MediaType, Request, Response
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec
from litestar.types import Scope, Send

from marchland.errors import (
    JoinRefusedError,
    MarchlandError,
    OwnershipLost,
    OwnerTimeout,
    Refused,
    StorageUnavailable,
)
from marchland.messages import Problem

_STATUSES = {
    "bad_request": 400,
    "no_such_bot": 400,
    "bad_token": 401,
    "no_token": 401,
    "not_allowed": 403,
    "not_your_seat": 403,
    "wrong_password": 403,
    "hidden": 403,
    "not_found": 404,
    "replay_deleted": 404,
    "too_large": 413,
    "too_many": 429,
    "too_many_posts": 429,
    "too_many_accounts": 429,
    "unexpected": 500,
    "unavailable": 503,
    "loading": 503,
    "game_failed": 503,
}
_CODES = {
    400: "bad_request",
    401: "no_token",
    403: "not_allowed",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
}
_CONFLICT = 409

RESPONSES = {
    status: ResponseSpec(Problem, description=words, generate_examples=False)
    for status, words in (
        (400, "The request makes no sense; the sentence says why."),
        (401, "The token is missing or not known."),
        (403, "This account may not do that."),
        (404, "There is no such thing."),
        (409, "As things stand, this cannot be done."),
        (408, "The request did not arrive in time."),
        (413, "The body or the list of orders is too large."),
        (414, "The address is too long."),
        (431, "The headers are too large."),
        (429, "Too many requests; Retry-After says when to come back."),
        (503, "The database cannot be reached or the game is loading; send the same request again after Retry-After."),
    )
}

UNEXPECTED = "Something went wrong on this server; its log says what."

ErrorFormat = Callable[[int, str], Any]
"""Makes the body of an error response from its status and message."""

log = logging.getLogger(__name__)


def status_of(problem: Refused) -> int:
    """The HTTP status of a refusal."""
    return _STATUSES.get(problem.error, _CONFLICT)


class ErrorResponses:
    """Turns exceptions into responses. ``format_at`` gives the error format of the wire that owns a path, if any."""

    def __init__(self, format_at: Callable[[str], ErrorFormat | None]) -> None:
        self._format_at = format_at

    def handlers(self) -> Any:
        """Litestar's exception handlers."""
        return {
            Refused: self._refused,
            StorageUnavailable: self._unavailable,
            OwnershipLost: self._unavailable,
            JoinRefusedError: self._join_refused,
            MarchlandError: self._bad_input,
            HTTPException: self.http_error,
            Exception: self._unexpected,
        }

    def is_wire_path(self, path: str) -> bool:
        """Whether a path belongs to one of the games' original protocols."""
        return self._format_at(path) is not None

    async def send(self, scope: Scope, send: Send, status: int, problem: Problem, retry: int | None) -> None:
        """Refuse a request or a WebSocket handshake from a middleware, without a handler."""
        kind = "http.response" if scope["type"] == ScopeType.HTTP else "websocket.http.response"
        body = self._body(scope, status, problem)
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        if retry is not None:
            headers.append((b"retry-after", str(retry).encode()))
        start: Any = {"type": f"{kind}.start", "status": status, "headers": headers}
        rest: Any = {"type": f"{kind}.body", "body": body, "more_body": False}
        await send(start)
        await send(rest)

    def http_error(self, request: Request[Any, Any, Any], problem: HTTPException) -> Response[bytes]:
        """Refusals of the framework: an unknown path, a body of the wrong form."""
        extra = problem.extra if isinstance(problem.extra, list) else []
        details = [detail for detail in extra if isinstance(detail, dict)]
        texts = [f"{detail.get('key') or 'body'}: {detail.get('message')}" for detail in details]
        message = "; ".join(texts) or _first_line(problem.detail)
        if any(detail.get("key") == "data" for detail in details):
            message = "This needs a body of JSON."
        headers = dict(problem.headers or {})
        if problem.status_code == 413:  # the rest of the body is not read
            headers["Connection"] = "close"
        code = _CODES.get(problem.status_code, "refused")
        return self._respond(request, problem.status_code, code, message, headers=headers)

    def _refused(self, request: Request[Any, Any, Any], problem: Refused) -> Response[bytes]:
        return self._respond(request, status_of(problem), problem.error, str(problem), retry=problem.retry)

    def _join_refused(self, request: Request[Any, Any, Any], problem: JoinRefusedError) -> Response[bytes]:
        return self._respond(request, _CONFLICT, "no_seat", str(problem))

    def _bad_input(self, request: Request[Any, Any, Any], problem: MarchlandError) -> Response[bytes]:
        """Settings, maps or names that the engine does not accept."""
        return self._respond(request, 400, "bad_request", str(problem))

    def _unavailable(
        self, request: Request[Any, Any, Any], problem: StorageUnavailable | OwnershipLost
    ) -> Response[bytes]:
        log.error("unavailable", extra={"path": request.url.path, "error": str(problem)})
        return self._respond(request, 503, "unavailable", unavailable_message(problem), retry=1)

    def _unexpected(self, request: Request[Any, Any, Any], problem: Exception) -> Response[bytes]:
        log.exception("unexpected", exc_info=problem, extra={"path": request.url.path})
        return self._respond(request, 500, "unexpected", UNEXPECTED)

    def _respond(
        self,
        request: Request[Any, Any, Any],
        status: int,
        code: str,
        message: str,
        *,
        retry: int | None = None,
        headers: dict[str, str] | None = None,
    ) -> Response[bytes]:
        all_headers = dict(headers or {})
        if retry is not None:
            all_headers["Retry-After"] = str(retry)
        body = self._body(request.scope, status, Problem(code, message))
        return Response(body, status_code=status, media_type=MediaType.JSON, headers=all_headers)

    def _body(self, scope: Scope, status: int, problem: Problem) -> bytes:
        make_body = self._format_at(scope["path"])
        return msgspec.json.encode(problem if make_body is None else make_body(status, problem.sentence))


def unavailable_message(problem: StorageUnavailable | OwnershipLost) -> str:
    """The message for the client; the log has the cause."""
    if isinstance(problem, OwnerTimeout):
        return str(problem)
    return "The database cannot be reached now; send the same request again."


def _first_line(detail: str) -> str:
    return detail.splitlines()[0] if detail else "The request was refused."
