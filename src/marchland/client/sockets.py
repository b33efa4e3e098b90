"""What a broken or refused WebSocket means: try again, or stop with a sentence."""

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from marchland.client.call import refusal, seconds_asked
from marchland.client.errors import ClientError, RefusedError, UnreachableError

LARGEST = 256 * 2**20
"""The largest message: views of large boards take many megabytes."""

BROKEN = (ConnectionClosed, InvalidHandshake, OSError, EOFError, UnreachableError)
"""All that a connection can end with."""

_FINAL_CODES = {
    4400: ("bad_message", "The server did not understand what this client sent; is it of another version?"),
    4401: ("bad_token", "The server does not know this token."),
    4403: ("not_your_seat", "This seat belongs to somebody else."),
    4404: ("not_found", "There is no such match any more."),
}
_TOO_LARGE = 1009
_PASSING_STATUSES = {408, 425, 429, 500, 502, 503, 504}


def final(problem: Exception) -> ClientError | None:
    """The error to stop with, or None if another try makes sense."""
    if isinstance(problem, ConnectionClosed) and problem.rcvd is not None and problem.rcvd.code in _FINAL_CODES:
        error, sentence = _FINAL_CODES[problem.rcvd.code]
        return RefusedError(problem.rcvd.reason or sentence, error)
    if isinstance(problem, InvalidStatus) and problem.response.status_code not in _PASSING_STATUSES:
        return refusal(problem.response.status_code, bytes(problem.response.body or b""))
    return None


def is_too_large(problem: Exception) -> bool:
    """Whether the server hung up because of the size of a message."""
    return isinstance(problem, ConnectionClosed) and problem.rcvd is not None and problem.rcvd.code == _TOO_LARGE


def asked_to_wait(problem: Exception) -> float | None:
    """How long the server wants one to wait, if it said so."""
    return seconds_asked(problem.response.headers) if isinstance(problem, InvalidStatus) else None
