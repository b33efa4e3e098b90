"""The protocol's error responses (rulings 21, 22), and its time format."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import msgspec

_LATE = 2
"""The public server's code of a registration after the lobby."""


class Refusal(Exception):  # noqa: N818 - a response, not a fault
    """A refused request, with the status and the message of the response."""

    def __init__(self, status: int, message: str, retry: int | None = None, code: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry = retry
        self._code = status if code is None else code

    def body(self) -> bytes:
        """The body of the response."""
        return msgspec.json.encode(error_body(self._code, str(self)))


def error_body(code: int, message: str) -> dict[str, Any]:
    """An error as clients expect it: its code is the status, but for a late registration."""
    return {"code": code, "message": message}


def format_time(at: float) -> str:
    """A time as the public server writes it in logs."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def format_nanoseconds(at: int) -> str:
    """A time in nanoseconds since 1970, as the public server writes that of its answer."""
    return f"{format_second(at // 10**9)[:-1]}.{at % 10**9:09}Z"


def format_second(at: float) -> str:
    """A time without fractions, as in the schedule."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def bad_token() -> Refusal:
    """The token is missing or unknown."""
    return Refusal(401, "bad token: send one of this server's in X-Auth-Token")


def rate_limited(rate: float, waiting: float) -> Refusal:
    """The token's rate limit is exceeded."""
    return Refusal(429, f"too many requests: {rate:g} per second, try again in {waiting:.1f} s", int(waiting) + 1)


def not_registered(realm: str) -> Refusal:
    """A round is active without this team."""
    return Refusal(400, f"you are not registered in the game {realm}, POST /api/register first")


def lobby_ended(realm: str, following: Iterable[str]) -> Refusal:
    """A new team in a round that has begun."""
    return Refusal(400, f"you are too late, {realm} lobby ended, {_next_rounds(following)}", code=_LATE)


def no_active_round(following: Iterable[str]) -> Refusal:
    """Between two rounds."""
    return Refusal(400, f"no active game, {_next_rounds(following)}")


def _next_rounds(following: Iterable[str]) -> str:
    return f"next rounds: [{', '.join(following)}]"


def bad_request(why: str) -> Refusal:
    """The body is not a valid move, or the server refused the request."""
    return Refusal(400, f"bad request: {why}")


def too_many_moves(most: int) -> Refusal:
    """More moves than any team has ants for."""
    return bad_request(f"the most is {most} moves")


def method_not_allowed(method: str, path: str) -> Refusal:
    """The path exists with another method."""
    return Refusal(405, f"method not allowed: {method} {path}")


def body_too_large(most: int) -> Refusal:
    """The body exceeds the server's limit."""
    return Refusal(413, f"too large: the most is {most} bytes")


def storage_unavailable() -> Refusal:
    """The database does not answer."""
    return Refusal(503, "the database cannot be reached now, send the same request again", 1)


def internal_error() -> Refusal:
    """An unexpected exception, which is in the log."""
    return Refusal(500, "something went wrong on this server, its log says what")
