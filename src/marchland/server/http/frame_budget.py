"""The budget of WebSocket frames: for each connection and for each address."""

from collections.abc import Iterable

from websockets.frames import Frame

from marchland.server.http.addresses import limit_key
from marchland.server.http.rate_limit import TokenBuckets
from marchland.server.settings import Settings

_FRAMES_PER_REQUEST = 10
"""Frames for each message that the request limits allow: fragments, pings and pongs."""
_MIN_RATE = 20.0
"""Requests a second; a lower limit on requests does not make the frames of a client more expensive."""
_BURST_SECONDS = 10.0
_BYTES_PER_FRAME = 8_192
"""A frame counts once, and once more for each of these; large messages cost work in proportion to their size."""


class FrameBudget:
    """Charges every frame, also fragments and control frames, to its connection and its address."""

    def __init__(self, settings: Settings) -> None:
        self.rate = _FRAMES_PER_REQUEST * max(settings.rate, _MIN_RATE)
        self._by_address = TokenBuckets(_FRAMES_PER_REQUEST * max(settings.rate_address, _MIN_RATE))

    def open_connection(self) -> TokenBuckets:
        """The bucket of a new connection."""
        return TokenBuckets(self.rate, self.rate * _BURST_SECONDS)

    def address_wait(self, address: str) -> float:
        """Seconds until the next frame of an address may be parsed."""
        return self._by_address.charge(limit_key(address), 0)

    def charge(self, connection: TokenBuckets, address: str, frames: Iterable[object]) -> bool:
        """Charge frames that were parsed; whether the connection is within its budget."""
        cost = sum(1 + len(frame.data) / _BYTES_PER_FRAME for frame in frames if isinstance(frame, Frame))
        self._by_address.charge(limit_key(address), cost)
        return not connection.charge("", cost)
