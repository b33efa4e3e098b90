"""Requests that offer another protocol than WebSocket: the offer is ignored, as RFC 9110 (7.8) allows.

Java's HttpClient and ``curl --http2`` offer ``h2c`` with every request to a plain HTTP server. httptools ends each
request with an ``Upgrade`` header after its head, whatever is offered, and takes the body for the other protocol. So
such a head is parsed a second time without the offer, and the body after it as usual.
"""

from collections.abc import Sequence
from typing import Protocol

import httptools

_WEBSOCKET = b"websocket"
_CONNECT = b"CONNECT"
_HOP_BY_HOP = frozenset((b"upgrade", b"http2-settings"))

Headers = Sequence[tuple[bytes, bytes]]


class ParserOwner(Protocol):
    """What is called back by the parser."""

    url: bytes
    headers: list[tuple[bytes, bytes]]


class RequestParser:
    """httptools' parser, for which only a WebSocket handshake is an upgrade."""

    def __init__(self, owner: ParserOwner) -> None:
        self._owner = owner
        self._parser = _new_parser(owner)

    @property
    def ignores_upgrade(self) -> bool:
        """Whether this head will be parsed again: until then there is no request."""
        parser = self._parser
        return parser.should_upgrade() and parser.get_method() != _CONNECT and not offers_websocket(self._owner.headers)

    def feed_data(self, data: bytes) -> None:
        """Parse data; raises `httptools.HttpParserUpgrade` after the head of a WebSocket handshake."""
        while True:
            try:
                self._parser.feed_data(data)
            except httptools.HttpParserUpgrade as upgrade:
                if not self.ignores_upgrade:
                    raise
                data = self._head_without_offer() + data[upgrade.args[0] :]
                self._parser = _new_parser(self._owner)  # the old one ignores everything after `Connection: close`
            else:
                return

    def should_upgrade(self) -> bool:
        """Whether the head is that of another protocol, or of a CONNECT."""
        return self._parser.should_upgrade()

    def should_keep_alive(self) -> bool:
        """Whether the connection stays open after the response."""
        return self._parser.should_keep_alive()

    def get_method(self) -> bytes:
        """The method of the request."""
        return self._parser.get_method()

    def get_http_version(self) -> str:
        """The version, as in ``1.1``."""
        return self._parser.get_http_version()

    def _head_without_offer(self) -> bytes:
        lines = [b"%b %b HTTP/%b" % (self.get_method(), self._owner.url, self.get_http_version().encode())]
        lines += [b"%b: %b" % header for header in without_offer(self._owner.headers)]
        return b"\r\n".join([*lines, b"", b""])


def _new_parser(owner: ParserOwner) -> httptools.HttpRequestParser:
    parser = httptools.HttpRequestParser(owner)
    parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn sets it, for pipelined requests
    return parser


def offers_websocket(headers: Headers) -> bool:
    """Whether the last ``Upgrade`` header names WebSocket."""
    offers = [value.lower() for name, value in headers if name == b"upgrade"]
    return offers[-1:] == [_WEBSOCKET]


def without_offer(headers: Headers) -> Headers:
    """The headers but those that offer another protocol."""
    rest = []
    for name, value in headers:
        if name == b"connection":
            tokens = [token.strip() for token in value.split(b",")]
            value = b", ".join(token for token in tokens if token.lower() not in _HOP_BY_HOP)
        if name not in _HOP_BY_HOP and (value or name != b"connection"):
            rest.append((name, value))
    return rest
