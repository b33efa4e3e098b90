"""What the wire says to whoever it refuses (rulings 21, 22), each text in one place."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import msgspec


class Refusal(Exception):  # noqa: N818 - it says what happened
    """A request that is turned down, with the status and the message that the client gets."""

    def __init__(self, status: int, message: str, retry: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry = retry

    def body(self) -> bytes:
        """The answer."""
        return msgspec.json.encode(told(self.status, str(self)))


def told(status: int, message: str) -> dict[str, Any]:
    """A refusal as clients know it: its code is the status."""
    return {"code": status, "message": message}


def moment(at: float) -> str:
    """A time as the public server wrote it."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def second(at: float) -> str:
    """The same without fractions."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def bad_token() -> Refusal:
    """Nobody whom we know."""
    return Refusal(401, "bad token: send one of this server's in X-Auth-Token")


def too_many(rate: float, waiting: float) -> Refusal:
    """More than a token may ask for."""
    return Refusal(429, f"too many requests: {rate:g} per second, try again in {waiting:.1f} s", int(waiting) + 1)


def not_registered(realm: str) -> Refusal:
    """A round is on, without this team."""
    return Refusal(400, f"you are not registered for {realm}, POST /api/register first")


def lobby_ended(realm: str, following: Iterable[str]) -> Refusal:
    """A new team in a round that has begun."""
    return Refusal(400, f"you are too late, {realm} lobby ended, {_next(following)}")


def nothing_on(following: Iterable[str]) -> Refusal:
    """Between two rounds."""
    return Refusal(400, f"no active game, {_next(following)}")


def _next(following: Iterable[str]) -> str:
    return f"next rounds: [{', '.join(following)}]"


def bad_body(why: str) -> Refusal:
    """Not what a move looks like."""
    return Refusal(400, f"bad request: {why}")


def too_many_moves(most: int) -> Refusal:
    """More than any team has ants for."""
    return bad_body(f"the most is {most} moves")


def not_so(method: str, path: str) -> Refusal:
    """A path that is asked in another way."""
    return Refusal(405, f"method not allowed: {method} {path}")


def too_large(most: int) -> Refusal:
    """A body that nobody needs."""
    return Refusal(413, f"too large: the most is {most} bytes")


def unavailable() -> Refusal:
    """What could not be kept."""
    return Refusal(503, "the database cannot be reached now, send the same request again", 1)


def unexpected() -> Refusal:
    """Our own mistake."""
    return Refusal(500, "something went wrong on this server, its log says what")
