"""The OpenAPI document, exact in what the server accepts and returns.

Litestar describes the handlers. What it leaves out of our messages (fields that are not allowed, lists in place of
objects, limits inside lists and of what may be missing) is put in from the messages' own types.
"""

from typing import Any

import msgspec
from litestar import Litestar, Request
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.params import ParameterKwarg

from marchland import messages

_LIMITS = {
    "ge": "minimum",
    "le": "maximum",
    "min_length": "minLength",
    "max_length": "maxLength",
    "pattern": "pattern",
}


class OpenApiRenderer(JsonRenderPlugin):
    """Renders the OpenAPI document."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """The document as JSON."""
        return msgspec.json.encode(with_exact_schemas(request.app, openapi_schema))


def with_exact_schemas(app: Litestar, schema: dict[str, Any]) -> dict[str, Any]:
    """Litestar's document with the schemas of our messages and the limits of parameters."""
    schemas = schema["components"]["schemas"]
    structs = [getattr(messages, name) for name in messages.__all__ if name in schemas]
    structs = [kind for kind in structs if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]
    _, exact = msgspec.json.schema_components(structs, ref_template="#/components/schemas/{name}")
    schemas.update(exact)
    for route in app.routes:
        for handler in getattr(route, "route_handlers", []):
            if isinstance(handler, HTTPRouteHandler):
                for method in handler.http_methods:
                    described = schema["paths"].get(route.path_format, {}).get(method.lower())
                    if described is not None:
                        _add_limits(described.get("parameters", []), handler)
    return schema


def _add_limits(parameters: list[dict[str, Any]], handler: HTTPRouteHandler) -> None:
    """Add the limits of parameters, also of optional ones."""
    fields = handler.parsed_fn_signature.parameters
    for name, field in fields.items():
        limits = field.kwarg_definition
        if not isinstance(limits, ParameterKwarg):
            continue
        for parameter in parameters:
            if parameter["name"] == (limits.name or name):
                schema = {
                    word: value for ours, word in _LIMITS.items() if (value := getattr(limits, ours, None)) is not None
                }
                parameter["schema"].update(schema)
