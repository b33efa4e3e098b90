"""The server's messages as a client takes them in."""

from typing import Any

import msgspec

from marchland.client.errors import ClientError
from marchland.messages import Answer, Hello, News, Skipped

_KNOWN = {"hello", "news", "skipped", "answer"}


class HeardNews(News, frozen=True, tag_field="type", tag="news"):
    """`News` with the parts that the server encodes in advance decoded."""

    frame: Any = None
    view: Any = None
    results: Any = None


Heard = Hello | HeardNews | Skipped | Answer
_decoder: msgspec.json.Decoder[Heard] = msgspec.json.Decoder(Heard)


class _Envelope(msgspec.Struct):
    type: str


def decoded(message: str | bytes) -> Heard | None:
    """The message; None if its kind is not known: a newer server may say more than an older client needs."""
    try:
        return _decoder.decode(message)
    except msgspec.DecodeError as problem:
        if _type_of(message) not in _KNOWN:
            return None
        raise ClientError(f"The server's message is not understood ({problem}); is it of another version?") from None


def _type_of(message: str | bytes) -> str | None:
    try:
        return msgspec.json.decode(message, type=_Envelope).type
    except msgspec.DecodeError as problem:
        raise ClientError(f"The server sent something that is no message: {problem}.") from None
