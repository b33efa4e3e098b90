"""The HTTP API: one function for each request, without the sending."""

import functools
import uuid
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from types import NoneType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Self, TypeVar, cast, overload
from urllib.parse import quote

import msgspec

from marchland.client._errors import ClientError, refusal
from marchland.client._urls import API
from marchland.messages import (
    AccountCreate,
    AccountInfo,
    ActPost,
    ActResult,
    ForkRequest,
    Frame,
    GameInfo,
    Joined,
    JoinRequest,
    Legend,
    MatchCreate,
    MatchInfo,
    OrdersPost,
    Receipt,
    TurnLog,
    Welcome,
)

if TYPE_CHECKING:
    from marchland.client._client import AsyncClient, Client
    from marchland.client._seat import AsyncSeat, Seat

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Endpoint(Generic[T]):
    """One request and the type of its response."""

    response: type[T]
    path: str
    body: Any = None
    params: Mapping[str, Any] = field(default_factory=dict)
    method: str = "GET"
    idempotent: bool = True
    """Whether sending it twice does what sending it once does; posts are because they carry an idempotency key."""

    @property
    def url(self) -> str:
        """The path on the server."""
        return API + self.path

    @property
    def query(self) -> dict[str, Any]:
        """The parameters that are set."""
        return {name: value for name, value in self.params.items() if value is not None}

    @property
    def content(self) -> bytes | None:
        """The encoded body."""
        return None if self.body is None else msgspec.json.encode(self.body)

    def decode(self, status: int, content: bytes) -> T:
        """Decode a response; raises `RefusedError` if the server refused."""
        if status >= 400:
            raise refusal(status, content)
        if self.response is bytes:
            return cast(T, content)
        try:
            return msgspec.json.decode(content or b"null", type=self.response)
        except msgspec.DecodeError as problem:
            raise ClientError(f"The server's answer is not understood ({problem}); is it of another version?") from None


class RequestMethod(Generic[P, T]):
    """Decorates a method that builds an `Endpoint`, so that calling it sends the request.

    `Client` and `Seat` return the response, `AsyncClient` and `AsyncSeat` a coroutine: both inherit one definition.
    """

    def __init__(self, build: Callable[Concatenate[Any, P], Endpoint[T]]) -> None:
        self._build = build
        self.__doc__ = build.__doc__

    @overload
    def __get__(self, instance: None, owner: Any = None) -> Self: ...

    @overload
    def __get__(self, instance: "Client | Seat", owner: Any = None) -> Callable[P, T]: ...

    @overload
    def __get__(
        self, instance: "AsyncClient | AsyncSeat", owner: Any = None
    ) -> Callable[P, Coroutine[Any, Any, T]]: ...

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        build = self._build.__get__(instance)

        @functools.wraps(build)
        def send(*args: P.args, **kwargs: P.kwargs) -> Any:
            return instance.call(build(*args, **kwargs))

        return send


def new_key() -> str:
    """A new idempotency key."""
    return uuid.uuid4().hex


def register(name: str) -> Endpoint[Welcome]:
    return Endpoint(Welcome, "/accounts", AccountCreate(name), method="POST", idempotent=False)


def me() -> Endpoint[AccountInfo]:
    return Endpoint(AccountInfo, "/me")


def games() -> Endpoint[list[str]]:
    return Endpoint(list[str], "/games")


def game(name: str) -> Endpoint[GameInfo]:
    return Endpoint(GameInfo, f"/games/{quote(name, safe='')}")


def matches(state: str | None = None, game: str | None = None, room: str | None = None) -> Endpoint[list[MatchInfo]]:
    return Endpoint(list[MatchInfo], "/matches", params={"state": state, "game": game, "room": room})


def match(id: str) -> Endpoint[MatchInfo]:
    return Endpoint(MatchInfo, _match(id))


def create(request: MatchCreate) -> Endpoint[MatchInfo]:
    return Endpoint(MatchInfo, "/matches", request, method="POST", idempotent=False)


def join(id: str, request: JoinRequest) -> Endpoint[Joined]:
    return Endpoint(Joined, _match(id, "/join"), request, method="POST")


def leave(id: str) -> Endpoint[None]:
    return Endpoint(NoneType, _match(id, "/leave"), method="POST", idempotent=False)


def start(id: str) -> Endpoint[MatchInfo]:
    return Endpoint(MatchInfo, _match(id, "/start"), method="POST", idempotent=False)


def end_turn(id: str) -> Endpoint[None]:
    return Endpoint(NoneType, _match(id, "/end-turn"), method="POST", idempotent=False)


def orders(id: str, post: OrdersPost) -> Endpoint[Receipt]:
    return Endpoint(Receipt, _match(id, "/orders"), post, method="POST")


def act(id: str, post: ActPost) -> Endpoint[ActResult]:
    return Endpoint(ActResult, _match(id, "/act"), post, method="POST")


def fork(id: str, request: ForkRequest) -> Endpoint[MatchInfo]:
    return Endpoint(MatchInfo, _match(id, "/fork"), request, method="POST", idempotent=False)


def rematch(id: str) -> Endpoint[MatchInfo]:
    return Endpoint(MatchInfo, _match(id, "/again"), method="POST", idempotent=False)


def view(id: str, seat: int | None = None) -> Endpoint[dict[str, Any]]:
    return Endpoint(dict[str, Any], _match(id, "/view"), params={"seat": seat})


def legend(id: str) -> Endpoint[Legend]:
    return Endpoint(Legend, _match(id, "/legend"))


def frames(id: str, since: int = 0, count: int | None = None, seat: int | None = None) -> Endpoint[list[Frame]]:
    return Endpoint(list[Frame], _match(id, "/frames"), params={"from": since, "count": count, "seat": seat})


def legal(id: str, seat: int | None, partial: dict[str, Any]) -> Endpoint[Any]:
    return Endpoint(object, _match(id, "/legal"), partial, params={"seat": seat}, method="POST")


def log(id: str, since: int | None = None, seat: int | None = None) -> Endpoint[list[TurnLog]]:
    return Endpoint(list[TurnLog], _match(id, "/log"), params={"from": since, "seat": seat})


def replay(id: str) -> Endpoint[bytes]:
    return Endpoint(bytes, _match(id, "/replay"))


def _match(id: str, rest: str = "") -> str:
    return f"/matches/{quote(id, safe='')}{rest}"
