"""Route decorators that say who may call a route, and document all the ways in which a request can be refused."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import litestar

from marchland.messages import Role
from marchland.server.http.auth import REQUIRED_ROLE
from marchland.server.http.errors import RESPONSES

API: Final = "/api/v1"
Decorator = Callable[..., Any]
_NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})


def _with_role(decorate: Callable[..., Decorator]) -> Callable[..., Decorator]:
    """A route decorator that takes the ``role`` that callers need, or a higher one; every account is a player.

    The middleware checks it before the body is read. Litestar's guards would do the same, but it copies the route
    handler for each call of one.
    """

    def route(path: str, *, role: Role | None = None, opt: Mapping[str, Any] = _NO_OPTIONS, **more: Any) -> Decorator:
        return decorate(path, responses=RESPONSES, opt={**opt, REQUIRED_ROLE: role}, **more)

    return route


get = _with_role(litestar.get)
post = _with_role(litestar.post)
put = _with_role(litestar.put)
patch = _with_role(litestar.patch)
delete = _with_role(litestar.delete)


def api_router(tag: str, *handlers: Any) -> litestar.Router:
    """The routes of a feature in our own API, with or without a token.

    All routers are registered with the application itself: Litestar copies a router deeply at each registration, which
    for nested routers took a third of the time to create the application.
    """
    return litestar.Router(API, route_handlers=handlers, tags=[tag], security=[{}, {"token": []}])
