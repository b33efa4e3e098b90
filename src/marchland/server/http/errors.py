"""How a request is refused: a word for programs, a sentence for people, a status that fits."""

import logging
from collections.abc import Callable
from typing import Any

import msgspec
from litestar import MediaType, Request, Response
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec
from litestar.types import Scope, Send

from marchland.errors import JoinRefusedError, MarchlandError, OwnershipLost, Refused, StorageUnavailable
from marchland.messages import Problem
from marchland.server.cluster.owner_calls import NoAnswer

_STATUS = {
    "bad_request": 400,
    "no_such_bot": 400,
    "bad_token": 401,
    "no_token": 401,
    "not_allowed": 403,
    "not_your_seat": 403,
    "wrong_password": 403,
    "hidden": 403,
    "not_found": 404,
    "too_large": 413,
    "too_many": 429,
    "too_many_posts": 429,
    "unexpected": 500,
    "unavailable": 503,
    "loading": 503,
    "game_failed": 503,
}
_WORDS = {
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

Complaint = Callable[[int, str], Any]
"""Makes the body of a refusal from its status and what is wrong."""

log = logging.getLogger(__name__)


def refused(request: Request[Any, Any, Any], problem: Refused) -> Response[bytes]:
    """A refusal that the code names itself."""
    return _answer(request, status_of(problem), problem.error, str(problem), retry=problem.retry)


def status_of(problem: Refused) -> int:
    """The HTTP status of a refusal."""
    return _STATUS.get(problem.error, _CONFLICT)


def no_way_in(request: Request[Any, Any, Any], problem: JoinRefusedError) -> Response[bytes]:
    """Somebody came too late for a seat."""
    return _answer(request, _CONFLICT, "no_seat", str(problem))


def bad_input(request: Request[Any, Any, Any], problem: MarchlandError) -> Response[bytes]:
    """What the engine does not accept: settings, maps, names."""
    return _answer(request, 400, "bad_request", str(problem))


def unavailable(request: Request[Any, Any, Any], problem: StorageUnavailable | OwnershipLost) -> Response[bytes]:
    """What could not be kept."""
    log.error("unavailable", extra={"path": request.url.path, "why": str(problem)})
    return _answer(request, 503, "unavailable", sentence_of(problem), retry=1)


def sentence_of(problem: StorageUnavailable | OwnershipLost) -> str:
    """What people are told of it; the log knows more."""
    if isinstance(problem, NoAnswer):
        return str(problem)
    return "The database cannot be reached now; send the same request again."


def http_error(request: Request[Any, Any, Any], problem: HTTPException) -> Response[bytes]:
    """What the framework refuses: no such path, a body that is not as it should be."""
    details = problem.extra if isinstance(problem.extra, list) else []
    texts = [f"{one.get('key') or 'body'}: {one.get('message')}" for one in details if isinstance(one, dict)]
    sentence = "; ".join(texts) or _plain(problem.detail)
    if any(one.get("key") == "data" for one in details if isinstance(one, dict)):
        sentence = "This needs a body of JSON."
    headers = dict(problem.headers or {})
    if problem.status_code == 413:  # what is left of the body is not read
        headers["Connection"] = "close"
    return _answer(request, problem.status_code, _WORDS.get(problem.status_code, "refused"), sentence, headers=headers)


def unexpected(request: Request[Any, Any, Any], problem: Exception) -> Response[bytes]:
    """Our own mistake: logged in full, told in brief."""
    log.exception("unexpected", exc_info=problem, extra={"path": request.url.path})
    return _answer(request, 500, "unexpected", UNEXPECTED)


def _plain(detail: str) -> str:
    return detail.splitlines()[0] if detail else "The request was refused."


def speaks_otherwise(scope: Scope) -> bool:
    """Whether a request came to the address of another protocol than our own."""
    return _complaint(scope) is not None


def body_of(scope: Scope, status: int, problem: Problem) -> bytes:
    """A refusal as whoever asks expects it: of an original protocol's form at its address, else of our own."""
    complaint = _complaint(scope)
    return msgspec.json.encode(problem if complaint is None else complaint(status, problem.sentence))


async def send_refusal(scope: Scope, send: Send, status: int, problem: Problem, retry: int | None) -> None:
    """Refuse a request or a WebSocket handshake from a middleware, without a handler."""
    kind = "http.response" if scope["type"] == ScopeType.HTTP else "websocket.http.response"
    body = body_of(scope, status, problem)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if retry is not None:
        headers.append((b"retry-after", str(retry).encode()))
    start: Any = {"type": f"{kind}.start", "status": status, "headers": headers}
    rest: Any = {"type": f"{kind}.body", "body": body, "more_body": False}
    await send(start)
    await send(rest)


def _complaint(scope: Scope) -> Complaint | None:
    complaint_at: Callable[[str], Complaint | None] = scope["litestar_app"].state.complaint_at
    return complaint_at(scope["path"])


def _answer(
    request: Request[Any, Any, Any],
    status: int,
    word: str,
    sentence: str,
    *,
    retry: int | None = None,
    headers: dict[str, str] | None = None,
) -> Response[bytes]:
    shown = dict(headers or {})
    if retry is not None:
        shown["Retry-After"] = str(retry)
    body = body_of(request.scope, status, Problem(word, sentence))
    return Response(body, status_code=status, media_type=MediaType.JSON, headers=shown)


HANDLERS: Any = {
    Refused: refused,
    StorageUnavailable: unavailable,
    OwnershipLost: unavailable,
    JoinRefusedError: no_way_in,
    MarchlandError: bad_input,
    HTTPException: http_error,
    Exception: unexpected,
}
