"""Errors of a client, and what an HTTP status or a closed WebSocket means: retry, or stop with an error."""

from collections.abc import Mapping

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from marchland.errors import MarchlandError
from marchland.messages import Problem


class ClientError(MarchlandError):
    """Something went wrong between a client and its server."""


class RefusedError(ClientError):
    """The server refused a request: ``error`` is a word for programs, the text a message for people."""

    def __init__(self, message: str, error: str = "refused", status: int = 0) -> None:
        super().__init__(message)
        self.error = error
        self.status = status


class UnreachableError(ClientError):
    """The server did not answer before the client gave up."""


MAX_MESSAGE_BYTES = 256 * 2**20
"""Views of large boards take many megabytes."""

CONNECTION_ERRORS = (ConnectionClosed, InvalidHandshake, OSError, EOFError, UnreachableError)
"""Everything that ends a connection; `fatal_error` says after which of them a client does not reconnect."""

_FATAL_CLOSE_CODES = {
    4400: ("bad_message", "The server did not understand what this client sent; is it of another version?"),
    4401: ("bad_token", "The server does not know this token."),
    4403: ("not_your_seat", "This seat belongs to another account."),
    4404: ("not_found", "There is no such match any more."),
}
_MESSAGE_TOO_BIG = 1009
_TRANSIENT_STATUSES = {408, 425, 429, 500, 502, 503, 504}


def fatal_error(error: Exception) -> ClientError | None:
    """The error to stop with, or None if the client should reconnect."""
    if isinstance(error, ConnectionClosed) and error.rcvd is not None and error.rcvd.code in _FATAL_CLOSE_CODES:
        word, message = _FATAL_CLOSE_CODES[error.rcvd.code]
        return RefusedError(error.rcvd.reason or message, word)
    if isinstance(error, InvalidStatus) and error.response.status_code not in _TRANSIENT_STATUSES:
        return refusal(error.response.status_code, bytes(error.response.body or b""))
    return None


def is_too_large(error: Exception) -> bool:
    """Whether the server closed the connection because of the size of a message."""
    return isinstance(error, ConnectionClosed) and error.rcvd is not None and error.rcvd.code == _MESSAGE_TOO_BIG


def refusal(status: int, content: bytes) -> RefusedError:
    """The error in the body of a response."""
    try:
        problem = msgspec.json.decode(content, type=Problem)
    except msgspec.DecodeError:
        return RefusedError(f"The server answered with status {status}.", status=status)
    return RefusedError(problem.sentence, problem.error, status)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds of the ``Retry-After`` header."""
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except ValueError:
        return None


def retry_after_of(error: Exception) -> float | None:
    """The ``Retry-After`` of a refused WebSocket handshake."""
    return retry_after(error.response.headers) if isinstance(error, InvalidStatus) else None
