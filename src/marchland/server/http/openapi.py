"""The OpenAPI document, made from the routes and the types of our messages."""

import functools
import inspect
import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from starlette.responses import Response

import marchland
from marchland.messages import Problem
from marchland.server.http.binding import QueryParameter, Signature, read_signature
from marchland.server.http.errors import DESCRIPTIONS
from marchland.server.http.routing import API, JSON, Endpoint, Router, get

_REFERENCE = "#/components/schemas/{name}"
_SUCCESS = {
    200: "The response to the request.",
    201: "What was created.",
    202: "It will be done.",
    204: "It was done; there is nothing to say.",
}


def openapi_router(routers: Sequence[Router]) -> Router:
    """Serves the document of these routers; it is made at the first request."""
    encoded_document = functools.cache(lambda: msgspec.json.encode(make_document(routers)))

    async def show_document() -> Response:
        return Response(encoded_document(), media_type="application/vnd.oai.openapi+json")

    return Router(API, tuple(get(path)(show_document) for path in ("/schema", "/schema/openapi.json")))


class _Operation:
    """One route with its tag and signature."""

    def __init__(self, router: Router, endpoint: Endpoint) -> None:
        self.tag = router.tag
        self.endpoint = endpoint
        self.signature: Signature = read_signature(endpoint, router.path_of(endpoint))
        self.path = re.sub(r"\{(\w+):\w+\}", r"{\1}", router.path_of(endpoint))

    def types(self) -> Iterator[Any]:
        """The types that its description refers to."""
        yield from (parameter.type for parameter in self.signature.query)
        if self.signature.body is not None:
            yield self.signature.body
        if self.has_json_result:
            yield self.signature.result

    @property
    def has_json_result(self) -> bool:
        """Whether a successful response has a body of JSON."""
        result = self.signature.result
        return result not in (None, type(None), Response) and self.endpoint.media_type == JSON


def make_document(routers: Sequence[Router]) -> dict[str, Any]:
    """The document of all routes with a tag; WebSockets are described in the docs."""
    operations = [
        _Operation(router, endpoint)
        for router in routers
        if router.tag is not None
        for endpoint in router.endpoints
        if endpoint.method not in ("WEBSOCKET", "ANY")
    ]
    types = [Problem, *(type_ for operation in operations for type_ in operation.types())]
    described, components = msgspec.json.schema_components(types, ref_template=_REFERENCE)
    schemas = iter(described)
    problem = next(schemas)
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.endpoint.method.lower()] = _describe(operation, problem, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Marchland", "version": marchland.__version__},
        "servers": [{"url": "/"}],
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _describe(operation: _Operation, problem: Any, schemas: Iterator[Any]) -> dict[str, Any]:
    """One operation; takes the schemas of its types, in their order, from ``schemas``."""
    endpoint, signature = operation.endpoint, operation.signature
    docstring = inspect.getdoc(endpoint.handler) or ""
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "integer" if kind is int else "string"}}
        for name, kind in signature.path.items()
    ]
    parameters += [_describe_query(parameter, next(schemas)) for parameter in signature.query]
    described: dict[str, Any] = {
        "tags": [operation.tag],
        "operationId": f"{operation.tag}.{endpoint.handler.__name__}",
        "summary": docstring.partition("\n")[0],
        "description": docstring,
        "parameters": parameters,
        "security": [{"token": []}] if endpoint.role else [{}, {"token": []}],
    }
    if signature.body is not None:
        described["requestBody"] = {"required": True, "content": {JSON: {"schema": next(schemas)}}}
    success: dict[str, Any] = {"description": _SUCCESS[endpoint.status]}
    if operation.has_json_result:
        success["content"] = {JSON: {"schema": next(schemas)}}
    elif endpoint.media_type != JSON:
        success["content"] = {endpoint.media_type: {"schema": {"type": "string", "format": "binary"}}}
    described["responses"] = {str(endpoint.status): success} | {
        str(status): {"description": text, "content": {JSON: {"schema": problem}}}
        for status, text in DESCRIPTIONS.items()
    }
    return described


def _describe_query(parameter: QueryParameter, schema: dict[str, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {"name": parameter.public_name, "in": "query", "schema": dict(schema)}
    described["required"] = parameter.default is inspect.Parameter.empty
    if text := schema.get("description"):
        described["description"] = text
    if parameter.default not in (inspect.Parameter.empty, None):
        described["schema"]["default"] = parameter.default
    return described
