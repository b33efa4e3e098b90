"""The ASGI application: routes a request to its endpoint, lets its caller in, and turns exceptions into responses."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any

from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.routing import Router as StarletteRouter
from starlette.types import ASGIApp, Receive, Scope, Send

from marchland.server.http.auth import Authenticator
from marchland.server.http.binding import bind
from marchland.server.http.errors import UNEXPECTED, ErrorResponses
from marchland.server.http.middleware import add_response_headers, admit
from marchland.server.http.routing import Endpoint, Router

_INTERNAL_ERROR = 1011

Lifespan = Callable[["Application"], AbstractAsyncContextManager[None]]


class Application:
    """All routes over the services that their handlers take by type."""

    def __init__(
        self,
        routers: Sequence[Router],
        services: Sequence[object],
        *,
        authenticator: Authenticator,
        errors: ErrorResponses,
        not_found: Callable[[Scope], Response],
        lifespan: Lifespan,
        body_limit: int,
        origins: Sequence[str] = (),
    ) -> None:
        self.routers = tuple(routers)
        self.services = _by_type(services)
        self._authenticator = authenticator
        self._errors = errors
        self._not_found = not_found
        self._body_limit = body_limit
        self._lifespan = lifespan
        routes = list(self._routes())
        app: ASGIApp = StarletteRouter(
            routes, redirect_slashes=False, default=self._serve_unknown_path, lifespan=lifespan
        )
        if origins:
            app = CORSMiddleware(app, allow_origins=origins, allow_methods=["*"], allow_headers=["*"])
        self._app = add_response_headers(app)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection. A path may end with a slash or not."""
        if scope["type"] != "lifespan":
            scope.setdefault("state", {})
            path = scope["path"]
            if path.endswith("/") and path != "/":
                scope["path"] = path.rstrip("/") or "/"
        await self._app(scope, receive, send)

    def lifespan(self) -> AbstractAsyncContextManager[None]:
        """Run the background services, as a server does between its start and its end."""
        return self._lifespan(self)

    def endpoints(self) -> Iterator[tuple[str, Endpoint]]:
        """Every route with its whole path."""
        for router in self.routers:
            for endpoint in router.endpoints:
                yield router.path_of(endpoint), endpoint

    def _routes(self) -> Iterator[BaseRoute]:
        """One route for each path and one for each WebSocket, ``/maps/check`` before ``/maps/{id}``."""
        by_path: dict[str, dict[str, ASGIApp]] = {}
        sockets = []
        for router in self.routers:
            services = {**self.services, **_by_type(router.services)}
            for endpoint in sorted(router.endpoints, key=lambda endpoint: "{" in endpoint.path):
                path = router.path_of(endpoint)
                handle = bind(endpoint, path, services, self._body_limit)
                guarded = _GuardedEndpoint(router, endpoint, handle, self._authenticator, self._errors)
                by_method = by_path.setdefault(path, {})
                if endpoint.method == "WEBSOCKET":
                    sockets.append(WebSocketRoute(path, guarded))
                else:
                    by_method[endpoint.method] = guarded
        for path, by_method in by_path.items():
            yield Route(path, by_method.get("ANY") or _MethodDispatcher(by_method, self._errors))
        yield from sockets

    async def _serve_unknown_path(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_http = scope["type"] == "http"
        response = self._not_found(scope) if is_http else self._errors.respond(scope, HTTPException(404))
        await response(scope, receive, send)


class _GuardedEndpoint:
    """Lets callers in, calls the handler, and responds to what goes wrong."""

    def __init__(
        self, router: Router, endpoint: Endpoint, handle: ASGIApp, authenticator: Authenticator, errors: ErrorResponses
    ) -> None:
        self._endpoint = endpoint
        self._serve = handle if router.wrap is None else router.wrap(handle, endpoint)
        self._error_handlers = router.error_handlers
        self._authenticator = authenticator
        self._errors = errors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await admit(self._authenticator, scope, self._endpoint)
            await self._serve(scope, receive, send)
        except ClientDisconnect:
            return
        except Exception as problem:
            response = self._respond(scope, problem)
            try:
                await response(scope, receive, send)
            except RuntimeError:  # the WebSocket is open, or closed already
                with suppress(RuntimeError, OSError):
                    await send({"type": "websocket.close", "code": _INTERNAL_ERROR, "reason": UNEXPECTED})

    def _respond(self, scope: Scope, problem: Exception) -> Response:
        for kind, handle in self._error_handlers.items():
            if isinstance(problem, kind):
                return handle(scope, problem)
        return self._errors.respond(scope, problem)


class _MethodDispatcher:
    """The endpoints of one path, by method."""

    def __init__(self, by_method: Mapping[str, ASGIApp], errors: ErrorResponses) -> None:
        self._by_method = {**by_method, "HEAD": by_method["GET"]} if "GET" in by_method else by_method
        self._errors = errors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        serve = self._by_method.get(scope["method"])
        if serve is None:
            allowed = {"Allow": ", ".join(sorted(self._by_method))}
            serve = self._errors.respond(scope, HTTPException(405, headers=allowed))
        await serve(scope, receive, send)


def _by_type(services: Sequence[object]) -> dict[type[Any], object]:
    return {type(service): service for service in services}
