"""Error responses: a code for programs, a message for people, the HTTP status; in a wire's own form at its paths."""

import logging
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Scope

from marchland.errors import (
    JoinRefusedError,
    MarchlandError,
    OwnershipLost,
    OwnerTimeout,
    Refused,
    StorageUnavailable,
)
from marchland.messages import Problem
from marchland.server.http.routing import API, JSON

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
    "too_many_sockets": 429,
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

DESCRIPTIONS = {
    400: "The request makes no sense; the sentence says why.",
    401: "The token is missing or not known.",
    403: "This account may not do that.",
    404: "There is no such thing.",
    408: "The request did not arrive in time.",
    409: "As things stand, this cannot be done.",
    413: "The body or the list of orders is too large.",
    414: "The address is too long.",
    429: "Too many requests; Retry-After says when to come back.",
    431: "The headers are too large.",
    503: "The database cannot be reached or the game is loading; send the same request again after Retry-After.",
}
"""The ways in which every request to our own API can be refused, for the OpenAPI document."""

_BY_STATUS: dict[int, tuple[str, dict[str, Any]]] = {
    404: ("nothing_here", {"schema": f"{API}/schema/openapi.json"}),
    405: ("wrong_method", {}),
}
"""Code and arguments of refusals that have only the phrase of their status."""

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

    def is_wire_path(self, path: str) -> bool:
        """Whether a path belongs to one of the games' original protocols."""
        return self._format_at(path) is not None

    def respond(self, scope: Scope, problem: Exception) -> Response:
        """The response to a request or a WebSocket handshake that failed."""
        match problem:
            case Refused():
                return self._response(scope, status_of(problem), problem, retry=problem.retry)
            case StorageUnavailable() | OwnershipLost():
                log.error("unavailable", extra={"path": scope["path"], "error": str(problem)})
                return self._response(scope, 503, unavailable(problem), retry=1)
            case JoinRefusedError():
                return self._response(scope, _CONFLICT, Refused.of("no_seat", problem))
            case MarchlandError():  # settings, maps or names that the engine does not accept
                return self._response(scope, 400, Refused.of("bad_request", problem))
            case HTTPException():
                status = problem.status_code
                message: str = problem.detail
                arguments: dict[str, Any] = {}
                if message == HTTPStatus(status).phrase and not self.is_wire_path(scope["path"]):
                    message, arguments = _BY_STATUS.get(status, (message, {}))
                refused = Refused(_CODES.get(status, "refused"), message, **arguments)
                return self._response(scope, status, refused, headers=problem.headers)
        log.exception("unexpected", exc_info=problem, extra={"path": scope["path"]})
        return self._response(scope, 500, unexpected())

    def _response(
        self,
        scope: Scope,
        status: int,
        problem: Refused,
        *,
        retry: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        all_headers = dict(headers or {})
        if retry is not None:
            all_headers["Retry-After"] = str(retry)
        make_body = self._format_at(scope["path"])
        body = problem_of(problem) if make_body is None else make_body(status, str(problem))
        return Response(msgspec.json.encode(body), status, all_headers, JSON)


def problem_of(refused: Refused) -> Problem:
    """The body of a refusal."""
    return Problem(refused.error, str(refused), refused.code, refused.arguments)


def unavailable(problem: StorageUnavailable | OwnershipLost) -> Refused:
    """The refusal of a request that could not be stored; the log has the cause."""
    return Refused("unavailable", str(problem) if isinstance(problem, OwnerTimeout) else "unavailable")


def unexpected() -> Refused:
    """The refusal of a request that failed; the log has the cause."""
    return Refused("unexpected", "unexpected")
