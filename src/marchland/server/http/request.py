"""The body of a request: within its limit, JSON of exactly the type that its handler takes."""

import functools
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope

from marchland.messages.names import BadNameError
from marchland.messages.text import LINE
from marchland.server.http.auth import header_of
from marchland.server.http.body_names import name_cleaner
from marchland.server.http.enum_words import with_allowed_words

_MISSED = f"`str` matching regex {LINE!r}"


async def read_body(scope: Scope, receive: Receive, limit: int) -> bytes:
    """The whole body; refused if it is longer than ``limit`` bytes."""
    announced = header_of(scope, b"content-length")
    if announced.isdigit() and int(announced) > limit:
        raise _too_large(limit)
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        part = message.get("body", b"")
        parts.append(part)
        size += len(part)
        if size > limit:
            raise _too_large(limit)
        if not message.get("more_body", False):
            return part if len(parts) == 1 else b"".join(parts)


def _too_large(limit: int) -> HTTPException:
    """The rest of the body is not read, so the connection cannot be used again."""
    return HTTPException(413, f"The body is too large; the most is {limit:,} bytes.", {"Connection": "close"})


def decode_body(data: bytes, kind: Any) -> Any:
    """JSON as a value of ``kind``, with clean names; refused with what is wrong about it."""
    if not data:
        raise HTTPException(400, "This needs a body of JSON.")
    try:
        try:
            value = _decoder(kind).decode(data)
        except msgspec.ValidationError:  # in JSON 1.0 is an integer too
            value = msgspec.convert(_integral_floats(msgspec.json.decode(data)), kind)
        clean = name_cleaner(kind)
        return value if clean is None else clean(value)
    except BadNameError as problem:
        raise HTTPException(400, str(problem)) from None
    except RecursionError:
        raise HTTPException(400, "The body is nested too deeply.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        text = with_allowed_words(str(problem), kind).replace(_MISSED, "a line of text")
        raise HTTPException(400, f"The body is not as it should be: {text}.") from None


def _integral_floats(value: Any) -> Any:
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, list):
        return [_integral_floats(item) for item in value]
    return {name: _integral_floats(item) for name, item in value.items()} if isinstance(value, dict) else value


@functools.cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)
