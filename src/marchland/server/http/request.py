"""The body of a request: JSON of exactly the type that its handler takes."""

import functools
from typing import Any

import msgspec
from litestar import Request
from litestar.exceptions import ClientException

from marchland.messages.names import BadNameError
from marchland.messages.text import LINE
from marchland.server.http.body_names import name_cleaner
from marchland.server.http.enum_words import with_allowed_words

_MISSED = f"`str` matching regex {LINE!r}"


class StrictJsonRequest(Request[Any, Any, Any]):
    """A request whose body is decoded strictly: a string is not accepted as a number."""

    async def json(self) -> Any:
        """The body as the handler's type."""
        field = self.route_handler.parsed_data_field
        return decode_body(await self.body(), Any if field is None else field.annotation)


def decode_body(data: bytes, kind: Any) -> Any:
    """JSON as a value of ``kind``, with clean names; refused with what is wrong about it."""
    try:
        try:
            value = _decoder(kind).decode(data)
        except msgspec.ValidationError:  # in JSON 1.0 is an integer too
            value = msgspec.convert(_integral_floats(msgspec.json.decode(data)), kind)
        clean = name_cleaner(kind)
        return value if clean is None else clean(value)
    except BadNameError as problem:
        raise ClientException(str(problem)) from None
    except RecursionError:
        raise ClientException("The body is nested too deeply.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        text = with_allowed_words(str(problem), kind).replace(_MISSED, "a line of text")
        raise ClientException(f"The body is not as it should be: {text}.") from None


def _integral_floats(value: Any) -> Any:
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, list):
        return [_integral_floats(item) for item in value]
    return {name: _integral_floats(item) for name, item in value.items()} if isinstance(value, dict) else value


@functools.cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)
