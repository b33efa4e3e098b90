"""One request to a server over HTTP and the type of its answer, without the sending."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, cast

import msgspec

from marchland.client.address import API
from marchland.client.errors import ClientError, RefusedError
from marchland.messages import Problem

Answer = TypeVar("Answer")

UNAVAILABLE = 503
TOO_MANY = 429
LOADING = "loading"
"""The error while the server compiles or loads a game."""


@dataclass(frozen=True)
class Call(Generic[Answer]):
    """One request."""

    answer: type[Answer]
    path: str
    body: Any = None
    params: Mapping[str, Any] = field(default_factory=dict)
    method: str = "GET"
    repeatable: bool = True
    """Whether sending it twice does what sending it once does."""

    @property
    def url(self) -> str:
        """Its path on the server."""
        return API + self.path

    @property
    def query(self) -> dict[str, Any]:
        """Its parameters, without those that are not given."""
        return {name: value for name, value in self.params.items() if value is not None}

    @property
    def content(self) -> bytes | None:
        """Its body."""
        return None if self.body is None else msgspec.json.encode(self.body)

    def read(self, status: int, content: bytes) -> Answer:
        """What the server answered; raises `RefusedError` if it refused."""
        if status >= 400:
            raise refusal(status, content)
        if self.answer is bytes:
            return cast(Answer, content)
        try:
            return msgspec.json.decode(content or b"null", type=self.answer)
        except msgspec.DecodeError as problem:
            raise ClientError(f"The server's answer is not understood ({problem}); is it of another version?") from None


def refusal(status: int, content: bytes) -> RefusedError:
    """Why the server says no."""
    try:
        problem = msgspec.json.decode(content, type=Problem)
    except msgspec.DecodeError:
        return RefusedError(f"The server answered with status {status}.", status=status)
    return RefusedError(problem.sentence, problem.error, status)


def may_repeat(call: Call[Any], status: int, content: bytes) -> bool:
    """Whether the same request may be sent again after such an answer.

    What must not be done twice is repeated only if the server says that it has done nothing yet.
    """
    if status in (502, UNAVAILABLE, 504) and call.repeatable:
        return True
    return status == TOO_MANY or (status == UNAVAILABLE and refusal(status, content).error == LOADING)


def seconds_asked(headers: Mapping[str, str]) -> float | None:
    """How long the server wants one to wait."""
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except ValueError:
        return None
