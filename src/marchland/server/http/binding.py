"""Binds handlers to requests: arguments by name and type, results as responses.

A handler's parameters say what it needs. The work of reading its signature is done once, when the application is
created, so that a request pays only for what its handler takes.
"""

import inspect
import types
import typing
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import msgspec
from starlette.convertors import CONVERTOR_TYPES
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import compile_path
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket

from marchland.server.http.auth import Caller, caller_or_none, require_caller
from marchland.server.http.request import decode_body, read_body
from marchland.server.http.routing import JSON, Endpoint

_BODY = "data"
_encode = msgspec.json.Encoder().encode


class QueryParameter(NamedTuple):
    """A parameter of the query string; the trailing underscore of a Python keyword is not part of its name."""

    name: str
    type: Any
    """Without None, which stands for a parameter that is left out."""
    default: Any
    """`inspect.Parameter.empty` if it is required."""

    @property
    def public_name(self) -> str:
        """Its name in the query string."""
        return self.name.rstrip("_")


class Signature(NamedTuple):
    """What a handler takes from a request, by where it comes from."""

    path: Mapping[str, type[Any]]
    query: tuple[QueryParameter, ...]
    body: Any
    """The type of the JSON body; None if the handler takes none."""
    request: Mapping[str, Callable[[Scope], Any]]
    """Parameters that are made from the scope: the scope itself, the caller."""
    connection: str | None
    """The parameter that takes the `Request` or `WebSocket`."""
    services: Mapping[str, type[Any]]
    result: Any


def read_signature(endpoint: Endpoint, path: str) -> Signature:
    """What the handler of a route takes."""
    hints = typing.get_type_hints(endpoint.handler, include_extras=True)
    convertors = compile_path(path)[2]
    in_path: dict[str, type[Any]] = {}
    query, body, connection = [], None, None
    request: dict[str, Callable[[Scope], Any]] = {}
    services: dict[str, type[Any]] = {}
    for name, parameter in inspect.signature(endpoint.handler).parameters.items():
        hint = hints[name]
        if name in convertors:
            in_path[name] = int if convertors[name] is CONVERTOR_TYPES["int"] else str
        elif name == _BODY:
            body = hint
        elif hint is Caller:
            request[name] = require_caller
        elif hint == (Caller | None):
            request[name] = caller_or_none
        elif hint == Scope:
            request[name] = lambda scope: scope
        elif hint in (Request, WebSocket):
            connection = name
        elif parameter.default is parameter.empty and isinstance(hint, type) and hint not in (str, int, float):
            services[name] = hint
        else:
            query.append(QueryParameter(name, _without_none(hint), parameter.default))
    result = endpoint.returns or hints.get("return")
    return Signature(in_path, tuple(query), body, request, connection, services, result)


def _without_none(hint: Any) -> Any:
    if typing.get_origin(hint) not in (types.UnionType, typing.Union):
        return hint
    kinds = [kind for kind in typing.get_args(hint) if kind is not types.NoneType]
    return typing.Union[tuple(kinds)]  # noqa: UP007 - of a list


Bound = Callable[[Scope, Receive, Send], Awaitable[None]]


ChargeBody = Callable[[Scope, int], None]
"""Charges the caller for the bytes of a body, or refuses it."""


def bind(
    endpoint: Endpoint,
    path: str,
    services: Mapping[type[Any], object],
    body_limit: int,
    charge_body: ChargeBody,
) -> Bound:
    """The ASGI application that calls a handler; exceptions pass through it."""
    if endpoint.method == "ANY":
        return endpoint.handler
    signature = read_signature(endpoint, path)
    missing = [kind.__name__ for kind in signature.services.values() if kind not in services]
    assert not missing, f"{endpoint.handler.__qualname__} takes {missing}, which the application does not have"
    constants = {name: services[kind] for name, kind in signature.services.items()}
    if endpoint.method == "WEBSOCKET":
        return _bind_websocket(endpoint, signature, constants)
    return _bind_http(endpoint, signature, constants, body_limit, charge_body)


def _bind_http(
    endpoint: Endpoint,
    signature: Signature,
    constants: Mapping[str, object],
    body_limit: int,
    charge_body: ChargeBody,
) -> Bound:
    handler, respond = endpoint.handler, _responder(endpoint)
    body, connection = signature.body, signature.connection

    async def handle(scope: Scope, receive: Receive, send: Send) -> None:
        arguments = {**constants, **_read_arguments(signature, scope)}
        if connection is not None or body is not None:
            content = await read_body(scope, receive, body_limit)
            charge_body(scope, len(content))
            if connection is not None:
                arguments[connection] = Request(scope, _replay(content))
            else:
                arguments[_BODY] = decode_body(content, body)
        await respond(await handler(**arguments), scope, receive, send)

    return handle


def _bind_websocket(endpoint: Endpoint, signature: Signature, constants: Mapping[str, object]) -> Bound:
    handler, connection = endpoint.handler, signature.connection
    assert connection is not None, f"{handler.__qualname__} takes no WebSocket"

    async def handle(scope: Scope, receive: Receive, send: Send) -> None:
        socket = WebSocket(scope, receive, send)
        await handler(**constants, **_read_arguments(signature, scope), **{connection: socket})

    return handle


def _read_arguments(signature: Signature, scope: Scope) -> dict[str, Any]:
    given = scope["path_params"]
    arguments: dict[str, Any] = {name: given[name] for name in signature.path}
    for name, read in signature.request.items():
        arguments[name] = read(scope)
    if signature.query:
        arguments |= _read_query(signature.query, scope)
    return arguments


def _read_query(parameters: tuple[QueryParameter, ...], scope: Scope) -> dict[str, Any]:
    text = scope["query_string"].decode("latin-1")
    given = dict(parse_qsl(text, keep_blank_values=True)) if text else {}
    arguments = {}
    for parameter in parameters:
        public_name = parameter.public_name
        if public_name in given:
            try:
                arguments[parameter.name] = msgspec.convert(given[public_name], parameter.type, strict=False)
            except msgspec.ValidationError as problem:
                raise HTTPException(400, f"{public_name}: {problem}") from None
        elif parameter.default is inspect.Parameter.empty:
            raise HTTPException(400, f"The query parameter {public_name!r} is missing.")
        else:
            arguments[parameter.name] = parameter.default
    return arguments


def _replay(body: bytes) -> Receive:
    """A channel with a body that was read within its limit."""

    async def receive() -> Any:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def _responder(endpoint: Endpoint) -> Callable[[Any, Scope, Receive, Send], Awaitable[None]]:
    """Sends what a handler returns: a `Response` as it is, anything else as JSON, nothing with status 204."""
    status, kind = endpoint.status, JSON.encode()

    async def respond(result: Any, scope: Scope, receive: Receive, send: Send) -> None:
        if isinstance(result, Response):
            await result(scope, receive, send)
            return
        headers: list[tuple[bytes, bytes]] = []
        body = b""
        if result is not None or status not in (202, 204):
            body = _encode(result)
            headers = [(b"content-type", kind), (b"content-length", b"%d" % len(body))]
        elif status != 204:
            headers = [(b"content-length", b"0")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return respond
