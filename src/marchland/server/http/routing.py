"""Declarations of routes: method and path, who may call them, and what they return."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from starlette.responses import Response
from starlette.types import ASGIApp, Scope

from marchland.messages import Role

API: Final = "/api/v1"
JSON: Final = "application/json"

Handler = Callable[..., Awaitable[Any]]
ErrorHandler = Callable[[Scope, Any], Response]
Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE", "WEBSOCKET", "ANY"]


@dataclass(frozen=True)
class Endpoint:
    """One route; `bind` in `binding.py` says what parameters its handler may have."""

    method: Method
    """``ANY`` marks a plain ASGI application, which answers every method itself."""
    path: str
    """Follows the prefix of its router; parameters as Starlette writes them: ``{name}``, ``{name:int}``."""
    handler: Handler
    role: Role | None = None
    """The role that callers need, or a higher one; every account is a player."""
    status: int = 200
    media_type: str = JSON
    returns: Any = None
    """The documented type, for a handler that returns a `Response`."""
    ignores_token: bool = False
    """Whether the token of an account means nothing: at static files, and addresses for operators."""
    needs_game: bool = True
    """Whether a wire's handler waits for its game; others answer from the database alone."""


@dataclass(frozen=True)
class Router:
    """Routes behind a common prefix."""

    prefix: str
    endpoints: tuple[Endpoint, ...]
    tag: str | None = None
    """Under which the OpenAPI document lists them; without one it does not."""
    wrap: Callable[[ASGIApp, Endpoint], ASGIApp] | None = None
    """Middleware inside authentication."""
    error_handlers: Mapping[type[Exception], ErrorHandler] = field(default_factory=dict)
    """Exceptions with another response than in our own API."""
    services: tuple[object, ...] = ()
    """What only its handlers get, beside the services of every handler."""

    def path_of(self, endpoint: Endpoint) -> str:
        """The whole path of one of its routes."""
        return self.prefix.rstrip("/") + endpoint.path


def api_router(tag: str, *endpoints: Endpoint) -> Router:
    """The routes of a feature in our own API."""
    return Router(API, endpoints, tag)


def _route(method: Method, default_status: int) -> Callable[..., Callable[[Handler], Endpoint]]:
    def declare(path: str, *, status: int = default_status, **more: Any) -> Callable[[Handler], Endpoint]:
        return lambda handler: Endpoint(method, path, handler, status=status, **more)

    return declare


get = _route("GET", 200)
post = _route("POST", 201)
put = _route("PUT", 200)
patch = _route("PATCH", 200)
delete = _route("DELETE", 204)
websocket = _route("WEBSOCKET", 101)
asgi = _route("ANY", 200)
