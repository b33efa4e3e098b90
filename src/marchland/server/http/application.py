"""The ASGI application: routes a request to its endpoint, admits its caller, and turns exceptions into responses."""

import itertools
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from operator import itemgetter
from typing import Any, NamedTuple

from starlette.convertors import Convertor, PathConvertor, StringConvertor
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.routing import Router as StarletteRouter
from starlette.types import ASGIApp, Receive, Scope, Send

from marchland.server.http.auth import Authenticator
from marchland.server.http.binding import bind
from marchland.server.http.errors import ErrorResponses, unexpected
from marchland.server.http.middleware import add_response_headers, admit
from marchland.server.http.routing import Endpoint, Router
from marchland.server.http.socket_limit import SocketLimit

_INTERNAL_ERROR = 1011
_ANY_TEXT = StringConvertor.regex

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
        socket_limit: SocketLimit,
        origins: Sequence[str] = (),
    ) -> None:
        self.routers = tuple(routers)
        self.services = _by_type(services)
        self._authenticator = authenticator
        self._errors = errors
        self._not_found = not_found
        self._body_limit = body_limit
        self._socket_limit = socket_limit
        self._lifespan = lifespan
        self._tables = {"http": PathTable(), "websocket": PathTable()}
        open_ended = [route for route in self._routes() if not self._tables[_kind_of(route)].add(route)]
        self._rest = StarletteRouter(
            open_ended, redirect_slashes=False, default=self._serve_unknown_path, lifespan=lifespan
        )
        app: ASGIApp = self._dispatch
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

    def _routes(self) -> Iterator[Route | WebSocketRoute]:
        """One route for each path and one for each WebSocket, ``/maps/check`` before ``/maps/{id}``."""
        by_path: dict[str, dict[str, ASGIApp]] = {}
        sockets = []
        for router in self.routers:
            services = {**self.services, **_by_type(router.services)}
            for endpoint in sorted(router.endpoints, key=lambda endpoint: "{" in endpoint.path):
                path = router.path_of(endpoint)
                handle = bind(endpoint, path, services, self._body_limit, self._authenticator.charge_body)
                if router.wrap is not None:
                    handle = router.wrap(handle, endpoint)
                if endpoint.method == "WEBSOCKET":
                    handle = self._socket_limit.guard(handle)
                guarded = _GuardedEndpoint(router, endpoint, handle, self._authenticator, self._errors)
                by_method = by_path.setdefault(path, {})
                if endpoint.method == "WEBSOCKET":
                    sockets.append(WebSocketRoute(path, guarded))
                else:
                    by_method[endpoint.method] = guarded
        for path, by_method in by_path.items():
            yield Route(path, by_method.get("ANY") or _MethodDispatcher(by_method, self._errors))
        yield from sockets

    def _dispatch(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Serve a connection by the endpoints of its path."""
        table = self._tables.get(scope["type"])
        found = None if table is None else table.find(scope["path"])
        if found is None:
            return self._rest(scope, receive, send)
        serve, scope["path_params"] = found
        return serve(scope, receive, send)

    async def _serve_unknown_path(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_http = scope["type"] == "http"
        response = self._not_found(scope) if is_http else self._errors.respond(scope, HTTPException(404))
        await response(scope, receive, send)


class _TableRow(NamedTuple):
    number: int
    """Of two routes that match, the first wins."""
    app: ASGIApp
    parameters: tuple[tuple[int, str, Convertor[Any]], ...]
    """The segment of each parameter, its name, and its type."""

    def read(self, segments: list[str]) -> dict[str, Any] | None:
        """The parameters of a path; None if one is empty or not of its type."""
        values = {}
        for position, name, convertor in self.parameters:
            text = segments[position]
            if not text or (convertor.regex != _ANY_TEXT and re.fullmatch(convertor.regex, text) is None):
                return None
            values[name] = convertor.convert(text)
        return values


class PathTable:
    """Routes by their fixed segments: a lookup for each shape of path, instead of a pattern for each route."""

    def __init__(self) -> None:
        self._shapes: dict[tuple[int, ...], dict[Any, list[_TableRow]]] = {}
        """By the fixed segments' positions, after the number of all: routes by the words at these positions."""
        self._lookups: dict[int, list[tuple[Callable[[list[str]], Any], dict[Any, list[_TableRow]]]]] = {}
        """By the number of segments: what picks the fixed ones of a shape, and the routes of that shape."""
        self._count = itertools.count()

    def add(self, route: Route | WebSocketRoute) -> bool:
        """Add a route; False if a parameter of it may span several segments."""
        segments = route.path.split("/")
        parameters = []
        for position, segment in enumerate(segments):
            if segment.startswith("{"):
                name = segment[1:-1].partition(":")[0]
                parameters.append((position, name, route.param_convertors[name]))
        if any(isinstance(convertor, PathConvertor) for _, _, convertor in parameters):
            return False
        variable = {position for position, _, _ in parameters}
        fixed = [position for position in range(len(segments)) if position not in variable]
        pick = itemgetter(*fixed)
        shape = (len(segments), *fixed)
        if shape not in self._shapes:
            self._shapes[shape] = {}
            self._lookups.setdefault(len(segments), []).append((pick, self._shapes[shape]))
        row = _TableRow(next(self._count), route.app, tuple(parameters))
        self._shapes[shape].setdefault(pick(segments), []).append(row)
        return True

    def find(self, path: str) -> tuple[ASGIApp, dict[str, Any]] | None:
        """The endpoints of a path, and its parameters."""
        segments = path.split("/")
        best: _TableRow | None = None
        best_values: dict[str, Any] = {}
        for pick, rows in self._lookups.get(len(segments), ()):
            for row in rows.get(pick(segments), ()):
                if best is not None and best.number < row.number:
                    break
                values = row.read(segments)
                if values is not None:
                    best, best_values = row, values
                    break
        return None if best is None else (best.app, best_values)


def _kind_of(route: Route | WebSocketRoute) -> str:
    return "http" if isinstance(route, Route) else "websocket"


class _GuardedEndpoint:
    """Admits callers, calls the handler, and responds to what goes wrong."""

    def __init__(
        self, router: Router, endpoint: Endpoint, handle: ASGIApp, authenticator: Authenticator, errors: ErrorResponses
    ) -> None:
        self._endpoint = endpoint
        self._serve = handle
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
                    await send({"type": "websocket.close", "code": _INTERNAL_ERROR, "reason": str(unexpected())})

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

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        serve = self._by_method.get(scope["method"])
        if serve is None:
            allowed = {"Allow": ", ".join(sorted(self._by_method))}
            serve = self._errors.respond(scope, HTTPException(405, headers=allowed))
        return serve(scope, receive, send)


def _by_type(services: Sequence[object]) -> dict[type[Any], object]:
    return {type(service): service for service in services}
